import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { expect, it } from 'vitest'
import { urlOf } from './client.ts'

it('fills in parameters, repeats lists and leaves out what is not given', () => {
  expect(
    urlOf(monitorApi.runViolationPages, {
      params: { id: 'a/b', run: 3, rule: 'x y' },
      query: { page: 0 },
    }),
  ).toBe('/scans/a%2Fb/runs/3/violations/x%20y?page=0')
  expect(
    urlOf(monitorApi.listIssues, {
      query: { severity: ['critical', 'needs review'], search: undefined, scanId: [], grouped: false },
    }),
  ).toBe('/issues?severity=critical&severity=needs+review&grouped=false')
})

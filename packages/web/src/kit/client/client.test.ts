import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { expect, it } from 'vitest'
import { buildUrl } from './client.ts'

it('fills in parameters, repeats lists and omits undefined values', () => {
  expect(buildUrl(monitorApi.runViolationPages, { params: { id: 'a/b', run: 3, rule: 'x y' }, query: { page: 0 } })).toBe(
    '/scans/a%2Fb/runs/3/violations/x%20y?page=0',
  )
  expect(
    buildUrl(monitorApi.listIssues, {
      query: { severity: ['critical', 'needs review'], search: undefined, scanId: [], grouped: false },
    }),
  ).toBe('/issues?severity=critical&severity=needs+review&grouped=false')
})

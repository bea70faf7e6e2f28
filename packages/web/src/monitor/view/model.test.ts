import { type ViewScreen, viewQueries } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { IssueSearch, issueSearchDefaults } from '../issue/model.ts'
import { PageSearch } from '../page/model.ts'
import { ScanSearch, scanSearchDefaults } from '../scan/model.ts'
import { parseOldViews, toViewQuery } from './model.ts'

/** Page position and open detail. */
const ownMoment = new Set(['page', 'size', 'saved', 'issue', 'view'])

it.each([
  ['scans', ScanSearch],
  ['issues', IssueSearch],
  ['pages', PageSearch],
] as const)('keeps all that the URL of %s says, but for the moment', (screen: ViewScreen, search) => {
  const storedNames = Object.keys(search.shape).filter((name) => !ownMoment.has(name))
  expect(Object.keys(viewQueries[screen].shape).sort()).toEqual(storedNames.sort())
})

it('keeps values that differ from the defaults of the list', () => {
  const search = { ...issueSearchDefaults, page: 3, size: 50, status: [], severity: ['critical'], by: 'rule' }
  const query = toViewQuery('issues', search, issueSearchDefaults)
  expect(query).toEqual({ status: [], severity: ['critical'], by: 'rule' })
  expect(z.parse(viewQueries.issues, query)).toEqual(query)
  expect(z.parse(IssueSearch, query)).toEqual({ ...search, page: 1, size: 25 })
  expect(toViewQuery('scans', scanSearchDefaults, scanSearchDefaults)).toEqual({})
})

it('reads views stored in the browser by an earlier version', () => {
  const old = [{ name: 'Mine', search: { ...scanSearchDefaults, show: 'mine' } }]
  const [view] = parseOldViews(JSON.stringify(old))
  expect(toViewQuery('scans', view!.search, scanSearchDefaults)).toEqual({ show: 'mine' })
  expect(z.parse(PageSearch, { tab: 'left' }).tab).toBe('excluded')
  for (const broken of [null, '', '{', '7', '[{"name":7}]']) expect(parseOldViews(broken)).toEqual([])
})

import { type ViewScreen, viewQueries } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { IssueSearch, issueSearchDefaults } from '../issue/model.ts'
import { PageSearch } from '../page/model.ts'
import { ScanSearch, scanSearchDefaults } from '../scan/model.ts'
import { readOldViews, viewQueryOf } from './model.ts'

/** How far one has leafed, and what is open beside the list. */
const ownMoment = new Set(['page', 'size', 'saved', 'issue', 'view'])

it.each([
  ['scans', ScanSearch],
  ['issues', IssueSearch],
  ['pages', PageSearch],
] as const)('keeps all that the URL of %s says, but for the moment', (screen: ViewScreen, search) => {
  const kept = Object.keys(search.shape).filter((name) => !ownMoment.has(name))
  expect(Object.keys(viewQueries[screen].shape).sort()).toEqual(kept.sort())
})

it('keeps what differs from the list as it opens by itself', () => {
  const search = { ...issueSearchDefaults, page: 3, size: 50, status: [], severity: ['critical'], by: 'rule' }
  const query = viewQueryOf('issues', search, issueSearchDefaults)
  expect(query).toEqual({ status: [], severity: ['critical'], by: 'rule' })
  expect(z.parse(viewQueries.issues, query)).toEqual(query)
  expect(z.parse(IssueSearch, query)).toEqual({ ...search, page: 1, size: 25 })
  expect(viewQueryOf('scans', scanSearchDefaults, scanSearchDefaults)).toEqual({})
})

it('reads what an earlier version kept in the browser', () => {
  const old = [{ name: 'Mine', search: { ...scanSearchDefaults, show: 'mine' } }]
  const [view] = readOldViews(JSON.stringify(old))
  expect(viewQueryOf('scans', view!.search, scanSearchDefaults)).toEqual({ show: 'mine' })
  expect(z.parse(PageSearch, { tab: 'left' }).tab).toBe('excluded')
  for (const broken of [null, '', '{', '7', '[{"name":7}]']) expect(readOldViews(broken)).toEqual([])
})

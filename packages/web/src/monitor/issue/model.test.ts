import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { toServerFilters, isFiltered, IssueSearch, getRowKind } from './model.ts'
import { buildBulkBody } from './queries.ts'

describe('the date filter with an edited URL', () => {
  it.each(['2026-13-45', '2026-02-30', '0000-01-01', '9999-99-99', 'x', 7, null])('ignores an invalid date: %j', (day) => {
    const search = z.parse(IssueSearch, { from: day, to: day })
    expect(search).toMatchObject({ from: '', to: '' })
    expect(toServerFilters(search)).toMatchObject({ createdFrom: undefined, createdTo: undefined })
  })

  it('keeps a valid date and queries the whole day', () => {
    const { createdFrom, createdTo } = toServerFilters(z.parse(IssueSearch, { from: '2024-02-29', to: '2024-02-29' }))
    expect(Date.parse(createdTo!) - Date.parse(createdFrom!)).toBe(86_400_000 - 1)
  })
})

it('detects an active filter, regardless of the order of the URL parameters', () => {
  const bare = z.parse(IssueSearch, { run: 2, size: 50, page: 3, by: 'rule', sort: 'rule,asc' })
  const turned = Object.fromEntries(Object.entries(bare).reverse()) as IssueSearch
  expect([bare, turned].map(isFiltered)).toEqual([false, false])
  for (const filter of [{ q: 'a' }, { status: [] }, { source: ['uploaded'] }, { from: '2026-01-31' }])
    expect(isFiltered(z.parse(IssueSearch, { ...bare, ...filter }))).toBe(true)
})

it('filters by existing sources', () => {
  expect(toServerFilters(z.parse(IssueSearch, { source: ['uploaded'] })).source).toEqual(['uploaded'])
  expect(toServerFilters(z.parse(IssueSearch, { source: ['manual'] })).source).toEqual([])
})

it('filters by label and component names of maximum length', () => {
  const maxLengthName = 'x'.repeat(defaultLimits.nameLength)
  expect(
    toServerFilters(z.parse(IssueSearch, { label: [maxLengthName], component: [maxLengthName, ''], rule: ['r'] })),
  ).toMatchObject({ label: [maxLengthName], component: [maxLengthName, ''], rule: ['r'] })
})

it('changes nothing without a selection, also for grouped rows', () => {
  for (const search of [{}, { by: 'rule' }, { by: 'page' }, { grouped: false }].map((one) => z.parse(IssueSearch, one)))
    expect([getRowKind(search), buildBulkBody(search, { all: false, ids: new Set() }).selected]).toEqual([
      getRowKind(search),
      { selectAllMode: false, selectedIssues: [] },
    ])
})

it('states that everything is meant, with its number, only without filters', () => {
  const everything = { all: true, ids: new Set(['a']) }
  expect(buildBulkBody({ ...z.parse(IssueSearch, {}), status: [] }, everything, 10)).toMatchObject({
    filters: { everything: true },
    expectedCount: 9,
  })
  const filtered = buildBulkBody(z.parse(IssueSearch, { rule: ['r'] }), everything, 10)
  expect([filtered, 'expectedCount' in filtered]).toEqual([expect.not.objectContaining({ filters: { everything: true } }), false])
})

import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { filtersOf, isFiltered, IssueSearch, rowsOf } from './model.ts'
import { bulkBody } from './queries.ts'

describe('the filter by days, from a URL that somebody wrote', () => {
  it.each(['2026-13-45', '2026-02-30', '0000-01-01', '9999-99-99', 'x', 7, null])(
    'a day that no calendar has is none: %j',
    (day) => {
      const search = z.parse(IssueSearch, { from: day, to: day })
      expect(search).toMatchObject({ from: '', to: '' })
      expect(filtersOf(search)).toMatchObject({ createdFrom: undefined, createdTo: undefined })
    },
  )

  it('a day of the calendar is kept, and asked for from its beginning to its end', () => {
    const { createdFrom, createdTo } = filtersOf(
      z.parse(IssueSearch, { from: '2024-02-29', to: '2024-02-29' }),
    )
    expect(Date.parse(createdTo!) - Date.parse(createdFrom!)).toBe(86_400_000 - 1)
  })
})

it('tells whether a filter is on, in whatever order the URL says what is looked at', () => {
  const bare = z.parse(IssueSearch, { run: 2, size: 50, page: 3, by: 'rule', sort: 'rule,asc' })
  const turned = Object.fromEntries(Object.entries(bare).reverse()) as IssueSearch
  expect([bare, turned].map(isFiltered)).toEqual([false, false])
  for (const filter of [{ q: 'a' }, { status: [] }, { source: ['uploaded'] }, { from: '2026-01-31' }])
    expect(isFiltered(z.parse(IssueSearch, { ...bare, ...filter }))).toBe(true)
})

it('filters by the sources that there are', () => {
  expect(filtersOf(z.parse(IssueSearch, { source: ['uploaded'] })).source).toEqual(['uploaded'])
  expect(filtersOf(z.parse(IssueSearch, { source: ['manual'] })).source).toEqual([])
})

it('filters by the longest names that labels and components can have', () => {
  const longest = 'x'.repeat(defaultLimits.nameLength)
  expect(
    filtersOf(z.parse(IssueSearch, { label: [longest], component: [longest, ''], rule: ['r'] })),
  ).toMatchObject({ label: [longest], component: [longest, ''], rule: ['r'] })
})

it('with nothing ticked a change is of nothing, also where rows are groups', () => {
  for (const search of [{}, { by: 'rule' }, { by: 'page' }, { grouped: false }].map((one) =>
    z.parse(IssueSearch, one),
  ))
    expect([rowsOf(search), bulkBody(search, { all: false, ids: new Set() }).selected]).toEqual([
      rowsOf(search),
      { selectAllMode: false, selectedIssues: [] },
    ])
})

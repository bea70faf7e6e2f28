import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../kit/limit.ts'
import { isSameQuery, knownQuery } from './model.ts'
import { ViewBody, viewQueries, viewQueryLength, type ViewScreen } from './schema.ts'

const scan = '019a0000-0000-7000-8000-000000000001'
const wrongIn = (screen: ViewScreen, query: unknown) => {
  const read = z.safeParse(viewQueries[screen], query)
  return read.success
    ? []
    : read.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')],
      )
}

describe('the query of a view', () => {
  it.each<[ViewScreen, object]>([
    ['scans', {}],
    ['scans', { q: 'shop', show: 'mine', by: 'pages', group: 'type', tag: 'live', sort: 'totalPages,desc' }],
    [
      'issues',
      {
        q: 'https://example.org/',
        scanId: [scan],
        run: 3,
        source: ['uploaded'],
        severity: ['critical'],
        // Any.
        status: [],
        label: ['x'.repeat(defaultLimits.nameLength)],
        component: ['', 'x'.repeat(defaultLimits.nameLength)],
        assignedTo: [''],
        from: '2026-01-31',
        by: 'page',
        groupSort: 'pages,desc',
        sort: 'firstSeenAt,desc',
        grouped: false,
      },
    ],
    ['pages', { tab: 'failed', failure: ['http-404'], source: ['uploaded'], sort: 'url,asc' }],
  ])('of %s takes what the screen knows: %j', (screen, query) => {
    expect(z.parse(viewQueries[screen], query)).toEqual(query)
  })
  it.each<[ViewScreen, object, string]>([
    ['scans', { show: 'theirs' }, 'show'],
    ['scans', { severity: ['critical'] }, 'severity'],
    ['scans', { page: 2 }, 'page'],
    ['scans', { sort: 'name,asc;drop table scan' }, 'sort'],
    ['scans', { q: 'x'.repeat(501) }, 'q'],
    ['issues', { host: 'evil.example' }, 'host'],
    ['issues', { url: 'https://evil.example/' }, 'url'],
    ['issues', { issue: scan }, 'issue'],
    ['issues', { scanId: ['https://evil.example/'] }, 'scanId.0'],
    ['issues', { severity: 'critical' }, 'severity'],
    ['issues', { status: ['javascript:alert(1)'] }, 'status.0'],
    ['issues', { source: ['manual'] }, 'source.0'],
    ['issues', { from: '2026-02-30' }, 'from'],
    ['issues', { run: 0 }, 'run'],
    ['issues', { groupSort: 'severity' }, 'groupSort'],
    ['pages', { view: scan }, 'view'],
    ['pages', { sort: 'severity,asc' }, 'sort'],
    ['pages', { tab: 'all' }, 'tab'],
  ])('of %s refuses all else: %j', (screen, query, wrong) => {
    expect(wrongIn(screen, query)).toEqual([wrong])
  })
  it('has room for what fits a URL, and no more', () => {
    const rules = (count: number) => ({ rule: Array.from({ length: count }, () => 'r'.repeat(96)) })
    expect(wrongIn('issues', rules(40))).toEqual([])
    expect(JSON.stringify(rules(41)).length).toBeGreaterThan(viewQueryLength)
    expect(wrongIn('issues', rules(41))).toEqual([''])
  })
  it('is that of the screen that the view names', () => {
    const body = { name: ' Mine ', audience: { kind: 'me' }, query: { tab: 'failed' } }
    expect(z.safeParse(ViewBody, { ...body, screen: 'pages' }).data?.name).toBe('Mine')
    expect(z.safeParse(ViewBody, { ...body, screen: 'scans' }).success).toBe(false)
    expect(z.safeParse(ViewBody, { ...body, screen: 'admin' }).success).toBe(false)
  })
})

it('reads what is stored as far as the screen knows it now', () => {
  const stored = { severity: ['critical'], status: ['gone'], color: 'red', q: 7, constructor: 1 }
  expect(knownQuery('issues', stored)).toEqual({ severity: ['critical'] })
})

it('reads the tab of excluded pages by the name that it had before', () => {
  expect(knownQuery('pages', { tab: 'left' })).toEqual({ tab: 'excluded' })
})

it('tells queries apart by what they say, not by the order', () => {
  expect(isSameQuery({ q: 'a', show: 'mine' }, { show: 'mine', q: 'a' })).toBe(true)
  expect(isSameQuery({ q: 'a' }, { q: 'b' })).toBe(false)
  expect(isSameQuery({ q: 'a' }, {})).toBe(false)
})

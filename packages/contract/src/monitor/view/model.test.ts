import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../kit/limit.ts'
import { isSameQuery, filterKnownQuery } from './model.ts'
import { ViewBody, viewQueries, maxViewQueryLength, type ViewScreen } from './schema.ts'

const scanId = '019a0000-0000-7000-8000-000000000001'
const listInvalidPaths = (screen: ViewScreen, query: unknown) => {
  const parsedQuery = z.safeParse(viewQueries[screen], query)
  return parsedQuery.success
    ? []
    : parsedQuery.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]))
}

describe('the query of a view', () => {
  it.each<[ViewScreen, object]>([
    ['scans', {}],
    ['scans', { q: 'shop', show: 'mine', by: 'pages', group: 'type', tag: 'live', sort: 'totalPages,desc' }],
    [
      'issues',
      {
        q: 'https://example.org/',
        scanId: [scanId],
        run: 3,
        source: ['uploaded'],
        severity: ['critical'],
        // Any status.
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
  ])('of %s accepts known parameters: %j', (screen, query) => {
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
    ['issues', { issue: scanId }, 'issue'],
    ['issues', { scanId: ['https://evil.example/'] }, 'scanId.0'],
    ['issues', { severity: 'critical' }, 'severity'],
    ['issues', { status: ['javascript:alert(1)'] }, 'status.0'],
    ['issues', { source: ['manual'] }, 'source.0'],
    ['issues', { from: '2026-02-30' }, 'from'],
    ['issues', { run: 0 }, 'run'],
    ['issues', { groupSort: 'severity' }, 'groupSort'],
    ['pages', { view: scanId }, 'view'],
    ['pages', { sort: 'severity,asc' }, 'sort'],
    ['pages', { tab: 'all' }, 'tab'],
  ])('of %s rejects unknown parameters: %j', (screen, query, invalidPath) => {
    expect(listInvalidPaths(screen, query)).toEqual([invalidPath])
  })
  it('is limited to the length of a URL', () => {
    const buildRulesQuery = (count: number) => ({ rule: Array.from({ length: count }, () => 'r'.repeat(96)) })
    expect(listInvalidPaths('issues', buildRulesQuery(40))).toEqual([])
    expect(JSON.stringify(buildRulesQuery(41)).length).toBeGreaterThan(maxViewQueryLength)
    expect(listInvalidPaths('issues', buildRulesQuery(41))).toEqual([''])
  })
  it('must belong to the screen of the view', () => {
    const viewBody = { name: ' Mine ', audience: { kind: 'me' }, query: { tab: 'failed' } }
    expect(z.safeParse(ViewBody, { ...viewBody, screen: 'pages' }).data?.name).toBe('Mine')
    expect(z.safeParse(ViewBody, { ...viewBody, screen: 'scans' }).success).toBe(false)
    expect(z.safeParse(ViewBody, { ...viewBody, screen: 'admin' }).success).toBe(false)
  })
})

it('reads only the currently known parts of stored queries', () => {
  const storedQuery = { severity: ['critical'], status: ['gone'], color: 'red', q: 7, constructor: 1 }
  expect(filterKnownQuery('issues', storedQuery)).toEqual({ severity: ['critical'] })
})

it('reads the previous name of the tab of excluded pages', () => {
  expect(filterKnownQuery('pages', { tab: 'left' })).toEqual({ tab: 'excluded' })
})

it('compares queries by content, not by order', () => {
  expect(isSameQuery({ q: 'a', show: 'mine' }, { show: 'mine', q: 'a' })).toBe(true)
  expect(isSameQuery({ q: 'a' }, { q: 'b' })).toBe(false)
  expect(isSameQuery({ q: 'a' }, {})).toBe(false)
})

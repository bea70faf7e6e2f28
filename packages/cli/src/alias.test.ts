import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { describe, expect, it } from 'vitest'
import { joinAliases } from './alias.ts'
import { parseArguments, type ScanArguments } from './arguments.ts'
import { compareWithBaseline } from './baseline.ts'
import { compareScan, createKnownPageTest } from './gate.ts'
import { buildReport, type CollectedPage } from './report.ts'
import type { Report } from './schema.ts'

const finding = { rule: 'image-alt', elementKey: 'main > img', ordinal: 0, html: '<img>', severity: 'critical' }
const issue = { rule: 'image-alt', severity: 'critical', target: ['img'], states: [] }
type Fields = { issues?: number; isSeparate?: boolean; origin?: string }
const visit = (path: string, { issues = 1, isSeparate = false, origin = 'https://a.test' }: Fields = {}) =>
  ({
    name: path,
    page: {
      url: `${origin}${path}`,
      title: 'T',
      status: 'completed',
      health: 'critical',
      notices: [],
      aliases: [],
      issues: Array.from({ length: issues }, () => issue),
    },
    evidence: null,
    findings: Array.from({ length: issues }, () => finding as unknown as Finding),
    signature: { content: 'c', masked: 'c', template: 't', isUnlisted: false, isListing: false, canonical: null, isSeparate },
    isNamed: false,
  }) as unknown as CollectedPage & { name: string }

it('reports a page with several addresses once, with its other addresses', () => {
  const visits = joinAliases([
    visit('/a?x=1'),
    visit('/a'),
    visit('/a?x=2', { issues: 2 }),
    visit('/a?x=3', { isSeparate: true }),
  ])
  expect(visits.map(({ page }) => [page.status, page.issues.length, page.aliases])).toEqual([
    ['excluded', 0, []],
    ['completed', 1, ['https://a.test/a?x=1']],
    ['completed', 2, []],
    ['completed', 1, []],
  ])
  expect(visits[0]!.page.failure).toEqual({
    reason: 'duplicate',
    detail: 'The same text, controls and issues as https://a.test/a, and the same path',
  })
  const facts = { clearway: '0', axe: '4', ruleSet: defaultRuleSet, startedAt: new Date(), durationMs: 1 }
  const { totals } = buildReport(
    facts,
    visits.map(({ page }) => page),
  )
  expect(totals).toMatchObject({ pages: 4, completed: 3, excluded: 1, issues: 4 })
})

it('keeps the issues of a joined page that a baseline knows, and reports no new one twice', () => {
  const knownIssue = { rule: 'image-alt', element: 'main > img', position: 0, html: '<img>' }
  const compare = (pages: readonly string[]) =>
    compareWithBaseline(
      joinAliases([visit('/a'), visit('/a?x=1')]).map((joined) => ({ ...joined, name: joined.page.url.slice(14) })),
      { ruleSet: defaultRuleSet, issues: pages.map((page) => ({ page, ...knownIssue })) },
    ).map(({ page, state }) => `${page} ${state}`)
  expect(compare(['/a', '/a?x=1'])).toEqual(['/a known', '/a?x=1 known'])
  expect(compare(['/a'])).toEqual(['/a known'])
  expect(compare(['/b'])).toEqual(['/a new', '/b not-checked'])
})

describe('addresses of one page', () => {
  const knownIssue = { rule: 'image-alt', element: 'main > img', position: 0, html: '<img>' }
  const hostMaps = [{ from: 'https://www.a.test', to: 'https://a.test' }]
  const compare = (visits: CollectedPage[], knownPages: string[] = []) => {
    const { arguments: scanArguments } = parseArguments(['scan', 'https://a.test/']) as { arguments: ScanArguments }
    const baseline = { ruleSet: defaultRuleSet, issues: knownPages.map((page) => ({ page, ...knownIssue })) }
    const gateArguments = { ...scanArguments, hostMaps }
    const joined = joinAliases(visits, createKnownPageTest(gateArguments, baseline))
    expect(joined.filter(({ page }) => page.status === 'completed')).toHaveLength(1)
    const report = {} as Report
    const { issues, urls } = compareScan(gateArguments, { visits: joined, report }, baseline)
    return issues.map(({ page, state }) => `${urls.get(page)} ${state}`)
  }

  it.each([
    ['http and https', visit('/a', { origin: 'http://a.test' })],
    ['a mapped host', visit('/a', { origin: 'https://www.a.test' })],
    ['one final URL', visit('/a')],
  ])('report a new issue once if they have one name: %s', (_, other) => {
    for (const visits of [
      [visit('/a'), other],
      [other, visit('/a')],
    ]) {
      expect(compare(visits)).toEqual([expect.stringMatching(/a new$/)])
      expect(compare(visits, ['/a'])).toEqual([expect.stringMatching(/a known$/)])
    }
  })

  it('are compared as the one that the baseline knows', () => {
    expect(compare([visit('/a'), visit('/a?x=1')], ['/a?x=1'])).toEqual(['https://a.test/a?x=1 known'])
    expect(compare([visit('/a'), visit('/a?x=1', { origin: 'https://www.a.test' })], ['/a?x=1'])).toEqual([
      'https://www.a.test/a?x=1 known',
    ])
    expect(compare([visit('/a'), visit('/a?x=1')], ['/b'])).toEqual(['https://a.test/a new', 'undefined not-checked'])
  })
})

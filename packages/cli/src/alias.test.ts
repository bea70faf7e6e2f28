import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { joinAliases } from './alias.ts'
import { compareWithBaseline } from './baseline.ts'
import { buildReport, type CollectedPage } from './report.ts'

const finding = { rule: 'image-alt', elementKey: 'main > img', ordinal: 0, html: '<img>', severity: 'critical' }
const issue = { rule: 'image-alt', severity: 'critical', target: ['img'], states: [] }
type Fields = { issues?: number; isSeparate?: boolean }
const visit = (path: string, { issues = 1, isSeparate = false }: Fields = {}) =>
  ({
    name: path,
    page: {
      url: `https://a.test${path}`,
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

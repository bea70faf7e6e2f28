import { readFileSync } from 'node:fs'
import { defaultRuleSet, type Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { formatReport, noticeTexts } from './format.ts'
import { buildReport } from './report.ts'
import type { ReportIssue } from './schema.ts'

const issue = (severity: Severity): ReportIssue => ({
  rule: 'image-alt',
  impact: severity === 'needs review' ? 'critical' : severity,
  severity,
  help: 'Images must have alternative text',
  helpUrl: 'https://example.org/image-alt',
  tags: ['wcag2a'],
  target: ['img'],
  html: '<img>',
  fix: { any: [], all: [], none: [] },
})
const reportOf = (severities: readonly Severity[]) =>
  buildReport(
    { clearway: '0.0.0', axe: '4.14.1', ruleSet: defaultRuleSet, startedAt: new Date(), durationMs: 1 },
    [
      {
        url: 'https://example.org/',
        title: null,
        status: 'completed',
        failure: null,
        health: 'critical',
        notices: [],
        detail: null,
        durationMs: 1,
        issues: severities.map(issue),
      },
    ],
  )

it('says of a page what the web says of it', () => {
  const said = readFileSync(new URL('../../web/src/locales/en.po', import.meta.url), 'utf8')
  const { 'embedded-browser-fonts': fonts, ...texts } = noticeTexts
  for (const text of [...Object.values(texts), fonts.replace('This machine', 'The server')])
    expect(said).toContain(`msgid "${text}"`)
})

it('gives a level in SARIF to what fails, and none to what needs review', () => {
  const { runs } = JSON.parse(
    formatReport.sarif(reportOf(['critical', 'moderate', 'minor', 'needs review'])),
  ) as { runs: { results: { kind: string; level: string }[] }[] }
  expect(runs[0]!.results.map(({ kind, level }) => [kind, level])).toEqual([
    ['fail', 'error'],
    ['fail', 'warning'],
    ['fail', 'note'],
    ['review', 'none'],
  ])
})

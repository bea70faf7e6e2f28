import { xmlText } from '@clearway/contract/kit/xml.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { sarifLevels, selectorOf } from '@clearway/contract/monitor/issue/model.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Format } from './arguments.ts'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

/** In the words of the web; but it is not a server whose fonts they are. */
export const noticeTexts: Record<PageNotice, string> = {
  'did-not-settle': 'The page never stopped changing, so it was tested as it was.',
  'not-fully-loaded': 'Not everything on the page was loaded when it was tested.',
  'element-not-found': 'An element that the scan waits for did not appear; the page was tested without it.',
  'frame-not-tested': 'A frame inside the page could not be tested.',
  'issue-limit-reached': 'The page has more issues than are stored; the rest are only counted.',
  'content-truncated': 'Only the first part of the source is kept.',
  'pdf-partly-checked': 'The PDF has too many pages: the last ones were not checked.',
  'embedded-browser-fonts':
    'This machine has few fonts: sizes and line breaks may differ from those that people see.',
}
/** What to know of a page's result, beside its issues. */
const noticesOf = ({ notices: given, detail }: ReportPage) =>
  given.map((notice) =>
    notice === 'frame-not-tested' && detail !== null
      ? `Frames were not tested: ${detail.replaceAll('\n', '; ')}`
      : noticeTexts[notice],
  )

/** A page's URL and axe's texts come from strangers: no control characters reach a terminal or XML. */
// oxlint-disable-next-line no-control-regex -- these are what must go
const plain = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
const xml = (text: string) => xmlText(plain(text))
const advice = ({ fix }: ReportIssue) => [
  ...[...fix.all, ...fix.none].map((t) => `Fix: ${t}`),
  ...(fix.any.length > 0 ? [`Fix one of: ${fix.any.join('; ')}`] : []),
]

function textPage(page: ReportPage): string[] {
  if (page.failure)
    return [
      `${page.status.toUpperCase()}  ${page.url}`,
      `  ${page.failure.reason}: ${page.failure.detail}`,
      '',
    ]
  if (page.issues.length === 0 && page.notices.length === 0) return []
  const lines = [`${page.url}  (${page.health})`, ...noticesOf(page).map((notice) => `  note: ${notice}`)]
  for (const severity of Severity.options)
    for (const issue of page.issues.filter((i) => i.severity === severity))
      lines.push(
        `  ${severity}: ${issue.help} [${issue.rule}]`,
        `    ${selectorOf(issue.target)}`,
        ...advice(issue).map((a) => `    ${a}`),
      )
  return [...lines, '']
}

function text(report: Report): string {
  const { totals, score, pages } = report
  const bySeverity = Severity.options
    .map((s) => [s, pages.reduce((n, p) => n + p.issues.filter((i) => i.severity === s).length, 0)] as const)
    .filter(([, n]) => n > 0)
    .map(([s, n]) => `${n} ${s}`)
  return [
    ...pages.flatMap(textPage),
    `Score ${score === null ? 'unknown' : `${Math.floor(score * 100)} of 100`}: ${totals.completed} pages checked, ${totals.failed} failed, ${totals.excluded} excluded.`,
    `${totals.issues} issues${bySeverity.length > 0 ? `: ${bySeverity.join(', ')}` : ''}.`,
    '',
  ]
    .map(plain)
    .join('\n')
}

/** Why a rule matters and how to fix it, where we know the rule. */
function sarifAdvice(rule: string): { fullDescription: { text: string }; help: { text: string } } | null {
  if (!(rule in axeRules)) return null
  const id = rule as AxeRuleId
  return {
    fullDescription: { text: axeTextsEn.why[axeRules[id].why] },
    help: { text: axeTextsEn.rules[id][1] },
  }
}

/** SARIF 2.1.0: a page is the artifact, the selector its logical location. */
function sarif(report: Report): string {
  const rules = new Map<string, object>()
  const results = report.pages.flatMap((page) =>
    page.issues.map((issue) => {
      rules.set(issue.rule, {
        id: issue.rule,
        shortDescription: { text: issue.help },
        ...sarifAdvice(issue.rule),
        helpUri: issue.helpUrl,
        properties: { tags: issue.tags },
      })
      return {
        ruleId: issue.rule,
        level: sarifLevels[issue.severity],
        kind: issue.severity === 'needs review' ? 'review' : 'fail',
        message: { text: [issue.help, ...advice(issue)].join('\n') },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: page.url },
              region: { startLine: 1, snippet: { text: issue.html } },
            },
            logicalLocations: [{ fullyQualifiedName: selectorOf(issue.target), kind: 'element' }],
          },
        ],
      }
    }),
  )
  const driver = {
    name: 'Clearway',
    version: report.clearway,
    informationUri: 'https://www.w3.org/WAI/',
    rules: [...rules.values()],
  }
  const failures = report.pages
    .filter((p) => p.status === 'failed')
    .map((p) => ({
      level: 'error',
      message: { text: `${p.url}: ${p.failure?.reason}: ${p.failure?.detail}` },
    }))
  const notes = report.pages.flatMap((page) =>
    noticesOf(page).map((notice) => ({ level: 'note', message: { text: `${page.url}: ${notice}` } })),
  )
  const run = {
    tool: { driver },
    invocations: [
      {
        executionSuccessful: report.totals.completed > 0,
        toolExecutionNotifications: [...failures, ...notes],
      },
    ],
    results,
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`
}

/** JUnit: a page is a suite; a rule that fails on it is a failed case, a page that failed is an error. */
function junit(report: Report): string {
  const suites = report.pages.filter((p) => p.status !== 'excluded').map(junitSuite)
  const failed = report.pages.reduce(
    (n, p) => n + new Set(p.issues.filter((i) => i.severity !== 'needs review').map((i) => i.rule)).size,
    0,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway" failures="${failed}" errors="${report.totals.failed}" time="${report.durationMs / 1000}">\n${suites.join('')}</testsuites>\n`
}

function junitSuite(page: ReportPage): string {
  const byRule = Map.groupBy(
    page.issues.filter((i) => i.severity !== 'needs review'),
    (i) => i.rule,
  )
  const cases = [...byRule].map(([rule, issues]) => {
    const body = issues.map((i) => [selectorOf(i.target), i.html, ...advice(i)].join('\n')).join('\n\n')
    return `    <testcase classname="${xml(page.url)}" name="${xml(rule)}"><failure type="${xml(issues[0]!.severity)}" message="${xml(issues[0]!.help)}">${xml(body)}</failure></testcase>\n`
  })
  if (page.failure)
    cases.push(
      `    <testcase classname="${xml(page.url)}" name="page"><error type="${xml(page.failure.reason)}" message="${xml(page.failure.detail)}"/></testcase>\n`,
    )
  if (cases.length === 0) cases.push(`    <testcase classname="${xml(page.url)}" name="page"/>\n`)
  const notes = noticesOf(page)
  const said = notes.length > 0 ? `    <system-out>${xml(notes.join('\n'))}</system-out>\n` : ''
  const counts = `tests="${cases.length}" failures="${byRule.size}" errors="${page.failure ? 1 : 0}"`
  return `  <testsuite name="${xml(page.url)}" ${counts} time="${page.durationMs / 1000}">\n${cases.join('')}${said}  </testsuite>\n`
}

/** Each form of the report, as text. */
export const formatReport: Record<Format, (report: Report) => string> = {
  text,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  sarif,
  junit,
}

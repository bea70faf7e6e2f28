import { escapeXml } from '@clearway/contract/kit/xml.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { sarifLevels, formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import type { ReportFormat } from './arguments.ts'
import { buildAdvice, listNotices, removeControlCharacters } from './notice.ts'
import { countScoredPages } from './report.ts'
import type { Report, ReportPage } from './schema.ts'
import { formatText, type Style } from './text-format.ts'

const toXml = (text: string) => escapeXml(removeControlCharacters(text))
/** Returns the importance of a known rule and its fix; null for unknown rules. */
function buildSarifAdvice(rule: string): { fullDescription: { text: string }; help: { text: string } } | null {
  if (!(rule in axeRules)) return null
  const axeRuleId = rule as AxeRuleId
  return { fullDescription: { text: axeTextsEn.why[axeRules[axeRuleId].why] }, help: { text: axeTextsEn.rules[axeRuleId][1] } }
}

/** Formats SARIF 2.1.0: a page is the artifact, the selector its logical location. */
function formatSarif(report: Report): string {
  const sarifRules = new Map<string, object>()
  const sarifResults = report.pages.flatMap((page) =>
    page.issues.map((issue) => {
      sarifRules.set(issue.rule, {
        id: issue.rule,
        shortDescription: { text: issue.help },
        ...buildSarifAdvice(issue.rule),
        helpUri: issue.helpUrl,
        properties: { tags: issue.tags },
      })
      return {
        ruleId: issue.rule,
        level: sarifLevels[issue.severity],
        kind: issue.severity === 'needs review' ? 'review' : 'fail',
        partialFingerprints: { 'clearwayElement/v1': issue.fingerprint },
        message: { text: [issue.help, ...buildAdvice(issue)].join('\n') },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: page.url }, region: { startLine: 1, snippet: { text: issue.html } } },
            logicalLocations: [{ fullyQualifiedName: formatSelector(issue.target), kind: 'element' }],
          },
        ],
      }
    }),
  )
  const toolDriver = {
    name: 'Clearway',
    version: report.clearway,
    informationUri: 'https://www.w3.org/WAI/',
    rules: [...sarifRules.values()],
  }
  const failureNotifications = report.pages
    .filter((p) => p.status === 'failed')
    .map((p) => ({
      level: 'error',
      message: { text: `${p.url}: ${p.failure?.reason}: ${p.failure?.detail}` },
    }))
  const noticeNotifications = report.pages.flatMap((page) =>
    listNotices(page).map((notice) => ({
      level: hasWall(page.notices) ? 'warning' : 'note',
      message: { text: `${page.url}: ${notice}` },
    })),
  )
  const sarifRun = {
    tool: { driver: toolDriver },
    invocations: [
      {
        executionSuccessful: countScoredPages(report) > 0 && report.unchecked.length === 0,
        toolExecutionNotifications: [...failureNotifications, ...noticeNotifications],
      },
    ],
    results: sarifResults,
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [sarifRun] }, null, 2)}\n`
}

/** Formats JUnit XML: a page is a suite, a failing rule a failed case, a failed page an error. */
function formatJunit(report: Report): string {
  const suiteElements = report.pages.filter((p) => p.status !== 'excluded').map(formatJunitSuite)
  const failedCaseCount = report.pages.reduce(
    (n, p) => n + new Set(p.issues.filter((i) => i.severity !== 'needs review').map((i) => i.rule)).size,
    0,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway" failures="${failedCaseCount}" errors="${report.totals.failed}" time="${report.durationMs / 1000}">\n${suiteElements.join('')}</testsuites>\n`
}

function formatJunitSuite(page: ReportPage): string {
  const issuesByRule = Map.groupBy(
    page.issues.filter((i) => i.severity !== 'needs review'),
    (i) => i.rule,
  )
  const caseElements = [...issuesByRule].map(([rule, issues]) => {
    const failureText = issues.map((i) => [formatSelector(i.target), i.html, ...buildAdvice(i)].join('\n')).join('\n\n')
    return `    <testcase classname="${toXml(page.url)}" name="${toXml(rule)}"><failure type="${toXml(issues[0]!.severity)}" message="${toXml(issues[0]!.help)}">${toXml(failureText)}</failure></testcase>\n`
  })
  if (page.failure)
    caseElements.push(
      `    <testcase classname="${toXml(page.url)}" name="page"><error type="${toXml(page.failure.reason)}" message="${toXml(page.failure.detail)}"/></testcase>\n`,
    )
  if (hasWall(page.notices))
    caseElements.push(
      `    <testcase classname="${toXml(page.url)}" name="content"><skipped message="${toXml(listNotices(page).join(' '))}"/></testcase>\n`,
    )
  if (caseElements.length === 0) caseElements.push(`    <testcase classname="${toXml(page.url)}" name="page"/>\n`)
  const pageNoticeTexts = listNotices(page)
  const systemOut = pageNoticeTexts.length > 0 ? `    <system-out>${toXml(pageNoticeTexts.join('\n'))}</system-out>\n` : ''
  const countAttributes = `tests="${caseElements.length}" failures="${issuesByRule.size}" errors="${page.failure ? 1 : 0}"`
  return `  <testsuite name="${toXml(page.url)}" ${countAttributes} time="${page.durationMs / 1000}">\n${caseElements.join('')}${systemOut}  </testsuite>\n`
}

export const reportFormatters: Record<ReportFormat, (report: Report, style?: Style) => string> = {
  text: formatText,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  sarif: formatSarif,
  junit: formatJunit,
}

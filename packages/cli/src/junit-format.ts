import { escapeXml } from '@clearway/contract/kit/xml.ts'
import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { buildAdvice, listNotices, removeControlCharacters } from './notice.ts'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

const toXml = (text: string) => escapeXml(removeControlCharacters(text))

/** Formats JUnit XML: a page is a suite, a failing rule a failed case, a failed page an error. */
export function formatJunit(report: Report): string {
  const suiteElements = report.pages.filter((p) => p.status !== 'excluded').map(formatJunitSuite)
  const failedCaseCount = report.pages.reduce(
    (n, p) => n + new Set(p.issues.filter((i) => i.severity !== 'needs review').map((i) => i.rule)).size,
    0,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway" failures="${failedCaseCount}" errors="${report.totals.failed}" time="${report.durationMs / 1000}">\n${suiteElements.join('')}</testsuites>\n`
}

const formatIssue = (issue: ReportIssue): string =>
  [
    formatSelector(issue.target),
    ...(issue.states.length > 0 ? [`Seen in: ${issue.states.join(', ')}`] : []),
    issue.html,
    ...buildAdvice(issue),
  ].join('\n')

function formatJunitSuite(page: ReportPage): string {
  const issuesByRule = Map.groupBy(
    page.issues.filter((i) => i.severity !== 'needs review'),
    (i) => i.rule,
  )
  const caseElements = [...issuesByRule].map(([rule, issues]) => {
    const failureText = issues.map((i) => formatIssue(i)).join('\n\n')
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

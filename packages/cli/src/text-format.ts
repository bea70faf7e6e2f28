import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { buildAdvice, listNotices, removeControlCharacters } from './notice.ts'
import { countScoredPages } from './report.ts'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

/** Emphasis of a text on a terminal. */
export type Style = (emphasis: 'strong' | 'weak' | Severity, text: string) => string

const pluralize = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`
const maxSnippetLength = 160

type PageIssue = { url: string; issue: ReportIssue }

/** The product's own title of a rule and the way to fix it; for other rules, the words of its checks. */
function describeRule(issue: ReportIssue): { title: string; advice: string[] } {
  if (!Object.hasOwn(axeRules, issue.rule)) return { title: issue.help, advice: buildAdvice(issue) }
  const [title, fix] = axeTextsEn.rules[issue.rule as AxeRuleId]
  return { title, advice: [`Fix: ${fix}`] }
}

/** One rule with its first element, and the number of elements to fix. */
function formatRule(ruleIssues: readonly PageIssue[], style: Style): string[] {
  const [{ url, issue }] = ruleIssues as [PageIssue]
  const { title, advice } = describeRule(issue)
  const pageCount = new Set(ruleIssues.map((ruleIssue) => ruleIssue.url)).size
  const snippet = issue.html.replaceAll(/\s+/g, ' ')
  return [
    `${style(issue.severity, issue.severity)}: ${style('strong', title)} [${issue.rule}]`,
    ...[
      `  ${pluralize(ruleIssues.length, 'element')} on ${pluralize(pageCount, 'page')}, for example on ${url}`,
      `    ${formatSelector(issue.target)}`,
      `    ${snippet.length > maxSnippetLength ? `${snippet.slice(0, maxSnippetLength)}…` : snippet}`,
      ...advice.map((line) => `  ${line}`),
    ].map(removeControlCharacters),
    `  ${style('weak', issue.helpUrl)}`,
    '',
  ]
}

/** All rules, most severe first, then by the number of elements. */
function formatRules({ pages }: Report, style: Style): string[] {
  const issues = pages.flatMap(({ url, issues: pageIssues }) => pageIssues.map((issue): PageIssue => ({ url, issue })))
  const rules = [...Map.groupBy(issues, ({ issue }) => `${issue.severity} ${issue.rule}`).values()]
  const getRank = ([first]: readonly PageIssue[]) => Severity.options.indexOf(first!.issue.severity)
  return rules
    .sort((left, right) => getRank(left) - getRank(right) || right.length - left.length)
    .flatMap((ruleIssues) => formatRule(ruleIssues, style))
}

/** A page that failed, or with limits of its result. */
function formatPage(page: ReportPage): string[] {
  if (page.failure) return [`${page.status.toUpperCase()}  ${page.url}`, `  ${page.failure.reason}: ${page.failure.detail}`, '']
  const notices = listNotices(page)
  if (notices.length === 0) return []
  const healthText = page.health ?? (hasWall(page.notices) ? 'not seen' : null)
  return [page.url + (healthText === null ? '' : `  (${healthText})`), ...notices.map((notice) => `  note: ${notice}`), '']
}

/** Number of pages in the score, if others are missing from it. */
function describeSeenPages(report: Report): string {
  const { walled } = report.totals
  const scoredCount = countScoredPages(report)
  return walled > 0 ? `, for ${scoredCount} of ${scoredCount + walled} pages` : ''
}

function formatSummary(report: Report, style: Style): string[] {
  const { totals, score, pages } = report
  const counts = Severity.options
    .map(
      (severity) =>
        [severity, pages.flatMap(({ issues }) => issues.filter((issue) => issue.severity === severity)).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
  const scoreText = score === null ? 'unknown' : `${Math.floor(score * 100)} of 100`
  const unseen = totals.walled > 0 ? `, without those of ${pluralize(totals.walled, 'page')} whose content was not seen` : ''
  return [
    `${style('strong', `Score ${scoreText}`)}${describeSeenPages(report)}: ${pluralize(totals.completed, 'page')} checked, ${totals.failed} failed, ${totals.excluded} excluded.`,
    `${pluralize(totals.issues, 'issue')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}${unseen}.`,
    '',
  ]
}

/** Formats a report for reading: what to fix by rule, then the limits of the result, then a summary. */
export function formatText(report: Report, style: Style = (_, text) => text): string {
  const uncheckedLines = report.unchecked.map(
    ({ target, reason, detail }) => `NOT CHECKED  ${target}: ${reason}${detail ? ` (${detail})` : ''}`,
  )
  return [
    ...formatRules(report, style),
    ...[...report.pages.flatMap(formatPage), ...uncheckedLines].map(removeControlCharacters),
    ...formatSummary(report, style),
  ].join('\n')
}

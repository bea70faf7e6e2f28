import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import type { FormatContext, Style } from './format-context.ts'
import { listNotices, removeControlCharacters } from './notice.ts'
import { countScoredPages } from './report.ts'
import { countBySeverity, groupByRule, pluralize, type RuleGroup } from './rule-group.ts'
import { describeRule } from './rule-text.ts'
import type { Report, ReportPage } from './schema.ts'

const maxSnippetLength = 160

/** Characters that change the direction of the text after them. */
const directionCharacters = /[\u202a-\u202e\u2066-\u2069]/g

/** Text of a page on one line, without control characters, cut at the maximum. */
export function toLine(text: string, maxLength = maxSnippetLength): string {
  const line = removeControlCharacters(text.replaceAll(/\s+/g, ' ')).replaceAll(directionCharacters, '').trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

export const maxUrlLength = 2000

/** One rule with its first element, and the number of elements to fix. */
export function formatRule({ first, issues, pageCount }: RuleGroup, { style, texts }: FormatContext): string[] {
  const { issue, url } = first
  const { title, fixes, isOwn } = describeRule(issue, texts)
  const fixLines = isOwn ? fixes.map((fix) => `Fix: ${fix}`) : fixes
  return [
    `${style(issue.severity, issue.severity)}: ${style('strong', toLine(title))} [${toLine(issue.rule)}]`,
    `  ${pluralize(issues.length, 'element')} on ${pluralize(pageCount, 'page')}, for example on ${style('link', toLine(url, maxUrlLength))}`,
    `    ${toLine(formatSelector(issue.target), maxUrlLength)}`,
    ...(issue.states.length > 0 ? [`    seen in: ${toLine(issue.states.join(', '))}`] : []),
    `    ${toLine(issue.html)}`,
    ...fixLines.map((line) => `  ${toLine(line, maxUrlLength)}`),
    // PDF rules are explained in the web application only.
    ...(/^https?:/.test(issue.helpUrl) ? [`  ${style('link', toLine(issue.helpUrl, maxUrlLength))}`] : []),
    '',
  ]
}

/** A page that failed, or with limits of its result. */
function formatPage(page: ReportPage): string[] {
  const url = toLine(page.url, maxUrlLength)
  if (page.failure)
    return [
      `${page.status.toUpperCase()}  ${url}`,
      `  ${toLine(`${page.failure.reason}: ${page.failure.detail}`, maxUrlLength)}`,
      '',
    ]
  const notices = listNotices(page)
  if (notices.length === 0) return []
  const healthText = page.health ?? (hasWall(page.notices) ? 'not seen' : null)
  return [
    url + (healthText === null ? '' : `  (${healthText})`),
    ...notices.map((notice) => `  note: ${toLine(notice, maxUrlLength)}`),
    '',
  ]
}

/** Number of pages in the score, if others are missing from it. */
function describeSeenPages(report: Report): string {
  const { walled } = report.totals
  const scoredCount = countScoredPages(report)
  return walled > 0 ? `, for ${scoredCount} of ${scoredCount + walled} pages` : ''
}

export const describeScore = ({ score }: Report): string =>
  `Score ${score === null ? 'unknown' : `${Math.floor(score * 100)} of 100`}`

/** Number of URLs that the page limit left out, if there are any. */
const describeLimit = ({ totals }: Report): string =>
  totals.overLimit > 0 ? ` Limit reached: ${pluralize(totals.overLimit, 'known URL')} not tested.` : ''

const maxListedForms = 5

/** The most frequent forms of the URLs that the page limit left out. */
function formatLeftOut({ leftOut }: Report): string[] {
  if (leftOut.length === 0) return []
  const lines = leftOut.slice(0, maxListedForms).map(({ pattern, urls }) => `  ${urls} × ${toLine(pattern, maxUrlLength)}`)
  const furtherCount = leftOut.length - maxListedForms
  return ['Beyond the page limit:', ...lines, ...(furtherCount > 0 ? ['  and other forms of URLs'] : [])]
}

/** Number of driven pages, if there are any. */
const describeDriven = ({ totals }: Report): string => {
  if (totals.driven + totals.drivenInPart === 0) return ''
  const partText = totals.drivenInPart > 0 ? `, ${totals.drivenInPart} in part` : ''
  return ` ${pluralize(totals.driven, 'page')} driven${partText}.`
}

/** The score with its limits, and the number of pages. */
export const describeResult = (report: Report): string =>
  `${describeSeenPages(report)}: ${pluralize(report.totals.completed, 'page')} checked, ${report.totals.failed} failed, ${report.totals.excluded} excluded.${describeLimit(report)}${describeDriven(report)}`

const tableWidths = [14, 7, 10, 7]

/** Table of the numbers of rules, elements and pages by severity. */
function formatTable(groups: readonly RuleGroup[], style: Style): string[] {
  const counts = countBySeverity(groups)
  if (counts.length === 0) return []
  const formatRow = ([name, ...numbers]: readonly string[]): string =>
    [name!.padEnd(tableWidths[0]!), ...numbers.map((text, index) => text.padStart(tableWidths[index + 1]!))].join('')
  return [
    style('weak', formatRow(['', 'rules', 'elements', 'pages'])),
    ...counts.map(({ severity, rules, elements, pages }) => {
      const row = formatRow([severity, ...[rules, elements, pages].map(String)])
      return style(severity, severity) + row.slice(severity.length)
    }),
    '',
  ]
}

/** Number of issues by severity, and the pages without an answer. */
export function describeIssues({ totals }: Report, groups: readonly RuleGroup[]): string {
  const counts = countBySeverity(groups).map(({ severity, elements }) => `${elements} ${severity}`)
  const unseen = totals.walled > 0 ? `, without those of ${pluralize(totals.walled, 'page')} whose content was not seen` : ''
  return `${pluralize(totals.issues, 'issue')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}${unseen}.`
}

/** Formats a report for reading: what to fix by rule, then the limits of the result, then a summary. */
export function formatText(report: Report, context: FormatContext): string {
  const groups = groupByRule(report.pages)
  const uncheckedLines = report.unchecked.map(
    ({ target, reason, detail }) => `NOT CHECKED  ${target}: ${reason}${detail ? ` (${detail})` : ''}`,
  )
  return [
    ...groups.flatMap((group) => formatRule(group, context)),
    ...report.pages.flatMap(formatPage),
    ...uncheckedLines.map((line) => toLine(line, maxUrlLength)),
    ...formatTable(groups, context.style),
    context.style('strong', describeScore(report)) + describeResult(report),
    describeIssues(report, groups),
    ...formatLeftOut(report),
    '',
  ].join('\n')
}

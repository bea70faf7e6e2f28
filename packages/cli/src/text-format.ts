import { toErrorPoints, toScorePoints } from '@clearway/contract/kit/score.ts'
import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import type { FormatContext, Style } from './format-context.ts'
import { fillLabel, formatCount, type ReportLabels } from './label/model.ts'
import { listNotices, removeControlCharacters } from './notice.ts'
import { countScoredPages } from './report.ts'
import { countBySeverity, groupByRule, type RuleGroup } from './rule-group.ts'
import { describeRule } from './rule-text.ts'
import type { Report, ReportPage } from './schema.ts'

const maxSnippetLength = 160

/** Text of a page on one line, without control characters, cut at the maximum. */
export function toLine(text: string, maxLength = maxSnippetLength): string {
  const line = removeControlCharacters(text.replaceAll(/\s+/g, ' ')).trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

export const maxUrlLength = 2000

/** One rule with its first element, and the number of elements to fix. */
export function formatRule({ first, issues, pageCount }: RuleGroup, { style, texts }: FormatContext): string[] {
  const { issue, url } = first
  const { labels } = texts
  const { title, fixes, isOwn } = describeRule(issue, texts)
  const fixLines = isOwn ? fixes.map((fix) => `${labels.fix} ${fix}`) : fixes
  const where = fillLabel(labels.firstUrl, {
    elements: formatCount(labels, labels.elements, issues.length),
    pages: formatCount(labels, labels.pages, pageCount),
    url: style('link', toLine(url, maxUrlLength)),
  })
  return [
    `${style(issue.severity, labels.severities[issue.severity])}: ${style('strong', toLine(title))} [${toLine(issue.rule)}]`,
    `  ${where}`,
    `    ${toLine(formatSelector(issue.target), maxUrlLength)}`,
    ...(issue.states.length > 0 ? [`    ${fillLabel(labels.seenIn, { states: toLine(issue.states.join(', ')) })}`] : []),
    `    ${toLine(issue.html)}`,
    ...fixLines.map((line) => `  ${toLine(line, maxUrlLength)}`),
    // PDF rules are explained in the web application only.
    ...(/^https?:/.test(issue.helpUrl) ? [`  ${style('link', toLine(issue.helpUrl, maxUrlLength))}`] : []),
    '',
  ]
}

/** A page that failed, or with limits of its result. */
function formatPage(page: ReportPage, labels: ReportLabels): string[] {
  const url = toLine(page.url, maxUrlLength)
  if (page.failure)
    return [
      `${page.status.toUpperCase()}  ${url}`,
      `  ${toLine(`${page.failure.reason}: ${page.failure.detail}`, maxUrlLength)}`,
      '',
    ]
  const notices = listNotices(page, labels)
  if (notices.length === 0) return []
  const healthText = page.health ?? (hasWall(page.notices) ? labels.notSeen : null)
  return [
    url + (healthText === null ? '' : `  (${healthText})`),
    ...notices.map((text) => `  ${fillLabel(labels.note, { text: toLine(text, maxUrlLength) })}`),
    '',
  ]
}

/** Number of pages in the score, if others are missing from it. */
function describeSeenPages(report: Report, labels: ReportLabels): string {
  const { walled } = report.totals
  const scoredCount = countScoredPages(report)
  return walled > 0 ? fillLabel(labels.scoredPages, { scored: scoredCount, all: scoredCount + walled }) : ''
}

export function describeScore({ score, sample }: Report, labels: ReportLabels): string {
  if (score === null) return labels.unknownScore
  const error = sample === null ? '' : ` ± ${toErrorPoints(sample)}`
  return fillLabel(labels.score, { score: `${toScorePoints(score)}${error}` })
}

/** Number of URLs that the page limit left out, if there are any. */
const describeLimit = ({ totals }: Report, labels: ReportLabels): string[] =>
  totals.overLimit > 0 ? [fillLabel(labels.limit, { urls: formatCount(labels, labels.knownUrls, totals.overLimit) })] : []

const maxListedForms = 5

/** The most frequent forms of the URLs that the page limit left out. */
function formatLeftOut({ leftOut }: Report, labels: ReportLabels): string[] {
  if (leftOut.length === 0) return []
  const lines = leftOut.slice(0, maxListedForms).map(({ pattern, urls }) => `  ${urls} × ${toLine(pattern, maxUrlLength)}`)
  const furtherCount = leftOut.length - maxListedForms
  return [labels.beyondLimit, ...lines, ...(furtherCount > 0 ? [`  ${labels.otherForms}`] : [])]
}

/** Number of driven pages, if there are any. */
function describeDriven({ totals: { driven, drivenInPart } }: Report, labels: ReportLabels): string[] {
  if (driven + drivenInPart === 0) return []
  const values = { pages: formatCount(labels, labels.pages, driven), part: drivenInPart }
  return [fillLabel(drivenInPart > 0 ? labels.drivenInPart : labels.driven, values)]
}

/** The score with its limits, and the number of pages. */
export function describeResult(report: Report, labels: ReportLabels): string {
  const { completed, failed, excluded } = report.totals
  const result = fillLabel(labels.result, { pages: formatCount(labels, labels.pages, completed), failed, excluded })
  return [describeSeenPages(report, labels) + result, ...describeLimit(report, labels), ...describeDriven(report, labels)].join(
    ' ',
  )
}

const tableWidths = [14, 7, 10, 8]

/** Table of the numbers of rules, elements and pages by severity. */
function formatTable(groups: readonly RuleGroup[], style: Style, labels: ReportLabels): string[] {
  const counts = countBySeverity(groups)
  if (counts.length === 0) return []
  const formatRow = ([name, ...numbers]: readonly string[]): string =>
    [name!.padEnd(tableWidths[0]!), ...numbers.map((text, index) => text.padStart(tableWidths[index + 1]!))].join('')
  return [
    style('weak', formatRow(['', labels.headings.rules, labels.headings.elements, labels.headings.pageCount])),
    ...counts.map(({ severity, rules, elements, pages }) => {
      const name = labels.severities[severity]
      const row = formatRow([name, ...[rules, elements, pages].map(String)])
      return style(severity, name) + row.slice(name.length)
    }),
    '',
  ]
}

/** Number of issues by severity, and the pages without an answer. */
export function describeIssues({ totals }: Report, groups: readonly RuleGroup[], labels: ReportLabels): string {
  const counts = countBySeverity(groups).map(({ severity, elements }) => `${elements} ${labels.severities[severity]}`)
  const unseen = totals.walled > 0 ? fillLabel(labels.unseen, { pages: formatCount(labels, labels.pages, totals.walled) }) : ''
  const issues = formatCount(labels, labels.issues, totals.issues)
  return `${counts.length > 0 ? fillLabel(labels.issueCounts, { issues, counts: counts.join(', ') }) : issues}${unseen}.`
}

/** Formats a report for reading: what to fix by rule, then the limits of the result, then a summary. */
export function formatText(report: Report, context: FormatContext): string {
  const { labels } = context.texts
  const groups = groupByRule(report.pages)
  const uncheckedLines = report.unchecked.map(
    ({ target, reason, detail }) => `${labels.notChecked.toUpperCase()}  ${target}: ${reason}${detail ? ` (${detail})` : ''}`,
  )
  return [
    ...groups.flatMap((group) => formatRule(group, context)),
    ...report.pages.flatMap((page) => formatPage(page, labels)),
    ...uncheckedLines.map((line) => toLine(line, maxUrlLength)),
    ...formatTable(groups, context.style, labels),
    context.style('strong', describeScore(report, labels)) + describeResult(report, labels),
    describeIssues(report, groups, labels),
    ...formatLeftOut(report, labels),
    '',
  ].join('\n')
}

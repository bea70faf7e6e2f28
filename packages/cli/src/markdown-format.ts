import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import type { FormatContext } from './format-context.ts'
import { fillLabel, formatCount } from './label/model.ts'
import { removeControlCharacters } from './notice.ts'
import { groupByRule, type RuleGroup } from './rule-group.ts'
import { describeRule } from './rule-text.ts'
import type { Report } from './schema.ts'
import { describeIssues, describeResult, describeScore } from './text-format.ts'

const maxCodeLength = 300
/** Characters of a whole text: comments and summaries of build systems are refused when longer. */
const maxTextLength = 60_000

/** Text of a page as code, in which nothing mentions people, closes issues or ends the table. */
function toCode(text: string): string {
  const line = removeControlCharacters(text).replaceAll(/\s+/g, ' ').trim().slice(0, maxCodeLength).toWellFormed()
  if (line === '') return ''
  const maxRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(maxRun + 1)
  return `${fence} ${line.replaceAll('|', '\\|')} ${fence}`
}

/** The product's own text, in which names of elements are no markup. */
const toPlain = (text: string): string =>
  text.replaceAll(/[&<>|\\`*_[\]@#~]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll(/\s+/g, ' ')

/** Link to the explanation of a rule, if the URL can be written as it is. */
const toLink = (text: string, url: string): string => (/^https:\/\/[\w./?=&%-]+$/.test(url) ? `[${text}](${url})` : text)

function formatRow({ first, issues, pageCount, severity }: RuleGroup, { texts }: FormatContext): string {
  const { labels } = texts
  const { title, fixes, isOwn } = describeRule(first.issue, texts)
  const [titleText, fixText] = isOwn
    ? [toPlain(title), toPlain(fixes.join(' '))]
    : [toCode(title), fixes.map(toCode).join('<br>')]
  const { states } = first.issue
  const seenIn = states.length > 0 ? `<br>${fillLabel(labels.seenIn, { states: toCode(states.join(', ')) })}` : ''
  return [
    labels.severities[severity],
    `${toLink(titleText, first.issue.helpUrl)} ${toCode(first.issue.rule)}<br>${fixText}`,
    fillLabel(labels.where, {
      elements: formatCount(labels, labels.elements, issues.length),
      pages: formatCount(labels, labels.pages, pageCount),
    }),
    `${toCode(first.url)}<br>${toCode(formatSelector(first.issue.target))}${seenIn}`,
  ].join(' | ')
}

/** Lines up to the maximum length, then the number of missing ones. */
function cutLines(lines: readonly string[], maxLength: number, describeRest: (count: number) => string): string[] {
  let length = 0
  const shownCount = lines.findIndex((line) => (length += line.length + 1) > maxLength)
  return shownCount < 0 ? [...lines] : [...lines.slice(0, shownCount), '', describeRest(lines.length - shownCount)]
}

/** Formats a report for comments and summaries of build systems. */
export function formatMarkdown(report: Report, context: FormatContext): string {
  const { labels } = context.texts
  const { headings } = labels
  const groups = groupByRule(report.pages)
  const rows = groups.map((group) => `| ${formatRow(group, context)} |`)
  const table = [
    `| ${[headings.impact, headings.issue, headings.where, headings.firstElement].join(' | ')} |`,
    '| --- | --- | --- | --- |',
  ]
  // A page that was named and failed is in both lists.
  const unchecked = [
    ...report.unchecked,
    ...report.pages.flatMap(({ url, failure }) => (failure ? [{ target: url, ...failure }] : [])),
  ].map(({ target, reason }) => `- ${toCode(target)}: ${toCode(reason)}`)
  const uncheckedLines = [...new Set(unchecked)]
  const summary =
    context.summary ??
    `**${describeScore(report, labels)}**${describeResult(report, labels)} ${describeIssues(report, groups, labels)}`
  return [
    `## ${labels.accessibility}`,
    '',
    summary,
    '',
    ...(rows.length > 0
      ? [...table, ...cutLines(rows, maxTextLength * 0.8, (count) => formatCount(labels, labels.moreRules, count)), '']
      : []),
    ...(uncheckedLines.length > 0
      ? [
          labels.notCheckedList,
          '',
          ...cutLines(uncheckedLines, maxTextLength * 0.15, (count) => fillLabel(labels.more, { count })),
          '',
        ]
      : []),
  ].join('\n')
}

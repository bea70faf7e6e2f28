import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import type { GateFormat } from './arguments.ts'
import type { GateIssueReport, GateReport } from './gate.ts'
import { buildAdvice, removeControlCharacters } from './notice.ts'

const pluralize = (count: number, one: string, other = `${one}s`): string => `${count} ${count === 1 ? one : other}`

/** Issues of one rule, with the number of elements and of pages. */
function groupByRule(issues: readonly GateIssueReport[]) {
  return [...Map.groupBy(issues, ({ rule }) => rule).values()].map((ruleIssues) => ({
    first: ruleIssues[0]!,
    issues: ruleIssues,
    pageCount: new Set(ruleIssues.map(({ url }) => url)).size,
  }))
}

const summarize = ({ totals: { new: newCount, known, fixed, notChecked, pages } }: GateReport): string =>
  `${pluralize(newCount, 'new issue')}, ${known} known, ${fixed} fixed, ${notChecked} not checked, on ${pluralize(pages, 'page')}.`

const maxListed = 5

function formatText(report: GateReport): string {
  const newLines = groupByRule(report.newIssues).flatMap(({ first, issues, pageCount }) => [
    `NEW  ${first.severity}: ${first.help} [${first.rule}], ${pluralize(issues.length, 'element')} on ${pluralize(pageCount, 'page')}`,
    ...issues.slice(0, maxListed).flatMap((issue) => [`  ${issue.url}`, `    ${formatSelector(issue.target)}`]),
    ...(issues.length > maxListed ? [`  and ${issues.length - maxListed} more`] : []),
    ...buildAdvice(first).map((line) => `  ${line}`),
    `  ${first.helpUrl}`,
    '',
  ])
  const otherLines = groupByRule(report.otherNewIssues).map(
    ({ first, issues }) =>
      `new, does not fail: ${first.severity}: ${first.help} [${first.rule}], ${pluralize(issues.length, 'element')}`,
  )
  const uncheckedLines = report.unchecked.map(({ target, reason, detail }) => `NOT CHECKED  ${target}: ${reason} (${detail})`)
  return [...newLines, ...otherLines, ...uncheckedLines, summarize(report), ''].map(removeControlCharacters).join('\n')
}

/** Text of a page as code, in which nothing mentions people, closes issues or ends the table. */
function toCode(text: string): string {
  const line = removeControlCharacters(text).replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  const maxRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(maxRun + 1)
  return `${fence} ${line.replaceAll('|', '\\|')} ${fence}`
}

function formatMarkdown(report: GateReport): string {
  const rows = groupByRule(report.newIssues).map(({ first, issues, pageCount }) =>
    [
      first.severity,
      toCode(first.rule),
      toCode(first.help),
      `${pluralize(issues.length, 'element')} on ${pluralize(pageCount, 'page')}`,
      `${toCode(first.url)} ${toCode(formatSelector(first.target))}`,
    ].join(' | '),
  )
  const table = ['Impact | Rule | Issue | Where | First element', '--- | --- | --- | --- | ---', ...rows].map(
    (row) => `| ${row} |`,
  )
  const unchecked = report.unchecked.map(({ target, reason }) => `- ${toCode(target)}: ${toCode(reason)}`)
  return [
    '## Accessibility',
    '',
    summarize(report),
    '',
    ...(rows.length > 0 ? [...table, ''] : []),
    ...(unchecked.length > 0 ? ['Not checked:', '', ...unchecked, ''] : []),
  ].join('\n')
}

export const gateFormatters: Record<GateFormat, (report: GateReport) => string> = {
  text: formatText,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  markdown: formatMarkdown,
}

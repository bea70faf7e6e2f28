import { formatReport } from './format.ts'
import type { FormatContext } from './format-context.ts'
import {
  filterFailingIssues,
  type GateComparison,
  type GateIssueReport,
  type GateReport,
  getIssueKeys,
  getIssueStates,
  listUncheckedIssues,
  toSiteUrl,
} from './gate.ts'
import { fillLabel, formatCount, type ReportLabels } from './label/model.ts'
import type { ReportFormat } from './options.ts'
import { groupByRule } from './rule-group.ts'
import type { RuleTexts } from './rule-text.ts'
import type { ScanArguments } from './arguments.ts'
import type { CollectedPage } from './report.ts'
import type { Report } from './schema.ts'
import { formatRule, maxUrlLength, toLine } from './text-format.ts'

const summarize = (
  { totals: { new: newCount, axeChanged, known, fixed, notChecked, pages } }: GateReport,
  labels: ReportLabels,
): string =>
  fillLabel(labels.gate, {
    new: formatCount(labels, labels.newIssues, newCount),
    axe: axeChanged > 0 ? fillLabel(labels.axeChanged, { count: axeChanged }) : '',
    known,
    fixed,
    unchecked: notChecked,
    pages: formatCount(labels, labels.pages, pages),
  })

const maxListed = 5

const listByRule = (label: string, issues: readonly GateIssueReport[], { labels }: RuleTexts): string[] =>
  [...Map.groupBy(issues, ({ rule }) => rule).values()].map(
    ([first, ...otherIssues]) =>
      `${label}: ${labels.severities[first!.severity]}: ${first!.help} [${first!.rule}], ${formatCount(labels, labels.elements, otherIssues.length + 1)}`,
  )

/** The new issues by rule, then those that do not fail the gate, and what was not checked. */
function formatText(gateReport: GateReport, failingReport: Report, context: FormatContext): string {
  const { labels } = context.texts
  const newLines = groupByRule(failingReport.pages).flatMap((group) => {
    const otherPages = group.issues.slice(1, maxListed).map(({ url }) => fillLabel(labels.alsoOn, { url }))
    const lines = formatRule(group, context)
    return [
      `${labels.newMark}  ${lines[0]!}`,
      ...lines.slice(1, -1),
      ...new Set(otherPages.map((line) => `  ${toLine(line, maxUrlLength)}`)),
      '',
    ]
  })
  const otherLines = [
    ...listByRule(labels.passingNew, gateReport.otherNewIssues, context.texts),
    ...listByRule(fillLabel(labels.axeOnly, { version: gateReport.baselineAxe }), gateReport.axeChangedIssues, context.texts),
  ]
  const uncheckedLines = gateReport.unchecked.map(
    ({ target, reason, detail }) => `${labels.notChecked.toUpperCase()}  ${target}: ${reason} (${detail})`,
  )
  return [
    ...newLines,
    ...[...otherLines, ...uncheckedLines].map((line) => toLine(line, maxUrlLength)),
    context.style('strong', summarize(gateReport, labels)),
    '',
  ].join('\n')
}

/** Result of a gate, with the scan behind it. */
export type GateResult = {
  scanArguments: ScanArguments
  scanned: { report: Report; visits: readonly CollectedPage[] }
  comparison: GateComparison
  gateReport: GateReport
}

/**
 * Formats the result of a gate. SARIF and the reports of GitLab contain all issues, because systems compare them with other
 * branches; the other formats contain those that fail.
 */
export function formatGate(format: ReportFormat, result: GateResult, context: FormatContext): string {
  const { scanArguments, scanned, comparison, gateReport } = result
  if (format === 'json') return `${JSON.stringify(gateReport, null, 2)}\n`
  const states = getIssueStates(scanned, comparison)
  if (format === 'sarif') return formatReport(format, scanned.report, { ...context, states })
  if (format === 'gitlab-accessibility' || format === 'gitlab-codequality')
    return formatReport(format, scanned.report, {
      ...context,
      keys: getIssueKeys(scanned, comparison),
      toSiteUrl: (url) => toSiteUrl(scanArguments, url),
      uncheckedIssues: listUncheckedIssues(scanArguments, comparison),
    })
  const failingReport = filterFailingIssues(scanArguments, scanned.report, states)
  if (format === 'text') return formatText(gateReport, failingReport, context)
  return formatReport(format, failingReport, { ...context, summary: summarize(gateReport, context.texts.labels) })
}

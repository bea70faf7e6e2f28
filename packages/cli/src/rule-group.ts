import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ReportIssue, ReportPage } from './schema.ts'

export type PageIssue = { url: string; issue: ReportIssue }

/** Issues of one rule with the same severity. */
export type RuleGroup = { rule: string; severity: Severity; first: PageIssue; issues: readonly PageIssue[]; pageCount: number }

/** Groups issues by severity and rule: most severe first, then by the number of elements. */
export function groupByRule(pages: readonly Pick<ReportPage, 'url' | 'issues'>[]): RuleGroup[] {
  const issues = pages.flatMap(({ url, issues: pageIssues }) => pageIssues.map((issue): PageIssue => ({ url, issue })))
  return [...Map.groupBy(issues, ({ issue }) => `${issue.severity} ${issue.rule}`).values()]
    .map((groupIssues): RuleGroup => {
      const first = groupIssues[0]!
      const { rule, severity } = first.issue
      return { rule, severity, first, issues: groupIssues, pageCount: new Set(groupIssues.map(({ url }) => url)).size }
    })
    .sort(
      (left, right) =>
        Severity.options.indexOf(left.severity) - Severity.options.indexOf(right.severity) ||
        right.issues.length - left.issues.length,
    )
}

/** Numbers of rules, elements and pages with issues, by severity. */
export type SeverityCounts = { severity: Severity; rules: number; elements: number; pages: number }

/** Counts issues by severity, without the severities that have none. */
export const countBySeverity = (groups: readonly RuleGroup[]): SeverityCounts[] =>
  Severity.options.flatMap((severity) => {
    const severityGroups = groups.filter((group) => group.severity === severity)
    if (severityGroups.length === 0) return []
    const issues = severityGroups.flatMap((group) => group.issues)
    return [
      { severity, rules: severityGroups.length, elements: issues.length, pages: new Set(issues.map(({ url }) => url)).size },
    ]
  })

import { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ScanArguments } from './arguments.ts'
import type { Report } from './schema.ts'

/** Returns a sentence for each missed threshold. Results that need review never fail a build. */
export function findMissedThresholds(report: Report, { failOn, minScore }: Pick<ScanArguments, 'failOn' | 'minScore'>): string[] {
  const missedThresholds: string[] = []
  if (failOn) {
    const countedSeverities = new Set<string>(Impact.options.slice(0, Impact.options.indexOf(failOn) + 1))
    const issueCount = report.pages.reduce(
      (total, page) => total + page.issues.filter((issue) => countedSeverities.has(issue.severity)).length,
      0,
    )
    if (issueCount > 0) missedThresholds.push(`Threshold missed: ${issueCount} issues are ${failOn} or worse.`)
  }
  if (minScore !== null && (report.score ?? 0) < minScore)
    missedThresholds.push(`Threshold missed: the score is ${report.score ?? 'unknown'}, below ${minScore}.`)
  return missedThresholds
}

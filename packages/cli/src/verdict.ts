import { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ScanArguments } from './arguments.ts'
import type { Report } from './schema.ts'

/** The thresholds that a report misses, one sentence each; none when all is well. Needs review never fails a build. */
export function verdict(
  report: Report,
  { failOn, minScore }: Pick<ScanArguments, 'failOn' | 'minScore'>,
): string[] {
  const missed: string[] = []
  if (failOn) {
    const counted = new Set<string>(Impact.options.slice(0, Impact.options.indexOf(failOn) + 1))
    const issues = report.pages.reduce(
      (n, p) => n + p.issues.filter((i) => counted.has(i.severity)).length,
      0,
    )
    if (issues > 0) missed.push(`Threshold missed: ${issues} issues are ${failOn} or worse.`)
  }
  if (minScore !== null && (report.score ?? 0) < minScore)
    missed.push(`Threshold missed: the score is ${report.score ?? 'unknown'}, below ${minScore}.`)
  return missed
}

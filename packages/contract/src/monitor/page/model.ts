import type { Severity } from '../ruleset/schema.ts'
import type { FailureReason, Health } from './schema.ts'

const healthBySeverity: Partial<Record<Severity, Health>> = { critical: 'critical', serious: 'serious', moderate: 'moderate' }

/** Returns the health of a page: its worst open issue. Minor issues and those that need review count as good. */
export function computeHealth(severities: Iterable<Severity>): Health {
  const severitySet = new Set(severities)
  for (const severity of ['critical', 'serious', 'moderate'] as const)
    if (severitySet.has(severity)) return healthBySeverity[severity]!
  return 'good'
}

/** Contribution of a page to the score, by health. */
export const healthScores: Record<Health, number> = { critical: 0, serious: 0.4, moderate: 0.8, good: 1 }

/** Healths of pages, from the worst to the best. */
export const healths = Object.keys(healthScores) as Health[]

/** Counts pages by their health. Pages without one are left out. */
export const countByHealth = (pageHealths: readonly (Health | null)[]): Record<Health, number> =>
  Object.fromEntries(healths.map((health) => [health, pageHealths.filter((other) => other === health).length])) as Record<
    Health,
    number
  >

/** Rounds a score, or a difference of scores, to the four decimals that are stored; `toScorePoints` makes the points that are shown. */
export const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000

/** Returns the mean score of completed pages, 0–1 with four decimals; null if there are none. */
export function computeScore(pagesByHealth: Readonly<Record<Health, number>>): number | null {
  let pageCount = 0
  let scoreSum = 0
  for (const health of healths) {
    pageCount += pagesByHealth[health]
    scoreSum += pagesByHealth[health] * healthScores[health]
  }
  return pageCount === 0 ? null : roundScore(scoreSum / pageCount)
}

/** Failures of pages that the site did not show to the signed-in user. */
export const lostSessionFailures = ['session-failed', 'authentication'] as const satisfies readonly FailureReason[]
/** Returns true for the outcome of a visit that failed because the site did not show the page to the signed-in user. */
export const isLostSession = (outcome: { kind: string; reason?: string }): boolean =>
  outcome.kind === 'failed' && lostSessionFailures.some((reason) => reason === outcome.reason)

/** Start of `foundOn` of a page that shows a banner alone, and no content; the page that showed it follows. */
export const bannerPrefix = 'banner:'
/** Returns true for a page that shows a banner alone. */
export const isFoundOnBanner = (foundOn: string | null | undefined): boolean => foundOn?.startsWith(bannerPrefix) ?? false

import type { Severity } from '../ruleset/schema.ts'
import type { Health } from './schema.ts'

const worst: Partial<Record<Severity, Health>> = {
  critical: 'critical',
  serious: 'serious',
  moderate: 'moderate',
}

/** Health of a page: its worst open issue. Minor issues, and those that need review, leave it good. */
export function healthOf(severities: Iterable<Severity>): Health {
  const found = new Set(severities)
  for (const s of ['critical', 'serious', 'moderate'] as const) if (found.has(s)) return worst[s]!
  return 'good'
}

/** What a page adds to the score. */
export const healthScore: Record<Health, number> = { critical: 0, serious: 0.4, moderate: 0.8, good: 1 }

/** Mean over completed pages, 0–1 with four decimals; null when there is none. */
export function scoreOf(pagesByHealth: Readonly<Record<Health, number>>): number | null {
  let pages = 0
  let sum = 0
  for (const health of Object.keys(healthScore) as Health[]) {
    pages += pagesByHealth[health]
    sum += pagesByHealth[health] * healthScore[health]
  }
  return pages === 0 ? null : Math.round((sum / pages) * 10_000) / 10_000
}

import type { RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type { RunRow } from '../table.ts'

/** A run as lists show it. `notReached` is what still waits, as far as the page limit allows, and after the end what was left. */
export function summaryOf(row: RunRow) {
  const instant = (date: Date | null) => date?.toISOString() ?? null
  const end = row.ended_at ?? null
  return {
    id: row.id,
    scanId: row.scan_id,
    number: row.number,
    status: row.status,
    partial: row.partial,
    problem: row.problem,
    problemDetail: row.problem_detail,
    queuedAt: row.queued_at.toISOString(),
    startedAt: instant(row.started_at),
    endedAt: instant(end),
    durationMs: end && row.started_at ? Math.max(0, end.getTime() - row.started_at.getTime()) : null,
    score: row.score,
    pages: pageCountsOf(row),
    openIssues: openIssuesOf(row),
  } satisfies Record<keyof RunSummary, unknown>
}

export const pageCountsOf = (row: RunRow) => ({
  found: row.found,
  completed: row.completed,
  failed: row.failed,
  retried: row.retried,
  excluded: row.excluded,
  otherDomainIgnored: row.other_domain,
  notReached: row.not_reached,
  unique: row.unique_pages,
})
export const openIssuesOf = (
  row: Pick<RunRow, 'critical' | 'serious' | 'moderate' | 'minor' | 'needs_review'>,
) => ({
  critical: row.critical,
  serious: row.serious,
  moderate: row.moderate,
  minor: row.minor,
  needsReview: row.needs_review,
})
export const pagesByHealthOf = (row: RunRow) => ({
  critical: row.health_critical,
  serious: row.health_serious,
  moderate: row.health_moderate,
  good: row.health_good,
})

import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { estimateScoreError, type SiteWeights } from '@clearway/contract/monitor/run/sample/model.ts'
import { RunChange, type RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { UnconfirmedChange } from '@clearway/contract/monitor/run/unconfirmed/schema.ts'
import * as z from 'zod/mini'
import { parseStoredOrNull } from '../../../kit/stored.ts'
import { healths } from '../../page/model.ts'
import type { RunRow } from '../table.ts'

/** A run in lists. `notReached` counts waiting URLs up to the page limit, and after the end the unvisited ones. */
export function toRunSummary(runRow: RunRow) {
  const toIsoTime = (date: Date | null) => date?.toISOString() ?? null
  const endedAt = runRow.ended_at ?? null
  return {
    id: runRow.id,
    scanId: runRow.scan_id,
    number: runRow.number,
    status: runRow.status,
    partial: runRow.partial,
    problem: runRow.problem,
    problemDetail: runRow.problem_detail,
    queuedAt: runRow.queued_at.toISOString(),
    startedAt: toIsoTime(runRow.started_at),
    endedAt: toIsoTime(endedAt),
    durationMs: endedAt && runRow.started_at ? Math.max(0, endedAt.getTime() - runRow.started_at.getTime()) : null,
    score: runRow.score,
    sample: estimateScoreError(getPagesByHealth(runRow), toSample(runRow.sample_pages), toWeights(runRow.site_weights)),
    pages: getPageCounts(runRow),
    openIssues: getOpenIssues(runRow),
    ignoredIssues: runRow.ignored,
    unconfirmed: parseStoredOrNull(z.nullable(UnconfirmedChange), runRow.unconfirmed),
  } satisfies Record<keyof RunSummary, unknown>
}

const toCounts = (counts: readonly number[]) =>
  Object.fromEntries(healths.map((health, index) => [health, counts[index] ?? 0])) as Record<Health, number>
const toSample = (counts: readonly number[] | null) => counts && toCounts(counts)
const toWeights = (sums: readonly number[] | null): SiteWeights | null =>
  sums && { byHealth: toCounts(sums), squares: sums[healths.length] ?? 0 }

export const getPageCounts = (runRow: RunRow) => ({
  found: runRow.found,
  completed: runRow.completed,
  walled: runRow.walled,
  proved: runRow.proved,
  unproved: runRow.unproved,
  failed: runRow.failed,
  retried: runRow.retried,
  excluded: runRow.excluded,
  otherDomainIgnored: runRow.other_domain,
  notReached: runRow.not_reached,
  overLimit: runRow.over_limit,
  unique: runRow.unique_pages,
})
export const getOpenIssues = (runRow: Pick<RunRow, 'critical' | 'serious' | 'moderate' | 'minor' | 'needs_review'>) => ({
  critical: runRow.critical,
  serious: runRow.serious,
  moderate: runRow.moderate,
  minor: runRow.minor,
  needsReview: runRow.needs_review,
})
export const getPagesByHealth = (runRow: RunRow) => ({
  critical: runRow.health_critical,
  serious: runRow.health_serious,
  moderate: runRow.health_moderate,
  good: runRow.health_good,
})

export const parseRunChange = (storedChange: unknown) => parseStoredOrNull(z.nullable(RunChange), storedChange)

/** The change of the score of a run, in its two parts. @param storedChange `RunChange` */
export function getScoreChange(storedChange: unknown) {
  const runChange = parseRunChange(storedChange)
  return { scoreChange: runChange?.score ?? null, scoreChangeByDecisions: runChange?.byDecisions.score ?? null }
}

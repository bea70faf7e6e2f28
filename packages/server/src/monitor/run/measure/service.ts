import { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { EngineEvent } from '@clearway/engine/scan-measure.ts'
import { Counter, Histogram } from 'prom-client'
import { registry } from '../../../kit/metrics/registry.ts'
import type { RunEnd } from '../finish/store.ts'

const registers = [registry]

const pages = new Counter({
  name: 'clearway_pages_total',
  help: 'Pages that this process recorded, by what became of them.',
  labelNames: ['outcome'],
  registers,
})
const failures = new Counter({
  name: 'clearway_page_failures_total',
  help: 'Pages that could not be checked, by the reason.',
  labelNames: ['reason'],
  registers,
})
const exclusions = new Counter({
  name: 'clearway_page_exclusions_total',
  help: 'Pages that were visited and excluded, by the reason.',
  labelNames: ['reason'],
  registers,
})
const visits = new Histogram({
  name: 'clearway_page_visit_duration_seconds',
  help: 'Time from the call of a page to its outcome.',
  labelNames: ['outcome'],
  buckets: [0.3, 1, 2, 4, 8, 15, 30, 60, 120, 300],
  registers,
})
const partBuckets = [0.1, 0.2, 0.5, 1, 2, 4, 8, 15, 30, 60]
const parts = {
  settle: new Histogram({
    name: 'clearway_page_settle_duration_seconds',
    help: 'Time until a page came to rest, or was taken as it was.',
    buckets: partBuckets,
    registers,
  }),
  axe: new Histogram({
    name: 'clearway_page_axe_duration_seconds',
    help: 'Time of the analysis by axe-core.',
    buckets: partBuckets,
    registers,
  }),
}
const browserStarts = new Counter({
  name: 'clearway_browser_starts_total',
  help: 'Browsers that were started, also in place of one that had served its time.',
  registers,
})
const browserLosses = new Counter({
  name: 'clearway_browser_losses_total',
  help: 'Browsers that went away under their visits, by the cause.',
  labelNames: ['cause'],
  registers,
})
const ends = new Counter({
  name: 'clearway_runs_ended_total',
  help: 'Runs that this process ended: drained, cancelled, or by which problem.',
  labelNames: ['end'],
  registers,
})

const endOf = (end: RunEnd) => (end.kind === 'problem' ? end.problem : end.kind)

/** All series are there from the start: what was never seen is 0, not unknown. For processes that work on runs. */
export function beginCounting(): void {
  for (const outcome of ['completed', 'failed', 'excluded'] as const) pages.inc({ outcome }, 0)
  for (const reason of FailureReason.options) failures.inc({ reason }, 0)
  for (const reason of ExclusionReason.options) exclusions.inc({ reason }, 0)
  for (const cause of ['memory', 'collateral', 'died'] as const) browserLosses.inc({ cause }, 0)
  for (const end of ['drained', 'cancelled', ...RunProblem.options] as const) ends.inc({ end }, 0)
}

/** Counts a page once it is recorded. */
export function countPage(outcome: PageOutcome): void {
  pages.inc({ outcome: outcome.kind })
  visits.observe({ outcome: outcome.kind }, outcome.durationMs / 1000)
  if (outcome.kind === 'failed') failures.inc({ reason: outcome.reason })
  if (outcome.kind === 'excluded') exclusions.inc({ reason: outcome.reason })
}

export const countRunEnd = (end: RunEnd): void => ends.inc({ end: endOf(end) })

/** Counts what the engine publishes. */
export function countEngine(event: EngineEvent): void {
  switch (event.kind) {
    case 'part':
      return parts[event.part].observe(event.seconds)
    case 'browser-started':
      return browserStarts.inc()
    case 'browser-lost':
      return browserLosses.inc({ cause: event.cause })
    default:
      return event satisfies never
  }
}

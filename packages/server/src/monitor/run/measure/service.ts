import { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { EngineEvent } from '@clearway/engine/engine-event.ts'
import { Counter, Histogram } from 'prom-client'
import { exportMetrics } from '../../../kit/metrics/registry.ts'
import type { RunEnd } from '../finish/store.ts'

const pageCounter = new Counter({
  name: 'clearway_pages_total',
  help: 'Pages recorded by this process, by outcome.',
  labelNames: ['outcome'],
  registers: [],
})
const failureCounter = new Counter({
  name: 'clearway_page_failures_total',
  help: 'Pages that could not be checked, by reason.',
  labelNames: ['reason'],
  registers: [],
})
const exclusionCounter = new Counter({
  name: 'clearway_page_exclusions_total',
  help: 'Pages that were visited and excluded, by reason.',
  labelNames: ['reason'],
  registers: [],
})
const visitDurations = new Histogram({
  name: 'clearway_page_visit_duration_seconds',
  help: 'Time from the request of a page to its outcome.',
  labelNames: ['outcome'],
  buckets: [0.3, 1, 2, 4, 8, 15, 30, 60, 120, 300],
  registers: [],
})
const durationBuckets = [0.1, 0.2, 0.5, 1, 2, 4, 8, 15, 30, 60]
const partDurations = {
  settle: new Histogram({
    name: 'clearway_page_settle_duration_seconds',
    help: 'Time until a page settled, or its timeout.',
    buckets: durationBuckets,
    registers: [],
  }),
  axe: new Histogram({
    name: 'clearway_page_axe_duration_seconds',
    help: 'Time of the analysis by axe-core.',
    buckets: durationBuckets,
    registers: [],
  }),
}
const browserStartCounter = new Counter({
  name: 'clearway_browser_starts_total',
  help: 'Browser starts, including scheduled replacements.',
  registers: [],
})
const browserLossCounter = new Counter({
  name: 'clearway_browser_losses_total',
  help: 'Browsers lost during visits, by cause.',
  labelNames: ['cause'],
  registers: [],
})
const runEndCounter = new Counter({
  name: 'clearway_runs_ended_total',
  help: 'Runs ended by this process: drained, cancelled, or the problem.',
  labelNames: ['end'],
  registers: [],
})

const getEndLabel = (end: RunEnd) => (end.kind === 'problem' ? end.problem : end.kind)

/** Exports the metrics of runs, all series from 0, so that unseen values are not unknown. For processes that work on runs. */
export function exportRunMetrics(): void {
  exportMetrics([pageCounter, failureCounter, exclusionCounter, visitDurations, ...Object.values(partDurations)])
  exportMetrics([browserStartCounter, browserLossCounter, runEndCounter])
  for (const outcome of ['completed', 'failed', 'excluded'] as const) pageCounter.inc({ outcome }, 0)
  for (const reason of FailureReason.options) failureCounter.inc({ reason }, 0)
  for (const reason of ExclusionReason.options) exclusionCounter.inc({ reason }, 0)
  for (const cause of ['memory', 'collateral', 'died'] as const) browserLossCounter.inc({ cause }, 0)
  for (const endLabel of ['drained', 'cancelled', ...RunProblem.options] as const) runEndCounter.inc({ end: endLabel }, 0)
}

export function countPage(outcome: PageOutcome): void {
  pageCounter.inc({ outcome: outcome.kind })
  visitDurations.observe({ outcome: outcome.kind }, outcome.durationMs / 1000)
  if (outcome.kind === 'failed') failureCounter.inc({ reason: outcome.reason })
  if (outcome.kind === 'excluded') exclusionCounter.inc({ reason: outcome.reason })
}

export const countRunEnd = (end: RunEnd): void => runEndCounter.inc({ end: getEndLabel(end) })

export function countEngineEvent(event: EngineEvent): void {
  switch (event.kind) {
    case 'part':
      return partDurations[event.part].observe(event.seconds)
    case 'browser-started':
      return browserStartCounter.inc()
    // Logged only.
    case 'browser-closed':
      return undefined
    case 'browser-lost':
      return browserLossCounter.inc({ cause: event.cause })
    default:
      return event satisfies never
  }
}

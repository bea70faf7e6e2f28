import { buildPreviousEntries, createStartEntries } from './crawl/scope/discover.ts'
import { processRun } from './crawl/process-run.ts'
import type { ScanEnd } from './outcome.ts'
import { openScanContext, type ScanDeps } from './scan-open.ts'
import { findPlanProblem } from './settings-check.ts'
import type { ScanPlan } from './settings.ts'

/**
 * Processes a run until its frontier is drained or stopped, or `signal` aborts. On abort, claims in progress are released without
 * counting an attempt. Several processes may call it for the same run; each determines `problem` from its own pages.
 */
export async function scan(scanDeps: ScanDeps, plan: ScanPlan, signal: AbortSignal): Promise<ScanEnd> {
  const planProblem = findPlanProblem(plan)
  if (planProblem !== null) return { kind: 'problem', problem: 'invalid-settings', detail: planProblem }
  const openedScan = await openScanContext(scanDeps, plan)
  if (openedScan.kind === 'problem') {
    const { kind, problem, detail } = openedScan
    return { kind, problem, detail }
  }
  const { context: scanContext, close: closeScan } = openedScan
  try {
    const startUrlEntries = await createStartEntries(scanContext.discover, plan.urls)
    const previousPages =
      scanContext.discover.order === 'representative' ? await scanDeps.frontier.listPreviousPages?.() : undefined
    const previousEntries = await buildPreviousEntries(scanContext.discover, previousPages ?? [])
    await scanDeps.frontier.seed([...startUrlEntries, ...previousEntries])
    return await processRun(scanContext, startUrlEntries, signal)
  } finally {
    await closeScan()
  }
}

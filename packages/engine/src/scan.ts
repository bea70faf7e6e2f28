import { startEntries } from './crawl/scope/discover.ts'
import { work } from './crawl/work.ts'
import type { ScanEnd } from './outcome.ts'
import { openScanContext, type ScanDeps } from './scan-open.ts'
import { problemOf } from './settings-check.ts'
import type { ScanPlan } from './settings.ts'

/**
 * Works on one run until its frontier is drained or stopped, or `signal` aborts (claims in work are then released
 * without blame). Several processes may call it on the same run at once; each judges `problem` by what it saw itself.
 */
export async function scan(deps: ScanDeps, plan: ScanPlan, signal: AbortSignal): Promise<ScanEnd> {
  const wrong = problemOf(plan)
  if (wrong !== null) return { kind: 'problem', problem: 'invalid-settings', detail: wrong }
  const opened = await openScanContext(deps, plan)
  if (opened.kind === 'problem') return opened
  const { context, close } = opened
  try {
    const starts = await startEntries(context.discover, plan.urls)
    await deps.frontier.seed(starts)
    return await work(context, starts, signal)
  } finally {
    await close()
  }
}

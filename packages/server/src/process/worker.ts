import { openKeystore } from '../monitor/session/jobs.ts'
import { measureEngine } from '../monitor/run/measure/jobs.ts'
import { startWorker } from '../monitor/run/worker/jobs.ts'
import type { WorkerDeps } from '../monitor/run/worker/service.ts'

/** The worker role: runs, re-checks and previews. This is the only way to the engine, taken by processes with that role. */
export async function startWorkerRole(deps: WorkerDeps): Promise<{ stop: () => Promise<void> }> {
  const endMeasuring = measureEngine()
  const worker = await startWorker({ ...deps, openKeystore })
  const stop = () => worker.stop().finally(endMeasuring)
  return { stop }
}

import { openKeystore } from '../monitor/session/jobs.ts'
import { measureEngine } from '../monitor/run/measure/jobs.ts'
import { startWorker } from '../monitor/run/worker/jobs.ts'
import type { WorkerDeps } from '../monitor/run/worker/service.ts'

/** The worker role: runs, re-checks and previews. Only processes with this role load the engine. */
export async function startWorkerRole(deps: WorkerDeps): Promise<{ stop: () => Promise<void> }> {
  const stopMeasuring = measureEngine()
  const runningWorker = await startWorker({ ...deps, openKeystore })
  const stopWorker = () => runningWorker.stop().finally(stopMeasuring)
  return { stop: stopWorker }
}

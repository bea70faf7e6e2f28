import { onEngineEvent } from '@clearway/engine/scan-measure.ts'
import { beginCounting, countEngine } from './service.ts'

/** Counts what the engine of this process does, from now on; answers how to end that. */
export function measureEngine(): () => void {
  beginCounting()
  return onEngineEvent(countEngine)
}

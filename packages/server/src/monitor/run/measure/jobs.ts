import { onEngineEvent } from '@clearway/engine/scan-measure.ts'
import { initializeCounters, countEngineEvent } from './service.ts'

/** Starts to count engine events of this process; returns a stop function. */
export function measureEngine(): () => void {
  initializeCounters()
  return onEngineEvent(countEngineEvent)
}

import { onEngineEvent } from '@clearway/engine/engine-event.ts'
import { countEngineEvent, exportRunMetrics } from './service.ts'

/** Starts to count engine events of this process; returns a stop function. */
export function measureEngine(): () => void {
  exportRunMetrics()
  return onEngineEvent(countEngineEvent)
}

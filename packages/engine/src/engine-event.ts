import { channel } from 'node:diagnostics_channel'
import type { LostCause } from './browser/instance.ts'

/** Parts of a visit that are timed. */
export type VisitPart = 'settle' | 'axe'

/** `idle`: without a run for a while. `visits`, `memory`: replaced after many visits, or for its memory. `unusable`: it opened no pages. */
export type ClosedCause = 'idle' | 'visits' | 'memory' | 'unusable' | 'run-ended'

/** Metrics events that the engine publishes for collectors. */
export type EngineEvent =
  | { kind: 'part'; part: VisitPart; seconds: number }
  | { kind: 'browser-started' }
  /** A browser was closed as planned. */
  | { kind: 'browser-closed'; cause: ClosedCause }
  /** A browser died under its visits. Planned replacements are not counted. */
  | { kind: 'browser-lost'; cause: LostCause }

const engineChannel = channel('clearway:engine')

/** Free when there are no subscribers. */
export const publishEngineEvent = (engineEvent: EngineEvent): void => engineChannel.publish(engineEvent)

/** Runs a part of a visit and publishes its duration. */
export async function measureVisitPart<T>(part: VisitPart, runPart: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await runPart()
  } finally {
    publishEngineEvent({ kind: 'part', part, seconds: (performance.now() - startedAt) / 1000 })
  }
}

/** Subscribes to the events of this process. Returns an unsubscribe function. */
export function onEngineEvent(listener: (event: EngineEvent) => void): () => void {
  const handleMessage = (message: unknown) => listener(message as EngineEvent)
  engineChannel.subscribe(handleMessage)
  return () => {
    engineChannel.unsubscribe(handleMessage)
  }
}

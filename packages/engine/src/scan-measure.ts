import { channel } from 'node:diagnostics_channel'
import type { LostCause } from './browser/instance.ts'

/** Parts of a visit whose time is measured. */
export type VisitPart = 'settle' | 'axe'

/** What the engine publishes of its work while it works, for whoever counts. */
export type EngineEvent =
  | { kind: 'part'; part: VisitPart; seconds: number }
  | { kind: 'browser-started' }
  /** A browser went away under its visits; not one that was replaced in order. */
  | { kind: 'browser-lost'; cause: LostCause }

const events = channel('clearway:engine')

/** Costs nothing while nobody counts. */
export const publish = (event: EngineEvent): void => events.publish(event)

/** Does a part of a visit, and publishes how long that took. */
export async function timed<T>(part: VisitPart, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    publish({ kind: 'part', part, seconds: (performance.now() - began) / 1000 })
  }
}

/** Calls back for each event of this process; answers how to end that. */
export function onEngineEvent(listener: (event: EngineEvent) => void): () => void {
  const receive = (message: unknown) => listener(message as EngineEvent)
  events.subscribe(receive)
  return () => {
    events.unsubscribe(receive)
  }
}

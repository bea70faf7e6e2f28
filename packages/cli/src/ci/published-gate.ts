import type { GateReport } from '../gate.ts'

export type { Environment } from './github-event.ts'

/** Result of a gate. `name` tells its comment from those of other gates of the same request. */
export type PublishedGate = { gateReport: GateReport; markdown: string; name: string }

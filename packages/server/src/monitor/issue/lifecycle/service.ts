import type { MonitorDb } from '../../database.ts'
import { selectUnprovenFixes } from './store.ts'

/** A run that called issues fixed on pages whose result proves only what was found on them. */
export type UnprovenRun = { scan: string; number: number; issues: number; pages: number; firstUrl: string }

/** Lists these runs, by scan and number. Runs whose pages were removed by retention are not among them. */
export const listUnprovenRuns = (deps: { db: MonitorDb }): Promise<UnprovenRun[]> => selectUnprovenFixes(deps.db)

import type { RunProblem } from '@clearway/contract/monitor/run/schema.ts'
import type * as z from 'zod/mini'
import type { BrowserPool } from './browser/pool.ts'
import type { Frontier } from './frontier.ts'
import type { ScanPlan } from './settings.ts'

/** How this process's part in a run ended. */
export type ScanEnd =
  | { kind: 'drained' }
  | { kind: 'stopped' }
  /** Nothing could be scanned, or not all of it. `detail` is English and names the thing. */
  | { kind: 'problem'; problem: z.output<typeof RunProblem>; detail: string }

/**
 * Works on one run until its frontier is drained or stopped, or `signal` aborts (claims in work are then released
 * without blame). Several processes may call it on the same run at once.
 */
export declare function scan(
  deps: {
    pool: BrowserPool
    frontier: Frontier
    log?: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  },
  plan: ScanPlan,
  signal: AbortSignal,
): Promise<ScanEnd>

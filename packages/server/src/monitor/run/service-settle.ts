import type { Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { MonitorDb } from '../database.ts'
import { countGroups, settleLifecycle } from '../issue/store-lifecycle.ts'
import { storeFindings } from '../issue/store-settle.ts'
import { endRun, type RunEnd } from './store-finish.ts'
import { type SettleDeps, storePage } from './store-settle.ts'

/**
 * Records what became of an address. Run and issues are written in one transaction: this is where they meet.
 * @returns false when the lease was lost: nothing was recorded
 */
export const settlePage = (
  deps: SettleDeps,
  claim: Claim,
  outcome: PageOutcome,
  found: readonly NewEntry[],
  states: readonly StateOutcome[] = [],
): Promise<boolean> => storePage({ ...deps, storeFindings }, claim, outcome, found, states)

/** Ends a run, exactly once however many call it. @returns false when it had ended, or has work left after all */
export const finishRun = (deps: { db: MonitorDb }, runId: string, end: RunEnd): Promise<boolean> =>
  endRun({ db: deps.db, settleLifecycle, countGroups }, runId, end)

import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { getMaxOpenPages } from '@clearway/contract/monitor/scan/model.ts'
import type { BrowserPool } from '../../browser/pool.ts'
import type { Slot } from '../../browser/slots.ts'
import type { Claim } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { Reuse } from '../reuse/reuse.ts'

/** Extra pages of one run in this process: one may load while another waits for time to pass. */
export type ExtraPages = {
  /** Maximum number of simultaneous visits. */
  getMaxVisits(concurrency: number): number
  /** Creates the listener of a visit that reports whether the visit is idle, so that another may start. */
  shareWhileIdle(claim: Claim, slots: readonly Pick<Slot, 'setIdle'>[]): Slot['setIdle']
  /** Notes how a visit ended. */
  noteOutcome(outcome: PageOutcome): void
}

/** Tested pages before the first extra one: until then, nothing is known about the pages of the site. */
const minTestedPages = 3

/** Failures of pages that keep the machine busy or use up its memory: pages next to them may fail, too. */
const harmfulReasons: ReadonlySet<FailureReason> = new Set([
  'timeout-command',
  'timeout-generic',
  'too-large',
  'page-crashed',
  'out-of-memory',
  'too-many-dialogs',
  'client-redirect',
  'axe-failed',
  'browser-driver',
  'browser-cluster',
])

/**
 * Opens the extra pages of a run. Another page may always load next to one that is likely unchanged, since that is not analyzed; next
 * to others while the pool has room, until a page of the run fails for one of the harmful reasons.
 */
export function openExtraPages(pool: Pick<BrowserPool, 'hasRoom'>, reuse: Reuse): ExtraPages {
  let testedPages = 0
  let isHarmed = false
  const mayAnalyzeMore = (): boolean => !isHarmed && testedPages >= minTestedPages && pool.hasRoom()
  return {
    getMaxVisits: (concurrency) => (reuse.hasLastMatched() || mayAnalyzeMore() ? getMaxOpenPages(concurrency) : concurrency),
    shareWhileIdle: (claim, slots) => (isIdle) => {
      if (!isIdle || reuse.isLikelyUnchanged(claim) || mayAnalyzeMore()) for (const slot of slots) slot.setIdle(isIdle)
    },
    noteOutcome(outcome) {
      if (outcome.kind === 'completed') testedPages += 1
      else if (outcome.kind === 'failed' && harmfulReasons.has(outcome.reason)) isHarmed = true
    },
  }
}

import { getMaxOpenPages } from '@clearway/contract/monitor/scan/model.ts'
import { subscribeToAbort } from './deadline.ts'

/** A granted slot. */
export type Slot = {
  leave(): void
  /**
   * Reports whether the holder is idle. An idle holder lets another request in, unless enough holders are idle already
   * or another one is slow. A holder that resumes gets its slot back immediately, even if that exceeds the limit.
   */
  setIdle(isIdle: boolean): void
}

/** A fixed number of slots, granted in request order. */
export type Slots = {
  /** Waits for `neededSlots` slots at once; null if `signal` aborts first. */
  take(neededSlots: number, signal?: AbortSignal): Promise<Slot | null>
}

/** No extra request is admitted next to a holder without a report for this long: its page may keep the machine busy. */
const slowHolderMs = 2000

type SlotHolder = { need: number; since: number }

type SlotState = {
  count: number
  slowAfterMs: number
  /** Holders with the time of their admission or last idle report. */
  activeHolders: Set<SlotHolder>
  /** Idle holders for which another request was admitted. */
  idleHolders: Set<SlotHolder>
  waitingRequests: Set<{ need: number; admit: (holder: SlotHolder) => void }>
}

/** Admits waiting requests in order while there is room. A request for all slots runs alone, without idle holders. */
function admitWaiting({ count, activeHolders, idleHolders, waitingRequests }: SlotState): void {
  for (const nextRequest of waitingRequests) {
    const { need: neededCount } = nextRequest
    const heldSlots = [...activeHolders].reduce((sum, holder) => sum + holder.need, 0)
    if (heldSlots + neededCount > count || (neededCount === count && idleHolders.size > 0)) return
    const newHolder = { need: neededCount, since: performance.now() }
    waitingRequests.delete(nextRequest)
    activeHolders.add(newHolder)
    nextRequest.admit(newHolder)
  }
}

/** Returns true if an extra request may be admitted for an idle holder. */
function canAdmitExtra({ count, slowAfterMs, activeHolders, idleHolders }: SlotState, slotHolder: SlotHolder): boolean {
  const slowBefore = performance.now() - slowAfterMs
  const hasSlowNeighbor = [...activeHolders].some((otherHolder) => otherHolder !== slotHolder && otherHolder.since < slowBefore)
  return slotHolder.need === 1 && idleHolders.size < getMaxOpenPages(count) - count && !hasSlowNeighbor
}

function createSlot(state: SlotState, slotHolder: SlotHolder): Slot {
  const { activeHolders, idleHolders } = state
  return {
    leave() {
      activeHolders.delete(slotHolder)
      idleHolders.delete(slotHolder)
      admitWaiting(state)
    },
    setIdle(isIdle) {
      slotHolder.since = performance.now()
      if (!isIdle) {
        if (idleHolders.delete(slotHolder)) activeHolders.add(slotHolder)
      } else if (activeHolders.has(slotHolder) && canAdmitExtra(state, slotHolder)) {
        activeHolders.delete(slotHolder)
        idleHolders.add(slotHolder)
        admitWaiting(state)
      }
    },
  }
}

export function openSlots(slotCount: number, slowAfterMs = slowHolderMs): Slots {
  const state: SlotState = {
    count: slotCount,
    slowAfterMs,
    activeHolders: new Set(),
    idleHolders: new Set(),
    waitingRequests: new Set(),
  }
  return {
    async take(neededSlots, signal) {
      const { promise: holderPromise, resolve } = Promise.withResolvers<SlotHolder | null>()
      const slotRequest = { need: neededSlots, admit: resolve }
      state.waitingRequests.add(slotRequest)
      const cancelRequest = () => {
        if (!state.waitingRequests.delete(slotRequest)) return
        admitWaiting(state)
        resolve(null)
      }
      const removeAbortListener = signal && subscribeToAbort(signal, cancelRequest)
      admitWaiting(state)
      const slotHolder = await holderPromise
      removeAbortListener?.()
      return slotHolder && createSlot(state, slotHolder)
    },
  }
}

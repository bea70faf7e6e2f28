import { mostOpen } from '@clearway/contract/monitor/scan/model.ts'
import { whenAborted } from './deadline.ts'

/** What somebody holds. */
export type Slot = {
  leave(): void
  /**
   * Says whether the holder only waits: somebody else is let in then, unless enough wait so already, or another is slow. It has
   * its slot back at once when it goes on, even where that makes one too many.
   */
  idle(is: boolean): void
}

/** So many slots, taken in the order in which they were asked for. */
export type Slots = {
  /** Waits for `need` slots at once; null when `signal` aborted first. */
  take(need: number, signal?: AbortSignal): Promise<Slot | null>
}

/** Beside a holder that has said nothing for longer, nobody is let in: its page may keep the machine busy as it is. */
const slowMs = 2000

type State = {
  count: number
  slow: number
  held: number
  /** Who only waits, with somebody else let in. */
  aside: number
  /** When those who are at work came, or last said whether they wait. */
  atWork: Set<{ since: number }>
  waiting: Set<{ need: number; go: () => void }>
}

/** Lets in who is next, as long as there is room. Who takes all slots is alone: nobody waits aside. */
function serve(state: State): void {
  for (const next of state.waiting) {
    if (state.held + next.need > state.count || (next.need === state.count && state.aside > 0)) return
    state.waiting.delete(next)
    state.held += next.need
    next.go()
  }
}

function slotOf(state: State, need: number): Slot {
  const own = { since: performance.now() }
  state.atWork.add(own)
  let is: 'held' | 'aside' | 'left' = 'held'
  const mayLetIn = () => {
    const limit = performance.now() - state.slow
    const isBesideSlow = [...state.atWork].some((other) => other !== own && other.since < limit)
    return need === 1 && state.aside < mostOpen(state.count) - state.count && !isBesideSlow
  }
  return {
    leave() {
      if (is === 'held') state.held -= need
      if (is === 'aside') state.aside -= 1
      is = 'left'
      state.atWork.delete(own)
      serve(state)
    },
    idle(waits) {
      own.since = performance.now()
      if (waits && is === 'held' && mayLetIn()) {
        is = 'aside'
        state.atWork.delete(own)
        state.held -= 1
        state.aside += 1
        serve(state)
      } else if (!waits && is === 'aside') {
        is = 'held'
        state.atWork.add(own)
        state.held += 1
        state.aside -= 1
      }
    },
  }
}

export function openSlots(count: number, slow = slowMs): Slots {
  const state: State = { count, slow, held: 0, aside: 0, atWork: new Set(), waiting: new Set() }
  return {
    async take(need, signal) {
      const { promise: turn, resolve } = Promise.withResolvers<boolean>()
      const one = { need, go: () => resolve(true) }
      state.waiting.add(one)
      const giveUp = () => {
        if (!state.waiting.delete(one)) return
        serve(state)
        resolve(false)
      }
      const takeBack = signal && whenAborted(signal, giveUp)
      serve(state)
      const isIn = await turn
      takeBack?.()
      return isIn ? slotOf(state, need) : null
    },
  }
}

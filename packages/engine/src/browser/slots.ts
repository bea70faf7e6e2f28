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

type Holder = { need: number; since: number }

type State = {
  count: number
  slow: number
  /** Each since when it came, or last said whether it waits. */
  atWork: Set<Holder>
  /** Who only waits, with somebody else let in. */
  aside: Set<Holder>
  waiting: Set<{ need: number; go: (holder: Holder) => void }>
}

/** Lets in who is next, as long as there is room. Who takes all slots is alone: nobody waits aside. */
function serve({ count, atWork, aside, waiting }: State): void {
  for (const next of waiting) {
    const { need } = next
    const held = [...atWork].reduce((sum, holder) => sum + holder.need, 0)
    if (held + need > count || (need === count && aside.size > 0)) return
    const holder = { need, since: performance.now() }
    waiting.delete(next)
    atWork.add(holder)
    next.go(holder)
  }
}

/** Whether somebody else may be let in for one that only waits. */
function mayLetIn({ count, slow, atWork, aside }: State, own: Holder): boolean {
  const limit = performance.now() - slow
  const isBesideSlow = [...atWork].some((other) => other !== own && other.since < limit)
  return own.need === 1 && aside.size < mostOpen(count) - count && !isBesideSlow
}

function slotOf(state: State, own: Holder): Slot {
  const { atWork, aside } = state
  return {
    leave() {
      atWork.delete(own)
      aside.delete(own)
      serve(state)
    },
    idle(is) {
      own.since = performance.now()
      if (!is) {
        if (aside.delete(own)) atWork.add(own)
      } else if (atWork.has(own) && mayLetIn(state, own)) {
        atWork.delete(own)
        aside.add(own)
        serve(state)
      }
    },
  }
}

export function openSlots(count: number, slow = slowMs): Slots {
  const state: State = { count, slow, atWork: new Set(), aside: new Set(), waiting: new Set() }
  return {
    async take(need, signal) {
      const { promise: turn, resolve } = Promise.withResolvers<Holder | null>()
      const one = { need, go: resolve }
      state.waiting.add(one)
      const giveUp = () => {
        if (!state.waiting.delete(one)) return
        serve(state)
        resolve(null)
      }
      const takeBack = signal && whenAborted(signal, giveUp)
      serve(state)
      const own = await turn
      takeBack?.()
      return own && slotOf(state, own)
    },
  }
}

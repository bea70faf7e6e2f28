import { pause, whenAborted } from './deadline.ts'
import type { BrowserFacts } from './facts.ts'
import type { Variant } from './launch.ts'
import {
  closeInstance,
  killInstance,
  leaveInstance,
  startInstance,
  takeTab,
  type Browsing,
  type Instance,
} from './instance.ts'
import { treeMemory } from './process-tree.ts'
import { openSlots, type Slot } from './slots.ts'
import { publishEngineEvent } from '../scan-measure.ts'
import type { Tab } from './tab.ts'

/** A tab for one visit. */
export type Lease = {
  tab: Tab
  /** Aborts, with a `LostCause`, when the browser is gone. */
  lost: AbortSignal
  idle: Slot['idle']
  /** Ends the visit. `keep` when the tab is fit for another. */
  giveBack(keep: boolean): Promise<void>
}

/**
 * What a lease takes of the pool: one of its pages; all of them, so that whatever happens to the browser is this visit's
 * doing; or none, for what a visit that has its page needs beside it and would wait for without end.
 */
export type LeaseSize = 'one' | 'all' | 'none'

/** Starts, watches, recycles and ends browsers; survives their crashes. */
export type BrowserPool = {
  facts: BrowserFacts
  /** Waits for a free page, in turn. Rejects when no browser can be started any more, or the pool is closed. */
  lease(browsing: Browsing, size?: LeaseSize): Promise<Lease>
  /** Ends what a run has open. */
  leave(browsing: Browsing): Promise<void>
  /** Process ids of the running browsers. */
  processes(): number[]
  close(): Promise<void>
}

/** Visits after which a browser is replaced: memory that pages leak is returned by nothing else. */
const visitsPerBrowser = 300
const watchMs = 1000
/** Before another try to start a browser, times the number of tries. */
const startPauseMs = 300

type State = {
  facts: BrowserFacts
  maxMemoryBytes: number
  /** The browser of each kind that takes new visits. */
  current: Map<string, { starting: Promise<Instance>; instance: Instance | null }>
  instances: Set<Instance>
  closed: boolean
}

/** Removes a browser that has gone or is going; the next lease starts another. */
function drop(state: State, instance: Instance): void {
  instance.retiring = true
  for (const [key, current] of state.current) if (current.instance === instance) state.current.delete(key)
  if (instance.lost !== null) state.instances.delete(instance)
  else if (instance.leases === 0) {
    state.instances.delete(instance)
    void closeInstance(instance)
  }
}

/** One that is replaced, or ends with the pool, is disconnected too: that is no loss. */
function publishLoss(state: State, { lost, retiring }: Instance): void {
  const inOrder = state.closed || (retiring && lost === 'died')
  if (lost !== null && !inOrder) publishEngineEvent({ kind: 'browser-lost', cause: lost })
}

function currentInstance(state: State, variant: Variant | undefined): Promise<Instance> {
  const key = variant?.key ?? ''
  const known = state.current.get(key)
  if (known) return known.starting
  const current: { starting: Promise<Instance>; instance: Instance | null } = {
    starting: startInstance(state.facts, variant),
    instance: null,
  }
  state.current.set(key, current)
  current.starting.then(
    (instance) => {
      current.instance = instance
      state.instances.add(instance)
      publishEngineEvent({ kind: 'browser-started' })
      whenAborted(instance.whenLost, () => {
        publishLoss(state, instance)
        drop(state, instance)
      })
    },
    () => {
      if (state.current.get(key) === current) state.current.delete(key)
    },
  )
  return current.starting
}

/** Above half of the limit a browser is replaced when its visits have ended, above the limit it is killed. */
function watchMemory(state: State): void {
  for (const instance of state.instances) {
    if (instance.lost !== null) continue
    if (instance.pid === null) continue
    const bytes = treeMemory(instance.pid)
    if (bytes > state.maxMemoryBytes) killInstance(instance, 'memory')
    else if (bytes > state.maxMemoryBytes / 2 && !instance.retiring) drop(state, instance)
  }
}

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function leaseFrom(state: State, browsing: Browsing, slot: Slot | null): Promise<Lease> {
  let broken: Error | null = null
  for (let attempt = 0; attempt < 4; attempt++) {
    if (state.closed) break
    const instance = await currentInstance(state, browsing.variant).catch(errorOf)
    if (instance instanceof Error) {
      // One that was killed while it started says nothing about the next.
      broken = instance
      await pause(startPauseMs * (attempt + 1))
      continue
    }
    instance.leases += 1
    const taken = await takeTab(instance, browsing).catch(() => null)
    if (taken === null) {
      instance.leases -= 1
      drop(state, instance)
      await pause(100 * attempt)
      continue
    }
    return {
      tab: taken.tab,
      lost: instance.whenLost,
      idle: (is) => slot?.idle(is),
      async giveBack(keep) {
        await taken.giveBack(keep).catch(() => killInstance(instance, 'collateral'))
        instance.leases -= 1
        instance.served += 1
        if (instance.served >= visitsPerBrowser || instance.retiring) drop(state, instance)
        slot?.leave()
      },
    }
  }
  if (state.closed) throw new Error('The browser pool is closed')
  throw broken ?? new Error('The browser opens no pages')
}

/**
 * A pool of `pages` pages in one browser process, which is started at the first lease; while some only wait, a few more are
 * open. A browser is replaced after some hundred visits or above half of `maxMemoryBytes` (default 3 GiB, private memory of its process tree), and killed above it.
 */
export async function openPool(
  facts: BrowserFacts,
  options: { pages: number; maxMemoryBytes?: number },
): Promise<BrowserPool> {
  const state: State = {
    facts,
    maxMemoryBytes: options.maxMemoryBytes ?? 3 * 1024 ** 3,
    current: new Map(),
    instances: new Set(),
    closed: false,
  }
  const needs: Readonly<Record<LeaseSize, number>> = { one: 1, all: options.pages, none: 0 }
  const slots = openSlots(options.pages)
  const watch = setInterval(() => watchMemory(state), watchMs)
  watch.unref()

  return {
    facts,
    async lease(browsing, size = 'one') {
      const need = needs[size]
      const slot = need > 0 ? await slots.take(need) : null
      try {
        return await leaseFrom(state, browsing, slot)
      } catch (error) {
        slot?.leave()
        throw error
      }
    },
    async leave(browsing) {
      await Promise.all([...state.instances].map((instance) => leaveInstance(instance, browsing)))
      // A browser of a kind of its own is one run's, with that run's sign-in in it.
      const own = browsing.variant ? state.current.get(browsing.variant.key)?.instance : null
      if (own) drop(state, own)
    },
    processes: () =>
      [...state.instances].flatMap(({ lost, pid }) => (lost === null && pid !== null ? [pid] : [])),
    async close() {
      state.closed = true
      clearInterval(watch)
      await Promise.all([...state.current.values()].map(({ starting }) => starting.catch(() => null)))
      await Promise.all([...state.instances].map(closeInstance))
    },
  }
}

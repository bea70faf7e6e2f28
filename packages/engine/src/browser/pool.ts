import { sleep, subscribeToAbort } from './deadline.ts'
import type { BrowserFacts } from './facts.ts'
import type { Variant } from './launch.ts'
import {
  closeInstance,
  killInstance,
  closeRunContext,
  startInstance,
  acquireTab,
  type Browsing,
  type Instance,
} from './instance.ts'
import { readTreeMemory } from './process-tree.ts'
import { openRoom, type Room } from './room.ts'
import { openSlots, type Slot } from './slots.ts'
import { type ClosedCause, publishEngineEvent } from '../engine-event.ts'
import type { Tab } from './tab.ts'

/** A tab leased for one visit. */
export type TabLease = {
  tab: Tab
  /** Aborts with a `LostCause` when the browser is gone, or the context of the run in it. */
  lost: AbortSignal
  setIdle: Slot['setIdle']
  /** Ends the visit. `canReuse` returns the tab to the pool. */
  releaseTab(canReuse: boolean): Promise<void>
}

/**
 * Share of the pool that a lease takes. `one`: one page. `all`: all pages, so that the visit alone is responsible for the
 * browser. `none`: no slot, for an additional page of a visit that already has one; waiting for a slot would deadlock.
 */
export type LeaseSize = 'one' | 'all' | 'none'

/** Starts, monitors, recycles and closes browsers. Survives browser crashes. */
export type BrowserPool = {
  facts: BrowserFacts
  /** Waits in order for a free page. Rejects if no browser starts or the pool is closed. */
  lease(browsing: Browsing, size?: LeaseSize): Promise<TabLease>
  /** Closes everything a run has open. */
  closeRun(browsing: Browsing): Promise<void>
  /** Returns true if an extra page may load next to those that are open. */
  hasRoom(): boolean
  /** Process ids of the running browsers. */
  processes(): number[]
  close(): Promise<void>
}

/** Maximum number of visits per browser. Only a restart returns the memory that pages leak. */
const maxVisitsPerBrowser = 300
const instanceCheckMs = 1000
/** Time after which a browser without a run is closed. An idle one holds hundreds of megabytes; its start takes a second. */
const defaultIdleMs = 3 * 60_000
/** Wait before the next start attempt, multiplied by the number of attempts. */
const startBackoffMs = 300

type PoolState = {
  facts: BrowserFacts
  maxMemoryBytes: number
  idleMs: number
  room: Room
  /** Browser of each kind that accepts new visits. */
  current: Map<string, { starting: Promise<Instance>; instance: Instance | null }>
  instances: Set<Instance>
  closed: boolean
}

/** Retires a lost or replaced browser. The next lease starts another one. @param cause of a planned end */
function retireInstance(state: PoolState, instance: Instance, cause: ClosedCause): void {
  if (instance.lost === null && !instance.retiring) publishEngineEvent({ kind: 'browser-closed', cause })
  instance.retiring = true
  for (const [key, currentEntry] of state.current) if (currentEntry.instance === instance) state.current.delete(key)
  if (instance.lost !== null) state.instances.delete(instance)
  else if (instance.leases === 0) {
    state.instances.delete(instance)
    void closeInstance(instance)
  }
}

/** Replaced browsers and those of a closed pool disconnect, too; that is not a loss. */
function publishBrowserLoss(state: PoolState, { lost, retiring }: Instance): void {
  const isPlannedEnd = state.closed || (retiring && lost === 'died')
  if (lost !== null && !isPlannedEnd) publishEngineEvent({ kind: 'browser-lost', cause: lost })
}

function getCurrentInstance(state: PoolState, variant: Variant | undefined): Promise<Instance> {
  const variantKey = variant?.key ?? ''
  const existingEntry = state.current.get(variantKey)
  if (existingEntry) return existingEntry.starting
  const newEntry: { starting: Promise<Instance>; instance: Instance | null } = {
    starting: startInstance(state.facts, variant),
    instance: null,
  }
  state.current.set(variantKey, newEntry)
  newEntry.starting.then(
    (instance) => {
      newEntry.instance = instance
      state.instances.add(instance)
      publishEngineEvent({ kind: 'browser-started' })
      subscribeToAbort(instance.whenLost, () => {
        publishBrowserLoss(state, instance)
        retireInstance(state, instance, 'unusable')
      })
    },
    () => {
      if (state.current.get(variantKey) === newEntry) state.current.delete(variantKey)
    },
  )
  return newEntry.starting
}

/** Replaces a browser above half of the limit after its visits; kills it above the limit. Notes what all of them use. */
function enforceMemoryLimits(state: PoolState): void {
  let totalBytes = 0
  for (const instance of state.instances) {
    if (instance.lost !== null) continue
    if (instance.pid === null) {
      // The memory of a browser on another machine is not known.
      totalBytes = Infinity
      continue
    }
    const usedBytes = readTreeMemory(instance.pid)
    totalBytes += usedBytes
    if (usedBytes > state.maxMemoryBytes) killInstance(instance, 'memory')
    else if (usedBytes > state.maxMemoryBytes / 2 && !instance.retiring) retireInstance(state, instance, 'memory')
  }
  state.room.update(totalBytes)
}

/** Closes browsers that no run has used for a while. */
function closeIdleInstances(state: PoolState): void {
  for (const instance of state.instances) {
    const isIdle = instance.leases === 0 && instance.contextSlots.size === 0
    instance.idleSince = isIdle ? (instance.idleSince ?? performance.now()) : null
    if (instance.idleSince === null || instance.retiring) continue
    if (performance.now() - instance.idleSince >= state.idleMs) retireInstance(state, instance, 'idle')
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function leaseTab(state: PoolState, browsing: Browsing, slot: Slot | null): Promise<TabLease> {
  let startError: Error | null = null
  for (let attempt = 0; attempt < 4; attempt++) {
    if (state.closed) break
    const instance = await getCurrentInstance(state, browsing.variant).catch(toError)
    if (instance instanceof Error) {
      // A browser killed during start-up says nothing about the next one.
      startError = instance
      await sleep(startBackoffMs * (attempt + 1))
      continue
    }
    instance.leases += 1
    const acquiredTab = await acquireTab(instance, browsing).catch(() => null)
    if (acquiredTab === null) {
      instance.leases -= 1
      retireInstance(state, instance, 'unusable')
      await sleep(100 * attempt)
      continue
    }
    return {
      tab: acquiredTab.tab,
      lost: acquiredTab.whenLost,
      setIdle: (isIdle) => slot?.setIdle(isIdle),
      async releaseTab(canReuse) {
        await acquiredTab.releaseTab(canReuse).catch(() => killInstance(instance, 'collateral'))
        instance.leases -= 1
        instance.served += 1
        if (instance.served >= maxVisitsPerBrowser || instance.retiring) retireInstance(state, instance, 'visits')
        slot?.leave()
      },
    }
  }
  if (state.closed) throw new Error('The browser pool is closed')
  throw startError ?? new Error('The browser opens no pages')
}

/**
 * Opens a pool of `pages` pages in one browser process, which starts at the first lease. A few more pages are open
 * while others are idle. A browser is replaced after some hundred visits or above half of `maxMemoryBytes` (default 3
 * GiB of private memory of its process tree), and killed above the limit. It is closed after `idleMs` without a run
 * (default 3 minutes).
 */
export async function openPool(
  facts: BrowserFacts,
  options: { pages: number; maxMemoryBytes?: number; idleMs?: number },
): Promise<BrowserPool> {
  const state: PoolState = {
    facts,
    maxMemoryBytes: options.maxMemoryBytes ?? 3 * 1024 ** 3,
    idleMs: options.idleMs ?? defaultIdleMs,
    room: openRoom(),
    current: new Map(),
    instances: new Set(),
    closed: false,
  }
  const slotsBySize: Readonly<Record<LeaseSize, number>> = { one: 1, all: options.pages, none: 0 }
  const tabSlots = openSlots(options.pages)
  const checkInstances = () => {
    enforceMemoryLimits(state)
    closeIdleInstances(state)
  }
  const checkTimer = setInterval(checkInstances, instanceCheckMs)
  checkTimer.unref()

  return {
    facts,
    async lease(browsing, size = 'one') {
      const neededSlots = slotsBySize[size]
      const slot = neededSlots > 0 ? await tabSlots.take(neededSlots) : null
      try {
        return await leaseTab(state, browsing, slot)
      } catch (error) {
        slot?.leave()
        throw error
      }
    },
    async closeRun(browsing) {
      await Promise.all([...state.instances].map((instance) => closeRunContext(instance, browsing)))
      // A browser of its own kind belongs to one run and contains its sign-in.
      const runInstance = browsing.variant ? state.current.get(browsing.variant.key)?.instance : null
      if (runInstance) retireInstance(state, runInstance, 'run-ended')
    },
    hasRoom: () => !state.closed && state.room.hasRoom(),
    processes: () => [...state.instances].flatMap(({ lost, pid }) => (lost === null && pid !== null ? [pid] : [])),
    async close() {
      state.closed = true
      clearInterval(checkTimer)
      await Promise.all([...state.current.values()].map(({ starting }) => starting.catch(() => null)))
      await Promise.all([...state.instances].map(closeInstance))
    },
  }
}

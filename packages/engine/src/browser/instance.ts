import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { within } from './deadline.ts'
import type { BrowserFacts } from './facts.ts'
import { connect, launch, type Launched, type Variant } from './launch.ts'
import type { ScopedHeaders } from './scoped-headers.ts'
import { killTree } from './process-tree.ts'
import { openTab, type Tab, type TabScripts } from './tab.ts'

/** How the pages of one run are opened. One object for one run: it is the key of the run's contexts. */
export type Browsing = {
  guardServer: string
  /** What the guard asks for where others could reach it, too. */
  guardAccess?: { username: string; password: string }
  viewport: { width: number; height: number }
  userAgent: string | null
  scripts: TabScripts
  /** The kind of browser process that it takes; left out: the usual one. */
  variant?: Variant
  /** For Basic and NTLM: sent to this one origin only. */
  credentials?: { username: string; password: string; origin: string }
  /** PEM, shown to this one origin only. */
  clientCertificate?: { cert: Buffer; key: Buffer; origin: string }
  /** What a scripted sign-in left behind. */
  storageState?: StorageState
  /** Headers for hosts that `allowed` names; nobody else gets them. */
  headers?: ScopedHeaders
}
export type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>

/** Why a browser went away under the visits it served. */
export type LostCause = 'memory' | 'collateral' | 'died'

/** One context of one run, with the tabs that wait in it. */
type Room = { context: BrowserContext; idle: Tab[]; leases: number; stale: boolean }

/** One running browser process, with everything open in it. */
export type Instance = {
  pid: number | null
  leases: number
  served: number
  retiring: boolean
  lost: LostCause | null
  /** Aborts with the cause. */
  whenLost: AbortSignal
  rooms: Map<Browsing, Promise<Room | null>>
  launched: Launched
  markLost(cause: LostCause): void
}

/** Visits after which a tab is closed: its renderer keeps much of what pages needed, and ends with it. */
const visitsPerTab = 25

/** Starts a browser process. Rejects when it does not start. */
export async function startInstance(facts: BrowserFacts, variant?: Variant): Promise<Instance> {
  const launched =
    facts.source === 'remote'
      ? await connect(facts.path)
      : await launch({
          path: variant?.path ?? facts.path,
          sandbox: facts.sandboxed,
          // What the found program needs is nothing for another.
          env: (variant?.path ?? facts.path) === facts.path ? (facts.env ?? {}) : {},
          ...(variant ? { variant } : {}),
        })
  const losing = new AbortController()
  const instance: Instance = {
    pid: launched.pid,
    leases: 0,
    served: 0,
    retiring: false,
    lost: null,
    whenLost: losing.signal,
    rooms: new Map(),
    launched,
    markLost(cause) {
      if (instance.lost !== null) return
      instance.lost = cause
      losing.abort(cause)
    },
  }
  launched.browser.on('disconnected', () => instance.markLost('died'))
  return instance
}

/** Ends a browser at once; visits in it learn `cause`. */
export function killInstance(instance: Instance, cause: LostCause): void {
  instance.markLost(cause)
  if (instance.pid !== null) killTree(instance.pid)
  // Playwright removes the profile folder when it sees the process end.
  instance.launched.browser.close().catch(() => {})
}

/** Ends a browser in order, or by force after 4 s. */
export async function closeInstance(instance: Instance): Promise<void> {
  const closed = await within(4000, instance.launched.browser.close())
  if (!closed.done) killInstance(instance, 'collateral')
}

/** What a browsing's sign-in means to a new context. */
function signInOptions({ credentials, clientCertificate, storageState }: Browsing): BrowserContextOptions {
  return {
    ...(credentials ? { httpCredentials: credentials } : {}),
    ...(clientCertificate ? { clientCertificates: [clientCertificate] } : {}),
    ...(storageState ? { storageState } : {}),
  }
}

async function openRoom(instance: Instance, browsing: Browsing): Promise<Room | null> {
  const opened = await within(
    10_000,
    instance.launched.browser.newContext({
      // Nothing reaches the network but through the run's guard, loopback included.
      proxy: { server: browsing.guardServer, bypass: '<-loopback>', ...browsing.guardAccess },
      viewport: browsing.viewport,
      ...(browsing.userAgent === null ? {} : { userAgent: browsing.userAgent }),
      serviceWorkers: 'block',
      acceptDownloads: false,
      // Fades and slides that ask are still; what is measured is the end state.
      reducedMotion: 'reduce',
      locale: 'en-US',
      ignoreHTTPSErrors: false,
      ...signInOptions(browsing),
    }),
  )
  return opened.done ? { context: opened.value, idle: [], leases: 0, stale: false } : null
}

async function roomOf(instance: Instance, browsing: Browsing): Promise<Room | null> {
  const known = await instance.rooms.get(browsing)
  if (known && !known.stale) return known
  const opening = openRoom(instance, browsing)
  instance.rooms.set(browsing, opening)
  return opening
}

/** A tab for a run in this browser; null when the browser does not answer (it is then killed). */
export async function takeTab(
  instance: Instance,
  browsing: Browsing,
): Promise<{ tab: Tab; giveBack(keep: boolean): Promise<void> } | null> {
  const room = await roomOf(instance, browsing)
  const tab = room && (room.idle.pop() ?? (await openTab(room.context, browsing.scripts, browsing.headers)))
  if (!room || !tab) {
    killInstance(instance, 'collateral')
    return null
  }
  room.leases += 1
  tab.visits += 1
  return { tab, giveBack: (keep) => giveBack(instance, browsing, room, tab, keep) }
}

async function giveBack(
  instance: Instance,
  browsing: Browsing,
  room: Room,
  tab: Tab,
  keep: boolean,
): Promise<void> {
  room.leases -= 1
  if (instance.lost !== null) return
  if (keep && !room.stale && !instance.retiring && tab.visits < visitsPerTab) {
    room.idle.push(tab)
    return
  }
  // What a page left behind in its context (cookies above all) may have been what went wrong.
  if (!keep) room.stale = true
  const closed = await within(3000, tab.page.close())
  if (!closed.done) {
    const context = await within(4000, room.context.close())
    if (!context.done) killInstance(instance, 'collateral')
  } else if (room.stale && room.leases === 0) await closeRoom(instance, browsing, room)
}

async function closeRoom(instance: Instance, browsing: Browsing, room: Room): Promise<void> {
  if ((await instance.rooms.get(browsing)) === room) instance.rooms.delete(browsing)
  const closed = await within(4000, room.context.close())
  if (!closed.done) killInstance(instance, 'collateral')
}

/** Closes what a run has open in this browser. */
export async function leaveInstance(instance: Instance, browsing: Browsing): Promise<void> {
  const room = await instance.rooms.get(browsing)
  instance.rooms.delete(browsing)
  if (room && instance.lost === null) await closeRoom(instance, browsing, room)
}

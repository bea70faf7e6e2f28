import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { subscribeToAbort, withTimeout } from './deadline.ts'
import type { BrowserFacts } from './facts.ts'
import { connectToBrowser, launchBrowser, type LaunchedBrowser, type Variant } from './launch.ts'
import type { ScopedHeaders } from './scoped-headers.ts'
import { holdChangingRequests, type LookOnlyRule } from './sent-requests.ts'
import { killTree } from './process-tree.ts'
import { openTab, type Tab, type TabScripts } from './tab.ts'

/** Settings for opening the pages of one run. One object per run: its identity is the key of the run's contexts. */
export type Browsing = {
  guardServer: string
  /** Credentials that the guard requires if other machines can reach it. */
  guardAccess?: { username: string; password: string }
  viewport: { width: number; height: number }
  userAgent: string | null
  scripts: TabScripts
  /** Kind of browser process to use. Omitted: the default. */
  variant?: Variant
  /** Basic and NTLM credentials; sent to this origin only. */
  credentials?: { username: string; password: string; origin: string }
  /** PEM certificate and key; presented to this origin only. */
  clientCertificate?: { cert: Buffer; key: Buffer; origin: string }
  /** Cookies and storage from a scripted sign-in. */
  storageState?: StorageState
  /** Headers sent only to hosts for which `allowed` returns true. */
  headers?: ScopedHeaders
  /** Holds requests that may change something on a site. */
  lookOnly?: LookOnlyRule
}
export type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>

/** The reason why visits lost their browser, or the context of their run in it. */
export type LostCause = 'memory' | 'collateral' | 'died'

/** A browser context of one run with its idle tabs. */
type ContextSlot = {
  context: BrowserContext
  idle: Tab[]
  leases: number
  stale: boolean
  /** Aborts its visits with a `LostCause` when it closes under them, or its browser is gone. */
  lossController: AbortController
}

/** A running browser process with its open contexts. */
export type Instance = {
  pid: number | null
  leases: number
  served: number
  /** Time since which no run has used it; null while one does. */
  idleSince: number | null
  retiring: boolean
  lost: LostCause | null
  /** Aborts with the cause of the loss. */
  whenLost: AbortSignal
  contextSlots: Map<Browsing, Promise<ContextSlot | null>>
  launched: LaunchedBrowser
  markLost(cause: LostCause): void
}

/** Maximum number of visits per tab. Closing the tab frees memory that its renderer retains. */
const maxVisitsPerTab = 25

/** Starts a browser process. Rejects when it does not start. */
export async function startInstance(facts: BrowserFacts, variant?: Variant): Promise<Instance> {
  const launchedBrowser =
    facts.source === 'remote'
      ? await connectToBrowser(facts.path)
      : await launchBrowser({
          path: variant?.path ?? facts.path,
          sandbox: facts.sandboxed,
          // The default browser's variables do not apply to another program.
          env: (variant?.path ?? facts.path) === facts.path ? (facts.env ?? {}) : {},
          ...(variant ? { variant } : {}),
        })
  const lossController = new AbortController()
  const instance: Instance = {
    pid: launchedBrowser.pid,
    leases: 0,
    served: 0,
    idleSince: null,
    retiring: false,
    lost: null,
    whenLost: lossController.signal,
    contextSlots: new Map(),
    launched: launchedBrowser,
    markLost(cause) {
      if (instance.lost !== null) return
      instance.lost = cause
      lossController.abort(cause)
    },
  }
  launchedBrowser.browser.on('disconnected', () => instance.markLost('died'))
  return instance
}

/** Kills a browser immediately. Its visits abort with `cause`. */
export function killInstance(instance: Instance, cause: LostCause): void {
  instance.markLost(cause)
  if (instance.pid !== null) killTree(instance.pid)
  // Playwright removes the profile folder when it sees the process end.
  instance.launched.browser.close().catch(() => {})
}

/** Closes a browser gracefully, or kills it after 4 s. */
export async function closeInstance(instance: Instance): Promise<void> {
  const closeResult = await withTimeout(4000, instance.launched.browser.close())
  if (!closeResult.done) killInstance(instance, 'collateral')
}

/** Cookies of sign-ins as their contexts last had them: some sites replace the session's cookie at each visit. */
const renewedCookies = new WeakMap<Browsing, StorageState['cookies']>()
const toCookieKey = ({ name, domain, path }: StorageState['cookies'][number]): string => `${name} ${domain} ${path}`

/** Notes the present values of the cookies that a sign-in set. Others, which a page left, stay behind with their context. */
async function noteCookies(browsing: Browsing, { context }: ContextSlot): Promise<void> {
  if (!browsing.storageState || browsing.storageState.cookies.length === 0) return
  const result = await withTimeout(
    2000,
    context.cookies().catch(() => null),
  )
  if (!result.done || result.value === null) return
  const currentCookies = new Map(result.value.map((cookie) => [toCookieKey(cookie), cookie]))
  renewedCookies.set(
    browsing,
    browsing.storageState.cookies.map((cookie) => currentCookies.get(toCookieKey(cookie)) ?? cookie),
  )
}

/** Returns the context options for a run's sign-in. */
function buildSignInOptions(browsing: Browsing): BrowserContextOptions {
  const { credentials, clientCertificate, storageState } = browsing
  return {
    ...(credentials ? { httpCredentials: credentials } : {}),
    ...(clientCertificate ? { clientCertificates: [clientCertificate] } : {}),
    ...(storageState ? { storageState: { ...storageState, cookies: renewedCookies.get(browsing) ?? storageState.cookies } } : {}),
  }
}

async function openContext(instance: Instance, browsing: Browsing): Promise<ContextSlot | null> {
  const contextResult = await withTimeout(
    10_000,
    instance.launched.browser.newContext({
      // All traffic goes through the run's guard, including loopback.
      proxy: { server: browsing.guardServer, bypass: '<-loopback>', ...browsing.guardAccess },
      viewport: browsing.viewport,
      ...(browsing.userAgent === null ? {} : { userAgent: browsing.userAgent }),
      serviceWorkers: 'block',
      acceptDownloads: false,
      // Disables animations that honor the preference. The end state is what matters.
      reducedMotion: 'reduce',
      locale: 'en-US',
      ignoreHTTPSErrors: false,
      ...buildSignInOptions(browsing),
    }),
  )
  if (!contextResult.done) return null
  if (browsing.lookOnly) await holdChangingRequests(contextResult.value, browsing.lookOnly)
  const lossController = new AbortController()
  subscribeToAbort(instance.whenLost, (cause) => lossController.abort(cause))
  return { context: contextResult.value, idle: [], leases: 0, stale: false, lossController }
}

/** Counts a lease of the run's context, before a tab opens in it: a concurrent release would close the context otherwise. */
async function leaseContext(instance: Instance, browsing: Browsing): Promise<ContextSlot | null> {
  const existingSlot = await instance.contextSlots.get(browsing)
  if (existingSlot && !existingSlot.stale) {
    existingSlot.leases += 1
    return existingSlot
  }
  const openingSlot = (existingSlot ? noteCookies(browsing, existingSlot) : Promise.resolve()).then(() =>
    openContext(instance, browsing),
  )
  instance.contextSlots.set(browsing, openingSlot)
  const openedSlot = await openingSlot
  if (openedSlot) openedSlot.leases += 1
  return openedSlot
}

/** Returns a tab for a run in this browser; null if the browser does not respond (it is then killed). */
export async function acquireTab(
  instance: Instance,
  browsing: Browsing,
): Promise<{ tab: Tab; whenLost: AbortSignal; releaseTab(canReuse: boolean): Promise<void> } | null> {
  const contextSlot = await leaseContext(instance, browsing)
  const tab =
    contextSlot && (contextSlot.idle.pop() ?? (await openTab(contextSlot.context, browsing, instance.launched.hasUnseenWindows)))
  if (!contextSlot || !tab) {
    killInstance(instance, 'collateral')
    return null
  }
  tab.visits += 1
  return {
    tab,
    whenLost: contextSlot.lossController.signal,
    releaseTab: (canReuse) => releaseTab(instance, browsing, contextSlot, tab, canReuse),
  }
}

async function releaseTab(
  instance: Instance,
  browsing: Browsing,
  contextSlot: ContextSlot,
  tab: Tab,
  canReuse: boolean,
): Promise<void> {
  contextSlot.leases -= 1
  if (instance.lost !== null) return
  if (canReuse && instance.retiring) await noteCookies(browsing, contextSlot)
  if (canReuse && !contextSlot.stale && !instance.retiring && tab.visits < maxVisitsPerTab) {
    contextSlot.idle.push(tab)
    return
  }
  // State that a page left in its context, above all cookies, may have caused the failure.
  if (!canReuse) contextSlot.stale = true
  const tabCloseResult = await withTimeout(3000, tab.page.close())
  if (!tabCloseResult.done) {
    contextSlot.stale = true
    // Closing the context ends its other visits, which are not to blame for this tab.
    contextSlot.lossController.abort('collateral' satisfies LostCause)
    const contextCloseResult = await withTimeout(4000, contextSlot.context.close())
    if (!contextCloseResult.done) killInstance(instance, 'collateral')
  } else if (contextSlot.stale && contextSlot.leases === 0) {
    await noteCookies(browsing, contextSlot)
    await closeContext(instance, browsing, contextSlot)
  }
}

async function closeContext(instance: Instance, browsing: Browsing, contextSlot: ContextSlot): Promise<void> {
  if ((await instance.contextSlots.get(browsing)) === contextSlot) instance.contextSlots.delete(browsing)
  const closeResult = await withTimeout(4000, contextSlot.context.close())
  if (!closeResult.done) killInstance(instance, 'collateral')
}

/** Closes the run's contexts in this browser. */
export async function closeRunContext(instance: Instance, browsing: Browsing): Promise<void> {
  const contextSlot = await instance.contextSlots.get(browsing)
  instance.contextSlots.delete(browsing)
  if (!contextSlot || instance.lost !== null) return
  // A browser that is ending must not end its run with an error.
  await closeContext(instance, browsing, contextSlot).catch(() => killInstance(instance, 'collateral'))
}

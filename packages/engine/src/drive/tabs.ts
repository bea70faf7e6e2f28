import type { Browsing } from '../browser/instance.ts'
import type { BrowserPool, TabLease } from '../browser/pool.ts'
import { succeedsInTime } from '../browser/deadline.ts'
import { openPressGuard, type PressGuard } from '../crawl/action/press-guard.ts'

/** A tab for keys and presses, in a browser context of its own, without anything that a page has left there. */
export type DriveTab = { lease: TabLease; guard: PressGuard; origins: Set<string>; pageCount: number }

/** Tabs of one run that wait for the next page to be driven. */
export type DriveTabs = {
  /** Resolves to null if the browser does not respond. */
  take(browsing: Browsing): Promise<DriveTab | null>
  /** Ends the page of a tab. `canReuse`: the tab may be emptied for the next page; else, or if that fails, it is closed. */
  giveBack(browsing: Browsing, tab: DriveTab, canReuse: boolean): Promise<void>
  close(): Promise<void>
}

/** Maximum number of pages per tab: closing it frees the memory that its pages have left. */
const maxPages = 25
/** Time after which a tab without a page is closed. A browser that is replaced stays until then. */
const maxIdleMs = 30_000
const callTimeoutMs = 5000

/**
 * Runs in each document before its own scripts. No session holds the requests of shared workers; pages work without them, because
 * not all browsers have them.
 */
function removeSharedWorkers(): void {
  delete (globalThis as { SharedWorker?: unknown }).SharedWorker
}

async function openDriveTab(pool: Pick<BrowserPool, 'lease'>, browsing: Browsing): Promise<DriveTab | null> {
  // A context belongs to one such object.
  const lease = await pool.lease({ ...browsing }, 'none').catch(() => null)
  if (!lease) return null
  const isPrepared = await succeedsInTime(callTimeoutMs, lease.tab.page.addInitScript(removeSharedWorkers))
  const guard = isPrepared ? await openPressGuard(lease.tab) : null
  if (!guard) {
    await lease.releaseTab(false)
    return null
  }
  const origins = new Set<string>()
  lease.tab.page.on('framenavigated', (frame) => {
    const url = URL.parse(frame.url())
    if (url && url.origin !== 'null') origins.add(url.origin)
  })
  return { lease, guard, origins, pageCount: 0 }
}

async function closeDriveTab({ lease, guard }: DriveTab): Promise<void> {
  await guard.endPage()
  await guard.close()
  await lease.releaseTab(false)
}

/** Runs in a page that ends: empties its session storage, also of what it writes as it ends. */
function emptySession(): void {
  const clear = () => sessionStorage.clear()
  clear()
  // Listeners run in the order in which they were added: these are the last.
  for (const type of ['pagehide', 'visibilitychange', 'unload']) addEventListener(type, clear)
}

/** Removes everything that pages have left. Throws if the browser cannot. */
async function emptyTab({ lease, guard, origins }: DriveTab): Promise<void> {
  const { page, cdp } = lease.tab
  for (const frame of page.frames())
    await frame.evaluate(emptySession).catch(() => {
      // Frames of an opaque origin have no storage.
    })
  // The page ends while the guard is on: a press may have left something to send.
  if (!(await guard.endPage())) throw new Error('The page did not end')
  await page.evaluate(() => void (window.name = ''))
  await guard.disarm()
  await page.context().clearCookies()
  for (const origin of origins) await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  origins.clear()
}

/** Opens the tabs of a run. Those of scans that sign in are used once: their context has the sign-in in its storage. */
export function openDriveTabs(pool: Pick<BrowserPool, 'lease'>): DriveTabs {
  const freeTabs = new Map<Browsing, DriveTab[]>()
  let isClosed = false
  const keepTab = (browsing: Browsing, tab: DriveTab) => {
    const tabs = freeTabs.get(browsing) ?? []
    freeTabs.set(browsing, tabs)
    tabs.push(tab)
    const { pageCount } = tab
    setTimeout(() => {
      const index = tab.pageCount === pageCount ? tabs.indexOf(tab) : -1
      if (index >= 0) void closeDriveTab(...(tabs.splice(index, 1) as [DriveTab]))
    }, maxIdleMs).unref()
  }
  const isUsable = ({ lease: { tab, lost } }: DriveTab) => !lost.aborted && !tab.interrupted.aborted && !tab.page.isClosed()
  return {
    async take(browsing) {
      const tabs = freeTabs.get(browsing) ?? []
      for (let tab = tabs.pop(); tab; tab = tabs.pop()) {
        if (isUsable(tab)) return tab
        await closeDriveTab(tab)
      }
      return openDriveTab(pool, browsing)
    },
    async giveBack(browsing, tab, canReuse) {
      tab.pageCount += 1
      const isKept = canReuse && !isClosed && !browsing.storageState && tab.pageCount < maxPages && isUsable(tab)
      const isEmptied = isKept && (await succeedsInTime(callTimeoutMs, emptyTab(tab)))
      if (!isEmptied || isClosed) return closeDriveTab(tab)
      keepTab(browsing, tab)
    },
    async close() {
      isClosed = true
      const tabs = [...freeTabs.values()].flatMap((kept) => kept.splice(0))
      await Promise.all(tabs.map(closeDriveTab))
    },
  }
}

import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { responseBytes } from '../guard/context.ts'
import { within } from './deadline.ts'
import { watchNavigations, type Navigations } from './navigations.ts'
import { sendScopedHeaders, type ScopedHeaders } from './scoped-headers.ts'
import { watchTraffic, type Traffic } from './traffic.ts'

/** What ends a visit from outside. */
export type Interrupt = 'page-crashed' | 'too-many-dialogs' | 'too-large'

/** One page of the browser, used for many URLs one after another. */
export type Tab = {
  page: Page
  /** Session of the main frame's process. Every call needs a limit of its own: `within`. */
  cdp: CDPSession
  /** Only `holdRefreshes` stops requests by this one: in a session, whoever stops requests gets all, and `cdp` has those with headers. */
  refreshCdp: CDPSession
  traffic: Traffic
  navigations: Navigations
  /** What has come of the document that is shown: bytes when unpacked, elements when it was last asked, and whether the rest never will. */
  received: { bytes: number; elements: number; brokeOff: boolean }
  mainFrameId: string
  /** Aborts, with an `Interrupt`, when the page can no longer be used. */
  interrupted: AbortSignal
  /** The program that shows what a page keeps to itself to what runs after it in one of our worlds. */
  reveal: string
  /** What names the script that its documents hold in the browser, if they do: see `holdAxe`. */
  holding: string | null
  /** URLs visited so far. */
  visits: number
}

const maxDialogs = 20

const nothingYet: Tab['received'] = { bytes: 0, elements: 0, brokeOff: false }

/** Scripts that are in every document before the page's own. */
export type TabScripts = {
  /** Runs in the page's own world. */ main: string
  /** Runs in the world that only we see. */ isolated: string
  /** Is run in our other world, of each document that is looked at: see `Tab`. */ reveal: string
}

/**
 * Worlds that the scanned page cannot reach. They are two, because the watcher looks into frames from outside: an
 * element that one frame's script has seen first keeps that frame's prototypes, and axe in the frame itself would not know it.
 */
export const worldNames = { watch: 'clearway-watch', axe: 'clearway-axe' } as const
export type WorldName = keyof typeof worldNames

/**
 * Counts the bytes of main documents, and calls `tooLarge` when one has more than an answer may have. The guard counts what
 * comes over the wire, of which a hundredth may be enough.
 */
async function measureDocument(
  cdp: CDPSession,
  mainFrameId: string,
  received: Tab['received'],
  tooLarge: () => void,
): Promise<void> {
  let shownId: string | null = null
  /** The document whose answer has come, which may yet be shown: a download and an answer without content never are. */
  let next: { id: string; received: Tab['received'] } | null = null
  const receivedOf = (id: string) => (id === shownId ? received : next?.id === id ? next.received : null)
  cdp.on('Network.responseReceived', ({ requestId, type, frameId }) => {
    if (type === 'Document' && frameId === mainFrameId && requestId !== shownId)
      next = { id: requestId, received: { ...nothingYet } }
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrameId) return
    Object.assign(received, next?.id === frame.loaderId ? next.received : nothingYet)
    shownId = frame.loaderId
    next = null
  })
  cdp.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const document = receivedOf(requestId)
    if (!document) return
    document.bytes += dataLength
    if (document.bytes <= responseBytes) return
    tooLarge()
    cdp.send('Page.stopLoading').catch(() => {})
  })
  cdp.on('Network.loadingFailed', ({ requestId }) => {
    const document = receivedOf(requestId)
    if (document) document.brokeOff = true
  })
  // Nothing of what is received is to be kept for us.
  await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 })
}

/** Opens a page and prepares it for visits; null when the browser does not answer in 10 s. */
export async function openTab(
  context: BrowserContext,
  scripts: TabScripts,
  headers?: ScopedHeaders,
): Promise<Tab | null> {
  const opened = await within(10_000, prepare(context, scripts, headers))
  return opened.done ? opened.value : null
}

async function prepare(
  context: BrowserContext,
  scripts: TabScripts,
  headers: ScopedHeaders | undefined,
): Promise<Tab> {
  const page = await context.newPage()
  const ending = new AbortController()
  const interrupt = (reason: Interrupt) => ending.abort(reason)
  page.on('crash', () => interrupt('page-crashed'))
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    if (dialogs > maxDialogs) interrupt('too-many-dialogs')
    // Leaving is always allowed; everything else is answered with no.
    const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answer.catch(() => {})
  })
  page.on('popup', (popup) => void popup.close().catch(() => {}))
  page.on('framenavigated', (frame) => {
    if (frame.parentFrame() === null) dialogs = 0
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Page.enable')
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.main })
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: scripts.isolated,
    worldName: worldNames.watch,
  })
  if (headers) await sendScopedHeaders(cdp, headers)
  const refreshCdp = await context.newCDPSession(page)
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const received = { ...nothingYet }
  await measureDocument(cdp, frameTree.frame.id, received, () => interrupt('too-large'))
  return {
    page,
    cdp,
    refreshCdp,
    traffic: watchTraffic(page),
    navigations: watchNavigations(cdp, frameTree.frame.id),
    received,
    mainFrameId: frameTree.frame.id,
    interrupted: ending.signal,
    reveal: scripts.reveal,
    holding: null,
    visits: 0,
  }
}

/**
 * The loader and URL of the document that a tab shows now; null when it does not answer. Where the browser shows an error, it is
 * the URL that could not be reached.
 */
export async function shown(tab: Tab): Promise<{ loaderId: string; url: string } | null> {
  const tree = await within(
    2000,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  if (!tree.done || !tree.value) return null
  const { loaderId, url, unreachableUrl } = tree.value.frameTree.frame
  return { loaderId, url: unreachableUrl ?? url }
}

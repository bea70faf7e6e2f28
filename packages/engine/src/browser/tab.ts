import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { maxResponseBytes } from '../guard/context.ts'
import { isCutSource } from './cut-source.ts'
import { withTimeout } from './deadline.ts'
import { watchNavigations, type Navigations } from './navigations.ts'
import { sendScopedHeaders, type ScopedHeaders } from './scoped-headers.ts'
import { watchSentRequests, type LookOnlyRule, type SentRequestLog } from './sent-requests.ts'
import { watchTraffic, type Traffic } from './traffic.ts'

/** External reason that ends a visit. */
export type Interrupt = 'page-crashed' | 'too-many-dialogs' | 'too-large'

/** A browser page that is used for many URLs in succession. */
export type Tab = {
  page: Page
  /** Session of the main frame's process. Every call needs its own timeout: `withTimeout`. */
  cdp: CDPSession
  /**
   * Used only by `holdRefreshes`. A session that intercepts requests receives all of them, and `cdp` handles those with headers.
   */
  refreshCdp: CDPSession
  traffic: Traffic
  /** Requests of the current visit. */
  sent: SentRequestLog
  navigations: Navigations
  /**
   * Received part of the current document: unpacked bytes, elements at the last count, and the error that ended it early.
   * `status`: null for a document that no response brought. `sourceCheck`: resolves when a received document is known to be whole,
   * or has its error.
   */
  received: {
    bytes: number
    elements: number
    status: number | null
    errorCode: string | null
    sourceCheck: Promise<void> | null
  }
  mainFrameId: string
  /** Aborts, with an `Interrupt`, when the page can no longer be used. */
  interrupted: AbortSignal
  /** Script that exposes a page's private state to later scripts in one of our isolated worlds. */
  reveal: string
  /** Identifier of the script that the tab's documents hold, if any: see `holdAxe`. */
  holding: string | null
  /** Number of URLs visited so far. */
  visits: number
}

const maxDialogs = 20

const emptyReceived: Tab['received'] = { bytes: 0, elements: 0, status: null, errorCode: null, sourceCheck: null }

/** Returns true if a document ended with an error. One that another navigation aborted is about to be replaced. */
export const isBrokenOff = ({ errorCode }: Tab['received']): boolean => errorCode !== null && errorCode !== 'net::ERR_ABORTED'

/** Returns true if a document ended with an error before its first byte. */
export const isUnreceived = (received: Tab['received']): received is Tab['received'] & { errorCode: string } =>
  received.bytes === 0 && isBrokenOff(received)

/** Scripts injected into every document before the page's own. */
export type TabScripts = {
  /** Runs in the page's own world. */
  main: string
  /** Runs in the watcher's isolated world. */
  isolated: string
  /** Runs in the other isolated world of each inspected document: see `Tab`. */
  reveal: string
}

/**
 * Isolated worlds that the scanned page cannot reach. Two are needed: the watcher reads frames from outside, and an element first
 * seen by another frame's script keeps that frame's prototypes. Axe in the frame itself would not recognize it.
 */
export const worldNames = { watch: 'clearway-watch', axe: 'clearway-axe' } as const
export type WorldName = keyof typeof worldNames

/** Larger documents are not checked for their end. */
const maxCheckedBytes = 2 * 1024 * 1024
/** The browser has no error of its own for an answer that was compressed after it had broken off, or cut while compressed. */
const cutCode = 'net::ERR_CONTENT_LENGTH_MISMATCH'

type HtmlResponse = { id: string; isZstandard: boolean }
const isZstandard = (headers: Readonly<Record<string, string>>): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-encoding' && /zstd/i.test(value))

/** Returns true if the source of a received document ends in the middle; false if it cannot be read. */
async function readIsCut(cdp: CDPSession, response: HtmlResponse): Promise<boolean> {
  const source = await cdp.send('Network.getResponseBody', { requestId: response.id }).catch(() => null)
  if (source === null || source.base64Encoded) return false
  // Zstandard comes in blocks: of a cut one, nothing is left.
  return source.body === '' ? response.isZstandard : isCutSource(source.body)
}

/**
 * Counts the bytes of main documents, checks that they are whole, and calls `handleTooLarge` above the response limit. The guard counts compressed
 * bytes, of which a hundredth may be enough.
 */
async function measureDocuments(
  cdp: CDPSession,
  mainFrameId: string,
  received: Tab['received'],
  handleTooLarge: () => void,
): Promise<void> {
  let currentLoaderId: string | null = null
  /** Document whose response has arrived but is not shown yet. Downloads and responses without content are never shown. */
  let pendingDocument: { id: string; received: Tab['received'] } | null = null
  let htmlResponse: HtmlResponse | null = null
  const findReceived = (id: string) =>
    id === currentLoaderId ? received : pendingDocument?.id === id ? pendingDocument.received : null
  cdp.on('Network.responseReceived', ({ requestId, type, frameId, response }) => {
    if (type !== 'Document' || frameId !== mainFrameId) return
    if (response.mimeType === 'text/html') htmlResponse = { id: requestId, isZstandard: isZstandard(response.headers) }
    if (requestId !== currentLoaderId)
      pendingDocument = { id: requestId, received: { ...emptyReceived, status: response.status } }
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrameId) return
    Object.assign(received, pendingDocument?.id === frame.loaderId ? pendingDocument.received : emptyReceived)
    currentLoaderId = frame.loaderId
    pendingDocument = null
  })
  cdp.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const receivedDocument = findReceived(requestId)
    if (!receivedDocument) return
    receivedDocument.bytes += dataLength
    if (receivedDocument.bytes <= maxResponseBytes) return
    handleTooLarge()
    cdp.send('Page.stopLoading').catch(() => {})
  })
  cdp.on('Network.loadingFailed', ({ requestId, errorText }) => {
    const receivedDocument = findReceived(requestId)
    if (receivedDocument) receivedDocument.errorCode = errorText
  })
  cdp.on('Network.loadingFinished', ({ requestId }) => {
    if (requestId !== htmlResponse?.id) return
    const sourceCheck = readIsCut(cdp, htmlResponse).then((isCut) => {
      const receivedDocument = isCut ? findReceived(requestId) : null
      if (receivedDocument) receivedDocument.errorCode = cutCode
    })
    const receivedDocument = findReceived(requestId)
    if (receivedDocument) receivedDocument.sourceCheck = sourceCheck
  })
  // Of all responses, only the source of a document is read, as soon as it has arrived.
  const [maxTotalBufferSize, maxResourceBufferSize] = [2 * maxCheckedBytes, maxCheckedBytes]
  await cdp.send('Network.enable', { maxTotalBufferSize, maxResourceBufferSize, maxPostDataSize: 0 })
}

/** The settings of a run that concern a tab. */
type TabSettings = { scripts: TabScripts; headers?: ScopedHeaders; lookOnly?: LookOnlyRule }

/**
 * Opens a page and prepares it for visits; null if the browser does not respond within 10 s.
 * @param hasUnseenWindow see `hasUnseenWindows` of `LaunchedBrowser`
 */
export async function openTab(context: BrowserContext, settings: TabSettings, hasUnseenWindow: boolean): Promise<Tab | null> {
  const openResult = await withTimeout(10_000, prepareTab(context, settings, hasUnseenWindow))
  return openResult.done ? openResult.value : null
}

/**
 * Minimizes the window of a page after a new page or a popup has restored it. While a page loads, the browser would draw the
 * animation in its tab sixty times a second. The page stays visible and keeps its sizes, because the driver emulates focus.
 */
async function minimizeWindow(cdp: CDPSession): Promise<void> {
  const { windowId } = await cdp.send('Browser.getWindowForTarget')
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'minimized' } })
}

async function prepareTab(
  context: BrowserContext,
  { scripts, headers, lookOnly }: TabSettings,
  hasUnseenWindow: boolean,
): Promise<Tab> {
  const page = await context.newPage()
  const interruptController = new AbortController()
  const interruptVisit = (reason: Interrupt) => interruptController.abort(reason)
  page.on('crash', () => interruptVisit('page-crashed'))
  let dialogCount = 0
  page.on('dialog', (dialog) => {
    dialogCount += 1
    if (dialogCount > maxDialogs) interruptVisit('too-many-dialogs')
    // Leaving is always allowed; all other dialogs are dismissed.
    const dialogReply = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    dialogReply.catch(() => {})
  })
  page.on('framenavigated', (frame) => {
    if (frame.parentFrame() === null) dialogCount = 0
  })
  const cdp = await context.newCDPSession(page)
  // A window that stays open costs time, and nothing else.
  const hideWindow = async (): Promise<void> => {
    if (hasUnseenWindow) await minimizeWindow(cdp).catch(() => {})
  }
  const closePopup = async (popup: Page): Promise<void> => {
    await popup.close().catch(() => {})
    await hideWindow()
  }
  page.on('popup', (popup) => void closePopup(popup))
  await hideWindow()
  await cdp.send('Page.enable')
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.main })
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.isolated, worldName: worldNames.watch })
  if (headers) await sendScopedHeaders(cdp, headers)
  const refreshCdp = await context.newCDPSession(page)
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const receivedTotals = { ...emptyReceived }
  await measureDocuments(cdp, frameTree.frame.id, receivedTotals, () => interruptVisit('too-large'))
  return {
    page,
    cdp,
    refreshCdp,
    traffic: watchTraffic(page),
    sent: watchSentRequests(page, lookOnly ?? null),
    navigations: watchNavigations(cdp, frameTree.frame.id),
    received: receivedTotals,
    mainFrameId: frameTree.frame.id,
    interrupted: interruptController.signal,
    reveal: scripts.reveal,
    holding: null,
    visits: 0,
  }
}

/**
 * Returns the loader and URL with fragment of a tab's current document; null if the tab does not respond. For a browser error page,
 * returns the URL that could not be reached.
 */
export async function readCurrentDocument(tab: Tab): Promise<{ loaderId: string; url: string } | null> {
  const frameTreeResult = await withTimeout(
    2000,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  if (!frameTreeResult.done || !frameTreeResult.value) return null
  const { loaderId, url, urlFragment = '', unreachableUrl } = frameTreeResult.value.frameTree.frame
  return { loaderId, url: unreachableUrl ?? `${url}${urlFragment}` }
}

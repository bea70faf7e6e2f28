import type { CDPSession, Frame, Request, Route, Worker } from 'playwright-core'
import { succeedsInTime, withTimeout } from '../../browser/deadline.ts'
import type { Tab } from '../../browser/tab.ts'
import { isHarmlessRequest } from './harmless-request.ts'

/** Guard of a tab whose page is pressed: while it is on, the page cannot navigate, and sends nothing but harmless GET requests. */
export type PressGuard = {
  /** Returns false if the page does not respond: nothing may be pressed then. */
  arm(): Promise<boolean>
  disarm(): Promise<void>
  /** Opens an empty page instead, with the guard as it is. Returns false if the page did not end, and was killed. */
  endPage(): Promise<boolean>
  /** Number of navigations that were refused since the start. */
  countNavigations(): number
  /** Number of requests of any kind that were refused since the start. */
  countRefused(): number
  close(): Promise<void>
}

const callTimeoutMs = 2000
const maxEndMs = 5000
/** Time for the browser to kill a page; it does not respond to the call. */
const killMs = 200
const openedBinding = 'clearwayOpened'

/**
 * Runs in the own world of a page or frame. Sockets send nothing more, no window opens, and no worker starts: a worker could
 * send before it is muted.
 */
function muteInPage(bindingName: string): void {
  const report = (globalThis as unknown as Record<string, (text: string) => void>)[bindingName]
  WebSocket.prototype.send = () => undefined
  globalThis.open = () => {
    report?.('open')
    return null
  }
  const InertWorker = class extends EventTarget {
    postMessage() {}
    terminate() {}
  }
  globalThis.Worker = InertWorker as unknown as typeof Worker
}

/** Runs in a worker: its requests are held like those of pages, its sockets are not. */
function muteInWorker(): void {
  WebSocket.prototype.send = () => undefined
}

/** Returns false for a call that failed or had no answer in time. */
const succeeds = (pending: Promise<unknown>): Promise<boolean> => succeedsInTime(callTimeoutMs, pending)

/** The frame of a request; a window that opens has none yet, and must not navigate either. */
function getFrame(request: Request): Frame | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}

const muteFrame = (frame: Frame) => succeeds(frame.evaluate(muteInPage, openedBinding))
const muteWorker = (worker: Worker) => succeeds(worker.evaluate(muteInWorker))
/** Frames without a document of a site, such as refused ones, run no scripts. */
const mayRunScripts = (frame: Frame) => !frame.isDetached() && /^(?:https?|blob|data):|^about:srcdoc/.test(frame.url())

/** Mutes the frames of a page and their workers. Returns false if one does not respond: it may send something later. */
async function muteAll(page: Tab['page']): Promise<boolean> {
  const mutedFrames = page.frames().map(async (frame) => (await muteFrame(frame)) || !mayRunScripts(frame))
  // A worker that ended sends nothing.
  const mutedWorkers = page.workers().map(async (worker) => (await muteWorker(worker)) || !page.workers().includes(worker))
  return (await Promise.all([...mutedFrames, ...mutedWorkers])).every(Boolean)
}

/** Refuses redirects to what may change something: routes see the first request only, not those that it is redirected to. */
function judgeRedirects(session: CDPSession, isArmed: () => boolean, noteRefused: () => void): void {
  session.on('Fetch.requestPaused', ({ requestId, redirectedRequestId, request }) => {
    const isRefused = isArmed() && redirectedRequestId !== undefined && !isHarmlessRequest(request.method, request.url)
    if (isRefused) noteRefused()
    const reply = isRefused
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : session.send('Fetch.continueRequest', { requestId })
    reply.catch(() => {})
  })
}

/** Opens a session of the DevTools protocol. Null if the page does not respond. */
async function openSession(page: Tab['page']): Promise<CDPSession | null> {
  const openResult = await withTimeout(
    callTimeoutMs,
    page
      .context()
      .newCDPSession(page)
      .catch(() => null),
  )
  return openResult.done ? openResult.value : null
}

/** Opens an empty page instead. Returns false if the page did not end, and was killed. */
async function endPage(page: Tab['page'], session: CDPSession): Promise<boolean> {
  if (await succeedsInTime(maxEndMs, page.goto('about:blank', { timeout: maxEndMs }))) return true
  // A page that is closed while a script of it runs could still send.
  await succeedsInTime(killMs, session.send('Page.crash'))
  return false
}

/** Opens the guard of a tab, off. The context of the tab must have no other pages. Null if the page does not respond. */
export async function openPressGuard({ page }: Tab): Promise<PressGuard | null> {
  const browserContext = page.context()
  const mainFrame = page.mainFrame()
  let isArmed = false
  let [navigationCount, refusedCount] = [0, 0]
  const noteRefused = () => void (refusedCount += 1)
  const session = await openSession(page)
  if (!session) return null
  const isAllowed = (route: Route): boolean => {
    const request = route.request()
    const frame = getFrame(request)
    if (request.isNavigationRequest() && (frame === null || frame === mainFrame)) {
      navigationCount += 1
      return false
    }
    return isHarmlessRequest(request.method(), request.url())
  }
  // Frames of other sites have processes of their own: the routes of a context hold the requests of all of them.
  const handleRoute = (route: Route) => {
    if (!isArmed || isAllowed(route)) return void route.fallback().catch(() => {})
    noteRefused()
    route.abort('aborted').catch(() => {})
  }
  judgeRedirects(session, () => isArmed, noteRefused)
  page.on('framenavigated', (frame) => {
    if (isArmed) void muteFrame(frame)
  })
  page.on('worker', (worker) => {
    if (isArmed) void muteWorker(worker)
  })
  session.on('Runtime.bindingCalled', ({ name }) => {
    if (name !== openedBinding || !isArmed) return
    navigationCount += 1
    noteRefused()
  })
  const isReady =
    (await succeeds(session.send('Runtime.enable'))) &&
    (await succeeds(session.send('Runtime.addBinding', { name: openedBinding })))
  if (!isReady) return null
  return {
    async arm() {
      isArmed = true
      // Routes turn the cache off, so there is none while pages load.
      if (!(await succeeds(browserContext.route('**/*', handleRoute)))) return false
      if (!(await succeeds(session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })))) return false
      return muteAll(page)
    },
    async disarm() {
      isArmed = false
      await succeeds(session.send('Fetch.disable'))
      await succeeds(browserContext.unroute('**/*', handleRoute))
    },
    endPage: () => endPage(page, session),
    countNavigations: () => navigationCount,
    countRefused: () => refusedCount,
    async close() {
      await succeeds(session.detach())
    },
  }
}

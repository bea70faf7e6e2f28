import type { CDPSession } from 'playwright-core'
import { withTimeout } from '../browser/deadline.ts'
import { lookingMethods } from '../browser/sent-requests.ts'
import type { Tab } from '../browser/tab.ts'
import { judgeActing } from '../crawl/action/judge.ts'

/** Guard of a driven tab: while it is on, the page cannot navigate, and sends nothing but harmless GET requests. */
export type DriveGuard = {
  /** Returns false if the page does not respond: nothing may be pressed then. */
  arm(): Promise<boolean>
  disarm(): void
  /** Number of navigations that were refused since the start. */
  countNavigations(): number
  close(): Promise<void>
}

const callTimeoutMs = 2000
const openedBinding = 'clearwayOpened'

/** Runs in the page's own world. Sockets send nothing more, and no window opens. */
function muteInPage(bindingName: string): void {
  const report = (globalThis as unknown as Record<string, (text: string) => void>)[bindingName]
  WebSocket.prototype.send = () => undefined
  globalThis.open = () => {
    report?.('open')
    return null
  }
}

type PausedRequest = { requestId: string; request: { url: string; method: string }; frameId: string; resourceType: string }

/** Opens the guard of a tab, off. Null if the page does not respond. */
export async function openDriveGuard({ page, mainFrameId }: Tab): Promise<DriveGuard | null> {
  let isArmed = false
  let navigationCount = 0
  const sessionResult = await withTimeout(
    callTimeoutMs,
    page
      .context()
      .newCDPSession(page)
      .catch(() => null),
  )
  const session: CDPSession | null = sessionResult.done ? sessionResult.value : null
  if (!session) return null
  const isAllowed = ({ request, frameId, resourceType }: PausedRequest): boolean => {
    if (!isArmed) return true
    if (resourceType === 'Document' && frameId === mainFrameId) {
      navigationCount += 1
      return false
    }
    const url = URL.parse(request.url)
    return lookingMethods.has(request.method) && (url === null || judgeActing(url) === null)
  }
  session.on('Fetch.requestPaused', (paused) => {
    const reply = isAllowed(paused)
      ? session.send('Fetch.continueRequest', { requestId: paused.requestId })
      : session.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' })
    reply.catch(() => {})
  })
  session.on('Runtime.bindingCalled', ({ name }) => {
    if (name === openedBinding && isArmed) navigationCount += 1
  })
  /** Returns false for a call that failed or had no answer in time. */
  const send = async (pending: Promise<unknown>): Promise<boolean> => {
    const result = await withTimeout(
      callTimeoutMs,
      pending.then(
        () => true,
        () => false,
      ),
    )
    return result.done && result.value
  }
  const isReady =
    (await send(session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }))) &&
    (await send(session.send('Runtime.enable'))) &&
    (await send(session.send('Runtime.addBinding', { name: openedBinding })))
  if (!isReady) return null
  return {
    async arm() {
      isArmed = true
      return send(session.send('Runtime.evaluate', { expression: `(${muteInPage.toString()})('${openedBinding}')` }))
    },
    disarm: () => void (isArmed = false),
    countNavigations: () => navigationCount,
    async close() {
      await send(session.detach())
    },
  }
}

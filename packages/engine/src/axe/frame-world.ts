import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld, type CdpSession, type IsolatedWorld } from '../browser/isolated-world.ts'
import { documentTypeExpression, testedMimeTypes } from './document-type.ts'
import { type AnalyzeOptions, injectAndCount } from './report.ts'

/** Maximum wait for a frame's first response: a frame that cannot run scripts never responds. */
const firstResponseMs = 3000

/**
 * Maximum wait for later responses. A frame that has responded is busy, possibly for long on a busy machine; a fixed
 * limit would change the results. Half of the remaining time, so that no frame uses up the time of all others.
 */
export const computeTimeoutMs = (deadlineAt: number): number => Math.max(200, (deadlineAt - performance.now()) / 2)

/** A frame's world with axe and its number of elements, or the reason why the frame is not tested, in English. */
export type EnteredFrame = { world: IsolatedWorld; elements: number } | { not: string }

/** Opens isolated worlds in the frames of one page. */
export type FrameWorlds = {
  /** Enters the frame that a selector identifies in its parent, and injects axe. */
  enterFrame(parent: IsolatedWorld, selector: string | string[]): Promise<EnteredFrame>
  close(): Promise<void>
}

/** The frame of an element, and the element's source attributes. */
type FrameElement = { frameId: string | null; src: string; srcdoc: boolean }

async function readFrameElement(
  { session, contextId }: IsolatedWorld,
  selector: string | string[],
  deadlineAt: number,
): Promise<FrameElement> {
  const emptyElement = { frameId: null, src: '', srcdoc: false }
  const expression = `clearwayPage.frameElement(${JSON.stringify(selector)})`
  const elementResult = await withTimeout(
    computeTimeoutMs(deadlineAt),
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => null),
  )
  const objectId = elementResult.done ? elementResult.value?.result.objectId : undefined
  if (objectId === undefined) return emptyElement
  const describeResult = await withTimeout(
    computeTimeoutMs(deadlineAt),
    session.send('DOM.describeNode', { objectId }).catch(() => null),
  )
  const frameNode = describeResult.done ? describeResult.value?.node : undefined
  const attributeList = frameNode?.attributes ?? []
  // Names and values alternate.
  const getAttribute = (name: string) =>
    attributeList.find((_, listIndex) => listIndex % 2 === 1 && attributeList[listIndex - 1] === name)
  return {
    frameId: frameNode?.frameId ?? null,
    src: getAttribute('src')?.trim() ?? '',
    srcdoc: getAttribute('srcdoc') !== undefined,
  }
}

type FrameDocument = { url: string; type: string }

/** Frames without scripting have promises but no timers. */
export const documentScript = `new Promise((resolve) => setTimeout(() => resolve({
  url: location.href,
  type: ${documentTypeExpression},
})))`

/**
 * Returns a frame's document; null if it runs no scripts. The timeout starts after the parent has answered a later
 * request: until then, the usually shared process is busy, rather than the frame silent.
 */
async function readFrameDocument(
  { session, contextId }: IsolatedWorld,
  parent: IsolatedWorld,
  deadlineAt: number,
): Promise<FrameDocument | null> {
  const evaluateOptions = { expression: documentScript, contextId, awaitPromise: true, returnByValue: true }
  const pendingResult = session.send('Runtime.evaluate', evaluateOptions).catch(() => null)
  await callInWorld(parent, '0', computeTimeoutMs(deadlineAt))
  const evaluateResult = await withTimeout(Math.min(firstResponseMs, computeTimeoutMs(deadlineAt)), pendingResult)
  return evaluateResult.done ? ((evaluateResult.value?.result.value as FrameDocument | undefined) ?? null) : null
}

/** Returns why a frame shows no content of the page, in English; null if it does. */
export function explainNoContent({ url, type }: FrameDocument, { src: sourceUrl, srcdoc }: FrameElement): string | null {
  if (url.startsWith('chrome-error:')) return 'it could not be loaded'
  if (!testedMimeTypes.has(type)) return `it is of type ${type}`
  // The initial document of every frame: a lazy frame, a download, a response without content, a hanging one.
  const isExpectedEmpty = !srcdoc && (sourceUrl === '' || /^(?:about|javascript):/i.test(sourceUrl))
  return url === 'about:blank' && !isExpectedEmpty ? 'it was not loaded' : null
}

/** Names a frame in one line: its URL, its source, or empty. */
const describeFrame = (url: string, { src, srcdoc }: FrameElement): string =>
  (/^https?:/.test(url) ? url : srcdoc ? 'about:srcdoc' : src).slice(0, 300).replace(/\s+/g, ' ')

/** Opens sessions of frames in other processes, by frame id. */
export async function openRemoteSessions(tab: Tab, maxFrames: number, deadlineAt: number) {
  const sessionsByFrame = new Map<string, Tab['cdp']>()
  for (const frame of tab.page.frames().slice(1, maxFrames + 1)) {
    // Rejects for a frame that shares its parent's process.
    const pendingSession = tab.page.context().newCDPSession(frame)
    const openResult = await withTimeout(
      Math.min(firstResponseMs, computeTimeoutMs(deadlineAt)),
      pendingSession.catch(() => null),
    )
    if (!openResult.done || !openResult.value) continue
    const treeResult = await withTimeout(
      Math.min(firstResponseMs, computeTimeoutMs(deadlineAt)),
      openResult.value.send('Page.getFrameTree').catch(() => null),
    )
    if (treeResult.done && treeResult.value) sessionsByFrame.set(treeResult.value.frameTree.frame.id, openResult.value)
  }
  return sessionsByFrame
}

/** Prepares to enter at most `maxFrames` frames of a tab until `deadlineAt` (on the `performance.now()` scale). */
export function openFrameWorlds(
  tab: Tab,
  options: AnalyzeOptions,
  { most: maxFrames, end: deadlineAt }: { most: number; end: number },
): FrameWorlds {
  let pendingSessions: ReturnType<typeof openRemoteSessions> | null = null
  return {
    async enterFrame(parent, selector) {
      const frameElement = await readFrameElement(parent, selector, deadlineAt)
      const { frameId } = frameElement
      const rejectFrame = (reason: string, url = '') => ({
        not: `${describeFrame(url, frameElement) || 'A frame'}: ${reason}`,
      })
      if (frameId === null) return rejectFrame('it is gone')
      let frameWorld = await openWorld(parent.session, frameId, 'axe', computeTimeoutMs(deadlineAt))
      if (!frameWorld) {
        pendingSessions ??= openRemoteSessions(tab, maxFrames, deadlineAt)
        const frameSession: CdpSession | undefined = (await pendingSessions).get(frameId)
        if (frameSession) frameWorld = await openWorld(frameSession, frameId, 'axe', computeTimeoutMs(deadlineAt))
      }
      const frameDocument = frameWorld && (await readFrameDocument(frameWorld, parent, deadlineAt))
      if (!frameWorld || !frameDocument) return rejectFrame('it did not answer')
      const noContentReason = explainNoContent(frameDocument, frameElement)
      if (noContentReason !== null) return rejectFrame(noContentReason, frameDocument.url)
      const injectResult = await injectAndCount(tab, frameWorld, options, computeTimeoutMs(deadlineAt))
      if (injectResult.kind !== 'value') return rejectFrame('it did not answer', frameDocument.url)
      return { world: frameWorld, elements: injectResult.value }
    },
    async close() {
      const remoteSessionMap = pendingSessions ? await pendingSessions : null
      for (const session of remoteSessionMap?.values() ?? []) session.detach().catch(() => {})
    },
  }
}

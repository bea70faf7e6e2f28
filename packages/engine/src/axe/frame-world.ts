import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld, type CdpSession, type IsolatedWorld } from '../browser/world.ts'
import { testedTypes } from './document-type.ts'
import { type AnalyseOptions, bringAndCount } from './report.ts'

/** Longest wait for a frame's first answer: a frame that cannot run scripts gives none, ever. */
const silentMs = 3000

/**
 * Longest wait for anything further. A frame that has answered is at work, and on a busy machine that takes what it takes:
 * a fixed limit would change the results. Half of what is left, so that no frame takes the time of all others.
 */
export const patience = (end: number): number => Math.max(200, (end - performance.now()) / 2)

/** A frame's world with axe in it and how many elements it has, or why the frame is not tested, in English. */
export type Entered = { world: IsolatedWorld; elements: number } | { not: string }

/** Opens worlds in the frames of one page. */
export type FrameWorlds = {
  /** The frame that a selector names in its parent, with axe in it. */
  enter(parent: IsolatedWorld, selector: string | string[]): Promise<Entered>
  close(): Promise<void>
}

/** The frame that an element holds, and what the element says of it. */
type FrameElement = { frameId: string | null; src: string; srcdoc: boolean }

async function elementOf(
  { session, contextId }: IsolatedWorld,
  selector: string | string[],
  end: number,
): Promise<FrameElement> {
  const none = { frameId: null, src: '', srcdoc: false }
  const expression = `axe.utils.shadowSelect(${JSON.stringify(selector)})`
  const element = await withTimeout(
    patience(end),
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => null),
  )
  const objectId = element.done ? element.value?.result.objectId : undefined
  if (objectId === undefined) return none
  const described = await withTimeout(
    patience(end),
    session.send('DOM.describeNode', { objectId }).catch(() => null),
  )
  const node = described.done ? described.value?.node : undefined
  const list = node?.attributes ?? []
  // Names and values in turn.
  const valueOf = (name: string) => list.find((_, n) => n % 2 === 1 && list[n - 1] === name)
  return {
    frameId: node?.frameId ?? null,
    src: valueOf('src')?.trim() ?? '',
    srcdoc: valueOf('srcdoc') !== undefined,
  }
}

type FrameDocument = { url: string; type: string }

/**
 * Timers are what a frame without scripts does not have; promises it has. What a page names `contentType` hides the document's.
 */
export const documentProgram = `new Promise((resolve) => setTimeout(() => resolve({
  url: location.href,
  type: Object.getOwnPropertyDescriptor(Document.prototype, 'contentType').get.call(document),
})))`

/**
 * What a frame shows; null when it runs no scripts. The clock starts when its parent has answered a question that was asked
 * later: until then it is the process they mostly share that is busy, not the frame that is silent.
 */
async function documentOf(
  { session, contextId }: IsolatedWorld,
  parent: IsolatedWorld,
  end: number,
): Promise<FrameDocument | null> {
  const options = { expression: documentProgram, contextId, awaitPromise: true, returnByValue: true }
  const first = session.send('Runtime.evaluate', options).catch(() => null)
  await callInWorld(parent, '0', patience(end))
  const answered = await withTimeout(Math.min(silentMs, patience(end)), first)
  return answered.done ? ((answered.value?.result.value as FrameDocument | undefined) ?? null) : null
}

/** Why what a frame shows is no content of the page, in English; null when it is. */
export function whyNoContent({ url, type }: FrameDocument, { src, srcdoc }: FrameElement): string | null {
  if (url.startsWith('chrome-error:')) return 'it could not be loaded'
  if (!testedTypes.has(type)) return `it is of type ${type}`
  // The document that every frame begins with: a lazy frame, a download, an answer without content, one that hangs.
  const empty = !srcdoc && (src === '' || /^(?:about|javascript):/i.test(src))
  return url === 'about:blank' && !empty ? 'it was not loaded' : null
}

/** What to call a frame in one line: where it is, where it should be, or nothing. */
const nameOf = (url: string, { src, srcdoc }: FrameElement): string =>
  (/^https?:/.test(url) ? url : srcdoc ? 'about:srcdoc' : src).slice(0, 300).replace(/\s+/g, ' ')

/** Sessions of the frames that run in processes of their own, by frame id. */
async function remoteSessions(tab: Tab, most: number, end: number) {
  const sessions = new Map<string, Tab['cdp']>()
  for (const frame of tab.page.frames().slice(1, most + 1)) {
    // Rejects for a frame that shares its parent's process.
    const opening = tab.page.context().newCDPSession(frame)
    const opened = await withTimeout(
      Math.min(silentMs, patience(end)),
      opening.catch(() => null),
    )
    if (!opened.done || !opened.value) continue
    const tree = await withTimeout(
      Math.min(silentMs, patience(end)),
      opened.value.send('Page.getFrameTree').catch(() => null),
    )
    if (tree.done && tree.value) sessions.set(tree.value.frameTree.frame.id, opened.value)
  }
  return sessions
}

/** Prepares to enter the frames of a tab, `most` at the most, until `end` (on the scale of `performance.now()`). */
export function openFrameWorlds(
  tab: Tab,
  options: AnalyseOptions,
  { most, end }: { most: number; end: number },
): FrameWorlds {
  let remote: ReturnType<typeof remoteSessions> | null = null
  return {
    async enter(parent, selector) {
      const element = await elementOf(parent, selector, end)
      const { frameId } = element
      const not = (why: string, url = '') => ({ not: `${nameOf(url, element) || 'A frame'}: ${why}` })
      if (frameId === null) return not('it is gone')
      let world = await openWorld(parent.session, frameId, 'axe', patience(end))
      if (!world) {
        remote ??= remoteSessions(tab, most, end)
        const session: CdpSession | undefined = (await remote).get(frameId)
        if (session) world = await openWorld(session, frameId, 'axe', patience(end))
      }
      const shown = world && (await documentOf(world, parent, end))
      if (!world || !shown) return not('it did not answer')
      const why = whyNoContent(shown, element)
      if (why !== null) return not(why, shown.url)
      const injected = await bringAndCount(tab, world, options, patience(end))
      if (injected.kind !== 'value') return not('it did not answer', shown.url)
      return { world, elements: injected.value }
    },
    async close() {
      const sessions = remote ? await remote : null
      for (const session of sessions?.values() ?? []) session.detach().catch(() => {})
    },
  }
}

import { openRemoteSessions } from '../../axe/frame-world.ts'
import { withTimeout } from '../../browser/deadline.ts'
import { callInWorld, openWorld, type CdpSession, type IsolatedWorld } from '../../browser/isolated-world.ts'
import type { Tab } from '../../browser/tab.ts'
import { listRootsInPage } from './roots-in-page.ts'

/** Maximum number of frames that are searched; a page with more shows advertisements. */
const maxFrames = 20
const callTimeoutMs = 2000

/** A document of a page: the page itself, or a frame at any depth. */
export type PageDocument = { world: IsolatedWorld; frameId: string; isMain: boolean }

type FrameTree = { frame: { id: string }; childFrames?: FrameTree[] }
const listFrameIds = ({ frame, childFrames = [] }: FrameTree): string[] => [frame.id, ...childFrames.flatMap(listFrameIds)]

/** Opens our world in the documents of a tab, also in frames of other processes. `close` ends the sessions of those. */
export async function openPageDocuments(tab: Tab): Promise<{ documents: PageDocument[]; close: () => void }> {
  const openDocument = async (session: CdpSession, frameId: string): Promise<PageDocument[]> => {
    const world = await openWorld(session, frameId, 'axe', callTimeoutMs)
    return world ? [{ world, frameId, isMain: frameId === tab.mainFrameId }] : []
  }
  const frameCount = tab.page.frames().length
  if (frameCount === 1) return { documents: await openDocument(tab.cdp, tab.mainFrameId), close: () => {} }
  const treeResult = await withTimeout(
    callTimeoutMs,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  const frameIds = treeResult.done && treeResult.value ? listFrameIds(treeResult.value.frameTree) : [tab.mainFrameId]
  const remoteSessions =
    frameIds.length < frameCount
      ? await openRemoteSessions(tab, maxFrames, performance.now() + 2 * callTimeoutMs)
      : new Map<string, CdpSession>()
  const documents: PageDocument[] = []
  for (const frameId of frameIds.slice(0, maxFrames)) documents.push(...(await openDocument(tab.cdp, frameId)))
  for (const [frameId, session] of remoteSessions) documents.push(...(await openDocument(session, frameId)))
  return {
    documents,
    close() {
      for (const session of remoteSessions.values()) (session as Tab['cdp']).detach().catch(() => {})
    },
  }
}

/** Path of the element that contains a frame, seen from the page; null if it is not in the page's light tree. */
const pathExpression = `function () {
  const { getRootNode } = Node.prototype
  const getParent = (element) => Reflect.get(Node.prototype, 'parentElement', element)
  const getSiblings = (element) => Reflect.get(Element.prototype, 'children', getParent(element))
  const documentElement = Reflect.get(Document.prototype, 'documentElement', document)
  let step = this
  for (let root = getRootNode.call(step); root instanceof ShadowRoot; root = getRootNode.call(step)) step = root.host
  const steps = []
  for (; step && step !== documentElement && steps.length < 1000; step = getParent(step))
    steps.unshift(':nth-child(' + ((getParent(step) ? [...getSiblings(step)].indexOf(step) : -1) + 1) + ')')
  return ['html', ...steps].join(' > ')
}`

/** Returns the path of the element in the page that contains a frame of the page itself; null if there is none. */
export async function readFramePath(tab: Tab, frameId: string, pageWorld: IsolatedWorld): Promise<string | null> {
  const readPath = async (): Promise<string | null> => {
    const { backendNodeId } = await tab.cdp.send('DOM.getFrameOwner', { frameId })
    const { object } = await tab.cdp.send('DOM.resolveNode', { backendNodeId, executionContextId: pageWorld.contextId })
    if (object.objectId === undefined) return null
    const callOptions = { objectId: object.objectId, functionDeclaration: pathExpression, returnByValue: true }
    const { result } = await tab.cdp.send('Runtime.callFunctionOn', callOptions)
    return typeof result.value === 'string' ? result.value : null
  }
  const pathResult = await withTimeout(
    callTimeoutMs,
    readPath().catch(() => null),
  )
  return pathResult.done ? pathResult.value : null
}

/** Evaluates an expression in a document; null if the document is gone or does not respond. */
export async function evaluateInDocument<T>({ world }: PageDocument, expression: string): Promise<T | null> {
  const callResult = await callInWorld<T>(world, expression, callTimeoutMs)
  return callResult.kind === 'value' ? callResult.value : null
}

/**
 * Calls a function in a document with the roots that it searches. Closed shadow roots are open to our world after `reveal`.
 * @returns null if the document is gone or does not respond
 */
export const evaluateWithRoots = <Input, Result>(
  tab: Tab,
  document: PageDocument,
  inPage: (input: Input, searchRoots: readonly Node[]) => Result,
  input: Input,
): Promise<Result | null> =>
  evaluateInDocument(document, `${tab.reveal}(${inPage.toString()})(${JSON.stringify(input)}, (${listRootsInPage.toString()})())`)

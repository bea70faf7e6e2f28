import type { CDPSession } from 'playwright-core'
import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { htmlMimeTypes } from './document-type.ts'
import { computeTimeoutMs, openRemoteSessions } from './frame-world.ts'

type FrameTree = Awaited<ReturnType<typeof readFrameTree>>
type FrameNode = NonNullable<FrameTree>

/** Elements that show a document like a frame does, and that axe does not enter. */
const embeddingElements = new Set(['object', 'embed'])

const callSession = async <Value>(deadlineAt: number, pendingReply: Promise<Value>): Promise<Value | null> => {
  const reply = await withTimeout(
    Math.min(1000, computeTimeoutMs(deadlineAt)),
    pendingReply.catch(() => null),
  )
  return reply.done ? reply.value : null
}

const readFrameTree = async (session: CDPSession, deadlineAt: number) =>
  (await callSession(deadlineAt, session.send('Page.getFrameTree')))?.frameTree ?? null

const listNodes = (node: FrameNode): FrameNode[] => [node, ...(node.childFrames ?? []).flatMap(listNodes)]

/** Returns the name of the element that shows a frame; null for an element without a box. */
async function readVisibleOwner(session: CDPSession, frameId: string, deadlineAt: number): Promise<string | null> {
  const owner = await callSession(deadlineAt, session.send('DOM.getFrameOwner', { frameId }))
  if (!owner) return null
  const { backendNodeId } = owner
  const described = await callSession(deadlineAt, session.send('DOM.describeNode', { backendNodeId }))
  const ownerName = described?.node.localName ?? null
  if (ownerName === null || !embeddingElements.has(ownerName)) return null
  const box = await callSession(deadlineAt, session.send('DOM.getBoxModel', { backendNodeId }))
  return box && box.model.width > 0 && box.model.height > 0 ? ownerName : null
}

/**
 * Lists the web pages that a page shows in `<object>` and `<embed>`, each with the reason why it is not tested, in
 * English. Images and files in these elements have no document of their own to test.
 */
export async function listEmbeddedDocuments(tab: Tab, maxFrames: number, deadlineAt: number): Promise<string[]> {
  const remoteSessions = await openRemoteSessions(tab, maxFrames, deadlineAt)
  const sessions = [tab.cdp, ...remoteSessions.values()]
  const notTested: string[] = []
  try {
    for (const treeSession of sessions) {
      const tree = await readFrameTree(treeSession, deadlineAt)
      if (!tree) continue
      // The element of a session's topmost frame is in the process of its parent.
      for (const { frame } of listNodes(tree).slice(0, maxFrames)) {
        if (frame.id === tab.mainFrameId || !htmlMimeTypes.has(frame.mimeType) || performance.now() > deadlineAt) continue
        const ownerSessions = frame.id === tree.frame.id ? sessions.filter((session) => session !== treeSession) : [treeSession]
        for (const ownerSession of ownerSessions) {
          const ownerName = await readVisibleOwner(ownerSession, frame.id, deadlineAt)
          if (ownerName === null) continue
          notTested.push(`${frame.url.slice(0, 300)}: axe does not test pages in <${ownerName}>`)
          break
        }
      }
    }
  } finally {
    for (const session of remoteSessions.values()) session.detach().catch(() => {})
  }
  return notTested
}

import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf, type Session, type World } from '../browser/world.ts'

/** Longest time for one call into one frame: a frame that cannot run scripts never answers. */
export const frameMs = 3000

/** Opens worlds in the frames of one page. */
export type FrameWorlds = {
  /** A world with `script` in the frame that a selector names in its parent; null when it cannot be had. */
  enter(parent: World, selector: string | string[], script: string): Promise<World | null>
  close(): Promise<void>
}

async function frameIdOf({ session, contextId }: World, selector: string | string[]): Promise<string | null> {
  const expression = `axe.utils.shadowSelect(${JSON.stringify(selector)})`
  const element = await within(
    frameMs,
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => null),
  )
  const objectId = element.done ? element.value?.result.objectId : undefined
  if (objectId === undefined) return null
  const node = await within(
    frameMs,
    session.send('DOM.describeNode', { objectId }).catch(() => null),
  )
  return (node.done ? node.value?.node.frameId : null) ?? null
}

/** Sessions of the frames that run in processes of their own, by frame id. */
async function remoteSessions(tab: Tab, most: number) {
  const sessions = new Map<string, Tab['cdp']>()
  for (const frame of tab.page.frames().slice(1, most + 1)) {
    // Rejects for a frame that shares its parent's process.
    const opening = tab.page.context().newCDPSession(frame)
    const opened = await within(
      500,
      opening.catch(() => null),
    )
    if (!opened.done || !opened.value) continue
    const tree = await within(
      500,
      opened.value.send('Page.getFrameTree').catch(() => null),
    )
    if (tree.done && tree.value) sessions.set(tree.value.frameTree.frame.id, opened.value)
  }
  return sessions
}

/** Prepares to enter the frames of a tab, `most` at the most. */
export function openFrameWorlds(tab: Tab, most: number): FrameWorlds {
  let remote: ReturnType<typeof remoteSessions> | null = null
  return {
    async enter(parent, selector, script) {
      const frameId = await frameIdOf(parent, selector)
      if (frameId === null) return null
      let world = await worldOf(parent.session, frameId, 'axe', frameMs)
      if (!world) {
        remote ??= remoteSessions(tab, most)
        const session: Session | undefined = (await remote).get(frameId)
        if (session) world = await worldOf(session, frameId, 'axe', frameMs)
      }
      if (!world) return null
      const injected = await call(world, script, frameMs)
      return injected.kind === 'value' ? world : null
    },
    async close() {
      const sessions = remote ? await remote : null
      for (const session of sessions?.values() ?? []) session.detach().catch(() => {})
    },
  }
}

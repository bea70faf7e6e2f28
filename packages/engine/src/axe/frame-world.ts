import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf, type Session, type World } from '../browser/world.ts'

/** Longest wait for a frame's first answer: a frame that cannot run scripts gives none, ever. */
const silentMs = 3000

/**
 * Longest wait for anything further. A frame that has answered is at work, and on a busy machine that takes what it takes:
 * a fixed limit would change the results. Half of what is left, so that no frame takes the time of all others.
 */
export const patience = (end: number): number => Math.max(200, (end - performance.now()) / 2)

/** Opens worlds in the frames of one page. */
export type FrameWorlds = {
  /** A world with `script` in the frame that a selector names in its parent; null when it cannot be had. */
  enter(parent: World, selector: string | string[], script: string): Promise<World | null>
  close(): Promise<void>
}

async function frameIdOf(
  { session, contextId }: World,
  selector: string | string[],
  end: number,
): Promise<string | null> {
  const expression = `axe.utils.shadowSelect(${JSON.stringify(selector)})`
  const element = await within(
    patience(end),
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => null),
  )
  const objectId = element.done ? element.value?.result.objectId : undefined
  if (objectId === undefined) return null
  const node = await within(
    patience(end),
    session.send('DOM.describeNode', { objectId }).catch(() => null),
  )
  return (node.done ? node.value?.node.frameId : null) ?? null
}

/**
 * Whether a frame runs scripts. The clock starts when its parent has answered a question that was asked later: until
 * then it is the process they mostly share that is busy, not the frame that is silent.
 */
async function answers(world: World, parent: World, end: number): Promise<boolean> {
  const { session, contextId } = world
  // Timers are what a frame without scripts does not have; promises it has.
  const expression = 'new Promise((resolve) => setTimeout(resolve))'
  const first = session
    .send('Runtime.evaluate', { expression, contextId, awaitPromise: true })
    .catch(() => null)
  await call(parent, '0', patience(end))
  const answered = await within(Math.min(silentMs, patience(end)), first)
  return answered.done && answered.value !== null
}

/** Sessions of the frames that run in processes of their own, by frame id. */
async function remoteSessions(tab: Tab, most: number, end: number) {
  const sessions = new Map<string, Tab['cdp']>()
  for (const frame of tab.page.frames().slice(1, most + 1)) {
    // Rejects for a frame that shares its parent's process.
    const opening = tab.page.context().newCDPSession(frame)
    const opened = await within(
      Math.min(silentMs, patience(end)),
      opening.catch(() => null),
    )
    if (!opened.done || !opened.value) continue
    const tree = await within(
      Math.min(silentMs, patience(end)),
      opened.value.send('Page.getFrameTree').catch(() => null),
    )
    if (tree.done && tree.value) sessions.set(tree.value.frameTree.frame.id, opened.value)
  }
  return sessions
}

/** Prepares to enter the frames of a tab, `most` at the most, until `end` (on the scale of `performance.now()`). */
export function openFrameWorlds(tab: Tab, most: number, end: number): FrameWorlds {
  let remote: ReturnType<typeof remoteSessions> | null = null
  return {
    async enter(parent, selector, script) {
      const frameId = await frameIdOf(parent, selector, end)
      if (frameId === null) return null
      let world = await worldOf(parent.session, frameId, 'axe', patience(end))
      if (!world) {
        remote ??= remoteSessions(tab, most, end)
        const session: Session | undefined = (await remote).get(frameId)
        if (session) world = await worldOf(session, frameId, 'axe', patience(end))
      }
      if (!world || !(await answers(world, parent, end))) return null
      const injected = await call(world, script, patience(end))
      return injected.kind === 'value' ? world : null
    },
    async close() {
      const sessions = remote ? await remote : null
      for (const session of sessions?.values() ?? []) session.detach().catch(() => {})
    },
  }
}

import type { Tab } from '../browser/tab.ts'
import { within } from '../browser/deadline.ts'
import { call, worldOf, type Session, type World } from '../browser/world.ts'
import { notAnswered, type Analysis, type AnalyseOptions } from './analyse.ts'
import type { DocumentFacts, Kit, Place, RawNode, RawResults } from './report-in-page.ts'

/** Longest time for one frame: a frame that cannot run scripts never answers. */
const frameMs = 3000
/** Frames tested on one page; a page of thousands is not a page of contents. */
const maxFrames = 100

/** A frame that was tested: how axe names it from the top, and what lies in front of its keys and boxes. */
type Tested = { path: string; world: World; prefix: string; patternPrefix: string; x: number; y: number }

type Walk = {
  tab: Tab
  options: AnalyseOptions
  end: number
  top: World
  remote: Map<string, Session> | null
  tested: Tested[]
  visited: number
  notTested: number
}

type FrameContext = { frameSelector: string | string[]; frameContext: unknown }

const literal = (value: unknown): string => JSON.stringify(value)

/** A step of a target; axe writes a path of one selector now as a list, now as the selector. */
const step = (selector: string | string[]): string =>
  literal(Array.isArray(selector) && selector.length === 1 ? selector[0] : selector)

/** Sessions of the frames that run in processes of their own, by frame id. */
async function remoteSessions(walk: Walk): Promise<Map<string, Session>> {
  if (walk.remote) return walk.remote
  const sessions = new Map<string, Session>()
  walk.remote = sessions
  for (const frame of walk.tab.page.frames().slice(1, maxFrames + 1)) {
    // Rejects for a frame that shares its parent's process.
    const opened = await within(
      500,
      walk.tab.page
        .context()
        .newCDPSession(frame)
        .catch(() => null),
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

async function frameIdOf(world: World, selector: string | string[]): Promise<string | null> {
  const { session, contextId } = world
  const element = await within(
    frameMs,
    session
      .send('Runtime.evaluate', { expression: `axe.utils.shadowSelect(${literal(selector)})`, contextId })
      .catch(() => null),
  )
  const objectId = element.done ? element.value?.result.objectId : undefined
  if (objectId === undefined) return null
  const node = await within(
    frameMs,
    session.send('DOM.describeNode', { objectId }).catch(() => null),
  )
  return (node.done ? node.value?.node.frameId : null) ?? null
}

/** A world with axe in the frame that a selector names; null when it cannot be had. */
async function enterFrame(walk: Walk, parent: World, selector: string | string[]): Promise<World | null> {
  const frameId = await frameIdOf(parent, selector)
  if (frameId === null) return null
  const local = await worldOf(parent.session, frameId, frameMs)
  const remote = local ? null : (await remoteSessions(walk)).get(frameId)
  const world = local ?? (remote ? await worldOf(remote, frameId, frameMs) : null)
  if (!world) return null
  const injected = await call(world, walk.options.script, frameMs)
  return injected.kind === 'value' ? world : null
}

/** Runs the rules in one frame; its part goes to the top frame's world, in the order that axe expects. */
async function partial(
  walk: Walk,
  world: World,
  context: unknown,
  isTop: boolean,
): Promise<FrameContext[] | null> {
  const options = literal(walk.options.axe)
  // A frame's context holds plain data; the top frame's is its document.
  const where = isTop ? 'document' : literal(context)
  const keep = isTop ? '(globalThis.clearwayParts = [part], null)' : 'part'
  const code = `(async () => {
    const frames = axe.utils.getFrameContexts(${where})
    const part = await axe.runPartial(${where}, ${options})
    return JSON.stringify({ frames, part: ${keep} })
  })()`
  const ms = isTop ? walk.end - performance.now() : Math.min(frameMs, walk.end - performance.now())
  const answer = await call<string>(world, code, ms)
  if (answer.kind !== 'value') {
    if (isTop) throw new NotAnswered(notAnswered(answer))
    return null
  }
  const { frames, part } = JSON.parse(answer.value) as { frames: FrameContext[]; part: unknown }
  if (!isTop) await call(walk.top, `clearwayParts.push(${literal(part)}), 0`, frameMs)
  return frames
}

/** Carries the answer for the whole page out of the walk: without the top frame there is no result. */
class NotAnswered extends Error {
  readonly analysis: Analysis
  constructor(analysis: Analysis) {
    super(analysis.kind)
    this.analysis = analysis
  }
}

async function walkFrames(walk: Walk, parent: Tested, frames: FrameContext[]): Promise<void> {
  for (const { frameSelector, frameContext } of frames) {
    walk.visited += 1
    const world =
      walk.visited > maxFrames || performance.now() > walk.end
        ? null
        : await enterFrame(walk, parent.world, frameSelector)
    const inner = world && (await partial(walk, world, frameContext, false))
    if (!world || !inner) {
      walk.notTested += 1
      await call(walk.top, 'clearwayParts.push(null), 0', frameMs)
      continue
    }
    const box = await call<ReturnType<Kit['frameBox']>>(
      parent.world,
      `clearwayKit.frameBox(${literal(frameSelector)})`,
      frameMs,
    )
    const at = box.kind === 'value' ? box.value : null
    const tested: Tested = {
      path: `${parent.path}${step(frameSelector)}`,
      world,
      prefix: `${parent.prefix}${at?.key ?? 'frame'} >> `,
      patternPrefix: `${parent.patternPrefix}${at?.pattern ?? 'frame'} >> `,
      x: parent.x + (at?.x ?? 0),
      y: parent.y + (at?.y ?? 0),
    }
    walk.tested.push(tested)
    await walkFrames(walk, tested, inner)
  }
}

/** Reads the places of flagged elements inside frames, frame by frame. */
async function placesInFrames(walk: Walk, nodes: RawNode[], places: Place[]): Promise<void> {
  for (const frame of walk.tested) {
    const inside: number[] = []
    nodes.forEach(({ target }, index) => {
      if (target.length > 1 && target.slice(0, -1).map(step).join('') === frame.path) inside.push(index)
    })
    if (inside.length === 0) continue
    const targets = inside.map((index) => nodes[index]!.target.at(-1))
    const answer = await call<Place[]>(frame.world, `clearwayKit.places(${literal(targets)})`, frameMs)
    if (answer.kind !== 'value') continue
    answer.value.forEach((place, n) => {
      if (!place) return
      places[inside[n]!] = {
        key: frame.prefix + place.key,
        pattern: frame.patternPrefix + place.pattern,
        box: { ...place.box, x: place.box.x + frame.x, y: place.box.y + frame.y },
      }
    })
  }
}

/** Analyses a page with frames: each frame on its own, the parts put together in the top frame. */
export async function analyseFrames(
  tab: Tab,
  top: World,
  options: AnalyseOptions,
  end: number,
): Promise<Analysis> {
  const walk: Walk = { tab, options, end, top, remote: null, tested: [], visited: 0, notTested: 0 }
  try {
    const frames = (await partial(walk, top, null, true)) ?? []
    await walkFrames(walk, { path: '', world: top, prefix: '', patternPrefix: '', x: 0, y: 0 }, frames)
    const answer = await call<string>(
      top,
      `axe.finishRun(clearwayParts, ${literal(options.axe)}).then((results) =>
        JSON.stringify({ ...clearwayKit.reduce(results), facts: clearwayKit.facts(${options.contentCharacters}) }))`,
      Math.max(1000, end - performance.now()),
    )
    if (answer.kind !== 'value') return notAnswered(answer)
    const { results, places, facts } = JSON.parse(answer.value) as {
      results: RawResults
      places: Place[]
      facts: DocumentFacts
    }
    await placesInFrames(
      walk,
      [...results.violations, ...results.incomplete].flatMap(({ nodes }) => nodes),
      places,
    )
    for (const { world } of walk.tested) {
      const links = await call<DocumentFacts['links']>(world, 'clearwayKit.facts(0).links', frameMs)
      if (links.kind === 'value') facts.links.push(...links.value)
    }
    return { kind: 'done', results, places, facts, framesNotTested: walk.notTested }
  } catch (error) {
    if (error instanceof NotAnswered) return error.analysis
    throw error
  }
}

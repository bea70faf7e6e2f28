import type { Tab } from '../browser/tab.ts'
import { callInWorld, type IsolatedWorld } from '../browser/world.ts'
import { openFrameWorlds, patience, type FrameWorlds } from './frame-world.ts'
import type { DocumentFacts, ElementReference, FrameReference, RawNode } from './report-in-page.ts'
import { notAnswered, readReport, type Analysis, type AnalyseOptions } from './report.ts'

/** Frames tested on one page; a page of thousands is not a page of contents. */
const maxFrames = 100

/** A document that was tested, with what lies in front of its keys and boxes, and the frames in it by number. */
type Tested = {
  world: IsolatedWorld
  prefix: string
  patternPrefix: string
  x: number
  y: number
  /** The common component that the frame is in. */
  component: number | null
  inner: Map<number, Tested>
}

type Walk = {
  worlds: FrameWorlds
  options: AnalyseOptions
  end: number
  top: Tested
  all: Tested[]
  visited: number
  /** Of all documents that were entered. */
  elements: number
  /** Frames that are no content, or gave no answer, each with why. */
  notTested: string[]
}

type FrameContext = { frameSelector: string | string[]; frameContext: unknown }

const literal = (value: unknown): string => JSON.stringify(value)

/** The program that runs the rules in one document and names its frames. `keep` says what becomes of the part. */
const partial = (where: string, options: AnalyseOptions, keep: string): string => `(async () => {
  const frames = axe.utils.getFrameContexts(${where})
  const part = await axe.runPartial(${where}, ${literal(options.axe)})
  return JSON.stringify({ frames, part: ${keep} })
})()`

/** Adds a frame's part, in the order that axe expects; null for one of which nothing is known. */
const addPart = (walk: Walk, part: unknown) =>
  callInWorld(walk.top.world, `clearwayParts.push(${literal(part)}), 0`, patience(walk.end))

const isTooLarge = ({ elements, options }: Walk): boolean => elements > options.mostElements

async function testFrame(
  walk: Walk,
  parent: Tested,
  { frameSelector, frameContext }: FrameContext,
): Promise<{ tested: Tested; frames: FrameContext[]; part: unknown } | { not: string }> {
  if (walk.visited > maxFrames) return { not: `A frame: the page has more than ${maxFrames}` }
  if (performance.now() > walk.end) return { not: 'A frame: no time was left for it' }
  const entered = await walk.worlds.enter(parent.world, frameSelector)
  if ('not' in entered) return entered
  walk.elements += entered.elements
  if (isTooLarge(walk)) return { not: 'A frame: the page has too many elements' }
  const { world } = entered
  const program = partial(literal(frameContext), walk.options, 'part')
  const answer = await callInWorld<string>(world, program, patience(walk.end))
  if (answer.kind !== 'value') return { not: 'A frame: it did not answer' }
  const { frames, part } = JSON.parse(answer.value) as { frames: FrameContext[]; part: unknown }
  const placed = await callInWorld<FrameReference>(
    parent.world,
    `clearwayPage.frameReference(${literal(frameSelector)})`,
    patience(walk.end),
  )
  const reference = placed.kind === 'value' ? placed.value : null
  const tested: Tested = {
    world,
    prefix: `${parent.prefix}${reference?.key ?? 'frame'} >> `,
    patternPrefix: `${parent.patternPrefix}${reference?.pattern ?? 'frame'} >> `,
    x: parent.x + (reference?.x ?? 0),
    y: parent.y + (reference?.y ?? 0),
    component: parent.component ?? reference?.component ?? null,
    inner: new Map(),
  }
  if (reference) parent.inner.set(reference.number, tested)
  return { tested, frames, part }
}

async function walkFrames(walk: Walk, parent: Tested, frames: readonly FrameContext[]): Promise<void> {
  for (const frame of frames) {
    walk.visited += 1
    const result = await testFrame(walk, parent, frame)
    if (isTooLarge(walk)) return
    // Of a frame without a part, axe says itself that it was not tested.
    await addPart(walk, 'not' in result ? null : result.part)
    if ('not' in result) {
      walk.notTested.push(result.not)
      continue
    }
    walk.all.push(result.tested)
    await walkFrames(walk, result.tested, result.frames)
  }
}

/** The tested document that the steps of a target lead to; null when one of them leads nowhere. */
async function follow(walk: Walk, steps: RawNode['target']): Promise<Tested | null> {
  let at: Tested | null = walk.top
  for (const step of steps) {
    const found: Awaited<ReturnType<typeof callInWorld<number | null>>> = await callInWorld<number | null>(
      at.world,
      `clearwayPage.frameNumber(${literal(step)})`,
      patience(walk.end),
    )
    at = found.kind === 'value' && found.value !== null ? (at.inner.get(found.value) ?? null) : null
    if (!at) return null
  }
  return at
}

/** Reads who and where flagged elements are inside frames, frame by frame. */
async function elementsInFrames(
  walk: Walk,
  nodes: readonly RawNode[],
  elements: ElementReference[],
): Promise<void> {
  const groups = new Map<string, number[]>()
  nodes.forEach(({ target }, index) => {
    if (target.length < 2) return
    const path = literal(target.slice(0, -1))
    const group = groups.get(path)
    if (group) group.push(index)
    else groups.set(path, [index])
  })
  for (const [path, indexes] of groups) {
    const frame = await follow(walk, JSON.parse(path) as RawNode['target'])
    if (!frame) continue
    const targets = indexes.map((index) => nodes[index]!.target.at(-1))
    const answer = await callInWorld<ElementReference[]>(
      frame.world,
      `clearwayPage.elements(${literal(targets)})`,
      patience(walk.end),
    )
    if (answer.kind !== 'value') continue
    answer.value.forEach((element, n) => {
      if (!element) return
      elements[indexes[n]!] = {
        key: frame.prefix + element.key,
        pattern: frame.patternPrefix + element.pattern,
        box: { ...element.box, x: element.box.x + frame.x, y: element.box.y + frame.y },
        component: frame.component,
      }
    })
  }
}

async function linksInFrames(walk: Walk): Promise<DocumentFacts['links']> {
  const links: DocumentFacts['links'] = []
  for (const { world } of walk.all) {
    const answer = await callInWorld<DocumentFacts['links']>(
      world,
      'clearwayPage.facts(0).links',
      patience(walk.end),
    )
    if (answer.kind === 'value') links.push(...answer.value)
  }
  return links
}

async function analyseTree(walk: Walk): Promise<Analysis> {
  const first = await callInWorld<string>(
    walk.top.world,
    partial('document', walk.options, '(globalThis.clearwayParts = [part], null)'),
    walk.end - performance.now(),
  )
  if (first.kind !== 'value') return notAnswered(first)
  await walkFrames(walk, walk.top, (JSON.parse(first.value) as { frames: FrameContext[] }).frames)
  if (isTooLarge(walk)) return { kind: 'too-large', elements: walk.elements }
  const report = await readReport(
    walk.top.world,
    `axe.finishRun(clearwayParts, ${literal(walk.options.axe)})`,
    walk.options,
    Math.max(1000, walk.end - performance.now()),
  )
  if (report.kind !== 'done') return report
  const nodes = [...report.results.violations, ...report.results.incomplete].flatMap((rule) => rule.nodes)
  await elementsInFrames(walk, nodes, report.elements)
  report.facts.links.push(...(await linksInFrames(walk)))
  return { ...report, framesNotTested: walk.notTested }
}

/**
 * Analyses a page with frames: the rules run in each frame on its own, past the page's own messages, and the parts are put
 * together in the top frame's world. A frame that doesn't answer, or holds no content, is left out and named.
 */
export async function analyseFrames(
  tab: Tab,
  { world, elements }: { world: IsolatedWorld; elements: number },
  options: AnalyseOptions,
  end: number,
): Promise<Analysis> {
  const top: Tested = { world, prefix: '', patternPrefix: '', x: 0, y: 0, component: null, inner: new Map() }
  const worlds = openFrameWorlds(tab, options, { most: maxFrames, end })
  try {
    return await analyseTree({ worlds, options, end, top, all: [], visited: 0, elements, notTested: [] })
  } finally {
    await worlds.close()
  }
}

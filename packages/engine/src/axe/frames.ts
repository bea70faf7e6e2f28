import { frameSeparator, splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, type IsolatedWorld } from '../browser/isolated-world.ts'
import { listEmbeddedDocuments } from './embedded-documents.ts'
import { openFrameWorlds, computeTimeoutMs, type FrameWorlds } from './frame-world.ts'
import type { DocumentEvidence } from './evidence-in-page.ts'
import type { DocumentFacts, ElementReference, FrameReference, PageApi, RawNode } from './report-in-page.ts'
import { toFailedAnalysis, readReport, type Analysis, type AnalyzeOptions } from './report.ts'
import { buildAxeRun } from './version.ts'

/** Maximum number of tested frames per page; thousands of frames are not content. */
const maxFrames = 100

/** A tested document with the prefixes and offsets of its keys and boxes, and its frames by number. */
type TestedDocument = {
  world: IsolatedWorld
  prefix: string
  previousPrefix: string
  patternPrefix: string
  x: number
  y: number
  /** Common component that contains the frame. */
  component: number | null
  frames: Map<number, TestedDocument>
}

type FrameWalk = {
  worlds: FrameWorlds
  options: AnalyzeOptions
  deadlineAt: number
  top: TestedDocument
  testedDocuments: TestedDocument[]
  visitedCount: number
  /** Total of all entered documents. */
  elementCount: number
  /** Frames without content or without a response, each with the reason. */
  notTested: string[]
}

type FrameContext = { frameSelector: string | string[]; frameContext: unknown }

const toLiteral = (value: unknown): string => JSON.stringify(value)

/**
 * Builds the expression that runs the rules in one document and lists its frames. `partExpression` determines the returned part.
 */
const buildPartialRun = (contextExpression: string, options: AnalyzeOptions, partExpression: string): string =>
  buildAxeRun(
    `{
  const frames = axe.utils.getFrameContexts(${contextExpression})
  const part = await axe.runPartial(${contextExpression}, ${toLiteral(options.axe)})
  return { frames, part: ${partExpression} }
}`,
    'JSON.stringify(results)',
  )

/** Adds a frame's part in the order that axe expects; null for an untested frame. */
const addFramePart = (frameWalk: FrameWalk, part: unknown) =>
  callInWorld(frameWalk.top.world, `clearwayParts.push(${toLiteral(part)}), 0`, computeTimeoutMs(frameWalk.deadlineAt))

const isTooLarge = ({ elementCount, options }: FrameWalk): boolean => elementCount > options.maxElements

async function testFrame(
  frameWalk: FrameWalk,
  parentDocument: TestedDocument,
  { frameSelector, frameContext }: FrameContext,
): Promise<{ tested: TestedDocument; frames: FrameContext[]; part: unknown } | { not: string }> {
  if (frameWalk.visitedCount > maxFrames) return { not: `A frame: the page has more than ${maxFrames}` }
  if (performance.now() > frameWalk.deadlineAt) return { not: 'A frame: no time was left for it' }
  const enteredFrame = await frameWalk.worlds.enterFrame(parentDocument.world, frameSelector)
  if ('not' in enteredFrame) return enteredFrame
  frameWalk.elementCount += enteredFrame.elements
  if (isTooLarge(frameWalk)) return { not: 'A frame: the page has too many elements' }
  const { world: frameWorld } = enteredFrame
  const partialExpression = buildPartialRun(toLiteral(frameContext), frameWalk.options, 'part')
  const callResult = await callInWorld<string>(frameWorld, partialExpression, computeTimeoutMs(frameWalk.deadlineAt))
  if (callResult.kind !== 'value') return { not: 'A frame: it did not answer' }
  const { frames, part } = JSON.parse(callResult.value) as { frames: FrameContext[]; part: unknown }
  const referenceResult = await callInWorld<FrameReference>(
    parentDocument.world,
    `clearwayPage.frameReference(${toLiteral(frameSelector)})`,
    computeTimeoutMs(frameWalk.deadlineAt),
  )
  const frameReference = referenceResult.kind === 'value' ? referenceResult.value : null
  const testedFrame: TestedDocument = {
    world: frameWorld,
    prefix: `${parentDocument.prefix}${splitElementKey(frameReference?.key ?? 'frame').location}${frameSeparator}`,
    previousPrefix: `${parentDocument.previousPrefix}${frameReference?.previousKey ?? 'frame'}${frameSeparator}`,
    patternPrefix: `${parentDocument.patternPrefix}${frameReference?.pattern ?? 'frame'}${frameSeparator}`,
    x: parentDocument.x + (frameReference?.x ?? 0),
    y: parentDocument.y + (frameReference?.y ?? 0),
    component: parentDocument.component ?? frameReference?.component ?? null,
    frames: new Map(),
  }
  if (frameReference) parentDocument.frames.set(frameReference.number, testedFrame)
  return { tested: testedFrame, frames, part }
}

async function walkFrames(frameWalk: FrameWalk, parentDocument: TestedDocument, frames: readonly FrameContext[]): Promise<void> {
  for (const frameContext of frames) {
    frameWalk.visitedCount += 1
    const frameResult = await testFrame(frameWalk, parentDocument, frameContext)
    if (isTooLarge(frameWalk)) return
    // For a frame without a part, axe itself reports that it was not tested.
    await addFramePart(frameWalk, 'not' in frameResult ? null : frameResult.part)
    if ('not' in frameResult) {
      frameWalk.notTested.push(frameResult.not)
      continue
    }
    frameWalk.testedDocuments.push(frameResult.tested)
    await walkFrames(frameWalk, frameResult.tested, frameResult.frames)
  }
}

/** The document of an element, and the steps that lead to it, each with a selector that matches nothing else. */
type ResolvedFrame = { frame: TestedDocument; target: RawNode['target'] }

/** Resolves the frames of a node; null if a step leads nowhere. */
async function resolveFrames(frameWalk: FrameWalk, { target, ancestry }: FramePath): Promise<ResolvedFrame | null> {
  let frame = frameWalk.top
  const exactTarget: RawNode['target'] = []
  for (const [stepIndex, targetStep] of target.entries()) {
    const stepResult = await callInWorld<{ number: number; target: RawNode['target'][number] } | null>(
      frame.world,
      `clearwayPage.frameStep(${toLiteral({ target: targetStep, ancestry: ancestry[stepIndex] })})`,
      computeTimeoutMs(frameWalk.deadlineAt),
    )
    const frameStep = stepResult.kind === 'value' ? stepResult.value : null
    const nextFrame = frameStep && frame.frames.get(frameStep.number)
    if (!nextFrame) return null
    exactTarget.push(frameStep.target)
    frame = nextFrame
  }
  return { frame, target: exactTarget }
}

type FramePath = Pick<RawNode, 'target' | 'ancestry'>

/** Reads the keys, boxes and exact selectors of flagged elements inside frames, frame by frame. */
async function readFrameElements(frameWalk: FrameWalk, nodes: readonly RawNode[], elements: ElementReference[]): Promise<void> {
  const frameNodes = nodes.map((node, index) => ({ node, index })).filter(({ node }) => node.target.length > 1)
  const getPath = ({ node: { target, ancestry } }: (typeof frameNodes)[number]) =>
    toLiteral({ target: target.slice(0, -1), ancestry: ancestry.slice(0, -1) })
  for (const [pathJson, pathNodes] of Map.groupBy(frameNodes, getPath)) {
    const resolved = await resolveFrames(frameWalk, JSON.parse(pathJson) as FramePath)
    if (!resolved) continue
    const { frame, target: frameTarget } = resolved
    const selectors = pathNodes.map(({ node }) => ({ target: node.target.at(-1), ancestry: node.ancestry.at(-1) }))
    const callResult = await callInWorld<ReturnType<PageApi['elements']>>(
      frame.world,
      `clearwayPage.elements(${toLiteral(selectors)})`,
      computeTimeoutMs(frameWalk.deadlineAt),
    )
    if (callResult.kind !== 'value') continue
    callResult.value.forEach(({ reference, target }, nodeIndex) => {
      const { node, index } = pathNodes[nodeIndex]!
      node.target = [...frameTarget, target]
      if (!reference) return
      elements[index] = {
        key: frame.prefix + reference.key,
        previousKey: frame.previousPrefix + reference.previousKey,
        pattern: frame.patternPrefix + reference.pattern,
        box: { ...reference.box, x: reference.box.x + frame.x, y: reference.box.y + frame.y },
        component: frame.component,
      }
    })
  }
}

type FrameFacts = { links: DocumentFacts['links']; evidence: DocumentEvidence }

async function collectFrameFacts(frameWalk: FrameWalk): Promise<FrameFacts[]> {
  const frameFacts: FrameFacts[] = []
  for (const { world } of frameWalk.testedDocuments) {
    const callResult = await callInWorld<FrameFacts>(
      world,
      '({ links: clearwayPage.facts(0).links, evidence: clearwayPage.evidence() })',
      computeTimeoutMs(frameWalk.deadlineAt),
    )
    if (callResult.kind === 'value') frameFacts.push(callResult.value)
  }
  return frameFacts
}

async function analyzeFrameTree(frameWalk: FrameWalk): Promise<Analysis> {
  const topResult = await callInWorld<string>(
    frameWalk.top.world,
    buildPartialRun('document', frameWalk.options, '(globalThis.clearwayParts = [part], null)'),
    frameWalk.deadlineAt - performance.now(),
  )
  if (topResult.kind !== 'value') return toFailedAnalysis(topResult)
  await walkFrames(frameWalk, frameWalk.top, (JSON.parse(topResult.value) as { frames: FrameContext[] }).frames)
  if (isTooLarge(frameWalk)) return { kind: 'too-large', elements: frameWalk.elementCount }
  const topReport = await readReport(
    frameWalk.top.world,
    `axe.finishRun(clearwayParts, ${toLiteral(frameWalk.options.axe)})`,
    frameWalk.options,
    Math.max(1000, frameWalk.deadlineAt - performance.now()),
  )
  if (topReport.kind !== 'done') return topReport
  const resultNodes = [...topReport.results.violations, ...topReport.results.incomplete].flatMap((rule) => rule.nodes)
  await readFrameElements(frameWalk, resultNodes, topReport.elements)
  for (const { links, evidence } of await collectFrameFacts(frameWalk)) {
    topReport.facts.links.push(...links)
    topReport.evidence.push(evidence)
  }
  return { ...topReport, framesNotTested: frameWalk.notTested }
}

/**
 * Analyzes a page with frames: runs the rules in each frame separately without the page's messages, and merges the
 * parts in the top frame's world. Frames without a response or content are omitted and listed.
 */
export async function analyzeFrames(
  tab: Tab,
  { world, elements }: { world: IsolatedWorld; elements: number },
  options: AnalyzeOptions,
  deadlineAt: number,
): Promise<Analysis> {
  const topDocument: TestedDocument = {
    world,
    prefix: '',
    previousPrefix: '',
    patternPrefix: '',
    x: 0,
    y: 0,
    component: null,
    frames: new Map(),
  }
  const frameWorlds = openFrameWorlds(tab, options, { most: maxFrames, end: deadlineAt })
  const frameWalk: FrameWalk = {
    worlds: frameWorlds,
    options,
    deadlineAt,
    top: topDocument,
    testedDocuments: [],
    visitedCount: 0,
    elementCount: elements,
    notTested: [],
  }
  try {
    const analysis = await analyzeFrameTree(frameWalk)
    // axe enters the frames that it finds; others are hidden, or in elements that it does not know as frames.
    const hasOtherFrames = tab.page.frames().length - 1 > frameWalk.visitedCount
    if (analysis.kind === 'done' && hasOtherFrames)
      analysis.framesNotTested.push(...(await listEmbeddedDocuments(tab, maxFrames, deadlineAt)))
    return analysis
  } finally {
    await frameWorlds.close()
  }
}

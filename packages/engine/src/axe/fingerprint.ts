import { createHash } from 'node:crypto'
import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld } from '../browser/isolated-world.ts'
import { fingerprintDocument, type DocumentPrint } from './fingerprint-in-page.ts'
import { testedMimeTypes } from './document-type.ts'
import { documentScript, explainNoContent } from './frame-world.ts'
import { privateLimits, trackPrivateState, revealPrivateState } from './private-state-in-page.ts'
import type { DocumentFacts } from './report-in-page.ts'
import { pageApiScript } from './version.ts'

/** Maximum number of elements for a fingerprint. Larger documents are rare, and reading them would block the page for seconds. */
const maxElements = 20_000
const fingerprintScript = `(${fingerprintDocument.toString()})(${maxElements})`

/** Hash of the scripts that compute the fingerprint; changes whenever they read other data, or read it differently. */
export const fingerprintVersion = createHash('sha256')
  .update(fingerprintScript)
  .update(pageApiScript)
  .update(`${revealPrivateState.toString()} ${trackPrivateState.toString()} ${JSON.stringify(privateLimits)}`)
  .update(`${documentScript} ${explainNoContent.toString()} ${[...testedMimeTypes].join(' ')}`)
  .digest('hex')
  .slice(0, 16)

/** Hash of everything that a page shows to axe, or the reason why there is none, in English. */
export type Fingerprint = { print: string } | { cannot: string }

type FrameTree = { frame: { id: string; url: string }; childFrames?: FrameTree[] }

const listFrameIds = ({ frame, childFrames = [] }: FrameTree): string[] => [frame.id, ...childFrames.flatMap(listFrameIds)]

/** Lists the frame ids of a tab from the top; null if a frame is in another process or the page does not respond. */
async function readFrameIds(tab: Tab, timeoutMs: number): Promise<string[] | null> {
  const treeResult = await withTimeout(
    timeoutMs,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  const frameIds = treeResult.done && treeResult.value ? listFrameIds(treeResult.value.frameTree) : []
  return frameIds.length === tab.page.frames().length ? frameIds : null
}

/** Evaluates an expression in all frames of a tab, in our world; null if a frame does not respond. */
async function evaluateInFrames<T>(tab: Tab, expression: string, timeoutMs: number): Promise<T[] | null> {
  const deadlineAt = performance.now() + timeoutMs
  const getRemainingMs = () => deadlineAt - performance.now()
  const frameIdList = await readFrameIds(tab, getRemainingMs())
  if (!frameIdList) return null
  const frameValues: T[] = []
  for (const frameId of frameIdList) {
    const axeWorld = await openWorld(tab.cdp, frameId, 'axe', getRemainingMs())
    const callResult = axeWorld ? await callInWorld<T>(axeWorld, expression, getRemainingMs()) : null
    if (callResult?.kind !== 'value') return null
    frameValues.push(callResult.value)
  }
  return frameValues
}

/**
 * Computes the fingerprint of a tab with all its frames within `timeoutMs`. Pages with the same fingerprint are identical to axe.
 * @param conditions other inputs that determine the results, as text
 */
export async function computeFingerprint(tab: Tab, conditions: string, timeoutMs: number): Promise<Fingerprint> {
  const documentPrints = await evaluateInFrames<DocumentPrint>(tab, tab.reveal + fingerprintScript, timeoutMs)
  if (documentPrints === null) return { cannot: 'a frame cannot be read' }
  const printHash = createHash('sha256').update(conditions)
  for (const documentPrint of documentPrints) {
    if ('cannot' in documentPrint) return documentPrint
    printHash.update(`\n${documentPrint.print}`)
  }
  return { print: printHash.digest('hex').slice(0, 40) }
}

/** Builds the script that reads the links of one document without axe, including closed shadow roots. */
export const buildLinksScript = (tab: Pick<Tab, 'reveal'>): string => `${tab.reveal}${pageApiScript};clearwayPage.facts(0).links`

/** Reads the facts of a page without axe, with the links of its frames; null if it does not respond within `timeoutMs`. */
export async function readFrameFacts(tab: Tab, timeoutMs: number): Promise<DocumentFacts | null> {
  const frameFacts = await evaluateInFrames<DocumentFacts>(tab, `${tab.reveal}${pageApiScript};clearwayPage.facts(0)`, timeoutMs)
  return frameFacts?.[0] ? { ...frameFacts[0], links: frameFacts.flatMap(({ links }) => links) } : null
}

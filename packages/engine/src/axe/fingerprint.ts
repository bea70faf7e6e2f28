import { createHash } from 'node:crypto'
import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInWorld, openWorld } from '../browser/world.ts'
import { fingerprintDocument, type DocumentPrint } from './fingerprint-in-page.ts'
import { testedTypes } from './document-type.ts'
import { documentProgram, whyNoContent } from './frame-world.ts'
import { mostPrivate, rememberPrivate, revealPrivate } from './private-in-page.ts'
import type { DocumentFacts } from './report-in-page.ts'
import { pageApiScript } from './version.ts'

/** Elements of a document that is summed up; one of more is rare, and looking at all of them would keep it busy for seconds. */
const mostNodes = 20_000
const program = `(${fingerprintDocument.toString()})(${mostNodes})`

/** Another one when we read something else of a page, or read it in another way: by what reads it. */
export const fingerprintVersion = createHash('sha256')
  .update(program)
  .update(pageApiScript)
  .update(`${revealPrivate.toString()} ${rememberPrivate.toString()} ${JSON.stringify(mostPrivate)}`)
  .update(`${documentProgram} ${whyNoContent.toString()} ${[...testedTypes].join(' ')}`)
  .digest('hex')
  .slice(0, 16)

/** All that a page shows to axe, in one word; or why that cannot be said, in English. */
export type Fingerprint = { print: string } | { cannot: string }

type Frames = { frame: { id: string; url: string }; childFrames?: Frames[] }

const listed = ({ frame, childFrames = [] }: Frames): string[] => [frame.id, ...childFrames.flatMap(listed)]

/** The frames of a tab, from the top; null when one of them is in a process of its own, or the page does not answer. */
async function framesOf(tab: Tab, ms: number): Promise<string[] | null> {
  const tree = await withTimeout(
    ms,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  const ids = tree.done && tree.value ? listed(tree.value.frameTree) : []
  return ids.length === tab.page.frames().length ? ids : null
}

/** Runs a program in all frames of a tab, in our world; null when one of them gives no answer. */
async function inFrames<T>(tab: Tab, expression: string, ms: number): Promise<T[] | null> {
  const end = performance.now() + ms
  const left = () => end - performance.now()
  const frames = await framesOf(tab, left())
  if (!frames) return null
  const answers: T[] = []
  for (const frameId of frames) {
    const world = await openWorld(tab.cdp, frameId, 'axe', left())
    const answer = world ? await callInWorld<T>(world, expression, left()) : null
    if (answer?.kind !== 'value') return null
    answers.push(answer.value)
  }
  return answers
}

/**
 * Sums up what a tab shows, in all its frames, within `ms`: two pages with one fingerprint are one to axe.
 * @param conditions what else decides about a result, as text
 */
export async function fingerprintOf(tab: Tab, conditions: string, ms: number): Promise<Fingerprint> {
  const prints = await inFrames<DocumentPrint>(tab, tab.reveal + program, ms)
  if (prints === null) return { cannot: 'a frame cannot be read' }
  const hash = createHash('sha256').update(conditions)
  for (const one of prints) {
    if ('cannot' in one) return one
    hash.update(`\n${one.print}`)
  }
  return { print: hash.digest('hex').slice(0, 40) }
}

/** Reads the links of one document without axe, closed shadow roots and all. */
export const linksProgram = (tab: Pick<Tab, 'reveal'>): string =>
  `${tab.reveal}${pageApiScript};clearwayPage.facts(0).links`

/** The links of a page and its frames, without axe; null when it does not answer within `ms`. */
export async function linksWithoutAxe(tab: Tab, ms: number): Promise<DocumentFacts['links'] | null> {
  const links = await inFrames<DocumentFacts['links']>(tab, linksProgram(tab), ms)
  return links && links.flat()
}

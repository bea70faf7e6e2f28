import type { Tab } from '../browser/tab.ts'
import { callInWorld, type CallResult, type IsolatedWorld } from '../browser/world.ts'
import { bringAxe } from './bring.ts'
import type { DocumentFacts, ElementReference, RawResults } from './report-in-page.ts'
import type { AxeOptions } from './version.ts'

export type Analysis =
  | {
      kind: 'done'
      results: RawResults
      /** For each node of violations, then of incomplete, in order. */
      elements: ElementReference[]
      facts: DocumentFacts
      /** Frames of which nothing is known, each with why, in English. */
      framesNotTested: string[]
    }
  /** The document went away: the page navigated. */
  | { kind: 'gone' }
  | { kind: 'timeout' }
  /** It has so many elements at least. */
  | { kind: 'too-large'; elements: number }
  | { kind: 'failed'; message: string }

export type AnalyseOptions = {
  /** axe and our page API, as one script. */
  script: string
  axe: AxeOptions
  /** Elements of a page that is analysed, frames and shadow roots together. */
  mostElements: number
  /** Characters of the document to keep; 0 for none. */
  contentCharacters: number
  /** Selectors of each common component. */
  components: readonly (readonly string[])[]
  /** Longest time for everything, in milliseconds. */
  limitMs: number
}

/** Brings axe into a world of a tab's page and answers how many elements it will go through there. */
export const bringAndCount = (
  { reveal }: Pick<Tab, 'reveal'>,
  world: IsolatedWorld,
  { script, mostElements }: AnalyseOptions,
  ms: number,
): Promise<CallResult<number>> =>
  bringAxe<number>(world, { script, reveal }, `clearwayPage.count(${mostElements})`, ms)

/** Turns what a call came to into an answer for those that did not come to a value. */
export function notAnswered(called: Exclude<CallResult<unknown>, { kind: 'value' }>): Analysis {
  return called.kind === 'threw' ? { kind: 'failed', message: called.message } : { kind: called.kind }
}

/** Runs a program that answers axe's results, and reads with them the elements in the top frame and the document's facts. */
export async function readReport(
  world: IsolatedWorld,
  program: string,
  options: AnalyseOptions,
  ms: number,
): Promise<Analysis> {
  const answer = await callInWorld<string>(
    world,
    `${program}.then((results) =>
      JSON.stringify({ ...clearwayPage.reduce(results), facts: clearwayPage.facts(${options.contentCharacters}) }))`,
    ms,
  )
  if (answer.kind !== 'value') return notAnswered(answer)
  const report = JSON.parse(answer.value) as {
    results: RawResults
    elements: ElementReference[]
    facts: DocumentFacts
  }
  return { kind: 'done', ...report, framesNotTested: [] }
}

import type { Tab } from '../browser/tab.ts'
import { callInWorld, type CallResult, type IsolatedWorld } from '../browser/isolated-world.ts'
import { injectAxe } from './inject.ts'
import type { DocumentEvidence } from './evidence-in-page.ts'
import type { DocumentFacts, ElementReference, RawResults } from './report-in-page.ts'
import { buildAxeRun, type AxeOptions } from './version.ts'

export type Analysis =
  | {
      kind: 'done'
      results: RawResults
      /** One entry per node of violations, then of incomplete, in order. */
      elements: ElementReference[]
      facts: DocumentFacts
      /** Evidence of the top document, then of its tested frames. */
      evidence: DocumentEvidence[]
      /** Untested frames, each with the reason, in English. */
      framesNotTested: string[]
    }
  /** The document was discarded: the page navigated. */
  | { kind: 'gone' }
  | { kind: 'timeout' }
  /** Minimum number of elements of the page. */
  | { kind: 'too-large'; elements: number }
  | { kind: 'failed'; message: string }

export type AnalyzeOptions = {
  /** axe-core and our page API as one script. */
  script: string
  axe: AxeOptions
  /** Maximum number of elements of an analyzed page, including frames and shadow roots. */
  maxElements: number
  /** Maximum number of characters of the document to keep; 0 for none. */
  contentCharacters: number
  /** Selectors of each common component. */
  components: readonly (readonly string[])[]
  /** Total time limit in milliseconds. */
  limitMs: number
}

/** Injects axe into a world of a tab's page, and returns the number of elements that it will process. */
export const injectAndCount = (
  { reveal }: Pick<Tab, 'reveal'>,
  axeWorld: IsolatedWorld,
  { script, maxElements }: AnalyzeOptions,
  timeoutMs: number,
): Promise<CallResult<number>> => injectAxe<number>(axeWorld, { script, reveal }, `clearwayPage.count(${maxElements})`, timeoutMs)

/** Converts the error of an axe run. */
export function toFailedAnalysis(callResult: Exclude<CallResult<unknown>, { kind: 'value' }>): Analysis {
  return callResult.kind === 'threw' ? { kind: 'failed', message: callResult.message } : { kind: callResult.kind }
}

/** Evaluates an expression that resolves to axe's results, and reads the elements in the top frame and the document's facts. */
export async function readReport(
  axeWorld: IsolatedWorld,
  runExpression: string,
  options: AnalyzeOptions,
  timeoutMs: number,
): Promise<Analysis> {
  const callResult = await callInWorld<string>(
    axeWorld,
    buildAxeRun(
      runExpression,
      `JSON.stringify({ ...clearwayPage.reduce(results), facts: clearwayPage.facts(${options.contentCharacters}),
        evidence: [clearwayPage.evidence()] })`,
    ),
    timeoutMs,
  )
  if (callResult.kind !== 'value') return toFailedAnalysis(callResult)
  const axeReport = JSON.parse(callResult.value) as Omit<Extract<Analysis, { kind: 'done' }>, 'kind' | 'framesNotTested'>
  return { kind: 'done', ...axeReport, framesNotTested: [] }
}

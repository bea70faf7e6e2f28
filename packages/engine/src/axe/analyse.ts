import type { Tab } from '../browser/tab.ts'
import { call, stopScripts, worldOf, type Called, type World } from '../browser/world.ts'
import { analyseFrames } from './frames.ts'
import type { DocumentFacts, Place, RawResults } from './report-in-page.ts'
import type { AxeOptions } from './version.ts'

export type Analysis =
  | {
      kind: 'done'
      results: RawResults
      /** For each node of violations, then of incomplete, in order. */
      places: Place[]
      facts: DocumentFacts
      /** Frames of which nothing is known. */
      framesNotTested: number
    }
  /** The document went away: the page navigated. */
  | { kind: 'gone' }
  | { kind: 'timeout' }
  | { kind: 'failed'; message: string }

export type AnalyseOptions = {
  /** axe and our kit, as one script. */
  script: string
  axe: AxeOptions
  /** Characters of the document to keep; 0 for none. */
  contentCharacters: number
  /** Longest time for everything, in milliseconds. */
  limitMs: number
}

/** Turns what a call came to into an answer for those that did not come to a value. */
export function notAnswered(called: Exclude<Called<unknown>, { kind: 'value' }>): Analysis {
  return called.kind === 'threw' ? { kind: 'failed', message: called.message } : { kind: called.kind }
}

/**
 * Runs axe on the document that a tab shows, in a world that the page cannot reach, over all its frames, and reads in the
 * same pass who the flagged elements are and where the page links to. After `timeout` the tab is not fit for use.
 */
export async function analyse(tab: Tab, options: AnalyseOptions): Promise<Analysis> {
  const end = performance.now() + options.limitMs
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (!world) return { kind: 'gone' }
  const injected = await call(world, options.script, options.limitMs)
  if (injected.kind !== 'value') return notAnswered(injected)
  const hasFrames = tab.page.frames().length > 1
  const analysis = hasFrames
    ? await analyseFrames(tab, world, options, end)
    : await readReport(
        world,
        `axe.run(document, ${JSON.stringify(options.axe)})`,
        options,
        end - performance.now(),
      )
  if (analysis.kind === 'timeout') await stopScripts(tab.cdp)
  return analysis
}

/** Runs a program that answers axe's results, and reads with them the places in the top frame and the document's facts. */
export async function readReport(
  world: World,
  program: string,
  options: AnalyseOptions,
  ms: number,
): Promise<Analysis> {
  const answer = await call<string>(
    world,
    `${program}.then((results) =>
      JSON.stringify({ ...clearwayKit.reduce(results), facts: clearwayKit.facts(${options.contentCharacters}) }))`,
    ms,
  )
  if (answer.kind !== 'value') return notAnswered(answer)
  const report = JSON.parse(answer.value) as { results: RawResults; places: Place[]; facts: DocumentFacts }
  return { kind: 'done', ...report, framesNotTested: 0 }
}

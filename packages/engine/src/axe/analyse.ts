import type { Tab } from '../browser/tab.ts'
import { call, type Called, stopScripts, type World, worldOf } from '../browser/world.ts'
import { analyseFrames } from './frames.ts'
import { countingScript, notAnswered, readReport, type Analysis, type AnalyseOptions } from './report.ts'

/** Puts axe into the document that a tab shows, while that comes to rest: for most pages the waiting is as long. */
export async function injectAhead(tab: Tab, script: string, limitMs: number): Promise<void> {
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (world) await call(world, script, limitMs)
}

/** Puts axe into a world, where it is not there already, and answers how many elements it will go through there. */
async function inject(tab: Tab, world: World, options: AnalyseOptions): Promise<Called<number>> {
  if (options.isAhead) {
    const count = `clearwayPage.count(${options.mostElements})`
    const isThere = `typeof axe === 'object' && typeof clearwayPage === 'object'`
    const there = await call<number | null>(
      world,
      `${tab.reveal}${isThere} ? ${count} : null`,
      options.limitMs,
    )
    if (there.kind !== 'value') return there
    if (there.value !== null) return { kind: 'value', value: there.value }
  }
  return await call<number>(world, countingScript(options), options.limitMs)
}

/**
 * Runs axe on the document that a tab shows, in a world that the page cannot reach, over all its frames, and reads in the
 * same pass who the flagged elements are and where the page links to. After `timeout` the tab is not fit for use.
 */
export async function analyse(tab: Tab, given: AnalyseOptions): Promise<Analysis> {
  const options = { ...given, script: tab.reveal + given.script }
  const end = performance.now() + options.limitMs
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (!world) return { kind: 'gone' }
  const injected = await inject(tab, world, options)
  if (injected.kind !== 'value') return notAnswered(injected)
  const elements = injected.value
  tab.received.elements = elements
  if (elements > options.mostElements) return { kind: 'too-large', elements }
  if (options.components.length > 0)
    await call(world, `clearwayPage.components(${JSON.stringify(options.components)})`, 2000)
  const hasFrames = tab.page.frames().length > 1
  const analysis = hasFrames
    ? await analyseFrames(tab, { world, elements }, options, end)
    : await readReport(
        world,
        `axe.run(document, ${JSON.stringify(options.axe)})`,
        options,
        end - performance.now(),
      )
  if (analysis.kind === 'timeout') await stopScripts(tab.cdp)
  return analysis
}

import type { Tab } from '../browser/tab.ts'
import { callInWorld, stopScripts, openWorld } from '../browser/world.ts'
import { analyseFrames } from './frames.ts'
import { bringAndCount, notAnswered, readReport, type Analysis, type AnalyseOptions } from './report.ts'

/**
 * Runs axe on the document that a tab shows, in a world that the page cannot reach, over all its frames, and reads in the
 * same pass who the flagged elements are and where the page links to. After `timeout` the tab is not fit for use.
 */
export async function analyse(tab: Tab, options: AnalyseOptions): Promise<Analysis> {
  const end = performance.now() + options.limitMs
  const world = await openWorld(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (!world) return { kind: 'gone' }
  const injected = await bringAndCount(tab, world, options, options.limitMs)
  if (injected.kind !== 'value') return notAnswered(injected)
  const elements = injected.value
  tab.received.elements = elements
  if (elements > options.mostElements) return { kind: 'too-large', elements }
  if (options.components.length > 0)
    await callInWorld(world, `clearwayPage.components(${JSON.stringify(options.components)})`, 2000)
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

import type { Tab } from '../browser/tab.ts'
import { callInWorld, stopScripts, openWorld } from '../browser/isolated-world.ts'
import { analyzeFrames } from './frames.ts'
import type { AxeOptions } from './version.ts'
import { injectAndCount, toFailedAnalysis, readReport, type Analysis, type AnalyzeOptions } from './report.ts'

/**
 * Runs axe on the document of a tab and all its frames, in a world that the page cannot reach. The same pass reads the
 * identities of the flagged elements and the page's links. After `timeout`, the tab is unusable.
 */
export async function analyzeTab(tab: Tab, options: AnalyzeOptions): Promise<Analysis> {
  const deadlineAt = performance.now() + options.limitMs
  const axeWorld = await openWorld(tab.cdp, tab.mainFrameId, 'axe', 2000)
  if (!axeWorld) return { kind: 'gone' }
  const injectResult = await injectAndCount(tab, axeWorld, options, options.limitMs)
  if (injectResult.kind !== 'value') return toFailedAnalysis(injectResult)
  const elementCount = injectResult.value
  tab.received.elements = elementCount
  if (elementCount > options.maxElements) return { kind: 'too-large', elements: elementCount }
  if (options.components.length > 0)
    await callInWorld(axeWorld, `clearwayPage.components(${JSON.stringify(options.components)})`, 2000)
  const hasFrames = tab.page.frames().length > 1
  // The results of a single document hold the elements themselves.
  const axeOptions: AxeOptions = { ...options.axe, ancestry: hasFrames }
  const tabAnalysis = hasFrames
    ? await analyzeFrames(tab, { world: axeWorld, elements: elementCount }, options, deadlineAt)
    : await readReport(axeWorld, `axe.run(document, ${JSON.stringify(axeOptions)})`, options, deadlineAt - performance.now())
  if (tabAnalysis.kind === 'timeout') await stopScripts(tab.cdp)
  return tabAnalysis
}

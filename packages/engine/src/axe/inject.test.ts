import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { html, useTestPool, useTestSite, useTestTab } from '../../test/harness.ts'
import { openWorld } from '../browser/isolated-world.ts'
import { analyzeTab } from './analyze.ts'
import { preloadAxe, injectAxe, holdAxe } from './inject.ts'
import { buildAxeOptions, loadAxeScript } from './version.ts'

const pool = useTestPool()
const globalNames = ['axe', 'clearwayPage', 'clearwayHeld', 'clearwayAhead']
const fakeScript =
  'globalThis.axe = { by: "axe" }; globalThis.clearwayPage = { runs: (globalThis.clearwayPage?.runs ?? 0) + 1 };0'
const testTab = useTestTab(pool)
/** Lengths of the scripts that were sent for evaluation, by call. */
let sentLengths: number[]
const site = useTestSite(() => ({
  '/plain': html('Plain', ''),
  '/framed': html(
    'Framed',
    '<img src="data:,"><iframe title="f" srcdoc="<html lang=en><title>f</title><img src=data:,>"></iframe>',
  ),
  // Named elements become globals, and an embed is even callable.
  '/named': html('Named', globalNames.map((name) => `<embed id="${name}" name="${name}">`).join('')),
  '/asking': html('Asking', `<script>document.title = ${JSON.stringify(globalNames)}.filter((n) => n in window)</script>`),
}))

async function injectAt(path: string) {
  sentLengths = []
  const { tab } = testTab
  await tab.page.goto(site.origin + path)
  const axeWorld = (await openWorld(tab.cdp, tab.mainFrameId, 'axe', 2000))!
  const countingSession = {
    send: ((method: 'Runtime.evaluate', params: { expression: string }) => {
      sentLengths.push(params.expression.length)
      return tab.cdp.send(method, params)
    }) as typeof tab.cdp.send,
  }
  const probeExpression = '`${axe.by} ${clearwayPage.runs}`'
  return injectAxe({ ...axeWorld, session: countingSession }, { script: fakeScript, reveal: '' }, probeExpression, 5000)
}

it.each([['/plain'], ['/named']])('runs the script that documents hold, and sends it to the others: %s', async (path) => {
  await holdAxe(testTab.tab, null)
  expect(await injectAt(path)).toEqual({ kind: 'value', value: 'axe 1' })
  expect(sentLengths).toHaveLength(2)
  await holdAxe(testTab.tab, fakeScript)
  await holdAxe(testTab.tab, fakeScript)
  expect(await injectAt(path)).toEqual({ kind: 'value', value: 'axe 1' })
  expect(sentLengths).toHaveLength(1)
  await holdAxe(testTab.tab, null)
  expect(await injectAt(path)).toEqual({ kind: 'value', value: 'axe 1' })
  expect(sentLengths).toHaveLength(2)
})

it('runs axe again for each analysis, except after a preload', async () => {
  await holdAxe(testTab.tab, null)
  await holdAxe(testTab.tab, fakeScript)
  await injectAt('/plain')
  const axeWorld = (await openWorld(testTab.tab.cdp, testTab.tab.mainFrameId, 'axe', 2000))!
  const injectAgain = () => injectAxe(axeWorld, { script: fakeScript, reveal: '' }, 'clearwayPage.runs', 5000)
  expect(await injectAgain()).toEqual({ kind: 'value', value: 2 })
  await preloadAxe(testTab.tab, fakeScript, 5000)
  expect(await injectAgain()).toEqual({ kind: 'value', value: 3 })
  expect(await injectAgain()).toEqual({ kind: 'value', value: 4 })
})

it.each([['sent'], ['held']])(
  'produces the same element keys in frames when a document is analyzed twice: %s',
  async (scriptSource) => {
    const { tab } = testTab
    await holdAxe(tab, null)
    if (scriptSource === 'held') await holdAxe(tab, loadAxeScript(defaultRuleSet.axeVersion))
    await tab.page.goto(`${site.origin}/framed`)
    const analyzeKeys = async () => {
      const tabAnalysis = await analyzeTab(tab, {
        script: loadAxeScript(defaultRuleSet.axeVersion),
        axe: buildAxeOptions(defaultRuleSet),
        maxElements: 10_000,
        contentCharacters: 0,
        components: [],
        limitMs: 20_000,
      })
      if (tabAnalysis.kind !== 'done') throw new Error(tabAnalysis.kind)
      return tabAnalysis.elements.map((element) => element?.key)
    }
    const firstKeys = await analyzeKeys()
    expect(firstKeys.some((key) => key?.includes(' >> '))).toBe(true)
    expect(await analyzeKeys()).toEqual(firstKeys)
  },
)

it('is invisible to the page', async () => {
  await holdAxe(testTab.tab, null)
  await holdAxe(testTab.tab, fakeScript)
  expect(await injectAt('/asking')).toEqual({ kind: 'value', value: 'axe 1' })
  expect(sentLengths).toHaveLength(1)
  expect(await testTab.tab.page.title()).toBe('')
})

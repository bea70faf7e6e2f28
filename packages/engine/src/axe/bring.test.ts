import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { html, poolOfFile, siteOfFile, tabOfFile } from '../../test/harness.ts'
import { openWorld } from '../browser/world.ts'
import { analyse } from './analyse.ts'
import { bringAhead, bringAxe, holdAxe } from './bring.ts'
import { axeOptions, axeScript } from './version.ts'

const pool = poolOfFile()
const names = ['axe', 'clearwayPage', 'clearwayHeld', 'clearwayAhead']
const script =
  'globalThis.axe = { by: "axe" }; globalThis.clearwayPage = { runs: (globalThis.clearwayPage?.runs ?? 0) + 1 };0'
const opened = tabOfFile(pool)
/** Characters that were sent to be run, by call. */
let sent: number[]
const site = siteOfFile(() => ({
  '/plain': html('Plain', ''),
  '/framed': html(
    'Framed',
    '<img src="data:,"><iframe title="f" srcdoc="<html lang=en><title>f</title><img src=data:,>"></iframe>',
  ),
  // Elements are globals too, and this one can be called.
  '/named': html('Named', names.map((name) => `<embed id="${name}" name="${name}">`).join('')),
  '/asking': html(
    'Asking',
    `<script>document.title = ${JSON.stringify(names)}.filter((n) => n in window)</script>`,
  ),
}))

async function bring(path: string) {
  sent = []
  const { tab } = opened
  await tab.page.goto(site.origin + path)
  const world = (await openWorld(tab.cdp, tab.mainFrameId, 'axe', 2000))!
  const session = {
    send: ((method: 'Runtime.evaluate', params: { expression: string }) => {
      sent.push(params.expression.length)
      return tab.cdp.send(method, params)
    }) as typeof tab.cdp.send,
  }
  const program = '`${axe.by} ${clearwayPage.runs}`'
  return bringAxe({ ...world, session }, { script, reveal: '' }, program, 5000)
}

it.each([['/plain'], ['/named']])(
  'runs what the documents of a tab hold, and sends it to those that do not: %s',
  async (path) => {
    await holdAxe(opened.tab, null)
    expect(await bring(path)).toEqual({ kind: 'value', value: 'axe 1' })
    expect(sent).toHaveLength(2)
    await holdAxe(opened.tab, script)
    await holdAxe(opened.tab, script)
    expect(await bring(path)).toEqual({ kind: 'value', value: 'axe 1' })
    expect(sent).toHaveLength(1)
    await holdAxe(opened.tab, null)
    expect(await bring(path)).toEqual({ kind: 'value', value: 'axe 1' })
    expect(sent).toHaveLength(2)
  },
)

it('runs it anew for each look, but for what is there for the next', async () => {
  await holdAxe(opened.tab, null)
  await holdAxe(opened.tab, script)
  await bring('/plain')
  const world = (await openWorld(opened.tab.cdp, opened.tab.mainFrameId, 'axe', 2000))!
  const look = () => bringAxe(world, { script, reveal: '' }, 'clearwayPage.runs', 5000)
  expect(await look()).toEqual({ kind: 'value', value: 2 })
  await bringAhead(opened.tab, script, 5000)
  expect(await look()).toEqual({ kind: 'value', value: 3 })
  expect(await look()).toEqual({ kind: 'value', value: 4 })
})

it.each([['sent'], ['held']])(
  'knows elements in frames again when a document is analysed twice: %s',
  async (how) => {
    const { tab } = opened
    await holdAxe(tab, null)
    if (how === 'held') await holdAxe(tab, axeScript(defaultRuleSet.axeVersion))
    await tab.page.goto(`${site.origin}/framed`)
    const look = async () => {
      const analysis = await analyse(tab, {
        script: axeScript(defaultRuleSet.axeVersion),
        axe: axeOptions(defaultRuleSet),
        mostElements: 10_000,
        contentCharacters: 0,
        components: [],
        limitMs: 20_000,
      })
      if (analysis.kind !== 'done') throw new Error(analysis.kind)
      return analysis.elements.map((element) => element?.key)
    }
    const first = await look()
    expect(first.some((key) => key?.includes(' >> '))).toBe(true)
    expect(await look()).toEqual(first)
  },
)

it('shows nothing of it to the page', async () => {
  await holdAxe(opened.tab, null)
  await holdAxe(opened.tab, script)
  expect(await bring('/asking')).toEqual({ kind: 'value', value: 'axe 1' })
  expect(sent).toHaveLength(1)
  expect(await opened.tab.page.title()).toBe('')
})

/** @module-tag slow */
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeOutcome, html, listRules, tryScan, type Route, useTestSite, useTestPool } from '../../test/harness.ts'
import type { ScanPlan } from '../settings.ts'
import { dryRun } from './dry-run.ts'

// Exercises every action of the script language in a real browser.

const pool = useTestPool()
const site = useTestSite(() => routes)

const faultyImage = '<img src="data:,">'
const logExpression = (id: string, event: string) => `document.getElementById('log').textContent += '${id}:' + ${event} + ' '`
const routes: Record<string, Route> = {
  '/': html(
    'Shop',
    `<p id="log"></p>
     <button id="menu" onclick="document.body.insertAdjacentHTML('beforeend','${faultyImage.replaceAll('"', "\\'")}')">Menu</button>
     <input id="q" aria-label="q" oninput="${logExpression('typed', 'this.value')}" onkeydown="if (event.key === 'Enter') ${logExpression('key', 'event.key')}">
     <select id="color" aria-label="c" onchange="${logExpression('chose', 'this.value')}"><option value="r">Red</option><option value="b">Blue</option></select>
     <iframe title="f" srcdoc="&lt;button id=inner onclick=&quot;parent.document.getElementById('log').textContent += 'inner '&quot;>In&lt;/button>"></iframe>
     <x-box></x-box><a href="/next" id="next">next</a>
     <script>
       customElements.define('x-box', class extends HTMLElement { connectedCallback() {
         const root = this.attachShadow({mode: 'open'}); root.innerHTML = '<button id="deep">Deep</button>'
         root.querySelector('button').onclick = () => document.getElementById('log').textContent += 'deep ' } })
       setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id="late">late</p>'), 700)
       setTimeout(() => document.body.insertAdjacentHTML('beforeend',
         '<div id="modal" role="dialog" aria-label="m"><button id="close" onclick="this.parentNode.remove()">x</button></div>'), 300)
     </script>`,
  ),
  // Hidden, since their layout takes a slow machine longer than a page may.
  '/vast': html('Vast', `<div hidden>${'<i></i>'.repeat(160_000)}</div>`),
  '/next': html('Next', '<p>here</p>'),
  '/echo': (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const token = url.searchParams.get('t') ?? ''
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html(`Hello ${token}`, `<p title="${token}">${token}</p>${faultyImage}`))
  },
}

const buildScript = (actions: string[], projectFields: object = {}) =>
  JSON.stringify({
    projects: [
      {
        name: 'Shop',
        id: 's',
        pageList: [{ name: 'Home', url: `${site.origin}/`, actions }],
        ...projectFields,
      },
    ],
  })
const runTestScript = (
  text: string,
  variables: { name: string; value: string }[] = [],
  plan: Partial<ScanPlan> = {},
  scriptTimeoutMs = 60_000,
) =>
  tryScan(pool, site, {
    urls: ['/next'],
    advanced: { scriptTimeoutMs },
    plan: { scripts: [{ name: 'Shop', text, variables }], depth: 0, ...plan },
  })

test('handles clicks, keys, lists, frames, shadow roots and modals, and analyzes states', async () => {
  const { pages } = await runTestScript(
    buildScript([
      'analyze with title "Closed"',
      'dismiss modal "#modal" with close button "#close"',
      'dismiss modal "#never" with close button "#x"',
      'type "<WORD>" into element "#q"',
      'press "Enter" on "#q"',
      'select the "Blue" option in "#color"',
      'click element ["iframe", "#inner"]',
      'click element "x-box #deep"',
      'wait for element "#late" to be found',
      'wait for 100ms',
      'click element "//button[@id=\'menu\']"',
      "eval \"document.getElementById('log').textContent += 'ran'\"",
      'analyze with title "Open"',
      'click element "#next"',
      'analyze',
    ]),
    [{ name: 'WORD', value: 'lamp' }],
    { allowEval: true },
  )
  expect(pages['script:Shop']).toMatchObject({ reason: 'not-a-page' })
  const closedState = pages['/ Home-Closed']
  const openState = pages['/ Home-Open']
  expect([describeOutcome(closedState), describeOutcome(openState), describeOutcome(pages['/next Home-3'])]).toEqual(
    Array(3).fill('completed'),
  )
  expect([listRules(closedState).includes('image-alt'), listRules(openState).includes('image-alt')]).toEqual([false, true])
  const pageContent = (openState?.kind === 'completed' && openState.content) || ''
  expect(/<p id="log">(.*?)<\/p>/.exec(pageContent)?.[1]).toBe('typed:<WORD> key:Enter chose:b inner deep ran')
  expect(openState).toMatchObject({ stateLabel: 'Home-Open' })
})

test('a page without actions is loaded and analyzed; global actions run first', async () => {
  const scriptText = JSON.stringify({
    projects: [
      {
        name: 'Shop',
        id: 's',
        pageList: [
          { name: 'Next', url: `${site.origin}/next` },
          { name: 'Home', url: `${site.origin}/` },
        ],
      },
    ],
  })
  const { pages } = await runTestScript(scriptText)
  expect([describeOutcome(pages['/next Next']), describeOutcome(pages['/ Home-2'])]).toEqual(['completed', 'completed'])
  const globalScan = await runTestScript(buildScript(['analyze'], { globalActions: ['click element "#menu"'] }))
  expect(listRules(globalScan.pages['/ Home'])).toContain('image-alt')
})

test('a variable’s value never appears in a title, source, finding, URL or message', async () => {
  const scriptText = JSON.stringify({
    projects: [{ name: 'E', id: 'e', pageList: [{ name: 'Echo', url: `${site.origin}/echo?t=<TOKEN>` }] }],
  })
  const testScan = await runTestScript(scriptText, [{ name: 'TOKEN', value: 's3cret value&x' }])
  const echoPage = testScan.pages['/echo?t=<TOKEN> Echo']
  expect(Object.keys(testScan.pages)).toContain('/echo?t=<TOKEN> Echo')
  expect(echoPage).toMatchObject({ title: 'Hello <TOKEN>' })
  const scanJson = JSON.stringify(testScan)
  for (const spelling of ['s3cret value&x', 's3cret%20value', 's3cret value&amp;x', 's3cret+value'])
    expect(scanJson).not.toContain(spelling)
})

test.each([
  ['a missing element', ['click element "#gone"', 'analyze'], 'failed script-event-missing', '#gone: no element fits'],
  [
    'a hidden element',
    ['click element "head"', 'analyze'],
    'failed script-event-missing',
    '1 element fits, but it is not usable',
  ],
  [
    'a missing option',
    ['select the "Nine" option in "#color"', 'analyze'],
    'failed script-event-missing',
    '#color: no such option among “Red”, “Blue”',
  ],
  ['an unknown key', ['press "NoSuchKey" on "#q"', 'analyze'], 'failed task-not-processed', 'step 1'],
  ['eval when disabled', ['eval "1"', 'analyze'], 'failed invalid-task', 'does not allow eval'],
  ['a time limit', ['wait for 6s', 'wait for 1s', 'analyze'], 'failed task-not-processed', 'longer than'],
  ['a variable without a value', ['type "<NOBODY>" into element "#q"', 'analyze'], 'failed invalid-task', '<NOBODY>'],
])('%s ends a script with its reason', async (_, actions, expected, detail) => {
  const { pages } = await runTestScript(buildScript(actions), [], {}, 5000)
  const scriptOutcome = pages['script:Shop']
  expect(describeOutcome(scriptOutcome)).toBe(expected)
  expect(JSON.stringify(scriptOutcome)).toContain(detail.replaceAll('"', '\\"'))
  expect(describeOutcome(pages['/next'])).toBe('completed')
})

test('a state that is too large to test ends a script', async () => {
  const { pages } = await runTestScript(buildScript(['analyze']).replace(`${site.origin}/"`, `${site.origin}/vast"`))
  expect(pages['script:Shop']).toMatchObject({ kind: 'failed', reason: 'too-large' })
  expect(pages['script:Shop']).toHaveProperty('detail', expect.stringMatching(/up to 150000 are analyzed$/))
})

test('an invalid script and an unreachable page fail', async () => {
  const invalidScan = await runTestScript('{"projects": 1}')
  expect(describeOutcome(invalidScan.pages['script:Shop'])).toBe('failed invalid-task')
  const unreachableScan = await runTestScript(buildScript(['analyze']).replace(/"url":"[^"]*"/, '"url":"http://127.0.0.1:1/"'))
  expect(describeOutcome(unreachableScan.pages['script:Shop'])).toMatch(/^failed (connection-refused|bad-url)/)
})

test('a dry run returns each step with a screenshot and the end', async () => {
  const dryRunPlan: ScanPlan = {
    urls: [`${site.origin}/`],
    domains: [new URL(site.origin).host],
    depth: 0,
    pageLimit: 1,
    ruleSet: defaultRuleSet,
    advanced: z.parse(AdvancedSettings, { scriptTimeoutMs: 5000 }),
    allowPrivate: ['127.0.0.0/8'],
    concurrency: 1,
  }
  const runDry = (text: string) =>
    dryRun({ pool }, { name: 'x', text, variables: [], type: 'TASK' }, dryRunPlan, new AbortController().signal)
  const dryRunResult = await runDry(buildScript(['click element "#menu"', 'analyze', 'click element "#gone"']))
  if (dryRunResult.kind !== 'ran') throw new Error(JSON.stringify(dryRunResult))
  expect(dryRunResult.end).toMatchObject({ kind: 'failed', reason: 'script-event-missing' })
  expect(dryRunResult.steps.map(({ number, ok, text }) => [number, ok, text])).toEqual([
    [0, true, `open ${site.origin}/`],
    [1, true, 'click element "#menu"'],
    [2, true, 'analyze'],
    [3, false, 'click element "#gone"'],
  ])
  for (const { screenshot } of dryRunResult.steps) expect(screenshot?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  expect(await runDry('nonsense')).toMatchObject({ kind: 'invalid' })
})

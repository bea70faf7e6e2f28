import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fate, html, rulesOf, tryScan, type Route, siteOfFile, poolOfFile } from '../../test/harness.ts'
import type { ScanPlan } from '../settings.ts'
import { dryRun } from './dry-run.ts'

// Every action of the script language, in a real browser.

const pool = poolOfFile()
const site = siteOfFile(() => routes)

const fault = '<img src="data:,">'
const say = (id: string, event: string) =>
  `document.getElementById('log').textContent += '${id}:' + ${event} + ' '`
const routes: Record<string, Route> = {
  '/': html(
    'Shop',
    `<p id="log"></p>
     <button id="menu" onclick="document.body.insertAdjacentHTML('beforeend','${fault.replaceAll('"', "\\'")}')">Menu</button>
     <input id="q" aria-label="q" oninput="${say('typed', 'this.value')}" onkeydown="if (event.key === 'Enter') ${say('key', 'event.key')}">
     <select id="color" aria-label="c" onchange="${say('chose', 'this.value')}"><option value="r">Red</option><option value="b">Blue</option></select>
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
  '/vast': html('Vast', '<i></i>'.repeat(160_000)),
  '/next': html('Next', '<p>here</p>'),
  '/echo': (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const token = url.searchParams.get('t') ?? ''
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html(`Hello ${token}`, `<p title="${token}">${token}</p>${fault}`))
  },
}

const scriptOf = (actions: string[], more: object = {}) =>
  JSON.stringify({
    projects: [
      { name: 'Shop', id: 's', pageList: [{ name: 'Home', url: `${site.origin}/`, actions }], ...more },
    ],
  })
const run = (
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

test('walks through clicks, keys, lists, frames, shadow roots and modals, and analyses states', async () => {
  const { pages } = await run(
    scriptOf([
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
  const closed = pages['/ Home-Closed']
  const opened = pages['/ Home-Open']
  expect([fate(closed), fate(opened), fate(pages['/next Home-3'])]).toEqual(Array(3).fill('completed'))
  expect([rulesOf(closed).includes('image-alt'), rulesOf(opened).includes('image-alt')]).toEqual([
    false,
    true,
  ])
  const content = (opened?.kind === 'completed' && opened.content) || ''
  expect(/<p id="log">(.*?)<\/p>/.exec(content)?.[1]).toBe('typed:<WORD> key:Enter chose:b inner deep ran')
  expect(opened).toMatchObject({ stateLabel: 'Home-Open' })
})

test('a page without actions is loaded and analysed; global actions come first', async () => {
  const text = JSON.stringify({
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
  const { pages } = await run(text)
  expect([fate(pages['/next Next']), fate(pages['/ Home-2'])]).toEqual(['completed', 'completed'])
  const global = await run(scriptOf(['analyze'], { globalActions: ['click element "#menu"'] }))
  expect(rulesOf(global.pages['/ Home'])).toContain('image-alt')
})

test('a variable’s value reaches no title, source, finding, URL or message', async () => {
  const text = JSON.stringify({
    projects: [{ name: 'E', id: 'e', pageList: [{ name: 'Echo', url: `${site.origin}/echo?t=<TOKEN>` }] }],
  })
  const scanned = await run(text, [{ name: 'TOKEN', value: 's3cret value&x' }])
  const page = scanned.pages['/echo?t=<TOKEN> Echo']
  expect(Object.keys(scanned.pages)).toContain('/echo?t=<TOKEN> Echo')
  expect(page).toMatchObject({ title: 'Hello <TOKEN>' })
  const all = JSON.stringify(scanned)
  for (const spelling of ['s3cret value&x', 's3cret%20value', 's3cret value&amp;x', 's3cret+value'])
    expect(all).not.toContain(spelling)
})

test.each([
  [
    'what does not come',
    ['click element "#gone"', 'analyze'],
    'failed script-event-missing',
    '#gone: no element fits',
  ],
  [
    'what is there but hidden',
    ['click element "head"', 'analyze'],
    'failed script-event-missing',
    '1 element fits',
  ],
  ['a key that is none', ['press "NoSuchKey" on "#q"', 'analyze'], 'failed task-not-processed', 'step 1'],
  ['eval where it is off', ['eval "1"', 'analyze'], 'failed invalid-task', 'does not allow eval'],
  [
    'a time that is up',
    ['wait for 6s', 'wait for 1s', 'analyze'],
    'failed task-not-processed',
    'longer than',
  ],
  [
    'a name without value',
    ['type "<NOBODY>" into element "#q"', 'analyze'],
    'failed invalid-task',
    '<NOBODY>',
  ],
])('%s ends a script with its reason', async (_, actions, expected, detail) => {
  const { pages } = await run(scriptOf(actions), [], {}, 5000)
  const outcome = pages['script:Shop']
  expect(fate(outcome)).toBe(expected)
  expect(JSON.stringify(outcome)).toContain(detail.replaceAll('"', '\\"'))
  expect(fate(pages['/next'])).toBe('completed')
})

test('a state too large to be tested ends a script', async () => {
  const { pages } = await run(scriptOf(['analyze']).replace(`${site.origin}/"`, `${site.origin}/vast"`))
  expect(pages['script:Shop']).toMatchObject({ kind: 'failed', reason: 'too-large' })
  expect(pages['script:Shop']).toHaveProperty('detail', expect.stringMatching(/up to 150000 are analyzed$/))
})

test('a script that is none, and one whose page does not answer', async () => {
  const broken = await run('{"projects": 1}')
  expect(fate(broken.pages['script:Shop'])).toBe('failed invalid-task')
  const gone = await run(scriptOf(['analyze']).replace(/"url":"[^"]*"/, '"url":"http://127.0.0.1:1/"'))
  expect(fate(gone.pages['script:Shop'])).toMatch(/^failed (connection-refused|bad-url)/)
})

test('a dry run answers each step with a picture, and where it ends', async () => {
  const plan: ScanPlan = {
    urls: [`${site.origin}/`],
    domains: [new URL(site.origin).host],
    depth: 0,
    pageLimit: 1,
    ruleSet: defaultRuleSet,
    advanced: z.parse(AdvancedSettings, { scriptTimeoutMs: 5000 }),
    allowPrivate: ['127.0.0.0/8'],
    concurrency: 1,
  }
  const dry = (text: string) =>
    dryRun({ pool }, { name: 'x', text, variables: [], type: 'TASK' }, plan, new AbortController().signal)
  const done = await dry(scriptOf(['click element "#menu"', 'analyze', 'click element "#gone"']))
  if (done.kind !== 'ran') throw new Error(JSON.stringify(done))
  expect(done.end).toMatchObject({ kind: 'failed', reason: 'script-event-missing' })
  expect(done.steps.map(({ number, ok, text }) => [number, ok, text])).toEqual([
    [0, true, `open ${site.origin}/`],
    [1, true, 'click element "#menu"'],
    [2, true, 'analyze'],
    [3, false, 'click element "#gone"'],
  ])
  for (const { screenshot } of done.steps)
    expect(screenshot?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  expect(await dry('nonsense')).toMatchObject({ kind: 'invalid' })
})

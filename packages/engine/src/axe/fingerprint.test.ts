/** @module-tag slow */
import { createRequire } from 'node:module'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { html, useTestPool, useTestSite, type Route } from '../../test/harness.ts'
import { ruleMutations, rulePage } from '../../test/rule-mutations.ts'
import type { TabLease } from '../browser/pool.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { openScanContext, type OpenedScan } from '../scan-open.ts'
import { computeFingerprint, readFrameFacts, type Fingerprint } from './fingerprint.ts'

// Changes that axe can see change the fingerprint; other changes and repeated visits do not.

const pool = useTestPool()
const pageBody = `<style>p { color: black } @media print { p { color: red } } input:checked + i { color: red }</style>
  <p id="p" class="c">Some <b>words</b> <a href="/next">and a link</a></p><div id="box" style="width:100px;height:40px;overflow:auto"><div id="tall" style="height:30px">x</div></div>
  <form><input id="check" type="checkbox"><i>i</i><input id="text" value="a"><select id="select"><option>1</option><option>2</option></select><textarea id="area">t</textarea></form>
  <details id="details"><summary>s</summary>d</details><dialog id="dialog">d</dialog><div id="pop" popover>pop</div><div id="host"></div>
  <iframe title="f" srcdoc="<p>inside</p>"></iframe><video id="video"></video>
  <div id="keeps"></div><p id="named" style="color:var(--größe)" aria-labelledby="p">Named</p>
  <script>const inner = '<style>em{color:black}</style><em>shadow</em><input type="checkbox">'
    document.getElementById('host').attachShadow({mode:'open'}).innerHTML = inner
    const closed = document.getElementById('keeps').attachShadow({mode:'closed'})
    closed.innerHTML = inner + '<span id="within"></span><iframe title="g" srcdoc="<p>deep</p>"></iframe>'
    const nested = closed.getElementById('within').attachShadow({mode:'closed'}); nested.innerHTML = inner</script>`
let visitCount = 0
const routes: Record<string, Route> = {
  '/': html('Page', pageBody),
  '/rules': rulePage,
  // Values that frameworks regenerate for each visit and no rule reads.
  '/fresh': (_, response) => {
    visitCount += 1
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        html(
          'Fresh',
          `<script nonce="n${visitCount}">window.token = ${visitCount}</script><!-- ${visitCount} --><input type="hidden" name="csrf" value="${visitCount}"><p>Same</p>`,
        ).replace('<title>', `<meta name="csrf-token" content="${visitCount}"><title>`),
      )
  },
  '/foreign': html('Foreign', `<link rel="stylesheet" href="http://localhost:PORT/style.css"><p>x</p>`),
  // More closed roots than are kept, on a page that replaces the APIs used to keep them.
  '/closed': html(
    'Closed',
    `<div id="host"></div><script>
      const { prototype } = WeakRef
      globalThis.WeakRef = class { constructor() { throw new Error('taken') } }
      prototype.deref = () => undefined
      for (let n = 0; n < 2500; n++) document.createElement('div').attachShadow({ mode: 'closed' })
      document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '<a href="/in">In</a>'
      globalThis.isDone = true
    </script>`,
  ),
  '/style.css': (_, response) => void response.writeHead(200, { 'content-type': 'text/css' }).end('p { color: red }'),
}
const site = useTestSite(() => routes)
let openedScan: Extract<OpenedScan, { kind: 'open' }>
let tabLease: TabLease
beforeAll(async () => {
  routes['/foreign'] = (routes['/foreign'] as string).replace('PORT', new URL(site.origin).port)
  const scanResult = await openScanContext(
    { pool, frontier: openMemoryFrontier({ pageLimit: 5, onRecorded: () => undefined }) },
    {
      urls: [site.origin],
      domains: [new URL(site.origin).host],
      depth: 0,
      pageLimit: 5,
      ruleSet: defaultRuleSet,
      advanced: z.parse(AdvancedSettings, {}),
      allowPrivate: ['127.0.0.0/8', '::1'],
      concurrency: 1,
    },
  )
  if (scanResult.kind === 'problem') throw new Error(scanResult.detail)
  openedScan = scanResult
  tabLease = await pool.lease(openedScan.context.sessions.listBrowsings()[0]!)
})
afterAll(async () => {
  await tabLease.releaseTab(true)
  await openedScan.close()
})

/** Fingerprint of a page after a change by its own script. */
async function computePrint(path: string, changeScript = '', conditions = ''): Promise<string> {
  const { tab } = tabLease
  await tab.page.goto(site.origin + path)
  if (changeScript !== '') await tab.page.evaluate(`(async () => { ${changeScript} })()`)
  await waitUntilIdle(tab, { capMs: 10_000 })
  const printResult: Fingerprint = await computeFingerprint(tab, conditions, 10_000)
  return 'print' in printResult ? printResult.print : `cannot: ${printResult.cannot}`
}

it('is identical for unchanged pages, and for changes that no rule reads', async () => {
  for (const path of ['/', '/rules', '/fresh']) {
    const firstPrint = await computePrint(path)
    expect(firstPrint).toMatch(/^[\da-f]{40}$/)
    for (let repetition = 0; repetition < 3; repetition++) expect([path, await computePrint(path)]).toEqual([path, firstPrint])
  }
})

it('depends on the rule set, browser and window', async () => {
  expect(await computePrint('/', '', 'a')).not.toBe(await computePrint('/', '', 'b'))
})

const elementById = (id: string) => `document.getElementById('${id}')`
describe('changes after', () => {
  let originalPrint: string
  beforeAll(async () => {
    originalPrint = await computePrint('/')
  })
  it.each([
    ['one attribute', `${elementById('p')}.setAttribute('aria-label', 'x')`],
    ['one class', `${elementById('p')}.className = 'd'`],
    ['one letter', `${elementById('p')}.firstChild.data = 'Some '.replace('S', 's')`],
    ['two siblings that swap places', `${elementById('p')}.append(${elementById('p')}.querySelector('b'))`],
    ['an element one level deeper', `${elementById('tall')}.append(${elementById('details')})`],
    ['a rule by CSSOM', `document.styleSheets[0].insertRule('u { color: red }')`],
    ['a media rule', `document.styleSheets[0].cssRules[1].media.mediaText = 'speech'`],
    ['a style sheet that is switched off', `document.styleSheets[0].disabled = true`],
    ['an adopted sheet', `const s = new CSSStyleSheet(); s.replaceSync('u{color:red}'); document.adoptedStyleSheets = [s]`],
    ['an inline style', `${elementById('p')}.style.color = 'red'`],
    [
      'a registered property',
      `CSS.registerProperty({name:'--x',syntax:'<color>',inherits:false,initialValue:'red'}); document.styleSheets[0].insertRule('b { color: var(--x) }')`,
    ],
    ['one pixel of layout', `${elementById('box')}.style.marginTop = '1px'`],
    ['half a pixel', `${elementById('tall')}.style.height = '30.5px'`],
    ['a scroll size', `${elementById('tall')}.style.height = '90px'`],
    ['a scroll position of a box', `${elementById('tall')}.style.height = '90px'; ${elementById('box')}.scrollTop = 5`],
    ['a late script', `await new Promise((r) => setTimeout(r, 300)); document.body.append('late')`],
    ['a box that is checked', `${elementById('check')}.checked = true`],
    ['an indeterminate checkbox', `${elementById('check')}.indeterminate = true`],
    ['typed text', `${elementById('text')}.value = 'b'`],
    ['a text of several lines', `${elementById('area')}.value = 'u'`],
    ['another choice', `${elementById('select')}.selectedIndex = 1`],
    ['open details', `${elementById('details')}.open = true`],
    ['a dialog that is modal', `${elementById('dialog')}.showModal()`],
    ['a popover', `${elementById('pop')}.showPopover()`],
    ['focus', `${elementById('text')}.focus()`],
    ['a word in a closed root of a closed root', `nested.querySelector('em').textContent = 'y'`],
    ...['open', 'closed'].flatMap((kind) => {
      const rootExpression = kind === 'open' ? `${elementById('host')}.shadowRoot` : kind
      const emExpression = `${rootExpression}.querySelector('em')`
      return [
        [`a word (${kind} root)`, `${emExpression}.textContent = 'y'`],
        [`an attribute (${kind} root)`, `${emExpression}.setAttribute('role', 'note')`],
        [`a rule by CSSOM (${kind} root)`, `${rootExpression}.styleSheets[0].insertRule('u { color: red }')`],
        [
          `an adopted sheet (${kind} root)`,
          `const s = new CSSStyleSheet(); s.replaceSync('u{color:red}'); ${rootExpression}.adoptedStyleSheets = [s]`,
        ],
        [`a box that is checked (${kind} root)`, `${rootExpression}.querySelector('input').checked = true`],
        [
          `an animation (${kind} root)`,
          `${emExpression}.animate([{color:'red'},{color:'red'}],{duration:9000,iterations:Infinity})`,
        ],
      ]
    }),
    ['a word in a frame', `frames[0].document.body.append('y')`],
    ['a rule in a frame', `frames[0].document.head.innerHTML = '<style>p { color: red }</style>'`],
    [
      'a sheet adopted by a frame',
      `const s = new frames[0].CSSStyleSheet(); s.replaceSync('u{color:red}'); frames[0].document.adoptedStyleSheets = [s]`,
    ],
    [
      'an animation in a frame',
      `frames[0].document.body.animate([{color:'red'},{color:'red'}],{duration:9000,iterations:Infinity})`,
    ],
    ['a closed root in a frame', `frames[0].document.querySelector('p').attachShadow({mode:'closed'}).innerHTML = 'z'`],
    ['a word in a frame in a closed root', `closed.querySelector('iframe').contentDocument.body.append('y')`],
    ['elements referenced by a script', `${elementById('named')}.ariaLabelledByElements = [${elementById('box')}]`],
    ['a property of an attribute', `CSS.registerProperty({name:'--größe',syntax:'<color>',inherits:false,initialValue:'red'})`],
    ['another frame', `document.body.append(document.createElement('iframe'))`],
    ['a media element', `${elementById('video')}.muted = true`],
    ['a finished animation', `await ${elementById('p')}.animate([{color:'red'}],{duration:1,fill:'forwards'}).finished`],
    ['an endless animation', `${elementById('p')}.animate([{opacity:1},{opacity:1}],{duration:9000,iterations:Infinity})`],
    ['a font', `document.fonts.add(new FontFace('Other', 'local("DejaVu Sans")'))`],
    ['the title', `document.title = 'Another'`],
    ['the language', `document.documentElement.lang = 'fr'`],
    ['the direction', `document.dir = 'rtl'`],
    ['the scroll position', `document.body.style.height = '9000px'; scrollTo(0, 100)`],
    ['design mode', `document.designMode = 'on'`],
    ['another fragment', `location.hash = 'p'`],
  ])('%s', async (_name, changeScript) => {
    expect(await computePrint('/', changeScript)).not.toBe(originalPrint)
  })
})

it('distinguishes elements referenced by a script', async () => {
  const printWithLabel = (id: string) =>
    computePrint('/', `${elementById('named')}.ariaLabelledByElements = [${elementById(id)}]`)
  expect(await printWithLabel('box')).not.toBe(await printWithLabel('tall'))
  const printWithActive = (id: string) =>
    computePrint('/', `${elementById('named')}.ariaActiveDescendantElement = ${elementById(id)}`)
  expect(await printWithActive('box')).not.toBe(await printWithActive('tall'))
})

describe('changes after mutations that could affect the rule', () => {
  const axe = createRequire(import.meta.url)('axe-core-4.14') as {
    getRules(): { ruleId: string }[]
    _audit: { rules: { id: string; selector: string }[] }
  }
  it('covers all rules', () => {
    expect(Object.keys(ruleMutations).sort()).toEqual(
      axe
        .getRules()
        .map(({ ruleId }) => ruleId)
        .sort(),
    )
  })
  let originalPrint: string
  beforeAll(async () => {
    originalPrint = await computePrint('/rules')
  })
  /** Fingerprint of a loaded page after a change. */
  const computePrintAfter = async (changeScript: string): Promise<string> => {
    const { tab } = tabLease
    await tab.page.evaluate(`(async () => { ${changeScript} })()`)
    await waitUntilIdle(tab, { capMs: 10_000 })
    const printResult = await computeFingerprint(tab, '', 10_000)
    return 'print' in printResult ? printResult.print : `cannot: ${printResult.cannot}`
  }
  const selectorsByRule = new Map(axe._audit.rules.map(({ id, selector }) => [id, selector]))
  it.each(Object.entries(ruleMutations))(
    '%s, by a late script, and after a change of style or layout of its target',
    async (rule, changeScript) => {
      // The first element that the rule selects, or its nearest ancestor with a box.
      const selectScript = `let at = document.querySelector(${JSON.stringify(selectorsByRule.get(rule))}) ?? document.body
        while (at.parentElement && at.getClientRects().length === 0) at = at.parentElement
        if (document.head.contains(at) || at === document.documentElement) at = document.body
        const path = []
        for (let up = at; up !== document.documentElement; up = up.parentElement)
          path.unshift(':nth-child(' + (1 + [...up.parentElement.children].indexOf(up)) + ')')
        const looked = 'html > ' + path.join(' > ')
        const [sheet] = document.styleSheets`
      const allPrints = [originalPrint]
      allPrints.push(await computePrint('/rules', `${selectScript}; sheet.insertRule(looked + '{ position: relative }')`))
      allPrints.push(await computePrintAfter(`${selectScript}; at.style.top = '1px'`))
      allPrints.push(await computePrintAfter(`setTimeout(() => { ${changeScript} }, 100)`))
      expect(new Set(allPrints).size).toBe(allPrints.length)
    },
  )
})

it('is missing if something cannot be read', async () => {
  expect(await computePrint('/foreign')).toBe('cannot: a style sheet of another origin cannot be read')
  expect(await computePrint('/', `for (let i = 0; i < 30000; i++) document.body.append(document.createElement('i'))`)).toBe(
    'cannot: it has more than 20000 elements',
  )
})

it('links can still be read', async () => {
  await computePrint('/')
  expect((await readFrameFacts(tabLease.tab, 5000))?.links).toEqual([
    { url: `${site.origin}/next`, kind: 'anchor', label: 'and a link' },
  ])
})

it('reads closed shadow roots, which stay closed to the page', async () => {
  await computePrint('/closed')
  for (let repetition = 0; repetition < 2; repetition++)
    expect((await readFrameFacts(tabLease.tab, 5000))?.links).toEqual([{ url: `${site.origin}/in`, kind: 'anchor', label: 'In' }])
  const probeExpression = `[isDone, document.querySelector('#host').shadowRoot, CSS.highlights.size]`
  expect(await tabLease.tab.page.evaluate(probeExpression)).toEqual([true, null, 0])
})

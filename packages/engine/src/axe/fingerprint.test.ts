import { createRequire } from 'node:module'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { html, poolOfFile, siteOfFile, type Route } from '../../test/harness.ts'
import { ruleMutations, rulePage } from '../../test/rule-mutations.ts'
import type { TabLease } from '../browser/pool.ts'
import { openMemoryFrontier } from '../crawl/memory-frontier.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { openScanContext, type OpenedScan } from '../scan-open.ts'
import { fingerprintOf, linksWithoutAxe, type Fingerprint } from './fingerprint.ts'

// What axe can see of a page breaks the fingerprint; what it cannot, and a second visit, do not.

const pool = poolOfFile()
const body = `<style>p { color: black } @media print { p { color: red } } input:checked + i { color: red }</style>
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
let visits = 0
const routes: Record<string, Route> = {
  '/': html('Page', body),
  '/rules': rulePage,
  // As frameworks write it: something new for each visit, where no rule looks.
  '/fresh': (_, response) => {
    visits += 1
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        html(
          'Fresh',
          `<script nonce="n${visits}">window.token = ${visits}</script><!-- ${visits} --><input type="hidden" name="csrf" value="${visits}"><p>Same</p>`,
        ).replace('<title>', `<meta name="csrf-token" content="${visits}"><title>`),
      )
  },
  '/foreign': html('Foreign', `<link rel="stylesheet" href="http://localhost:PORT/style.css"><p>x</p>`),
  // More closed roots than are kept at once, on a page that replaces what they are kept by.
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
  '/style.css': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/css' }).end('p { color: red }'),
}
const site = siteOfFile(() => routes)
let opened: Extract<OpenedScan, { kind: 'open' }>
let lease: TabLease
beforeAll(async () => {
  routes['/foreign'] = (routes['/foreign'] as string).replace('PORT', new URL(site.origin).port)
  const found = await openScanContext(
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
  if (found.kind === 'problem') throw new Error(found.detail)
  opened = found
  lease = await pool.lease(opened.context.sessions.listBrowsings()[0]!)
})
afterAll(async () => {
  await lease.releaseTab(true)
  await opened.close()
})

/** The fingerprint of a page after a change by its own script. */
async function printOf(path: string, change = '', conditions = ''): Promise<string> {
  const { tab } = lease
  await tab.page.goto(site.origin + path)
  if (change !== '') await tab.page.evaluate(`(async () => { ${change} })()`)
  await waitUntilIdle(tab, { capMs: 10_000 })
  const found: Fingerprint = await fingerprintOf(tab, conditions, 10_000)
  return 'print' in found ? found.print : `cannot: ${found.cannot}`
}

it('is the same at each visit of a page that stays the same, and where only what no rule sees is new', async () => {
  for (const path of ['/', '/rules', '/fresh']) {
    const first = await printOf(path)
    expect(first).toMatch(/^[\da-f]{40}$/)
    for (let time = 0; time < 3; time++) expect([path, await printOf(path)]).toEqual([path, first])
  }
})

it('holds for one rule set, browser and window only', async () => {
  expect(await printOf('/', '', 'a')).not.toBe(await printOf('/', '', 'b'))
})

const by = (id: string) => `document.getElementById('${id}')`
describe('is another one after', () => {
  let before: string
  beforeAll(async () => {
    before = await printOf('/')
  })
  it.each([
    ['one attribute', `${by('p')}.setAttribute('aria-label', 'x')`],
    ['one class', `${by('p')}.className = 'd'`],
    ['one letter', `${by('p')}.firstChild.data = 'Some '.replace('S', 's')`],
    ['two siblings that change places', `${by('p')}.append(${by('p')}.querySelector('b'))`],
    ['an element that is one level deeper', `${by('tall')}.append(${by('details')})`],
    ['a rule by CSSOM', `document.styleSheets[0].insertRule('u { color: red }')`],
    ['a rule for a medium', `document.styleSheets[0].cssRules[1].media.mediaText = 'speech'`],
    ['a style sheet that is switched off', `document.styleSheets[0].disabled = true`],
    [
      'an adopted sheet',
      `const s = new CSSStyleSheet(); s.replaceSync('u{color:red}'); document.adoptedStyleSheets = [s]`,
    ],
    ['an inline style', `${by('p')}.style.color = 'red'`],
    [
      'a registered property',
      `CSS.registerProperty({name:'--x',syntax:'<color>',inherits:false,initialValue:'red'}); document.styleSheets[0].insertRule('b { color: var(--x) }')`,
    ],
    ['one pixel of layout', `${by('box')}.style.marginTop = '1px'`],
    ['half a pixel', `${by('tall')}.style.height = '30.5px'`],
    ['a scroll size', `${by('tall')}.style.height = '90px'`],
    ['a place to which a box is scrolled', `${by('tall')}.style.height = '90px'; ${by('box')}.scrollTop = 5`],
    ['a late script', `await new Promise((r) => setTimeout(r, 300)); document.body.append('late')`],
    ['a box that is checked', `${by('check')}.checked = true`],
    ['a box that is neither', `${by('check')}.indeterminate = true`],
    ['a text that is typed', `${by('text')}.value = 'b'`],
    ['a text of several lines', `${by('area')}.value = 'u'`],
    ['another choice', `${by('select')}.selectedIndex = 1`],
    ['details that are open', `${by('details')}.open = true`],
    ['a dialog that is modal', `${by('dialog')}.showModal()`],
    ['a popover', `${by('pop')}.showPopover()`],
    ['focus', `${by('text')}.focus()`],
    ['a word in a closed root of a closed root', `nested.querySelector('em').textContent = 'y'`],
    ...['open', 'closed'].flatMap((kind) => {
      const root = kind === 'open' ? `${by('host')}.shadowRoot` : kind
      const one = `${root}.querySelector('em')`
      return [
        [`a word (${kind} root)`, `${one}.textContent = 'y'`],
        [`an attribute (${kind} root)`, `${one}.setAttribute('role', 'note')`],
        [`a rule by CSSOM (${kind} root)`, `${root}.styleSheets[0].insertRule('u { color: red }')`],
        [
          `an adopted sheet (${kind} root)`,
          `const s = new CSSStyleSheet(); s.replaceSync('u{color:red}'); ${root}.adoptedStyleSheets = [s]`,
        ],
        [`a box that is checked (${kind} root)`, `${root}.querySelector('input').checked = true`],
        [
          `an animation (${kind} root)`,
          `${one}.animate([{color:'red'},{color:'red'}],{duration:9000,iterations:Infinity})`,
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
    [
      'a closed root in a frame',
      `frames[0].document.querySelector('p').attachShadow({mode:'closed'}).innerHTML = 'z'`,
    ],
    ['a word in a frame in a closed root', `closed.querySelector('iframe').contentDocument.body.append('y')`],
    ['elements that a script names', `${by('named')}.ariaLabelledByElements = [${by('box')}]`],
    [
      'a property of an attribute',
      `CSS.registerProperty({name:'--größe',syntax:'<color>',inherits:false,initialValue:'red'})`,
    ],
    ['another frame', `document.body.append(document.createElement('iframe'))`],
    ['a medium', `${by('video')}.muted = true`],
    [
      'a finished animation',
      `await ${by('p')}.animate([{color:'red'}],{duration:1,fill:'forwards'}).finished`,
    ],
    [
      'an animation without end',
      `${by('p')}.animate([{opacity:1},{opacity:1}],{duration:9000,iterations:Infinity})`,
    ],
    ['a font', `document.fonts.add(new FontFace('Other', 'local("DejaVu Sans")'))`],
    ['the title', `document.title = 'Another'`],
    ['the language', `document.documentElement.lang = 'fr'`],
    ['the direction', `document.dir = 'rtl'`],
    ['the place to which it is scrolled', `document.body.style.height = '9000px'; scrollTo(0, 100)`],
    ['design mode', `document.designMode = 'on'`],
    ['another fragment', `location.hash = 'p'`],
  ])('%s', async (_name, change) => {
    expect(await printOf('/', change)).not.toBe(before)
  })
})

it('tells apart the elements that a script names', async () => {
  const naming = (id: string) => printOf('/', `${by('named')}.ariaLabelledByElements = [${by(id)}]`)
  expect(await naming('box')).not.toBe(await naming('tall'))
  const active = (id: string) => printOf('/', `${by('named')}.ariaActiveDescendantElement = ${by(id)}`)
  expect(await active('box')).not.toBe(await active('tall'))
})

describe('is another one after what could change the result of the rule', () => {
  const axe = createRequire(import.meta.url)('axe-core-4.14') as {
    getRules(): { ruleId: string }[]
    _audit: { rules: { id: string; selector: string }[] }
  }
  it('of all rules that there are', () => {
    expect(Object.keys(ruleMutations).sort()).toEqual(
      axe
        .getRules()
        .map(({ ruleId }) => ruleId)
        .sort(),
    )
  })
  let before: string
  beforeAll(async () => {
    before = await printOf('/rules')
  })
  /** The next print of a page that is there already. */
  const printAfter = async (change: string): Promise<string> => {
    const { tab } = lease
    await tab.page.evaluate(`(async () => { ${change} })()`)
    await waitUntilIdle(tab, { capMs: 10_000 })
    const found = await fingerprintOf(tab, '', 10_000)
    return 'print' in found ? found.print : `cannot: ${found.cannot}`
  }
  const selectors = new Map(axe._audit.rules.map(({ id, selector }) => [id, selector]))
  it.each(Object.entries(ruleMutations))(
    '%s, by a script that comes late, and after a style or a pixel of what it looks at',
    async (rule, change) => {
      // What the rule looks at first, or what it is in when that has no box.
      const select = `let at = document.querySelector(${JSON.stringify(selectors.get(rule))}) ?? document.body
        while (at.parentElement && at.getClientRects().length === 0) at = at.parentElement
        if (document.head.contains(at) || at === document.documentElement) at = document.body
        const path = []
        for (let up = at; up !== document.documentElement; up = up.parentElement)
          path.unshift(':nth-child(' + (1 + [...up.parentElement.children].indexOf(up)) + ')')
        const looked = 'html > ' + path.join(' > ')
        const [sheet] = document.styleSheets`
      const prints = [before]
      prints.push(await printOf('/rules', `${select}; sheet.insertRule(looked + '{ position: relative }')`))
      prints.push(await printAfter(`${select}; at.style.top = '1px'`))
      prints.push(await printAfter(`setTimeout(() => { ${change} }, 100)`))
      expect(new Set(prints).size).toBe(prints.length)
    },
  )
})

it('is none where something cannot be read', async () => {
  expect(await printOf('/foreign')).toBe('cannot: a style sheet of another origin cannot be read')
  expect(
    await printOf('/', `for (let i = 0; i < 30000; i++) document.body.append(document.createElement('i'))`),
  ).toBe('cannot: it has more than 20000 elements')
})

it('leaves the links to be read', async () => {
  await printOf('/')
  expect(await linksWithoutAxe(lease.tab, 5000)).toEqual([{ url: `${site.origin}/next`, kind: 'anchor' }])
})

it('closed shadow roots are read, and stay closed to the page', async () => {
  await printOf('/closed')
  for (let time = 0; time < 2; time++)
    expect(await linksWithoutAxe(lease.tab, 5000)).toEqual([{ url: `${site.origin}/in`, kind: 'anchor' }])
  const seen = `[isDone, document.querySelector('#host').shadowRoot, CSS.highlights.size]`
  expect(await lease.tab.page.evaluate(seen)).toEqual([true, null, 0])
})

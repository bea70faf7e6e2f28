/** @module-tag slow */
import { expect, it } from 'vitest'
import { describeOutcome, html, useTestPool, auditAllSettings, useTestSite, tryScan, type Route } from '../../test/harness.ts'

// Semantics that custom elements set by `attachInternals()` count, although no attribute shows them and scripts cannot read them.

const pool = useTestPool()
/** Defines an element that sets its semantics in its constructor and keeps its internals private. */
const defineElement = (name: string, internalsCode: string, isFormControl = false) =>
  `customElements.define('${name}', class extends HTMLElement {
    static formAssociated = ${isFormControl}
    #own = this.attachInternals()
    constructor() { super(); Object.assign(this.#own, ${internalsCode}) }
  });`
const namedDefinition = defineElement('x-named', `{ role: 'button', ariaLabel: 'Save' }`)
const unnamedDefinition = defineElement('x-unnamed', `{ role: 'button', ariaLabel: '' }`)
const defineItem = (role: string) => defineElement('x-item', `{ role: '${role}' }`)
const buildPage = (body: string, scriptCode: string): string => html('Internals', `${body}<script>${scriptCode}</script>`)
const attachClosedRoot = (innerHtml: string) =>
  `document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '${innerHtml}';`
const buildFrame = (innerHtml: string, scriptCode: string) =>
  `<iframe title="f" srcdoc='<html lang="en"><title>f</title><h2>f</h2>${innerHtml}<script>${scriptCode.replaceAll("'", '"')}</script>'></iframe>`
const bothElements = '<x-named role="button"></x-named><x-unnamed role="button"></x-unnamed>'

let currentRole = 'listitem'
let labelSelector = '#one'
const routes: Record<string, Route> = {
  '/names': buildPage(
    `${bothElements}<div id="host"></div>${buildFrame(bothElements, namedDefinition + unnamedDefinition)}
    <p id="one">One</p><p id="two">Two</p><x-by role="button"></x-by><x-by-none role="button"></x-by-none>`,
    namedDefinition +
      unnamedDefinition +
      attachClosedRoot(bothElements) +
      defineElement('x-by', `{ ariaLabelledByElements: [document.querySelector('#one')] }`) +
      defineElement('x-by-none', `{ ariaLabelledByElements: [] }`),
  ),
  // A label names a form control even for its container.
  '/labels': buildPage(
    `<label for="a">Store</label><a href="#a"><x-switch id="a"></x-switch></a><label>Save <x-switch></x-switch></label>
    <a href="#b"><x-switch id="b"></x-switch></a><label for="c">Store</label><a href="#c"><x-plain id="c"></x-plain></a>`,
    defineElement('x-switch', `{ role: 'switch' }`, true) + defineElement('x-plain', `{ role: 'switch' }`),
  ),
  '/roles': buildPage(
    `<ul><x-item>one</x-item></ul><ol><x-option>two</x-option></ol><x-list><div role="listitem">three</div></x-list>
    <x-button aria-pressed="true">Four</x-button><x-link aria-pressed="true">Five</x-link><x-button>Six <a href="#one">x</a></x-button>`,
    defineItem('listitem') +
      defineElement('x-option', `{ role: 'option' }`) +
      defineElement('x-list', `{ role: 'list' }`) +
      defineElement('x-button', `{ role: 'button' }`) +
      defineElement('x-link', `{ role: 'link' }`),
  ),
  '/changing': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        buildPage(
          '<ul><x-item>one</x-item></ul><p id="one">One</p><p id="two">Two</p><x-by>x</x-by>',
          defineItem(currentRole) +
            defineElement('x-by', `{ ariaLabelledByElements: [document.querySelector('${labelSelector}')] }`),
        ),
      ),
  // Adds a fault as soon as it detects the engine.
  '/watching': buildPage(
    '<ul><x-item>one</x-item></ul><div id="host"></div>',
    `const seen = () => document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')
    let one
    const keys = () => Reflect.ownKeys(one).length + CSS.highlights.size + one.getAttributeNames().length + ('_elementInternals' in globalThis)
    setInterval(() => { if (keys() > 0) seen() }, 5)
    const watch = (owner, ...names) => {
      for (const name of names) {
        const known = Object.getOwnPropertyDescriptor(owner, name)
        const way = 'value' in known ? 'value' : 'get'
        const own = known[way]
        Object.defineProperty(owner, name, { ...known, [way]: function (...given) { seen(); return Reflect.apply(own, this, given) } })
      }
    }
    ${defineItem('listitem')}
    watch(HighlightRegistry.prototype, 'set', 'get', 'delete')
    watch(Highlight.prototype, 'add')
    watch(Event.prototype, 'preventDefault')
    watch(ElementInternals.prototype, 'role', 'ariaLabel', 'labels')
    watch(ShadowRoot.prototype, 'host')
    watch(WeakMap.prototype, 'get', 'set')
    watch(WeakRef.prototype, 'deref')
    for (const name of ['Highlight', 'StaticRange', 'Text', 'WeakRef'])
      globalThis[name] = new Proxy(globalThis[name], { construct() { seen(); return {} } })
    ${attachClosedRoot('<x-item></x-item>')}
    one = document.querySelector('x-item')`,
  ),
  '/hostile': buildPage(
    '<ul><x-item>one</x-item></ul><div id="_elementInternals"></div><div id="clearwayRoots"></div><img name="dispatchEvent" alt=""><div id="host"></div>',
    defineItem('listitem') +
      attachClosedRoot('<button></button>') +
      `Array.prototype[Symbol.iterator] = null; Array.prototype.push = null; String.prototype.endsWith = null
      WeakMap.prototype.get = null; WeakRef = null; Highlight = null; StaticRange = null; Text = null; Reflect.apply = null; Object.create = null`,
  ),
  // More elements than can be kept, few of which are connected. All values are long, and each element references many.
  '/many': buildPage(
    '<ul id="list"></ul>',
    `const items = []
    customElements.define('x-item', class extends HTMLElement {
      #own = this.attachInternals()
      constructor() { super(); items.push(this); this.#own.role = 'listitem'; this.#own.ariaLabel = 'x'.repeat(5000) }
      name(all) { this.#own.ariaLabelledByElements = all }
    });
    for (let n = 0; n < 10_000; n++) document.createElement('x-item');
    for (let n = 0; n < 1500; n++) document.querySelector('#list').append(document.createElement('x-item'));
    for (const one of items.slice(-300)) one.name(items.slice(-1500));`,
  ),
}
const site = useTestSite(() => routes)
const scanPage = async (path: string, knownPrints: Record<string, string> = {}) => {
  const { pages } = await tryScan(pool, site, { urls: [path], advanced: auditAllSettings, plan: { depth: 0 }, knownPrints })
  const outcome = pages[path]!
  if (outcome.kind !== 'completed') throw new Error(describeOutcome(outcome))
  return outcome
}
const listFindings = async (path: string) =>
  (await scanPage(path)).findings.map(({ rule, target }) => `${rule} ${JSON.stringify(target)}`).sort()

it('names count, also in closed roots and frames', async () => {
  expect(await listFindings('/names')).toEqual([
    'aria-command-name ["iframe","x-unnamed"]',
    'aria-command-name ["x-by-none"]',
    'aria-command-name ["x-unnamed"]',
    'aria-command-name [["#host","x-unnamed"]]',
  ])
})

it('a label names only custom form controls', async () => {
  expect(await listFindings('/labels')).toEqual(['link-name ["a[href=\\"#b\\"]"]', 'link-name ["a[href=\\"#c\\"]"]'])
})

it('roles count, with their allowed and forbidden attributes', async () => {
  expect(await listFindings('/roles')).toEqual([
    'aria-allowed-attr ["x-link"]',
    'list ["ol"]',
    'nested-interactive ["x-button:nth-child(7)"]',
  ])
})

it('is invisible to the page', async () => {
  expect(await listFindings('/watching')).toEqual([])
})

it('a page that removes required APIs and uses our names is still tested', async () => {
  expect(await listFindings('/hostile')).toEqual(['button-name [["#host","button"]]'])
})

it('a page with very many internals is tested within the limits', async () => {
  const startedAt = performance.now()
  expect(await listFindings('/many')).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

it('a change of internals changes the fingerprint', async () => {
  currentRole = 'listitem'
  labelSelector = '#one'
  const { fingerprint } = await scanPage('/changing')
  const knownPrints = { '/changing': fingerprint! }
  expect(await scanPage('/changing', knownPrints)).toMatchObject({ audited: true })
  currentRole = 'option'
  expect(await scanPage('/changing', knownPrints)).toMatchObject({ audited: false })
  currentRole = 'listitem'
  labelSelector = '#two'
  expect(await scanPage('/changing', knownPrints)).toMatchObject({ audited: false })
})

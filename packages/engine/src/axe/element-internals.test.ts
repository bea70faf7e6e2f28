import { expect, it } from 'vitest'
import { fate, html, poolOfFile, recognising, siteOfFile, tryScan, type Route } from '../../test/harness.ts'

// What custom elements say of themselves by `attachInternals()` counts, though no attribute shows it and no script can ask for it.

const pool = poolOfFile()
/** Defines an element that says all of it in its constructor, and keeps its internals to itself. */
const define = (name: string, said: string, isControl = false) =>
  `customElements.define('${name}', class extends HTMLElement {
    static formAssociated = ${isControl}
    #own = this.attachInternals()
    constructor() { super(); Object.assign(this.#own, ${said}) }
  });`
const named = define('x-named', `{ role: 'button', ariaLabel: 'Save' }`)
const unnamed = define('x-unnamed', `{ role: 'button', ariaLabel: '' }`)
const item = (role: string) => define('x-item', `{ role: '${role}' }`)
const page = (body: string, code: string): string => html('Internals', `${body}<script>${code}</script>`)
const inClosedRoot = (inner: string) =>
  `document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '${inner}';`
const inFrame = (inner: string, code: string) =>
  `<iframe title="f" srcdoc='<html lang="en"><title>f</title><h2>f</h2>${inner}<script>${code.replaceAll("'", '"')}</script>'></iframe>`
const both = '<x-named role="button"></x-named><x-unnamed role="button"></x-unnamed>'

let role = 'listitem'
let label = '#one'
const routes: Record<string, Route> = {
  '/names': page(
    `${both}<div id="host"></div>${inFrame(both, named + unnamed)}
    <p id="one">One</p><p id="two">Two</p><x-by role="button"></x-by><x-by-none role="button"></x-by-none>`,
    named +
      unnamed +
      inClosedRoot(both) +
      define('x-by', `{ ariaLabelledByElements: [document.querySelector('#one')] }`) +
      define('x-by-none', `{ ariaLabelledByElements: [] }`),
  ),
  // A label names a control also for what it is in.
  '/labels': page(
    `<label for="a">Store</label><a href="#a"><x-switch id="a"></x-switch></a><label>Save <x-switch></x-switch></label>
    <a href="#b"><x-switch id="b"></x-switch></a><label for="c">Store</label><a href="#c"><x-plain id="c"></x-plain></a>`,
    define('x-switch', `{ role: 'switch' }`, true) + define('x-plain', `{ role: 'switch' }`),
  ),
  '/roles': page(
    `<ul><x-item>one</x-item></ul><ol><x-option>two</x-option></ol><x-list><div role="listitem">three</div></x-list>
    <x-button aria-pressed="true">Four</x-button><x-link aria-pressed="true">Five</x-link><x-button>Six <a href="#one">x</a></x-button>`,
    item('listitem') +
      define('x-option', `{ role: 'option' }`) +
      define('x-list', `{ role: 'list' }`) +
      define('x-button', `{ role: 'button' }`) +
      define('x-link', `{ role: 'link' }`),
  ),
  '/changing': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        page(
          '<ul><x-item>one</x-item></ul><p id="one">One</p><p id="two">Two</p><x-by>x</x-by>',
          item(role) + define('x-by', `{ ariaLabelledByElements: [document.querySelector('${label}')] }`),
        ),
      ),
  // Adds a fault as soon as it sees anything of us.
  '/watching': page(
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
    ${item('listitem')}
    watch(HighlightRegistry.prototype, 'set', 'get', 'delete')
    watch(Highlight.prototype, 'add')
    watch(Event.prototype, 'preventDefault')
    watch(ElementInternals.prototype, 'role', 'ariaLabel', 'labels')
    watch(ShadowRoot.prototype, 'host')
    watch(WeakMap.prototype, 'get', 'set')
    watch(WeakRef.prototype, 'deref')
    for (const name of ['Highlight', 'StaticRange', 'Text', 'WeakRef'])
      globalThis[name] = new Proxy(globalThis[name], { construct() { seen(); return {} } })
    ${inClosedRoot('<x-item></x-item>')}
    one = document.querySelector('x-item')`,
  ),
  '/hostile': page(
    '<ul><x-item>one</x-item></ul><div id="_elementInternals"></div><div id="clearwayRoots"></div><img name="dispatchEvent" alt=""><div id="host"></div>',
    item('listitem') +
      inClosedRoot('<button></button>') +
      `Array.prototype[Symbol.iterator] = null; Array.prototype.push = null; String.prototype.endsWith = null
      WeakMap.prototype.get = null; WeakRef = null; Highlight = null; StaticRange = null; Text = null; Reflect.apply = null; Object.create = null`,
  ),
  // More than is kept at once, of which few are shown; all of it is long, and names everything.
  '/many': page(
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
const site = siteOfFile(() => routes)
const visit = async (path: string, known: Record<string, string> = {}) => {
  const { pages } = await tryScan(pool, site, {
    urls: [path],
    advanced: recognising,
    plan: { depth: 0 },
    known,
  })
  const outcome = pages[path]!
  if (outcome.kind !== 'completed') throw new Error(fate(outcome))
  return outcome
}
const findings = async (path: string) =>
  (await visit(path)).findings.map(({ rule, target }) => `${rule} ${JSON.stringify(target)}`).sort()

it('names count, in closed roots and in frames too', async () => {
  expect(await findings('/names')).toEqual([
    'aria-command-name ["iframe","x-unnamed"]',
    'aria-command-name ["x-by-none"]',
    'aria-command-name ["x-unnamed"]',
    'aria-command-name [["#host","x-unnamed"]]',
  ])
})

it('a label names a custom form control, and nothing else', async () => {
  expect(await findings('/labels')).toEqual([
    'link-name ["a[href=\\"#b\\"]"]',
    'link-name ["a[href=\\"#c\\"]"]',
  ])
})

it('roles count, and what they allow and forbid', async () => {
  expect(await findings('/roles')).toEqual([
    'aria-allowed-attr ["x-link"]',
    'list ["ol"]',
    'nested-interactive ["x-button:nth-child(7)"]',
  ])
})

it('the page sees nothing of it', async () => {
  expect(await findings('/watching')).toEqual([])
})

it('a page that takes away what is needed, and takes our names, is tested all the same', async () => {
  expect(await findings('/hostile')).toEqual(['button-name [["#host","button"]]'])
})

it('a page of very many is tested by what can be kept', async () => {
  const begun = performance.now()
  expect(await findings('/many')).toEqual([])
  expect(performance.now() - begun).toBeLessThan(30_000)
})

it('what changes in internals alone is a change of the page', async () => {
  role = 'listitem'
  label = '#one'
  const { fingerprint } = await visit('/changing')
  const known = { '/changing': fingerprint! }
  expect(await visit('/changing', known)).toMatchObject({ audited: true })
  role = 'option'
  expect(await visit('/changing', known)).toMatchObject({ audited: false })
  role = 'listitem'
  label = '#two'
  expect(await visit('/changing', known)).toMatchObject({ audited: false })
})

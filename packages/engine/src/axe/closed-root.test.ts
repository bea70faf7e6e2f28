import { expect, it } from 'vitest'
import { fate, html, poolOfFile, recognising, siteOfFile, tryScan, type Route } from '../../test/harness.ts'

// Shadow roots that a page keeps to itself are shown to readers all the same.

const pool = poolOfFile()
const fault = '<img src="data:,">'
const attach = (host: string, mode: string, inner: string) =>
  `document.querySelector('${host}').attachShadow({ mode: '${mode}' }).innerHTML = \`${inner}\``
/** Asks the page itself whether anything shows. */
const guarded = `if (document.querySelector('#host').shadowRoot) document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')`
let late = ''
const routes: Record<string, Route> = {
  '/': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(
      html(
        'Closed',
        `<div id="host"></div><x-box><template shadowrootmode="closed">${fault}</template></x-box>
        <script>customElements.define('x-box', class extends HTMLElement { constructor() { super(); this.attachInternals() } })
          ${attach('#host', 'closed', `<section><x-inner></x-inner>${fault}<a href="/found">Found</a></section>${late}`)}
          setTimeout(() => { ${guarded} }, 100)</script>
        <iframe title="f" srcdoc='<html lang="en"><title>f</title><h2>f</h2><p id="in"></p><script>document.querySelector("p").attachShadow({mode:"closed"}).innerHTML = "<button></button>"</script>'></iframe>`,
      ),
    ),
  '/found': html('Found', ''),
}
const site = siteOfFile(() => routes)

it('closed shadow roots are tested, in frames too, and stay closed to the page', async () => {
  late = ''
  const advanced = recognising
  const first = await tryScan(pool, site, { advanced })
  const page = first.pages['/']!
  if (page.kind !== 'completed') throw new Error(fate(page))
  expect(page.findings.map(({ rule, target }) => `${rule} ${JSON.stringify(target)}`).sort()).toEqual([
    'button-name ["iframe",["#in","button"]]',
    'image-alt [["#host","img"]]',
    'image-alt [["x-box","img"]]',
  ])
  expect(page.findings.every(({ elementKey }) => elementKey.includes(' >>> '))).toBe(true)
  expect(fate(first.pages['/found'])).toBe('completed')
  expect(page.fingerprint).toMatch(/^[0-9a-f]{40}$/)
  const known = { '/': page.fingerprint! }
  const again = await tryScan(pool, site, { advanced, known })
  expect(again.pages['/']).toMatchObject({ fingerprint: page.fingerprint, audited: true })
  // What changes inside is a change of the page.
  late = fault
  const changed = await tryScan(pool, site, { advanced, known })
  expect(changed.pages['/']).toMatchObject({ audited: false })
})

import { expect, it } from 'vitest'
import { describeOutcome, html, useTestPool, auditAllSettings, useTestSite, tryScan, type Route } from '../../test/harness.ts'

// Content of closed shadow roots is visible to users, so it is tested.

const pool = useTestPool()
const faultyImage = '<img src="data:,">'
const attachShadow = (hostSelector: string, shadowMode: string, shadowHtml: string) =>
  `document.querySelector('${hostSelector}').attachShadow({ mode: '${shadowMode}' }).innerHTML = \`${shadowHtml}\``
/** Adds a fault if the page can see the root. */
const detectionScript = `if (document.querySelector('#host').shadowRoot) document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')`
let lateContent = ''
const routes: Record<string, Route> = {
  '/': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(
      html(
        'Closed',
        `<div id="host"></div><x-box><template shadowrootmode="closed">${faultyImage}</template></x-box>
        <script>customElements.define('x-box', class extends HTMLElement { constructor() { super(); this.attachInternals() } })
          ${attachShadow('#host', 'closed', `<section><x-inner></x-inner>${faultyImage}<a href="/found">Found</a></section>${lateContent}`)}
          setTimeout(() => { ${detectionScript} }, 100)</script>
        <iframe title="f" srcdoc='<html lang="en"><title>f</title><h2>f</h2><p id="in"></p><script>document.querySelector("p").attachShadow({mode:"closed"}).innerHTML = "<button></button>"</script>'></iframe>`,
      ),
    ),
  '/found': html('Found', ''),
}
const site = useTestSite(() => routes)

it('closed shadow roots are tested, also in frames, and stay closed to the page', async () => {
  lateContent = ''
  const advancedSettings = auditAllSettings
  const firstScan = await tryScan(pool, site, { advanced: advancedSettings })
  const rootPage = firstScan.pages['/']!
  if (rootPage.kind !== 'completed') throw new Error(describeOutcome(rootPage))
  expect(rootPage.findings.map(({ rule, target }) => `${rule} ${JSON.stringify(target)}`).sort()).toEqual([
    'button-name ["iframe",["#in","button"]]',
    'image-alt [["#host","img"]]',
    'image-alt [["x-box","img"]]',
  ])
  expect(rootPage.findings.every(({ elementKey }) => elementKey.includes(' >>> '))).toBe(true)
  expect(describeOutcome(firstScan.pages['/found'])).toBe('completed')
  expect(rootPage.fingerprint).toMatch(/^[0-9a-f]{40}$/)
  const knownPrints = { '/': rootPage.fingerprint! }
  const secondScan = await tryScan(pool, site, { advanced: advancedSettings, knownPrints })
  expect(secondScan.pages['/']).toMatchObject({ fingerprint: rootPage.fingerprint, audited: true })
  // Changes inside closed roots change the page's fingerprint.
  lateContent = faultyImage
  const changedScan = await tryScan(pool, site, { advanced: advancedSettings, knownPrints })
  expect(changedScan.pages['/']).toMatchObject({ audited: false })
})

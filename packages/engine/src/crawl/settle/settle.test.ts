/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, serve, tryScan, type Route, type TestScan, type TestSite, useTestPool } from '../../../test/harness.ts'

const faultyImage = '<img src="x.png">'
const appendFault = `document.querySelector('main').insertAdjacentHTML('beforeend', '${faultyImage}')`
const buildPage = (scriptCode: string): string => html('Settle', `<p id="out">0</p><script>${scriptCode}</script>`)
const delayedRoute =
  (delayMs: number, body: string): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(body), delayMs)

/** Pages whose fault appears late, each in a different way. `maxMs`: maximum duration of a visit on a busy machine. */
const lateCases: Record<string, { body: string; faults: number; settled?: false; maxMs?: number }> = {
  '/static': { body: html('Static', faultyImage), faults: 1, maxMs: 4000 },
  '/fetch': { body: buildPage(`fetch('/late').then(() => ${appendFault})`), faults: 1 },
  '/chain': {
    body: buildPage(`fetch('/late').then(() => fetch('/late?2')).then(() => setTimeout(() => ${appendFault}, 600))`),
    faults: 1,
  },
  '/timer': { body: buildPage(`setTimeout(() => ${appendFault}, 1000)`), faults: 1 },
  '/until-ready': {
    body: buildPage(`let n = 0; const t = setInterval(() => { if (++n === 3) { clearTimeout(t); ${appendFault} } }, 300)`),
    faults: 1,
  },
  '/frames': {
    body: buildPage(`let n = 0; const step = () => { if (++n < 40) requestAnimationFrame(step); else ${appendFault};
      document.querySelector('main').append(' ') }; step()`),
    faults: 1,
  },
  '/shadow': {
    body: buildPage(
      `const root = out.attachShadow({ mode: 'open' }); fetch('/late').then(() => { root.innerHTML = '${faultyImage}' })`,
    ),
    faults: 1,
  },
  '/socket-like': {
    body: buildPage(`new EventSource('/events').onmessage = () => ${appendFault}`),
    faults: 1,
  },
  '/poll': {
    body: html(
      'Poll',
      `${faultyImage}<p id="out">0</p><script>setInterval(() => fetch('/late?' + Date.now()).then(() => { out.textContent = Date.now() }), 1000)</script>`,
    ),
    faults: 1,
    maxMs: 9000,
  },
  '/ticker': {
    body: html(
      'Ticker',
      `${faultyImage}<p id="out">0</p><script>setInterval(() => { out.textContent = Date.now() }, 50)</script>`,
    ),
    faults: 1,
    maxMs: 9000,
  },
  '/growing': {
    body: html('Growing', `${faultyImage}<p id="out">0</p><script>setInterval(() => out.append('x'), 100)</script>`),
    faults: 1,
    settled: false,
  },
}

const pool = useTestPool()
let site: TestSite
let testScan: TestScan
beforeAll(async () => {
  const routes: Record<string, Route> = Object.fromEntries(Object.entries(lateCases).map(([path, { body }]) => [path, body]))
  routes['/late'] = delayedRoute(400, 'ok')
  routes['/events'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    setTimeout(() => response.write('data: x\n\n'), 400)
  }
  site = await serve(routes)
  testScan = await tryScan(pool, site, { urls: Object.keys(lateCases), plan: { depth: 0 } })
}, 120_000)
afterAll(async () => {
  await site.close()
})

describe('a page is analyzed once it is idle', () => {
  it.each(Object.entries(lateCases))('%s', (path, { faults, settled = true, maxMs = Infinity }) => {
    const outcome = testScan.pages[path]
    if (outcome?.kind !== 'completed') throw new Error(`${path} ended as ${JSON.stringify(outcome)}`)
    expect(outcome.findings.filter(({ rule }) => rule === 'image-alt')).toHaveLength(faults)
    // The npm package's browser adds a notice about fonts to each page.
    const notices = outcome.notices.filter((notice) => notice !== 'embedded-browser-fonts')
    expect(notices).toEqual(settled ? [] : ['did-not-settle'])
    expect(outcome.durationMs).toBeLessThan(maxMs)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  html,
  serve,
  tryScan,
  type Route,
  type TestScan,
  type TestSite,
  poolOfFile,
} from '../../../test/harness.ts'

const fault = '<img src="x.png">'
const grow = `document.querySelector('main').insertAdjacentHTML('beforeend', '${fault}')`
const page = (code: string): string => html('Settle', `<p id="out">0</p><script>${code}</script>`)
const after =
  (ms: number, body: string): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(body), ms)

/** Pages that get their fault late, each by another way; `most`: milliseconds that a visit may take on a busy machine. */
const cases: Record<string, { body: string; faults: number; settled?: false; most?: number }> = {
  '/static': { body: html('Static', fault), faults: 1, most: 4000 },
  '/fetch': { body: page(`fetch('/late').then(() => ${grow})`), faults: 1 },
  '/chain': {
    body: page(`fetch('/late').then(() => fetch('/late?2')).then(() => setTimeout(() => ${grow}, 600))`),
    faults: 1,
  },
  '/timer': { body: page(`setTimeout(() => ${grow}, 1000)`), faults: 1 },
  '/until-ready': {
    body: page(
      `let n = 0; const t = setInterval(() => { if (++n === 3) { clearTimeout(t); ${grow} } }, 300)`,
    ),
    faults: 1,
  },
  '/frames': {
    body: page(`let n = 0; const step = () => { if (++n < 40) requestAnimationFrame(step); else ${grow};
      document.querySelector('main').append(' ') }; step()`),
    faults: 1,
  },
  '/shadow': {
    body: page(
      `const root = out.attachShadow({ mode: 'open' }); fetch('/late').then(() => { root.innerHTML = '${fault}' })`,
    ),
    faults: 1,
  },
  '/socket-like': { body: page(`new EventSource('/events').onmessage = () => ${grow}`), faults: 1 },
  '/poll': {
    body: html(
      'Poll',
      `${fault}<p id="out">0</p><script>setInterval(() => fetch('/late?' + Date.now()).then(() => { out.textContent = Date.now() }), 1000)</script>`,
    ),
    faults: 1,
    most: 9000,
  },
  '/ticker': {
    body: html(
      'Ticker',
      `${fault}<p id="out">0</p><script>setInterval(() => { out.textContent = Date.now() }, 50)</script>`,
    ),
    faults: 1,
    most: 9000,
  },
  '/growing': {
    body: html(
      'Growing',
      `${fault}<p id="out">0</p><script>setInterval(() => out.append('x'), 100)</script>`,
    ),
    faults: 1,
    settled: false,
  },
}

const pool = poolOfFile()
let site: TestSite
let scanned: TestScan
beforeAll(async () => {
  const routes: Record<string, Route> = Object.fromEntries(
    Object.entries(cases).map(([path, { body }]) => [path, body]),
  )
  routes['/late'] = after(400, 'ok')
  routes['/events'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    setTimeout(() => response.write('data: x\n\n'), 400)
  }
  site = await serve(routes)
  scanned = await tryScan(pool, site, { urls: Object.keys(cases), plan: { depth: 0 } })
}, 120_000)
afterAll(async () => {
  await site.close()
})

describe('a page is analysed when it has come to rest', () => {
  it.each(Object.entries(cases))('%s', (path, { faults, settled = true, most = Infinity }) => {
    const outcome = scanned.pages[path]
    if (outcome?.kind !== 'completed') throw new Error(`${path} ended as ${JSON.stringify(outcome)}`)
    expect(outcome.findings.filter(({ rule }) => rule === 'image-alt')).toHaveLength(faults)
    // The browser from npm says of each page that it has few fonts.
    const notices = outcome.notices.filter((notice) => notice !== 'embedded-browser-fonts')
    expect(notices).toEqual(settled ? [] : ['did-not-settle'])
    expect(outcome.durationMs).toBeLessThan(most)
  })
})

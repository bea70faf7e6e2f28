/** @module-tag slow */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  describeOutcome,
  html,
  listRules,
  serve,
  tryScan,
  type Route,
  type TestScan,
  type TestSite,
  useTestPool,
} from '../../../test/harness.ts'

// Pages that build themselves late in various ways, each with a fault that comes last. Both runs must be identical.

const faultyImage = '<img src="data:,">'
const appendFault = `document.querySelector('main').insertAdjacentHTML('beforeend', '${faultyImage}')`
const buildPage = (scriptCode: string, body = ''): string =>
  html('Late', `<p id="out">0</p>${body}<script>${scriptCode}</script>`)
const buildStyledPage = (css: string, body: string, scriptCode = ''): string =>
  html('Styled', `<style>${css}</style>${body}<script>${scriptCode}</script>`)
const delayedRoute =
  (delayMs: number, contentType: string, bodyContent: string | Buffer): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': contentType }).end(bodyContent), delayMs)
const gifPixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

const latePages: Record<string, string> = {
  '/fetch-50': buildPage(`fetch('/text-50').then(() => ${appendFault})`),
  '/fetch-1500': buildPage(`fetch('/text-1500').then(() => ${appendFault})`),
  '/fetch-4000': buildPage(`fetch('/text-4000').then(() => ${appendFault})`),
  '/fetch-chain': buildPage(
    `fetch('/text-50?1').then(() => fetch('/text-50?2')).then(() => fetch('/text-50?3')).then(() => ${appendFault})`,
  ),
  '/xhr': buildPage(`const x = new XMLHttpRequest(); x.onload = () => ${appendFault}; x.open('GET', '/text-600'); x.send()`),
  '/image': buildPage(
    `const i = new Image(); i.alt = ''; i.onload = () => ${appendFault}; i.src = '/pixel'; document.body.append(i)`,
  ),
  '/timer-400': buildPage(`setTimeout(() => ${appendFault}, 400)`),
  '/sleeps': buildPage(`const s = () => new Promise((r) => setTimeout(r, 300)); s().then(s).then(s).then(() => ${appendFault})`),
  '/growth': buildPage(
    `let n = 0; const t = setInterval(() => { out.append('x'); if (++n > 10) { clearInterval(t); ${appendFault} } }, 30)`,
  ),
  '/idle': buildPage(`requestIdleCallback(() => ${appendFault})`),
  '/task': buildPage(`scheduler.postTask(() => ${appendFault}, { delay: 800 })`),
  '/worker': buildPage(
    `const w = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 700)']))); w.onmessage = () => ${appendFault}`,
  ),
  '/socket': buildPage(`new WebSocket('ws://' + location.host + '/ws').onmessage = () => ${appendFault}`),
  '/long-poll': buildPage(`fetch('/never'); setTimeout(() => ${appendFault}, 300)`),
  '/hanging-image': html('Hang', `<img alt="x" src="/never">${faultyImage}`),
  '/missing-media': html('Media', `<video src="/none" aria-label="v"></video>${faultyImage}`),
  '/hanging-media': html('Media', `<audio src="/never" controls aria-label="a"></audio>${faultyImage}`),
  '/ticker-timeout': html(
    'Ticker',
    `${faultyImage}<p id="t">0</p><script>(function f() { t.textContent = Date.now(); setTimeout(f, 80) })()</script>`,
  ),
  '/carousel': html(
    'Carousel',
    `${faultyImage}<p id="t">0</p><script>setInterval(() => { t.textContent = Date.now() }, 3000)</script>`,
  ),
  '/beacon': html('Beacon', `${faultyImage}<script>setInterval(() => navigator.sendBeacon('/text-50'), 1000)</script>`),
  '/skeleton': buildPage(`setTimeout(() => { out.outerHTML = '${faultyImage}' }, 900)`),
  '/banner': buildPage(`setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div>${faultyImage}</div>'), 1000)`),
  '/frame-late': buildPage(
    `setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<iframe title="f" src="/framed"></iframe>'), 400)`,
  ),
  '/element': buildPage(`import('/element.js')`, '<x-late></x-late>'),
  '/animation-end': buildStyledPage(
    '@keyframes a { to { color: #111 } } p { animation: a 600ms }',
    '<p>x</p>',
    `document.querySelector('p').onanimationend = () => ${appendFault}`,
  ),
  '/pulse': buildStyledPage('@keyframes p { 50% { color: #333 } } p { animation: p 1s infinite }', `<p>x</p>${faultyImage}`),
  '/transition': buildStyledPage(
    'p { transition: color 500ms } p.on { color: #111 }',
    '<p>x</p>',
    `const p = document.querySelector('p'); p.ontransitionend = () => ${appendFault}; p.getBoundingClientRect(); p.classList.add('on')`,
  ),
  '/reduced': buildStyledPage('', '', `if (matchMedia('(prefers-reduced-motion: reduce)').matches) ${appendFault}`),
}
/** Pages that navigate away; their targets are tested. */
const redirectPages: Record<string, string> = {
  '/script-redirect': buildPage(`setTimeout(() => location.replace('/led-1'), 300)`),
  '/meta-redirect': html('Meta', '').replace('</head>', '<meta http-equiv="refresh" content="0.5;url=/led-2"></head>'),
}

const pool = useTestPool()
let site: TestSite
const testScans: TestScan[] = []
const sockets = new Set<Socket>()
beforeAll(async () => {
  site = await serve({
    ...latePages,
    ...redirectPages,
    '/led-1': html('Led', faultyImage),
    '/led-2': html('Led', faultyImage),
    '/framed': html('Framed', faultyImage),
    '/pixel': delayedRoute(500, 'image/gif', gifPixel),
    '/text-50': delayedRoute(50, 'text/plain', 'x'),
    '/text-600': delayedRoute(600, 'text/plain', 'x'),
    '/text-1500': delayedRoute(1500, 'text/plain', 'x'),
    '/text-4000': delayedRoute(4000, 'text/plain', 'x'),
    '/never': () => undefined,
    '/element.js': delayedRoute(
      300,
      'text/javascript',
      `customElements.define('x-late', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '${faultyImage}' } })`,
    ),
  })
  site.server.on('upgrade', (request, socket: Socket) => {
    sockets.add(socket)
    const acceptKey = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const acceptHash = createHash('sha1').update(acceptKey).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptHash}\r\n\r\n`,
    )
    setTimeout(() => socket.write(Buffer.from([0x81, 1, 0x78])), 400)
  })
  const urls = [...Object.keys(latePages), ...Object.keys(redirectPages)]
  for (let run = 0; run < 2; run++) testScans.push(await tryScan(pool, site, { urls, plan: { depth: 0 } }))
}, 240_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await site.close()
})

it.each(Object.keys(latePages))('%s', (path) => {
  for (const { pages: scanPages } of testScans) expect(listRules(scanPages[path])).toContain('image-alt')
})
it.each([
  ['/script-redirect', '/led-1'],
  ['/meta-redirect', '/led-2'],
])('%s', (path, target) => {
  for (const { pages: scanPages } of testScans)
    expect([describeOutcome(scanPages[path]), describeOutcome(scanPages[target])]).toEqual(['excluded redirect', 'completed'])
})
it('produces the same findings in both runs', () => {
  const scanSummaries = testScans.map(({ pages: scanPages }) =>
    Object.entries(scanPages)
      .map(([path, outcome]) => [
        path,
        describeOutcome(outcome),
        outcome.kind === 'completed'
          ? // The traits behind the location contain the text of a ticker.
            outcome.findings.map(({ rule, elementKey, ordinal }) => [rule, elementKey.split('\t', 1)[0], ordinal])
          : null,
      ])
      .sort((first, second) => String(first[0]).localeCompare(String(second[0]))),
  )
  expect(scanSummaries[0]).toEqual(scanSummaries[1])
})

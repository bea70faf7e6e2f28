import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  fate,
  html,
  rulesOf,
  serve,
  tryScan,
  type Route,
  type TestScan,
  type TestSite,
  poolOfFile,
} from '../../../test/harness.ts'

// The ways in which pages build themselves late, each with a fault that comes last; the same twice.

const fault = '<img src="data:,">'
const grow = `document.querySelector('main').insertAdjacentHTML('beforeend', '${fault}')`
const page = (code: string, body = ''): string =>
  html('Late', `<p id="out">0</p>${body}<script>${code}</script>`)
const styled = (css: string, body: string, code = ''): string =>
  html('Styled', `<style>${css}</style>${body}<script>${code}</script>`)
const late =
  (ms: number, type: string, body: string | Buffer): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), ms)
const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

const pages: Record<string, string> = {
  '/fetch-50': page(`fetch('/text-50').then(() => ${grow})`),
  '/fetch-1500': page(`fetch('/text-1500').then(() => ${grow})`),
  '/fetch-4000': page(`fetch('/text-4000').then(() => ${grow})`),
  '/fetch-chain': page(
    `fetch('/text-50?1').then(() => fetch('/text-50?2')).then(() => fetch('/text-50?3')).then(() => ${grow})`,
  ),
  '/xhr': page(
    `const x = new XMLHttpRequest(); x.onload = () => ${grow}; x.open('GET', '/text-600'); x.send()`,
  ),
  '/image': page(
    `const i = new Image(); i.alt = ''; i.onload = () => ${grow}; i.src = '/pixel'; document.body.append(i)`,
  ),
  '/timer-400': page(`setTimeout(() => ${grow}, 400)`),
  '/sleeps': page(
    `const s = () => new Promise((r) => setTimeout(r, 300)); s().then(s).then(s).then(() => ${grow})`,
  ),
  '/growth': page(
    `let n = 0; const t = setInterval(() => { out.append('x'); if (++n > 10) { clearInterval(t); ${grow} } }, 30)`,
  ),
  '/idle': page(`requestIdleCallback(() => ${grow})`),
  '/task': page(`scheduler.postTask(() => ${grow}, { delay: 800 })`),
  '/worker': page(
    `const w = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 700)']))); w.onmessage = () => ${grow}`,
  ),
  '/socket': page(`new WebSocket('ws://' + location.host + '/ws').onmessage = () => ${grow}`),
  '/long-poll': page(`fetch('/never'); setTimeout(() => ${grow}, 300)`),
  '/hanging-image': html('Hang', `<img alt="x" src="/never">${fault}`),
  '/missing-media': html('Media', `<video src="/none" aria-label="v"></video>${fault}`),
  '/hanging-media': html('Media', `<audio src="/never" controls aria-label="a"></audio>${fault}`),
  '/ticker-timeout': html(
    'Ticker',
    `${fault}<p id="t">0</p><script>(function f() { t.textContent = Date.now(); setTimeout(f, 80) })()</script>`,
  ),
  '/carousel': html(
    'Carousel',
    `${fault}<p id="t">0</p><script>setInterval(() => { t.textContent = Date.now() }, 3000)</script>`,
  ),
  '/beacon': html(
    'Beacon',
    `${fault}<script>setInterval(() => navigator.sendBeacon('/text-50'), 1000)</script>`,
  ),
  '/skeleton': page(`setTimeout(() => { out.outerHTML = '${fault}' }, 900)`),
  '/banner': page(
    `setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div>${fault}</div>'), 1000)`,
  ),
  '/frame-late': page(
    `setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<iframe title="f" src="/framed"></iframe>'), 400)`,
  ),
  '/element': page(`import('/element.js')`, '<x-late></x-late>'),
  '/animation-end': styled(
    '@keyframes a { to { color: #111 } } p { animation: a 600ms }',
    '<p>x</p>',
    `document.querySelector('p').onanimationend = () => ${grow}`,
  ),
  '/pulse': styled('@keyframes p { 50% { color: #333 } } p { animation: p 1s infinite }', `<p>x</p>${fault}`),
  '/transition': styled(
    'p { transition: color 500ms } p.on { color: #111 }',
    '<p>x</p>',
    `const p = document.querySelector('p'); p.ontransitionend = () => ${grow}; p.getBoundingClientRect(); p.classList.add('on')`,
  ),
  '/reduced': styled('', '', `if (matchMedia('(prefers-reduced-motion: reduce)').matches) ${grow}`),
}
/** These lead on, and what they lead to is tested. */
const leading: Record<string, string> = {
  '/script-redirect': page(`setTimeout(() => location.replace('/led-1'), 300)`),
  '/meta-redirect': html('Meta', '').replace(
    '</head>',
    '<meta http-equiv="refresh" content="0.5;url=/led-2"></head>',
  ),
}

const pool = poolOfFile()
let site: TestSite
const scans: TestScan[] = []
const sockets = new Set<Socket>()
beforeAll(async () => {
  site = await serve({
    ...pages,
    ...leading,
    '/led-1': html('Led', fault),
    '/led-2': html('Led', fault),
    '/framed': html('Framed', fault),
    '/pixel': late(500, 'image/gif', pixel),
    '/text-50': late(50, 'text/plain', 'x'),
    '/text-600': late(600, 'text/plain', 'x'),
    '/text-1500': late(1500, 'text/plain', 'x'),
    '/text-4000': late(4000, 'text/plain', 'x'),
    '/never': () => undefined,
    '/element.js': late(
      300,
      'text/javascript',
      `customElements.define('x-late', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '${fault}' } })`,
    ),
  })
  site.server.on('upgrade', (request, socket: Socket) => {
    sockets.add(socket)
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    setTimeout(() => socket.write(Buffer.from([0x81, 1, 0x78])), 400)
  })
  const urls = [...Object.keys(pages), ...Object.keys(leading)]
  for (let run = 0; run < 2; run++) scans.push(await tryScan(pool, site, { urls, plan: { depth: 0 } }))
}, 240_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await site.close()
})

it.each(Object.keys(pages))('%s', (path) => {
  for (const { pages: found } of scans) expect(rulesOf(found[path])).toContain('image-alt')
})
it.each([
  ['/script-redirect', '/led-1'],
  ['/meta-redirect', '/led-2'],
])('%s', (path, target) => {
  for (const { pages: found } of scans)
    expect([fate(found[path]), fate(found[target])]).toEqual(['excluded redirect', 'completed'])
})
it('gives the same findings in both runs', () => {
  const prints = scans.map(({ pages: found }) =>
    Object.entries(found)
      .map(([path, outcome]) => [
        path,
        fate(outcome),
        outcome.kind === 'completed'
          ? outcome.findings.map(({ rule, elementKey, ordinal }) => [rule, elementKey, ordinal])
          : null,
      ])
      .sort((a, b) => String(a[0]).localeCompare(String(b[0]))),
  )
  expect(prints[0]).toEqual(prints[1])
})

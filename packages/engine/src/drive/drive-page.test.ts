/** @module-tag slow */
import type { Duplex } from 'node:stream'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding, PageOutcome, Picture } from '../outcome.ts'
import {
  acceptSockets,
  describeOutcome,
  html,
  readSocketTexts,
  serve,
  tryScan,
  useTestPool,
  useTestSite,
  type Route,
} from '../../test/harness.ts'
import { isInFullShare } from './log.ts'

// A drive follows a visit: its results stay as they are, and nothing on the site changes.

const requests: string[] = []
/** A page that tries to act on every key, focus and press. */
const actingBody = `
  <img src="/pixel.png">
  <button id="menu" type="button" aria-expanded="false">Menu</button>
  <div id="panel" hidden><p style="color: #bbb; background: #fff">Boats and piers</p></div>
  <div role="button" tabindex="0" id="post">Send</div>
  <iframe id="other" title="Other site"></iframe>
  <form tabindex="0" aria-label="${'x'.repeat(79)}&#128512;"><input type="hidden" name="labels">Form</form>
  <script>
    other.src = 'http://localhost:' + location.port + '/frame'
    const worker = new Worker('/worker.js')
    const socket = new WebSocket('ws://' + location.host + '/page')
    socket.onopen = () => socket.send('opened')
    const shared = globalThis.SharedWorker && new SharedWorker('/shared.js')
    menu.addEventListener('click', () => {
      panel.hidden = false
      fetch('/order', { method: 'POST', body: 'x' })
      fetch('/items/7/delete')
      other.contentWindow.postMessage('press', '*')
      shared?.port.postMessage('press')
      worker.postMessage('press')
      socket.send('pressed')
      new Worker('/worker.js').postMessage('press')
      navigator.sendBeacon('/beacon', 'x')
      fetch('/moved')
      Object.assign(document.createElement('a'), { target: '_blank', href: '/opened' }).click()
      const form = Object.assign(document.createElement('form'), { target: '_blank', method: 'post', action: '/order' })
      document.body.append(form)
      form.submit()
      form.remove()
      document.cookie = 'pressed=1; path=/'
      localStorage.setItem('pressed', '1')
    })
    post.addEventListener('focus', () => { location.href = '/elsewhere' })
    post.addEventListener('click', () => { location.href = '/elsewhere' })
  </script>`
/** A frame of another site, with a process of its own. */
const framePage = `<!doctype html><html lang="en"><title>Frame</title><script>
  const socket = new WebSocket('ws://' + location.host + '/frame')
  socket.onopen = () => socket.send('opened')
  const worker = new Worker('/worker.js')
  onmessage = () => {
    fetch('/order', { method: 'POST', body: 'frame' })
    fetch('/items/8/delete')
    socket.send('pressed')
    worker.postMessage('press')
  }</script></html>`
const workerScript = `
  const socket = new WebSocket('ws://' + location.host + '/worker')
  const opened = new Promise((resolve) => { socket.onopen = resolve })
  opened.then(() => socket.send('opened'))
  onmessage = () => opened.then(() => socket.send('pressed'))`
/** Texts that the site received by sockets, with their paths. */
const socketTexts: string[] = []
const sharedWorker = `onconnect = ({ ports: [port] }) => { port.onmessage = () => fetch('/order', { method: 'POST', body: 'shared' }) }`
/** Hidden at first; a narrow window, a dark color scheme and a button each show it. */
const statesBody = `
  <style>
    #panel { display: none; color: #bbb; background: #fff }
    #panel.open { display: block }
    @media (max-width: 400px) { #panel { display: block } }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } #panel { display: block } }
  </style>
  <button id="menu" type="button" aria-expanded="false" onclick="panel.classList.add('open')">Menu</button>
  <p id="panel">Boats and piers</p>`
/** Faults that a picture of the page as it arrives does not show. */
const faultsBody = `
  <style>
    a { display: inline-block; margin: 30px; padding: 6px }
    #same:focus, #blank:focus, #card:focus { outline: none }
    #blank { width: 80px; height: 40px }
    #faint:focus { outline: 4px solid #e4e4e4 }
    #bar { position: fixed; inset: auto 0 0; height: 150px; background: #024 }
    #under { position: absolute; bottom: 20px; left: 400px }
    #press { width: 120px; height: 60px; background: #fff; cursor: pointer }
  </style>
  <a id="same" href="#same">Boats</a> <a id="faint" href="#faint">Piers</a> <a id="under" href="#under">Prices</a>
  <a id="blank" href="#blank"></a> <harbor-card id="card" role="button" tabindex="0"></harbor-card>
  <script>
    customElements.define('harbor-card', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<b>Boats</b>' }
    })
  </script>
  <div id="press" onclick="this.style.background = '#f00'">Book</div>
  <div id="bar"></div>`
/** A press makes this page slow to end, and send something then. */
const slowEndBody = `
  <button type="button" aria-expanded="false">Menu</button> <button type="button" aria-expanded="false">More</button>
  <script>
    onclick = () => addEventListener('pagehide', () => {
      for (const endAt = performance.now() + 6000; performance.now() < endAt;);
      navigator.sendBeacon('/beacon', 'x')
    })
  </script>`
const plainBody = `<p><a href="/slow-end">Prices</a> <a href="/acting">Boats</a> <a href="/states">Piers</a> <a href="/faults">Faults</a></p><img src="/pixel.png">
  <div tabindex="0"><a href="#top">Top</a></div>`
const recordRequest =
  (text: string): Route =>
  (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`.trim())
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(text)
  }
const pool = useTestPool()
const site = useTestSite(() => ({
  '/': html('Start', plainBody),
  '/acting': recordRequest(html('Acting', actingBody)),
  '/states': html('States', statesBody),
  '/faults': html('Faults', faultsBody),
  '/slow-end': html('Slow end', slowEndBody),
  '/frame': framePage,
  '/shared.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(sharedWorker)
  },
  '/worker.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(workerScript)
  },
  '/moved': (_request, response) => response.writeHead(302, { location: '/items/9/delete' }).end(),
  '/items/9/delete': recordRequest(''),
  '/opened': recordRequest(html('Opened', '')),
  '/items/8/delete': recordRequest(''),
  '/order': recordRequest(''),
  '/beacon': recordRequest(''),
  '/items/7/delete': recordRequest(''),
  '/elsewhere': recordRequest(html('Elsewhere', '')),
}))
let sockets: Duplex[] = []
let offPages: Record<string, PageOutcome>
let drivenPages: Record<string, PageOutcome>
const getPage = (pages: Record<string, PageOutcome>, path: string) => {
  const page = pages[path]
  if (page?.kind !== 'completed') throw new Error(describeOutcome(page))
  return page
}
/** Width in the frame header of a JPEG. */
function readJpegWidth(image: Uint8Array): number {
  const bytes = Buffer.from(image)
  return bytes.readUInt16BE(bytes.indexOf(Buffer.from([0xff, 0xc0])) + 7)
}
/** Colors of a picture at points, as red, green, blue, and the largest difference between its halves. */
async function readPixels({ image }: Picture, points: { x: number; y: number }[]) {
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    return await page.evaluate(
      async ([base64Text, places]) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${base64Text}`)).blob())
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
        context.drawImage(bitmap, 0, 0)
        const half = (bitmap.width - 16) / 2
        // At their edges, compression mixes neighboring colors.
        const [left, right] = [8, half + 24].map((x) => context.getImageData(x, 0, half - 16, bitmap.height).data)
        const colors = places.map(({ x, y }) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))
        const differences = [...left!].map((value, index) => Math.abs(value - right![index]!))
        return {
          colors,
          difference: differences.reduce((largest, one) => Math.max(largest, one), 0),
          size: [bitmap.width, bitmap.height],
        }
      },
      [Buffer.from(image).toString('base64'), points] as const,
    )
  } finally {
    await browser.close()
  }
}
const listDriven = (path: string): Finding[] => getPage(drivenPages, path).findings.filter(({ engine }) => engine === 'driven')
beforeAll(async () => {
  const advanced = { savePictures: true }
  sockets = acceptSockets(site, (socket, path) =>
    socket.on('data', (data: Buffer) => socketTexts.push(...readSocketTexts(data).map((text) => `${path} ${text}`))),
  )
  offPages = (await tryScan(pool, site, { advanced })).pages
  requests.length = 0
  socketTexts.length = 0
  drivenPages = (await tryScan(pool, site, { advanced: { ...advanced, driven: 'every' } })).pages
})

afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

it('leaves what the visit found as it is', () => {
  for (const path of ['/', '/acting']) {
    const [offPage, drivenPage] = [getPage(offPages, path), getPage(drivenPages, path)]
    const base = drivenPage.findings.filter(({ engine }) => engine === undefined)
    expect(base.map(({ picture: _picture, ...finding }) => finding)).toEqual(
      offPage.findings.map(({ picture: _picture, ...finding }) => finding),
    )
    expect(base.length).toBeGreaterThan(0)
    expect([drivenPage.title, drivenPage.evidence, drivenPage.notices]).toEqual([
      offPage.title,
      offPage.evidence,
      offPage.notices,
    ])
    expect(offPage.driven).toBeUndefined()
    expect(drivenPage.driven).toMatchObject({ level: 'full', version: 1, isPartial: false })
  }
})

it('sends nothing that may change something, and goes nowhere', () => {
  expect(new Set(requests)).toEqual(new Set(['GET /acting']))
})

it('ends a drive whose page does not end', () => {
  expect(getPage(drivenPages, '/slow-end').driven).toMatchObject({ level: 'full', isPartial: true })
})

it('lets no socket of a page, a frame of another site or a worker send while it presses', () => {
  expect(new Set(socketTexts)).toEqual(new Set(['/page opened', '/frame opened', '/worker opened']))
})

it('names the state in which axe found something', () => {
  const opened = listDriven('/acting').filter(({ rule }) => rule === 'color-contrast')
  expect(opened.map(({ states, severity }) => [states, severity])).toEqual([[['opened: Menu'], 'serious']])
})

it('records the way of the Tab key with its faults, and a picture for it', () => {
  const { driven, views = [] } = getPage(drivenPages, '/acting')
  const { views: offViews = [] } = getPage(offPages, '/acting')
  const { stops, view } = driven!.walk!
  expect(stops.map(({ text, kind, faults }) => [text, kind, faults])).toEqual([
    ['Menu', 'button', []],
    ['Send', 'div button', [{ rule: 'drive-on-focus', isReview: false }]],
    ['Other site', 'iframe', []],
    // A field that is named like a property, and a cut within a letter.
    [`${'x'.repeat(79)}\ufffd`, 'form', []],
  ])
  // One below the other or side by side, inside the page.
  for (const { box } of stops) expect(box!.width * box!.height).toBeGreaterThan(0)
  expect(stops[1]!.box!.y).toBeGreaterThanOrEqual(stops[0]!.box!.y)
  expect([view, views.length]).toEqual([offViews.length + 1, offViews.length + 2])
  expect(
    Buffer.from(views[view! - 1]!)
      .subarray(0, 2)
      .toString('hex'),
  ).toBe('ffd8')
})

it('names all states in which one issue is seen', () => {
  const faults = listDriven('/states').filter(({ rule }) => rule === 'color-contrast')
  expect(faults.map(({ target, states }) => [target, states])).toEqual([[['#panel'], ['390 px', 'dark', 'opened: Menu']]])
})

it('shows states in pictures of their own, with the element where it is in them', () => {
  const { driven, views = [], findings } = getPage(drivenPages, '/states')
  expect(driven!.stateViews!.map(({ state }) => state)).toEqual(['390 px', 'dark', 'opened: Menu'])
  const images = driven!.stateViews!.map(({ view }) => Buffer.from(views[view - 1]!).toString('base64'))
  expect(new Set(images).size).toBe(3)
  const picture = findings.find(({ target }) => target.includes('#panel'))!.picture!
  expect(Buffer.from(picture.image).toString('base64')).toBe(images[0])
  expect(readJpegWidth(picture.image)).toBe(390)
  expect(picture.box.width).toBeGreaterThan(200)
  expect(picture.box.x + picture.box.width).toBeLessThanOrEqual(390)
  // The visit did not see this element, so its pictures do not show it.
  const opened = listDriven('/acting').find(({ rule }) => rule === 'color-contrast')!.picture!
  const { driven: acting, views: actingViews = [] } = getPage(drivenPages, '/acting')
  expect(acting!.stateViews).toEqual([{ state: 'opened: Menu', view: actingViews.length }])
  expect(Buffer.from(opened.image).equals(Buffer.from(actingViews.at(-1)!))).toBe(true)
  const { views: offViews = [] } = getPage(offPages, '/states')
  expect([getPage(offPages, '/states').driven, offViews.length]).toEqual([undefined, 1])
})

const findFaultPicture = (rule: string, selector: string): Picture => {
  const finding = listDriven('/faults').find((one) => one.rule === rule && one.target.includes(selector))
  if (!finding?.picture) throw new Error(`${rule} of ${selector} has no picture`)
  return finding.picture
}

it('shows a stop without the focus beside itself with the focus', async () => {
  for (const [selector, minDifference, maxDifference] of [
    ['#same', 0, 4],
    ['#faint', 15, 60],
  ] as const) {
    const picture = findFaultPicture('drive-focus-visible', selector)
    const { difference, size } = await readPixels(picture, [])
    expect(difference, selector).toBeGreaterThanOrEqual(minDifference)
    expect(difference, selector).toBeLessThanOrEqual(maxDifference)
    // The whole picture is about the element.
    expect([picture.box.x, picture.box.y, picture.box.width, picture.box.height]).toEqual([0, 0, ...size])
  }
})

it('shows what covers a stop while it has the focus, and what a press has changed', async () => {
  const toCenter = ({ box }: Picture) => ({ x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height - 4) })
  const [covered, pressed] = [findFaultPicture('drive-focus-obscured', '#under'), findFaultPicture('drive-mouse-only', '#press')]
  const { colors: coveredColors } = await readPixels(covered, [toCenter(covered)])
  const { colors: pressedColors } = await readPixels(pressed, [toCenter(pressed)])
  const isNear = (color: number[] | undefined, wanted: number[]) =>
    wanted.every((value, index) => Math.abs(value - (color?.[index] ?? -99)) < 24)
  expect(coveredColors[0], 'bar').toSatisfy((color: number[]) => isNear(color, [0, 0x22, 0x44]))
  expect(pressedColors[0], 'pressed').toSatisfy((color: number[]) => isNear(color, [255, 0, 0]))
})

it('reviews a stop that draws nothing, and not one that draws in its shadow root', () => {
  const severities = ['#blank', '#card'].map(
    (selector) =>
      listDriven('/faults').find(({ rule, target }) => rule === 'drive-focus-visible' && target.includes(selector))?.severity,
  )
  expect(severities).toEqual(['needs review', 'serious'])
})

it('says that a box around controls was not pressed', () => {
  const hits = listDriven('/').filter(({ rule }) => rule === 'drive-stop-without-role')
  expect(hits.map(({ severity, fix }) => [severity, fix.any])).toEqual([
    ['needs review', ['The element can be focused; its presses could not be checked']],
  ])
})

it('reports a focus that navigates', () => {
  const hits = listDriven('/acting').filter(({ rule }) => rule === 'drive-on-focus')
  expect(hits.map(({ target }) => target)).toEqual([['#post']])
})

it('leaves nothing of a page in the tab that drives the next one', async () => {
  const states: string[] = []
  const keepingBody = `<button type="button">Boats</button><script>
    const read = () => [document.cookie, localStorage.kept, sessionStorage.kept, window.name].join()
    fetch('/state?' + read())
    document.cookie = 'kept=1'
    localStorage.kept = window.name = 1
    for (const target of [window, document])
      for (const type of ['pagehide', 'visibilitychange', 'unload'])
        target.addEventListener(type, () => { sessionStorage.kept = 1 })</script>`
  const keepingSite = await serve({
    '/first': html('First', keepingBody),
    '/second': html('Second', keepingBody),
    '/state': ({ url }, response) => {
      states.push(url!.split('?')[1]!)
      response.end()
    },
  })
  try {
    const plan = { depth: 0, concurrency: 1 }
    const { pages } = await tryScan(pool, keepingSite, { urls: ['/first', '/second'], plan, advanced: { driven: 'every' } })
    expect(getPage(pages, '/second').driven).toMatchObject({ level: 'full', isPartial: false })
    // The second visit has what the first one left, and no drive has anything.
    expect(states).toEqual([',,,', ',,,', 'kept=1,1,1,1', ',,,'])
  } finally {
    await keepingSite.close()
  }
})

it('drives the first page of a template only', async () => {
  const article = (title: string) => html(title, `<article class="post"><h2>${title}</h2><p>Text of the ${title}.</p></article>`)
  const names = ['a', 'b', 'c', 'd', 'e']
  const templateSite = await serve({
    '/': html('List', names.map((name) => `<a href="/${name}">${name}</a>`).join(' ')),
    ...Object.fromEntries(names.map((name) => [`/${name}`, article(name)])),
  })
  try {
    const { pages } = await tryScan(pool, templateSite, { advanced: { driven: 'templates' } })
    const drivenNames = names.filter((name) => getPage(pages, `/${name}`).driven?.level === 'full')
    // Their keys have the random port of the site: a few are driven by their own.
    const byTemplate = drivenNames.filter((name) => !isInFullShare(`${templateSite.origin}/${name}`))
    expect(drivenNames.length).toBeGreaterThan(0)
    expect(byTemplate.length).toBeLessThanOrEqual(1)
    expect(getPage(pages, '/').driven?.level).toBe('full')
  } finally {
    await templateSite.close()
  }
})

/** @module-tag slow */
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { findHeadedProgram } from '../browser/find-browser.ts'
import type { AnalyzePdf } from '../pdf/analyze.ts'
import {
  acceptSockets,
  describeOutcome,
  html,
  listRules,
  readSocketTexts,
  serve,
  findTestBrowser,
  tryScan,
  type Route,
  type TestSite,
  useTestPool,
} from '../../test/harness.ts'

// Tests the effect of each advanced setting.

const pool = useTestPool()
let site: TestSite
let otherSite: TestSite
let sockets: ReturnType<typeof acceptSockets> = []
/** Texts that the site received by sockets. */
const socketTexts: string[] = []
const receivedRequests: { path: string; headers: Record<string, string | string[] | undefined> }[] = []

const faultyImage = '<img src="data:,">'
const recordRequest =
  (route: string): Route =>
  (request, response) => {
    receivedRequests.push({ path: request.url ?? '', headers: request.headers })
    response.writeHead(200, { 'content-type': 'text/html' }).end(route)
  }
const servePdf =
  (lastModified: string): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'last-modified': lastModified }).end('%PDF-1.7 not much of one')

const routes: Record<string, Route> = {
  '/plain': recordRequest(html('Plain', '<a href="/found">found</a>')),
  '/echo': ({ headers }, response) => {
    const keyHeader = String(headers['x-key']).replace('&', '&amp;')
    const bearerToken = String(headers.authorization).slice('Bearer '.length)
    const imageTag = `<img src="data:," data-key="${keyHeader}">`
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html(`Of ${keyHeader}`, `${imageTag}<p>${bearerToken} over ${String(headers['x-forwarded-proto'])}</p>`))
  },
  '/found': recordRequest(html('Found', '')),
  '/late': html('Late', `<script>setTimeout(() => document.body.innerHTML += '${faultyImage}', 4000)</script>`),
  '/slow-image': html('Slow', `${faultyImage}<img alt="x" src="/hang">`),
  '/hang': () => undefined,
  '/error': (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(html('Error', faultyImage)),
  '/wide': html('Wide', `<script>if (innerWidth > 1000) document.body.innerHTML += '${faultyImage}'</script>`),
  '/agent': html(
    'Agent',
    `<script>if (/Headless/.test(navigator.userAgent)) document.body.innerHTML += '${faultyImage}'</script>`,
  ),
  '/scroll': html(
    'Scroll',
    `<div style="height:3000px"></div><p id="end">end</p><script>
      new IntersectionObserver(([{isIntersecting}], watch) => { if (!isIntersecting) return; watch.disconnect()
        document.body.insertAdjacentHTML('beforeend', '${faultyImage}') }).observe(document.getElementById('end'))</script>`,
  ),
  '/more': html(
    'More',
    `<ul id="list"></ul><form method="post" action="/found"><button>Load more</button></form><button type="button" id="more">Load more</button><script>
      const socket = new WebSocket('ws://' + location.host + '/socket')
      socket.onopen = () => socket.send('opened')
      document.getElementById('more').onclick = async () => {
        fetch('/pressed', { method: 'POST' }).catch(() => {})
        open('/opened')
        const link = Object.assign(document.createElement('a'), { href: '/opened', target: '_blank' })
        link.click()
        socket.send('pressed')
        const entry = await (await fetch('/entry')).text()
        list.insertAdjacentHTML('beforeend', '<li><a href="/entry-' + list.children.length + '">' + entry + '</a>') }</script>`,
  ),
  '/entry': recordRequest(`An entry ${faultyImage}`),
  '/pressed': recordRequest('changed'),
  '/opened': recordRequest('opened'),
  '/banner': html(
    'Banner',
    `<div id="banner" style="position:fixed;inset:0">${faultyImage}<button id="onetrust-reject-all-handler"
      onclick="this.parentNode.remove()">No</button></div>`,
  ),
  '/own-banner': html('Own', `<div>${faultyImage}<button class="nope" onclick="this.parentNode.remove()">No</button></div>`),
  '/pdfs': html('PDFs', '<a href="/old.pdf">o</a> <a href="/new.pdf">n</a> <a href="/newer.pdf">r</a>'),
  '/old.pdf': servePdf('Wed, 01 Jan 2020 00:00:00 GMT'),
  '/new.pdf': servePdf('Wed, 01 Jan 2025 00:00:00 GMT'),
  '/newer.pdf': servePdf('Thu, 01 Jan 2026 00:00:00 GMT'),
}

beforeAll(async () => {
  otherSite = await serve({ '/x.js': recordRequest('1'), '/page': recordRequest(html('Other', '')) })
  routes['/foreign'] = recordRequest(html('Foreign', `<script src="${otherSite.origin}/x.js"></script><a href="/away">away</a>`))
  routes['/away'] = (_, response) => response.writeHead(302, { location: `${otherSite.origin}/page` }).end()
  site = await serve(routes)
  sockets = acceptSockets(site, (socket) => socket.on('data', (data: Buffer) => socketTexts.push(...readSocketTexts(data))))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all([site.close(), otherSite.close()])
})

type AdvancedInput = z.input<typeof AdvancedSettings>
const scanPath = async (path: string, advanced: AdvancedInput = {}, analyzePdf?: AnalyzePdf) => {
  receivedRequests.length = 0
  return tryScan(pool, site, { urls: [path], advanced, plan: { depth: 1 }, ...(analyzePdf ? { analyzePdf } : {}) })
}
const hasImageFault = async (path: string, advanced: AdvancedInput = {}) =>
  listRules((await scanPath(path, advanced)).pages[path]).includes('image-alt')

test('preScanWaitMs: waits before the test', async () => {
  expect(await hasImageFault('/late')).toBe(false)
  expect(await hasImageFault('/late', { preScanWaitMs: 4000 })).toBe(true)
})

test('waitFor: waits for elements and notes which page lacks them', async () => {
  const scanWithWait = async (advanced: AdvancedInput) => {
    const page = (await scanPath('/late', advanced)).pages['/late']!
    if (page.kind !== 'completed') throw new Error(describeOutcome(page))
    return [listRules(page).includes('image-alt'), page.notices.includes('element-not-found')]
  }
  expect(await scanWithWait({ waitFor: ['h1', '//img'] })).toEqual([true, false])
  expect(await scanWithWait({ waitFor: ['#never'], waitForMs: 1000 })).toEqual([false, true])
  expect(await scanWithWait({ waitFor: ['h1'] })).toEqual([false, false])
})

test('eagerStrategy: does not wait for hanging requests', async () => {
  const fullLoad = (await scanPath('/slow-image')).pages['/slow-image']!
  const eagerLoad = (await scanPath('/slow-image', { eagerStrategy: true })).pages['/slow-image']!
  expect([describeOutcome(fullLoad), describeOutcome(eagerLoad)]).toEqual(['completed', 'completed'])
  expect(eagerLoad.kind === 'completed' && eagerLoad.notices).toContain('not-fully-loaded')
  expect(eagerLoad.durationMs).toBeLessThan(fullLoad.durationMs)
})

test('includeErrorPages: tests pages with an error status', async () => {
  expect(describeOutcome((await scanPath('/error')).pages['/error'])).toBe('failed http-error')
  expect(await hasImageFault('/error', { includeErrorPages: true })).toBe(true)
})

test('savePageContent and savePictures: keeps source and screenshots only if enabled', async () => {
  const keptPage = (await scanPath('/slow-image', { eagerStrategy: true, savePictures: true })).pages['/slow-image']!
  const omittedPage = (await scanPath('/slow-image', { eagerStrategy: true, savePageContent: false })).pages['/slow-image']!
  if (keptPage.kind !== 'completed' || omittedPage.kind !== 'completed') throw new Error('not completed')
  expect(keptPage.content).toContain('<h1>Slow</h1>')
  expect(keptPage.findings.some(({ picture: imageTag }) => imageTag !== null)).toBe(true)
  expect(keptPage.views).toHaveLength(1)
  expect([
    omittedPage.content,
    omittedPage.findings.some(({ picture: imageTag }) => imageTag !== null),
    omittedPage.views,
  ]).toEqual([null, false, []])
})

test('windowWidth and windowHeight: the size of the page', async () => {
  expect([
    await hasImageFault('/wide', { windowWidth: 1200, windowHeight: 300 }),
    await hasImageFault('/wide', { windowWidth: 800 }),
  ]).toEqual([true, false])
})

test('userAgent, referrer: sent to the site', async () => {
  await scanPath('/plain', { userAgent: 'Tester/1', referrer: 'https://from.test/a' })
  // A start page with hardly any content is requested again, to compare it with the answer to an invented address.
  const sentRequests = receivedRequests.map(({ path, headers }) => [path, headers['user-agent'], headers.referer].join(' '))
  expect(new Set(sentRequests)).toEqual(new Set(['/plain Tester/1 https://from.test/a', '/found Tester/1 https://from.test/a']))
})

test('extraHeaders: sent to the scan’s hosts, never to others', async () => {
  await scanPath('/foreign', { extraHeaders: [{ name: 'X-Key', value: 'secret' }] })
  const sentKeys = receivedRequests.map(({ path, headers }) => [path, headers['x-key'] ?? null])
  expect(sentKeys).toContainEqual(['/foreign', 'secret'])
  expect(sentKeys).toContainEqual(['/x.js', null])
  expect(sentKeys.filter(([path, key]) => path === '/page' && key !== null)).toEqual([])
})

test('extraHeaders: values echoed by a page are redacted', async () => {
  const key = 'key-of&the-scan'
  const bearerToken = 'abcdefghijklmnop'
  const { pages } = await scanPath('/echo', {
    extraHeaders: [
      { name: 'X-Key', value: key },
      { name: 'Authorization', value: `Bearer ${bearerToken}` },
      { name: 'X-Forwarded-Proto', value: 'https' },
    ],
  })
  const page = pages['/echo']!
  if (page.kind !== 'completed') throw new Error(describeOutcome(page))
  const storedJson = JSON.stringify([page.title, page.content, page.findings])
  expect(storedJson).toContain('<X-Key>')
  for (const secret of [key, 'key-of&amp;the-scan', bearerToken]) expect(storedJson).not.toContain(secret)
  expect(page.content).toContain('over https')
})

const isDisplayAvailable = process.env.DISPLAY !== undefined || existsSync('/usr/bin/Xvfb')
// The npm package's browser has no window, with or without a display.
test.skipIf(!isDisplayAvailable || findHeadedProgram(await findTestBrowser()) === null)(
  'headless: headed if a display is available',
  async () => {
    expect(await hasImageFault('/agent')).toBe(true)
    const headedScan = await scanPath('/agent', { headless: false })
    expect(describeOutcome(headedScan.pages['/agent'])).toBe('completed')
    expect(listRules(headedScan.pages['/agent'])).not.toContain('image-alt')
  },
)

test('scrollPages: loads content on scroll', async () => {
  expect([await hasImageFault('/scroll'), await hasImageFault('/scroll', { scrollPages: true })]).toEqual([false, true])
})

test('loadMore: presses a button for further entries, and changes nothing', async () => {
  expect(await hasImageFault('/more')).toBe(false)
  const { order, pages } = await scanPath('/more', { loadMore: true })
  expect(listRules(pages['/more'])).toContain('image-alt')
  expect(order.filter((path) => path.startsWith('/entry-'))).toHaveLength(5)
  expect(receivedRequests.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/entry'))
  expect(new Set(socketTexts)).toEqual(new Set(['opened']))
})

test('closeBanners and bannerSelectors: known and custom banners', async () => {
  expect([await hasImageFault('/banner', { closeBanners: false }), await hasImageFault('/banner')]).toEqual([true, false])
  expect([
    await hasImageFault('/own-banner', { closeBanners: true }),
    await hasImageFault('/own-banner', { bannerSelectors: ['.nope'] }),
  ]).toEqual([true, false])
})

const analyzeTestPdf: AnalyzePdf = async ({ bytes }) => ({
  kind: 'done',
  title: bytes.toString('latin1', 0, 8),
  findings: [],
  views: [],
  modifiedAt: null,
  links: [],
  content: '',
  notices: [],
})

test('mimeTypes, pdfModifiedFrom, pdfModifiedTo: select the PDFs to test', async () => {
  const bothTypes: AdvancedInput = { mimeTypes: ['text/html', 'application/pdf'] }
  const listFates = ({ pages }: Awaited<ReturnType<typeof scanPath>>) =>
    ['/pdfs', '/old.pdf', '/new.pdf', '/newer.pdf'].map((path) => describeOutcome(pages[path]))
  expect(listFates(await scanPath('/pdfs', {}, analyzeTestPdf))).toEqual([
    'completed',
    ...Array<string>(3).fill('excluded mime-type'),
  ])
  expect(listFates(await scanPath('/pdfs', { mimeTypes: ['application/pdf'] }, analyzeTestPdf))).toEqual([
    'excluded mime-type',
    ...Array<string>(3).fill('completed'),
  ])
  const datedSettings = { ...bothTypes, pdfModifiedFrom: '2024-06-01', pdfModifiedTo: '2025-06-01' }
  expect(listFates(await scanPath('/pdfs', datedSettings, analyzeTestPdf))).toEqual([
    'completed',
    'excluded pdf-date',
    'completed',
    'excluded pdf-date',
  ])
})

test('pdfTargetCount: limits the number of PDFs', async () => {
  const { pages } = await scanPath(
    '/pdfs',
    { mimeTypes: ['text/html', 'application/pdf'], pdfTargetCount: 2, pagesAtOnce: 1 },
    analyzeTestPdf,
  )
  const pageFates = Object.values(pages).map(describeOutcome)
  expect(pageFates.filter((pageFate) => pageFate === 'completed')).toHaveLength(3)
  expect(pageFates.filter((pageFate) => pageFate === 'excluded pdf-count')).toHaveLength(1)
})

test('pageTimeoutMs and runTimeoutMs: limit a page and a run', async () => {
  const page = await scanPath('/hang', { pageTimeoutMs: 1500 })
  expect(describeOutcome(page.pages['/hang'])).toBe('failed timeout-download')
  const hangingRun = await scanPath('/hang', { runTimeoutMs: 1000 })
  expect(hangingRun.end).toMatchObject({ kind: 'problem', problem: 'run-timeout' })
})

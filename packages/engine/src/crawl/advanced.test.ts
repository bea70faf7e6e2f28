import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { findHeadedProgram } from '../browser/find.ts'
import type { CheckPdf } from './visit/pdf.ts'
import {
  fate,
  html,
  rulesOf,
  serve,
  testBrowser,
  tryScan,
  type Route,
  type TestSite,
  poolOfFile,
} from '../../test/harness.ts'

// Each advanced setting with what it changes.

const pool = poolOfFile()
let site: TestSite
let other: TestSite
const asked: { path: string; headers: Record<string, string | string[] | undefined> }[] = []

const fault = '<img src="data:,">'
const noting =
  (route: string): Route =>
  (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    response.writeHead(200, { 'content-type': 'text/html' }).end(route)
  }
const pdf =
  (modified: string): Route =>
  (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/pdf', 'last-modified': modified })
      .end('%PDF-1.7 not much of one')

const routes: Record<string, Route> = {
  '/plain': noting(html('Plain', '<a href="/found">found</a>')),
  '/echo': ({ headers }, response) => {
    const said = String(headers['x-key']).replace('&', '&amp;')
    const token = String(headers.authorization).slice('Bearer '.length)
    const picture = `<img src="data:," data-key="${said}">`
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html(`Of ${said}`, `${picture}<p>${token} over ${String(headers['x-forwarded-proto'])}</p>`))
  },
  '/found': noting(html('Found', '')),
  '/late': html('Late', `<script>setTimeout(() => document.body.innerHTML += '${fault}', 4000)</script>`),
  '/slow-image': html('Slow', `${fault}<img alt="x" src="/hang">`),
  '/hang': () => undefined,
  '/error': (_, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(html('Error', fault)),
  '/wide': html('Wide', `<script>if (innerWidth > 1000) document.body.innerHTML += '${fault}'</script>`),
  '/agent': html(
    'Agent',
    `<script>if (/Headless/.test(navigator.userAgent)) document.body.innerHTML += '${fault}'</script>`,
  ),
  '/scroll': html(
    'Scroll',
    `<div style="height:3000px"></div><p id="end">end</p><script>
      new IntersectionObserver(([{isIntersecting}], watch) => { if (!isIntersecting) return; watch.disconnect()
        document.body.insertAdjacentHTML('beforeend', '${fault}') }).observe(document.getElementById('end'))</script>`,
  ),
  '/banner': html(
    'Banner',
    `<div id="banner" style="position:fixed;inset:0">${fault}<button id="onetrust-reject-all-handler"
      onclick="this.parentNode.remove()">No</button></div>`,
  ),
  '/own-banner': html(
    'Own',
    `<div>${fault}<button class="nope" onclick="this.parentNode.remove()">No</button></div>`,
  ),
  '/pdfs': html('PDFs', '<a href="/old.pdf">o</a> <a href="/new.pdf">n</a> <a href="/newer.pdf">r</a>'),
  '/old.pdf': pdf('Wed, 01 Jan 2020 00:00:00 GMT'),
  '/new.pdf': pdf('Wed, 01 Jan 2025 00:00:00 GMT'),
  '/newer.pdf': pdf('Thu, 01 Jan 2026 00:00:00 GMT'),
}

beforeAll(async () => {
  other = await serve({ '/x.js': noting('1'), '/page': noting(html('Other', '')) })
  routes['/foreign'] = noting(
    html('Foreign', `<script src="${other.origin}/x.js"></script><a href="/away">away</a>`),
  )
  routes['/away'] = (_, response) => response.writeHead(302, { location: `${other.origin}/page` }).end()
  site = await serve(routes)
})
afterAll(async () => {
  await Promise.all([site.close(), other.close()])
})

type Advanced = z.input<typeof AdvancedSettings>
const scanOf = async (path: string, advanced: Advanced = {}, checkPdf?: CheckPdf) => {
  asked.length = 0
  return tryScan(pool, site, {
    urls: [path],
    advanced,
    plan: { depth: 1 },
    ...(checkPdf ? { checkPdf } : {}),
  })
}
const faulty = async (path: string, advanced: Advanced = {}) =>
  rulesOf((await scanOf(path, advanced)).pages[path]).includes('image-alt')

test('preScanWaitMs: waits before the test', async () => {
  expect(await faulty('/late')).toBe(false)
  expect(await faulty('/late', { preScanWaitMs: 4000 })).toBe(true)
})

test('waitFor: waits for elements, and says which page has none', async () => {
  const seen = async (advanced: Advanced) => {
    const page = (await scanOf('/late', advanced)).pages['/late']!
    if (page.kind !== 'completed') throw new Error(fate(page))
    return [rulesOf(page).includes('image-alt'), page.notices.includes('element-not-found')]
  }
  expect(await seen({ waitFor: ['h1', '//img'] })).toEqual([true, false])
  expect(await seen({ waitFor: ['#never'], waitForMs: 1000 })).toEqual([false, true])
  expect(await seen({ waitFor: ['h1'] })).toEqual([false, false])
})

test('eagerStrategy: does not wait for what hangs', async () => {
  const patient = (await scanOf('/slow-image')).pages['/slow-image']!
  const eager = (await scanOf('/slow-image', { eagerStrategy: true })).pages['/slow-image']!
  expect([fate(patient), fate(eager)]).toEqual(['completed', 'completed'])
  expect(eager.kind === 'completed' && eager.notices).toContain('not-fully-loaded')
  expect(eager.durationMs).toBeLessThan(patient.durationMs)
})

test('includeErrorPages: tests what answers with an error', async () => {
  expect(fate((await scanOf('/error')).pages['/error'])).toBe('failed http-error')
  expect(await faulty('/error', { includeErrorPages: true })).toBe(true)
})

test('savePageContent and savePictures: keeps source and pictures, or not', async () => {
  const kept = (await scanOf('/slow-image', { eagerStrategy: true, savePictures: true })).pages[
    '/slow-image'
  ]!
  const left = (await scanOf('/slow-image', { eagerStrategy: true, savePageContent: false })).pages[
    '/slow-image'
  ]!
  if (kept.kind !== 'completed' || left.kind !== 'completed') throw new Error('not completed')
  expect(kept.content).toContain('<h1>Slow</h1>')
  expect(kept.findings.some(({ picture }) => picture !== null)).toBe(true)
  expect(kept.views).toHaveLength(1)
  expect([left.content, left.findings.some(({ picture }) => picture !== null), left.views]).toEqual([
    null,
    false,
    [],
  ])
})

test('windowWidth and windowHeight: the size of the page', async () => {
  expect([
    await faulty('/wide', { windowWidth: 1200, windowHeight: 300 }),
    await faulty('/wide', { windowWidth: 800 }),
  ]).toEqual([true, false])
})

test('userAgent, referrer: what the site sees', async () => {
  await scanOf('/plain', { userAgent: 'Tester/1', referrer: 'https://from.test/a' })
  expect(asked.map(({ path, headers }) => [path, headers['user-agent'], headers.referer])).toEqual([
    ['/plain', 'Tester/1', 'https://from.test/a'],
    ['/found', 'Tester/1', 'https://from.test/a'],
  ])
})

test('extraHeaders: sent to the scan’s hosts, never to others', async () => {
  await scanOf('/foreign', { extraHeaders: [{ name: 'X-Key', value: 'secret' }] })
  const sent = asked.map(({ path, headers }) => [path, headers['x-key'] ?? null])
  expect(sent).toContainEqual(['/foreign', 'secret'])
  expect(sent).toContainEqual(['/x.js', null])
  expect(sent.filter(([path, key]) => path === '/page' && key !== null)).toEqual([])
})

test('extraHeaders: read by nobody from what a page says again of them', async () => {
  const key = 'key-of&the-scan'
  const token = 'abcdefghijklmnop'
  const { pages } = await scanOf('/echo', {
    extraHeaders: [
      { name: 'X-Key', value: key },
      { name: 'Authorization', value: `Bearer ${token}` },
      { name: 'X-Forwarded-Proto', value: 'https' },
    ],
  })
  const page = pages['/echo']!
  if (page.kind !== 'completed') throw new Error(fate(page))
  const stored = JSON.stringify([page.title, page.content, page.findings])
  expect(stored).toContain('<X-Key>')
  for (const secret of [key, 'key-of&amp;the-scan', token]) expect(stored).not.toContain(secret)
  expect(page.content).toContain('over https')
})

const hasDisplay = process.env.DISPLAY !== undefined || existsSync('/usr/bin/Xvfb')
// One without a window is what npm brings, beside a display or not.
test.skipIf(!hasDisplay || findHeadedProgram(await testBrowser()) === null)(
  'headless: with a window, where a display is',
  async () => {
    expect(await faulty('/agent')).toBe(true)
    const scanned = await scanOf('/agent', { headless: false })
    expect(fate(scanned.pages['/agent'])).toBe('completed')
    expect(rulesOf(scanned.pages['/agent'])).not.toContain('image-alt')
  },
)

test('scrollPages: loads what comes into sight', async () => {
  expect([await faulty('/scroll'), await faulty('/scroll', { scrollPages: true })]).toEqual([false, true])
})

test('closeBanners and bannerSelectors: known banners, and the site’s own', async () => {
  expect([await faulty('/banner'), await faulty('/banner', { closeBanners: true })]).toEqual([true, false])
  expect([
    await faulty('/own-banner', { closeBanners: true }),
    await faulty('/own-banner', { bannerSelectors: ['.nope'] }),
  ]).toEqual([true, false])
})

const checked: CheckPdf = async ({ bytes }) => ({
  kind: 'checked',
  title: bytes.toString('latin1', 0, 8),
  findings: [],
  views: [],
  modifiedAt: null,
  links: [],
  content: '',
  notices: [],
})

test('mimeTypes, pdfModifiedFrom, pdfModifiedTo: which PDFs a scan looks at', async () => {
  const both: Advanced = { mimeTypes: ['text/html', 'application/pdf'] }
  const fates = ({ pages }: Awaited<ReturnType<typeof scanOf>>) =>
    ['/pdfs', '/old.pdf', '/new.pdf', '/newer.pdf'].map((path) => fate(pages[path]))
  expect(fates(await scanOf('/pdfs', {}, checked))).toEqual([
    'completed',
    ...Array<string>(3).fill('excluded mime-type'),
  ])
  expect(fates(await scanOf('/pdfs', { mimeTypes: ['application/pdf'] }, checked))).toEqual([
    'excluded mime-type',
    ...Array<string>(3).fill('completed'),
  ])
  const dated = { ...both, pdfModifiedFrom: '2024-06-01', pdfModifiedTo: '2025-06-01' }
  expect(fates(await scanOf('/pdfs', dated, checked))).toEqual([
    'completed',
    'excluded pdf-date',
    'completed',
    'excluded pdf-date',
  ])
})

test('pdfTargetCount: so many PDFs and no more', async () => {
  const { pages } = await scanOf(
    '/pdfs',
    { mimeTypes: ['text/html', 'application/pdf'], pdfTargetCount: 2, pagesAtOnce: 1 },
    checked,
  )
  const counts = Object.values(pages).map(fate)
  expect(counts.filter((one) => one === 'completed')).toHaveLength(3)
  expect(counts.filter((one) => one === 'excluded pdf-count')).toHaveLength(1)
})

test('pageTimeoutMs and runTimeoutMs: the limits of a page and of a run', async () => {
  const page = await scanOf('/hang', { pageTimeoutMs: 1500 })
  expect(fate(page.pages['/hang'])).toBe('failed timeout-download')
  const run = await scanOf('/hang', { runTimeoutMs: 1000 })
  expect(run.end).toMatchObject({ kind: 'problem', problem: 'run-timeout' })
})

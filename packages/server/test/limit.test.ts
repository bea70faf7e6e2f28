/** @module-tag slow */
import { html, serve, type Route, type TestSite } from '../../engine/test/harness.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkerRole } from '../src/process/worker.ts'
import { useTestApi } from './api.ts'

// Pages that the page limit leaves out: they have a figure of their own, and are no gain in score or counts.

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let admin: string
let worker: { stop: () => Promise<void> }
let site: TestSite
let newsCount = 2

const buildLinks = (paths: readonly string[]) => paths.map((path) => `<p><a href="${path}">Go to ${path}</a></p>`).join('')
const listNews = () => Array.from({ length: newsCount }, (_, index) => `/news/${index}`)
const halls = Array.from({ length: 10 }, (_, index) => `/hall/${index}`)
/** A wall that names one address for all pages, as careless templates do. */
const buildWall = () =>
  html('Verification', buildLinks(['/halls', '/contact'])).replace('</head>', '<link rel="canonical" href="/gate"></head>')
const sendPage =
  (body: string): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)

beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  site = await serve({
    '/': (request, response) =>
      (
        sendPage(html('Home', buildLinks([...listNews(), '/contact', 'https://other.example/']))) as (
          ...parts: [typeof request, typeof response]
        ) => void
      )(request, response),
    '/same': (request, response) => {
      const { search } = new URL(request.url ?? '/', 'http://site')
      const text = search === '?c=3' ? 'Other' : 'Same'
      const control = search === '?c=4' ? '<input aria-label="Name" name="name">' : ''
      const links = ['/same', '/same?c=1', '/same?c=2', '/same?c=3', '/same?c=4'].map((path) => `<a href="${path}">${path}</a>`)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html('Same', `<p>${text} ${control} ${links.join(' ')}</p><img src="data:,">`))
    },
    '/halls': html('Halls', buildLinks(halls)),
    ...Object.fromEntries(halls.map((path) => [path, buildWall()])),
    '/contact': html('Contact', '<img src="data:,"><button></button>'),
    ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/news/${index}`, html(`News ${index}`, '<p>Fine</p>')])),
  })
  worker = await startWorkerRole({ ...api, log: () => undefined })
})
afterAll(async () => {
  await worker.stop()
  await site.close()
})

const call = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  (await api.call(method, path, { token: admin, ...(body === undefined ? {} : { body }) })).body as T

type Overview = {
  status: string
  partial: boolean
  score: number
  pages: Record<'found' | 'completed' | 'excluded' | 'otherDomainIgnored' | 'notReached' | 'overLimit' | 'unique', number>
  openIssues: { critical: number }
  unconfirmed: object | null
  change: Record<
    'score' | 'new' | 'fixed' | 'issuesGone' | 'notRechecked' | 'pagesGone' | 'pagesNotTested' | 'pagesCompared',
    number
  > & {
    openIssues: { critical: number }
  }
}

type PreviewChange = { run: number; keptCount: number; added: string[]; leftOut: string[] | null }

type ListedPage = { id: string; url: string }
type PageDetail = ListedPage & { aliases: { first: string[]; pages: string[]; count: number } }

async function changeAdvanced(scanId: string, changes: object) {
  type Settings = { advanced: object }
  const { settings, version } = await call<{ settings: Settings; version: number }>('GET', `/scans/${scanId}/settings`)
  const changed = { ...settings, advanced: { ...settings.advanced, ...changes } }
  const saved = await api.call('PUT', `/scans/${scanId}`, { token: admin, body: { settings: changed, version } })
  expect(saved.status).toBe(200)
}

async function runScan(scanId: string) {
  const { number } = await call<{ number: number }>('POST', `/scans/${scanId}/startRun`)
  const readOverview = () => call<Overview>('GET', `/scans/${scanId}/runs/${number}/overview`)
  await expect.poll(async () => (await readOverview()).status, { timeout: 60_000, interval: 300 }).toMatch(/completed|failed/)
  return readOverview()
}

/** Previews the pages of the next run with changed settings. @returns the comparison with the last run, in paths */
async function previewChange(scanId: string, changes: object) {
  const { settings } = await call<{ settings: { advanced: object } }>('GET', `/scans/${scanId}/settings`)
  const changed = { ...settings, advanced: { ...settings.advanced, ...changes } }
  const reply = await api.app.inject({
    method: 'POST',
    url: '/monitor-api/scans/scope-preview',
    headers: { authorization: `Bearer ${admin}` },
    payload: { settings: changed, scanId },
  })
  const lastEvent = reply.body.split('\n\n').findLast((part) => part.startsWith('data: '))!
  const { end, change } = JSON.parse(lastEvent.slice('data: '.length)) as { end: string; change: PreviewChange }
  expect(end).toBe('whole')
  const listPaths = (urls: readonly string[] | null) => urls?.map((url) => url.slice(site.origin.length)).toSorted()
  return { ...change, added: listPaths(change.added), leftOut: listPaths(change.leftOut) }
}

it('are counted apart, and the runs are compared on the pages that both tested', async () => {
  const { id: scanId } = await call<{ id: string }>('POST', '/scans', {
    name: 'Limited',
    urls: [`${site.origin}/`],
    type: 'custom',
    pageLimit: 4,
    advanced: { savePictures: false },
  })
  const firstRun = await runScan(scanId)
  expect(firstRun.pages).toMatchObject({
    found: 5,
    completed: 4,
    excluded: 0,
    otherDomainIgnored: 1,
    notReached: 0,
    overLimit: 0,
  })
  expect(firstRun.score).toBe(0.75)
  newsCount = 20
  const { settings, version } = await call<{ settings: object; version: number }>('GET', `/scans/${scanId}/settings`)
  const smallerSettings = { ...settings, pageLimit: 2 }
  const saved = await api.call('PUT', `/scans/${scanId}`, { token: admin, body: { settings: smallerSettings, version } })
  expect(saved.status).toBe(200)
  const secondRun = await runScan(scanId)
  expect(secondRun.pages).toMatchObject({ found: 23, completed: 2, excluded: 0, otherDomainIgnored: 1, overLimit: 20 })
  expect(secondRun.change).toMatchObject({ score: 0, fixed: 0, issuesGone: 0, pagesGone: 0, pagesNotTested: 2, pagesCompared: 2 })
  expect(secondRun.change.openIssues.critical).toBe(0)
  expect(secondRun.change.notRechecked).toBeGreaterThan(0)
  const readLeftOut = (run: number) => call('GET', `/scans/${scanId}/runs/${run}/leftOut`)
  expect(await readLeftOut(1)).toEqual({ patterns: [], urls: 0 })
  const news = { pattern: `${site.origin}/news/*`, urls: 19, example: `${site.origin}/news/1` }
  const contact = { pattern: `${site.origin}/contact`, urls: 1, example: `${site.origin}/contact` }
  expect(await readLeftOut(2)).toEqual({ patterns: [news, contact], urls: 20 })
  await changeAdvanced(scanId, { urlsToSkip: [news.pattern] })
  const thirdRun = await runScan(scanId)
  expect(thirdRun.pages).toMatchObject({ completed: 2, overLimit: 0 })
  const comparison = await call<{ score: number; pages: object }>('GET', `/scans/${scanId}/runs/2/compare/1`)
  expect(comparison).toMatchObject({ score: 0, pages: { both: 2 } })
})

it('are other ones in the representative order, which tests the pages of the last run again', async () => {
  newsCount = 2
  const { id: scanId } = await call<{ id: string }>('POST', '/scans', {
    name: 'Representative',
    urls: [`${site.origin}/`],
    type: 'custom',
    pageLimit: 6,
    advanced: { savePictures: false, representativeOrder: true },
  })
  const firstRun = await runScan(scanId)
  expect(firstRun.pages).toMatchObject({ completed: 4, overLimit: 0 })
  newsCount = 20
  const previewed = await previewChange(scanId, {})
  expect(previewed).toMatchObject({ run: 1, keptCount: 4, leftOut: [] })
  const secondRun = await runScan(scanId)
  expect(secondRun.pages).toMatchObject({ completed: 6, overLimit: 16 })
  expect(secondRun.change).toMatchObject({ score: 0, fixed: 0, issuesGone: 0, notRechecked: 0, pagesGone: 0, pagesNotTested: 0 })
  expect(secondRun.change.openIssues.critical).toBe(0)
  const { content } = await call<{ content: { url: string; status: string }[] }>(
    'GET',
    `/pages?scanId=${scanId}&runNumber=2&status=completed&size=100`,
  )
  const tested = content.filter(({ status }) => status === 'completed').map(({ url }) => url.slice(site.origin.length))
  expect(tested).toEqual(expect.arrayContaining(['/', '/contact', '/news/0', '/news/1']))
  expect(previewed.added).toHaveLength(2)
  const breadthFirst = await previewChange(scanId, { representativeOrder: false })
  const firstLinks = ['/', ...listNews().slice(0, 5)]
  expect(breadthFirst).toEqual({
    run: 2,
    keptCount: tested.filter((path) => firstLinks.includes(path)).length,
    added: firstLinks.filter((path) => !tested.includes(path)),
    leftOut: tested.filter((path) => !firstLinks.includes(path)).toSorted(),
  })
  expect(breadthFirst.leftOut).toContain('/contact')
})

it('are not tested in place of walls, which look like one page with several addresses', async () => {
  const { id: scanId } = await call<{ id: string }>('POST', '/scans', {
    name: 'Walls at the limit',
    urls: [`${site.origin}/halls`],
    type: 'custom',
    pageLimit: 5,
    advanced: { savePictures: false },
  })
  expect((await runScan(scanId)).pages).toMatchObject({ completed: 5, walled: 4, overLimit: 7 })
})

it('count a page once that has several addresses, until the scan separates them', async () => {
  const { id: scanId } = await call<{ id: string }>('POST', '/scans', {
    name: 'Contents',
    urls: [`${site.origin}/same`],
    type: 'custom',
    pageLimit: 10,
    advanced: { savePictures: false, separatePages: ['*'] },
  })
  expect((await runScan(scanId)).pages).toMatchObject({ completed: 5, excluded: 0, unique: 5 })
  await changeAdvanced(scanId, { separatePages: [] })
  const joined = await runScan(scanId)
  // Two of five addresses have another content: one by its text, one by its control.
  expect(joined.pages).toMatchObject({ found: 5, completed: 3, excluded: 2, unique: 3 })
  expect(joined.openIssues.critical).toBe(3)
  // Joining pages is neither a gain nor a loss.
  expect(joined.unconfirmed).toBeNull()
  expect(joined.change).toMatchObject({ score: 0, fixed: 0, new: 0, notRechecked: 0, pagesGone: 0, pagesCompared: 3 })
  expect(joined.change.openIssues.critical).toBe(0)

  const { content: pages } = await call<{ content: ListedPage[] }>('GET', `/pages?scanId=${scanId}&runNumber=2&size=100`)
  const findPage = (path: string) => pages.find(({ url }) => url === `${site.origin}${path}`)!
  const readPage = (path: string) => call<PageDetail>('GET', `/pages/${findPage(path).id}`)
  expect(await readPage('/same?c=1')).toMatchObject({
    status: 'excluded',
    exclusion: 'duplicate',
    health: null,
    leadsTo: `${site.origin}/same`,
    detail: `The same text, controls and issues as ${site.origin}/same, and the same path`,
  })
  const aliases = ['/same?c=1', '/same?c=2']
  expect((await readPage('/same')).aliases).toEqual({
    first: aliases.map((path) => `${site.origin}${path}`),
    pages: aliases.map((path) => findPage(path).id),
    count: 2,
  })

  await changeAdvanced(scanId, { separatePages: [`${site.origin}/same?c=1`] })
  const separated = await runScan(scanId)
  expect(separated.pages).toMatchObject({ completed: 4, excluded: 1, unique: 4 })
  expect(separated.change).toMatchObject({ score: 0, fixed: 0, pagesCompared: 3 })
})

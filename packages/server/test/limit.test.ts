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
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('Same', `<p>${text} ${control} ${links.join(' ')}</p>`))
    },
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
  change: Record<'score' | 'fixed' | 'issuesGone' | 'notRechecked' | 'pagesGone' | 'pagesNotTested' | 'pagesCompared', number> & {
    openIssues: { critical: number }
  }
}

async function runScan(scanId: string) {
  const { number } = await call<{ number: number }>('POST', `/scans/${scanId}/startRun`)
  const readOverview = () => call<Overview>('GET', `/scans/${scanId}/runs/${number}/overview`)
  await expect.poll(async () => (await readOverview()).status, { timeout: 60_000, interval: 50 }).toMatch(/completed|failed/)
  return readOverview()
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
})

it('count different contents as different pages', async () => {
  const { id: scanId } = await call<{ id: string }>('POST', '/scans', {
    name: 'Contents',
    urls: [`${site.origin}/same`],
    type: 'custom',
    pageLimit: 10,
    advanced: { savePictures: false },
  })
  const { pages } = await runScan(scanId)
  // Two of five addresses have another content: one by its text, one by its control.
  expect(pages).toMatchObject({ completed: 5, unique: 3 })
})

/** @module-tag slow */
import { html, serve, type Route, type TestSite } from '../../engine/test/harness.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkerRole } from '../src/process/worker.ts'
import { useTestApi } from './api.ts'

// Pages of the last run that no link leads to any longer: they are visited, so that their absence is seen and not assumed.

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let admin: string
let worker: { stop: () => Promise<void> }
let site: TestSite
let pages: Record<string, string> = {}
const visits: string[] = []

const names = ['/', '/a', '/b', '/c', '/d']
const image = '<img src="data:,">'
const link = (path: string) => `<a href="${path}">Go to ${path}</a> `
const buildPage = (path: string, links: readonly string[]) => html(`Page ${path}`, `<p>${links.map(link).join('')}</p>${image}`)

beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  site = await serve(
    Object.fromEntries(
      names.map((path): [string, Route] => [
        path,
        (request, response) => {
          if (request.headers['sec-fetch-dest'] === 'document') visits.push(path)
          response.writeHead(pages[path] === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(pages[path] ?? '')
        },
      ]),
    ),
  )
  worker = await startWorkerRole({ ...api, log: () => undefined })
})
afterAll(async () => {
  await worker.stop()
  await site.close()
})

const get = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T
async function createScan(name: string, settings: object = {}): Promise<string> {
  pages = Object.fromEntries(names.map((path) => [path, buildPage(path, path === '/' ? names.slice(1) : ['/'])]))
  const body = { name, urls: [`${site.origin}/`], type: 'custom', depth: 5, pageLimit: 50, ...settings }
  const reply = await api.call('POST', '/scans', { token: admin, body: { ...body, advanced: { savePictures: false } } })
  return (reply.body as { id: string }).id
}
type Page = { url: string; status: string; exclusion: string | null; failure: string | null }
/** Runs a scan; returns the visited pages in order, the outcome of each page, and the changes of the run. */
async function run(scanId: string) {
  visits.length = 0
  const { number } = (await api.call('POST', `/scans/${scanId}/startRun`, { token: admin })).body as { number: number }
  type Overview = { status: string; partial: boolean; change: { fixed: number; issuesGone: number; notRechecked: number } }
  const read = () => get<Overview>(`/scans/${scanId}/runs/${number}/overview`)
  await expect.poll(async () => (await read()).status, { timeout: 60_000, interval: 300 }).toMatch(/completed|failed/)
  const { content } = await get<{ content: Page[] }>(`/pages?scanId=${scanId}&runNumber=${number}&size=100`)
  const outcomes = content.map(({ url, status, exclusion, failure }) => [
    url.slice(site.origin.length),
    exclusion ?? failure ?? status,
  ])
  return { visits: [...visits], outcomes: Object.fromEntries(outcomes) as Record<string, string>, ...(await read()) }
}

it('are visited after the others: one is still there, one is gone, and what they link to is met again', async () => {
  const scanId = await createScan('Unlinked')
  await run(scanId)
  delete pages['/b']
  pages['/'] = buildPage('/', ['/a'])
  pages['/c'] = buildPage('/c', ['/d'])
  const second = await run(scanId)
  expect(second.visits.slice(0, 2)).toEqual(['/', '/a'])
  expect(second.outcomes).toEqual({ '/': 'completed', '/a': 'completed', '/b': 'http-404', '/c': 'completed', '/d': 'completed' })
  expect(second.change).toMatchObject({ issuesGone: 1, notRechecked: 0, fixed: 0 })
})

it('are visited within the page limit; beyond it, nothing is called gone', async () => {
  const scanId = await createScan('Limited', { pageLimit: 5 })
  await run(scanId)
  pages = { '/': buildPage('/', ['/a', '/new1', '/new2', '/new3']), '/a': buildPage('/a', []), '/c': buildPage('/c', []) }
  const second = await run(scanId)
  expect(second.change).toMatchObject({ issuesGone: 0, fixed: 0, notRechecked: 3 })
  expect(Object.values(second.outcomes).filter((outcome) => outcome === 'over-limit')).toHaveLength(3)
})

it('are excluded, not visited, if the settings say so now', async () => {
  const scanId = await createScan('Settings')
  await run(scanId)
  pages['/'] = buildPage('/', ['/a'])
  const { settings, version } = await get<{ settings: { sources: object }; version: number }>(`/scans/${scanId}/settings`)
  const put = (patch: object) =>
    api.call('PUT', `/scans/${scanId}`, { token: admin, body: { settings: { ...settings, ...patch }, version } })
  expect(
    (
      await put({
        advanced: { ...(settings as { advanced?: object }).advanced, urlsToSkip: [`${site.origin}/b`, `${site.origin}/c`] },
      })
    ).status,
  ).toBe(200)
  const second = await run(scanId)
  expect(second.visits).toEqual(['/', '/a', '/d'])
  expect(second.outcomes).toMatchObject({ '/b': 'url-to-skip', '/c': 'url-to-skip', '/d': 'completed' })
})

/** @module-tag slow */
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { killTree } from '../browser/process-tree.ts'
import { openScanContext } from '../scan-open.ts'
import { scan } from '../scan.ts'
import type { ScanPlan } from '../settings.ts'
import { runInTab, runWithTab, type ClaimResult } from './visit/run-claim.ts'
import { openMemoryFrontier } from './memory-frontier.ts'
import {
  describeOutcome,
  html,
  openTestPool,
  listRules,
  serve,
  tryScan,
  type Route,
  useTestSite,
  useTestPool,
} from '../../test/harness.ts'

// Causes each page failure that no other test covers in a real setup.

const pool = useTestPool()
const site = useTestSite(() => routes)
let secureSite: { origin: string; close: () => void }
const requestCounts: Record<string, number> = {}

const serveStatus =
  (statusCode: number, headers: Record<string, string> = {}): Route =>
  (request, response) => {
    requestCounts[request.url ?? ''] = (requestCounts[request.url ?? ''] ?? 0) + 1
    response.writeHead(statusCode, { 'content-type': 'text/html', ...headers }).end(html(`HTTP ${statusCode}`, ''))
  }
/** Response that is cut off before it is complete. */
const serveTruncated =
  (bodyText: string): Route =>
  (request, response) => {
    const headers = { 'content-type': 'text/html', 'content-length': String(bodyText.length + 1000) }
    response.writeHead(200, headers).write(bodyText, () => request.socket.destroySoon())
  }
const routes: Record<string, Route> = {
  '/fine': html('Fine', ''),
  '/400': serveStatus(400),
  '/401': serveStatus(401),
  '/403': serveStatus(403),
  '/410': serveStatus(410),
  '/500': serveStatus(500),
  '/loop': serveStatus(302, { location: '/loop' }),
  '/broken': (request) => request.socket.destroy(),
  '/half': serveTruncated('<!doctype html>'),
  '/most': serveTruncated(html('Most', `<img src="data:,">${'<p>Text</p>'.repeat(1000)}`)),
  '/asks': html('Asks', `<script>setTimeout(() => (location = location.search.slice(1)), 50)</script>`),
  '/late': (_, response) => void setTimeout(() => response.end(html('Late', '')), 3000),
  '/download': serveStatus(200, { 'content-disposition': 'attachment; filename=a.zip' }),
  '/empty': serveStatus(204),
  '/type': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
}

beforeAll(async () => {
  const readKeystore = (name: string) => readFileSync(new URL(`../../../../fixtures/keystores/${name}`, import.meta.url))
  const server = createTlsServer({ key: readKeystore('server.key'), cert: readKeystore('server.pem') }, (_, response) =>
    response.end('x'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  secureSite = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
})
afterAll(async () => {
  secureSite.close()
})

const buildPlan = (overrides: Partial<ScanPlan> = {}): ScanPlan => ({
  urls: [`${site.origin}/fine`],
  domains: [new URL(site.origin).host],
  depth: 0,
  pageLimit: 10,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, { savePictures: false }),
  allowPrivate: ['127.0.0.0/8'],
  concurrency: 1,
  ...overrides,
})

test('maps server and connection errors to reasons', async () => {
  const closedServer = await serve({})
  await closedServer.close()
  const foreignReasons = {
    'http://nobody.invalid/': 'unknown-host',
    [`${closedServer.origin}/`]: 'connection-refused',
    [`${secureSite.origin}/`]: 'bad-certificate',
    'http://10.0.0.1/': 'address-refused',
    'http://': 'bad-url',
  } satisfies Record<string, FailureReason>
  const siteReasons: Record<string, FailureReason> = {
    '/400': 'http-400',
    '/401': 'http-401',
    '/403': 'http-403',
    '/404': 'http-404',
    '/410': 'http-410',
    '/500': 'http-error',
    '/loop': 'redirect-loop',
    '/broken': 'connection-failed',
    '/type': 'mime-type',
  }
  const urls = [...Object.keys(foreignReasons), ...Object.keys(siteReasons).map((path) => site.origin + path)]
  const { pages } = await tryScan(pool, site, {
    plan: {
      urls,
      domains: [site.origin, closedServer.origin, secureSite.origin, 'http://nobody.invalid', 'http://10.0.0.1'].map(
        (origin) => new URL(origin).host,
      ),
      depth: 0,
      concurrency: 2,
    },
    advanced: { pagesAtOnce: 4, respectRobots: false },
  })
  const fatesByPath = Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))
  expect(fatesByPath).toEqual(
    Object.fromEntries(Object.entries({ ...foreignReasons, ...siteReasons }).map(([path, reason]) => [path, `failed ${reason}`])),
  )
  // Transient failures were retried; verdicts about the page were not.
  expect([requestCounts['/403'], requestCounts['/500']]).toEqual([1, 2])
})

test('a truncated document is tested with a notice, or fails if too little arrived', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/most', '/half'], plan: { depth: 0 } })
  expect(listRules(pages['/most'])).toEqual(['image-alt'])
  expect(pages['/most']).toMatchObject({ notices: expect.arrayContaining(['not-fully-loaded']) })
  expect(describeOutcome(pages['/half'])).toBe('failed connection-failed')
})

test.each(['download', 'empty'])('a document is unaffected by a navigation that never commits: %s', async (linkTarget) => {
  const { pages } = await tryScan(pool, site, { urls: [`/asks?${linkTarget}`], plan: { depth: 0 } })
  // Excludes other notices: machines with few fonts add one.
  expect(pages[`/asks?${linkTarget}`]).toMatchObject({
    kind: 'completed',
    notices: expect.not.arrayContaining(['not-fully-loaded']),
  })
  expect(requestCounts[`/${linkTarget}`]).toBe(1)
})

test('a start URL excluded by the scan’s own rules', async () => {
  const { pages, end: scanEnd } = await tryScan(pool, site, { urls: ['/fine'], advanced: { urlsToSkip: ['*/fine'] } })
  expect(describeOutcome(pages['/fine'])).toBe('failed violates-settings')
  expect(scanEnd).toMatchObject({ kind: 'problem', problem: 'start-urls-failed' })
})

test.each([
  ['invalid-header', { advanced: z.parse(AdvancedSettings, {}) }],
  ['rules-not-found', { ruleSet: { ...defaultRuleSet, axeVersion: '1.0' as never } }],
  ['server-not-updated', { ruleSet: { ...defaultRuleSet, axeVersion: '99.0' as never } }],
] as const)('a plan that fails every page: %s', async (reason, plan) => {
  if ('advanced' in plan) plan.advanced.extraHeaders = [{ name: 'X-A', value: 'a\r\nHost: b' }]
  const { pages } = await tryScan(pool, site, { urls: ['/fine'], plan })
  expect(describeOutcome(pages['/fine'])).toBe(`failed ${reason}`)
})

const sameDay = { pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-02' }
test.each([
  ['an invalid expression', { excludeRules: [{ kind: 'regex', pattern: '(?<a>' }] }],
  [
    'a PDF date range that ends on its first day',
    { advanced: z.parse(AdvancedSettings, { ...sameDay, mimeTypes: ['application/pdf'] }) },
  ],
] as const satisfies [string, Partial<ScanPlan>][])('settings that make a run impossible: %s', async (_, plan) => {
  const { end: scanEnd } = await tryScan(pool, site, { plan })
  expect(scanEnd).toMatchObject({ kind: 'problem', problem: 'invalid-settings' })
})

test('a result that cannot be stored', async () => {
  const recordedFates: string[] = []
  const memoryFrontier = openMemoryFrontier({
    pageLimit: 5,
    onRecorded: (_, outcome) => recordedFates.push(describeOutcome(outcome)),
  })
  const recordWithFailure: typeof memoryFrontier.record = async (claim, outcome, discovered) => {
    if (outcome.kind === 'completed') throw new Error('too wide for the column')
    return memoryFrontier.record(claim, outcome, discovered)
  }
  await scan({ pool, frontier: { ...memoryFrontier, record: recordWithFailure } }, buildPlan(), new AbortController().signal)
  expect(recordedFates).toEqual(['failed results-not-saved'])
})

test('a result that is stored on retry after a broken connection', async () => {
  const recordedFates: string[] = []
  const memoryFrontier = openMemoryFrontier({
    pageLimit: 5,
    onRecorded: (_, outcome) => recordedFates.push(describeOutcome(outcome)),
  })
  let recordAttempts = 0
  const recordWithFailure: typeof memoryFrontier.record = async (...recordArgs) => {
    recordAttempts += 1
    if (recordAttempts === 1) throw new Error('terminating connection')
    return memoryFrontier.record(...recordArgs)
  }
  await scan({ pool, frontier: { ...memoryFrontier, record: recordWithFailure } }, buildPlan(), new AbortController().signal)
  expect([recordedFates, recordAttempts]).toEqual([['completed'], 2])
})

test('a visit longer than its lease renews it', async () => {
  const recordedFates: string[] = []
  const memoryFrontier = openMemoryFrontier({
    pageLimit: 5,
    onRecorded: (_, outcome) => recordedFates.push(describeOutcome(outcome)),
  })
  const leaseMs = 1500
  const renewedAt: number[] = []
  const noteRenewal = <T>(result: T): T => {
    renewedAt.push(performance.now())
    return result
  }
  const observedFrontier: typeof memoryFrontier = {
    ...memoryFrontier,
    leaseMs,
    renew: async (claims) => noteRenewal(await memoryFrontier.renew(claims)),
    record: async (...recordArgs) => noteRenewal(await memoryFrontier.record(...recordArgs)),
  }
  await scan({ pool, frontier: observedFrontier }, buildPlan({ urls: [`${site.origin}/late`] }), new AbortController().signal)
  expect(recordedFates).toEqual(['completed'])
  expect(renewedAt.length).toBeGreaterThan(3)
  for (const [index, renewalTime] of renewedAt.slice(1).entries()) expect(renewalTime - renewedAt[index]!).toBeLessThan(leaseMs)
})

test('a browser that dies during a visit, and an internal error', async () => {
  const memoryFrontier = openMemoryFrontier({ pageLimit: 5, onRecorded: () => undefined })
  const openedScan = await openScanContext({ pool, frontier: memoryFrontier }, buildPlan())
  if (openedScan.kind === 'problem') throw new Error(openedScan.detail)
  const { context } = openedScan
  const [browsing] = context.sessions.listBrowsings()
  const tabOptions = { url: 'x', limitMs: 20_000, signal: new AbortController().signal }
  const getFailureReason = (result: ClaimResult) =>
    result.kind === 'visited' && result.visit.outcome.kind === 'failed' && result.visit.outcome.reason
  const internalFailure = await runWithTab(context, browsing!, (lease) =>
    runInTab(context, lease, Promise.reject(new TypeError('undefined is not a function')), tabOptions),
  )
  expect(getFailureReason(internalFailure)).toBe('backend')
  const killedVisit = await runWithTab(context, browsing!, (lease) => {
    for (const pid of pool.processes()) killTree(pid)
    return runInTab(context, lease, new Promise<ClaimResult>(() => {}), tabOptions)
  })
  expect(getFailureReason(killedVisit)).toBe('browser-driver')
  const lateVisit = await runWithTab(context, browsing!, (lease) =>
    runInTab(context, lease, new Promise<ClaimResult>(() => {}), { ...tabOptions, limitMs: 100 }),
  )
  expect(getFailureReason(lateVisit)).toBe('timeout-generic')
  await openedScan.close()
})

test('keeps earlier results if the browser cannot be restarted', async () => {
  const closedPool = await openTestPool()
  routes['/first'] = html('First', '<a href="/fine">x</a>')
  const { pages, end } = await tryScan(closedPool, site, {
    urls: ['/first'],
    onRecorded: (path) => path === '/first' && void closedPool.close(),
  })
  expect(Object.entries(pages).map(([path, page]) => [path, describeOutcome(page)])).toEqual([['/first', 'completed']])
  // The remaining page is left for another attempt.
  expect(end).toEqual({ kind: 'problem', problem: 'no-browser', detail: 'The browser pool is closed' })
})

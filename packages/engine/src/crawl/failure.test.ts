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
import { inTab, withTab, type Result } from './visit/claim.ts'
import { openMemoryFrontier } from './memory-frontier.ts'
import {
  fate,
  html,
  openTestPool,
  rulesOf,
  serve,
  tryScan,
  type Route,
  siteOfFile,
  poolOfFile,
} from '../../test/harness.ts'

// Every way in which a page can fail that no other test causes, each for real.

const pool = poolOfFile()
const site = siteOfFile(() => routes)
let secure: { origin: string; close: () => void }
const requests: Record<string, number> = {}

const status =
  (code: number, headers: Record<string, string> = {}): Route =>
  (request, response) => {
    requests[request.url ?? ''] = (requests[request.url ?? ''] ?? 0) + 1
    response.writeHead(code, { 'content-type': 'text/html', ...headers }).end(html(`HTTP ${code}`, ''))
  }
/** An answer that ends before it is whole. */
const breaksOff =
  (text: string): Route =>
  (request, response) => {
    const headers = { 'content-type': 'text/html', 'content-length': String(text.length + 1000) }
    response.writeHead(200, headers).write(text, () => request.socket.destroySoon())
  }
const routes: Record<string, Route> = {
  '/fine': html('Fine', ''),
  '/400': status(400),
  '/401': status(401),
  '/403': status(403),
  '/500': status(500),
  '/loop': status(302, { location: '/loop' }),
  '/broken': (request) => request.socket.destroy(),
  '/half': breaksOff('<!doctype html>'),
  '/most': breaksOff(html('Most', `<img src="data:,">${'<p>Text</p>'.repeat(1000)}`)),
  '/asks': html('Asks', `<script>setTimeout(() => (location = location.search.slice(1)), 50)</script>`),
  '/late': (_, response) => void setTimeout(() => response.end(html('Late', '')), 3000),
  '/download': status(200, { 'content-disposition': 'attachment; filename=a.zip' }),
  '/empty': status(204),
  '/type': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
}

beforeAll(async () => {
  const file = (name: string) =>
    readFileSync(new URL(`../../../../fixtures/keystores/${name}`, import.meta.url))
  const server = createTlsServer({ key: file('server.key'), cert: file('server.pem') }, (_, response) =>
    response.end('x'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  secure = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
})
afterAll(async () => {
  secure.close()
})

const planOf = (more: Partial<ScanPlan> = {}): ScanPlan => ({
  urls: [`${site.origin}/fine`],
  domains: [new URL(site.origin).host],
  depth: 0,
  pageLimit: 10,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, { savePictures: false }),
  allowPrivate: ['127.0.0.0/8'],
  concurrency: 1,
  ...more,
})

test('what a server or the way to it answers', async () => {
  const closed = await serve({})
  await closed.close()
  const foreign = {
    'http://nobody.invalid/': 'unknown-host',
    [`${closed.origin}/`]: 'connection-refused',
    [`${secure.origin}/`]: 'bad-certificate',
    'http://10.0.0.1/': 'address-refused',
    'http://': 'bad-url',
  } satisfies Record<string, FailureReason>
  const own: Record<string, FailureReason> = {
    '/400': 'http-400',
    '/401': 'http-401',
    '/403': 'http-403',
    '/404': 'http-404',
    '/500': 'http-error',
    '/loop': 'redirect-loop',
    '/broken': 'connection-failed',
    '/type': 'mime-type',
  }
  const urls = [...Object.keys(foreign), ...Object.keys(own).map((path) => site.origin + path)]
  const { pages } = await tryScan(pool, site, {
    plan: {
      urls,
      domains: [site.origin, closed.origin, secure.origin, 'http://nobody.invalid', 'http://10.0.0.1'].map(
        (origin) => new URL(origin).host,
      ),
      depth: 0,
      concurrency: 2,
    },
    advanced: { pagesAtOnce: 4, respectRobots: false },
  })
  const fates = Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, fate(outcome)]))
  expect(fates).toEqual(
    Object.fromEntries(
      Object.entries({ ...foreign, ...own }).map(([path, reason]) => [path, `failed ${reason}`]),
    ),
  )
  // What may have been chance was tried again, what was said of the page was not.
  expect([requests['/403'], requests['/500']]).toEqual([1, 2])
})

test('a document that breaks off is tested as far as it came and says so, or failed by its connection', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/most', '/half'], plan: { depth: 0 } })
  expect(rulesOf(pages['/most'])).toEqual(['image-alt'])
  expect(pages['/most']).toMatchObject({ notices: expect.arrayContaining(['not-fully-loaded']) })
  expect(fate(pages['/half'])).toBe('failed connection-failed')
})

test.each(['download', 'empty'])(
  'a document stays whole when it asks for one that is never shown: %s',
  async (next) => {
    const { pages } = await tryScan(pool, site, { urls: [`/asks?${next}`], plan: { depth: 0 } })
    // Where the machine has few fonts, it says so.
    expect(pages[`/asks?${next}`]).toMatchObject({
      kind: 'completed',
      notices: expect.not.arrayContaining(['not-fully-loaded']),
    })
    expect(requests[`/${next}`]).toBe(1)
  },
)

test('a start URL that the scan’s own rules exclude', async () => {
  const { pages, end } = await tryScan(pool, site, {
    urls: ['/fine'],
    advanced: { urlsToSkip: ['*/fine'] },
  })
  expect(fate(pages['/fine'])).toBe('failed violates-settings')
  expect(end).toMatchObject({ kind: 'problem', problem: 'start-urls-failed' })
})

test.each([
  ['invalid-header', { advanced: z.parse(AdvancedSettings, {}) }],
  ['rules-not-found', { ruleSet: { ...defaultRuleSet, axeVersion: '1.0' as never } }],
  ['server-not-updated', { ruleSet: { ...defaultRuleSet, axeVersion: '99.0' as never } }],
] as const)('a plan that no page can be visited with: %s', async (reason, plan) => {
  if ('advanced' in plan) plan.advanced.extraHeaders = [{ name: 'X-A', value: 'a\r\nHost: b' }]
  const { pages } = await tryScan(pool, site, { urls: ['/fine'], plan })
  expect(fate(pages['/fine'])).toBe(`failed ${reason}`)
})

const sameDay = { pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-02' }
test.each([
  ['a rule that is no expression', { excludeRules: [{ kind: 'regex', pattern: '(?<a>' }] }],
  [
    'PDFs until the day from which they are looked at',
    { advanced: z.parse(AdvancedSettings, { ...sameDay, mimeTypes: ['application/pdf'] }) },
  ],
] as const satisfies [string, Partial<ScanPlan>][])(
  'settings that make a run impossible: %s',
  async (_, plan) => {
    const { end } = await tryScan(pool, site, { plan })
    expect(end).toMatchObject({ kind: 'problem', problem: 'invalid-settings' })
  },
)

test('a result that cannot be stored', async () => {
  const fates: string[] = []
  const memory = openMemoryFrontier({ pageLimit: 5, onRecorded: (_, outcome) => fates.push(fate(outcome)) })
  const record: typeof memory.record = async (claim, outcome, found) => {
    if (outcome.kind === 'completed') throw new Error('too wide for the column')
    return memory.record(claim, outcome, found)
  }
  await scan({ pool, frontier: { ...memory, record } }, planOf(), new AbortController().signal)
  expect(fates).toEqual(['failed results-not-saved'])
})

test('a result that cannot be stored at once, while a connection is broken', async () => {
  const fates: string[] = []
  const memory = openMemoryFrontier({ pageLimit: 5, onRecorded: (_, outcome) => fates.push(fate(outcome)) })
  let tries = 0
  const record: typeof memory.record = async (...given) => {
    tries += 1
    if (tries === 1) throw new Error('terminating connection')
    return memory.record(...given)
  }
  await scan({ pool, frontier: { ...memory, record } }, planOf(), new AbortController().signal)
  expect([fates, tries]).toEqual([['completed'], 2])
})

test('a visit that takes longer than its lease keeps it', async () => {
  const fates: string[] = []
  const memory = openMemoryFrontier({ pageLimit: 5, onRecorded: (_, outcome) => fates.push(fate(outcome)) })
  const leaseMs = 1500
  const heldAt: number[] = []
  const held = <T>(answer: T): T => {
    heldAt.push(performance.now())
    return answer
  }
  const frontier: typeof memory = {
    ...memory,
    leaseMs,
    renew: async (claims) => held(await memory.renew(claims)),
    record: async (...given) => held(await memory.record(...given)),
  }
  await scan({ pool, frontier }, planOf({ urls: [`${site.origin}/late`] }), new AbortController().signal)
  expect(fates).toEqual(['completed'])
  expect(heldAt.length).toBeGreaterThan(3)
  for (const [index, at] of heldAt.slice(1).entries()) expect(at - heldAt[index]!).toBeLessThan(leaseMs)
})

test('a browser that ends under a visit, and a fault of our own', async () => {
  const frontier = openMemoryFrontier({ pageLimit: 5, onRecorded: () => undefined })
  const opened = await openScanContext({ pool, frontier }, planOf())
  if (opened.kind === 'problem') throw new Error(opened.detail)
  const { context } = opened
  const [browsing] = context.sessions.listBrowsings()
  const options = { url: 'x', limitMs: 20_000, signal: new AbortController().signal }
  const reasonOf = (result: Result) =>
    result.kind === 'visited' && result.visit.outcome.kind === 'failed' && result.visit.outcome.reason
  const ours = await withTab(context, browsing!, (lease) =>
    inTab(context, lease, Promise.reject(new TypeError('undefined is not a function')), options),
  )
  expect(reasonOf(ours)).toBe('backend')
  const killed = await withTab(context, browsing!, (lease) => {
    for (const pid of pool.processes()) killTree(pid)
    return inTab(context, lease, new Promise<Result>(() => {}), options)
  })
  expect(reasonOf(killed)).toBe('browser-driver')
  const late = await withTab(context, browsing!, (lease) =>
    inTab(context, lease, new Promise<Result>(() => {}), { ...options, limitMs: 100 }),
  )
  expect(reasonOf(late)).toBe('timeout-generic')
  await opened.close()
})

test('a browser that does not come back: what was found before is kept', async () => {
  const lost = await openTestPool()
  routes['/first'] = html('First', '<a href="/fine">x</a>')
  const { pages } = await tryScan(lost, site, {
    urls: ['/first'],
    onRecorded: (path) => path === '/first' && void lost.close(),
  })
  expect([fate(pages['/first']), fate(pages['/fine'])]).toEqual(['completed', 'failed browser-cluster'])
})

/** @module-tag slow */
import { afterEach, expect, test, vi } from 'vitest'
import { openPace, parseRetryAfterMs } from './pace.ts'
import {
  describeOutcome,
  html,
  auditFewSettings,
  getFingerprints,
  serve,
  tryScan,
  type Route,
  useTestSite,
  useTestPool,
} from '../../test/harness.ts'

const pool = useTestPool()
const site = useTestSite(() => routes)
const visitTimes: { path: string; at: number }[] = []
let concurrentCount = 0
let maxConcurrent = 0
let refusalCount = 0

const serveCounted =
  (pageBody: string): Route =>
  (request, response) => {
    // A start page with hardly any content is requested again outside of the browser.
    if (request.headers['sec-fetch-dest'] !== 'document') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageBody)
      return
    }
    visitTimes.push({ path: request.url ?? '', at: Date.now() })
    concurrentCount += 1
    maxConcurrent = Math.max(maxConcurrent, concurrentCount)
    setTimeout(() => {
      concurrentCount -= 1
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageBody)
    }, 100)
  }
const routes: Record<string, Route> = {
  '/': html('Home', [1, 2, 3, 4].map((n) => `<a href="/p${n}">${n}</a>`).join(' ')),
  '/busy': (_, response) => {
    refusalCount += 1
    if (refusalCount > 1) return response.writeHead(200, { 'content-type': 'text/html' }).end(html('Busy', ''))
    return response.writeHead(429, { 'retry-after': '1' }).end('later')
  },
}
for (const n of [1, 2, 3, 4]) routes[`/p${n}`] = serveCounted(html(`Page ${n}`, ''))

const runCrawl = async (advanced: object) => {
  visitTimes.length = 0
  maxConcurrent = 0
  const testScan = await tryScan(pool, site, { advanced })
  // Four pages, three gaps. A busy machine may request the first page late.
  return { scanned: testScan, span: visitTimes.at(-1)!.at - visitTimes[0]!.at, mostTogether: maxConcurrent }
}

test('one page of a host at a time', async () => {
  expect((await runCrawl({ pagesAtOnce: 1 })).mostTogether).toBe(1)
})

test('loads two pages of a host at once, and opens a third while one is idle that is unchanged, or if there is room', async () => {
  // A page with an open connection must be idle for a second before it is processed.
  const livePage = html('Live', '<script>new EventSource("/events")</script>')
  const liveUrls = Array.from({ length: 12 }, (_, index) => `/live${index}`)
  for (const path of liveUrls) routes[path] = serveCounted(livePage)
  routes['/events'] = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  type Options = { knownPrints?: Record<string, string>; hasRoom?: boolean; urls?: string[] }
  /** Maximum number of pages that were requested but not finished. */
  const countMaxOpen = async (
    pagesAtOnce: number,
    { knownPrints = {}, hasRoom = false, urls = liveUrls.slice(0, 6) }: Options = {},
  ) => {
    visitTimes.length = 0
    maxConcurrent = 0
    let maxOpen = 0
    let doneCount = 0
    const onRecorded = () => {
      maxOpen = Math.max(maxOpen, visitTimes.length - doneCount)
      doneCount += 1
    }
    const advanced = { ...auditFewSettings, pagesAtOnce }
    const roomyPool = { ...pool, hasRoom: () => hasRoom }
    const { pages } = await tryScan(roomyPool, site, { urls, advanced, knownPrints, plan: { depth: 0 }, onRecorded })
    expect(maxConcurrent).toBeLessThanOrEqual(pagesAtOnce)
    return { most: maxOpen, prints: getFingerprints(pages) }
  }
  const firstRun = await countMaxOpen(2)
  expect(firstRun.most).toBe(2)
  // Only pages after the third may let another one load.
  expect((await countMaxOpen(2, { hasRoom: true, urls: liveUrls })).most).toBe(3)
  expect((await countMaxOpen(2, { knownPrints: firstRun.prints })).most).toBe(3)
  expect((await countMaxOpen(1, { knownPrints: firstRun.prints, hasRoom: true })).most).toBe(1)
  // Changed pages are analyzed, which needs room.
  const changedPrints = Object.fromEntries(liveUrls.map((path) => [path, 'of a run before']))
  expect((await countMaxOpen(2, { knownPrints: changedPrints })).most).toBe(2)
})

test('limits page loads per minute', async () => {
  expect((await runCrawl({ pagesPerMinute: 60 })).span).toBeGreaterThan(2200)
})

test('applies the crawl delay of robots.txt', async () => {
  routes['/robots.txt'] = 'User-agent: *\nCrawl-delay: 1'
  const { span } = await runCrawl({})
  delete routes['/robots.txt']
  expect(span).toBeGreaterThan(2200)
})

test('waits for the Retry-After of a busy server and retries', async () => {
  const startedAt = performance.now()
  const { pages } = await tryScan(pool, site, { urls: ['/busy'] })
  expect(describeOutcome(pages['/busy'])).toBe('completed')
  expect(refusalCount).toBe(2)
  expect(performance.now() - startedAt).toBeGreaterThan(1000)
})

test('slows down on trouble, speeds up on success, and pauses on Retry-After', async () => {
  const hostPace = openPace({ atOnce: 4, perMinute: null })
  const nextGap = () => hostPace.learn('h', 'troubled', 0)?.gapMs
  expect([nextGap(), nextGap(), nextGap()]).toEqual([250, 500, 1000])
  expect(hostPace.learn('h', 'fine', 0)?.gapMs).toBe(500)
  expect(hostPace.learn('other', 'fine', 0)).toBe(null)
  expect(hostPace.learn('other', 'fine', 800)?.gapMs).toBe(800)
  expect(hostPace.learn('other', 'fine', 800)).toBe(null)
  expect(hostPace.learn('h', { retryAfterMs: 3000 }, 0)?.untilMs).toBe(3000)
  expect(hostPace.learn('h', { retryAfterMs: 86_400_000 }, 0)?.untilMs).toBe(300_000)
})

test('Retry-After in seconds, as a date, and invalid', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  expect(parseRetryAfterMs('120', nowMs)).toBe(120_000)
  expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30_000)
  expect(parseRetryAfterMs('soon', nowMs)).toBe(null)
  expect(parseRetryAfterMs(undefined, nowMs)).toBe(null)
})

test('an unresponsive host ends the run after a number of visits', async () => {
  const closedSite = await serve({})
  await closedSite.close()
  const deadUrls = Array.from({ length: 12 }, (_, n) => `/${n}`)
  const { end: scanEnd, pages } = await tryScan(pool, closedSite, { urls: deadUrls, advanced: { stopAfterFailures: 3 } })
  expect(scanEnd).toMatchObject({ kind: 'problem', problem: 'too-many-failures' })
  expect(Object.keys(pages).length).toBeLessThan(12)
})

afterEach(() => void vi.useRealTimers())
test('setting back the clock blocks no host', async () => {
  const hostPace = openPace({ atOnce: 1, perMinute: 6000 })
  const signal = AbortSignal.timeout(5000)
  const enterAndLeave = async () => (await hostPace.enter('example.org', 0, signal))?.leave()
  await enterAndLeave()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 3_600_000 })
  await enterAndLeave()
  expect(signal.aborted).toBe(false)
})

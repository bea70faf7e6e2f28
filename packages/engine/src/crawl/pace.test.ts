import { afterEach, expect, test, vi } from 'vitest'
import { openPace, retryAfterMs } from './pace.ts'
import {
  fate,
  html,
  keeping,
  printsOf,
  serve,
  tryScan,
  type Route,
  siteOfFile,
  poolOfFile,
} from '../../test/harness.ts'

const pool = poolOfFile()
const site = siteOfFile(() => routes)
const seen: { path: string; at: number }[] = []
let together = 0
let mostTogether = 0
let refusals = 0

const counted =
  (body: string): Route =>
  (request, response) => {
    seen.push({ path: request.url ?? '', at: Date.now() })
    together += 1
    mostTogether = Math.max(mostTogether, together)
    setTimeout(() => {
      together -= 1
      response.writeHead(200, { 'content-type': 'text/html' }).end(body)
    }, 100)
  }
const routes: Record<string, Route> = {
  '/': html('Home', [1, 2, 3, 4].map((n) => `<a href="/p${n}">${n}</a>`).join(' ')),
  '/busy': (_, response) => {
    refusals += 1
    if (refusals > 1) return response.writeHead(200, { 'content-type': 'text/html' }).end(html('Busy', ''))
    return response.writeHead(429, { 'retry-after': '1' }).end('later')
  },
}
for (const n of [1, 2, 3, 4]) routes[`/p${n}`] = counted(html(`Page ${n}`, ''))

const crawl = async (advanced: object) => {
  seen.length = 0
  mostTogether = 0
  const scanned = await tryScan(pool, site, { advanced })
  // Four pages, three gaps; a busy machine may ask for the first one late.
  return { scanned, span: seen.at(-1)!.at - seen[0]!.at, mostTogether }
}

test('one page of a host at a time', async () => {
  expect((await crawl({ pagesAtOnce: 1 })).mostTogether).toBe(1)
})

test('two of a host load at the same time, and a third is open while one that is as it was only waits', async () => {
  // A page that keeps a connection open is quiet for a second before anything is done with it.
  const live = html('Live', '<script>new EventSource("/events")</script>')
  const urls = [1, 2, 3, 4, 5, 6].map((n) => `/live${n}`)
  for (const path of urls) routes[path] = counted(live)
  routes['/events'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  /** The most pages that were asked for and not done. */
  const mostOpen = async (pagesAtOnce: number, known: Record<string, string> = {}) => {
    seen.length = 0
    mostTogether = 0
    let most = 0
    let done = 0
    const onRecorded = () => {
      most = Math.max(most, seen.length - done)
      done += 1
    }
    const advanced = { ...keeping, pagesAtOnce }
    const { pages } = await tryScan(pool, site, { urls, advanced, known, plan: { depth: 0 }, onRecorded })
    expect(mostTogether).toBeLessThanOrEqual(pagesAtOnce)
    return { most, prints: printsOf(pages) }
  }
  const first = await mostOpen(2)
  expect(first.most).toBe(2)
  expect((await mostOpen(2, first.prints)).most).toBe(3)
  expect((await mostOpen(1, first.prints)).most).toBe(1)
  // Once pages have changed, they are analysed, and no more are open than are wanted.
  const others = Object.fromEntries(urls.map((path) => [path, 'of a run before']))
  expect((await mostOpen(2, others)).most).toBe(2)
})

test('so many page loads a minute', async () => {
  expect((await crawl({ pagesPerMinute: 60 })).span).toBeGreaterThan(2200)
})

test('the delay that robots.txt asks for', async () => {
  routes['/robots.txt'] = 'User-agent: *\nCrawl-delay: 1'
  const { span } = await crawl({})
  delete routes['/robots.txt']
  expect(span).toBeGreaterThan(2200)
})

test('waits as long as a busy server asks, and tries again', async () => {
  const began = performance.now()
  const { pages } = await tryScan(pool, site, { urls: ['/busy'] })
  expect(fate(pages['/busy'])).toBe('completed')
  expect(refusals).toBe(2)
  expect(performance.now() - began).toBeGreaterThan(1000)
})

test('slower on trouble, faster on success, closed while told to wait', async () => {
  const pace = openPace({ atOnce: 4, perMinute: null })
  const gap = () => pace.learn('h', 'troubled', 0)?.gapMs
  expect([gap(), gap(), gap()]).toEqual([250, 500, 1000])
  expect(pace.learn('h', 'fine', 0)?.gapMs).toBe(500)
  expect(pace.learn('other', 'fine', 0)).toBe(null)
  expect(pace.learn('other', 'fine', 800)?.gapMs).toBe(800)
  expect(pace.learn('other', 'fine', 800)).toBe(null)
  expect(pace.learn('h', { retryAfterMs: 3000 }, 0)?.untilMs).toBe(3000)
  expect(pace.learn('h', { retryAfterMs: 86_400_000 }, 0)?.untilMs).toBe(300_000)
})

test('Retry-After as seconds, as a date, as nonsense', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfterMs('120', now)).toBe(120_000)
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000)
  expect(retryAfterMs('soon', now)).toBe(null)
  expect(retryAfterMs(undefined, now)).toBe(null)
})

test('a host that does not answer ends the run after so many visits', async () => {
  const dead = await serve({})
  await dead.close()
  const urls = Array.from({ length: 12 }, (_, n) => `/${n}`)
  const { end, pages } = await tryScan(pool, dead, { urls, advanced: { stopAfterFailures: 3 } })
  expect(end).toMatchObject({ kind: 'problem', problem: 'too-many-failures' })
  expect(Object.keys(pages).length).toBeLessThan(12)
})

afterEach(() => void vi.useRealTimers())
test('a clock that is set back closes no host', async () => {
  const pace = openPace({ atOnce: 1, perMinute: 6000 })
  const signal = AbortSignal.timeout(5000)
  const enter = async () => (await pace.enter('example.org', 0, signal))?.leave()
  await enter()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 3_600_000 })
  await enter()
  expect(signal.aborted).toBe(false)
})

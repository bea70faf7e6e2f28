import { expect, it } from 'vitest'
import { openRobots } from './robots.ts'
import type { FetchedText } from '../../guard/fetch.ts'

const found: FetchedText = { ok: true, url: '', status: 404, text: 'Not found' }
const openTestRobots = (fetched: FetchedText, shouldRespect = true, startPage: FetchedText = found) => {
  const logLines: string[] = []
  let fetchCount = 0
  const fetchText = async (url: string) => {
    fetchCount += 1
    return url.endsWith('/robots.txt') ? fetched : startPage
  }
  const robots = openRobots(
    { fetchText, log: (message) => logLines.push(message) },
    { respect: shouldRespect, userAgent: 'Clearway' },
  )
  return { robots, log: logLines, countFetches: () => fetchCount }
}
const respondWith = (body: string, status = 200): FetchedText => ({ ok: true, url: '', status, text: body })
const pageUrl = (path: string) => new URL(path, 'https://site.test')

it('obeys the general group, and our own group before it', async () => {
  const { robots, countFetches } = openTestRobots(respondWith('User-agent: *\nDisallow: /a\nUser-agent: clearway\nDisallow: /b'))
  expect([await robots.findRefusal(pageUrl('/a')), await robots.findRefusal(pageUrl('/b'))]).toEqual([
    null,
    'https://site.test/robots.txt disallows it',
  ])
  expect(countFetches()).toBe(1)
})

it('applies the crawl delay up to a maximum', async () => {
  const buildRules = (crawlDelay: string) => respondWith(`User-agent: *\nCrawl-delay: ${crawlDelay}`)
  expect(await openTestRobots(buildRules('2')).robots.delayMs(pageUrl('/'))).toBe(2000)
  expect(await openTestRobots(buildRules('86400')).robots.delayMs(pageUrl('/'))).toBe(10_000)
  expect(await openTestRobots(buildRules('-5')).robots.delayMs(pageUrl('/'))).toBe(0)
})

const fail = (reason: 'connection-failed' | 'redirect-loop' | 'address-refused'): FetchedText => ({
  ok: false,
  reason,
  why: `the ${reason}`,
})
it.each([
  ['is missing', respondWith('User-agent: *\nDisallow: /', 404)],
  ['is for signed-in users', respondWith('User-agent: *\nDisallow: /', 403)],
  ['redirects without end', fail('redirect-loop')],
  ['is binary rubbish', respondWith('\0\x01\ufffdDisallow\0: /\nzzz\n'.repeat(1000))],
])('allows everything when robots.txt %s', async (_, fetched) => {
  const { robots, log: logLines } = openTestRobots(fetched)
  expect(await robots.findRefusal(pageUrl('/a'))).toBe(null)
  expect(logLines).toEqual([])
})

it.each([
  ['answers 500', respondWith('User-agent: *\nAllow: /', 500), 'it answered 500'],
  ['answers 503', respondWith('', 503), 'it answered 503'],
  ['does not answer', fail('connection-failed'), 'the connection-failed'],
  ['redirects into a forbidden network', fail('address-refused'), 'the address-refused'],
])('allows nothing when robots.txt %s, and says why', async (_, fetched, why) => {
  const { robots, log: logLines } = openTestRobots(fetched)
  const detail = `https://site.test/robots.txt cannot be read (${why}), which disallows everything (RFC 9309)`
  expect(await robots.findRefusal(pageUrl('/a'))).toBe(detail)
  expect(await robots.findRefusal(pageUrl('/'))).toBe(detail)
  expect([await robots.delayMs(pageUrl('/')), await robots.sitemaps('https://site.test')]).toEqual([0, []])
  expect(logLines).toEqual([detail])
  const ignoring = openTestRobots(fetched, false)
  expect(await ignoring.robots.findRefusal(pageUrl('/a'))).toBe(null)
})

it.each([
  ['cannot be reached', fail('connection-failed'), fail('connection-failed')],
  ['is in a forbidden network', fail('address-refused'), fail('address-refused')],
  ['answers 503 for everything', respondWith('', 503), respondWith('', 503)],
])('hides no reason of a site that %s', async (_, fetched, startPage) => {
  expect(await openTestRobots(fetched, true, startPage).robots.findRefusal(pageUrl('/a'))).toBe(null)
})

it('does not fetch robots.txt when it is ignored', async () => {
  const { robots, countFetches } = openTestRobots(respondWith('User-agent: *\nDisallow: /'), false)
  expect(await robots.findRefusal(pageUrl('/a'))).toBe(null)
  expect(countFetches()).toBe(0)
})

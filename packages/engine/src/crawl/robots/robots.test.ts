import { expect, it } from 'vitest'
import { openRobots } from './robots.ts'
import type { FetchedText } from '../../guard/fetch.ts'

const openTestRobots = (fetched: FetchedText, shouldRespect = true) => {
  const logLines: string[] = []
  let fetchCount = 0
  const fetchText = async () => {
    fetchCount += 1
    return fetched
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
  expect([await robots.allows(pageUrl('/a')), await robots.allows(pageUrl('/b'))]).toEqual([true, false])
  expect(countFetches()).toBe(1)
})

it('applies the crawl delay up to a maximum', async () => {
  const buildRules = (crawlDelay: string) => respondWith(`User-agent: *\nCrawl-delay: ${crawlDelay}`)
  expect(await openTestRobots(buildRules('2')).robots.delayMs(pageUrl('/'))).toBe(2000)
  expect(await openTestRobots(buildRules('86400')).robots.delayMs(pageUrl('/'))).toBe(10_000)
  expect(await openTestRobots(buildRules('-5')).robots.delayMs(pageUrl('/'))).toBe(0)
})

it.each([
  ['is missing', respondWith('User-agent: *\nDisallow: /', 404), 0],
  ['is broken', respondWith('User-agent: *\nDisallow: /', 503), 1],
  ['does not answer', { ok: false, why: 'late' } as FetchedText, 1],
  ['is binary rubbish', respondWith('\0\x01\ufffdDisallow\0: /\nzzz\n'.repeat(1000)), 0],
])('allows everything when robots.txt %s', async (_, fetched, logCount) => {
  const { robots, log: logLines } = openTestRobots(fetched)
  expect(await robots.allows(pageUrl('/a'))).toBe(true)
  expect(logLines).toHaveLength(logCount)
})

it('does not fetch robots.txt when it is ignored', async () => {
  const { robots, countFetches } = openTestRobots(respondWith('User-agent: *\nDisallow: /'), false)
  expect(await robots.allows(pageUrl('/a'))).toBe(true)
  expect(countFetches()).toBe(0)
})

import { expect, it } from 'vitest'
import { openRobots } from './robots.ts'
import type { FetchedText } from '../../guard/fetch.ts'

const site = (fetched: FetchedText, respect = true) => {
  const log: string[] = []
  let fetches = 0
  const fetchText = async () => {
    fetches += 1
    return fetched
  }
  const robots = openRobots(
    { fetchText, log: (message) => log.push(message) },
    { respect, userAgent: 'Clearway' },
  )
  return { robots, log, fetches: () => fetches }
}
const text = (body: string, status = 200): FetchedText => ({ ok: true, status, text: body })
const page = (path: string) => new URL(path, 'https://site.test')

it('obeys what is said to everyone, and what is said to us before that', async () => {
  const { robots, fetches } = site(text('User-agent: *\nDisallow: /a\nUser-agent: clearway\nDisallow: /b'))
  expect([await robots.allows(page('/a')), await robots.allows(page('/b'))]).toEqual([true, false])
  expect(fetches()).toBe(1)
})

it('waits as long as a site asks, within reason', async () => {
  const rules = (delay: string) => text(`User-agent: *\nCrawl-delay: ${delay}`)
  expect(await site(rules('2')).robots.delayMs(page('/'))).toBe(2000)
  expect(await site(rules('86400')).robots.delayMs(page('/'))).toBe(10_000)
  expect(await site(rules('-5')).robots.delayMs(page('/'))).toBe(0)
})

it.each([
  ['is missing', text('User-agent: *\nDisallow: /', 404), 0],
  ['is broken', text('User-agent: *\nDisallow: /', 503), 1],
  ['does not answer', { ok: false, why: 'late' } as FetchedText, 1],
  ['is binary rubbish', text('\0\x01\ufffdDisallow\0: /\nzzz\n'.repeat(1000)), 0],
])('allows everything when robots.txt %s', async (_, fetched, logged) => {
  const { robots, log } = site(fetched)
  expect(await robots.allows(page('/a'))).toBe(true)
  expect(log).toHaveLength(logged)
})

it('does not ask when it is not to be obeyed', async () => {
  const { robots, fetches } = site(text('User-agent: *\nDisallow: /'), false)
  expect(await robots.allows(page('/a'))).toBe(true)
  expect(fetches()).toBe(0)
})

import { expect, it } from 'vitest'
import type { Claim, NewEntry } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'
import { openMemoryFrontier } from './memory-frontier.ts'

const entry = (key: string, wave: number, exclusion: NewEntry['exclusion'] = null): NewEntry => ({
  url: key,
  key,
  depth: wave,
  wave,
  foundOn: null,
  exclusion,
})
const done: PageOutcome = { kind: 'failed', reason: 'http-404', detail: '', durationMs: 1 }
const left: PageOutcome = { kind: 'excluded', reason: 'redirect', detail: '', durationMs: 1 }
const open = (pageLimit = 100) => {
  const recorded: string[] = []
  return {
    recorded,
    frontier: openMemoryFrontier({ pageLimit, onRecorded: ({ key }) => recorded.push(key) }),
  }
}
const keys = (claims: Claim[]) => claims.map(({ key }) => key)

it('goes wave by wave, in the order of parents, however they end', async () => {
  const { frontier } = open()
  await frontier.seed([entry('a', 0), entry('b', 0)])
  const [a, b] = await frontier.claim(5)
  await frontier.record(b!, done, [entry('b1', 1), entry('x', 1)])
  expect(await frontier.claim(5)).toEqual([])
  expect(await frontier.state()).toBe('open')
  await frontier.record(a!, done, [entry('a1', 1), entry('x', 1)])
  expect(keys(await frontier.claim(5))).toEqual(['a1', 'x', 'b1'])
})

it('counts pages against the limit, not what was excluded', async () => {
  const { frontier } = open(2)
  await frontier.seed([entry('a', 0), entry('b', 0), entry('c', 0), entry('out', 0, 'robots')])
  const [a, b, ...none] = await frontier.claim(5)
  expect(none).toEqual([])
  await frontier.record(a!, left, [])
  expect(keys(await frontier.claim(5))).toEqual(['c'])
  await frontier.record(b!, done, [])
  expect(await frontier.state()).toBe('open')
})

it('fences a claim that was given back', async () => {
  const { frontier, recorded } = open()
  await frontier.seed([entry('a', 0)])
  const [first] = await frontier.claim(1)
  await frontier.release(first!, { blame: false })
  const [second] = await frontier.claim(1)
  expect(second!.attempt).toBe(1)
  expect(await frontier.renew([first!, second!])).toEqual([first!.token])
  expect(await frontier.record(first!, done, [])).toBe(false)
  expect(await frontier.record(second!, done, [])).toBe(true)
  expect(recorded).toEqual(['a'])
  expect(await frontier.state()).toBe('drained')
})

it('takes up a page that was too deep by another way', async () => {
  const { frontier } = open()
  await frontier.seed([entry('a', 0)])
  const [a] = await frontier.claim(1)
  await frontier.record(a!, done, [entry('x', 1, 'too-deep'), entry('b', 1)])
  const [b] = await frontier.claim(1)
  await frontier.record(b!, done, [entry('x', 2)])
  expect(keys(await frontier.claim(1))).toEqual(['x'])
})

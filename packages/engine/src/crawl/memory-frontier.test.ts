import { expect, it } from 'vitest'
import type { Claim, NewEntry } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'
import { openMemoryFrontier } from './memory-frontier.ts'

const buildEntry = (key: string, wave: number, exclusion: NewEntry['exclusion'] = null): NewEntry => ({
  url: key,
  key,
  depth: wave,
  wave,
  foundOn: null,
  exclusion,
})
const failedOutcome: PageOutcome = { kind: 'failed', reason: 'http-404', detail: '', durationMs: 1 }
const excludedOutcome: PageOutcome = { kind: 'excluded', reason: 'redirect', detail: '', durationMs: 1 }
const openTestFrontier = (pageLimit = 100) => {
  const recordedKeys: string[] = []
  return { recorded: recordedKeys, frontier: openMemoryFrontier({ pageLimit, onRecorded: ({ key }) => recordedKeys.push(key) }) }
}
const getKeys = (claims: Claim[]) => claims.map(({ key }) => key)

it('proceeds wave by wave in parent order, regardless of completion order', async () => {
  const { frontier } = openTestFrontier()
  await frontier.seed([buildEntry('a', 0), buildEntry('b', 0)])
  const [a, b] = await frontier.claim(5)
  await frontier.record(b!, failedOutcome, [buildEntry('b1', 1), buildEntry('x', 1)])
  expect(await frontier.claim(5)).toEqual([])
  expect(await frontier.state()).toBe('open')
  await frontier.record(a!, failedOutcome, [buildEntry('a1', 1), buildEntry('x', 1)])
  expect(getKeys(await frontier.claim(5))).toEqual(['a1', 'x', 'b1'])
})

it('counts visited pages toward the limit, not excluded ones', async () => {
  const { frontier } = openTestFrontier(2)
  await frontier.seed([buildEntry('a', 0), buildEntry('b', 0), buildEntry('c', 0), buildEntry('out', 0, 'robots')])
  const [a, b, ...extraClaims] = await frontier.claim(5)
  expect(extraClaims).toEqual([])
  await frontier.record(a!, excludedOutcome, [])
  expect(getKeys(await frontier.claim(5))).toEqual(['c'])
  await frontier.record(b!, failedOutcome, [])
  expect(await frontier.state()).toBe('open')
})

it('counts states of a script toward the limit, not banners', async () => {
  const { frontier, recorded: recordedKeys } = openTestFrontier(3)
  await frontier.seed(['a', 'b', 'c'].map((key) => buildEntry(key, 0)))
  const [a] = await frontier.claim(1)
  const banner = { url: 'a#b', key: 'banner', label: 'B', outcome: failedOutcome, foundOn: 'banner:a' }
  await frontier.record(a!, failedOutcome, [], [banner])
  const [b, c] = await frontier.claim(5)
  expect(getKeys([b!, c!])).toEqual(['b', 'c'])
  await frontier.release(c!, { blame: false })
  await frontier.record(b!, failedOutcome, [], [{ url: 'b#s', key: 'state', label: 'S', outcome: failedOutcome }])
  expect(await frontier.claim(5)).toEqual([])
  expect(recordedKeys).toEqual(['a', 'banner', 'b', 'state'])
})

it('fences a released claim', async () => {
  const { frontier, recorded: recordedKeys } = openTestFrontier()
  await frontier.seed([buildEntry('a', 0)])
  const [firstClaim] = await frontier.claim(1)
  await frontier.release(firstClaim!, { blame: false })
  const [secondClaim] = await frontier.claim(1)
  expect(secondClaim!.attempt).toBe(1)
  expect(await frontier.renew([firstClaim!, secondClaim!])).toEqual([firstClaim!.token])
  expect(await frontier.record(firstClaim!, failedOutcome, [])).toBe(false)
  expect(await frontier.record(secondClaim!, failedOutcome, [])).toBe(true)
  expect(recordedKeys).toEqual(['a'])
  expect(await frontier.state()).toBe('drained')
})

it('adds a page that was too deep on another path', async () => {
  const { frontier } = openTestFrontier()
  await frontier.seed([buildEntry('a', 0)])
  const [a] = await frontier.claim(1)
  await frontier.record(a!, failedOutcome, [buildEntry('x', 1, 'too-deep'), buildEntry('b', 1)])
  const [b] = await frontier.claim(1)
  await frontier.record(b!, failedOutcome, [buildEntry('x', 2)])
  expect(getKeys(await frontier.claim(1))).toEqual(['x'])
})

import { expect, it } from 'vitest'
import { createDiscoverDeps, createStartClaim } from '../../../test/discover-deps.ts'
import { buildLinkEntries } from './discover.ts'
import { computePattern } from './trap.ts'

it.each([
  ['/a/1/b', '/a/0/b'],
  ['/p/0123456789abcdef', '/p/#'],
  ['/p/ABCDEF-long-name-of-a-page', '/p/ABCDEF-long-name-of-a-page'],
  ['/p/ABCDEF-long-name-of-page-7', '/p/#'],
  ['/p/abcdefab-abcd-abcd-abcd-abcdefabcdef', '/p/#'],
  ['/page-7', '/page-0'],
])('the pattern of %s', (path, pattern) => {
  expect(computePattern(new URL(path, 'http://a.test'))).toBe(`a.test${pattern}?`)
})

it('five thousand links on a page with a maximum-length path do not block the process', async () => {
  const discoverDeps = createDiscoverDeps('breadth')
  const longUrl = `http://a.test/${'a-'.repeat(1940)}`
  const claim = createStartClaim(longUrl)
  const pageLinks = Array.from({ length: 5000 }, (_, i) => ({ url: `${longUrl}${i}` }))
  const startedAt = performance.now()
  let turnCount = 0
  const turnTimer = setInterval(() => (turnCount += 1), 1)
  expect(await buildLinkEntries(discoverDeps, claim, pageLinks)).toHaveLength(5000)
  clearInterval(turnTimer)
  // At 35 ms per link, this took three minutes.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  // The event loop was not blocked.
  expect(turnCount).toBeGreaterThan(3)
}, 60_000)

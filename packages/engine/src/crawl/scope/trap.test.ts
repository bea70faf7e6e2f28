import { expect, it } from 'vitest'
import { sitemapLimits } from '../sitemap/budget.ts'
import { entriesFromLinks, type DiscoverDeps } from './discover.ts'
import { patternOf } from './trap.ts'

it.each([
  ['/a/1/b', '/a/0/b'],
  ['/p/0123456789abcdef', '/p/#'],
  ['/p/ABCDEF-long-name-of-a-page', '/p/ABCDEF-long-name-of-a-page'],
  ['/p/ABCDEF-long-name-of-page-7', '/p/#'],
  ['/p/abcdefab-abcd-abcd-abcd-abcdefabcdef', '/p/#'],
  ['/page-7', '/page-0'],
])('the pattern of %s', (path, pattern) => {
  expect(patternOf(new URL(path, 'http://a.test'))).toBe(`a.test${pattern}?`)
})

it('five thousand links on a page whose own path is as long as it may be do not hold the process up', async () => {
  const deps: DiscoverDeps = {
    scope: () => null,
    robots: { allows: async () => true, sitemaps: async () => [], delayMs: async () => 0 } as never,
    settings: {
      meaningfulParameters: [],
      meaninglessParameters: [],
      ignoreAllParameters: false,
      discardAnchors: true,
      hashRoutes: false,
    },
    depth: null,
    sources: { followLinks: true, sitemaps: [], sitemapsOfRobots: false, urls: [] },
    templateUrls: [],
    scripts: [],
    signsIn: false,
    sitemaps: { ...sitemapLimits },
  }
  const url = `http://a.test/${'a-'.repeat(1940)}`
  const claim = {
    url,
    key: url,
    depth: 0,
    wave: 0,
    foundOn: null,
    exclusion: null,
    id: '1',
    attempt: 1,
    token: '',
  }
  const links = Array.from({ length: 5000 }, (_, i) => ({ url: `${url}${i}` }))
  const began = performance.now()
  let turns = 0
  const turning = setInterval(() => (turns += 1), 1)
  expect(await entriesFromLinks(deps, claim, links)).toHaveLength(5000)
  clearInterval(turning)
  // 35 ms a link made it three minutes.
  expect(performance.now() - began).toBeLessThan(20_000)
  // Others had their turn meanwhile.
  expect(turns).toBeGreaterThan(3)
}, 60_000)

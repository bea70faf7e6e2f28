import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import type { DiscoverDeps } from '../src/crawl/scope/discover.ts'
import { openContentLog } from '../src/crawl/scope/trap.ts'
import { sitemapLimits } from '../src/crawl/sitemap/budget.ts'
import type { Claim } from '../src/frontier.ts'

/** Dependencies of the discovery of a scan that has no limits and opens every link. */
export const createDiscoverDeps = (order: CrawlOrder): DiscoverDeps => ({
  scope: () => null,
  robots: { findRefusal: async () => null, sitemaps: async () => [], delayMs: async () => 0 } as never,
  settings: {
    meaningfulParameters: [],
    meaninglessParameters: [],
    ignoreAllParameters: false,
    discardAnchors: true,
    hashRoutes: false,
  },
  depth: null,
  order,
  sources: { followLinks: true, sitemaps: [], sitemapsOfRobots: false, urls: [] },
  templateUrls: [],
  alwaysTested: [],
  opensTrap: () => false,
  followForms: false,
  scripts: [],
  acting: { isOn: false, findReason: () => null, mayAct: () => false, learnSignOut: (url) => url },
  contents: openContentLog(),
  sitemaps: { ...sitemapLimits },
})

/** The claim of a start URL at its first attempt. */
export const createStartClaim = (url: string): Claim => ({
  url,
  key: url,
  depth: 0,
  wave: 0,
  foundOn: null,
  exclusion: null,
  id: '1',
  attempt: 1,
  token: '',
})

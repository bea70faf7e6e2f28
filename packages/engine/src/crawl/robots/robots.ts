import type { FetchText } from '../../guard/fetch.ts'
import { readRobots } from './rules.ts'

/** User agent name that robots.txt can address. */
export const robotName = 'Clearway'

export type Robots = {
  /** Returns true if the site's robots.txt allows a URL. */
  allows(url: URL): Promise<boolean>
  /** Crawl delay of the site in milliseconds, at most ten seconds. */
  delayMs(url: URL): Promise<number>
  /** Sitemaps listed in the robots.txt of an origin (`https://example.org`), even if its rules are ignored. */
  sitemaps(origin: string): Promise<string[]>
}

type SiteRules = { allows: (path: string) => boolean; delayMs: number; sitemaps: string[] }

const allowEverything: SiteRules = { allows: () => true, delayMs: 0, sitemaps: [] }
const maxDelayMs = 10_000
const maxSitemaps = 50

function parseRobots(text: string): SiteRules {
  const { allows, delaySeconds, sitemaps } = readRobots(text.replaceAll('\0', ''), robotName)
  return {
    allows,
    delayMs: Math.min(Math.max(0, delaySeconds ?? 0) * 1000, maxDelayMs),
    sitemaps: sitemaps.slice(0, maxSitemaps),
  }
}

/** Reads each site's robots.txt once. A missing, unreachable or invalid file forbids nothing; read errors are logged. */
export function openRobots(
  robotsDeps: { fetchText: FetchText; log: (message: string, url: string) => void },
  options: { respect: boolean; userAgent: string },
): Robots {
  const rulesByOrigin = new Map<string, Promise<SiteRules>>()

  async function loadRules(origin: string): Promise<SiteRules> {
    const robotsUrl = `${origin}/robots.txt`
    const fetchedRobots = await robotsDeps.fetchText(robotsUrl, options.userAgent)
    if (!fetchedRobots.ok) robotsDeps.log(`robots.txt could not be read, everything is allowed: ${fetchedRobots.why}`, robotsUrl)
    else if (fetchedRobots.status >= 500)
      robotsDeps.log(`robots.txt answered ${fetchedRobots.status}, everything is allowed`, robotsUrl)
    else if (fetchedRobots.status < 300) return parseRobots(fetchedRobots.text)
    return allowEverything
  }

  const getRules = (origin: string): Promise<SiteRules> => {
    let pendingRules = rulesByOrigin.get(origin)
    if (!pendingRules) rulesByOrigin.set(origin, (pendingRules = loadRules(origin)))
    return pendingRules
  }
  return {
    allows: async ({ origin, pathname, search }) => !options.respect || (await getRules(origin)).allows(pathname + search),
    delayMs: async ({ origin }) => (options.respect ? (await getRules(origin)).delayMs : 0),
    sitemaps: async (origin) =>
      (await getRules(origin)).sitemaps.flatMap((sitemapText) => URL.parse(sitemapText, origin)?.href ?? []),
  }
}

import type { FetchedText, FetchText } from '../../guard/fetch.ts'
import { readRobots } from './rules.ts'

/** User agent name that robots.txt can address. */
export const robotName = 'Clearway'

export type Robots = {
  /** Returns why the site's robots.txt forbids a URL; null if it is allowed. */
  findRefusal(url: URL): Promise<string | null>
  /** Crawl delay of the site in milliseconds, at most ten seconds. */
  delayMs(url: URL): Promise<number>
  /** Sitemaps listed in the robots.txt of an origin (`https://example.org`), even if its rules are ignored. */
  sitemaps(origin: string): Promise<string[]>
}

type SiteRules = { findRefusal: (path: string) => string | null; delayMs: number; sitemaps: string[] }

const allowEverything: SiteRules = { findRefusal: () => null, delayMs: 0, sitemaps: [] }
const forbidEverything = (detail: string): SiteRules => ({ findRefusal: () => detail, delayMs: 0, sitemaps: [] })
const maxDelayMs = 10_000
const maxSitemaps = 50

function parseRobots(text: string, robotsUrl: string): SiteRules {
  const { allows, delaySeconds, sitemaps } = readRobots(text.replaceAll('\0', ''), robotName)
  return {
    findRefusal: (path) => (allows(path) ? null : `${robotsUrl} disallows it`),
    delayMs: Math.min(Math.max(0, delaySeconds ?? 0) * 1000, maxDelayMs),
    sitemaps: sitemaps.slice(0, maxSitemaps),
  }
}

/** Why a file is unreachable (RFC 9309, 2.3.1.4); null if its site has answered for it, also that there is none. */
function findUnreachableReason(fetched: FetchedText): string | null {
  // Without an end of its redirects, the file counts as missing.
  if (!fetched.ok) return fetched.reason === 'redirect-loop' ? null : fetched.why
  return fetched.status >= 500 ? `it answered ${fetched.status}` : null
}

/**
 * Reads each site's robots.txt once. A missing or invalid file forbids nothing, one that cannot be reached forbids
 * everything (RFC 9309). A site that cannot be reached at all forbids nothing either: its pages fail with the reason.
 */
export function openRobots(
  robotsDeps: { fetchText: FetchText; log: (message: string, url: string) => void },
  options: { respect: boolean; userAgent: string },
): Robots {
  const rulesByOrigin = new Map<string, Promise<SiteRules>>()

  async function loadRules(origin: string): Promise<SiteRules> {
    const robotsUrl = `${origin}/robots.txt`
    const fetchedRobots = await robotsDeps.fetchText(robotsUrl, options.userAgent)
    const unreachableReason = findUnreachableReason(fetchedRobots)
    if (unreachableReason === null)
      return fetchedRobots.ok && fetchedRobots.status < 300 ? parseRobots(fetchedRobots.text, robotsUrl) : allowEverything
    const isSiteReachable = findUnreachableReason(await robotsDeps.fetchText(`${origin}/`, options.userAgent)) === null
    if (!isSiteReachable) return allowEverything
    const detail = `${robotsUrl} cannot be read (${unreachableReason}), which disallows everything (RFC 9309)`
    robotsDeps.log(detail, robotsUrl)
    return forbidEverything(detail)
  }

  const getRules = (origin: string): Promise<SiteRules> => {
    let pendingRules = rulesByOrigin.get(origin)
    if (!pendingRules) rulesByOrigin.set(origin, (pendingRules = loadRules(origin)))
    return pendingRules
  }
  return {
    findRefusal: async ({ origin, pathname, search }) =>
      options.respect ? (await getRules(origin)).findRefusal(pathname + search) : null,
    delayMs: async ({ origin }) => (options.respect ? (await getRules(origin)).delayMs : 0),
    sitemaps: async (origin) =>
      (await getRules(origin)).sitemaps.flatMap((sitemapText) => URL.parse(sitemapText, origin)?.href ?? []),
  }
}

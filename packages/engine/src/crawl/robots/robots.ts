import type { FetchText } from '../../guard/fetch.ts'
import { readRobots } from './rules.ts'

/** The name by which robots.txt can address us. */
export const robotName = 'Clearway'

export type Robots = {
  /** Whether the site's robots.txt lets us visit a URL. */
  allows(url: URL): Promise<boolean>
  /** Milliseconds that the site asks for between two pages, at most ten seconds. */
  delayMs(url: URL): Promise<number>
  /** The sitemaps that robots.txt of a site (`https://example.org`) names, also where its rules are not respected. */
  sitemaps(origin: string): Promise<string[]>
}

type Rules = { allows: (path: string) => boolean; delayMs: number; sitemaps: string[] }

const everything: Rules = { allows: () => true, delayMs: 0, sitemaps: [] }
const maxDelayMs = 10_000
const maxSitemaps = 50

function parse(text: string): Rules {
  const { allows, delay, sitemaps } = readRobots(text.replaceAll('\0', ''), robotName)
  return {
    allows,
    delayMs: Math.min(Math.max(0, delay ?? 0) * 1000, maxDelayMs),
    sitemaps: sitemaps.slice(0, maxSitemaps),
  }
}

/**
 * Reads each site's robots.txt once. One that does not exist, does not answer or is rubbish forbids nothing; what could not be
 * read is logged.
 */
export function openRobots(
  deps: { fetchText: FetchText; log: (message: string, url: string) => void },
  options: { respect: boolean; userAgent: string },
): Robots {
  const sites = new Map<string, Promise<Rules>>()

  async function load(origin: string): Promise<Rules> {
    const url = `${origin}/robots.txt`
    const fetched = await deps.fetchText(url, options.userAgent)
    if (!fetched.ok) deps.log(`robots.txt could not be read, everything is allowed: ${fetched.why}`, url)
    else if (fetched.status >= 500)
      deps.log(`robots.txt answered ${fetched.status}, everything is allowed`, url)
    else if (fetched.status < 300) return parse(fetched.text)
    return everything
  }

  const rulesOf = (origin: string): Promise<Rules> => {
    let rules = sites.get(origin)
    if (!rules) sites.set(origin, (rules = load(origin)))
    return rules
  }
  return {
    allows: async ({ origin, pathname, search }) =>
      !options.respect || (await rulesOf(origin)).allows(pathname + search),
    delayMs: async ({ origin }) => (options.respect ? (await rulesOf(origin)).delayMs : 0),
    sitemaps: async (origin) =>
      (await rulesOf(origin)).sitemaps.flatMap((text) => URL.parse(text, origin)?.href ?? []),
  }
}

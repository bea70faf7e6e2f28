import robotsParserModule from 'robots-parser'
import type { FetchText } from './guarded-fetch.ts'

/** The name by which robots.txt can address us. */
export const robotName = 'Clearway'

export type Robots = {
  /** Whether the site's robots.txt lets us visit an address. */
  allows(url: URL): Promise<boolean>
  /** Milliseconds that the site asks for between two pages, at most ten seconds. */
  delayMs(url: URL): Promise<number>
}

type Rules = { allowed(url: string): boolean; delayMs: number }

const everything: Rules = { allowed: () => true, delayMs: 0 }
const maxDelayMs = 10_000

// The package's types describe an ES module, the package is a CommonJS one.
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default

function parse(address: string, text: string): Rules {
  const robot = robotsParser(address, text.replaceAll('\0', ''))
  const delay = robot.getCrawlDelay(robotName) ?? 0
  return {
    allowed: (url) => robot.isAllowed(url, robotName) !== false,
    delayMs: Number.isFinite(delay) ? Math.min(Math.max(0, delay) * 1000, maxDelayMs) : 0,
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
    const address = `${origin}/robots.txt`
    const fetched = await deps.fetchText(address, options.userAgent)
    if (!fetched.ok) deps.log(`robots.txt could not be read, everything is allowed: ${fetched.why}`, address)
    else if (fetched.status >= 500)
      deps.log(`robots.txt answered ${fetched.status}, everything is allowed`, address)
    else if (fetched.status < 300) return parse(address, fetched.text)
    return everything
  }

  const rulesOf = (url: URL): Promise<Rules> => {
    if (!options.respect) return Promise.resolve(everything)
    let rules = sites.get(url.origin)
    if (!rules) sites.set(url.origin, (rules = load(url.origin)))
    return rules
  }
  return {
    allows: async (url) => (await rulesOf(url)).allowed(url.href),
    delayMs: async (url) => (await rulesOf(url)).delayMs,
  }
}

import { RE2JS } from 're2js'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'

/** Returns the number (from 1) of the first matching rule for a URL; null if none matches. */
export type UrlRules = (url: string) => number | null

const maxUrlLength = 4000
/** Remaining steps for all rules of a scan. */
export type RuleBudget = { steps: number }

/**
 * Total steps of all compiled rules of a scan, across its lists. In the worst case, a URL takes this times its length:
 * a second for the longest.
 */
export const createRuleBudget = (): RuleBudget => ({ steps: 10_000 })

/** Matches a URL: `*` is any text, `?` one character. Backtracks to the latest `*` only. */
function matchesGlob(glob: string, url: string): boolean {
  let urlIndex = 0
  let globIndex = 0
  let starIndex = -1
  let retryIndex = 0
  while (urlIndex < url.length) {
    if (glob[globIndex] === '*') {
      starIndex = globIndex++
      retryIndex = urlIndex
    } else if (globIndex < glob.length && (glob[globIndex] === '?' || glob[globIndex] === url[urlIndex])) {
      globIndex += 1
      urlIndex += 1
    } else if (starIndex >= 0) {
      globIndex = starIndex + 1
      urlIndex = ++retryIndex
    } else return false
  }
  while (glob[globIndex] === '*') globIndex += 1
  return globIndex === glob.length
}

type UrlMatcher = { matches: (url: string) => boolean; steps: number }

function compileRule({ kind, pattern }: UrlRule): UrlMatcher | null {
  if (kind === 'prefix') return { matches: (url) => url.startsWith(pattern), steps: 0 }
  // In the worst case, each character of the pattern is compared with each character of the URL.
  if (kind === 'glob') return { matches: (url) => matchesGlob(pattern, url), steps: pattern.includes('*') ? pattern.length : 0 }
  try {
    const compiledPattern = RE2JS.compile(pattern)
    return { matches: (url) => compiledPattern.matcher(url).find(), steps: compiledPattern.programSize() }
  } catch {
    return null
  }
}

/**
 * Compiles rules. `invalidNumbers` lists unusable patterns, from 1: invalid expressions, and those that exceed
 * `ruleBudget` together with previous rules. They match nothing.
 */
export function openUrlRules(
  rules: readonly UrlRule[],
  ruleBudget: RuleBudget = createRuleBudget(),
): { findMatch: UrlRules; invalidNumbers: number[] } {
  const urlMatchers = rules.map((rule) => {
    const urlMatcher = compileRule(rule)
    ruleBudget.steps -= urlMatcher?.steps ?? 0
    return ruleBudget.steps < 0 ? null : urlMatcher
  })
  return {
    findMatch(url) {
      const limitedUrl = url.slice(0, maxUrlLength)
      const matchIndex = urlMatchers.findIndex((urlMatcher) => urlMatcher?.matches(limitedUrl))
      return matchIndex < 0 ? null : matchIndex + 1
    },
    invalidNumbers: urlMatchers.flatMap((urlMatcher, index) => (urlMatcher ? [] : [index + 1])),
  }
}

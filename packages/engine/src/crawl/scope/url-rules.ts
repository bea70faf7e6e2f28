import { domainToUnicode } from 'node:url'
import { RE2JS } from 're2js'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { toComparablePattern, toComparableUrl, toReadableUrl } from '@clearway/contract/kit/url-form.ts'

/** Returns the number (from 1) of the first matching rule for a URL; null if none matches. */
export type UrlRules = (url: string) => number | null

const maxUrlLength = 4000
/** Remaining steps for all rules of a scan. */
export type RuleBudget = { steps: number }

/**
 * Total steps of all compiled rules of a scan, across its lists. In the worst case, a URL takes this times its length in each
 * of its forms: a second for each of the longest.
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

/** A URL as the browser has it, and in its other forms if they differ. */
type UrlForms = { comparable: string; all: readonly string[] }

/** Returns a URL as people type it: with spaces, and with the host in its own script. */
function toTypedUrl(readableUrl: string): string {
  const typedUrl = readableUrl.replaceAll('%20', ' ')
  return typedUrl.includes('xn--')
    ? typedUrl.replace(/^(https?:\/\/)([^/?#:]+)/, (_, scheme: string, host: string) => scheme + domainToUnicode(host))
    : typedUrl
}

function toUrlForms(url: string): UrlForms {
  const comparable = toComparableUrl(url).slice(0, maxUrlLength)
  const readable = toReadableUrl(url)
  return { comparable, all: [...new Set([url, comparable, readable, toTypedUrl(readable)])] }
}

type UrlMatcher = { matches: (url: UrlForms) => boolean; steps: number }

/** Compiles a rule. People write patterns as they read URLs, or copy them from a browser: either form matches. */
function compileRule({ kind, pattern }: UrlRule): UrlMatcher | null {
  const comparablePattern = toComparablePattern(pattern)
  if (kind === 'prefix')
    return { matches: ({ comparable, all }) => comparable.startsWith(comparablePattern) || all[0]!.startsWith(pattern), steps: 0 }
  if (kind === 'glob')
    return {
      matches: ({ comparable, all }) =>
        matchesGlob(comparablePattern, comparable) || all.some((urlForm) => matchesGlob(pattern, urlForm)),
      // In the worst case, each character of the pattern is compared with each character of the URL.
      steps: pattern.includes('*') ? comparablePattern.length : 0,
    }
  try {
    const compiledPattern = RE2JS.compile(pattern.normalize('NFC'))
    return {
      matches: ({ all }) => all.some((urlForm) => compiledPattern.matcher(urlForm).find()),
      steps: compiledPattern.programSize(),
    }
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
      if (urlMatchers.length === 0) return null
      const urlForms = toUrlForms(url.slice(0, maxUrlLength))
      const matchIndex = urlMatchers.findIndex((urlMatcher) => urlMatcher?.matches(urlForms))
      return matchIndex < 0 ? null : matchIndex + 1
    },
    invalidNumbers: urlMatchers.flatMap((urlMatcher, index) => (urlMatcher ? [] : [index + 1])),
  }
}

/** Compiles patterns in which `*` stands for any text. */
export const openGlobRules = (patterns: readonly string[]) =>
  openUrlRules(patterns.map((pattern): UrlRule => ({ kind: 'glob', pattern })))

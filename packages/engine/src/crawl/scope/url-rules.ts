import { RE2JS } from 're2js'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'

/** Answers the number (from 1) of the first rule that fits a URL; null when none does. */
export type UrlRules = (url: string) => number | null

const longest = 4000
/** Steps that all rules of a scan may still take. */
export type RuleBudget = { steps: number }

/**
 * Steps that all rules of a scan have together, once compiled, whichever list they are in. A URL takes this times its
 * length at the worst: a second for the longest.
 */
export const ruleBudget = (): RuleBudget => ({ steps: 10_000 })

/** `*` matches any text, `?` one letter, everything else itself. Goes back to the newest `*` only. */
function fitsGlob(glob: string, url: string): boolean {
  let at = 0
  let next = 0
  let star = -1
  let from = 0
  while (at < url.length) {
    if (glob[next] === '*') {
      star = next++
      from = at
    } else if (next < glob.length && (glob[next] === '?' || glob[next] === url[at])) {
      next += 1
      at += 1
    } else if (star >= 0) {
      next = star + 1
      at = ++from
    } else return false
  }
  while (glob[next] === '*') next += 1
  return next === glob.length
}

type Matcher = { fits: (url: string) => boolean; steps: number }

function matcher({ kind, pattern }: UrlRule): Matcher | null {
  if (kind === 'prefix') return { fits: (url) => url.startsWith(pattern), steps: 0 }
  // At the worst each letter of it is compared with each of the URL.
  if (kind === 'glob')
    return { fits: (url) => fitsGlob(pattern, url), steps: pattern.includes('*') ? pattern.length : 0 }
  try {
    const compiled = RE2JS.compile(pattern)
    return { fits: (url) => compiled.matcher(url).find(), steps: compiled.programSize() }
  } catch {
    return null
  }
}

/**
 * Makes rules ready for use; `wrong` are the patterns that are none, from 1: no expressions, and those after which all
 * together, with those that used `budget` before, would take too long. They fit nothing.
 */
export function openUrlRules(
  rules: readonly UrlRule[],
  budget: RuleBudget = ruleBudget(),
): { fits: UrlRules; wrong: number[] } {
  const matchers = rules.map((rule) => {
    const made = matcher(rule)
    budget.steps -= made?.steps ?? 0
    return budget.steps < 0 ? null : made
  })
  return {
    fits(url) {
      const text = url.slice(0, longest)
      const index = matchers.findIndex((made) => made?.fits(text))
      return index < 0 ? null : index + 1
    },
    wrong: matchers.flatMap((made, index) => (made ? [] : [index + 1])),
  }
}

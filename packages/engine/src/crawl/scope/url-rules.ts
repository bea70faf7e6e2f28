import { RE2JS } from 're2js'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'

/** Answers the number (from 1) of the first rule that fits a URL; null when none does. */
export type UrlRules = (address: string) => number | null

const longest = 4000

/** `*` matches any text, `?` one letter, everything else itself. */
const expressionOf = (glob: string): string =>
  `^${glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')}$`

function matcher({ kind, pattern }: UrlRule): ((address: string) => boolean) | null {
  if (kind === 'prefix') return (address) => address.startsWith(pattern)
  try {
    // RE2 takes time in proportion to the text, whatever the expression is.
    const compiled = RE2JS.compile(kind === 'glob' ? expressionOf(pattern) : pattern)
    return (address) => compiled.matcher(address).find()
  } catch {
    return null
  }
}

/** Makes rules ready for use; `wrong` are the patterns that are none, from 1. They fit nothing. */
export function openUrlRules(rules: readonly UrlRule[]): { fits: UrlRules; wrong: number[] } {
  const matchers = rules.map(matcher)
  return {
    fits(address) {
      const index = matchers.findIndex((matches) => matches?.(address.slice(0, longest)))
      return index < 0 ? null : index + 1
    },
    wrong: matchers.flatMap((matches, index) => (matches ? [] : [index + 1])),
  }
}

import type { JudgedHit } from './sheet.ts'

export type RunComparison = { rule: string; first: number; second: number; both: number; share: string; byIdentity: string }

/** Rounded down. */
const toShare = (both: number, either: number) => `${(Math.floor((1000 * both) / Math.max(1, either)) / 10).toFixed(1)} %`

/**
 * Counts the failures of each rule that two runs over the same pages report for the same elements: by selector, and, as the product
 * does, by the identity of the element. Elements that repeat in a page may share an identity, so each is counted.
 */
export function compareRuns(firstHits: readonly JudgedHit[], secondHits: readonly JudgedHit[]): RunComparison[] {
  const compare = (rule: string | null, toName: (hit: JudgedHit) => string) => {
    const listNames = (hits: readonly JudgedHit[]) => {
      const counts = new Map<string, number>()
      return new Set(
        hits
          .filter((hit) => rule === null || hit.rule === rule)
          .map((hit) => {
            const name = JSON.stringify([hit.source, hit.page, hit.rule, toName(hit)])
            const count = (counts.get(name) ?? 0) + 1
            counts.set(name, count)
            return `${name} ${count}`
          }),
      )
    }
    const [first, second] = [listNames(firstHits), listNames(secondHits)]
    return { first: first.size, second: second.size, both: first.intersection(second).size, either: first.union(second).size }
  }
  const rules = new Set([...firstHits, ...secondHits].map(({ rule }) => rule))
  return [...[...rules].sort(), null].map((rule) => {
    const { either, ...counts } = compare(rule, ({ target }) => target)
    const identities = compare(rule, ({ key }) => key)
    return {
      rule: rule ?? 'all',
      ...counts,
      share: toShare(counts.both, either),
      byIdentity: toShare(identities.both, identities.either),
    }
  })
}

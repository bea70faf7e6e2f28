import type { JudgedHit } from './sheet.ts'

export type RunComparison = { rule: string; first: number; second: number; both: number; share: string }

/** Counts the failures of each rule that two runs over the same pages report for the same elements. */
export function compareRuns(firstHits: readonly JudgedHit[], secondHits: readonly JudgedHit[]): RunComparison[] {
  const listElements = (hits: readonly JudgedHit[], rule: string | null) =>
    new Set(
      hits
        .filter((hit) => rule === null || hit.rule === rule)
        .map(({ source, page, rule: hitRule, target }) => JSON.stringify([source, page, hitRule, target])),
    )
  const rules = new Set([...firstHits, ...secondHits].map(({ rule }) => rule))
  return [...[...rules].sort(), null].map((rule) => {
    const [first, second] = [listElements(firstHits, rule), listElements(secondHits, rule)]
    const [both, either] = [first.intersection(second).size, first.union(second).size]
    // Rounded down.
    const share = `${(Math.floor((1000 * both) / Math.max(1, either)) / 10).toFixed(1)} %`
    return { rule: rule ?? 'all', first: first.size, second: second.size, both, share }
  })
}

import { hash } from 'node:crypto'
import type { JudgedHit } from './sheet.ts'

const byHash = <Item>(items: readonly Item[], toText: (item: Item) => string): Item[] =>
  items
    .map((item) => ({ item, order: hash('sha256', toText(item)) }))
    .sort((first, second) => (first.order < second.order ? -1 : 1))
    .map(({ item }) => item)

/** Chooses whole documents by a seed: redirects and fragments have nothing to drive. */
export function choosePages(
  pages: readonly string[],
  { readPage, toSeed }: { readPage: (url: string) => string; toSeed: (url: string) => string },
  count: number,
): string[] {
  const chosen: string[] = []
  for (const url of byHash(pages, toSeed)) {
    if (chosen.length === count) break
    const text = readPage(url)
    if (text.length > 1500 && /<body|<main|<h1/i.test(text) && !/http-equiv=["']?refresh/i.test(text)) chosen.push(url)
  }
  return chosen
}

/** Chooses hits of each rule by a seed, from as many sources as possible: at most one of a page, and `maxPerSource` of a source. */
export function chooseHits(
  hits: readonly JudgedHit[],
  { maxHits, maxPerSource, seed }: { maxHits: number; maxPerSource: number; seed: string },
): Map<string, JudgedHit[]> {
  const byRule = Map.groupBy(hits, ({ rule }) => rule)
  const chooseRuleHits = (ruleHits: readonly JudgedHit[]) => {
    const counts = new Map<string, number>()
    const countUp = (key: string) => {
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return count
    }
    return byHash(ruleHits, ({ page, target }) => seed + page + target)
      .filter((hit) => countUp(hit.source + hit.page) === 0)
      .map((hit) => ({ hit, sourceRank: countUp(`source ${hit.source}`) }))
      .filter(({ sourceRank }) => sourceRank < maxPerSource)
      .sort((first, second) => first.sourceRank - second.sourceRank)
      .map(({ hit }) => hit)
      .slice(0, maxHits)
  }
  return new Map(
    [...byRule]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([rule, ruleHits]) => [rule, chooseRuleHits(ruleHits)]),
  )
}

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

/** Chooses hits of each rule by a seed, from as many sources and pages as possible. */
export function chooseHits(
  hits: readonly JudgedHit[],
  { maxHits, seed }: { maxHits: number; seed: string },
): Map<string, JudgedHit[]> {
  const byRule = Map.groupBy(hits, ({ rule }) => rule)
  const rankHits = (ruleHits: readonly JudgedHit[]) => {
    const counts = new Map<string, number>()
    const countUp = (key: string) => {
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return count
    }
    return byHash(ruleHits, ({ page, target }) => seed + page + target)
      .map((hit) => ({ hit, pageRank: countUp(hit.source + hit.page) }))
      .sort((first, second) => first.pageRank - second.pageRank)
      .map(({ hit }) => ({ hit, sourceRank: countUp(`source ${hit.source}`) }))
      .sort((first, second) => first.sourceRank - second.sourceRank)
      .map(({ hit }) => hit)
  }
  return new Map(
    [...byRule]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([rule, ruleHits]) => [rule, rankHits(ruleHits).slice(0, maxHits)]),
  )
}

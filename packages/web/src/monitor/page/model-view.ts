import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import type { StateView } from '@clearway/contract/monitor/ruleset/drive/schema.ts'

type PageViews = {
  /** Numbers of the screenshots of the page as the visit saw it. */
  own: number[]
  /** Screenshots of the page in other states. */
  states: StateView[]
  /** Number of the screenshot of the keyboard walk; null if there is none. */
  walk: number | null
}

/** Tells the screenshots of a page apart. All are gone once the pictures of the run were removed. */
export function splitViews({ views: viewCount, driven }: Pick<PageDetail, 'views' | 'driven'>): PageViews {
  const isStored = (view: number) => view <= viewCount
  const states = (driven?.stateViews ?? []).filter(({ view }) => isStored(view))
  const walkView = driven?.walk?.view ?? null
  const walk = walkView !== null && isStored(walkView) ? walkView : null
  const drivenViews = new Set([walk, ...states.map(({ view }) => view)])
  const numbers = Array.from({ length: viewCount }, (_, index) => index + 1)
  return { own: numbers.filter((number) => !drivenViews.has(number)), states, walk }
}

/**
 * What a run may still read of sitemaps, in this process. A sitemap may name 50,000 others, each of which may do the same:
 * what no page limit reaches ends here.
 */
export type SitemapBudget = {
  /** Files, and URLs of pages in them. */
  sitemaps: number
  urls: number
  /** Unpacked. */
  bytes: number
  /** Time spent on fetching and reading them, in milliseconds. */
  ms: number
}

/** A run has 10,000 pages at most: the rest is for what its rules exclude. */
export const sitemapLimits: Readonly<SitemapBudget> = {
  sitemaps: 500,
  urls: 200_000,
  bytes: 512 * 1024 * 1024,
  ms: 10 * 60_000,
}

/** What of the budget is used up, in English; null when another sitemap may be read. */
export function usedUp({ bytes, ms }: SitemapBudget): string | null {
  if (bytes <= 0) return `The run has read ${sitemapLimits.bytes} bytes of sitemaps`
  if (ms <= 0) return `The run has read sitemaps for ${sitemapLimits.ms} ms`
  return null
}

/**
 * Remaining budget of a run for reading sitemaps in this process. A sitemap may list 50,000 others, and so on; the page
 * limit does not bound them.
 */
export type SitemapBudget = {
  /** Number of files, and of page URLs in them. */
  sitemaps: number
  urls: number
  /** Unpacked bytes. */
  bytes: number
  /** Time for fetching and parsing, in milliseconds. */
  ms: number
}

/** A run has at most 10,000 pages. The rest allows for URLs that its rules exclude. */
export const sitemapLimits: Readonly<SitemapBudget> = { sitemaps: 500, urls: 200_000, bytes: 512 * 1024 * 1024, ms: 10 * 60_000 }

/** Number of waves, with that of the start URLs, whose sitemaps lead to further ones. */
export const maxSitemapWaves = 3

/** Returns the exhausted limit in English; null if another sitemap may be read. */
export function findExhaustedLimit({ bytes, ms }: SitemapBudget): string | null {
  if (bytes <= 0) return `The run has read ${sitemapLimits.bytes} bytes of sitemaps`
  if (ms <= 0) return `The run has read sitemaps for ${sitemapLimits.ms} ms`
  return null
}

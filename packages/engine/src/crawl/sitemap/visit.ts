import type { Claim, NewEntry } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { ScanContext } from '../context.ts'
import { buildSitemapEntries } from '../scope/discover.ts'
import { getStatusReason } from '../visit/net-error.ts'
import { sitemapLimits, findExhaustedLimit } from './budget.ts'
import { maxSitemapBytes, readSitemap } from './parse.ts'

type VisitedSitemap = { outcome: PageOutcome; foundEntries: NewEntry[] }

/** Fetches and parses a sitemap within the run's budget. Problems with it are its outcome. */
export async function visitSitemap(context: ScanContext, claim: Claim): Promise<VisitedSitemap> {
  const startedAt = performance.now()
  const sitemapBudget = context.discover.sitemaps
  const exhaustedLimit = findExhaustedLimit(sitemapBudget)
  if (exhaustedLimit !== null)
    return { outcome: { kind: 'failed', reason: 'too-large', detail: exhaustedLimit, durationMs: 0 }, foundEntries: [] }
  try {
    return await fetchSitemap(context, claim, startedAt)
  } finally {
    sitemapBudget.ms -= performance.now() - startedAt
  }
}

const maxNamedEntries = 5

/** Names the first entries that cannot be visited, without passwords. */
const describeBroken = (urls: readonly string[]): string =>
  urls
    .slice(0, maxNamedEntries)
    .map((url) => url.replace(/\/\/[^/?#@]*@/, '//').slice(0, 100))
    .join(', ')

async function fetchSitemap(context: ScanContext, claim: Claim, startedAt: number): Promise<VisitedSitemap> {
  const getDurationMs = () => Math.round(performance.now() - startedAt)
  const fetchedFile = await context.fetchFile(claim.url, maxSitemapBytes)
  if (!fetchedFile.ok)
    return {
      outcome: { kind: 'failed', reason: fetchedFile.reason, detail: fetchedFile.detail, durationMs: getDurationMs() },
      foundEntries: [],
    }
  const responseFacts = { finalUrl: fetchedFile.url, httpStatus: fetchedFile.status, mimeType: fetchedFile.mimeType }
  if (fetchedFile.status >= 400)
    return {
      outcome: {
        kind: 'failed',
        reason: getStatusReason(fetchedFile.status),
        detail: `HTTP ${fetchedFile.status}`,
        durationMs: getDurationMs(),
        ...responseFacts,
      },
      foundEntries: [],
    }
  const parsedSitemap = await readSitemap(fetchedFile.bytes)
  context.discover.sitemaps.bytes -= parsedSitemap.unpackedBytes
  const { foundEntries, omittedCount, brokenUrls } = await buildSitemapEntries(
    context.discover,
    claim,
    parsedSitemap,
    fetchedFile.url,
  )
  const urlCount = parsedSitemap.pages.length + parsedSitemap.sitemaps.length
  // Content before an error is used; a sitemap without usable content has failed.
  const problemText = parsedSitemap.problem ?? (brokenUrls.length > 0 ? `No entry is a URL: ${describeBroken(brokenUrls)}` : null)
  if (problemText !== null && urlCount === brokenUrls.length - parsedSitemap.broken.length) {
    const failureReason = parsedSitemap.isTooLarge ? 'too-large' : 'mime-type'
    return {
      outcome: {
        kind: 'failed',
        reason: failureReason,
        detail: problemText,
        durationMs: getDurationMs(),
        ...responseFacts,
      },
      foundEntries,
    }
  }
  const errorText = parsedSitemap.problem === null ? '' : `, broken: ${parsedSitemap.problem}`
  const limitText = `a run reads ${sitemapLimits.sitemaps} sitemaps with ${sitemapLimits.urls} URLs`
  const omittedText = omittedCount === 0 ? '' : `, ${omittedCount} of them left out: ${limitText}`
  const brokenCount = brokenUrls.length
  const brokenText = brokenCount === 0 ? '' : `, ${brokenCount} more entries are no URLs to visit: ${describeBroken(brokenUrls)}`
  const sitemapDetail = `A sitemap of ${urlCount} URLs${omittedText}${brokenText}${errorText}`
  return {
    outcome: { kind: 'excluded', reason: 'not-a-page', detail: sitemapDetail, durationMs: getDurationMs(), ...responseFacts },
    foundEntries,
  }
}

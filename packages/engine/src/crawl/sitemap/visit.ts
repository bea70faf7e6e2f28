import type { Claim, NewEntry } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { ScanContext } from '../context.ts'
import { entriesFromSitemap } from '../scope/discover.ts'
import { reasonOfStatus } from '../visit/net-error.ts'
import { sitemapLimits, usedUp } from './budget.ts'
import { mostBytes, readSitemap } from './sitemap.ts'

type Visited = { outcome: PageOutcome; found: NewEntry[] }

/** Fetches and reads a sitemap as far as the run has room for it; what is wrong with it is its outcome. */
export async function visitSitemap(context: ScanContext, claim: Claim): Promise<Visited> {
  const began = performance.now()
  const budget = context.discover.sitemaps
  const over = usedUp(budget)
  if (over !== null)
    return { outcome: { kind: 'failed', reason: 'too-large', detail: over, durationMs: 0 }, found: [] }
  try {
    return await readAt(context, claim, began)
  } finally {
    budget.ms -= performance.now() - began
  }
}

async function readAt(context: ScanContext, claim: Claim, began: number): Promise<Visited> {
  const durationMs = () => Math.round(performance.now() - began)
  const file = await context.fetchFile(claim.url, mostBytes)
  if (!file.ok)
    return {
      outcome: { kind: 'failed', reason: file.reason, detail: file.detail, durationMs: durationMs() },
      found: [],
    }
  const answered = { finalUrl: file.url, httpStatus: file.status, mimeType: file.mimeType }
  if (file.status >= 400)
    return {
      outcome: {
        kind: 'failed',
        reason: reasonOfStatus(file.status),
        detail: `HTTP ${file.status}`,
        durationMs: durationMs(),
        ...answered,
      },
      found: [],
    }
  const read = await readSitemap(file.bytes)
  context.discover.sitemaps.bytes -= read.size
  const { found, leftOut } = await entriesFromSitemap(context.discover, claim, read)
  const count = read.pages.length + read.sitemaps.length
  // What is before a fault is used; a sitemap without anything usable has failed.
  if (read.problem !== null && count === 0) {
    const reason = read.tooLarge ? 'too-large' : 'mime-type'
    return {
      outcome: { kind: 'failed', reason, detail: read.problem, durationMs: durationMs(), ...answered },
      found,
    }
  }
  const broken = read.problem === null ? '' : `, broken: ${read.problem}`
  const limit = `a run reads ${sitemapLimits.sitemaps} sitemaps with ${sitemapLimits.urls} URLs`
  const short = leftOut === 0 ? '' : `, ${leftOut} of them left out: ${limit}`
  const detail = `A sitemap of ${count} URLs${short}${broken}`
  return {
    outcome: { kind: 'excluded', reason: 'not-a-page', detail, durationMs: durationMs(), ...answered },
    found,
  }
}

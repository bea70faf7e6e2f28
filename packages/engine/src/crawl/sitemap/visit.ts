import type { Claim, NewEntry } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { ScanContext } from '../scan-context.ts'
import { entriesFromSitemap } from '../scope/discover.ts'
import { reasonOfStatus } from '../visit/net-error.ts'
import { readSitemap } from './sitemap.ts'

const mostBytes = 50 * 1024 * 1024

/** Fetches and reads a sitemap; what is wrong with it is its outcome. */
export async function visitSitemap(
  context: ScanContext,
  claim: Claim,
): Promise<{ outcome: PageOutcome; found: NewEntry[] }> {
  const began = performance.now()
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
  const read = readSitemap(file.bytes)
  const found = await entriesFromSitemap(context.discover, claim, read)
  const count = read.pages.length + read.sitemaps.length
  // What is before a fault is used; a sitemap without anything usable has failed.
  if (read.problem !== null && count === 0) {
    const reason = read.tooLarge ? 'too-large' : 'mime-type'
    return {
      outcome: { kind: 'failed', reason, detail: read.problem, durationMs: durationMs(), ...answered },
      found,
    }
  }
  const detail = `A sitemap of ${count} addresses${read.problem === null ? '' : `, broken: ${read.problem}`}`
  return {
    outcome: { kind: 'excluded', reason: 'not-a-page', detail, durationMs: durationMs(), ...answered },
    found,
  }
}

import type { PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import { zstdDecompressSync } from 'node:zlib'
import type * as z from 'zod/mini'
import { type Caller, refuse } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { openIssuesOf } from '../run/service-summary.ts'
import { referrersOf } from '../run/store-referrer.ts'
import { findBlob, findPage, listPages, type PageRow, runsInView } from './store.ts'

type Deps = { db: MonitorDb }
const healths = ['critical', 'serious', 'moderate', 'good'] as const

/** A page as lists and exports show it. */
export const pageSummary = (row: PageRow) => ({
  id: row.id,
  scanId: row.scan_id,
  scanName: row.scan_name,
  runId: row.run_id,
  runNumber: row.run_number,
  url: row.url,
  title: row.title,
  status: row.status,
  source: row.source,
  health: row.health === null ? null : healths[row.health]!,
  failure: row.failure,
  exclusion: row.exclusion,
  httpStatus: row.http_status,
  depth: row.depth,
  durationMs: row.duration_ms,
  openIssues: openIssuesOf(row),
  fixedIssues: row.fixed,
  notices: row.notices,
  analysedAt: row.analysed_at?.toISOString() ?? null,
})

/** Pages of the scans that the caller may see; of one run when the filter names it. */
export async function pagesFor(deps: Deps, caller: Caller, query: z.output<typeof PageListQuery>) {
  const { rows, total } = await listPages(deps, runsInView(visibleScans(caller), query), query)
  return pageReply(rows.map(pageSummary), total, query)
}

export async function pageFor(deps: Deps, id: string) {
  const row = await findPage(deps, id)
  if (!row) return refuse('not-found')
  return {
    ...pageSummary(row),
    detail: row.detail,
    mimeType: row.mime_type,
    leadsTo: row.leads_to,
    foundOn: row.found_on,
    referrers: await referrersOf(deps, row.run_id, row.key_hash),
    attempts: row.attempts,
    hasContent: row.content_hash !== null && row.status !== 'failed',
    hasPicture: row.content_hash !== null && row.status === 'failed',
    issuesNotStored: row.not_stored,
  }
}

/** The page's HTML as it was analysed. Plain text: what a stranger wrote must never run under our address. */
export async function contentFor(deps: Deps, id: string) {
  const row = await findPage(deps, id)
  const blob = row?.content_hash && row.status !== 'failed' ? await findBlob(deps, row.content_hash) : null
  if (!blob) return refuse('not-found')
  const bytes = blob.encoding === 'zstd' ? zstdDecompressSync(blob.bytes) : blob.bytes
  return {
    bytes: bytes.toString('utf8'),
    headers: { 'content-security-policy': "default-src 'none'; sandbox" },
  }
}

/** What a script saw as a step of it failed: what is kept of a page that has no content. */
export async function pictureFor(deps: Deps, id: string) {
  const row = await findPage(deps, id)
  const blob = row?.content_hash && row.status === 'failed' ? await findBlob(deps, row.content_hash) : null
  if (!blob) return refuse('not-found')
  return { bytes: blob.bytes, type: blob.media_type, headers: { 'cache-control': 'private, max-age=86400' } }
}

import type * as z from 'zod/mini'
import type { PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { ObjectStoreError } from '../../kit/object-store/store.ts'
import { type Caller, isRefusal, refuse } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from '../issue/model.ts'
import type { Objects } from './object/model.ts'
import { getOpenIssues } from '../run/summary/service.ts'
import { findReferrers } from '../run/outcome/store.ts'
import {
  findBlob,
  findPage,
  issuesInViews,
  listPages,
  type PageRow,
  runsInView,
  type ShownIssue,
} from './store.ts'

type Deps = { db: MonitorDb }
export type BlobDeps = Deps & { objects: Pick<Objects, 'read'> }
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
  openIssues: getOpenIssues(row),
  fixedIssues: row.fixed,
  notices: row.notices,
  analysedAt: row.analysed_at?.toISOString() ?? null,
  carriedFrom: row.carried_from,
  change: row.change,
})

const unpack = promisify(zstdDecompress)

/** Stored bytes by their hash, with what they are. What is lost is not found; a store that does not answer says so. */
async function bytesOf(deps: BlobDeps, hash: Buffer | null | undefined) {
  const blob = hash ? await findBlob(deps, hash) : null
  if (!blob) return refuse('not-found')
  try {
    const bytes = await deps.objects.read(blob)
    return bytes ? { ...blob, bytes } : refuse('not-found')
  } catch (error) {
    if (error instanceof ObjectStoreError) return refuse('store-unavailable')
    throw error
  }
}

/** A stored picture, which a browser may keep for a day. */
export async function pictureOf(deps: BlobDeps, hash: Buffer | null | undefined) {
  const blob = await bytesOf(deps, hash)
  if (isRefusal(blob)) return blob
  return {
    bytes: blob.bytes,
    type: blob.media_type,
    headers: { 'cache-control': 'private, max-age=86400' },
  }
}

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
    referrers: await findReferrers(deps, row.run_id, row.key_hash),
    attempts: row.attempts,
    hasContent: row.content_hash !== null && row.status !== 'failed',
    hasPicture: row.content_hash !== null && row.status === 'failed',
    views: row.views.length,
    issuesNotStored: row.not_stored,
  }
}

/** The page's HTML as it was analysed. Plain text: what a stranger wrote must never run under our URL. */
export async function contentFor(deps: BlobDeps, id: string) {
  const row = await findPage(deps, id)
  const blob = await bytesOf(deps, row?.status === 'failed' ? null : row?.content_hash)
  if (isRefusal(blob)) return blob
  const bytes = blob.encoding === 'zstd' ? await unpack(blob.bytes) : blob.bytes
  return {
    bytes: bytes.toString('utf8'),
    headers: { 'content-security-policy': "default-src 'none'; sandbox" },
  }
}

const issueInView = ({ id, rule, help, severity, selector, box }: ShownIssue) => {
  const [x = 0, y = 0, width = 0, height = 0] = box
  return { id, rule, help, severity: severities[severity]!, selector, box: { x, y, width, height } }
}

/** The photographs of a page, from its top down, with what is open on it and shown there. */
export async function viewsFor(deps: Deps, id: string) {
  const row = await findPage(deps, id)
  if (!row) return refuse('not-found')
  const shown = await issuesInViews(deps, row)
  return {
    content: row.views.map((hash, index) => ({
      number: index + 1,
      issues: shown.filter(({ picture }) => picture.equals(hash)).map(issueInView),
    })),
  }
}

export async function viewFor(deps: BlobDeps, id: string, number: number) {
  const row = await findPage(deps, id)
  return pictureOf(deps, row?.views[number - 1])
}

/** What a script saw as a step of it failed: what is kept of a page that has no content. */
export async function pictureFor(deps: BlobDeps, id: string) {
  const row = await findPage(deps, id)
  return pictureOf(deps, row?.status === 'failed' ? row.content_hash : null)
}

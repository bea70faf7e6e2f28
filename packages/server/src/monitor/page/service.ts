import * as z from 'zod/mini'
import { SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import { WalkedPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { PageFolderQuery, PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { ObjectStoreError } from '../../kit/object-store/store.ts'
import { type Caller, isRefusal, refuse } from '../../kit/http/answer.ts'
import { parseStoredOrNull } from '../../kit/stored.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from '../issue/model.ts'
import type { Objects } from './object/model.ts'
import { getOpenIssues } from '../run/summary/service.ts'
import { listAliases } from '../run/alias/store.ts'
import { findReferrers } from '../run/outcome/store.ts'
import { listFolders, listTemplates } from './folder/store.ts'
import { findBlob, findPage, listIssuesInViews, listPages, type PageRow, runsInView, type ShownIssue } from './store.ts'

type PageDeps = { db: MonitorDb }
export type BlobDeps = PageDeps & { objects: Pick<Objects, 'read'> }
const healthNames = ['critical', 'serious', 'moderate', 'good'] as const

export const toPageSummary = (pageRow: PageRow) => ({
  id: pageRow.id,
  scanId: pageRow.scan_id,
  scanName: pageRow.scan_name,
  runId: pageRow.run_id,
  runNumber: pageRow.run_number,
  url: pageRow.url,
  title: pageRow.title,
  status: pageRow.status,
  source: pageRow.source,
  health: pageRow.health === null ? null : healthNames[pageRow.health]!,
  failure: pageRow.failure,
  exclusion: pageRow.exclusion,
  httpStatus: pageRow.http_status,
  depth: pageRow.depth,
  durationMs: pageRow.duration_ms,
  openIssues: getOpenIssues(pageRow),
  fixedIssues: pageRow.fixed,
  notRecheckedIssues: pageRow.not_rechecked,
  notices: pageRow.notices,
  analysedAt: pageRow.analysed_at?.toISOString() ?? null,
  carriedFrom: pageRow.carried_from,
  change: pageRow.change,
})

const decompressZstd = promisify(zstdDecompress)

/** Stored bytes with their metadata. Lost bytes are refused as not found, an unavailable store as such. */
async function readBlob(deps: BlobDeps, blobHash: Buffer | null | undefined) {
  const blobRow = blobHash ? await findBlob(deps, blobHash) : null
  if (!blobRow) return refuse('not-found')
  try {
    const blobBytes = await deps.objects.read(blobRow)
    return blobBytes ? { ...blobRow, bytes: blobBytes } : refuse('not-found')
  } catch (error) {
    if (error instanceof ObjectStoreError) return refuse('store-unavailable')
    throw error
  }
}

/** A stored picture, which browsers may cache for a day. */
export async function readPicture(deps: BlobDeps, pictureHash: Buffer | null | undefined) {
  const pictureBlob = await readBlob(deps, pictureHash)
  if (isRefusal(pictureBlob)) return pictureBlob
  return { bytes: pictureBlob.bytes, type: pictureBlob.media_type, headers: { 'cache-control': 'private, max-age=86400' } }
}

export async function listVisiblePages(deps: PageDeps, caller: Caller, query: z.output<typeof PageListQuery>) {
  const { rows: pageRows, total: totalPages } = await listPages(deps, runsInView(visibleScans(caller), query), query)
  return buildPageReply(pageRows.map(toPageSummary), totalPages, query)
}

export async function listVisibleFolders(deps: PageDeps, caller: Caller, query: z.output<typeof PageFolderQuery>) {
  const { rows: folderRows, total: folderCount } = await listFolders(deps, runsInView(visibleScans(caller), query), query)
  const folders = folderRows.map(({ path, pages, tested, templates, untested, score, hasFolders, ...counts }) => ({
    path,
    pages,
    tested,
    templates,
    untested,
    score,
    openIssues: getOpenIssues(counts),
    hasFolders,
  }))
  return buildPageReply(folders, folderCount, query)
}

export async function listVisibleTemplates(deps: PageDeps, caller: Caller, query: z.output<typeof PageFolderQuery>) {
  const { rows: templateRows, total } = await listTemplates(deps, runsInView(visibleScans(caller), query), query)
  const templates = templateRows.map(({ template, id, url, title, pages, score, ...counts }) => ({
    template,
    example: { id, url, title },
    pages,
    score,
    openIssues: getOpenIssues(counts),
  }))
  return buildPageReply(templates, total, query)
}

export async function getPage(deps: PageDeps, pageId: string) {
  const pageRow = await findPage(deps, pageId)
  if (!pageRow) return refuse('not-found')
  return {
    ...toPageSummary(pageRow),
    detail: pageRow.detail,
    mimeType: pageRow.mime_type,
    leadsTo: pageRow.leads_to,
    foundOn: pageRow.found_on,
    referrers: await findReferrers(deps, pageRow.run_id, pageRow.key_hash),
    aliases: await listAliases(deps.db, pageRow),
    attempts: pageRow.attempts,
    isProved: pageRow.signed_in,
    requests: parseStoredOrNull(z.nullable(SentRequests), pageRow.requests),
    driven: parseStoredOrNull(z.nullable(WalkedPage), pageRow.driven),
    hasContent: pageRow.content_hash !== null && pageRow.status !== 'failed',
    hasPicture: pageRow.content_hash !== null && pageRow.status === 'failed',
    views: pageRow.views.length,
    issuesNotStored: pageRow.not_stored,
    isRechecked: pageRow.is_rechecked,
  }
}

/** The analyzed HTML of a page. As plain text: untrusted content must never run in our origin. */
export async function getPageContent(deps: BlobDeps, pageId: string) {
  const pageRow = await findPage(deps, pageId)
  const contentBlob = await readBlob(deps, pageRow?.status === 'failed' ? null : pageRow?.content_hash)
  if (isRefusal(contentBlob)) return contentBlob
  const htmlBytes = contentBlob.encoding === 'zstd' ? await decompressZstd(contentBlob.bytes) : contentBlob.bytes
  return { bytes: htmlBytes.toString('utf8'), headers: { 'content-security-policy': "default-src 'none'; sandbox" } }
}

const toViewIssue = ({ id, rule, help, severity, selector, box }: ShownIssue) => {
  const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = box
  return { id, rule, help, severity: severities[severity]!, selector, box: { x, y, width: boxWidth, height: boxHeight } }
}

/** Photographs of a page from top to bottom, with the open issues that they show. */
export async function getPageViews(deps: PageDeps, pageId: string) {
  const pageRow = await findPage(deps, pageId)
  if (!pageRow) return refuse('not-found')
  const shownIssues = await listIssuesInViews(deps, pageRow)
  return {
    content: pageRow.views.map((hash, index) => ({
      number: index + 1,
      issues: shownIssues.filter(({ picture }) => picture.equals(hash)).map(toViewIssue),
    })),
  }
}

export async function getPageView(deps: BlobDeps, pageId: string, viewNumber: number) {
  const pageRow = await findPage(deps, pageId)
  return readPicture(deps, pageRow?.views[viewNumber - 1])
}

/** Screenshot of a failed script step, stored instead of the page's content. */
export async function getPagePicture(deps: BlobDeps, pageId: string) {
  const pageRow = await findPage(deps, pageId)
  return readPicture(deps, pageRow?.status === 'failed' ? pageRow.content_hash : null)
}

import { inTransaction } from '../../../kit/database.ts'
import { type RawBuilder, sql } from 'kysely'
import { computeHash } from '../../../kit/hash.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import type { UploadedPage } from '../../issue/upload/model.ts'
import type { StoredPage } from '../../issue/model.ts'
import type { RemoveFromRun } from '../alias/store.ts'
import { lockRun } from '../frontier/store.ts'
import type { StoreFindings } from '../outcome/store.ts'
import type { RunRow } from '../table.ts'
import { isPresent } from '../../issue/table.ts'
import { computePageHealth, toHealthNumber } from '../../page/model.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { insertPage } from '../../page/version/table.ts'

/** Uploaded results of one page of the scan. `formerKeys`: keys that its uploads had before they followed the scan's settings. */
export type MergedPage = UploadedPage & { key: string; formerKeys: string[] }

type UploadStoreDeps = {
  db: MonitorDb
  adoptFormerKey: (db: MonitorDb, page: StoredPage, formerKeyHash: Buffer) => Promise<void>
  storeFindings: StoreFindings
  removeFromRun: RemoveFromRun
  recountRuns: (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>
  issuesPerPage: number
}

/** Stores an uploaded page next to the crawled one with its key. Another upload replaces it, also findings carried over. */
async function storeUploadedPage(deps: UploadStoreDeps, run: RunRow, page: MergedPage): Promise<number> {
  const { db } = deps
  const uploadKeyHash = computeHash('upload', page.key)
  const storedPage: StoredPage = {
    id: createId(),
    runId: run.id,
    scanId: run.scan_id,
    runNumber: run.number,
    keyHash: uploadKeyHash,
  }
  for (const formerKey of page.formerKeys) await deps.adoptFormerKey(db, storedPage, computeHash('upload', formerKey))
  await deps.removeFromRun(
    db,
    { scanId: run.scan_id, number: run.number },
    sql`(select id as issue_id from issue where scan_id = ${run.scan_id} and page_key = ${uploadKeyHash})`,
  )
  await sql`delete from run_page where run_id = ${run.id} and key_hash = ${uploadKeyHash}`.execute(db)
  const limitedFindings = page.findings.slice(0, deps.issuesPerPage)
  const storeResult =
    limitedFindings.length > 0 ? await deps.storeFindings(db, storedPage, limitedFindings) : { open: [], total: 0 }
  const [criticalCount = 0, seriousCount = 0, moderateCount = 0, minorCount = 0, needsReviewCount = 0] = storeResult.open
  await insertPage(
    db,
    run.scan_id,
    {
      id: storedPage.id,
      run_id: run.id,
      key_hash: uploadKeyHash,
      status: 'completed',
      health: toHealthNumber(computePageHealth({ kind: 'completed', notices: [], foundOn: null, openCounts: storeResult.open })),
      attempts: 0,
      notices: page.findings.length > limitedFindings.length ? ['issue-limit-reached'] : [],
      not_stored: page.findings.length - limitedFindings.length,
      analysed_at: sql<Date>`now()`,
      critical: criticalCount,
      serious: seriousCount,
      moderate: moderateCount,
      minor: minorCount,
      needs_review: needsReviewCount,
    },
    { url: page.url, final_url: page.url, title: page.title, source: 'uploaded', depth: 0 },
  )
  return storeResult.total
}

/** Stores uploaded pages in an ended run, all or none, and recounts the run. */
export async function storeUpload(
  deps: UploadStoreDeps,
  run: RunRow,
  pages: readonly MergedPage[],
): Promise<{ pages: number; issues: number }> {
  return inTransaction(deps.db, async (trx) => {
    const trxDeps = { ...deps, db: trx }
    // A later run may end in the meantime, and must know what this one has.
    await lockEvidenceExclusive(run.scan_id).execute(trx)
    await lockRun(trx, run.id)
    let issueCount = 0
    for (const page of pages) issueCount += await storeUploadedPage(trxDeps, run, page)
    await sql`update run set total_issues = t.issues, found = t.pages + not_reached
      from (select (select count(*)::int from finding where run_id = ${run.id} and ${isPresent()}) as issues,
        (select count(*)::int from page where run_id = ${run.id}) as pages) t
      where run.id = ${run.id}`.execute(trx)
    await deps.recountRuns(trx, sql`(select ${run.id}::uuid as run_id)`)
    return { pages: pages.length, issues: issueCount }
  })
}

import { inTransaction } from '../../../kit/database.ts'
import { type RawBuilder, sql } from 'kysely'
import { hashOf } from '../../../kit/hash.ts'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import type { UploadedPage } from '../../issue/upload/model.ts'
import type { StoredPage } from '../../issue/model.ts'
import { lockRun } from '../frontier/store.ts'
import type { StoreFindings } from '../outcome/store.ts'
import type { RunRow } from '../table.ts'
import { isPresent } from '../../issue/table.ts'
import { healthNumber } from '../../page/model.ts'
import { namesEvidence } from '../../page/table.ts'

type Deps = {
  db: MonitorDb
  storeFindings: StoreFindings
  recountRuns: (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>
  issuesPerPage: number
}

/**
 * A page that was uploaded is kept beside the crawled one of the same URL; uploaded again, it is replaced, with what the run
 * carried over from an upload to an earlier one.
 */
async function storeUploadedPage(deps: Deps, run: RunRow, page: UploadedPage): Promise<number> {
  const { db } = deps
  const keyHash = hashOf('upload', page.url)
  await sql`with old as (delete from page where run_id = ${run.id} and key_hash = ${keyHash} returning id)
    delete from finding f where f.run_id = ${run.id} and (f.page_id in (select id from old)
      or f.issue_id in (select id from issue where scan_id = ${run.scan_id} and page_key = ${keyHash}))`.execute(
    db,
  )
  const findings = page.findings.slice(0, deps.issuesPerPage)
  const stored: StoredPage = {
    id: newId(),
    runId: run.id,
    scanId: run.scan_id,
    runNumber: run.number,
    keyHash,
  }
  const counted =
    findings.length > 0 ? await deps.storeFindings(db, stored, findings) : { open: [], total: 0 }
  const [critical = 0, serious = 0, moderate = 0, minor = 0, needs_review = 0] = counted.open
  await db
    .insertInto('page')
    .values({
      id: stored.id,
      run_id: run.id,
      scan_id: run.scan_id,
      key_hash: keyHash,
      url: page.url,
      final_url: page.url,
      title: page.title,
      status: 'completed',
      source: 'uploaded',
      health: healthNumber(counted.open),
      failure: null,
      exclusion: null,
      detail: null,
      http_status: null,
      mime_type: null,
      leads_to: null,
      found_on: null,
      depth: 0,
      attempts: 0,
      duration_ms: null,
      notices: page.findings.length > findings.length ? ['issue-limit-reached'] : [],
      not_stored: page.findings.length - findings.length,
      content_hash: null,
      analysed_at: sql<Date>`now()`,
      critical,
      serious,
      moderate,
      minor,
      needs_review,
    })
    .execute()
  return counted.total
}

/** Stores uploaded pages in a run that has ended, all or none, and counts the run again. */
export async function storeUpload(
  deps: Deps,
  run: RunRow,
  pages: readonly UploadedPage[],
): Promise<{ pages: number; issues: number }> {
  return inTransaction(deps.db, async (trx) => {
    const own = { ...deps, db: trx }
    await namesEvidence(run.scan_id).execute(trx)
    await lockRun(trx, run.id)
    let issues = 0
    for (const page of pages) issues += await storeUploadedPage(own, run, page)
    await sql`update run set total_issues = t.issues, found = t.pages + not_reached
      from (select (select count(*)::int from finding where run_id = ${run.id} and ${isPresent()}) as issues,
        (select count(*)::int from page where run_id = ${run.id}) as pages) t
      where run.id = ${run.id}`.execute(trx)
    await deps.recountRuns(trx, sql`(select ${run.id}::uuid as run_id)`)
    return { pages: pages.length, issues }
  })
}

import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../model.ts'

/** Moves issues, ignores, findings and pages from a page's former key to its own. Pages stored under both stay as they are. */
export async function adoptFormerKey(db: MonitorDb, page: StoredPage, formerKeyHash: Buffer): Promise<void> {
  await sql`update issue set page_key = ${page.keyHash} where scan_id = ${page.scanId} and page_key = ${formerKeyHash}`.execute(
    db,
  )
  await sql`update finding_span set page_key = ${page.keyHash} where scan_id = ${page.scanId} and page_key = ${formerKeyHash}`.execute(
    db,
  )
  await sql`update issue_ignore set page_key = ${page.keyHash}
    where scan_id = ${page.scanId} and page_key = ${formerKeyHash}`.execute(db)
  await sql`update run_page p set key_hash = ${page.keyHash}
    where p.key_hash = ${formerKeyHash}
      and p.run_id in (select id from run where scan_id = ${page.scanId} and number <= ${page.runNumber})
      and not exists (select from run_page q where q.run_id = p.run_id and q.key_hash = ${page.keyHash})`.execute(db)
}

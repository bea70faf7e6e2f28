import { sql } from 'kysely'
import type { IgnoreScope } from '@clearway/contract/monitor/issue/schema.ts'
import { inTransaction } from '../../../kit/database.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { recountTotals } from '../recount/store.ts'
import { storedLiterals } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }

export type IgnoreRow = {
  id: string
  scope: IgnoreScope
  rule: string
  reason: string
  author_id: string
  author: string | null
  created_at: Date
  issues: number
}

/** Ignores of a scan that cover more than single issues, newest first. */
export async function listIgnores({ db }: DatabaseDeps, scanId: string): Promise<IgnoreRow[]> {
  const { rows: ignoreRows } = await sql<IgnoreRow>`
    select n.id, n.scope, n.rule, n.reason, n.author_id, n.created_at,
      ${buildPersonName('p')} as author,
      (select count(*)::int from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id
        and i.status = ${storedLiterals.status.ignored}) as issues
    from issue_ignore n left join person p on p.id = n.author_id
    where n.scan_id = ${scanId} and n.scope <> 'issue' order by n.id desc limit 1000`.execute(db)
  return ignoreRows
}

/** Deletes an ignore of a scan and reopens the issues that it covered. False for an unknown ignore. */
export async function deleteIgnore({ db }: DatabaseDeps, scanId: string, ignoreId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const deletedIgnore = await sql`delete from issue_ignore where id = ${ignoreId} and scan_id = ${scanId} returning id`.execute(
      trx,
    )
    if (deletedIgnore.rows.length === 0) return false
    await reopenCovered(trx, [{ id: ignoreId, scan_id: scanId }])
    return true
  })
}

/** Reopens issues that were covered by deleted ignores. */
export async function reopenCovered(trx: MonitorDb, ignores: readonly { id: string; scan_id: string }[]): Promise<void> {
  const [ignoreIds, scanIds] = [ignores.map(({ id }) => id), ignores.map(({ scan_id }) => scan_id)]
  await sql`create temporary table reopened on commit drop as
    select i.id as issue_id, f.run_id, f.page_id from issue i
    join lateral (select f.run_id, f.page_id from finding f where f.issue_id = i.id order by f.run_id desc limit 1) f
      on true
    where i.scan_id = any(${scanIds}::uuid[]) and i.ignore_id = any(${ignoreIds}::uuid[]) and i.status = ${storedLiterals.status.ignored}`.execute(
    trx,
  )
  await sql`select 1 from run where id in (select run_id from reopened) order by id for no key update`.execute(trx)
  await sql`update issue set status = ${storedLiterals.status.open}, ignore_id = null, version = version + 1
    where id in (select issue_id from reopened)`.execute(trx)
  await sql`update finding f set status = ${storedLiterals.status.open} from reopened o
    where f.run_id = o.run_id and f.issue_id = o.issue_id`.execute(trx)
  await sql`analyze reopened`.execute(trx)
  await recountTotals(trx, 'reopened')
}

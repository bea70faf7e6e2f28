import { sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import type { IgnorePatch } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import type { IgnoreScope } from '@clearway/contract/monitor/issue/schema.ts'
import { analyzeTable, lockScans, selectNewestFinding, updateChosenIssues } from '../chosen/store.ts'
import { isInForce, storedLiterals } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }
type IgnorePath = { id: string; ignore: string }

export type IgnoreRow = {
  id: string
  scope: IgnoreScope
  rule: string
  reason: string
  authorId: string
  author: string | null
  createdAt: Date
  until: Date | null
  issues: number
}

/** Condition for issues `i` that are ignored by `n`. */
export const isIgnoredBy = sql`i.ignore_id = n.id and i.scan_id = n.scan_id and i.status = ${storedLiterals.status.ignored}`

/** Ignores of a scan in force that cover more than single issues, newest first. */
export async function listIgnores({ db }: DatabaseDeps, scanId: string): Promise<IgnoreRow[]> {
  const { rows: ignoreRows } = await sql<IgnoreRow>`
    select n.id, n.scope, n.rule, n.reason, n.author_id as "authorId", n.created_at as "createdAt", n.until,
      ${buildPersonName('p')} as author,
      coalesce(covered.issues, 0) as issues
    from issue_ignore n left join person p on p.id = n.author_id
    left join (select ignore_id, count(*)::int as issues from issue
      where scan_id = ${scanId} and status = ${storedLiterals.status.ignored} group by ignore_id) covered on covered.ignore_id = n.id
    where n.scan_id = ${scanId} and n.scope <> 'issue' and ${isInForce('n')} order by n.id desc limit 1000`.execute(db)
  return ignoreRows
}

/** Changes an ignore in force. False for an unknown one, and for one that has ended. */
export async function updateIgnore({ db }: DatabaseDeps, path: IgnorePath, { until, reason }: IgnorePatch): Promise<boolean> {
  const assignments = [
    ...(until === undefined ? [] : [sql`until = ${until}::timestamptz`]),
    ...(reason === undefined ? [] : [sql`reason = ${reason}`]),
  ]
  const updateResult = await sql`update issue_ignore n set ${sql.join(assignments)}
    where n.id = ${path.ignore} and n.scan_id = ${path.id} and ${isInForce('n')}`.execute(db)
  return Number(updateResult.numAffectedRows ?? 0) > 0
}

/** Deletes an ignore of a scan and reopens the issues that it covered. False for an unknown ignore. */
export async function deleteIgnore({ db }: DatabaseDeps, path: IgnorePath): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockScans(trx, sql`(select ${path.id}::uuid as scan_id)`)
    const deletedIgnore = await sql`delete from issue_ignore
      where id = ${path.ignore} and scan_id = ${path.id} and expired_at is null returning id`.execute(trx)
    if (deletedIgnore.rows.length === 0) return false
    await reopenCovered(trx, { scanIds: [path.id], ignoreIds: [path.ignore] })
    return true
  })
}

type EndedIgnores = { scanIds: readonly string[]; ignoreIds: readonly string[] }

/** Reopens the issues that ended ignores of some scans cover. Returns their number for each ignore with such issues. */
export async function reopenCovered(trx: MonitorDb, { scanIds, ignoreIds }: EndedIgnores): Promise<ReadonlyMap<string, number>> {
  // An undo has used the name in the same transaction.
  await sql`drop table if exists pg_temp.chosen`.execute(trx)
  await sql`create temporary table chosen on commit drop as
    select i.id as issue_id, i.scan_id, i.ignore_id, f.run_id, f.severity, f.change, coalesce(i.marked, false) as was_marked
    from (select * from issue where scan_id = any(${[...scanIds]}::uuid[]) and ignore_id = any(${[...ignoreIds]}::uuid[])
      and status = ${storedLiterals.status.ignored} order by id for update) i
    join lateral (${selectNewestFinding(undefined)}) f on true`.execute(trx)
  await analyzeTable(trx, 'chosen')
  const { rows: countRows } = await sql<{ id: string; issues: number }>`
    select ignore_id as id, count(*)::int as issues from chosen group by ignore_id`.execute(trx)
  if (countRows.length === 0) return new Map()
  // An expired ignore still tells why the issues are asked again.
  const keptIgnore = sql`ignore_id = (select n.id from issue_ignore n where n.id = i.ignore_id)`
  await updateChosenIssues(trx, { assignments: [sql`status = ${storedLiterals.status.open}`, keptIgnore] })
  return new Map(countRows.map(({ id, issues }) => [id, issues]))
}

/** Maximum number of ignores that one transaction ends: it locks their issues. */
export const maxEndedAtOnce = 100

export type ExpiredIgnore = { id: string; scanId: string; until: Date; isFirst: boolean; issues: number }

/** Ends due ignores and reopens their issues, again for some minutes: a page stored then may have used one. Skips locked rows. */
export async function expireSomeIgnores(trx: MonitorDb): Promise<ExpiredIgnore[]> {
  const isDue = sql`n.until <= now() and (n.expired_at is null or (n.expired_at > now() - interval '10 minutes'
      and exists (select from issue i where ${isIgnoredBy})))`
  const lockedScanIds = await lockScans(
    trx,
    sql`(select n.scan_id from issue_ignore n where ${isDue} order by n.until, n.id limit ${maxEndedAtOnce}::int)`,
  )
  const { rows: expiredRows } = await sql<Omit<ExpiredIgnore, 'issues'>>`
    select n.id, n.scan_id as "scanId", n.until, n.expired_at is null as "isFirst" from issue_ignore n
    where ${isDue} and n.scan_id = any(${lockedScanIds}::uuid[])
    order by n.until, n.id limit ${maxEndedAtOnce}::int for update of n skip locked`.execute(trx)
  if (expiredRows.length === 0) return []
  const expiredIds = expiredRows.map(({ id }) => id)
  await sql`update issue_ignore set expired_at = coalesce(expired_at, now()) where id = any(${expiredIds}::uuid[])`.execute(trx)
  const issuesById = await reopenCovered(trx, { scanIds: lockedScanIds, ignoreIds: expiredIds })
  return expiredRows.map((row) => ({ ...row, issues: issuesById.get(row.id) ?? 0 }))
}

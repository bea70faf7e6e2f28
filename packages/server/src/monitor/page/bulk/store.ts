import type { Selection } from '@clearway/contract/kit/selection.ts'
import type { PageFilter } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type { RowBatches } from '../../../kit/csv/write.ts'
import { inTransaction } from '../../../kit/database.ts'
import { streamRows } from '../../../kit/large-read.ts'
import type { MonitorDb } from '../../database.ts'
import { buildConditions, pageChange, type PageRow } from '../store.ts'
import { isPresent } from '../../issue/table.ts'
import { isJoined } from '../table.ts'
import { deleteUnusedVersions } from '../version/table.ts'

export type SelectedPages = {
  visible: RawBuilder<{ scan_id: string; rank: number }>
  runs: RawBuilder<{ run_id: string }>
  filters: PageFilter
  selection: Selection
}

/** A table expression (page_id, run_id, rank) of the selected pages. */
function selectPages({ visible, runs, filters, selection }: SelectedPages): RawBuilder<unknown> {
  if (!selection.selectAllMode)
    return sql`(select p.id as page_id, p.run_id, v.rank from page p join ${visible} v on v.scan_id = p.scan_id
      where p.id = any(${[...selection.ids]}::uuid[]))`
  const exclusion = selection.except.length > 0 ? sql`and p.id <> all(${[...selection.except]}::uuid[])` : sql``
  return sql`(select p.id as page_id, p.run_id, r.rank from ${runs} r join page p on p.run_id = r.run_id
    where ${buildConditions(filters)} ${exclusion})`
}

export async function countSelected(db: MonitorDb, selected: SelectedPages): Promise<number> {
  const { rows: countRows } = await sql<{ count: number }>`
    select count(*) as count from ${selectPages(selected)} s`.execute(db)
  return countRows[0]!.count
}

export function streamPages(db: MonitorDb, selected: SelectedPages): RowBatches<PageRow> {
  return streamRows(
    db,
    sql<PageRow>`
      select p.*, ${pageChange} as change from (
        select p.*, scan.name as scan_name, run.number as run_number
        from ${selectPages(selected)} s join page p on p.id = s.page_id join run on run.id = p.run_id
        join scan on scan.id = run.scan_id order by lower(scan.name), scan.id, run.number, p.url, p.id) p`,
  )
}

type Update = (db: MonitorDb, rows: RawBuilder<unknown>) => Promise<unknown>
/** Functions of the issue noun for the deletion of pages, in the same transaction. */
export type PageDeletionDeps = {
  db: MonitorDb
  /** Locks scans, given as (scan_id), against the storing of pages. */
  lockScans: Update
  /** Removes what a run saw of issues, given as (issue_id). */
  removeFromRun: (db: MonitorDb, run: { scanId: string; number: number }, issues: RawBuilder<unknown>) => Promise<void>
  /** Sets the last run that found issues, given as (issue_id). */
  updateLastRun: Update
  /** Lets findings name other pages than some, given as (page_id). */
  releasePages: Update
  /** Recounts runs, given as (run_id). */
  recountRuns: Update
}

/**
 * Deletes pages of ended runs with their findings in that run. Issues without any remaining finding are removed as well; all
 * others are updated to the last run that found them. Further addresses of a page are deleted with it, and not counted.
 * @returns the numbers of deleted pages, and of pages skipped because of the rank or an active run
 */
export async function deletePages(
  deps: PageDeletionDeps,
  selected: SelectedPages,
  maxRank: number,
): Promise<{ changed: number; skipped: number; active: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    await sql`create temporary table chosen_page on commit drop as
      select s.page_id, s.run_id, s.rank, run.ended_at is null as active, false as is_alias
      from ${selectPages(selected)} s join run on run.id = s.run_id`.execute(trx)
    const skippedResult = await sql<{ active: boolean }>`
      delete from chosen_page where rank > ${maxRank}::int or active returning active`.execute(trx)
    await deps.lockScans(trx, sql`(select distinct run.scan_id from chosen_page c join run on run.id = c.run_id)`)
    await sql`select 1 from run where id in (select run_id from chosen_page) order by id for no key update`.execute(trx)
    // Further addresses of a page are the same page.
    await sql`insert into chosen_page
      select a.id, a.run_id, c.rank, c.active, true from chosen_page c join page p on p.id = c.page_id
      join page a on a.run_id = p.run_id and md5(a.leads_to) = md5(p.url) and a.leads_to = p.url and ${isJoined('a')}
      where not exists (select from chosen_page other where other.page_id = a.id)`.execute(trx)
    await sql`create temporary table left_issue on commit drop as
      select f.issue_id, c.run_id, run.scan_id, run.number from chosen_page c join run on run.id = c.run_id
      join page p on p.id = c.page_id join finding f on f.run_id = c.run_id and f.page_key = p.key_hash`.execute(trx)
    const { rows: runRows } = await sql<{ scanId: string; number: number }>`
      select distinct scan_id as "scanId", number from left_issue order by 1, 2`.execute(trx)
    for (const run of runRows)
      await deps.removeFromRun(
        trx,
        run,
        sql`(select issue_id from left_issue
        where scan_id = ${run.scanId}::uuid and number = ${run.number}::int)`,
      )
    await sql`delete from issue i using left_issue l where l.issue_id = i.id
      and not exists (select from finding_span s where s.issue_id = i.id)`.execute(trx)
    await deps.updateLastRun(trx, sql`left_issue`)
    await deps.releasePages(trx, sql`chosen_page`)
    const { rows: deletedRows } = await sql<{ isAlias: boolean }>`
      delete from run_page p using chosen_page c where p.id = c.page_id returning c.is_alias as "isAlias"`.execute(trx)
    const { rows: scanRows } = await sql<{ id: string }>`
      select distinct run.scan_id as id from chosen_page c join run on run.id = c.run_id order by 1`.execute(trx)
    for (const { id } of scanRows) await deleteUnusedVersions(trx, id)
    await sql`update run set found = t.pages + not_reached, excluded = t.excluded, over_limit = t.over, other_domain = t.other,
        total_issues = t.issues
      from (select c.run_id, count(p.id)::int as pages,
          count(p.id) filter (where p.status = 'excluded' and p.exclusion <> 'over-limit')::int as excluded,
          count(p.id) filter (where p.exclusion = 'over-limit')::int as over,
          count(p.id) filter (where p.status = 'otherDomainIgnored')::int as other,
          (select count(*)::int from finding f where f.run_id = c.run_id and ${isPresent('f')}) as issues
        from (select distinct run_id from chosen_page) c left join page p on p.run_id = c.run_id
        group by c.run_id) t where run.id = t.run_id`.execute(trx)
    await deps.recountRuns(trx, sql`(select distinct run_id from chosen_page)`)
    return {
      changed: deletedRows.filter(({ isAlias }) => !isAlias).length,
      skipped: skippedResult.rows.length,
      active: skippedResult.rows.some((row) => row.active),
    }
  })
}

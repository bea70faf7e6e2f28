import { type RawBuilder, sql } from 'kysely'
import { amongIds } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { severities } from '../model.ts'
import { recordChanges } from '../change/store.ts'
import { isOpen, stored } from '../table.ts'
import { healths } from '../../page/model.ts'
import { health, healthOfOpen, scoreOfPages } from '../../page/table.ts'

/**
 * Counts again what hangs on the status of findings: the pages in a temporary table of (run_id, page_id), and their runs' totals
 * and scores. The planner takes such a table for little until its maker has analyzed it, and would look for each page by itself.
 */
export async function recount(db: MonitorDb, table: 'chosen' | 'touched' | 'reopened'): Promise<void> {
  const touched = sql.table(table)
  await recountPages(db, touched)
  await recountRuns(db, sql`(select distinct run_id from ${touched} t)`)
}

/**
 * Counts the pages of `touched` (run_id, page_id) again, by their findings. A page of an older run, on which something was
 * not found again, keeps what it had. That the runs are named, too, is for the planner: it then knows how much there is to
 * read, and counts many pages by one look at each run, few by one at each page.
 */
export async function recountPages(db: MonitorDb, touched: RawBuilder<unknown>): Promise<void> {
  const runs = await amongIds(db, 'run_id', touched)
  const bySeverity = sql.join(
    severities.map(
      (name, index) =>
        sql`count(*) filter (where f.severity = ${stored.severity[name]} and ${isOpen('f')})::int as ${sql.raw(`s${index}`)}`,
    ),
  )
  await sql`
    update page set critical = t.s0, serious = t.s1, moderate = t.s2, minor = t.s3, needs_review = t.s4, fixed = t.fixed,
      health = case when page.status = 'completed'
        then ${healthOfOpen({ critical: sql`t.s0`, serious: sql`t.s1`, moderate: sql`t.s2` })} end
    from (select u.run_id, u.page_id, ${bySeverity},
        count(*) filter (where f.change = ${stored.change.fixed})::int as fixed
      from (select distinct run_id, page_id from ${touched} t) u
      left join finding f on f.page_id = u.page_id and f.run_id = u.run_id and ${runs(sql`f.run_id`)}
      group by u.run_id, u.page_id) t
    where page.id = t.page_id and page.run_id = t.run_id and ${runs(sql`page.run_id`)}`.execute(db)
}

/** Sums runs, as (run_id), up from their pages, and says anew what changed in them. */
export async function recountRuns(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const byHealth = sql.join(
    healths.map(
      (name, index) => sql`count(*) filter (where health = ${health[name]})::int as ${sql.raw(`h${index}`)}`,
    ),
  )
  await sql`
    update run set critical = t.critical, serious = t.serious, moderate = t.moderate, minor = t.minor,
      needs_review = t.review, health_critical = t.h0, health_serious = t.h1, health_moderate = t.h2, health_good = t.h3,
      completed = t.completed, failed = t.failed, unique_pages = t.completed + t.failed,
      score = ${scoreOfPages({ critical: sql`t.h0`, serious: sql`t.h1`, moderate: sql`t.h2`, good: sql`t.h3` })}
    from (select u.run_id, coalesce(sum(critical), 0)::int as critical, coalesce(sum(serious), 0)::int as serious,
        coalesce(sum(moderate), 0)::int as moderate, coalesce(sum(minor), 0)::int as minor,
        coalesce(sum(needs_review), 0)::int as review,
        ${byHealth},
        count(*) filter (where p.status = 'completed')::int as completed,
        count(*) filter (where p.status = 'failed')::int as failed
      from ${runs} u left join page p on p.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id`.execute(db)
  await countGroups(db, runs)
  await recordChanges(db, runs)
}

/** Counts the groups of open issues of runs, as (run_id), by their worst severity: what grouped lists page by. */
export async function countGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const bySeverity = severities.map(
    (name) => sql`count(*) filter (where g.worst = ${stored.severity[name]})::int`,
  )
  await sql`
    update run set open_groups = t.groups from (
      select u.run_id, array[${sql.join(bySeverity)}] as groups from ${runs} u left join (
        select f.run_id, f.group_id, min(f.severity) as worst from finding f
        where f.run_id = any(array(select run_id from ${runs} w)) and ${isOpen('f')} group by f.run_id, f.group_id
      ) g on g.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id and run.ended_at is not null`.execute(db)
}

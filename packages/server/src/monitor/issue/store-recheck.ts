import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { StoredPage } from './model.ts'
import { incomplete, sameView } from './store-lifecycle.ts'

/** Sets aside what a run said of a page, as the table `rechecked` of this transaction. Issues are locked before findings. */
export async function setAside(db: MonitorDb, page: StoredPage): Promise<void> {
  const here = sql`f.run_id = ${page.runId} and f.page_id = ${page.id}`
  await sql`select 1 from issue i where i.id in (select f.issue_id from finding f where ${here})
    order by i.id for update`.execute(db)
  await sql`create temporary table rechecked (like finding) on commit drop`.execute(db)
  await sql`with gone as (delete from finding f where ${here} returning f.*)
    insert into rechecked select * from gone`.execute(db)
}

/**
 * Decides about the issues that a re-check was made for. One that is there keeps what the run said of it (new, back);
 * one that is not is fixed when the page was analysed to its end with its rule on, and stays as it was when that proves
 * nothing.
 * @returns how many are new, back, fixed, and still there
 */
export async function settleRechecked(
  db: MonitorDb,
  page: StoredPage,
  { tags, notices }: { tags: readonly string[]; notices: readonly string[] },
): Promise<number[]> {
  const whole = !notices.some((notice) => incomplete.includes(notice))
  const counted = await sql<{ fresh: number; back: number; still: number }>`
    select count(*) filter (where f.change = 0 and r.issue_id is null)::int as fresh,
      count(*) filter (where f.change = 2)::int as back,
      count(*) filter (where f.change = 1 or (f.change = 0 and r.issue_id is not null))::int as still
    from finding f left join rechecked r on r.issue_id = f.issue_id
    where f.run_id = ${page.runId} and f.page_id = ${page.id}`.execute(db)
  await sql`update finding f set change = r.change from rechecked r
    where f.run_id = ${page.runId} and f.issue_id = r.issue_id and f.change = 1 and r.change in (0, 2)`.execute(
    db,
  )
  const { rows } = await sql<{ fixed: number }>`
    with absent as (
      select r.*, case when r.change = 3 then 3
        when ${whole} and rule.tags && ${[...tags]}::text[]
          and (r.change <= 2 or (before.run_id is not null and ${sameView})) then 3 else r.change end as now
      from rechecked r join issue i on i.id = r.issue_id join rule on rule.id = r.rule_id
      join run_plan plan on plan.run_id = ${page.runId}
      left join run seen on seen.scan_id = i.scan_id and seen.number = i.last_run
      left join run_plan before on before.run_id = seen.id
      where not exists (select from finding f where f.run_id = ${page.runId} and f.issue_id = r.issue_id)),
    updated as (
      update issue i set presence = 1, status = case when i.status = 1 then 2 else i.status end,
        fixed_in_run = ${page.runNumber}::int, version = i.version + 1
      from absent where absent.issue_id = i.id and absent.now = 3 and absent.change <> 3 returning i.id, i.status),
    kept as (
      insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
        picture, picture_box)
      select a.run_id, a.issue_id, a.page_id, a.group_id, a.rule_id, a.severity, a.impact,
        coalesce(updated.status, a.status), a.now, a.evidence, a.picture, a.picture_box
      from absent a left join updated on updated.id = a.issue_id)
    select count(*)::int as fixed from updated`.execute(db)
  const { fresh, back, still } = counted.rows[0]!
  return [fresh, back, rows[0]!.fixed, still]
}

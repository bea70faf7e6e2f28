import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../model.ts'
import { isPresent, stored } from '../table.ts'

const { 'not-rechecked': notRechecked, 'page-gone': pageGone } = stored.change

/** Notices of a page that was not analysed to its end: what is not found on it is not proven fixed. */
const incomplete = ['not-fully-loaded', 'issue-limit-reached', 'frame-not-tested']
/** A page of the run before that ended so has left the scan. */
const goneBecause = [
  'other-domain',
  'outside-folder',
  'too-deep',
  'redirect',
  'duplicate',
  'mime-type',
  'scheme',
]

/** Settings by which a page looks as it does: an issue that was seen under others is not proven fixed. */
const sameView = sql`(${sql.join(
  ['{advanced,windowWidth}', '{advanced,windowHeight}', '{session}', '{advanced,userAgent}'].map(
    (path) => sql`before.settings #> ${sql.lit(path)} is not distinct from plan.settings #> ${sql.lit(path)}`,
  ),
  sql` and `,
)})`

/**
 * Decides about the issues of a scan that this run did not find: fixed needs a page that was analysed to its end with
 * the rule on; a page that is not there any more is gone; everything else was not re-checked. Each gets a row in this
 * run, so that the run's list can say so.
 * @param run.whole whether the run reached everything, so that a page it did not meet is gone
 */
export async function recordLifecycle(
  db: MonitorDb,
  run: { runId: string; scanId: string; number: number; tags: readonly string[]; whole: boolean },
): Promise<void> {
  await sql`
    with absent as (
      select i.id, i.status, i.group_id, f.rule_id, f.severity, f.impact, f.evidence, f.picture, f.picture_box,
        coalesce(p.id, f.page_id) as page_id,
        case
          -- What people uploaded is not looked at by runs.
          when seen.source = 'uploaded' then ${notRechecked}
          when p.status = 'completed' and (before.run_id is null or not ${sameView}) then ${notRechecked}
          when p.status = 'completed' and not p.notices && ${incomplete}::text[] and rule.tags && ${[...run.tags]}::text[] then ${stored.change.fixed}
          when p.status = 'completed' then ${notRechecked}
          when p.failure = 'http-404' or p.exclusion = any(${goneBecause}::text[]) then ${pageGone}
          when p.id is null and ${run.whole} then ${pageGone}
          else ${notRechecked}
        end as change
      from issue i
      join lateral (select * from finding where issue_id = i.id order by run_id desc limit 1) f on true
      join rule on rule.id = f.rule_id
      left join run r on r.scan_id = i.scan_id and r.number = i.last_run
      left join run_plan before on before.run_id = r.id
      join run_plan plan on plan.run_id = ${run.runId}
      left join page seen on seen.id = f.page_id
      left join page p on p.run_id = ${run.runId} and p.key_hash = i.page_key
      where i.scan_id = ${run.scanId} and i.presence in (${stored.presence.there}, ${stored.presence.unchecked}) and i.last_run < ${run.number}::int),
    updated as (
      update issue i set presence = case absent.change when ${stored.change.fixed} then ${stored.presence.fixed}
          when ${pageGone} then ${stored.presence.gone} else ${stored.presence.unchecked} end,
        status = case when absent.change = ${stored.change.fixed} and i.status = ${stored.status.open} then ${stored.status.fixed} else i.status end,
        fixed_in_run = case when absent.change = ${stored.change.fixed} then ${run.number}::int else i.fixed_in_run end,
        version = i.version + (absent.change = ${stored.change.fixed})::int
      from absent where absent.id = i.id returning i.id, i.status)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${run.runId}::uuid, absent.id, absent.page_id, absent.group_id, absent.rule_id, absent.severity, absent.impact,
      updated.status, absent.change, absent.evidence, absent.picture, absent.picture_box
    from absent join updated on updated.id = absent.id`.execute(db)
  await sql`
    update page set fixed = t.fixed
    from (select page_id, count(*)::int as fixed from finding where run_id = ${run.runId} and change = ${stored.change.fixed} group by page_id) t
    where page.id = t.page_id and page.run_id = ${run.runId}`.execute(db)
}

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
export async function recordRechecked(
  db: MonitorDb,
  page: StoredPage,
  { tags, notices }: { tags: readonly string[]; notices: readonly string[] },
): Promise<number[]> {
  const whole = !notices.some((notice) => incomplete.includes(notice))
  const counted = await sql<{ fresh: number; back: number; still: number }>`
    select count(*) filter (where f.change = ${stored.change.new} and r.issue_id is null)::int as fresh,
      count(*) filter (where f.change = ${stored.change.back})::int as back,
      count(*) filter (where f.change = ${stored.change.still} or (f.change = ${stored.change.new} and r.issue_id is not null))::int as still
    from finding f left join rechecked r on r.issue_id = f.issue_id
    where f.run_id = ${page.runId} and f.page_id = ${page.id}`.execute(db)
  await sql`update finding f set change = r.change from rechecked r
    where f.run_id = ${page.runId} and f.issue_id = r.issue_id and f.change = ${stored.change.still} and r.change in (${stored.change.new}, ${stored.change.back})`.execute(
    db,
  )
  const { rows } = await sql<{ fixed: number }>`
    with absent as (
      select r.*, case when r.change = ${stored.change.fixed} then r.change
        when ${whole} and rule.tags && ${[...tags]}::text[]
          and (${isPresent('r')} or (before.run_id is not null and ${sameView})) then ${stored.change.fixed} else r.change end as now
      from rechecked r join issue i on i.id = r.issue_id join rule on rule.id = r.rule_id
      join run_plan plan on plan.run_id = ${page.runId}
      left join run seen on seen.scan_id = i.scan_id and seen.number = i.last_run
      left join run_plan before on before.run_id = seen.id
      where not exists (select from finding f where f.run_id = ${page.runId} and f.issue_id = r.issue_id)),
    updated as (
      update issue i set presence = ${stored.presence.fixed}, status = case when i.status = ${stored.status.open} then ${stored.status.fixed} else i.status end,
        fixed_in_run = ${page.runNumber}::int, version = i.version + 1
      from absent where absent.issue_id = i.id and absent.now = ${stored.change.fixed} and absent.change <> ${stored.change.fixed} returning i.id, i.status),
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

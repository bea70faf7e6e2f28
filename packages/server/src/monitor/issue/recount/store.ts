import { type RawBuilder, sql } from 'kysely'
import { buildIdFilter } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { severities } from '../model.ts'
import { recordChanges } from '../change/store.ts'
import { isIgnored, isOpen, isCountedUnchecked, isPresent, storedLiterals } from '../table.ts'
import { healths } from '../../page/model.ts'
import {
  countContents,
  healthLiterals,
  buildPageHealth,
  buildPageScore,
  hasHealth,
  isUnproved,
  isWalled,
} from '../../page/table.ts'
import { selectSamplePages } from '../../run/table.ts'

/**
 * Updates the counts derived from statuses of findings: of the pages in a temporary table of (run_id, page_id), and the totals and
 * scores of their runs. Analyze the table first: the planner otherwise assumes few rows and looks up each page by itself.
 */
export async function recountTotals(db: MonitorDb, tableName: 'chosen' | 'touched'): Promise<void> {
  const touchedTable = sql.table(tableName)
  const touchedRuns = sql`(select distinct run_id from ${touchedTable} t)`
  await recountPages(db, touchedTable)
  await recountStatuses(db, touchedRuns)
  // A change of statuses leaves the findings as they are.
  if (tableName === 'touched') await countRules(db, touchedRuns)
}

/**
 * Recounts the pages of `touched` (run_id, page_id) by their findings. A page of an older run, with an issue that was not
 * found again, keeps its count. Naming the runs lets the planner estimate the rows to read: it then counts many pages with one
 * scan of each run, and few pages with one lookup each.
 */
export async function recountPages(db: MonitorDb, touched: RawBuilder<unknown>): Promise<void> {
  const isAmongRuns = await buildIdFilter(db, 'run_id', touched)
  const severityColumns = sql.join(
    severities.map(
      (name, index) =>
        sql`count(*) filter (where f.severity = ${storedLiterals.severity[name]} and ${isOpen('f')})::int as ${sql.raw(`s${index}`)}`,
    ),
  )
  await sql`
    update run_page set critical = t.s0, serious = t.s1, moderate = t.s2, minor = t.s3, needs_review = t.s4, fixed = t.fixed, not_rechecked = t.not_rechecked,
      health = case when t.has_health
        then ${buildPageHealth({ critical: sql`t.s0`, serious: sql`t.s1`, moderate: sql`t.s2` })} end
    from (select u.run_id, u.page_id, ${hasHealth('p')} as has_health, ${severityColumns},
        count(*) filter (where f.change = ${storedLiterals.change.fixed})::int as fixed,
        count(*) filter (where ${isCountedUnchecked('f')})::int as not_rechecked
      from (select distinct run_id, page_id from ${touched} t) u
      join page p on p.id = u.page_id and p.run_id = u.run_id and ${isAmongRuns(sql`p.run_id`)}
      -- Page by page: without statistics, a planner would compare all pages with all findings.
      left join lateral (select * from finding f where f.run_id = p.run_id and f.page_key = p.key_hash offset 0) f on true
      group by u.run_id, u.page_id, has_health) t
    where run_page.id = t.page_id and run_page.run_id = t.run_id and ${isAmongRuns(sql`run_page.run_id`)}`.execute(db)
}

/** Sums up runs, given as (run_id), from their pages. */
export async function recountRunPages(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const healthColumns = sql.join(
    healths.map((name, index) => sql`count(*) filter (where health = ${healthLiterals[name]})::int as ${sql.raw(`h${index}`)}`),
  )
  await sql`
    update run set critical = t.critical, serious = t.serious, moderate = t.moderate, minor = t.minor,
      needs_review = t.review, health_critical = t.h0, health_serious = t.h1, health_moderate = t.h2, health_good = t.h3,
      completed = t.completed, walled = t.walled, proved = t.proved, unproved = t.unproved, failed = t.failed, unique_pages = t.contents,
      sample_pages = ${selectSamplePages(sql`run.id`)},
      score = ${buildPageScore({ critical: sql`t.h0`, serious: sql`t.h1`, moderate: sql`t.h2`, good: sql`t.h3` })}
    from (select u.run_id, coalesce(sum(critical), 0)::int as critical, coalesce(sum(serious), 0)::int as serious,
        coalesce(sum(moderate), 0)::int as moderate, coalesce(sum(minor), 0)::int as minor,
        coalesce(sum(needs_review), 0)::int as review,
        ${healthColumns},
        count(*) filter (where p.status = 'completed')::int as completed,
        count(*) filter (where p.status = 'completed' and ${isWalled('p')})::int as walled,
        count(*) filter (where p.status = 'completed' and p.signed_in)::int as proved,
        count(*) filter (where ${isUnproved('p')})::int as unproved,
        count(*) filter (where p.status = 'failed')::int as failed,
        ${countContents('p')} as contents
      from ${runs} u left join page p on p.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id`.execute(db)
}

/** Sums up the statuses of runs, given as (run_id), from their pages and findings, and updates their recorded changes. */
async function recountStatuses(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await recountRunPages(db, runs)
  await countOpenGroups(db, runs)
  await recordChanges(db, runs)
}

/** Sums up runs, given as (run_id), whose pages or findings changed. */
export async function recountRuns(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await recountStatuses(db, runs)
  await countRules(db, runs)
}

/** Counts what lists show of runs, given as (run_id), without reading their findings. */
export async function countGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await countOpenGroups(db, runs)
  await countRules(db, runs)
}

/** Counts the present findings of ended runs, given as (run_id), by rule: the rules and tags that filters offer. */
async function countRules(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    update run set rule_ids = t.ids, rule_issues = t.issues from (
      select u.run_id, coalesce(array_agg(g.rule_id order by g.rule_id) filter (where g.rule_id is not null), '{}') as ids,
        coalesce(array_agg(g.issues order by g.rule_id) filter (where g.rule_id is not null), '{}') as issues
      from ${runs} u left join (
        select f.run_id, f.rule_id, count(*)::int as issues from finding f
        where f.run_id = any(array(select run_id from ${runs} w)) and ${isPresent('f')} group by f.run_id, f.rule_id
      ) g on g.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id and run.ended_at is not null and (run.rule_ids, run.rule_issues) is distinct from (t.ids, t.issues)`.execute(
    db,
  )
}

/** Counts the open groups of runs, given as (run_id), by worst severity, for paging of grouped lists, and ignored issues. */
async function countOpenGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const severityCounts = severities.map((name) => sql`count(*) filter (where g.worst = ${storedLiterals.severity[name]})::int`)
  await sql`
    update run set open_groups = t.groups from (
      select u.run_id, array[${sql.join(severityCounts)}] as groups from ${runs} u left join (
        select f.run_id, f.group_id, min(f.severity) as worst from finding f
        where f.run_id = any(array(select run_id from ${runs} w)) and ${isOpen('f')} group by f.run_id, f.group_id
      ) g on g.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id and run.ended_at is not null`.execute(db)
  await sql`
    update run set ignored = t.ignored from (
      select u.run_id, count(f.issue_id)::int as ignored from ${runs} u
      left join finding f on f.run_id = u.run_id and ${isIgnored('f')} group by u.run_id) t
    where run.id = t.run_id and run.ignored <> t.ignored and run.archived_at is null`.execute(db)
}

import { type RawBuilder, sql } from 'kysely'
import { buildIdFilter } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { severities, severityColumns } from '../model.ts'
import { recordChanges } from '../change/store.ts'
import { groupCounts, storeListedAddresses, storeListedPages } from '../listed/store.ts'
import { countByRule, storedRuleCount } from '../rule-count/table.ts'
import { impliedStatus, isIgnored, isOpen, isCountedUnchecked, isPresent, storedLiterals } from '../table.ts'
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
import { sampleColumns, selectSample } from '../../run/table.ts'

/**
 * Recounts the pages in the temporary table `touched` (run_id, page_id), and the totals and scores of their runs. Analyze the
 * table first: the planner otherwise assumes few rows and looks up each page by itself.
 */
export async function recountTouched(db: MonitorDb): Promise<void> {
  await recountPages(db, sql`touched`)
  await recountRuns(db, sql`(select distinct run_id from touched t)`)
}

type ChangeSide = { severity: RawBuilder<unknown>; status: RawBuilder<unknown> }
const changeSides = {
  before: { severity: sql`c.old_severity`, status: sql`c.old_status` },
  after: { severity: sql`c.severity`, status: sql`c.status` },
}

/**
 * Adds the changes of findings in the temporary table `changed` to the counts of their pages, and to the totals and scores of
 * their runs: the findings of the pages are not read. A page of an older run keeps its counts.
 * @param changedRuns ids of the runs in `changed`
 */
export async function recountChanged(db: MonitorDb, changedRuns: readonly string[]): Promise<void> {
  const runIds = sql`${changedRuns}::uuid[]`
  const countDifference = (isCounted: (side: ChangeSide) => RawBuilder<unknown>) =>
    sql`sum((${isCounted(changeSides.after)})::int - (${isCounted(changeSides.before)})::int)::int`
  const differences = severityColumns.map(
    (name, place) =>
      sql`${countDifference(
        ({ severity, status }) =>
          sql`${status} = ${storedLiterals.status.open} and ${isPresent('c')} and ${severity} = ${sql.lit(place)}`,
      )} as ${sql.ref(name)}`,
  )
  const uncheckedDifference = countDifference(
    ({
      severity,
      status,
    }) => sql`${status} = ${storedLiterals.status.open} and c.change = ${storedLiterals.change['not-rechecked']}
      and ${severity} < ${storedLiterals.severity.review}`,
  )
  const addDifference = (name: string) => sql`(coalesce(p.${sql.ref(name)}, 0) + d.${sql.ref(name)})`
  await sql`
    update run_page p set ${sql.join(severityColumns.map((name) => sql`${sql.ref(name)} = ${addDifference(name)}`))},
      not_rechecked = coalesce(p.not_rechecked, 0) + d.not_rechecked,
      health = case when p.health is not null
        then ${buildPageHealth({ critical: addDifference('critical'), serious: addDifference('serious'), moderate: addDifference('moderate') })} end
    from (select c.run_id, c.page_key, ${sql.join(differences)}, ${uncheckedDifference} as not_rechecked
      from changed c group by c.run_id, c.page_key) d
    where p.run_id = d.run_id and p.key_hash = d.page_key and p.run_id = any(${runIds})`.execute(db)
  await recountStatuses(db, sql`(select unnest(${runIds}) as run_id)`)
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

/** Sums of pages that a change of statuses affects. */
const statusSums = sql.join([
  ...severityColumns.map((name) => sql`coalesce(sum(p.${sql.ref(name)}), 0)::int as ${sql.ref(name)}`),
  ...healths.map(
    (name, index) => sql`count(*) filter (where p.health = ${healthLiterals[name]})::int as ${sql.raw(`h${index}`)}`,
  ),
])
/** The same sums `t` as columns of their run. */
const statusAssignments = sql.join([
  ...severityColumns.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)}`),
  ...healths.map((name, index) => sql`${sql.ref(`health_${name}`)} = t.${sql.raw(`h${index}`)}`),
  sql`score = ${buildPageScore({ critical: sql`t.h0`, serious: sql`t.h1`, moderate: sql`t.h2`, good: sql`t.h3` })}`,
])

/** Sums up runs, given as (run_id), from their pages. */
export async function recountRunPages(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    update run set ${statusAssignments}, (sample_pages, site_weights) = ${selectSample(sql`run.id`)}, completed = t.completed, walled = t.walled, proved = t.proved, unproved = t.unproved,
      failed = t.failed, unique_pages = t.contents
    from (select u.run_id, ${statusSums},
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
  await sql`update run set ${statusAssignments}, sample_pages = t.sample_pages, site_weights = t.site_weights
    from (select u.run_id, ${statusSums}, ${sampleColumns} from ${runs} u left join run_page p on p.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id`.execute(db)
  await countOpenGroups(db, runs)
  await recordChanges(db, runs, { hasSamePages: true })
}

/** Sums up runs, given as (run_id), whose pages or findings changed. */
export async function recountRuns(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await recountRunPages(db, runs)
  await countOpenGroups(db, runs)
  await storeListedAddresses(db, runs)
  await recordChanges(db, runs)
  await countRules(db, runs)
}

/** Stores the counts that lists show of runs, given as (run_id). */
export async function countForLists(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await countOpenGroups(db, runs)
  await storeListedAddresses(db, runs)
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

/** Counts the open groups of runs, given as (run_id), by worst severity, their open issues by rule, and ignored issues. */
async function countOpenGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await storeListedPages(db, runs)
  const severityCounts = severities.map((name) => sql`count(*) filter (where g.worst = ${storedLiterals.severity[name]})::int`)
  await sql`
    with counted_run as materialized (select run_id from ${runs} u),
    stored_status as (
      select u.run_id, t.issue_id, t.status from counted_run u join run on run.id = u.run_id
      join status_span t on t.scan_id = run.scan_id and t.first_run <= run.number and t.until_run >= run.number),
    -- A full join, which is never one of loops: without statistics, a planner may compare all rows. A condition next to it would
    -- make it a left one.
    judged as materialized (select f.*, ${isOpen('f')} as is_open, ${isIgnored('f')} as is_ignored from (
      select f.run_id, f.group_id, f.rule_id, f.page_key, f.severity, f.drive_level, f.change,
        coalesce(t.status, ${impliedStatus(sql`f.change`)}) as status
      from (select run_id, issue_id, group_id, rule_id, page_key, severity, drive_level, change from finding
        where run_id = any(array(select run_id from ${runs} w)) and ${isPresent()}) f
      full join stored_status t on t.run_id = f.run_id and t.issue_id = f.issue_id offset 0) f where f.run_id is not null),
    rule_count as materialized (
      select c.run_id, array_agg(${storedRuleCount}) as rules
      from ${countByRule(sql`(select * from judged where is_open)`)} c group by c.run_id),
    ignored_count as (select run_id, count(*)::int as ignored from judged where is_ignored group by run_id),
    ${groupCounts}
    update run set open_groups = case when run.ended_at is null then run.open_groups else t.groups end,
      open_rules = case when run.ended_at is null then run.open_rules else t.rules end,
      ignored = case when run.archived_at is null then t.ignored else run.ignored end
    from (select u.run_id, coalesce(g.groups, ${sql.lit(`{${severities.map(() => 0).join()}}`)}::int[]) as groups,
        coalesce(ignored_count.ignored, 0) as ignored, coalesce(rule_count.rules, '{}') as rules
      from counted_run u left join rule_count on rule_count.run_id = u.run_id left join ignored_count on ignored_count.run_id = u.run_id
      left join (select g.run_id, array[${sql.join(severityCounts)}] as groups from group_count g group by g.run_id) g on g.run_id = u.run_id) t
    where run.id = t.run_id`.execute(db)
}

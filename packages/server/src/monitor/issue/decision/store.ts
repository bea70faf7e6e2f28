import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { healths } from '../../page/model.ts'
import { buildScoreOf, healthLiterals } from '../../page/table.ts'
import { lastPresentChange, severities } from '../model.ts'
import { changeInRun, isSpanOfRun } from '../span/store.ts'
import { impliedStatus, storedLiterals } from '../table.ts'

const { open: openStatus } = storedLiterals.status
const { review: needsReview } = storedLiterals.severity

/**
 * Severity of an issue of the previous run by the decisions of the newer one. A result that a person marked as an issue counts as
 * one in both runs. One that became a result to review, while its element is still there, was not fixed.
 */
const decidedSeverity = sql`case when new_status is null then severity
  when new_severity = ${needsReview} then new_severity
  when severity = ${needsReview} and (select marked from issue where id = issue_id) then new_severity
  else severity end`

const joinRuns = sql`join run newer on newer.id = p.id join run before on before.id = p.before_id`
const lastPresent = sql.lit(lastPresentChange)

/** Status in the newer or the previous run of the span `s`, which that run saw. */
const statusOnSide = (side: 'new' | 'old') => {
  const change = sql.ref(`s.${side}_change`)
  return sql`case when ${change} is not null then coalesce(${sql.ref(`${side}_stored.status`)}, ${impliedStatus(change)}) end`
}
const selectStoredStatus = (pairs: RawBuilder<unknown>, side: 'new' | 'old') => sql`${sql.ref(`${side}_stored`)} as (
  select p.id as pair_id, t.issue_id, t.status from ${pairs} p ${joinRuns} join status_span t on t.scan_id = newer.scan_id
    and ${sql.ref(side === 'new' ? 'newer.number' : 'before.number')} between t.first_run and t.until_run)`
/** A full join, which is never one of loops: without statistics, a planner may compare all rows. Rows without a span count for nothing. */
const joinStoredStatus = (side: 'new' | 'old') => {
  const stored = `${side}_stored`
  return sql`full join ${sql.ref(stored)}
    on ${sql.ref(`${stored}.pair_id`)} = s.pair_id and ${sql.ref(`${stored}.issue_id`)} = s.issue_id`
}

/**
 * Parts of a `with` clause. `seen` has the spans that either run of a pair saw, each read once, with their change and status in
 * both. `both_sides` has each issue once, with the rule of the newer run; `compared` has each that was present in the previous run;
 * `has_moved` are those of them that the newer run has, too, and that decisions changed.
 * Statuses are joined, and not looked up one by one. Only the few issues with a span for each run are grouped.
 * @param pairs a table expression of (id, before_id): the newer run and the previous one
 */
export const selectSeenFindings = (pairs: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ${selectStoredStatus(pairs, 'new')}, ${selectStoredStatus(pairs, 'old')},
  seen_span as (
    select p.id as pair_id, s.issue_id, s.page_key, s.rule_id, s.drive_level, s.severity,
      case when ${isSpanOfRun('s', 'newer')} then ${changeInRun('s', 'newer')} end as new_change,
      case when ${isSpanOfRun('s', 'before')} then ${changeInRun('s', 'before')} end as old_change
    from ${pairs} p ${joinRuns} join finding_span s on s.scan_id = newer.scan_id
      and s.until_run >= before.number and s.first_run <= newer.number),
  seen as materialized (
    select s.*, ${statusOnSide('new')} as new_status, ${statusOnSide('old')} as old_status
    from seen_span s ${joinStoredStatus('new')} ${joinStoredStatus('old')}),
  both_sides as materialized (
    select pair_id, issue_id, page_key, old_change, old_status, severity as old_severity,
      new_change, new_status, severity as new_severity, rule_id, drive_level
    from seen where old_change is not null and new_change is not null
    union all
    select pair_id, issue_id, (array_agg(page_key order by old_change))[1], min(old_change), min(old_status),
      min(severity) filter (where old_change is not null), min(new_change), min(new_status),
      min(severity) filter (where new_change is not null), min(rule_id) filter (where new_change is not null),
      min(drive_level) filter (where new_change is not null)
    from seen where (old_change is null) <> (new_change is null) group by pair_id, issue_id),
  compared as materialized (
    select pair_id, page_key, severity, decided, was_open, is_decided_open,
      new_status is not null and (was_open <> is_decided_open or (was_open and severity <> decided)) as has_moved
    from (
      select *, old_status = ${openStatus} as was_open, coalesce(new_status, old_status) = ${openStatus} as is_decided_open,
        ${decidedSeverity} as decided
      from (
        select pair_id, issue_id, page_key, old_status, old_severity as severity,
          case when new_change <= ${lastPresent} then new_severity end as new_severity,
          case when new_change <= ${lastPresent} then new_status end as new_status
        from both_sides where old_change <= ${lastPresent}) present offset 0) decided_issue)`

const sideColumns = sql.join(
  healths.map(
    (name) =>
      sql`case when common.is_limited then common.${sql.ref(name)} else ${sql.ref(`before.health_${name}`)} end as ${sql.ref(name)}`,
  ),
)
const commonColumns = sql.join(
  healths.map((name) => sql`count(*) filter (where q.health = ${healthLiterals[name]})::int as ${sql.ref(name)}`),
)
const changeNames = ['critical', 'serious', 'moderate', 'minor', 'review']
const changeColumns = sql.join(changeNames.map((name) => sql`coalesce(c.${sql.ref(name)}, 0) as ${sql.ref(name)}`))

/** Changes of the counts of issues that decisions changed, by severity. */
function buildSeverityChanges(): RawBuilder<unknown> {
  const countIssues = (severityColumn: string, isOpenColumn: string, value: RawBuilder<unknown>) =>
    sql`count(*) filter (where ${sql.ref(isOpenColumn)} and ${sql.ref(severityColumn)} = ${value})::int`
  return sql.join(
    severities.map((name) => {
      const value = storedLiterals.severity[name]
      const column = sql.ref(name === 'needs review' ? 'review' : name)
      return sql`${countIssues('decided', 'is_decided_open', value)} - ${countIssues('severity', 'was_open', value)} as ${column}`
    }),
  )
}

/** By how much the numbers of pages by health change with the decisions, from the pages in `decided_page`. */
const movedPageColumns = sql.join(
  healths.map(
    (name) =>
      sql`sum((decided = ${healthLiterals[name]})::int - (health = ${healthLiterals[name]})::int)::int as ${sql.ref(name)}`,
  ),
)

/** Score of the previous run from the healths in `side`, optionally with the changes in `moved_by_health`. */
function buildSideScore(isDecided: boolean): RawBuilder<number> {
  return buildScoreOf((name) => {
    const baseColumn = sql.ref(`side.${name}`)
    return isDecided ? sql`(${baseColumn} + coalesce(${sql.ref(`moved_by_health.${name}`)}, 0))` : baseColumn
  })
}

/**
 * The part of the change between two runs that decisions caused: the counts and the score that the previous run would have
 * with the decisions of the newer one, less its own. Only pages with such an issue are counted again. If the page limit left
 * out pages of either run, the score is the one of the pages that both tested. Requires `selectSeenFindings` of the pairs.
 * @param pairs a table expression of (id, before_id): the newer run and the previous one
 * @returns a table expression (id, score, critical, serious, moderate, minor, review); the score is null without one
 */
export function selectDecisionChange(pairs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with side as materialized (
      select p.id, p.before_id, common.is_limited, ${sideColumns}
      from ${pairs} p join run newer on newer.id = p.id join run before on before.id = p.before_id
      cross join lateral (
        select newer.over_limit > 0 or before.over_limit > 0 as is_limited, ${commonColumns} from run_page q
        join run_page n on n.run_id = p.id and n.key_hash = q.key_hash and n.status = 'completed' and n.health is not null
        where (newer.over_limit > 0 or before.over_limit > 0)
          and q.run_id = p.before_id and q.status = 'completed' and q.health is not null) common),
    moved_page as materialized (
      select pair_id, page_key, least(min(decided) filter (where is_decided_open), ${healthLiterals.good}) as decided
      from compared group by pair_id, page_key having bool_or(has_moved)),
    -- All pages of a run, in one pass: looking up many of them takes longer, and these runs have more findings than pages.
    previous_page as (
      select side.id, side.is_limited, p.key_hash, p.health from side join run_page p on p.run_id = side.before_id
      where p.health is not null and side.id in (select pair_id from moved_page)),
    decided_page as (
      select c.pair_id, c.health, c.decided
      from (select * from moved_page m full join previous_page p on p.id = m.pair_id and p.key_hash = m.page_key offset 0) c
      where c.pair_id = c.id and (not c.is_limited or exists (select from run_page n where n.run_id = c.pair_id
        and n.key_hash = c.key_hash and n.status = 'completed' and n.health is not null))),
    moved_by_health as (select pair_id, ${movedPageColumns} from decided_page group by pair_id),
    counted as (select pair_id, ${buildSeverityChanges()} from compared where has_moved group by pair_id)
    select side.id, ${buildSideScore(true)} - ${buildSideScore(false)} as score, ${changeColumns}
    from side left join counted c on c.pair_id = side.id left join moved_by_health on moved_by_health.pair_id = side.id)`
}

/** The part of the change of the score between two runs that decisions of the newer one caused; null without a score. */
export async function readDecidedScore(db: MonitorDb, newerRunId: string, olderRunId: string): Promise<number | null> {
  const { rows: changeRows } = await sql<{ score: number | null }>`
    with pair as (select ${newerRunId}::uuid as id, ${olderRunId}::uuid as before_id), ${selectSeenFindings(sql`pair`)}
    select d.score from ${selectDecisionChange(sql`pair`)} d`.execute(db)
  return changeRows[0]?.score ?? null
}

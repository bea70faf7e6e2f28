import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { healths } from '../../page/model.ts'
import { buildScoreOf, healthLiterals } from '../../page/table.ts'
import { severities } from '../model.ts'
import { isPresent, storedLiterals } from '../table.ts'

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

/**
 * Parts of a `with` clause: `seen` has the findings of both runs of pairs, each read once;
 * `compared` has each issue that was present in the previous run. Grouped and not joined: without statistics of these rows, a
 * planner may compare each row with all others.
 * @param pairs a table expression of (id, before_id): the newer run and the previous one
 */
export const selectSeenFindings = (pairs: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  seen as materialized (
    select p.id as pair_id, false as is_before, f.issue_id, f.page_key, f.rule_id, f.drive_level, f.severity, f.status, f.change
    from ${pairs} p join finding f on f.run_id = p.id
    union all
    select p.id, true, f.issue_id, f.page_key, f.rule_id, f.drive_level, f.severity, f.status, f.change
    from ${pairs} p join finding f on f.run_id = p.before_id),
  compared as materialized (
    select *, old_status = ${openStatus} as was_open, coalesce(new_status, old_status) = ${openStatus} as is_decided_open,
      ${decidedSeverity} as decided
    from (
      select pair_id, issue_id, (array_agg(page_key) filter (where is_before))[1] as page_key,
        min(severity) filter (where is_before) as severity, min(status) filter (where is_before) as old_status,
        min(severity) filter (where not is_before) as new_severity, min(status) filter (where not is_before) as new_status
      from seen f where ${isPresent('f')} group by pair_id, issue_id) both_runs
    where old_status is not null)`

const sideColumns = sql.join(
  healths.map(
    (name) =>
      sql`case when common.is_limited then common.${sql.ref(name)} else ${sql.ref(`before.health_${name}`)} end as ${sql.ref(name)}`,
  ),
)
const commonColumns = sql.join(
  healths.map((name) => sql`count(*) filter (where q.health = ${healthLiterals[name]})::int as ${sql.ref(name)}`),
)
const changeColumns = sql.join(
  ['critical', 'serious', 'moderate', 'minor', 'review'].map((name) => sql`coalesce(c.${sql.ref(name)}, 0) as ${sql.ref(name)}`),
)

/** Condition for compared issues that the newer run has, too, and that decisions changed. */
const hasMoved = sql`(new_status is not null and (was_open <> is_decided_open or (was_open and severity <> decided)))`

/** Changes of the counts of the issues that decisions changed, by severity. */
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
        select newer.over_limit > 0 or before.over_limit > 0 as is_limited, ${commonColumns} from page q
        join page n on n.run_id = p.id and n.key_hash = q.key_hash and n.status = 'completed' and n.health is not null
        where (newer.over_limit > 0 or before.over_limit > 0)
          and q.run_id = p.before_id and q.status = 'completed' and q.health is not null) common),
    changed_page as materialized (
      select pair_id, page_key, least(min(decided) filter (where is_decided_open), ${healthLiterals.good}) as decided
      from compared group by pair_id, page_key having bool_or(${hasMoved})),
    decided_page as (
      select c.pair_id, page.health, c.decided from changed_page c join side on side.id = c.pair_id
      join page on page.run_id = side.before_id and page.key_hash = c.page_key and page.health is not null
        and (not side.is_limited or exists (select from page n where n.run_id = c.pair_id and n.key_hash = page.key_hash
          and n.status = 'completed' and n.health is not null))),
    moved_by_health as (select pair_id, ${movedPageColumns} from decided_page group by pair_id),
    counted as (select pair_id, ${buildSeverityChanges()} from compared where ${hasMoved} group by pair_id)
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

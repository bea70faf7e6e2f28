import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { healths } from '../../page/model.ts'
import { buildScoreOf, healthLiterals } from '../../page/table.ts'
import { severities } from '../model.ts'
import { isSpanOfRun } from '../span/store.ts'
import { isPresent, storedLiterals } from '../table.ts'

const { open: openStatus } = storedLiterals.status
const { review: needsReview } = storedLiterals.severity

/** Present findings of a run with a decision, or with one that can be taken back: few, and read by the index of the list. */
const selectDecided = (pairs: RawBuilder<unknown>, runColumn: RawBuilder<unknown>) => sql`
  select p.id as pair_id, f.issue_id from ${pairs} p join finding f on f.run_id = ${runColumn} and ${isPresent('f')}
    and (f.status <> ${openStatus} or f.severity = ${needsReview})`

/** Condition for the span of a present finding of a run. */
const isPresentIn = (span: string, run: string) => sql`(${isSpanOfRun(span, run)} and ${isPresent(span)})`

/**
 * Severity of an issue of the previous run by the decisions of the newer one: `n` is its finding there, `b` the one of the
 * previous run. A result that a person marked as an issue counts as one in both runs. One that became a result to review,
 * while its element is still there, was not fixed.
 */
const decidedSeverity = sql`case when n.issue_id is null then b.severity
  when n.severity = ${needsReview} then n.severity
  when b.severity = ${needsReview} and (select marked from issue where id = n.issue_id) then n.severity
  else b.severity end`
const isDecidedOpen = sql`case when n.issue_id is null then b.status = ${openStatus} else n.status = ${openStatus} end`

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

/** Changes of the counts of the issues in `moved`, by severity. */
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
 * out pages of either run, the score is the one of the pages that both tested.
 * @param pairs a table expression of (id, before_id): the newer run and the previous one
 * @returns a table expression (id, score, critical, serious, moderate, minor, review); the score is null without one
 */
export function selectDecisionChange(pairs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with candidate as materialized (${selectDecided(pairs, sql`p.id`)} union ${selectDecided(pairs, sql`p.before_id`)}),
    side as materialized (
      select p.id, p.before_id, coalesce(common.is_limited, false) as is_limited, ${sideColumns}
      from ${pairs} p join run newer on newer.id = p.id join run before on before.id = p.before_id
      left join lateral (
        select true as is_limited, ${commonColumns} from page q
        join page n on n.run_id = p.id and n.key_hash = q.key_hash and n.status = 'completed' and n.health is not null
        where q.run_id = p.before_id and q.status = 'completed' and q.health is not null) common
        on newer.over_limit > 0 or before.over_limit > 0),
    moved as materialized (
      select * from (
        select side.id as pair_id, b.page_key, b.severity, b.status = ${openStatus} as was_open,
          ${decidedSeverity} as decided, ${isDecidedOpen} as is_decided_open
        from candidate c join side on side.id = c.pair_id
        join run newer on newer.id = side.id join run before on before.id = side.before_id
        join finding_span b on b.issue_id = c.issue_id and ${isPresentIn('b', 'before')}
        join finding_span n on n.issue_id = c.issue_id and ${isPresentIn('n', 'newer')}) t
      where was_open <> is_decided_open or (was_open and severity <> decided)),
    decided_page as (
      select m.pair_id, page.health, least(min(t.decided), ${healthLiterals.good}) as decided
      from (select distinct pair_id, page_key from moved) m join side on side.id = m.pair_id
      join run newer on newer.id = side.id join run before on before.id = side.before_id
      join page on page.run_id = before.id and page.key_hash = m.page_key and page.health is not null
        and (not side.is_limited or exists (select from page n where n.run_id = m.pair_id and n.key_hash = page.key_hash
          and n.status = 'completed' and n.health is not null))
      left join lateral (
        select ${decidedSeverity} as decided from finding_span b
        left join finding_span n on n.issue_id = b.issue_id and ${isPresentIn('n', 'newer')}
        where b.page_key = m.page_key and ${isPresentIn('b', 'before')} and ${isDecidedOpen}) t on true
      group by m.pair_id, m.page_key, page.health),
    moved_by_health as (select pair_id, ${movedPageColumns} from decided_page group by pair_id),
    counted as (select pair_id, ${buildSeverityChanges()} from moved group by pair_id)
    select side.id, ${buildSideScore(true)} - ${buildSideScore(false)} as score, ${changeColumns}
    from side left join counted c on c.pair_id = side.id left join moved_by_health on moved_by_health.pair_id = side.id)`
}

/** The part of the change of the score between two runs that decisions of the newer one caused; null without a score. */
export async function readDecidedScore(db: MonitorDb, newerRunId: string, olderRunId: string): Promise<number | null> {
  const { rows: changeRows } = await sql<{ score: number | null }>`
    with pair as (select ${newerRunId}::uuid as id, ${olderRunId}::uuid as before_id)
    select d.score from ${selectDecisionChange(sql`pair`)} d`.execute(db)
  return changeRows[0]?.score ?? null
}

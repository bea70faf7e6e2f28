import { roundScore } from '@clearway/contract/monitor/page/model.ts'
import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { parseStoredOrNull } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import { listRuleTags } from '../../ruleset/model.ts'
import { runStatus } from '../../run/table.ts'
import { isJoined, selectCommonFigures } from '../../page/table.ts'
import { selectDecisionChange, selectSeenFindings } from '../decision/store.ts'
import { isIgnored, isPresent, storedLiterals } from '../table.ts'

type StoredRunChange = z.output<typeof RunChange>
type ChangeRow = { id: string } & Omit<StoredRunChange, 'openIssues' | 'previousEndedAt' | 'byRuleSet' | 'byDecisions'> & {
    previousEndedAt: Date | null
    newByRuleSet: number
    fixedByRuleSet: number
    critical: number
    serious: number
    moderate: number
    minor: number
    needsReview: number
    /** `DecisionChange` */
    byDecisions: { score: number | null; critical: number; serious: number; moderate: number; minor: number; review: number }
  }

type PreviousRun = { id: string; beforeId: string; tags: string[]; driven: boolean; cleared: boolean; archived: boolean }

/** The newest completed run before each given run, with its rules, and whether retention removed its pages or contents. */
async function findPreviousRuns(db: MonitorDb, runIds: readonly string[]): Promise<PreviousRun[]> {
  const { rows: previousRunRows } = await sql<{
    id: string
    beforeId: string
    rules: unknown
    driven: boolean
    cleared: boolean
    archived: boolean
  }>`
    select now.id, before.id as "beforeId", plan.settings->'ruleSet' as rules, ${isDriven(sql`plan`)} as driven,
      before.contents_cleared_at is not null as cleared, before.archived_at is not null as archived
    from run now cross join lateral (select * from run where scan_id = now.scan_id and number < now.number
      and status in ${runStatus.withResults} order by number desc limit 1) before
    join run_plan plan on plan.run_id = before.id
    where now.id = any(${runIds}::uuid[])`.execute(db)
  // An unreadable plan must not keep a later run from ending.
  return previousRunRows.flatMap(({ rules, ...previousRun }) => {
    const ruleSet = parseStoredOrNull(RuleSet, rules)
    return ruleSet ? [{ ...previousRun, tags: [...listRuleTags(ruleSet)] }] : []
  })
}

/** Condition for plans of runs that drove pages. */
const isDriven = (plan: RawBuilder<unknown>) => sql<boolean>`coalesce(${plan}.settings->'advanced'->>'driven', 'off') <> 'off'`

/** Condition for two runs, one of which joined pages that the other one counted by themselves. */
const hasJoinedTested = (joining: string, testing: string) => sql`exists (select from page joined
  join page tested on tested.run_id = ${sql.ref(`${testing}.id`)} and tested.key_hash = joined.key_hash and tested.status = 'completed'
  where joined.run_id = ${sql.ref(`${joining}.id`)} and ${isJoined('joined')})`

const { change: changeLiterals, severity: severityLiterals, status: statusLiterals } = storedLiterals
const isFixedStatus = sql`status = ${statusLiterals.fixed}`
/** Conditions on findings that were judged, by the figure that counts them. */
const seenConditions = {
  fixed: sql`change = ${changeLiterals.fixed} and ${isFixedStatus} and not by_rule_set`,
  fixedByRuleSet: sql`change = ${changeLiterals.fixed} and ${isFixedStatus} and by_rule_set`,
  new: sql`change = ${changeLiterals.new} and not by_rule_set`,
  newByRuleSet: sql`change = ${changeLiterals.new} and by_rule_set`,
  newCritical: sql`change = ${changeLiterals.new} and severity = ${severityLiterals.critical} and not by_rule_set`,
  notRechecked: sql`change = ${changeLiterals['not-rechecked']}`,
  issuesGone: sql`change = ${changeLiterals['page-gone']}`,
  back: sql`change = ${changeLiterals.back}`,
  stillOpen: sql`change = ${changeLiterals.still}`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>
const seenNames = Object.keys(seenConditions)

/** Parts of a `with` clause that count findings of the newer runs, without needs-review results. */
const judgedCounts = sql`
  decided_count as materialized (
    select pair_id, count(*) filter (where ${isIgnored('f')})::int as ignored,
      count(*) filter (where f.status in (${statusLiterals.none}, ${statusLiterals.fixed}) and ${isPresent('f')})::int as dismissed
    from seen f where not is_before and f.severity < ${severityLiterals.review} group by pair_id),
  -- Ignored issues that the previous run ignored, too, whether it tested them or not.
  still_ignored as materialized (
    select pair_id, count(*)::int as issues from (
      select pair_id from seen f where f.status = ${statusLiterals.ignored}
        and (is_before or (${isPresent('f')} and f.severity < ${severityLiterals.review}))
      group by pair_id, issue_id having bool_or(is_before) and bool_or(not is_before)) both_runs group by pair_id),
  seen_count as materialized (
    select pair_id, ${sql.join(
      Object.entries(seenConditions).map(
        ([name, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.ref(name)}`,
      ),
    )}
    from (select f.pair_id, f.change, f.status, f.severity, pair.other_rules
        and ((f.change = ${changeLiterals.new} and (coalesce(f.drive_level, 0) > 0 and not pair.driven
            or not (select tags from rule where id = f.rule_id) && pair.tags))
          or (f.change in (${changeLiterals.new}, ${changeLiterals.fixed}) and exists (
            select from page p join page q on q.run_id = pair.before_id and q.key_hash = p.key_hash
            where p.run_id = pair.id and p.key_hash = f.page_key and p.content_hash = q.content_hash))) as by_rule_set
      from seen f join pair on pair.id = f.pair_id where not f.is_before and f.severity < ${severityLiterals.review}
        and (f.status = ${statusLiterals.open} or (f.change = ${changeLiterals.fixed} and f.status = ${statusLiterals.fixed}))) judged
    group by pair_id)`

/** Condition for pages that the page limit left out. */
const isLeftOut = sql`exclusion = 'over-limit'`

/**
 * Changes of runs against their previous runs, in one statement, without needs-review results. Changes caused only by another
 * rule set or axe-core release are counted apart: the rule was off before, or the page is identical byte for byte.
 */
async function computeChanges(db: MonitorDb, previousRuns: readonly PreviousRun[]): Promise<ChangeRow[]> {
  const { rows: changeRows } = await sql<ChangeRow>`
    with pair as materialized (
      select p.id, p."beforeId" as before_id, p.tags, p.driven,
        (select rule_set_hash from run_plan where run_id = p.id) <>
          (select rule_set_hash from run_plan where run_id = p."beforeId") as other_rules
      from jsonb_to_recordset(${JSON.stringify(previousRuns)}::jsonb) as p (id uuid, "beforeId" uuid, tags text[], driven boolean)),
    ${selectSeenFindings(sql`pair`)}, ${judgedCounts}
    select pair.id, before.number as "previousNumber", before.ended_at as "previousEndedAt",
      case when common.pages is null then now.score - before.score else common.score end - decided.score as score,
      common.pages as "pagesCompared", pair.other_rules as "ruleSetChanged", seen.*, judged.*, to_jsonb(decided) - 'id' as "byDecisions",
      (select count(*)::int from (select key_hash from page where run_id = now.id and status = 'completed'
        except select key_hash from page where run_id = before.id and status = 'completed') a) as "pagesAdded",
      (select count(*)::int from (select key_hash from page where run_id = before.id and status = 'completed'
        except select key_hash from page joined where run_id = now.id and (status = 'completed' or ${isLeftOut} or ${isJoined('joined')})) g) - unlinked.pages
          as "pagesGone",
      (select count(distinct q.key_hash)::int from page q join page p on p.run_id = now.id and p.key_hash = q.key_hash
        where q.run_id = before.id and q.status = 'completed' and p.status <> 'completed' and p.${isLeftOut}) + unlinked.pages
          as "pagesNotTested",
      coalesce(common.critical, now.critical - before.critical) as critical,
      coalesce(common.serious, now.serious - before.serious) as serious,
      coalesce(common.moderate, now.moderate - before.moderate) as moderate,
      coalesce(common.minor, now.minor - before.minor) as minor,
      coalesce(common.needs_review, now.needs_review - before.needs_review) as "needsReview"
    from pair join run now on now.id = pair.id join run before on before.id = pair.before_id
    left join lateral (select * from ${selectCommonFigures(sql`now.id`, sql`before.id`)} figures
      where now.over_limit > 0 or before.over_limit > 0 or ${hasJoinedTested('now', 'before')} or ${hasJoinedTested('before', 'now')}) common on true
    cross join lateral (
      -- A limited run does not learn whether a page that no link led to so far is gone.
      select count(distinct q.key_hash)::int as pages from page q where now.over_limit > 0 and q.run_id = before.id
        and q.status = 'completed' and not exists (select from page p where p.run_id = now.id and p.key_hash = q.key_hash)) unlinked
    left join ${selectDecisionChange(sql`pair`)} decided on decided.id = pair.id
    cross join lateral (
      select coalesce(c.ignored, 0) as ignored, coalesce(c.ignored, 0) - coalesce(i.issues, 0) as "newlyIgnored",
        coalesce(c.dismissed, 0) as dismissed
      from (select pair.id) one left join decided_count c on c.pair_id = one.id
        left join still_ignored i on i.pair_id = one.id) judged
    cross join lateral (
      select ${sql.join(seenNames.map((name) => sql`coalesce(c.${sql.ref(name)}, 0) as ${sql.ref(name)}`))}
      from (select pair.id) one left join seen_count c on c.pair_id = one.id) seen`.execute(db)
  return changeRows
}

/** The figures that the pages of both runs determine. */
const pickPageFigures = ({ pagesAdded, pagesGone, pagesNotTested, pagesCompared }: StoredRunChange) => ({
  pagesAdded,
  pagesGone,
  pagesNotTested,
  pagesCompared,
})

const roundScoreOrNull = (score: number | null) => (score === null ? null : roundScore(score))

/** The change of the score, in two parts that add up. */
const toDecisionChange = ({
  score,
  byDecisions: { score: decidedScore, review: needsReview, ...counts },
}: Pick<ChangeRow, 'score' | 'byDecisions'>) => ({
  score: roundScoreOrNull(score),
  byDecisions: { score: score === null ? null : roundScoreOrNull(decidedScore), openIssues: { ...counts, needsReview } },
})

/** The stored form of a change. Known figures are kept when the previous run's pages are no longer available. */
function toStoredChange(
  { id: _id, ...changeRow }: ChangeRow,
  { cleared, archived }: PreviousRun,
  knownChange: StoredRunChange | null,
): StoredRunChange | null {
  const { critical, serious, moderate, minor, needsReview, previousEndedAt, newByRuleSet, fixedByRuleSet, ...storedColumns } =
    changeRow
  const { byDecisions: _byDecisions, ...otherColumns } = storedColumns
  // Attributing issues to another rule set requires the contents of both runs.
  if (cleared && otherColumns.ruleSetChanged) return knownChange
  return {
    ...otherColumns,
    ...(cleared && knownChange && pickPageFigures(knownChange)),
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    byRuleSet: { new: newByRuleSet, fixed: fixedByRuleSet },
    openIssues: { critical, serious, moderate, minor, needsReview },
    ...(archived && knownChange
      ? { score: knownChange.score, byDecisions: knownChange.byDecisions }
      : toDecisionChange(changeRow)),
  }
}

/** Stores the changes of runs, given as (run_id), and of the runs that follow them. The only writer of change figures. */
export async function recordChanges(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const { rows: runRows } = await sql<{ id: string; change: unknown }>`
    with touched as materialized (select id, scan_id, number from run where id = any(array(select run_id from ${runs} u))),
    concerned as (
      select id from touched
      union select next.id from touched, lateral (
        select id from run where scan_id = touched.scan_id and number > touched.number
          and status in ${runStatus.withResults} order by number limit 1) next)
    select run.id, plan.change from concerned join run on run.id = concerned.id
    join run_plan plan on plan.run_id = run.id where run.status = 'completed'`.execute(db)
  const previousRuns = new Map(
    (
      await findPreviousRuns(
        db,
        runRows.map(({ id }) => id),
      )
    ).map((previousRun) => [previousRun.id, previousRun]),
  )
  const changeRowsById = new Map((await computeChanges(db, [...previousRuns.values()])).map((row) => [row.id, row]))
  const storedChanges = runRows.map(({ id, change }) => {
    const [previousRun, changeRow] = [previousRuns.get(id), changeRowsById.get(id)]
    const knownChange = parseStoredOrNull(z.nullable(RunChange), change)
    return { id, change: previousRun && changeRow ? toStoredChange(changeRow, previousRun, knownChange) : null }
  })
  await sql`update run_plan set change = c.change
    from jsonb_to_recordset(${JSON.stringify(storedChanges)}::jsonb) as c (id uuid, change jsonb) where run_id = c.id`.execute(db)
}

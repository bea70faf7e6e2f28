import { roundScore } from '@clearway/contract/monitor/page/model.ts'
import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { prepareOnce } from '../../../kit/postgres/prepared.ts'
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

type PreviousRun = {
  id: string
  beforeId: string
  tags: string[]
  driven: boolean
  cleared: boolean
  archived: boolean
  /** The runs had different rules. */
  otherRules: boolean
}
/** With `readsPages`, the pages of both runs are compared; otherwise the known figures of pages remain. */
type ComparedRun = PreviousRun & { readsPages: boolean }

/** The newest completed run before each given run, with its rules, and whether retention removed its pages or contents. */
async function findPreviousRuns(db: MonitorDb, runIds: readonly string[]): Promise<PreviousRun[]> {
  const { rows: previousRunRows } = await sql<{
    id: string
    beforeId: string
    rules: unknown
    driven: boolean
    cleared: boolean
    archived: boolean
    otherRules: boolean
  }>`
    select now.id, before.id as "beforeId", plan.settings->'ruleSet' as rules, ${isDriven(sql`plan`)} as driven,
      before.contents_cleared_at is not null as cleared, before.archived_at is not null as archived,
      (select rule_set_hash from run_plan where run_id = now.id) <> plan.rule_set_hash as "otherRules"
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
const buildCount = (name: string, condition: RawBuilder<unknown>) =>
  sql`count(*) filter (where ${condition})::int as ${sql.ref(name)}`

/** Figures of findings of the newer runs by decisions. */
const decidedConditions = {
  ignored: isIgnored('f'),
  // Ignored issues that the previous run ignored, too, whether it tested them or not.
  stillIgnored: sql`${isIgnored('f')} and old_status = ${statusLiterals.ignored}`,
  dismissed: sql`status in (${statusLiterals.none}, ${statusLiterals.fixed}) and ${isPresent('f')}`,
}
const isJudged = sql`(status = ${statusLiterals.open} or (change = ${changeLiterals.fixed} and ${isFixedStatus}))`

/** Condition for the issue `b` of a pair of runs with other rules: new or gone because of these. */
const isByRuleSet = sql`(pair.other_rules
  and ((b.new_change = ${changeLiterals.new} and (coalesce(b.drive_level, 0) > 0 and not pair.driven
      or not (select tags from rule where id = b.rule_id) && pair.tags))
    or (b.new_change in (${changeLiterals.new}, ${changeLiterals.fixed}) and exists (
      select from page p join page q on q.run_id = pair.before_id and q.key_hash = p.key_hash
      where p.run_id = pair.id and p.key_hash = b.page_key and p.content_hash = q.content_hash))))`

/** Part of a `with` clause that counts findings of the newer runs, without needs-review results. */
const judgedCounts = (hasOtherRules: boolean) => sql`
  judged_count as materialized (
    select pair_id, ${sql.join([
      ...Object.entries(decidedConditions).map(([name, condition]) => buildCount(name, condition)),
      ...Object.entries(seenConditions).map(([name, condition]) => buildCount(name, sql`${isJudged} and ${condition}`)),
    ])}
    from (select b.pair_id, b.new_change as change, b.new_status as status, b.new_severity as severity, b.old_status,
        ${hasOtherRules ? isByRuleSet : sql`false`} as by_rule_set
      from both_sides b join pair on pair.id = b.pair_id
      where b.new_change is not null and b.new_severity < ${severityLiterals.review}) f
    group by pair_id)`

const judgedColumns = sql.join([
  ...['ignored', 'dismissed', ...Object.keys(seenConditions)].map(
    (name) => sql`coalesce(judged_count.${sql.ref(name)}, 0) as ${sql.ref(name)}`,
  ),
  sql`coalesce(judged_count.ignored - judged_count."stillIgnored", 0) as "newlyIgnored"`,
])

/** Condition for pages that the page limit left out. */
const isLeftOut = sql`exclusion = 'over-limit'`

/** Pages that the run `now` added, lost or left out against the run `before`; null without reading pages. */
const pageFigures = sql`
  select
    case when pair.reads_pages then (select count(*)::int from (select key_hash from page where run_id = now.id and status = 'completed'
      except select key_hash from page where run_id = before.id and status = 'completed') a) end as "pagesAdded",
    case when pair.reads_pages then (select count(*)::int from (select key_hash from page where run_id = before.id and status = 'completed'
      except select key_hash from page joined where run_id = now.id and (status = 'completed' or ${isLeftOut} or ${isJoined('joined')})) g)
        - unlinked.pages end as "pagesGone",
    case when pair.reads_pages then (select count(distinct q.key_hash)::int from page q
      join page p on p.run_id = now.id and p.key_hash = q.key_hash
      where q.run_id = before.id and q.status = 'completed' and p.status <> 'completed' and p.${isLeftOut}) + unlinked.pages
        end as "pagesNotTested"
  from (
    -- A limited run does not learn whether a page that no link led to so far is gone.
    select count(distinct q.key_hash)::int as pages from page q where pair.reads_pages and now.over_limit > 0 and q.run_id = before.id
      and q.status = 'completed' and not exists (select from page p where p.run_id = now.id and p.key_hash = q.key_hash)) unlinked`

/** Figures of pages of a pair, as `pages`, and of the pages that both runs tested if that differs from all, as `common`. */
const pageJoins = sql`
  -- Each apart from its condition: an aggregate would be computed before a condition on its row.
  cross join lateral (select pair.reads_pages and (now.over_limit > 0 or before.over_limit > 0
    or ${hasJoinedTested('now', 'before')} or ${hasJoinedTested('before', 'now')}) as has_common offset 0) needed
  left join lateral (select * from ${selectCommonFigures(sql`now.id`, sql`before.id`, sql`needed.has_common`)} figures
    where needed.has_common) common on true
  cross join lateral (${pageFigures}) pages`
const nullFigures = (names: readonly string[]) => sql.join(names.map((name) => sql`null::int as ${sql.ref(name)}`))
/** The same for pairs whose pages are not read. Planning to read them takes longer than all else for a single issue. */
const noPageJoins = sql`
  cross join (select ${nullFigures(['pages', 'score', 'critical', 'serious', 'moderate', 'minor', 'needs_review'])}) common
  cross join (select ${nullFigures(['pagesAdded', 'pagesGone', 'pagesNotTested'])}) pages`

/**
 * Changes of runs against their previous runs, in one statement, without needs-review results. Changes caused only by another
 * rule set or axe-core release are counted apart: the rule was off before, or the page is identical byte for byte.
 */
async function computeChanges(db: MonitorDb, comparedRuns: readonly ComparedRun[]): Promise<ChangeRow[]> {
  const readsPages = comparedRuns.some((run) => run.readsPages)
  const statement = sql<ChangeRow>`
    with pair as materialized (
      select p.id, p."beforeId" as before_id, p.tags, p.driven, p."readsPages" as reads_pages, p."otherRules" as other_rules
      from jsonb_to_recordset(${JSON.stringify(comparedRuns)}::jsonb)
        as p (id uuid, "beforeId" uuid, tags text[], driven boolean, "readsPages" boolean, "otherRules" boolean)),
    ${selectSeenFindings(sql`pair`)}, ${judgedCounts(comparedRuns.some(({ otherRules }) => otherRules))}
    select pair.id, before.number as "previousNumber", before.ended_at as "previousEndedAt",
      case when common.pages is null then now.score - before.score else common.score end - decided.score as score,
      common.pages as "pagesCompared", pair.other_rules as "ruleSetChanged", ${judgedColumns}, to_jsonb(decided) - 'id' as "byDecisions",
      pages.*,
      coalesce(common.critical, now.critical - before.critical) as critical,
      coalesce(common.serious, now.serious - before.serious) as serious,
      coalesce(common.moderate, now.moderate - before.moderate) as moderate,
      coalesce(common.minor, now.minor - before.minor) as minor,
      coalesce(common.needs_review, now.needs_review - before.needs_review) as "needsReview"
    from pair join run now on now.id = pair.id join run before on before.id = pair.before_id
    ${readsPages ? pageJoins : noPageJoins}
    left join ${selectDecisionChange(sql`pair`)} decided on decided.id = pair.id
    left join judged_count on judged_count.pair_id = pair.id`
  // Bulk changes read pages with other settings than deletions and uploads.
  const { rows: changeRows } = await (readsPages ? statement : prepareOnce(statement)).execute(db)
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
  { cleared, archived, readsPages }: ComparedRun,
  knownChange: StoredRunChange | null,
): StoredRunChange | null {
  const { critical, serious, moderate, minor, needsReview, previousEndedAt, newByRuleSet, fixedByRuleSet, ...storedColumns } =
    changeRow
  const { byDecisions: _byDecisions, ...otherColumns } = storedColumns
  // Attributing issues to another rule set requires the contents of both runs.
  if (cleared && otherColumns.ruleSetChanged) return knownChange
  return {
    ...otherColumns,
    ...((cleared || !readsPages) && knownChange && pickPageFigures(knownChange)),
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    byRuleSet: { new: newByRuleSet, fixed: fixedByRuleSet },
    openIssues: { critical, serious, moderate, minor, needsReview },
    ...(archived && knownChange
      ? { score: knownChange.score, byDecisions: knownChange.byDecisions }
      : toDecisionChange(changeRow)),
  }
}

/**
 * Stores the changes of runs, given as (run_id), and of the runs that follow them. The only writer of change figures.
 * @param hasSamePages the pages of the runs are those of the last time: their figures remain, unless the score depends on them
 */
export async function recordChanges(
  db: MonitorDb,
  runs: RawBuilder<unknown>,
  { hasSamePages = false }: { hasSamePages?: boolean } = {},
): Promise<void> {
  const { rows: runRows } = await sql<{ id: string; change: unknown }>`
    with touched as materialized (select id, scan_id, number from run where id = any(array(select run_id from ${runs} u))),
    concerned as (
      select id from touched
      union select next.id from touched, lateral (
        select id from run where scan_id = touched.scan_id and number > touched.number
          and status in ${runStatus.withResults} order by number limit 1) next)
    select run.id, plan.change from concerned join run on run.id = concerned.id
    join run_plan plan on plan.run_id = run.id where run.status = 'completed'`.execute(db)
  const knownChanges = new Map(runRows.map(({ id, change }) => [id, parseStoredOrNull(z.nullable(RunChange), change)]))
  const comparedRuns = (await findPreviousRuns(db, [...knownChanges.keys()])).map((previousRun): ComparedRun => {
    const knownChange = knownChanges.get(previousRun.id)
    return { ...previousRun, readsPages: !hasSamePages || !knownChange || knownChange.pagesCompared !== null }
  })
  const comparedRunsById = new Map(comparedRuns.map((comparedRun) => [comparedRun.id, comparedRun]))
  const changeRowsById = new Map((await computeChanges(db, comparedRuns)).map((row) => [row.id, row]))
  const storedChanges = [...knownChanges].map(([id, knownChange]) => {
    const [comparedRun, changeRow] = [comparedRunsById.get(id), changeRowsById.get(id)]
    return { id, change: comparedRun && changeRow ? toStoredChange(changeRow, comparedRun, knownChange) : null }
  })
  await sql`update run_plan set change = c.change
    from jsonb_to_recordset(${JSON.stringify(storedChanges)}::jsonb) as c (id uuid, change jsonb) where run_id = c.id`.execute(db)
}

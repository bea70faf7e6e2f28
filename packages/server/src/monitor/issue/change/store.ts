import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { readIfSound } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import { tagsOf } from '../../ruleset/model.ts'
import { runStatus } from '../../run/table.ts'
import { stored } from '../table.ts'

type Change = z.output<typeof RunChange>
type Row = { id: string } & Omit<Change, 'openIssues' | 'previousEndedAt' | 'byRuleSet'> & {
    previousEndedAt: Date | null
    newByRuleSet: number
    fixedByRuleSet: number
    critical: number
    serious: number
    moderate: number
    minor: number
    needsReview: number
  }

type Before = { id: string; beforeId: string; tags: string[]; cleared: boolean }

/** Of each of some runs the newest completed one before, with its rules, and whether retention has taken its pages or contents. */
async function runsBefore(db: MonitorDb, runIds: readonly string[]): Promise<Before[]> {
  const { rows } = await sql<{ id: string; beforeId: string; rules: unknown; cleared: boolean }>`
    select now.id, before.id as "beforeId", plan.settings->'ruleSet' as rules,
      before.contents_cleared_at is not null as cleared
    from run now cross join lateral (select * from run where scan_id = now.scan_id and number < now.number
      and status in ${runStatus.withResults} order by number desc limit 1) before
    join run_plan plan on plan.run_id = before.id
    where now.id = any(${runIds}::uuid[])`.execute(db)
  // A plan that cannot be read is no reason that a later run does not end.
  return rows.flatMap(({ rules, ...row }) => {
    const ruleSet = readIfSound(RuleSet, rules)
    return ruleSet ? [{ ...row, tags: [...tagsOf(ruleSet)] }] : []
  })
}

/**
 * What changed in runs against those before, all of them in one statement. Needs-review results do not count. What only
 * another rule set or axe-core release caused is counted apart: the rule was off before, or the page is the same byte for
 * byte.
 */
async function changesSince(db: MonitorDb, pairs: readonly Before[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with pair as materialized (
      select p.id, p."beforeId" as before_id, p.tags,
        (select rule_set_hash from run_plan where run_id = p.id) <>
          (select rule_set_hash from run_plan where run_id = p."beforeId") as other_rules
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (id uuid, "beforeId" uuid, tags text[]))
    select pair.id, before.number as "previousNumber", before.ended_at as "previousEndedAt",
      now.score - before.score as score, pair.other_rules as "ruleSetChanged", seen.*,
      (select count(*)::int from (select key_hash from page where run_id = now.id and status = 'completed'
        except select key_hash from page where run_id = before.id and status = 'completed') a) as "pagesAdded",
      (select count(*)::int from (select key_hash from page where run_id = before.id and status = 'completed'
        except select key_hash from page where run_id = now.id and status = 'completed') g) as "pagesGone",
      now.critical - before.critical as critical, now.serious - before.serious as serious,
      now.moderate - before.moderate as moderate, now.minor - before.minor as minor,
      now.needs_review - before.needs_review as "needsReview"
    from pair join run now on now.id = pair.id join run before on before.id = pair.before_id
    cross join lateral (
      select count(*) filter (where change = ${stored.change.fixed} and status = ${stored.status.fixed} and not by_rule_set)::int as fixed,
        count(*) filter (where change = ${stored.change.fixed} and status = ${stored.status.fixed} and by_rule_set)::int as "fixedByRuleSet",
        count(*) filter (where change = ${stored.change.new} and not by_rule_set)::int as new,
        count(*) filter (where change = ${stored.change.new} and by_rule_set)::int as "newByRuleSet",
        count(*) filter (where change = ${stored.change.new} and severity = ${stored.severity.critical} and not by_rule_set)::int as "newCritical",
        count(*) filter (where change = ${stored.change.back})::int as back,
        count(*) filter (where change = ${stored.change.still})::int as "stillOpen"
      from (select f.change, f.status, f.severity, pair.other_rules
          and ((f.change = ${stored.change.new} and not (select tags from rule where id = f.rule_id) && pair.tags)
            or (f.change in (${stored.change.new}, ${stored.change.fixed}) and exists (
              select from page p join page q on q.run_id = before.id and q.key_hash = p.key_hash
              where p.id = f.page_id and p.run_id = now.id and p.content_hash = q.content_hash))) as by_rule_set
        from finding f where f.run_id = pair.id and f.severity < ${stored.severity.review}
          and (f.status = ${stored.status.open} or (f.change = ${stored.change.fixed} and f.status = ${stored.status.fixed}))) judged
    ) seen`.execute(db)
  return rows
}

/** A change as it is stored. What was known before is kept where the run before no longer has the pages to tell. */
function changeOf({ id: _id, ...row }: Row, { cleared }: Before, known: Change | null): Change | null {
  const {
    critical,
    serious,
    moderate,
    minor,
    needsReview,
    previousEndedAt,
    newByRuleSet,
    fixedByRuleSet,
    ...rest
  } = row
  // Which issues another rule set caused is seen by the contents of both runs.
  if (cleared && rest.ruleSetChanged) return known
  return {
    ...rest,
    ...(cleared && known && { pagesAdded: known.pagesAdded, pagesGone: known.pagesGone }),
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    byRuleSet: { new: newByRuleSet, fixed: fixedByRuleSet },
    openIssues: { critical, serious, moderate, minor, needsReview },
  }
}

/**
 * Stores what changed in runs, as (run_id), and in the runs after them, whose numbers are compared with theirs; null for a first
 * one. Every figure of a change comes from here, at each moment at which something is counted again.
 */
export async function recordChanges(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; change: unknown }>`
    with touched as materialized (select id, scan_id, number from run where id = any(array(select run_id from ${runs} u))),
    concerned as (
      select id from touched
      union select next.id from touched, lateral (
        select id from run where scan_id = touched.scan_id and number > touched.number
          and status in ${runStatus.withResults} order by number limit 1) next)
    select run.id, plan.change from concerned join run on run.id = concerned.id
    join run_plan plan on plan.run_id = run.id where run.status = 'completed'`.execute(db)
  const pairs = new Map(
    (
      await runsBefore(
        db,
        rows.map(({ id }) => id),
      )
    ).map((pair) => [pair.id, pair]),
  )
  const found = new Map((await changesSince(db, [...pairs.values()])).map((row) => [row.id, row]))
  const changes = rows.map(({ id, change }) => {
    const [pair, row] = [pairs.get(id), found.get(id)]
    const known = readIfSound(z.nullable(RunChange), change)
    return { id, change: pair && row ? changeOf(row, pair, known) : null }
  })
  await sql`update run_plan set change = c.change
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (id uuid, change jsonb) where run_id = c.id`.execute(
    db,
  )
}

import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { readIfSound } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import { tagsOf } from '../../run/model.ts'
import { stored } from '../table.ts'

type Change = z.output<typeof RunChange>
type Row = Omit<Change, 'openIssues' | 'previousEndedAt' | 'byRuleSet'> & {
  previousEndedAt: Date | null
  newByRuleSet: number
  fixedByRuleSet: number
  critical: number
  serious: number
  moderate: number
  minor: number
  needsReview: number
}

/** The newest completed run before one, with its rules, and whether retention has taken its pages or contents. */
async function runBefore(db: MonitorDb, runId: string) {
  const { rows } = await sql<{ id: string; rule_set: unknown; cleared: boolean }>`
    select before.id, plan.settings->'ruleSet' as rule_set, before.contents_cleared_at is not null as cleared
    from run now join run before on before.scan_id = now.scan_id and before.number < now.number
    join run_plan plan on plan.run_id = before.id
    where now.id = ${runId} and before.status in ('completed', 'archived')
    order by before.number desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * What changed against the newest completed run before; null for a first one. What was known before is kept where the run before
 * no longer has the pages to tell. Needs-review results do not count. What
 * only another rule set or axe-core release caused is counted apart: the rule was off before, or the page is the same byte
 * for byte.
 */
async function changeOf(db: MonitorDb, runId: string, known: Change | null): Promise<Change | null> {
  const before = await runBefore(db, runId)
  // A plan that cannot be read is no reason that a later run does not end.
  const rules = before && readIfSound(RuleSet, before.rule_set)
  if (!before || !rules) return null
  const { rows } = await sql<Row>`
    with now as (select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id where run.id = ${runId}),
    before as (select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id where run.id = ${before.id}),
    judged as (
      select f.change, f.status, f.severity, now.rule_set_hash <> before.rule_set_hash
        and ((f.change = ${stored.change.new} and not rule.tags && ${tagsOf(rules)}::text[]) or (f.change in (${stored.change.new}, ${stored.change.fixed}) and exists (
          select from page p join page q on q.run_id = before.id and q.key_hash = p.key_hash
          where p.id = f.page_id and p.run_id = now.id and p.content_hash = q.content_hash))) as by_rule_set
      from finding f join rule on rule.id = f.rule_id, now, before
      where f.run_id = now.id and f.severity < ${stored.severity.review} and (f.status = ${stored.status.open} or (f.change = ${stored.change.fixed} and f.status = ${stored.status.fixed}))),
    seen as (
      select count(*) filter (where change = ${stored.change.fixed} and status = ${stored.status.fixed} and not by_rule_set)::int as fixed,
        count(*) filter (where change = ${stored.change.fixed} and status = ${stored.status.fixed} and by_rule_set)::int as "fixedByRuleSet",
        count(*) filter (where change = ${stored.change.new} and not by_rule_set)::int as new,
        count(*) filter (where change = ${stored.change.new} and by_rule_set)::int as "newByRuleSet",
        count(*) filter (where change = ${stored.change.new} and severity = ${stored.severity.critical} and not by_rule_set)::int as "newCritical",
        count(*) filter (where change = ${stored.change.back})::int as back,
        count(*) filter (where change = ${stored.change.still})::int as "stillOpen"
      from judged),
    here as (select key_hash from page where run_id = ${runId} and status = 'completed'),
    there as (select key_hash from page, before where run_id = before.id and page.status = 'completed')
    select before.number as "previousNumber", before.ended_at as "previousEndedAt", now.score - before.score as score,
      now.rule_set_hash <> before.rule_set_hash as "ruleSetChanged", seen.*,
      (select count(*)::int from (select * from here except select * from there) a) as "pagesAdded",
      (select count(*)::int from (select * from there except select * from here) g) as "pagesGone",
      now.critical - before.critical as critical, now.serious - before.serious as serious,
      now.moderate - before.moderate as moderate, now.minor - before.minor as minor,
      now.needs_review - before.needs_review as "needsReview"
    from now, before, seen`.execute(db)
  const row = rows[0]
  if (!row) return null
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
  if (before.cleared && rest.ruleSetChanged) return known
  return {
    ...rest,
    ...(before.cleared && known && { pagesAdded: known.pagesAdded, pagesGone: known.pagesGone }),
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    byRuleSet: { new: newByRuleSet, fixed: fixedByRuleSet },
    openIssues: { critical, serious, moderate, minor, needsReview },
  }
}

/**
 * Stores what changed in runs, as (run_id), and in the runs after them, whose numbers are compared with theirs. Every figure of
 * a change comes from here, at each moment at which something is counted again.
 */
export async function recordChanges(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; change: unknown }>`
    with touched as materialized (select id, scan_id, number from run where id = any(array(select run_id from ${runs} u))),
    concerned as (
      select id from touched
      union select next.id from touched, lateral (
        select id from run where scan_id = touched.scan_id and number > touched.number
          and status in ('completed', 'archived') order by number limit 1) next)
    select run.id, plan.change from concerned join run on run.id = concerned.id
    join run_plan plan on plan.run_id = run.id where run.status = 'completed'`.execute(db)
  for (const { id, change } of rows) {
    const known = readIfSound(z.nullable(RunChange), change) ?? null
    const now = JSON.stringify(await changeOf(db, id, known))
    await sql`update run_plan set change = ${now}::jsonb where run_id = ${id}`.execute(db)
  }
}

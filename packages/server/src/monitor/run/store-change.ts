import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { MonitorDb } from '../database.ts'
import { tagsOf } from './model.ts'

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

/** The newest completed run before one, with its rules. */
async function runBefore(db: MonitorDb, runId: string) {
  const { rows } = await sql<{ id: string; rule_set: RuleSet }>`
    select before.id, plan.settings->'ruleSet' as rule_set
    from run now join run before on before.scan_id = now.scan_id and before.number < now.number
    join run_plan plan on plan.run_id = before.id
    where now.id = ${runId} and before.status in ('completed', 'archived')
    order by before.number desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * What changed against the newest completed run before; null for a first one. Needs-review results do not count. What
 * only another rule set or axe-core release caused stands apart: the rule was off before, or the page is the same byte
 * for byte.
 */
export async function changeOf(db: MonitorDb, runId: string): Promise<Change | null> {
  const before = await runBefore(db, runId)
  if (!before) return null
  const { rows } = await sql<Row>`
    with now as (select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id where run.id = ${runId}),
    before as (select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id where run.id = ${before.id}),
    judged as (
      select f.change, f.status, f.severity, now.rule_set_hash <> before.rule_set_hash
        and ((f.change = 0 and not rule.tags && ${tagsOf(before.rule_set)}::text[]) or (f.change in (0, 3) and exists (
          select from page p join page q on q.run_id = before.id and q.key_hash = p.key_hash
          where p.id = f.page_id and p.run_id = now.id and p.content_hash = q.content_hash))) as by_rule_set
      from finding f join rule on rule.id = f.rule_id, now, before
      where f.run_id = now.id and f.severity < 4 and (f.status = 1 or (f.change = 3 and f.status = 2))),
    seen as (
      select count(*) filter (where change = 3 and status = 2 and not by_rule_set)::int as fixed,
        count(*) filter (where change = 3 and status = 2 and by_rule_set)::int as "fixedByRuleSet",
        count(*) filter (where change = 0 and not by_rule_set)::int as new,
        count(*) filter (where change = 0 and by_rule_set)::int as "newByRuleSet",
        count(*) filter (where change = 0 and severity = 0 and not by_rule_set)::int as "newCritical",
        count(*) filter (where change = 2)::int as back,
        count(*) filter (where change = 1)::int as "stillOpen"
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
  return {
    ...rest,
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    byRuleSet: { new: newByRuleSet, fixed: fixedByRuleSet },
    openIssues: { critical, serious, moderate, minor, needsReview },
  }
}

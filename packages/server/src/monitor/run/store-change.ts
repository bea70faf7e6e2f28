import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { MonitorDb } from '../database.ts'

type Change = z.output<typeof RunChange>
type Row = Omit<Change, 'openIssues' | 'previousEndedAt'> & {
  previousEndedAt: Date | null
  critical: number
  serious: number
  moderate: number
  minor: number
  needsReview: number
}

/** What changed against the newest completed run before; null for a first one. Needs-review results do not count. */
export async function changeOf(db: MonitorDb, runId: string): Promise<Change | null> {
  const { rows } = await sql<Row>`
    with now as (select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id where run.id = ${runId}),
    before as (
      select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id, now
      where run.scan_id = now.scan_id and run.number < now.number and run.status = 'completed'
      order by run.number desc limit 1),
    seen as (
      select count(*) filter (where change = 3 and status = 2)::int as fixed,
        count(*) filter (where change = 0 and status <= 1)::int as new,
        count(*) filter (where change = 0 and status <= 1 and severity = 0)::int as "newCritical",
        count(*) filter (where change = 2 and status <= 1)::int as back,
        count(*) filter (where change = 1 and status <= 1)::int as "stillOpen"
      from finding where run_id = ${runId} and severity < 4),
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
  const { critical, serious, moderate, minor, needsReview, previousEndedAt, ...rest } = row
  return {
    ...rest,
    previousEndedAt: previousEndedAt?.toISOString() ?? null,
    openIssues: { critical, serious, moderate, minor, needsReview },
  }
}

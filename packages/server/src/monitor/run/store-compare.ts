import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

type Counts = { onlyHere: number; both: number; onlyThere: number }
export type ComparedRule = Counts & { rule: string; help: string; severity: number }

/**
 * Issues that count in either of two runs, by rule and severity: only in the first, in both, only in the second. The
 * key of findings begins with the run, so each side is read once, in the order of issues.
 */
export async function comparedIssues(db: MonitorDb, here: string, there: string): Promise<ComparedRule[]> {
  const side = (runId: string) => sql`(select issue_id, rule_id, severity from finding
    where run_id = ${runId} and change <= 2 and status = 1)`
  const { rows } = await sql<ComparedRule>`
    select rule.name as rule, min(rule.help) as help, t.severity,
      sum(only_here)::int as "onlyHere", sum(in_both)::int as "both", sum(only_there)::int as "onlyThere"
    from (
      select coalesce(a.rule_id, b.rule_id) as rule_id, coalesce(a.severity, b.severity) as severity,
        count(*) filter (where b.issue_id is null) as only_here,
        count(*) filter (where a.issue_id is not null and b.issue_id is not null) as in_both,
        count(*) filter (where a.issue_id is null) as only_there
      from ${side(here)} a full join ${side(there)} b on b.issue_id = a.issue_id group by 1, 2) t
    join rule on rule.id = t.rule_id group by rule.name, t.severity order by rule.name, t.severity`.execute(
    db,
  )
  return rows
}

/** Completed pages of either run: only in the first, in both, only in the second. */
export async function comparedPages(db: MonitorDb, here: string, there: string): Promise<Counts> {
  const side = (runId: string) =>
    sql`(select distinct key_hash from page where run_id = ${runId} and status = 'completed')`
  const { rows } = await sql<Counts>`
    select count(*) filter (where b.key_hash is null) as "onlyHere",
      count(*) filter (where a.key_hash is not null and b.key_hash is not null) as "both",
      count(*) filter (where a.key_hash is null) as "onlyThere"
    from ${side(here)} a full join ${side(there)} b on b.key_hash = a.key_hash`.execute(db)
  return rows[0]!
}

import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

type Counts = { onlyHere: number; both: number; onlyThere: number }
export type ComparedRule = Counts & {
  rule: string
  help: string
  severity: number
  /** Of the ones on one side only: what only the other rule set caused. */
  ruleSetHere: number
  ruleSetThere: number
}
/** A run, and the tags of its rule set. */
export type ComparedRun = { id: string; tags: readonly string[] }

/**
 * Whether a finding that the other run lacks is there because of the rule set alone: its rule was off there, or the page is
 * the same byte for byte.
 */
const byRuleSet = (page: RawBuilder<unknown>, other: ComparedRun) => sql<boolean>`(
  not (select tags from rule where id = t.rule_id) && ${[...other.tags]}::text[] or exists (
    select from page p join page q on q.run_id = ${other.id} and q.key_hash = p.key_hash
    where p.id = ${page} and p.content_hash = q.content_hash))`

/**
 * Issues that count in either of two runs, by rule and severity: only in the first, in both, only in the second. The
 * key of findings begins with the run, so each side is read once, in the order of issues.
 * @param runs.ruleSetChanged whether their rule sets differ; else nothing is put down to these
 */
export async function comparedIssues(
  db: MonitorDb,
  runs: { here: ComparedRun; there: ComparedRun; ruleSetChanged: boolean },
): Promise<ComparedRule[]> {
  const { here, there, ruleSetChanged } = runs
  const side = ({ id }: ComparedRun) => sql`(select issue_id, rule_id, severity, page_id from finding
    where run_id = ${id} and change <= 2 and status = 1)`
  const alone = (where: RawBuilder<boolean>, other: ComparedRun, page: RawBuilder<unknown>) =>
    ruleSetChanged ? sql`count(*) filter (where ${where} and ${byRuleSet(page, other)})::int` : sql`0`
  const { rows } = await sql<ComparedRule>`
    select rule.name as rule, min(rule.help) as help, t.severity,
      sum(only_here)::int as "onlyHere", sum(in_both)::int as "both", sum(only_there)::int as "onlyThere",
      sum(rule_set_here)::int as "ruleSetHere", sum(rule_set_there)::int as "ruleSetThere"
    from (
      select rule_id, severity, count(*) filter (where there is null) as only_here,
        count(*) filter (where here is not null and there is not null) as in_both,
        count(*) filter (where here is null) as only_there,
        ${alone(sql`there is null`, there, sql`here`)} as rule_set_here,
        ${alone(sql`here is null`, here, sql`there`)} as rule_set_there
      from (select coalesce(a.rule_id, b.rule_id) as rule_id, coalesce(a.severity, b.severity) as severity,
          a.page_id as here, b.page_id as there
        from ${side(here)} a full join ${side(there)} b on b.issue_id = a.issue_id) t group by 1, 2) t
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

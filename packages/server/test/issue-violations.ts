import { sql } from 'kysely'
import type { MonitorDb } from '../src/monitor/database.ts'
import { isInForce, isIgnored, isOpen, storedLiterals } from '../src/monitor/issue/table.ts'

/** Returns what is wrong with the statuses and counts that are stored for a scan. */
export async function listIssueViolations(db: MonitorDb, scanId: string): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'a finding has another status than its issue: ' || f.status || ', ' || i.status as problem
      from issue i join finding f on f.issue_id = i.id where i.scan_id = ${scanId} and f.status <> i.status
    union all select 'an issue is ignored without an ignore' from issue i where i.scan_id = ${scanId}
      and i.status = ${storedLiterals.status.ignored}
      and not exists (select from issue_ignore n where n.id = i.ignore_id and ${isInForce('n')})
    union all select 'a page counts ' || p.critical || ', ' || p.serious || ', ' || p.needs_review || ' instead of '
        || t.critical || ', ' || t.serious || ', ' || t.review
      from page p join lateral (
        select count(*) filter (where f.severity = ${storedLiterals.severity.critical} and ${isOpen('f')}) as critical,
          count(*) filter (where f.severity = ${storedLiterals.severity.serious} and ${isOpen('f')}) as serious,
          count(*) filter (where f.severity = ${storedLiterals.severity.review} and ${isOpen('f')}) as review
        from finding f where f.page_id = p.id and f.run_id = p.run_id) t on true
      where p.scan_id = ${scanId} and (p.critical, p.serious, p.needs_review) <> (t.critical, t.serious, t.review)
    union all select 'a run counts other issues than its pages' from run r join lateral (
        select sum(critical) as critical, sum(serious) as serious, sum(needs_review) as review from page where run_id = r.id) t on true
      where r.scan_id = ${scanId} and (r.critical, r.serious, r.needs_review) <> (t.critical, t.serious, t.review)
    union all select 'a run counts ' || r.ignored || ' ignored issues instead of ' || t.ignored from run r join lateral (
        select count(*) as ignored from finding f where f.run_id = r.id and ${isIgnored('f')}) t on true
      where r.scan_id = ${scanId} and r.ignored <> t.ignored`.execute(db)
  return rows.map(({ problem }) => problem)
}

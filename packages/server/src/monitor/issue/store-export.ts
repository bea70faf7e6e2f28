import { sql } from 'kysely'
import type { Portions } from '../../kit/csv.ts'
import { streamRows } from '../../kit/database.ts'
import type { MonitorDb } from '../database.ts'
import type { ExportRow } from './model-export.ts'
import { asksIssue, conditions } from './store-filter.ts'
import { selectedFindings, type SelectedIssues } from './store-selection.ts'

const instant = (column: string) =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// Lists come as JSON: the driver reads that much faster than arrays.
const briefColumns = sql`
  f.issue_id::text as id, r.scan_name as "scanName", r.number as "runNumber", p.url as "pageUrl", rule.name as rule,
  rule.help, f.severity, f.status, f.change, e.selector`
const detailColumns = sql`,
  r.scan_id::text as "scanId", f.page_id::text as "pageId", p.title as "pageTitle", rule.help_url as "helpUrl",
  to_jsonb(rule.tags) as tags, f.impact, e.target, e.html, e.fix, to_jsonb(i.labels) as labels, i.remediation,
  i.component, i.assigned_to as "assignedId",
  (select coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.username) from person a
    where a.id = i.assigned_to) as "assignedTo",
  ${instant('i.first_seen_at')} as "firstSeenAt", ${instant('i.last_seen_at')} as "lastSeenAt"`

/**
 * Everything that is selected, in the order scan, run, severity. Run by run inside one statement, so that nothing is
 * sorted as a whole and memory stays constant on both sides.
 */
export function streamExport(
  db: MonitorDb,
  selected: SelectedIssues,
  detailed: boolean,
): Portions<ExportRow> {
  const { selection, filters } = selected
  const all = selection.selectAllMode
  const runs = all
    ? sql`${selected.runs}`
    : sql`(select distinct s.run_id, run.number, s.scan_id, scan.name as scan_name
        from ${selectedFindings(selected)} s join run on run.id = s.run_id join scan on scan.id = s.scan_id)`
  const which = all
    ? sql`${conditions(filters, { severity: false })}
        ${selection.except.length > 0 ? sql`and f.issue_id <> all(${[...selection.except]}::uuid[])` : sql``}`
    : sql`f.issue_id = any(${[...selection.ids]}::uuid[])`
  return streamRows(
    db,
    sql<ExportRow>`
      select found.* from (select * from ${runs} r order by lower(scan_name), scan_id, number) r
      cross join lateral (
        select ${briefColumns} ${detailed ? detailColumns : sql``}
        from finding f join rule on rule.id = f.rule_id join page p on p.id = f.page_id
        join evidence e on e.hash = f.evidence
        ${detailed || asksIssue(filters) ? sql`join issue i on i.id = f.issue_id` : sql``}
        where f.run_id = r.run_id and ${which} order by f.severity, f.issue_id) found`,
  )
}

export type ExportedRule = {
  rule: string
  help: string
  description: string
  helpUrl: string
  tags: string[]
}
/** The rules of what is selected: formats that describe each once want them first. */
export async function exportedRules(db: MonitorDb, selected: SelectedIssues): Promise<ExportedRule[]> {
  const { rows } = await sql<ExportedRule>`
    select distinct on (rule.name) rule.name as rule, rule.help, rule.description, rule.help_url as "helpUrl", rule.tags
    from ${selectedFindings(selected)} s join finding f on f.run_id = s.run_id and f.issue_id = s.issue_id
    join rule on rule.id = f.rule_id order by rule.name, rule.id desc`.execute(db)
  return rows
}

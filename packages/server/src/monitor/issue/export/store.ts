import { criteriaOf } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { sql } from 'kysely'
import type { Portions } from '../../../kit/csv/write.ts'
import { streamRows } from '../../../kit/read.ts'
import type { MonitorDb } from '../../database.ts'
import type { ExportRow } from './model.ts'
import { asksIssue, asksRule, conditions } from '../filter/store.ts'
import { selectedFindings, type SelectedIssues } from '../bulk/store.ts'
import { formerMember, personName } from '../../access/table.ts'
import { evidenceOf } from '../table.ts'

const milliseconds = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`

// Lists come as JSON: the driver reads that much faster than arrays. What many rows share is looked up once, in Node.
const briefColumns = sql`
  f.issue_id::text as id, r.scan_name as "scanName", r.number as "runNumber", f.rule_id as "ruleId", f.severity, f.status,
  f.change, e.selector, coalesce(p.url, (select url from page where id = f.page_id)) as "pageUrl"`
const detailColumns = sql`,
  r.scan_id::text as "scanId", f.page_id::text as "pageId",
  coalesce(p.title, (select title from page where p.id is null and id = f.page_id)) as "pageTitle",
  coalesce(p.carried_from, (select carried_from from page where p.id is null and id = f.page_id)) as "carriedFrom",
  f.impact, e.target, e.html, e.fix, to_jsonb(i.labels) as labels, i.remediation, i.component, i.ticket_url as "ticketUrl",
  i.assigned_to as "assignedId", ${milliseconds('i.first_seen_at')} as "firstSeen",
  ${milliseconds('i.last_seen_at')} as "lastSeen"`

type SharedFields =
  'rule' | 'help' | 'helpUrl' | 'tags' | 'criteria' | 'assignedTo' | 'firstSeenAt' | 'lastSeenAt'
type Found = Omit<ExportRow, SharedFields | 'target' | 'fix'> & {
  ruleId: number
  /** These of a detailed row only. */
  firstSeen?: number
  lastSeen?: number
  target?: unknown
  fix?: unknown
}
type Shared = {
  rules: Map<number, Pick<ExportRow, 'rule' | 'help' | 'helpUrl' | 'tags' | 'criteria'>>
  people: Map<string, string | null>
}

/** What many rows share: rules by their ids, and the names of people. */
async function sharedFacts(db: MonitorDb): Promise<Shared> {
  const rules = await sql<{ id: number; rule: string; help: string; helpUrl: string; tags: string[] }>`
    select id, name as rule, help, help_url as "helpUrl", tags from rule`.execute(db)
  const people = await sql<{ id: string; name: string | null }>`
    select id, ${personName()} as name from person`.execute(db)
  return {
    rules: new Map(rules.rows.map(({ id, ...rule }) => [id, { ...rule, criteria: criteriaOf(rule.tags) }])),
    people: new Map(people.rows.map(({ id, name }) => [id, name])),
  }
}

/** Moments as texts. The issues of a page have the same one, so most have been written before. */
function instants(): (ms: number | undefined) => string {
  const known = new Map<number, string>()
  return (ms) => {
    if (ms === undefined) return ''
    const before = known.get(ms)
    if (before !== undefined) return before
    if (known.size >= 10_000) known.clear()
    const text = new Date(ms).toISOString()
    known.set(ms, text)
    return text
  }
}

/** The row with what it shares with others. The same object: a copy of each would cost more than all the rest. */
function completed({ rules, people }: Shared, instant: ReturnType<typeof instants>, found: Found): ExportRow {
  const row = found as typeof found & ExportRow
  if (found.target !== undefined)
    Object.assign(row, evidenceOf(found.id, { target: found.target, fix: found.fix }))
  const { rule, help, helpUrl, tags, criteria } = rules.get(row.ruleId)!
  row.rule = rule
  row.help = help
  row.helpUrl = helpUrl
  row.tags = tags
  row.criteria = criteria
  const assigned = people.get(row.assignedId ?? '')
  row.assignedTo = assigned === undefined ? null : (assigned ?? formerMember)
  row.firstSeenAt = instant(row.firstSeen)
  row.lastSeenAt = instant(row.lastSeen)
  return row
}

/**
 * Everything that is selected, in the order scan, run, severity. Run by run inside one statement, so that nothing is
 * sorted as a whole and memory stays constant on both sides. The pages of a run are read once: what is not there any more
 * may be on a page of an older run, and is looked up.
 */
export async function* streamExport(
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
  const found = sql<Found>`
    select found.* from (select * from ${runs} r order by lower(scan_name), scan_id, number) r
    cross join lateral (
      select ${briefColumns} ${detailed ? detailColumns : sql``}
      from finding f ${asksRule(filters) ? sql`join rule on rule.id = f.rule_id` : sql``}
      left join (select id, url, title, carried_from from page where run_id = r.run_id offset 0) p on p.id = f.page_id
      join evidence e on e.hash = f.evidence
      ${detailed || asksIssue(filters) ? sql`join issue i on i.id = f.issue_id` : sql``}
      where f.run_id = r.run_id and ${which} order by f.severity, f.issue_id) found`
  const instant = instants()
  let shared = await sharedFacts(db)
  for await (const portion of streamRows(db, found)) {
    // A rule that is newer than what was looked up.
    if (portion.some(({ ruleId }) => !shared.rules.has(ruleId))) shared = await sharedFacts(db)
    yield portion.map((row) => completed(shared, instant, row))
  }
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

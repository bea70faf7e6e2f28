import { criteriaOf } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Portions } from '../../../kit/csv/write.ts'
import { streamRows } from '../../../kit/large-read.ts'
import type { MonitorDb } from '../../database.ts'
import type { ExportDetail, ExportRow } from './model.ts'
import { asksIssue, asksRule, conditions } from '../filter/store.ts'
import { selectedFindings, type SelectedIssues } from '../bulk/store.ts'
import { formerMemberName, buildPersonName } from '../../access/table.ts'
import { fixOf, targetOf } from '../table.ts'

/** A column of a finding's page: the pages of the run are joined as `p`, those of older runs are looked up. */
const ofPage = (column: string) => sql`case when p.id is null
  then (select ${sql.ref(column)} from page where id = f.page_id) else ${sql.ref(`p.${column}`)} end as ${sql.ref(column)}`

/** Whole milliseconds, without their fractions. Doubles are inexact by less than half a microsecond; exact numbers are slow. */
const milliseconds = (column: string) => sql`floor(date_part('epoch', ${sql.ref(column)}) * 1000 + 0.0005)`

// Lists come as JSON: the driver reads that much faster than arrays. What many rows share is looked up once, in Node.
const briefColumns = sql`
  f.issue_id::text as id, r.scan_name as "scanName", r.number as "runNumber", f.rule_id as "ruleId", f.severity, f.status,
  f.change, e.selector, f.url as "pageUrl"`
const detailColumns = sql`,
  r.scan_id::text as "scanId", f.page_id::text as "pageId", f.title as "pageTitle", f.carried_from as "carriedFrom", f.impact,
  e.html, e.fix::text as "fixJson", case when i.labels <> '{}' then to_jsonb(i.labels) end as "ownLabels",
  i.remediation, i.component, i.ticket_url as "ticketUrl", i.assigned_to as "assignedId",
  ${milliseconds('i.first_seen_at')} as "firstSeen", ${milliseconds('i.last_seen_at')} as "lastSeen"`
const columnsOf: Readonly<Record<ExportDetail, RawBuilder<unknown>>> = {
  brief: briefColumns,
  detailed: sql`${briefColumns}${detailColumns}`,
  whole: sql`${briefColumns}${detailColumns}, e.target as "storedTarget"`,
}

type SharedFields =
  'rule' | 'help' | 'helpUrl' | 'tags' | 'criteria' | 'assignedTo' | 'firstSeenAt' | 'lastSeenAt'
type Found = Omit<ExportRow, SharedFields | 'target' | 'fix' | 'labels'> & {
  ruleId: number
  /** These of a detailed row only. */
  firstSeen?: number
  lastSeen?: number
  fixJson?: string
  /** Null for none. */
  ownLabels?: string[] | null
  /** Of a whole row only. */
  storedTarget?: unknown
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
    select id, ${buildPersonName()} as name from person`.execute(db)
  return {
    rules: new Map(rules.rows.map(({ id, ...rule }) => [id, { ...rule, criteria: criteriaOf(rule.tags) }])),
    people: new Map(people.rows.map(({ id, name }) => [id, name])),
  }
}

/** Keeps what `make` made of a key: most rows repeat the moment and the fix of rows before them. */
function remembered<Key extends string | number, Value>(
  make: (key: Key, issueId: string) => Value,
): (key: Key, issueId: string) => Value {
  const known = new Map<Key, Value>()
  return (key, issueId) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = make(key, issueId)
    if (known.size >= mostRemembered) known.clear()
    if (typeof key === 'number' || key.length <= longestRemembered) known.set(key, value)
    return value
  }
}
const mostRemembered = 5000
const longestRemembered = 1000

/** How the texts of one export are read; what they give is kept until its end. */
const openReaders = () => ({
  instant: remembered((ms: number) => new Date(ms).toISOString()),
  fix: remembered((json: string, issueId) => fixOf(issueId, JSON.parse(json))),
})
const noLabels: string[] = []

/** The row with what it shares with others. The same object: a copy of each would cost more than all the rest. */
function completed(
  { rules, people }: Shared,
  { instant, fix }: ReturnType<typeof openReaders>,
  found: Found,
): ExportRow {
  const row = found as typeof found & ExportRow
  const { firstSeen, lastSeen, fixJson } = found
  const { rule, help, helpUrl, tags, criteria } = rules.get(found.ruleId)!
  row.rule = rule
  row.help = help
  row.helpUrl = helpUrl
  row.tags = tags
  row.criteria = criteria
  if (firstSeen === undefined || lastSeen === undefined || fixJson === undefined) return row
  const assigned = row.assignedId === null ? undefined : people.get(row.assignedId)
  row.assignedTo = assigned === undefined ? null : (assigned ?? formerMemberName)
  row.firstSeenAt = instant(firstSeen, row.id)
  row.lastSeenAt = instant(lastSeen, row.id)
  row.fix = fix(fixJson, row.id)
  row.labels = found.ownLabels ?? noLabels
  if (found.storedTarget !== undefined) row.target = targetOf(row.id, found.storedTarget)
  return row
}

/**
 * Everything that is selected, in the order scan, run, severity. Run by run inside one statement, so that nothing is
 * sorted as a whole and memory stays constant on both sides. The pages of a run are read once: what is not there any more
 * may be on a page of an older run, and is looked up. What is sorted is narrow; what is wide is looked up in that order.
 */
export async function* streamExport(
  db: MonitorDb,
  selected: SelectedIssues,
  detail: ExportDetail,
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
      select ${columnsOf[detail]} from (
        select f.issue_id, f.page_id, f.rule_id, f.severity, f.status, f.change, f.impact, f.evidence,
          ${ofPage('url')}, ${ofPage('title')}, ${ofPage('carried_from')}
        from finding f ${asksRule(filters) ? sql`join rule on rule.id = f.rule_id` : sql``}
        ${asksIssue(filters) ? sql`join issue i on i.id = f.issue_id` : sql``}
        left join (select id, url, title, carried_from from page where run_id = r.run_id offset 0) p on p.id = f.page_id
        where f.run_id = r.run_id and ${which} order by f.severity, f.issue_id) f
      join evidence e on e.hash = f.evidence
      ${detail === 'brief' ? sql`` : sql`join issue i on i.id = f.issue_id`}
      order by f.severity, f.issue_id) found`
  const readers = openReaders()
  let shared = await sharedFacts(db)
  for await (const portion of streamRows(db, found)) {
    // A rule that is newer than what was looked up.
    if (portion.some(({ ruleId }) => !shared.rules.has(ruleId))) shared = await sharedFacts(db)
    yield portion.map((row) => completed(shared, readers, row))
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

import { listCriteria } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { type RawBuilder, sql } from 'kysely'
import type { RowBatches } from '../../../kit/csv/write.ts'
import { streamRows } from '../../../kit/large-read.ts'
import type { MonitorDb } from '../../database.ts'
import type { ExportDetail, ExportRow } from './model.ts'
import { needsIssue, needsRule, buildConditions } from '../filter/store.ts'
import { selectedFindings, type SelectedIssues } from '../selection/store.ts'
import { formerMemberName, buildPersonName } from '../../access/table.ts'
import { getEngine } from '../model.ts'
import { isSeenByNewest } from '../span/store.ts'
import { parseFix, parseTarget, storedLiterals } from '../table.ts'
import { getRuleTitle } from '../../ruleset/title/model.ts'

/** A column of a finding's page: pages of the run are joined as `p`, pages of older runs are looked up. */
const selectPageColumn = (column: string) => sql`case when p.id is null
  then (select ${sql.ref(column)} from page where id = f.page_id) else ${sql.ref(`p.${column}`)} end as ${sql.ref(column)}`

/** Whole milliseconds without fractions. Doubles are off by less than half a microsecond; numeric arithmetic is slow. */
const toMilliseconds = (column: RawBuilder<unknown>) => sql`floor(date_part('epoch', ${column}) * 1000 + 0.0005)`

// Lists are selected as JSON, which the driver parses much faster than arrays. Values shared by many rows are joined in Node.
const briefColumns = sql`
  f.issue_id::text as id, r.scan_name as "scanName", r.number as "runNumber", f.rule_id as "ruleId", f.severity, f.status,
  f.change, e.selector, f.url as "pageUrl"`
const detailColumns = sql`,
  r.scan_id::text as "scanId", f.page_id::text as "pageId", f.title as "pageTitle", f.carried_from as "carriedFrom", f.impact,
  e.html, e.fix::text as "fixJson", case when i.labels <> '{}' then to_jsonb(i.labels) end as "ownLabels",
  f.drive_level as "driveLevel", f.states as "ownStates", i.remediation, i.component, i.ticket_url as "ticketUrl", i.assigned_to as "assignedId",
  ${toMilliseconds(sql`i.first_seen_at`)} as "firstSeen", ${toMilliseconds(sql`case when i.presence = ${storedLiterals.presence.there} and ${isSeenByNewest} then greatest(i.last_seen_at, r.newest_ended_at) else i.last_seen_at end`)} as "lastSeen"`
const columnsByDetail: Readonly<Record<ExportDetail, RawBuilder<unknown>>> = {
  brief: briefColumns,
  detailed: sql`${briefColumns}${detailColumns}`,
  whole: sql`${briefColumns}${detailColumns}, e.target as "storedTarget", i.element_key as "elementKey"`,
}

type SharedFields =
  | 'engine'
  | 'states'
  | 'rule'
  | 'help'
  | 'helpUrl'
  | 'tags'
  | 'criteria'
  | 'assignedTo'
  | 'firstSeenAt'
  | 'lastSeenAt'
type SelectedRow = Omit<ExportRow, SharedFields | 'target' | 'fix' | 'labels'> & {
  ruleId: number
  /** The following are set only for detailed rows. */
  firstSeen?: number
  lastSeen?: number
  fixJson?: string
  driveLevel?: number | null
  /** Null for the page as it arrived. */
  ownStates?: string[] | null
  /** Null for no labels. */
  ownLabels?: string[] | null
  /** Only at the detail `whole`. */
  storedTarget?: unknown
}
type SharedLookups = {
  rules: Map<number, Pick<ExportRow, 'rule' | 'help' | 'helpUrl' | 'tags' | 'criteria'>>
  people: Map<string, string | null>
}

async function loadSharedLookups(db: MonitorDb): Promise<SharedLookups> {
  const ruleResult = await sql<{ id: number; rule: string; help: string; helpUrl: string; tags: string[] }>`
    select id, name as rule, help, help_url as "helpUrl", tags from rule`.execute(db)
  const personResult = await sql<{ id: string; name: string | null }>`
    select id, ${buildPersonName()} as name from person`.execute(db)
  return {
    rules: new Map(
      ruleResult.rows.map(({ id, rule, help, tags, helpUrl }) => [
        id,
        { rule, help: getRuleTitle(rule, help), tags, helpUrl, criteria: listCriteria(tags) },
      ]),
    ),
    people: new Map(personResult.rows.map(({ id, name }) => [id, name])),
  }
}

/** Caches the result of `computeValue` by key; most rows repeat the timestamp and the fix of previous rows. */
function memoize<Key extends string | number, Value>(
  computeValue: (key: Key, issueId: string) => Value,
): (key: Key, issueId: string) => Value {
  const cachedValues = new Map<Key, Value>()
  return (key, issueId) => {
    const cachedValue = cachedValues.get(key)
    if (cachedValue !== undefined) return cachedValue
    const computedValue = computeValue(key, issueId)
    if (cachedValues.size >= maxCachedValues) cachedValues.clear()
    if (typeof key === 'number' || key.length <= maxCachedKeyLength) cachedValues.set(key, computedValue)
    return computedValue
  }
}
const maxCachedValues = 5000
const maxCachedKeyLength = 1000

const createParsers = () => ({
  toIsoTime: memoize((ms: number) => new Date(ms).toISOString()),
  parseFix: memoize((json: string, issueId) => parseFix(issueId, JSON.parse(json))),
})
const emptyLabels: string[] = []

/** Adds shared values to a row. Mutates the row: copies would dominate the cost of the export. */
function completeRow(
  { rules, people }: SharedLookups,
  { toIsoTime, parseFix }: ReturnType<typeof createParsers>,
  selectedRow: SelectedRow,
): ExportRow {
  const exportRow = selectedRow as typeof selectedRow & ExportRow
  const { firstSeen: firstSeenMs, lastSeen: lastSeenMs, fixJson } = selectedRow
  const { rule, help, helpUrl, tags, criteria } = rules.get(selectedRow.ruleId)!
  exportRow.rule = rule
  exportRow.help = help
  exportRow.helpUrl = helpUrl
  exportRow.tags = tags
  exportRow.criteria = criteria
  if (firstSeenMs === undefined || lastSeenMs === undefined || fixJson === undefined) return exportRow
  const assigneeName = exportRow.assignedId === null ? undefined : people.get(exportRow.assignedId)
  exportRow.assignedTo = assigneeName === undefined ? null : (assigneeName ?? formerMemberName)
  exportRow.firstSeenAt = toIsoTime(firstSeenMs, exportRow.id)
  exportRow.lastSeenAt = toIsoTime(lastSeenMs, exportRow.id)
  exportRow.fix = parseFix(fixJson, exportRow.id)
  exportRow.labels = selectedRow.ownLabels ?? emptyLabels
  exportRow.engine = getEngine(selectedRow.driveLevel ?? null, rule)
  exportRow.states = selectedRow.ownStates ?? emptyLabels
  if (selectedRow.storedTarget !== undefined) exportRow.target = parseTarget(exportRow.id, selectedRow.storedTarget)
  return exportRow
}

/**
 * Streams the selected findings in the order scan, run, severity. Iterates over runs inside one statement, so that
 * nothing is sorted as a whole and memory stays constant on both sides. The pages of a run are read once; findings on pages
 * of older runs need a lookup. Sorts narrow rows and looks up wide columns afterwards.
 */
export async function* streamExport(db: MonitorDb, selected: SelectedIssues, detail: ExportDetail): RowBatches<ExportRow> {
  const { selection, filters } = selected
  const isSelectAll = selection.selectAllMode
  const selectedRuns = isSelectAll
    ? sql`${selected.runs}`
    : sql`(select distinct s.run_id, run.number, s.scan_id, scan.name as scan_name
        from ${selectedFindings(selected)} s join run on run.id = s.run_id join scan on scan.id = s.scan_id)`
  const findingFilter = isSelectAll
    ? sql`${buildConditions(filters, { severity: false })}
        ${selection.except.length > 0 ? sql`and f.issue_id <> all(${[...selection.except]}::uuid[])` : sql``}`
    : sql`f.issue_id = any(${[...selection.ids]}::uuid[])`
  const exportQuery = sql<SelectedRow>`
    select found.* from (select r.*,
        -- The newest run found all issues that are there.
        (select ended_at from run where run.scan_id = r.scan_id and run.judged order by run.number desc limit 1) as newest_ended_at
      from ${selectedRuns} r order by lower(scan_name), scan_id, number) r
    cross join lateral (
      select ${columnsByDetail[detail]} from (
        select f.issue_id, f.page_id, f.rule_id, f.severity, f.status, f.change, f.impact, f.evidence, f.drive_level,
          to_jsonb(f.states) as states,
          ${selectPageColumn('url')}, ${selectPageColumn('title')}, ${selectPageColumn('carried_from')}
        from finding f ${needsRule(filters) ? sql`join rule on rule.id = f.rule_id` : sql``}
        ${needsIssue(filters) ? sql`join issue i on i.id = f.issue_id` : sql``}
        left join (select id, url, title, carried_from from page where run_id = r.run_id offset 0) p on p.id = f.page_id
        where f.run_id = r.run_id and ${findingFilter} order by f.severity, f.issue_id) f
      join evidence e on e.hash = f.evidence
      ${detail === 'brief' ? sql`` : sql`join issue i on i.id = f.issue_id`}
      order by f.severity, f.issue_id) found`
  const valueParsers = createParsers()
  let sharedLookups = await loadSharedLookups(db)
  for await (const rowChunk of streamRows(db, exportQuery)) {
    // Reloads the lookups when a rule was added since.
    if (rowChunk.some(({ ruleId }) => !sharedLookups.rules.has(ruleId))) sharedLookups = await loadSharedLookups(db)
    yield rowChunk.map((row) => completeRow(sharedLookups, valueParsers, row))
  }
}

export type ExportedRule = { rule: string; help: string; description: string; helpUrl: string; tags: string[] }
/** Rules of the selected findings, for formats that list rules before results. */
export async function listExportedRules(db: MonitorDb, selected: SelectedIssues): Promise<ExportedRule[]> {
  const { rows: ruleRows } = await sql<ExportedRule>`
    select distinct on (rule.name) rule.name as rule, rule.help, rule.description, rule.help_url as "helpUrl", rule.tags
    from ${selectedFindings(selected)} s join finding f on f.run_id = s.run_id and f.issue_id = s.issue_id
    join rule on rule.id = f.rule_id order by rule.name, rule.id desc`.execute(db)
  return ruleRows.map((ruleRow) => ({ ...ruleRow, help: getRuleTitle(ruleRow.rule, ruleRow.help) }))
}

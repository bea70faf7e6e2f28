import { type RawBuilder, sql } from 'kysely'
import { buildIdFilter } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { recountChanged } from '../recount/store.ts'
import { hasLaterRun, laterChange, selectNewestRun, writeSpans } from '../span/store.ts'
import { buildStatusWrites } from '../status/store.ts'
import { impliedStatus, setUpdatedNow, storedLiterals } from '../table.ts'

// `chosen` is a table of one transaction: each issue to change once, with its newest finding (run_id, severity, change).

/** Columns of the temporary tables by which statements join and group. */
const analyzedColumns = {
  chosen: ['issue_id', 'scan_id', 'run_id'],
  changed: ['issue_id', 'scan_id', 'run_id', 'page_key'],
  undone: ['id'],
} as const

/** Lets the planner know a temporary table. A tenth of the usual sample, of few columns, tells it enough. */
export async function analyzeTable(db: MonitorDb, table: keyof typeof analyzedColumns): Promise<void> {
  await sql`set local default_statistics_target = 10`.execute(db)
  await sql`analyze ${sql.table(table)} (${sql.join(analyzedColumns[table].map((name) => sql.ref(name)))})`.execute(db)
}

/** Columns of an issue that an undo restores. */
export const restoredColumns = [
  'status',
  'marked',
  'assigned_to',
  'remediation',
  'ticket_url',
  'labels',
  'ignore_id',
  'review',
  'review_reason',
  'reviewed_by',
  'reviewed_at',
] as const

/** Columns of the issue `i` before a change, so that it is read once. */
export const selectIssueColumns = sql`i.rule, i.group_id, i.page_key, i.version,
  ${sql.join(restoredColumns.map((name) => sql.ref(`i.${name}`)))}, coalesce(i.marked, false) as was_marked`

/** The newest finding of the issue `i`, or its finding in the given run. */
export const selectNewestFinding = (runNumber: number | undefined) =>
  runNumber === undefined
    ? sql`
  select newest.id as run_id, coalesce(page.id, s.last_page_id) as page_id, s.severity, s.change, s.evidence
  from (select * from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id order by s.until_run desc limit 1) s
  cross join lateral ${selectNewestRun('s')} newest
  left join page on page.run_id = newest.id and page.key_hash = s.page_key`
    : sql`select f.run_id, f.severity, f.change from run join finding f on f.run_id = run.id
  where run.scan_id = i.scan_id and run.number = ${runNumber}::int and f.issue_id = i.id`

/** Updates chosen findings of some runs that a later run superseded. The run in view usually is the newest. */
export async function updateChosenToNewest(db: MonitorDb, runIds: readonly string[]): Promise<void> {
  const { rows: supersededRows } = await sql<{ id: string }>`select id from run where id = any(${runIds}::uuid[])
    and exists (select from run later where later.scan_id = run.scan_id and later.id > run.id)`.execute(db)
  if (supersededRows.length === 0) return
  await sql`update chosen c set run_id = f.run_id, severity = f.severity, change = f.change
    from issue i join lateral (${selectNewestFinding(undefined)}) f on true
    where i.id = c.issue_id and c.run_id = any(${supersededRows.map(({ id }) => id)}::uuid[])`.execute(db)
}

/**
 * Locks the scans of some rows (scan_id) against the storing of pages, which does not lock unchanged issues, until the end of
 * the transaction. Call it before reading and locking issues. Returns the ids of the scans.
 */
export async function lockScans(db: MonitorDb, rows: RawBuilder<unknown>): Promise<string[]> {
  // In the order of their ids: other transactions lock the same ones.
  const { rows: scanRows } = await sql<{ id: string }>`select s.id, (${lockEvidenceExclusive(sql`s.id::text`)})
    from (select distinct scan_id as id from ${rows} r order by 1 offset 0) s`.execute(db)
  return scanRows.map(({ id }) => id)
}

type AmongChosen = Awaited<ReturnType<typeof buildIdFilter>>

/** Condition for the scans or runs of the chosen issues, so that big tables are searched only within these. */
export const buildAmongChosen = (db: MonitorDb, column: 'scan_id' | 'run_id'): Promise<AmongChosen> =>
  buildIdFilter(db, column, sql`chosen`)

/** Locks the runs of the chosen issues, in the same order everywhere and after the issues, as workers do. */
async function lockRuns(db: MonitorDb, isAmongRuns: AmongChosen): Promise<void> {
  await sql`select 1 from run where ${isAmongRuns(sql`id`)} order by id for no key update`.execute(db)
}

/** Severity of the newest finding of an updated issue `u` by the verdict on it, which may have changed. */
const severityByVerdict = sql`(case
  when u.was_marked and u.marked is not true and u.severity < ${storedLiterals.severity.review} then ${storedLiterals.severity.review}
  when u.marked and u.severity = ${storedLiterals.severity.review} then coalesce((select s.impact from finding_span s
    where s.issue_id = u.issue_id and s.scan_id = u.scan_id and s.first_run <= run.number and s.until_run >= run.number
    order by s.until_run desc limit 1), ${storedLiterals.severity.moderate})
  else u.severity end)::smallint`

/** An update of the chosen issues `i`: its assignments, and rows to join with the rows `c` of `chosen`. */
export type IssueUpdate = { assignments: readonly RawBuilder<unknown>[]; join?: RawBuilder<unknown> }

/** A statement that updates the chosen issues, whose version and time of change follow. */
export function buildIssueUpdate({ assignments, join = sql`` }: IssueUpdate, isAmongScans: AmongChosen): RawBuilder<unknown> {
  const allAssignments = [sql`version = i.version + 1`, setUpdatedNow, ...assignments]
  return sql`update issue i set ${sql.join(allAssignments)} from chosen c ${join}
    where i.id = c.issue_id and ${isAmongScans(sql`i.scan_id`)}`
}

/** Runs of the changed findings, and whether the severity of some of these changed. */
type ChangedRuns = { runIds: string[]; hasRejudged: boolean }

/** Updates the chosen issues, and puts those whose newest finding differs then into a table of this transaction, `changed`. */
async function createChangedTable(
  db: MonitorDb,
  update: IssueUpdate,
  { isAmongScans, isAmongRuns }: Readonly<Record<'isAmongScans' | 'isAmongRuns', AmongChosen>>,
): Promise<ChangedRuns> {
  await sql`create temporary table changed (issue_id uuid, scan_id uuid, run_id uuid, change smallint, number int, page_key bytea,
    status smallint, old_severity smallint, severity smallint, first_run int, until_run int, stored smallint, old_status smallint)
    on commit drop`.execute(db)
  await sql`with updated as (${buildIssueUpdate(update, isAmongScans)}
      returning c.issue_id, c.scan_id, c.run_id, c.change, c.severity, c.was_marked, i.page_key, i.status, i.marked),
    stored_status as (
      select run.id as run_id, t.issue_id, t.first_run, t.until_run, t.status from run join status_span t on t.scan_id = run.scan_id
        and t.first_run <= run.number and t.until_run >= run.number and ${isAmongScans(sql`t.scan_id`)} where ${isAmongRuns(sql`run.id`)})
    insert into changed select * from (
      select u.issue_id, u.scan_id, u.run_id, u.change, u.number, u.page_key, u.status, u.old_severity, u.severity,
        t.first_run, t.until_run, t.status as stored, coalesce(t.status, ${impliedStatus(sql`u.change`)}) as old_status
      from (select u.issue_id, u.scan_id, u.run_id, u.change, run.number, u.page_key, u.status, u.severity as old_severity,
          ${severityByVerdict} as severity
        from updated u join run on run.id = u.run_id and ${isAmongRuns(sql`run.id`)}) u
      -- A full join, which is never one of loops: a planner expects few issues. A condition next to it would make it a left one.
      full join stored_status t on t.run_id = u.run_id and t.issue_id = u.issue_id offset 0) compared
    where issue_id is not null and (status <> old_status or severity <> old_severity)`.execute(db)
  await analyzeTable(db, 'changed')
  const { rows: runRows } = await sql<ChangedRuns>`
    select coalesce(array_agg(run_id), '{}') as "runIds", coalesce(bool_or(has_rejudged), false) as "hasRejudged"
    from (select run_id, bool_or(severity <> old_severity) as has_rejudged from changed group by run_id) run_of_change`.execute(
    db,
  )
  return runRows[0]!
}

/** Syncs each newest finding with its issue; older runs keep what they saw. */
async function updateFindings(db: MonitorDb, isAmongScans: AmongChosen, hasRejudged: boolean): Promise<void> {
  const writes = buildStatusWrites(sql`changed`, hasLaterRun('put.number', 'put.page_key'), isAmongScans)
  await sql`with ${writes} select 1`.execute(db)
  if (!hasRejudged) return
  await sql`with judged as materialized (
      select c.issue_id, c.scan_id, c.number, ${laterChange('s')} as change, s.page_key, s.last_page_id, s.group_id, s.rule_id, c.severity,
        s.impact, c.status, s.evidence, s.picture, s.picture_box, s.drive_level, s.states
      from changed c join finding_span s on s.issue_id = c.issue_id and s.scan_id = c.scan_id and s.first_run <= c.number and s.until_run >= c.number
      where c.severity <> c.old_severity),
    ${writeSpans(sql`judged`)}
    update issue i set severity = judged.severity, ${setUpdatedNow} from judged where i.id = judged.issue_id`.execute(db)
}

/** Updates the chosen issues with their newest findings and the counts, for a change of statuses or marks. */
export async function updateChosenIssues(db: MonitorDb, update: IssueUpdate): Promise<void> {
  // Merging would read all issues of all scans: a planner takes the ids of the chosen ones for a short range.
  await sql`set local enable_mergejoin = off`.execute(db)
  const isAmongScans = await buildAmongChosen(db, 'scan_id')
  const isAmongRuns = await buildAmongChosen(db, 'run_id')
  const { runIds, hasRejudged } = await createChangedTable(db, update, { isAmongScans, isAmongRuns })
  await lockRuns(db, isAmongRuns)
  await updateFindings(db, isAmongScans, hasRejudged)
  await recountChanged(db, runIds)
  await sql`drop table changed`.execute(db)
}

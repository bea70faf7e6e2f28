import { type RawBuilder, sql } from 'kysely'
import type { Selection } from '@clearway/contract/kit/selection.ts'
import type { MonitorDb } from '../../database.ts'
import { conditions, type Filter, from, type Runs } from '../filter/store.ts'
import type { IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { inTransaction } from '../../../kit/database.ts'
import { statusNumber } from '../model.ts'
import { amongChosen, chooseNewest, followChosen, newest } from '../chosen/store.ts'
import { recount } from '../recount/store.ts'
import { remember } from '../undo/store.ts'
import { isPresent, stored } from '../table.ts'

/** `visibleScans` of the access store. */
export type Visible = RawBuilder<{ scan_id: string; rank: number }>

/** What a bulk call works on: named issues, or what filters match in the runs in view. */
export type SelectedIssues = { visible: Visible; runs: Runs; filters: Filter; selection: Selection }

/**
 * A table expression (run_id, issue_id, scan_id, rank) of the selected findings: no id leaves the database. Named issues
 * represent what the run of the filter saw of them, else for their newest finding.
 */
export function selectedFindings({ visible, runs, filters, selection }: SelectedIssues): RawBuilder<unknown> {
  if (!selection.selectAllMode)
    return sql`(select f.run_id, i.id as issue_id, i.scan_id, v.rank from issue i
      join ${visible} v on v.scan_id = i.scan_id
      join lateral (${newest(filters.runNumber)}) f on true
      where i.id = any(${[...selection.ids]}::uuid[]))`
  const less =
    selection.except.length > 0 ? sql`and f.issue_id <> all(${[...selection.except]}::uuid[])` : sql``
  return sql`(select f.run_id, f.issue_id, r.scan_id, r.rank ${from(runs, filters)}
    where ${conditions(filters, { severity: false })} ${less})`
}

/** The number of selected issues, and on how many scans. */
export async function countSelected(db: MonitorDb, selected: SelectedIssues) {
  const { rows } = await sql<{ count: number; scans: number }>`
    select count(*) as count, count(distinct scan_id) as scans from ${selectedFindings(selected)} s`.execute(
    db,
  )
  return rows[0]!
}

/**
 * Puts what is selected into a table of this transaction, `chosen`, each issue once with its newest finding. Issues
 * above `rank` are counted, not taken.
 */
async function choose(
  db: MonitorDb,
  selected: SelectedIssues,
  rank: number,
): Promise<{ taken: number; skipped: number }> {
  // What is chosen is a small part of big tables, found by their keys; the planner reads them whole instead.
  await sql`select set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
    db,
  )
  await sql`create temporary table chosen on commit drop as
    select distinct on (s.issue_id) s.issue_id, s.scan_id, i.rule, i.group_id, i.page_key, s.rank, s.run_id, f.page_id,
      f.severity, coalesce(i.marked, false) as was_marked
    from ${selectedFindings(selected)} s join issue i on i.id = s.issue_id
    join finding f on f.run_id = s.run_id and f.issue_id = s.issue_id
    order by s.issue_id, s.run_id desc`.execute(db)
  // 100,000 issues are sorted and joined in some 15 MB. Only from here on, where each statement has one process: what several
  // share is in /dev/shm, of which containers have little.
  await sql`select set_config('work_mem',
    greatest(pg_size_bytes(current_setting('work_mem')), pg_size_bytes('32MB')) / 1024 || 'kB', true)`.execute(
    db,
  )
  const skipped = await sql`delete from chosen where rank > ${rank}::int`.execute(db)
  await sql`create unique index on chosen (issue_id)`.execute(db)
  await sql`analyze chosen`.execute(db)
  // Mostly the run in view is the newest; only where another came after it is there something to look up.
  await chooseNewest(
    db,
    sql`select c.run_id from (select distinct run_id, scan_id from chosen) c
      where exists (select from run later where later.scan_id = c.scan_id and later.id > c.run_id)`,
  )
  const { rows } = await sql<{ taken: number }>`select count(*) as taken from chosen`.execute(db)
  return { taken: rows[0]!.taken, skipped: Number(skipped.numAffectedRows ?? 0) }
}

export type Edit = { fields: IssueFields; authorId: string }
/** Issues that got a new assignee, of one scan; `issueId` where it is one. */
export type Assigned = { scanId: string; issueId: string | null; issues: number }
export type EditResult =
  | { kind: 'done'; changed: number; skipped: number; undo: string | null; assigned: Assigned[] }
  | { kind: 'edit-conflict' }
  | { kind: 'not-assignable' }

/**
 * Writes down an ignore: one for each fault, rule or page that the chosen issues represent, and takes in all other issues
 * that it covers. Single issues share one of their scan, which stores the reason.
 */
async function ignoreChosen(db: MonitorDb, { fields, authorId }: Edit): Promise<void> {
  const { scope, reason } = fields.ignore ?? { scope: 'issue', reason: '' }
  const parts: Record<typeof scope, RawBuilder<unknown>> = {
    issue: sql`'' as rule, null::uuid as group_id, null::bytea as page_key`,
    group: sql`rule, group_id, null::bytea as page_key`,
    'rule-on-page': sql`rule, null::uuid as group_id, page_key`,
    rule: sql`rule, null::uuid as group_id, null::bytea as page_key`,
  }
  await sql`
    create temporary table ignore_made on commit drop as
    select new_id() as id, d.* from (select distinct scan_id, ${parts[scope]} from chosen) d`.execute(db)
  await sql`insert into issue_ignore (id, scan_id, scope, rule, group_id, page_key, reason, author_id)
    select id, scan_id, ${scope}, rule, group_id, page_key, ${reason}, ${authorId} from ignore_made`.execute(
    db,
  )
  if (scope === 'issue') return
  await sql`
    insert into chosen (issue_id, scan_id, rule, group_id, page_key, rank, run_id, page_id, severity, was_marked)
    select i.id, i.scan_id, i.rule, i.group_id, i.page_key, 0, f.run_id, f.page_id, f.severity, coalesce(i.marked, false)
    from ignore_made n join issue i on i.scan_id = n.scan_id and i.rule = n.rule
      and (n.group_id is null or i.group_id = n.group_id) and (n.page_key is null or i.page_key = n.page_key)
    join lateral (select f.run_id, f.page_id, f.severity from finding f where f.issue_id = i.id
      order by f.run_id desc limit 1) f on true
    where i.status = ${stored.status.open} and not exists (select from chosen c where c.issue_id = i.id)`.execute(
    db,
  )
  await sql`analyze chosen`.execute(db)
}

/** Which of the ignores that were made covers a chosen issue, and all of their ids. */
const ignoring = {
  id: sql`n.id`,
  join: sql`join ignore_made n on n.scan_id = c.scan_id and (n.rule = '' or n.rule = c.rule)
    and (n.group_id is null or n.group_id = c.group_id) and (n.page_key is null or n.page_key = c.page_key)`,
  made: sql<string[]>`array(select id from ignore_made)`,
}
const notIgnoring = { id: sql`null`, join: sql``, made: sql<string[]>`'{}'` }
const ignoreOf = ({ status }: IssueFields) => (status === 'ignored' ? ignoring : notIgnoring)

/**
 * What "counts as an issue" makes of a result. One to review that is marked counts by its impact, and goes back when
 * unmarked; any other that is unmarked has the status none.
 */
const marking = {
  true: {
    marked: sql`case when c.severity = ${stored.severity.review} then true when i.marked = false then null else i.marked end`,
    status: sql`case when i.status = ${stored.status.none} then ${stored.status.open} else i.status end`,
  },
  false: {
    marked: sql`case when i.marked then null when c.severity = ${stored.severity.review} then i.marked else false end`,
    status: sql`case when i.marked or c.severity = ${stored.severity.review} then i.status else ${stored.status.none} end`,
  },
}

async function updateIssues(db: MonitorDb, { fields }: Edit): Promise<void> {
  const scans = await amongChosen(db, 'scan_id')
  const { status, assignedTo, markAsIssue, remediationComment, ticketUrl, addLabels } = fields
  const mark = markAsIssue === undefined ? null : marking[`${markAsIssue}`]
  const ignore = ignoreOf(fields)
  const sets = [
    sql`version = i.version + 1`,
    ...(status ? [sql`status = ${statusNumber(status)}::int`, sql`ignore_id = ${ignore.id}`] : []),
    ...(!status && mark ? [sql`status = ${mark.status}`] : []),
    ...(mark ? [sql`marked = ${mark.marked}`] : []),
    ...(assignedTo === undefined ? [] : [sql`assigned_to = ${assignedTo}`]),
    ...(remediationComment === undefined ? [] : [sql`remediation = ${remediationComment}`]),
    ...(ticketUrl === undefined ? [] : [sql`ticket_url = ${ticketUrl}`]),
    ...(addLabels
      ? [
          sql`labels = (select array_agg(distinct label order by label)
            from unnest(i.labels || ${addLabels}::text[]) label)`,
        ]
      : []),
  ]
  await sql`update issue i set ${sql.join(sets)} from chosen c ${ignore.join}
    where i.id = c.issue_id and ${scans(sql`i.scan_id`)}`.execute(db)
}

/** What of the chosen issues somebody gets who did not have it. */
async function newlyAssigned(db: MonitorDb, assignee: string): Promise<Assigned[]> {
  const scans = await amongChosen(db, 'scan_id')
  const { rows } = await sql<Assigned>`
    select i.scan_id as "scanId", count(*) as issues,
      case when count(*) = 1 then min(i.id::text) end as "issueId"
    from chosen c join issue i on i.id = c.issue_id and ${scans(sql`i.scan_id`)}
    where i.assigned_to is distinct from ${assignee} group by i.scan_id`.execute(db)
  return rows
}

type WholeEdit = Edit & {
  rank: number
  version?: number | undefined
  canUndo: boolean
  assignable: RawBuilder<{ scan_id: string; rank: number }> | null
}

/**
 * Changes what is selected, however many: issues, their newest findings, and what is counted from them.
 * @param trx a transaction
 * @param edit.version for a single issue: the version that the change was made on
 * @param edit.canUndo whether what was before is kept, for its author to restore
 * @param edit.assignable the scans on which the new assignee has a role; null when nobody is assigned
 */
export async function editIssues(
  trx: MonitorDb,
  selected: SelectedIssues,
  edit: WholeEdit,
): Promise<EditResult> {
  const { taken, skipped } = await choose(trx, selected, edit.rank)
  if (edit.version !== undefined) {
    const same = await sql`select 1 from issue join chosen c on c.issue_id = issue.id
      where issue.version = ${edit.version}::int for update of issue`.execute(trx)
    if (same.rows.length === 0) return { kind: 'edit-conflict' }
  }
  if (edit.assignable) {
    const missing = await sql`select 1 from chosen c
      where not exists (select from ${edit.assignable} v where v.scan_id = c.scan_id) limit 1`.execute(trx)
    if (missing.rows.length > 0) return { kind: 'not-assignable' }
  }
  const { assignedTo } = edit.fields
  // Nobody is notified of their own doing.
  const assigned = assignedTo && assignedTo !== edit.authorId ? await newlyAssigned(trx, assignedTo) : []
  const counts = edit.fields.status !== undefined || edit.fields.markAsIssue !== undefined
  if (edit.fields.status === 'ignored') await ignoreChosen(trx, edit)
  const ignores = ignoreOf(edit.fields).made
  const undo = edit.canUndo ? await remember(trx, { ...edit, ignores }) : null
  await updateIssues(trx, edit)
  if (counts) await followChosen(trx)
  return { kind: 'done', changed: taken, skipped, undo, assigned }
}

/** Deletes what is selected from all runs, and counts again. */
export async function deleteIssues(
  db: MonitorDb,
  selected: SelectedIssues,
  rank: number,
): Promise<{ changed: number; skipped: number }> {
  return inTransaction(db, async (trx) => {
    const { taken, skipped } = await choose(trx, selected, rank)
    await sql`select 1 from issue join chosen c on c.issue_id = issue.id for update of issue`.execute(trx)
    await sql`select 1 from run where id = any(array(
        select distinct f.run_id from finding f join chosen c on c.issue_id = f.issue_id))
      order by id for no key update`.execute(trx)
    await sql`create temporary table touched (run_id uuid, page_id uuid, present int) on commit drop`.execute(
      trx,
    )
    await sql`with gone as (delete from finding f using chosen c where f.issue_id = c.issue_id
        returning f.run_id, f.page_id, f.change)
      insert into touched select run_id, page_id, count(*) filter (where ${isPresent()}) from gone group by 1, 2`.execute(
      trx,
    )
    await sql`update run set total_issues = greatest(0, total_issues - t.present)
      from (select run_id, sum(present)::int as present from touched group by run_id) t where run.id = t.run_id`.execute(
      trx,
    )
    await sql`delete from issue using chosen c where issue.id = c.issue_id`.execute(trx)
    await sql`analyze touched`.execute(trx)
    await recount(trx, 'touched')
    return { changed: taken, skipped }
  })
}

/** Sets the labels of one issue: adds some, or takes one away. */
export async function removeLabel({ db }: { db: MonitorDb }, id: string, label: string): Promise<void> {
  await sql`update issue set labels = array_remove(labels, ${label}), version = version + 1
    where id = ${id} and ${label} = any(labels)`.execute(db)
}

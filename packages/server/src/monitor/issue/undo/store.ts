import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { updateChosenFindings, selectNewestFinding } from '../chosen/store.ts'
import { reopenCovered } from '../filter/store.ts'
import { stored } from '../table.ts'

/** More than this is not kept: what is restored is sought issue by issue, while somebody waits. */
const mostIssues = 10_000
/** For how long a change can be undone. */
const kept = sql`interval '1 hour'`
/** Issues that are named where they could not be restored. */
const mostNamed = 10

/**
 * Keeps what the chosen issues are before a change, in place of what was kept for its author until now, and forgets what is
 * too old to be restored.
 * @param edit.rank that restoring needs too
 * @param edit.ignores ids of the ignores that the change made, as an array in SQL
 * @returns null when there are too many issues, or none
 */
export async function remember(
  db: MonitorDb,
  edit: { authorId: string; rank: number; ignores: RawBuilder<string[]> },
): Promise<string | null> {
  await sql`delete from issue_undo where author_id = ${edit.authorId} or made_at < now() - ${kept}`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    insert into issue_undo (id, author_id, rank, ignores, before)
    select ${newId()}::uuid, ${edit.authorId}, ${edit.rank}::int,
      ${edit.ignores},
      jsonb_agg(jsonb_build_object('id', i.id, 'version', i.version + 1, 'status', i.status, 'marked', i.marked,
        'assigned_to', i.assigned_to, 'remediation', i.remediation, 'ticket_url', i.ticket_url, 'labels', i.labels,
        'ignore_id', i.ignore_id))
    from chosen c join issue i on i.id = c.issue_id
    where (select count(*) from chosen) <= ${mostIssues}::int having count(*) > 0
    on conflict (author_id) do nothing returning id`.execute(db)
  return rows[0]?.id ?? null
}

/** Puts what was kept into a table of this transaction, `undone`: (id, version after the change, and what it was before). */
async function readKept(trx: MonitorDb, id: string): Promise<void> {
  await sql`create temporary table undone on commit drop as
    select b.* from issue_undo u cross join lateral jsonb_to_recordset(u.before) as b
    (id uuid, version int, status int, marked boolean, assigned_to text, remediation text, ticket_url text, labels text[], ignore_id uuid)
    where u.id = ${id}::uuid`.execute(trx)
  await sql`create unique index on undone (id)`.execute(trx)
  await sql`analyze undone`.execute(trx)
}

/**
 * Deletes the ignores that the change made, but for one of single issues that still is the reason of some. One that reaches
 * further would go on covering what runs find: what came under it since is open again.
 */
async function deleteIgnores(trx: MonitorDb, id: string): Promise<void> {
  await sql`delete from issue_ignore n using issue_undo u where u.id = ${id}::uuid and n.id = any(u.ignores)
    and n.scope = 'issue' and not exists (select from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id)`.execute(
    trx,
  )
  const { rows } = await sql<{ id: string; scan_id: string }>`
    delete from issue_ignore n using issue_undo u where u.id = ${id}::uuid and n.id = any(u.ignores)
    and n.scope <> 'issue' returning n.id, n.scan_id`.execute(trx)
  if (rows.length > 0) await reopenCovered(trx, rows)
}

export type Restored = { restored: number; left: number; named: { id: string; rule: string }[] }

/** What the change gave to people and was not restored: of one scan to one person; `issueId` where it is one issue. */
export type StillAssigned = { personId: string; scanId: string; issues: number; issueId: string | null }

async function stillAssigned(trx: MonitorDb): Promise<StillAssigned[]> {
  const { rows } = await sql<StillAssigned>`
    select i.assigned_to as "personId", i.scan_id as "scanId", count(*) as issues,
      case when count(*) = 1 then min(i.id::text) end as "issueId"
    from undone b join issue i on i.id = b.id
    where i.assigned_to is not null and i.assigned_to is distinct from b.assigned_to
      and not exists (select from chosen c where c.issue_id = i.id)
    group by i.assigned_to, i.scan_id`.execute(trx)
  return rows
}

/**
 * Restores what a change of many issues replaced, where nobody changed the issue since and its author may still change it.
 * @param trx a transaction
 * @param undo.visible `visibleScans` of the access store
 * @returns null when nothing is kept under this id for the caller.
 */
export async function restoreIssues(
  trx: MonitorDb,
  undo: { id: string; authorId: string; visible: RawBuilder<{ scan_id: string; rank: number }> },
): Promise<{ restored: Restored; assigned: StillAssigned[] } | null> {
  const own = await sql<{ rank: number; issues: number }>`
    select rank, jsonb_array_length(before) as issues from issue_undo
    where id = ${undo.id}::uuid and author_id = ${undo.authorId}
      and made_at > now() - ${kept} for update`.execute(trx)
  const [found] = own.rows
  if (!found) return null
  await readKept(trx, undo.id)
  await sql`select 1 from issue i join undone b on b.id = i.id order by i.id for update of i`.execute(trx)
  await sql`create temporary table chosen on commit drop as
    select i.id as issue_id, i.scan_id, f.run_id, f.page_id, f.severity, coalesce(i.marked, false) as was_marked
    from undone b join issue i on i.id = b.id and i.version = b.version
    join ${undo.visible} v on v.scan_id = i.scan_id and v.rank <= ${found.rank}::int
    join lateral (${selectNewestFinding(undefined)}) f on true`.execute(trx)
  await sql`create unique index on chosen (issue_id)`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  const changed = await sql`update issue i set version = i.version + 1, status = case
        when b.status = ${stored.status.ignored} and not exists (select from issue_ignore n where n.id = b.ignore_id)
        then ${stored.status.open} else b.status end, marked = b.marked,
      assigned_to = b.assigned_to, remediation = b.remediation, ticket_url = b.ticket_url, labels = b.labels,
      ignore_id = (select n.id from issue_ignore n where n.id = b.ignore_id)
    from chosen c join undone b on b.id = c.issue_id where i.id = c.issue_id`.execute(trx)
  await updateChosenFindings(trx)
  await deleteIgnores(trx, undo.id)
  const { rows: named } = await sql<{ id: string; rule: string }>`
    select i.id, i.rule from undone b join issue i on i.id = b.id
    join ${undo.visible} v on v.scan_id = i.scan_id
    where not exists (select from chosen c where c.issue_id = i.id) order by i.id limit ${mostNamed}::int`.execute(
    trx,
  )
  const assigned = await stillAssigned(trx)
  await sql`delete from issue_undo where id = ${undo.id}::uuid`.execute(trx)
  const restored = Number(changed.numAffectedRows ?? 0)
  return { restored: { restored, left: found.issues - restored, named }, assigned }
}

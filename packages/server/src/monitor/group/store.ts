import { hasPermission, type ScanRole } from '@clearway/contract/kit/permission.ts'
import type { GroupListQuery } from '@clearway/contract/monitor/group/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isUniqueViolation, buildVersionSql, inTransaction } from '../../kit/database.ts'
import { joinConditions, buildContainsPattern, buildLimitClause, buildOrderClause, toRequestedOrder } from '../../kit/paging.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { buildPersonName } from '../access/table.ts'
import type { ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { buildTarget } from '../scan/goal/table.ts'
import { selectFirstScanNames } from '../scan/table.ts'

type DatabaseDeps = { db: MonitorDb }
type GroupViewer = Pick<Caller, 'id' | 'role'>
type GroupListQueryPart = Pick<z.output<typeof GroupListQuery>, 'page' | 'size' | 'search' | 'sort' | 'sortBy' | 'order'>
type NamedItem = { id: string; name: string }

export type GroupRow = {
  scanGroupId: string
  scanGroupName: string
  admins: NamedItem[]
  scanCount: number
  scanNames: string[]
  teams: { teamId: string; teamName: string; role: ScanRole }[]
  score: number | null
  target: ScoreTarget | null
  createdAt: Date
  version: number
}

const isAdministeredBy = (viewer: GroupViewer): RawBuilder<boolean> =>
  hasPermission(viewer.role, 'admin.see')
    ? sql`true`
    : sql`exists (select from scan_group_admin a where a.group_id = g.id and a.person_id = ${viewer.id})`

const scanCountColumn = sql`(select count(*)::int from scan_group_scan gs join scan s on s.id = gs.scan_id
  where gs.group_id = g.id and s.deleted_at is null)`
const sortColumns = {
  scanGroupName: sql`lower(g.name)`,
  scanCount: scanCountColumn,
  createdAt: sql`g.created_at`,
}

/** Version of a group's name, admins, scans and teams. */
const groupVersion = buildVersionSql(sql`g.name, g.target_score::text, g.target_due::text,
  (select bit_xor(hashtextextended(team_id || ' ' || role, 1)) from scan_access
    where team_id is not null and group_id = g.id)::text,
  (select bit_xor(hashtextextended(person_id, 1)) from scan_group_admin where group_id = g.id)::text,
  (select bit_xor(uuid_hash_extended(scan_id, 1)) from scan_group_scan where group_id = g.id)::text`)

const groupColumns = sql`g.id as "scanGroupId", g.name as "scanGroupName", ${scanCountColumn} as "scanCount",
  ${selectFirstScanNames(sql`scan.id in (select scan_id from scan_group_scan where group_id = g.id)`)} as "scanNames",
  g.created_at as "createdAt", ${buildTarget('g')} as target,
  (select round(avg(run.score)::numeric, 4) from scan_group_scan gs join scan s on s.id = gs.scan_id
    join run on run.id = s.last_completed_run_id where gs.group_id = g.id and s.deleted_at is null) as score,
  (select coalesce(jsonb_agg(jsonb_build_object('id', a.person_id, 'name',
      coalesce(${buildPersonName('p')}, a.person_id))), '[]')
    from scan_group_admin a left join person p on p.id = a.person_id where a.group_id = g.id) as admins,
  (select coalesce(jsonb_agg(jsonb_build_object('teamId', t.id, 'teamName', t.name, 'role', a.role)
      order by lower(t.name)), '[]')
    from scan_access a join team t on t.id = a.team_id where a.group_id = g.id) as teams,
  ${groupVersion} as version`

export async function listGroups(
  { db }: DatabaseDeps,
  viewer: GroupViewer,
  query: GroupListQueryPart,
): Promise<{ rows: GroupRow[]; total: number }> {
  const groupFilter = joinConditions([
    isAdministeredBy(viewer),
    query.search && sql`g.name ilike ${buildContainsPattern(query.search)}`,
  ])
  const orderClause = buildOrderClause(
    sortColumns,
    toRequestedOrder(query),
    sql`${sortColumns.scanGroupName} ${sql.raw(query.order)}`,
    sql`g.id`,
  )
  const { rows: groupRows } =
    await sql<GroupRow>`select ${groupColumns} from scan_group g where ${groupFilter} ${orderClause} ${buildLimitClause(query)}`.execute(
      db,
    )
  const countResult = await sql<{ total: number }>`select count(*) as total from scan_group g where ${groupFilter}`.execute(db)
  return { rows: groupRows, total: countResult.rows[0]?.total ?? 0 }
}

export async function findGroup({ db }: DatabaseDeps, id: string): Promise<GroupRow | null> {
  const { rows: groupRows } = await sql<GroupRow>`select ${groupColumns} from scan_group g where g.id = ${id}`.execute(db)
  return groupRows[0] ?? null
}

export async function listScansInGroup(
  { db }: DatabaseDeps,
  groupId: string,
  query: { page: number; size: number; search?: string | undefined },
): Promise<{ rows: NamedItem[]; total: number }> {
  const scansFromClause = sql`from scan_group_scan gs join scan s on s.id = gs.scan_id
    where gs.group_id = ${groupId} and s.deleted_at is null and s.name ilike ${buildContainsPattern(query.search ?? '')}`
  const { rows: scanRows } =
    await sql<NamedItem>`select s.id, s.name ${scansFromClause} order by lower(s.name), s.id ${buildLimitClause(query)}`.execute(
      db,
    )
  const countResult = await sql<{ total: number }>`select count(*) as total ${scansFromClause}`.execute(db)
  return { rows: scanRows, total: countResult.rows[0]?.total ?? 0 }
}

export async function isGroupNameTaken({ db }: DatabaseDeps, name: string, exceptId: string | undefined): Promise<boolean> {
  const { rows: groupRows } = await sql`select from scan_group where lower(name) = lower(${name})
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return groupRows.length > 0
}

export async function findKnownPersonIds({ db }: DatabaseDeps, personIds: readonly string[]): Promise<Set<string>> {
  if (personIds.length === 0) return new Set()
  const personRows = await db
    .selectFrom('person')
    .select('id')
    .where('id', 'in', [...personIds])
    .execute()
  return new Set(personRows.map((row) => row.id))
}

type GroupParts = {
  name: string | undefined
  admins: readonly string[] | undefined
  scans: readonly string[] | undefined
  /** Sets the teams of the group, in the same transaction. */
  teams: ((trx: MonitorDb) => Promise<void>) | null
  target: ScoreTarget | null | undefined
  /** Expected current version; undefined skips the check. */
  version?: number | undefined
}

/** Checks that a locked group still has this version. */
async function isGroupUnchanged(trx: MonitorDb, groupId: string, knownVersion: number): Promise<boolean> {
  const { rows: versionRows } = await sql<{
    version: number
  }>`select ${groupVersion} as version from scan_group g where g.id = ${groupId}`.execute(trx)
  return versionRows[0]?.version === knownVersion
}

/** Locks a group against other writers until the transaction ends; false for an unknown one. */
async function lockGroup(trx: MonitorDb, groupId: string): Promise<boolean> {
  const { rows } = await sql`select from scan_group where id = ${groupId} for no key update`.execute(trx)
  return rows.length > 0
}

/** Stores a new or changed group; undefined parts stay unchanged. */
export async function saveGroup(
  { db }: DatabaseDeps,
  groupId: string,
  isNew: boolean,
  parts: GroupParts,
): Promise<'saved' | 'name-taken' | 'edit-conflict' | 'not-found'> {
  try {
    return await inTransaction(db, async (trx) => {
      // Serializes writers; only a new statement sees the commit of the previous one.
      if (!isNew && !(await lockGroup(trx, groupId))) return 'not-found'
      if (parts.version !== undefined && !(await isGroupUnchanged(trx, groupId, parts.version))) return 'edit-conflict'
      if (isNew)
        await trx
          .insertInto('scan_group')
          .values({ id: groupId, name: parts.name ?? '' })
          .execute()
      else if (parts.name !== undefined)
        await trx.updateTable('scan_group').set({ name: parts.name }).where('id', '=', groupId).execute()
      if (parts.target !== undefined)
        await sql`update scan_group set target_score = ${parts.target?.score ?? null}, target_due = ${parts.target?.dueOn ?? null}::date
          where id = ${groupId}`.execute(trx)
      if (parts.admins) {
        await trx.deleteFrom('scan_group_admin').where('group_id', '=', groupId).execute()
        await sql`insert into scan_group_admin (group_id, person_id)
          select ${groupId}::uuid, p from unnest(${[...parts.admins]}::text[]) p`.execute(trx)
      }
      if (parts.scans) {
        await trx.deleteFrom('scan_group_scan').where('group_id', '=', groupId).execute()
        await sql`insert into scan_group_scan (group_id, scan_id)
          select ${groupId}::uuid, id from scan where id = any(${[...parts.scans]}::uuid[]) order by id for key share
          -- Saving a scan may add it to the group at the same time.
          on conflict do nothing`.execute(trx)
      }
      await parts.teams?.(trx)
      return 'saved'
    })
  } catch (error) {
    if (isUniqueViolation(error, 'scan_group_name')) return 'name-taken'
    throw error
  }
}

/** Deletes a group; false for an unknown one. */
export async function removeGroup({ db }: DatabaseDeps, groupId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('scan_group').where('id', '=', groupId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

import { roleMay, type ScanRole } from '@clearway/contract/kit/permission.ts'
import type { GroupListQuery } from '@clearway/contract/monitor/group/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isTaken, versionOf, inTransaction } from '../../kit/database.ts'
import { allOf, containing, limits } from '../../kit/paging.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { personName } from '../access/table.ts'

type Db = { db: MonitorDb }
type Viewer = Pick<Caller, 'id' | 'role'>
type Query = Pick<z.output<typeof GroupListQuery>, 'page' | 'size' | 'search' | 'sortBy' | 'order'>
type Named = { id: string; name: string }

export type GroupRow = {
  scanGroupId: string
  scanGroupName: string
  admins: Named[]
  scanCount: number
  teams: { teamId: string; teamName: string; role: ScanRole }[]
  createdAt: Date
  version: number
}

/** The groups that somebody administers. */
const own = (viewer: Viewer): RawBuilder<boolean> =>
  roleMay(viewer.role, 'admin.see')
    ? sql`true`
    : sql`exists (select from scan_group_admin a where a.group_id = g.id and a.person_id = ${viewer.id})`

const scanCount = sql`(select count(*)::int from scan_group_scan gs join scan s on s.id = gs.scan_id
  where gs.group_id = g.id and s.deleted_at is null)`
const sortColumns = { scanGroupName: sql`lower(g.name)`, scanCount, createdAt: sql`g.created_at` }

/** Of a group's name, admins, scans and teams. */
const version = versionOf(sql`g.name,
  (select bit_xor(hashtextextended(team_id || ' ' || role, 1)) from scan_access
    where team_id is not null and group_id = g.id)::text,
  (select bit_xor(hashtextextended(person_id, 1)) from scan_group_admin where group_id = g.id)::text,
  (select bit_xor(uuid_hash_extended(scan_id, 1)) from scan_group_scan where group_id = g.id)::text`)

const columns = sql`g.id as "scanGroupId", g.name as "scanGroupName", ${scanCount} as "scanCount",
  g.created_at as "createdAt",
  (select coalesce(jsonb_agg(jsonb_build_object('id', a.person_id, 'name',
      coalesce(${personName('p')}, a.person_id))), '[]')
    from scan_group_admin a left join person p on p.id = a.person_id where a.group_id = g.id) as admins,
  (select coalesce(jsonb_agg(jsonb_build_object('teamId', t.id, 'teamName', t.name, 'role', a.role)
      order by lower(t.name)), '[]')
    from scan_access a join team t on t.id = a.team_id where a.group_id = g.id) as teams,
  ${version} as version`

/** One page of the groups that somebody administers, and how many match. */
export async function listGroups(
  { db }: Db,
  viewer: Viewer,
  query: Query,
): Promise<{ rows: GroupRow[]; total: number }> {
  const where = allOf([own(viewer), query.search && sql`g.name ilike ${containing(query.search)}`])
  const order = sql`order by ${sortColumns[query.sortBy ?? 'scanGroupName']} ${sql.raw(query.order)}, g.id`
  const { rows } =
    await sql<GroupRow>`select ${columns} from scan_group g where ${where} ${order} ${limits(query)}`.execute(
      db,
    )
  const counted = await sql<{
    total: number
  }>`select count(*) as total from scan_group g where ${where}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export async function findGroup({ db }: Db, id: string): Promise<GroupRow | null> {
  const { rows } = await sql<GroupRow>`select ${columns} from scan_group g where g.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** One page of the scans in a group. */
export async function scansInGroup(
  { db }: Db,
  groupId: string,
  query: { page: number; size: number; search?: string | undefined },
): Promise<{ rows: Named[]; total: number }> {
  const from = sql`from scan_group_scan gs join scan s on s.id = gs.scan_id
    where gs.group_id = ${groupId} and s.deleted_at is null and s.name ilike ${containing(query.search ?? '')}`
  const { rows } =
    await sql<Named>`select s.id, s.name ${from} order by lower(s.name), s.id ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export async function groupNameTaken(
  { db }: Db,
  name: string,
  exceptId: string | undefined,
): Promise<boolean> {
  const { rows } = await sql`select from scan_group where lower(name) = lower(${name})
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return rows.length > 0
}

export async function knownPeople({ db }: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.id))
}

type Parts = {
  name: string | undefined
  admins: readonly string[] | undefined
  scans: readonly string[] | undefined
  /** Sets the teams of the group, in the same transaction. */
  teams: ((trx: MonitorDb) => Promise<void>) | null
  /** What it must still be; undefined for whatever it is. */
  version?: number | undefined
}

/** Whether a group is still that of a version. It stays so until the transaction ends. */
async function isStill(trx: MonitorDb, id: string, known: number): Promise<boolean> {
  // One after the other; and only the next statement sees what the one before has written.
  await sql`select from scan_group where id = ${id} for update`.execute(trx)
  const { rows } = await sql<{
    version: number
  }>`select ${version} as version from scan_group g where g.id = ${id}`.execute(trx)
  return rows[0]?.version === known
}

/** Stores a group, new or changed; what is undefined stays. */
export async function saveGroup(
  { db }: Db,
  id: string,
  isNew: boolean,
  parts: Parts,
): Promise<'saved' | 'name-taken' | 'edit-conflict'> {
  try {
    return await inTransaction(db, async (trx) => {
      if (parts.version !== undefined && !(await isStill(trx, id, parts.version))) return 'edit-conflict'
      if (isNew)
        await trx
          .insertInto('scan_group')
          .values({ id, name: parts.name ?? '' })
          .execute()
      else if (parts.name !== undefined)
        await trx.updateTable('scan_group').set({ name: parts.name }).where('id', '=', id).execute()
      if (parts.admins) {
        await trx.deleteFrom('scan_group_admin').where('group_id', '=', id).execute()
        await sql`insert into scan_group_admin (group_id, person_id)
          select ${id}::uuid, p from unnest(${[...parts.admins]}::text[]) p`.execute(trx)
      }
      if (parts.scans) {
        await trx.deleteFrom('scan_group_scan').where('group_id', '=', id).execute()
        await sql`insert into scan_group_scan (group_id, scan_id)
          select ${id}::uuid, s from unnest(${[...parts.scans]}::uuid[]) s`.execute(trx)
      }
      await parts.teams?.(trx)
      return 'saved'
    })
  } catch (error) {
    if (isTaken(error, 'scan_group_name')) return 'name-taken'
    throw error
  }
}

export async function removeGroup({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('scan_group').where('id', '=', id).execute()
}

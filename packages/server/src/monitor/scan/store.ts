import type { Selection } from '@clearway/contract/kit/selection.ts'
import {
  type ScanFilter,
  type ScanListQuery,
  type scanSortFields,
  ScanSettings,
} from '@clearway/contract/monitor/scan/schema.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isTaken, inTransaction } from '../../kit/database.ts'
import { allOf, containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { RunTables } from '../run/table.ts'
import { priorities } from './model.ts'
import type { ScanTables } from './table.ts'
import { buildPersonName } from '../access/table.ts'
import { sumOpenIssues } from '../issue/table.ts'
import { readStored } from '../../kit/stored.ts'

type Db = { db: MonitorDb }
/** `visibleScans` of the access store, for the viewer. */
export type Visible = { visible: RawBuilder<{ scan_id: string; rank: number }>; viewerId: string }
type Row = Selectable<ScanTables['scan']>
export type ScanRow = Omit<Row, 'settings'> & { settings: ScanSettings }

const read = (row: Row): ScanRow => ({
  ...row,
  settings: readStored(ScanSettings, row.settings, `The scan ${row.id}`),
})

export type ListedScan = {
  /** Without its settings: a list needs none, and a broken one is no reason to show no list. */
  scan: Omit<Row, 'settings'>
  rank: number
  favorite: boolean
  owner: string | null
  lastRun: Selectable<RunTables['run']> | null
  lastCompleted: Selectable<RunTables['run']> | null
  nextRunAt: Date | null
  /** Oldest first. */
  recent: { number: number; score: number | null }[]
  groups: { id: string; name: string }[]
}

const total = sumOpenIssues('lc')
const totalPages = sql`(lc.health_critical + lc.health_serious + lc.health_moderate + lc.health_good)`
const nextRunAt = sql`(select x.next_run_at from schedule x where x.scan_id = s.id)`
const sortColumns: Readonly<Record<(typeof scanSortFields)[number], RawBuilder<unknown>>> = {
  name: sql`lower(s.name)`,
  score: sql`lc.score`,
  critical: sql`lc.critical`,
  serious: sql`lc.serious`,
  moderate: sql`lc.moderate`,
  minor: sql`lc.minor`,
  total,
  criticalIssues: sql`lc.critical`,
  seriousIssues: sql`lc.serious`,
  moderateIssues: sql`lc.moderate`,
  minorIssues: sql`lc.minor`,
  totalIssues: total,
  criticalPages: sql`lc.health_critical`,
  seriousPages: sql`lc.health_serious`,
  moderatePages: sql`lc.health_moderate`,
  goodPages: sql`lc.health_good`,
  totalPages,
  lastRun: sql`lr.queued_at`,
  nextRun: nextRunAt,
  createdAt: sql`s.created_at`,
  type: sql`s.type`,
  priority: sql`s.priority`,
  owner: sql`(select lower(p.first_name || p.last_name || p.username) from person p where p.id = s.owner_id)`,
  status: sql`lr.status`,
  group: sql`(select min(lower(g.name)) from scan_group_scan x join scan_group g on g.id = x.group_id
    where x.scan_id = s.id)`,
}

const from = (view: Visible) => sql`
  from ${view.visible} v
  join scan s on s.id = v.scan_id
  left join run lr on lr.id = s.last_run_id
  left join run lc on lc.id = s.last_completed_run_id
  left join scan_favorite f on f.scan_id = s.id and f.person_id = ${view.viewerId}`

/** Which scans a filter takes, as `s`, `lr` and `f` of `from`. */
function conditions(view: Visible, query: ScanFilter): RawBuilder<boolean> {
  const { search, running } = query
  return allOf([
    search &&
      sql`(s.name ilike ${containing(search)} or exists
      (select from unnest(s.urls) url where url ilike ${containing(search)}))`,
    query.favorites && sql`f.scan_id is not null`,
    query.mine && sql`s.owner_id = ${view.viewerId}`,
    running !== undefined && sql`(lr.id is not null and lr.ended_at is null) = ${running}`,
    query.type.length > 0 && sql`s.type = any(${query.type}::text[])`,
    query.priority.length > 0 &&
      sql`s.priority = any(${query.priority.map((word) => priorities.indexOf(word))}::int[])`,
    query.status.length > 0 && sql`lr.status = any(${query.status}::text[])`,
    query.presetId.length > 0 && sql`s.preset_id = any(${query.presetId}::uuid[])`,
    query.tag.length > 0 && sql`s.tags && ${query.tag}::text[]`,
    query.groupId.length > 0 &&
      sql`exists (select from scan_group_scan x where x.scan_id = s.id
        and x.group_id = any(${query.groupId}::uuid[]))`,
  ])
}

/** A table expression (scan_id, rank) of what a bulk call on scans works on. */
export function selectedScans(view: Visible, filters: ScanFilter, selection: Selection): RawBuilder<unknown> {
  const which = selection.selectAllMode
    ? sql`${conditions(view, filters)} and s.id <> all(${[...selection.except]}::uuid[])`
    : sql`s.id = any(${[...selection.ids]}::uuid[])`
  return sql`(select s.id as scan_id, v.rank ${from(view)} where ${which})`
}

const columns = (view: Visible) => sql`
  to_jsonb(s) - 'settings' as scan, v.rank, f.scan_id is not null as favorite, to_jsonb(lr) as last_run, to_jsonb(lc) as last_completed,
  ${nextRunAt} as next_run_at,
  (select ${buildPersonName('p')}
     from person p where p.id = s.owner_id) as owner,
  (select coalesce(jsonb_agg(jsonb_build_object('number', r.number, 'score', r.score) order by r.number), '[]')
     from (select number, score from run where scan_id = s.id and status = 'completed' and ended_at is not null
           order by number desc limit 7) r) as recent,
  (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
     from scan_group_scan x join scan_group g on g.id = x.group_id where x.scan_id = s.id) as groups
  ${from(view)}`

type Listed = {
  scan: Omit<Row, 'settings'>
  rank: number
  favorite: boolean
  owner: string | null
  last_run: Selectable<RunTables['run']> | null
  last_completed: Selectable<RunTables['run']> | null
  next_run_at: Date | null
  recent: ListedScan['recent']
  groups: ListedScan['groups']
}

const moments = new Set([
  'created_at',
  'updated_at',
  'deleted_at',
  'queued_at',
  'started_at',
  'ended_at',
  'served_at',
])
/** A row that came as JSON has its moments as text. */
const revived = <T extends object>(row: T): T =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      moments.has(key) && typeof value === 'string' ? new Date(value) : (value as unknown),
    ]),
  ) as T

const listed = (row: Listed): ListedScan => ({
  scan: revived(row.scan),
  rank: row.rank,
  favorite: row.favorite,
  owner: row.owner,
  lastRun: row.last_run && revived(row.last_run),
  lastCompleted: row.last_completed && revived(row.last_completed),
  nextRunAt: row.next_run_at,
  recent: row.recent,
  groups: row.groups,
})

/** One page of the scans in view, and how many match. */
export async function listScans(
  { db }: Db,
  view: Visible,
  query: z.output<typeof ScanListQuery>,
): Promise<{ rows: ListedScan[]; total: number }> {
  const where = conditions(view, query)
  const order = orderBy(sortColumns, query.sort, sql`lower(s.name)`, sql`s.id`)
  const counted = await sql<{ count: number }>`select count(*) as count ${from(view)} where ${where}`.execute(
    db,
  )
  // The page first, then what is shown of it: details are looked up for these few only.
  const { rows } = await sql<Listed>`
    with chosen as materialized (
      select s.id, row_number() over (${order}) as place ${from(view)} where ${where} ${order} ${limits(query)})
    select ${columns(view)} join chosen on chosen.id = s.id order by chosen.place`.execute(db)
  return { rows: rows.map(listed), total: counted.rows[0]?.count ?? 0 }
}

/** Scans by name, as `visibleScans` or `allowedScans` give them. */
export async function scanNames(
  { db }: Db,
  visible: Visible['visible'],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select s.id, s.name from ${visible} v join scan s on s.id = v.scan_id order by lower(s.name), s.id`.execute(
    db,
  )
  return rows
}

/** One scan as the list has it; null when it is not in view. */
export async function findListed({ db }: Db, view: Visible, id: string): Promise<ListedScan | null> {
  const { rows } = await sql<Listed>`select ${columns(view)} where s.id = ${id}`.execute(db)
  return rows[0] ? listed(rows[0]) : null
}

/** The scan itself, without asking who may see it; null when it is gone. */
export async function findScan({ db }: Db, id: string): Promise<ScanRow | null> {
  const query = db.selectFrom('scan').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const row = await query.executeTakeFirst()
  return row ? read(row) : null
}

const rowOf = (settings: ScanSettings) => ({
  name: settings.name,
  type: settings.type,
  urls: settings.urls,
  priority: priorities.indexOf(settings.priority),
  settings: JSON.stringify(settings),
})

/** What is looked at before settings are replaced, and written with them. */
type Beside = {
  still: (trx: MonitorDb) => Promise<boolean>
  also: (trx: MonitorDb) => Promise<void>
}
const nothingElse = () => Promise.resolve()

/** Stores a new scan whose creator becomes its scan admin; `also` writes what belongs to it, in the same transaction. */
export async function insertScan(
  { db }: Db,
  scan: { id: string; accessId: string; ownerId: string; settings: ScanSettings },
  also: (trx: MonitorDb) => Promise<void> = nothingElse,
): Promise<ScanRow | 'name-taken'> {
  try {
    return await inTransaction(db, async (trx) => {
      const row = await trx
        .insertInto('scan')
        .values({ id: scan.id, owner_id: scan.ownerId, ...rowOf(scan.settings) })
        .returningAll()
        .executeTakeFirstOrThrow()
      await sql`insert into scan_access (id, scan_id, person_id, role)
        values (${scan.accessId}, ${scan.id}, ${scan.ownerId}, 'scanAdmin')`.execute(trx)
      await also(trx)
      return read(row)
    })
  } catch (error) {
    if (isTaken(error, 'scan_name')) return 'name-taken'
    throw error
  }
}

/** Replaces the settings, when they are still those of `version`; `also` writes what belongs to them, in the same transaction. */
export async function replaceSettings(
  { db }: Db,
  id: string,
  version: number,
  settings: ScanSettings,
  { still, also }: Beside = { still: () => Promise.resolve(true), also: nothingElse },
): Promise<ScanRow | 'name-taken' | 'edit-conflict'> {
  try {
    return await inTransaction(db, async (trx) => {
      if (!(await still(trx))) return 'edit-conflict'
      const row = await trx
        .updateTable('scan')
        // Whoever saves it has had a look: unchanged pages are relied on again.
        .set({ ...rowOf(settings), version: version + 1, updated_at: new Date(), reuse_stopped_in: null })
        .where('id', '=', id)
        .where('version', '=', version)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!row) return 'edit-conflict'
      await also(trx)
      return read(row)
    })
  } catch (error) {
    if (isTaken(error, 'scan_name')) return 'name-taken'
    throw error
  }
}

/** Whether another scan has that name, whatever its case. */
export async function nameTaken({ db }: Db, name: string, exceptId: string | undefined): Promise<boolean> {
  const { rows } = await sql`select 1 from scan where lower(name) = lower(${name}) and deleted_at is null
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return rows.length > 0
}

/** Hides a scan for good and stops its run, whose id is answered; the rows are cleared away later, in small steps. */
export async function markDeleted({ db }: Db, id: string): Promise<string | null> {
  return inTransaction(db, async (trx) => {
    await trx.updateTable('scan').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    const { rows } = await sql<{ id: string }>`update run set cancelled = true
      where scan_id = ${id} and ended_at is null returning id`.execute(trx)
    return rows[0]?.id ?? null
  })
}

export async function setFavorite({ db }: Db, personId: string, scanId: string, on: boolean): Promise<void> {
  const row = { person_id: personId, scan_id: scanId }
  if (on)
    await db
      .insertInto('scan_favorite')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await db
      .deleteFrom('scan_favorite')
      .where('person_id', '=', personId)
      .where('scan_id', '=', scanId)
      .execute()
}

/** How many scans somebody has made that are still there. */
export async function countOwned({ db }: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from scan
    where owner_id = ${ownerId} and deleted_at is null`.execute(db)
  return rows[0]!.count
}

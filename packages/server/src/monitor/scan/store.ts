import type { Selection } from '@clearway/contract/kit/selection.ts'
import { type ScanFilter, type ScanListQuery, type scanSortFields, ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { acquireAdvisoryLock } from '../../kit/advisory-lock.ts'
import { isUniqueViolation, inTransaction } from '../../kit/database.ts'
import { joinConditions, buildContainsPattern, buildUrlSearch, buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import { maxSignOutUrls } from '@clearway/contract/monitor/session/model.ts'
import type { SignInWay } from '@clearway/contract/monitor/session/schema.ts'
import type { MonitorDb } from '../database.ts'
import type { RunTables } from '../run/table.ts'
import { priorities } from './model.ts'
import type { ScanTables } from './table.ts'
import { buildPersonName, buildShownUsername } from '../access/table.ts'
import { buildSignInWays } from '../session/table.ts'
import { sumOpenIssues } from '../issue/table.ts'
import { parseStored } from '../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }
/** `visibleScans` of the access store, with the viewer. */
export type ScanView = { visible: RawBuilder<{ scan_id: string; rank: number }>; viewerId: string }
type RawScanRow = Selectable<ScanTables['scan']>
export type ScanRow = Omit<RawScanRow, 'settings'> & { settings: ScanSettings }

const parseScanRow = (row: RawScanRow): ScanRow => ({
  ...row,
  settings: parseStored(ScanSettings, row.settings, `The scan ${row.id}`),
})

export type ListedScan = {
  /** Without its settings, which lists do not need; broken settings must not break a list. */
  scan: Omit<RawScanRow, 'settings'>
  rank: number
  favorite: boolean
  owner: string | null
  signIn: SignInWay[]
  offersDriving: boolean
  lastRun: Selectable<RunTables['run']> | null
  lastCompleted: Selectable<RunTables['run']> | null
  nextRunAt: Date | null
  /** `RunChange` of the newest completed run. */
  change: unknown
  /** Oldest run first. */
  recent: { number: number; score: number | null }[]
  groups: { id: string; name: string }[]
}

const totalIssuesColumn = sumOpenIssues('lc')
const totalPagesColumn = sql`(lc.health_critical + lc.health_serious + lc.health_moderate + lc.health_good)`
const nextRunAtColumn = sql`(select x.next_run_at from schedule x where x.scan_id = s.id)`
const sortColumns: Readonly<Record<(typeof scanSortFields)[number], RawBuilder<unknown>>> = {
  name: sql`lower(s.name)`,
  score: sql`lc.score`,
  critical: sql`lc.critical`,
  serious: sql`lc.serious`,
  moderate: sql`lc.moderate`,
  minor: sql`lc.minor`,
  total: totalIssuesColumn,
  criticalIssues: sql`lc.critical`,
  seriousIssues: sql`lc.serious`,
  moderateIssues: sql`lc.moderate`,
  minorIssues: sql`lc.minor`,
  totalIssues: totalIssuesColumn,
  criticalPages: sql`lc.health_critical`,
  seriousPages: sql`lc.health_serious`,
  moderatePages: sql`lc.health_moderate`,
  goodPages: sql`lc.health_good`,
  totalPages: totalPagesColumn,
  lastRun: sql`lr.queued_at`,
  nextRun: nextRunAtColumn,
  createdAt: sql`s.created_at`,
  type: sql`s.type`,
  priority: sql`s.priority`,
  owner: sql`(select lower(p.first_name || p.last_name || ${buildShownUsername('p')}) from person p where p.id = s.owner_id)`,
  status: sql`lr.status`,
  group: sql`(select min(lower(g.name)) from scan_group_scan x join scan_group g on g.id = x.group_id
    where x.scan_id = s.id)`,
}

const buildFromClause = (view: ScanView) => sql`
  from ${view.visible} v
  join scan s on s.id = v.scan_id
  left join run lr on lr.id = s.last_run_id
  left join run lc on lc.id = s.last_completed_run_id
  left join scan_favorite f on f.scan_id = s.id and f.person_id = ${view.viewerId}`

/** Conditions for scans that match a filter, on `s`, `lr` and `f` of `buildFromClause`. */
function buildConditions(view: ScanView, query: ScanFilter): RawBuilder<boolean> {
  const { search: searchText, running: isRunning } = query
  return joinConditions([
    searchText &&
      sql`(s.name ilike ${buildContainsPattern(searchText)} or exists
      (select from unnest(s.urls) url where ${buildUrlSearch(sql`url`, searchText)}))`,
    query.favorites && sql`f.scan_id is not null`,
    query.mine && sql`s.owner_id = ${view.viewerId}`,
    isRunning !== undefined && sql`(lr.id is not null and lr.ended_at is null) = ${isRunning}`,
    query.type.length > 0 && sql`s.type = any(${query.type}::text[])`,
    query.priority.length > 0 && sql`s.priority = any(${query.priority.map((word) => priorities.indexOf(word))}::int[])`,
    query.status.length > 0 && sql`lr.status = any(${query.status}::text[])`,
    query.presetId.length > 0 && sql`s.preset_id = any(${query.presetId}::uuid[])`,
    query.tag.length > 0 && sql`s.tags && ${query.tag}::text[]`,
    query.groupId.length > 0 &&
      sql`exists (select from scan_group_scan x where x.scan_id = s.id
        and x.group_id = any(${query.groupId}::uuid[]))`,
  ])
}

/** A table expression (scan_id, rank) of the scans selected for a bulk call. */
export function selectScans(view: ScanView, filters: ScanFilter, selection: Selection): RawBuilder<unknown> {
  const scanFilter = selection.selectAllMode
    ? sql`${buildConditions(view, filters)} and s.id <> all(${[...selection.except]}::uuid[])`
    : sql`s.id = any(${[...selection.ids]}::uuid[])`
  return sql`(select s.id as scan_id, v.rank ${buildFromClause(view)} where ${scanFilter})`
}

const buildColumns = (view: ScanView) => sql`
  to_jsonb(s) - 'settings' as scan, v.rank, f.scan_id is not null as favorite, to_jsonb(lr) as last_run, to_jsonb(lc) as last_completed,
  ${nextRunAtColumn} as next_run_at, ${buildSignInWays('s.settings')} as sign_in,
  s.offers_driving and s.preset_id is null and coalesce(s.settings->'advanced'->>'driven', 'off') = 'off' as offers_driving,
  (select change from run_plan where run_id = s.last_completed_run_id) as change,
  (select ${buildPersonName('p')}
     from person p where p.id = s.owner_id) as owner,
  (select coalesce(jsonb_agg(jsonb_build_object('number', r.number, 'score', r.score) order by r.number), '[]')
     from (select number, score from run where scan_id = s.id and status = 'completed' and ended_at is not null
           order by number desc limit 7) r) as recent,
  (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
     from scan_group_scan x join scan_group g on g.id = x.group_id where x.scan_id = s.id) as groups
  ${buildFromClause(view)}`

type ListedScanRow = {
  scan: Omit<RawScanRow, 'settings'>
  rank: number
  favorite: boolean
  owner: string | null
  sign_in: SignInWay[]
  offers_driving: boolean
  last_run: Selectable<RunTables['run']> | null
  last_completed: Selectable<RunTables['run']> | null
  next_run_at: Date | null
  change: unknown
  recent: ListedScan['recent']
  groups: ListedScan['groups']
}

const timestampColumns = new Set(['created_at', 'updated_at', 'deleted_at', 'queued_at', 'started_at', 'ended_at', 'served_at'])
/** Converts timestamps of a JSON row from text to dates. */
const reviveDates = <T extends object>(row: T): T =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      timestampColumns.has(key) && typeof value === 'string' ? new Date(value) : (value as unknown),
    ]),
  ) as T

const toListedScan = (row: ListedScanRow): ListedScan => ({
  scan: reviveDates(row.scan),
  rank: row.rank,
  favorite: row.favorite,
  owner: row.owner,
  signIn: row.sign_in,
  offersDriving: row.offers_driving,
  lastRun: row.last_run && reviveDates(row.last_run),
  lastCompleted: row.last_completed && reviveDates(row.last_completed),
  nextRunAt: row.next_run_at,
  change: row.change,
  recent: row.recent,
  groups: row.groups,
})

export async function listScans(
  { db }: DatabaseDeps,
  view: ScanView,
  query: z.output<typeof ScanListQuery>,
): Promise<{ rows: ListedScan[]; total: number }> {
  const scanFilter = buildConditions(view, query)
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`lower(s.name)`, sql`s.id`)
  const countResult = await sql<{
    count: number
  }>`select count(*) as count ${buildFromClause(view)} where ${scanFilter}`.execute(db)
  // Selects one page of ids first, then looks up the details of these few.
  const { rows: scanRows } = await sql<ListedScanRow>`
    with chosen as materialized (
      select s.id, row_number() over (${orderClause}) as place ${buildFromClause(view)} where ${scanFilter} ${orderClause} ${buildLimitClause(query)})
    select ${buildColumns(view)} join chosen on chosen.id = s.id order by chosen.place`.execute(db)
  return { rows: scanRows.map(toListedScan), total: countResult.rows[0]?.count ?? 0 }
}

export async function readScanNames({ db }: DatabaseDeps, visible: ScanView['visible']): Promise<{ id: string; name: string }[]> {
  const { rows: nameRows } = await sql<{ id: string; name: string }>`
    select s.id, s.name from ${visible} v join scan s on s.id = v.scan_id order by lower(s.name), s.id`.execute(db)
  return nameRows
}

/** One scan in the form of the list; null when it is not in view. */
export async function findListedScan({ db }: DatabaseDeps, view: ScanView, scanId: string): Promise<ListedScan | null> {
  const { rows: scanRows } = await sql<ListedScanRow>`select ${buildColumns(view)} where s.id = ${scanId}`.execute(db)
  return scanRows[0] ? toListedScan(scanRows[0]) : null
}

/** A scan, without an access check; null when it is deleted. */
export async function findScan({ db }: DatabaseDeps, scanId: string): Promise<ScanRow | null> {
  const scanQuery = db.selectFrom('scan').selectAll().where('id', '=', scanId).where('deleted_at', 'is', null)
  const scanRow = await scanQuery.executeTakeFirst()
  return scanRow ? parseScanRow(scanRow) : null
}

const toScanColumns = (settings: ScanSettings) => ({
  name: settings.name,
  type: settings.type,
  urls: settings.urls,
  priority: priorities.indexOf(settings.priority),
  settings: JSON.stringify(settings),
})

/** Hooks of a save in its transaction: a check before, and related data after it. */
type SaveHooks = {
  /** Locks rows that other scans share. They are locked first, in the order of changes to presets. */
  lockSharedRows: (trx: MonitorDb) => Promise<void>
  isUnchanged: (trx: MonitorDb) => Promise<boolean>
  saveRelated: (trx: MonitorDb) => Promise<void>
}
const doNothing = () => Promise.resolve()

/** Stores a new scan with its creator as scan admin; `saveRelated` stores related data in the same transaction. */
export async function insertScan(
  { db }: DatabaseDeps,
  scan: { id: string; accessId: string; ownerId: string; settings: ScanSettings; maxOwned: number },
  { lockSharedRows = doNothing, saveRelated = doNothing }: Partial<SaveHooks> = {},
): Promise<ScanRow | 'name-taken' | 'too-many'> {
  try {
    return await inTransaction(db, async (trx) => {
      await lockSharedRows(trx)
      // Concurrent requests of one person are counted one after another.
      await acquireAdvisoryLock(trx, `scan quota ${scan.ownerId}`)
      if ((await countOwnedScans({ db: trx }, scan.ownerId)) >= scan.maxOwned) return 'too-many'
      const scanRow = await trx
        .insertInto('scan')
        .values({ id: scan.id, owner_id: scan.ownerId, ...toScanColumns(scan.settings) })
        .returningAll()
        .executeTakeFirstOrThrow()
      await sql`insert into scan_access (id, scan_id, person_id, role)
        values (${scan.accessId}, ${scan.id}, ${scan.ownerId}, 'scanAdmin')`.execute(trx)
      await saveRelated(trx)
      return parseScanRow(scanRow)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'scan_name')) return 'name-taken'
    throw error
  }
}

/** Replaces the settings while they still have `version`; `saveRelated` stores related data in the same transaction. */
export async function replaceSettings(
  { db }: DatabaseDeps,
  scanId: string,
  version: number,
  settings: ScanSettings,
  { lockSharedRows = doNothing, isUnchanged = () => Promise.resolve(true), saveRelated = doNothing }: Partial<SaveHooks> = {},
): Promise<ScanRow | 'name-taken' | 'edit-conflict'> {
  try {
    return await inTransaction(db, async (trx) => {
      await lockSharedRows(trx)
      if (!(await isUnchanged(trx))) return 'edit-conflict'
      const scanRow = await trx
        .updateTable('scan')
        // Saving re-enables reuse of unchanged pages.
        .set({
          ...toScanColumns(settings),
          version: version + 1,
          updated_at: new Date(),
          reuse_stopped_in: null,
          // Later changes of the preset do not repeat the offer.
          ...((settings.advanced.driven !== 'off' || settings.presetId !== null) && { offers_driving: false }),
        })
        .where('id', '=', scanId)
        .where('version', '=', version)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!scanRow) return 'edit-conflict'
      await saveRelated(trx)
      return parseScanRow(scanRow)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'scan_name')) return 'name-taken'
    throw error
  }
}

/** Checks whether another scan has this name, ignoring case. */
export async function isNameTaken({ db }: DatabaseDeps, name: string, exceptId: string | undefined): Promise<boolean> {
  const { rows: scanRows } = await sql`select 1 from scan where lower(name) = lower(${name}) and deleted_at is null
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return scanRows.length > 0
}

/** Hides a scan permanently and cancels its run; its rows are deleted later. Returns 'not-found' if it is deleted already. */
export async function markDeleted(
  { db }: DatabaseDeps,
  scanId: string,
): Promise<{ cancelledRunId: string | null } | 'not-found'> {
  return inTransaction(db, async (trx) => {
    const deleteResult = await trx
      .updateTable('scan')
      .set({ deleted_at: new Date() })
      .where('id', '=', scanId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (deleteResult.numUpdatedRows === 0n) return 'not-found'
    const { rows: cancelledRuns } = await sql<{ id: string }>`update run set cancelled = true
      where scan_id = ${scanId} and ended_at is null returning id`.execute(trx)
    return { cancelledRunId: cancelledRuns[0]?.id ?? null }
  })
}

export async function setFavorite({ db }: DatabaseDeps, personId: string, scanId: string, isFavorite: boolean): Promise<void> {
  const favoriteRow = { person_id: personId, scan_id: scanId }
  if (isFavorite)
    await db
      .insertInto('scan_favorite')
      .values(favoriteRow)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('scan_favorite').where('person_id', '=', personId).where('scan_id', '=', scanId).execute()
}

async function countOwnedScans({ db }: DatabaseDeps, ownerId: string): Promise<number> {
  const { rows: countRows } = await sql<{ count: number }>`select count(*)::int as count from scan
    where owner_id = ${ownerId} and deleted_at is null`.execute(db)
  return countRows[0]!.count
}

/** Patterns of links that ended the session of a run of the scan. */
export async function readSignOutUrls({ db }: DatabaseDeps, scanId: string): Promise<string[]> {
  const scanRow = await db.selectFrom('scan').select('sign_out_urls').where('id', '=', scanId).executeTakeFirst()
  return scanRow?.sign_out_urls ?? []
}

/** Keeps a pattern for later runs, up to the maximum number. */
export async function addSignOutUrl({ db }: DatabaseDeps, scanId: string, pattern: string): Promise<void> {
  await sql`update scan set sign_out_urls = sign_out_urls || ${pattern}::text
    where id = ${scanId} and not sign_out_urls @> array[${pattern}::text]
      and cardinality(sign_out_urls) < ${maxSignOutUrls}::int`.execute(db)
}

/** Forgets a pattern. Returns false if the scan does not have it. */
export async function removeSignOutUrl({ db }: DatabaseDeps, scanId: string, pattern: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update scan set sign_out_urls = array_remove(sign_out_urls, ${pattern}::text)
    where id = ${scanId} and deleted_at is null and sign_out_urls @> array[${pattern}::text]`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

export async function endDrivingOffer({ db }: DatabaseDeps, scanId: string): Promise<void> {
  await db
    .updateTable('scan')
    .set({ offers_driving: false })
    .where('id', '=', scanId)
    .where('offers_driving', '=', true)
    .execute()
}

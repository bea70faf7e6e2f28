import { type ScanFilter, maxScanTags, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { Selection } from '@clearway/contract/kit/selection.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { RowBatches } from '../../../kit/csv/write.ts'
import { inTransaction } from '../../../kit/database.ts'
import { streamRows } from '../../../kit/large-read.ts'
import { joinConditions, buildContainsPattern, buildLimitClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import type { RunTables } from '../../run/table.ts'
import { selectScans, type ScanView } from '../store.ts'
import { buildPersonName } from '../../access/table.ts'

type RunColumns = Selectable<RunTables['run']>
export type SelectedScans = { view: ScanView; filters: ScanFilter; selection: Selection }
const selectChosen = ({ view, filters, selection }: SelectedScans) => selectScans(view, filters, selection)

export async function describeSelected(db: MonitorDb, selected: SelectedScans, maxRank: number) {
  const { rows: countRows } = await sql<{
    count: number
    manageable: number
    withPreset: number
    withSessionScript: number
    scans: { id: string; name: string }[]
  }>`
    with chosen as materialized (
      select s.id, s.name, c.rank, s.preset_id, s.settings from ${selectChosen(selected)} c join scan s on s.id = c.scan_id)
    select count(*) as count, count(*) filter (where rank <= ${maxRank}::int) as manageable,
      count(preset_id) as "withPreset",
      count(*) filter (where exists (
        select from script where type = 'SESSION' and settings #> '{scripts,shared}' ? script.id::text)
        or settings @? '$.scripts.own[*] ? (@.type == "SESSION")') as "withSessionScript",
      (select coalesce(jsonb_agg(t), '[]') from
        (select id, name from chosen order by lower(name) limit 500) t) as scans
    from chosen`.execute(db)
  return countRows[0]!
}

export type ScanChange = {
  tasks: readonly string[]
  session: string | null
  /** Settings that the preset applies, including its id; null without a preset. */
  preset: Partial<ScanSettings> | null
}

/** Types of shared scripts by id; unknown ids are left out. */
export async function findScriptTypes(db: MonitorDb, scriptIds: readonly string[]) {
  const { rows: scriptRows } = await sql<{ id: string; type: 'TASK' | 'SESSION' }>`
    select id, type from script where shared and id = any(${[...scriptIds]}::uuid[])`.execute(db)
  return new Map(scriptRows.map(({ id, type }) => [id, type]))
}

/** Script settings plus shared scripts; a session script replaces the previous one. */
const buildChangedScripts = ({ tasks, session }: ScanChange): RawBuilder<unknown> => {
  const isKept =
    session === null
      ? sql`true`
      : sql`not exists (select from script
    where script.id::text = old.id and script.type = 'SESSION')`
  const ownScripts =
    session === null
      ? sql`coalesce(s.settings #> '{scripts,own}', '[]')`
      : sql`jsonb_path_query_array(coalesce(s.settings #> '{scripts,own}', '[]'), '$[*] ? (@.type != "SESSION")')`
  const addedIds = session === null ? [...tasks] : [...tasks, session]
  return sql`coalesce(s.settings -> 'scripts', '{}') || jsonb_build_object('own', ${ownScripts}, 'shared', (
    select coalesce(jsonb_agg(distinct id), '[]') from (
      select old.id from jsonb_array_elements_text(coalesce(s.settings #> '{scripts,shared}', '[]')) old(id) where ${isKept}
      union select unnest(${addedIds}::text[])) t))`
}

/** Applies shared scripts and a preset to scans up to a rank. Returns numbers: changed, beyond it, already with a preset. */
export async function changeScans(db: MonitorDb, selected: SelectedScans, maxRank: number, change: ScanChange) {
  const hasScripts = change.tasks.length > 0 || change.session !== null
  const changedSettings = sql`s.settings ${hasScripts ? sql`|| jsonb_build_object('scripts', ${buildChangedScripts(change)})` : sql``}
    ${
      change.preset === null
        ? sql``
        : sql`|| case when s.preset_id is null
      then ${JSON.stringify(change.preset)}::jsonb else '{}' end`
    }`
  const isTouched = hasScripts ? sql`true` : sql`s.preset_id is null`
  const { rows: countRows } = await sql<{ changed: number; skipped: number; ignored: number }>`
    with chosen as materialized (
      select c.scan_id, c.rank, scan.preset_id from ${selectChosen(selected)} c join scan on scan.id = c.scan_id),
    changed as (
      update scan s set settings = ${changedSettings}, type = (${changedSettings}) ->> 'type', version = s.version + 1, updated_at = now(),
        offers_driving = s.offers_driving and (${change.preset === null} or s.preset_id is not null)
      from chosen c where s.id = c.scan_id and c.rank <= ${maxRank}::int and ${isTouched} returning s.id)
    select (select count(*)::int from changed) as changed,
      (select count(*)::int from chosen where rank > ${maxRank}::int) as skipped,
      (select count(*)::int from chosen where rank <= ${maxRank}::int and preset_id is not null
        and ${change.preset !== null}) as ignored`.execute(db)
  return countRows[0]!
}

export async function setFavorites(db: MonitorDb, selected: SelectedScans, isFavorite: boolean): Promise<number> {
  const personId = selected.view.viewerId
  const scansQuery = sql`select scan_id from ${selectChosen(selected)} c`
  const { rows: scanRows } = await (
    isFavorite
      ? sql`with put as (insert into scan_favorite (person_id, scan_id) select ${personId}, scan_id from (${scansQuery}) t
          on conflict do nothing)
        ${scansQuery}`
      : sql`with chosen as materialized (${scansQuery}), gone as (delete from scan_favorite f using chosen c
          where f.person_id = ${personId} and f.scan_id = c.scan_id)
        select * from chosen`
  ).execute(db)
  return scanRows.length
}

/** Hides the selected scans permanently and cancels their runs; returns the ids of these runs. */
export async function markSelectedDeleted(db: MonitorDb, selected: SelectedScans, maxRank: number) {
  return inTransaction(db, async (trx) => {
    await sql`create temporary table chosen_scan on commit drop as select * from ${selectChosen(selected)} c`.execute(trx)
    const skippedResult = await sql`delete from chosen_scan where rank > ${maxRank}::int`.execute(trx)
    const deletedResult = await sql`update scan set deleted_at = now() from chosen_scan c
        where c.scan_id = scan.id and scan.deleted_at is null`.execute(trx)
    const cancelledRuns = await sql<{ id: string }>`update run set cancelled = true from chosen_scan c
      where run.scan_id = c.scan_id and run.ended_at is null returning run.id`.execute(trx)
    return {
      changed: Number(deletedResult.numAffectedRows ?? 0),
      skipped: Number(skippedResult.numAffectedRows ?? 0),
      runs: cancelledRuns.rows.map(({ id }) => id),
    }
  })
}

/** The newest completed run of each scan in view, with its change. */
export async function readScores(db: MonitorDb, view: ScanView, scanIds: readonly string[]) {
  const { rows: scoreRows } = await sql<{ scan_id: string; last: RunColumns | null; change: unknown }>`
    select s.id as scan_id, to_jsonb(lc) as last, (select change from run_plan where run_id = lc.id) as change
    from ${view.visible} v join scan s on s.id = v.scan_id left join run lc on lc.id = s.last_completed_run_id
    where ${scanIds.length > 0 ? sql`s.id = any(${[...scanIds]}::uuid[])` : sql`true`} order by lower(s.name), s.id`.execute(db)
  return scoreRows
}

/** Runs of the scans in view: active ones first, then those that ended most recently. */
export async function readActivity(
  db: MonitorDb,
  view: ScanView,
  query: { scanId: readonly string[]; page: number; size: number },
) {
  const scanFilter = query.scanId.length > 0 ? sql`s.id = any(${[...query.scanId]}::uuid[])` : sql`true`
  const runsFromClause = sql`from ${view.visible} v join scan s on s.id = v.scan_id join run on run.scan_id = s.id where ${scanFilter}`
  const countResult = await sql<{ count: number }>`select count(*) as count ${runsFromClause}`.execute(db)
  const { rows: runRows } = await sql<RunColumns & { scan_name: string }>`
    select run.*, s.name as scan_name ${runsFromClause}
    order by run.ended_at is not null, coalesce(run.ended_at, run.queued_at) desc, run.id ${buildLimitClause(query)}`.execute(db)
  return { rows: runRows, total: countResult.rows[0]?.count ?? 0 }
}

export async function readScansWithPresets(
  db: MonitorDb,
  view: ScanView,
  query: { search?: string | undefined; presetId: readonly string[]; page: number; size: number },
) {
  type ScanPresetRow = { scanId: string; scanName: string; presetId: string | null; presetName: string | null; count: number }
  const { rows: scanRows } = await sql<ScanPresetRow>`
    select s.id as "scanId", s.name as "scanName", p.id as "presetId", p.name as "presetName", count(*) over () as count
    from ${view.visible} v join scan s on s.id = v.scan_id left join preset p on p.id = s.preset_id
    where ${joinConditions([
      query.search && sql`s.name ilike ${buildContainsPattern(query.search)}`,
      query.presetId.length > 0 && sql`s.preset_id = any(${[...query.presetId]}::uuid[])`,
    ])} order by lower(s.name), s.id ${buildLimitClause(query)}`.execute(db)
  return { rows: scanRows.map(({ count: _count, ...scanRow }) => scanRow), total: scanRows[0]?.count ?? 0 }
}

export type ExportedScan = RunColumns & { scan_name: string; type: string; url: string; owner: string | null; tags: string[] }
export const streamScans = (db: MonitorDb, selected: SelectedScans): RowBatches<ExportedScan> =>
  streamRows(
    db,
    sql<ExportedScan>`
      select lc.*, s.id as id, s.name as scan_name, s.type, s.urls[1] as url, to_jsonb(s.tags) as tags,
        (select ${buildPersonName('p')}
          from person p where p.id = s.owner_id) as owner
      from ${selectChosen(selected)} c join scan s on s.id = c.scan_id
      left join run lc on lc.id = s.last_completed_run_id order by lower(s.name), s.id`,
  )

/** Adds and removes tags of scans up to a rank; versions stay. Returns numbers: changed, beyond the rank, beyond the maximum. */
export async function setTags(
  db: MonitorDb,
  selected: SelectedScans,
  maxRank: number,
  { add: addedTags, remove: removedTags }: { add: readonly string[]; remove: readonly string[] },
) {
  return inTransaction(db, async (trx) => {
    await sql`create temporary table chosen_scan on commit drop as select * from ${selectChosen(selected)} c`.execute(trx)
    const skippedResult = await sql`delete from chosen_scan where rank > ${maxRank}::int`.execute(trx)
    // Waits for concurrent changes of the same scans' tags, so that none is lost.
    await sql`select 1 from scan where id in (select scan_id from chosen_scan) order by id for no key update`.execute(trx)
    const { rows: countRows } = await sql<{ changed: number; ignored: number }>`
      with wanted as materialized (
        select s.id, (select coalesce(array_agg(distinct tag order by tag), '{}')
          from unnest(s.tags || ${[...addedTags]}::text[]) tag where tag <> all(${[...removedTags]}::text[])) as tags
        from chosen_scan c join scan s on s.id = c.scan_id),
      changed as (update scan s set tags = w.tags from wanted w where s.id = w.id
        and cardinality(w.tags) <= ${maxScanTags}::int and s.tags is distinct from w.tags returning s.id)
      select (select count(*)::int from changed) as changed,
        (select count(*)::int from wanted where cardinality(tags) > ${maxScanTags}::int) as ignored`.execute(trx)
    return { ...countRows[0]!, skipped: Number(skippedResult.numAffectedRows ?? 0) }
  })
}

export async function readTags(db: MonitorDb, view: ScanView) {
  const { rows: tagRows } = await sql<{ tag: string; scans: number }>`
    select tag, count(*)::int as scans from ${view.visible} v join scan s on s.id = v.scan_id, unnest(s.tags) tag
    group by tag order by scans desc, tag limit 500`.execute(db)
  return tagRows
}

/** Selected scans as (id, rank), by name; one more than `maxScans` if there are more. */
export async function readSelectedScans(db: MonitorDb, selected: SelectedScans, maxScans: number) {
  const { rows: scanRows } = await sql<{ id: string; rank: number }>`
    select c.scan_id as id, c.rank from ${selectChosen(selected)} c join scan s on s.id = c.scan_id
    order by lower(s.name), s.id limit ${maxScans + 1}`.execute(db)
  return scanRows
}

import { mostScanTags, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { Selection } from '@clearway/contract/kit/selection.ts'
import type { ScanFilter } from '@clearway/contract/monitor/scan/schema.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Portions } from '../../../kit/csv/write.ts'
import { inTransaction } from '../../../kit/database.ts'
import { streamRows } from '../../../kit/large-read.ts'
import { allOf, containing, limits } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { type RunTables, runStatus } from '../../run/table.ts'
import { selectedScans, type Visible } from '../store.ts'
import { buildPersonName } from '../../access/table.ts'

type Run = Selectable<RunTables['run']>
export type SelectedScans = { view: Visible; filters: ScanFilter; selection: Selection }
const chosen = ({ view, filters, selection }: SelectedScans) => selectedScans(view, filters, selection)

/** What is selected in figures, and the first names. */
export async function describeSelected(db: MonitorDb, selected: SelectedScans, rank: number) {
  const { rows } = await sql<{
    count: number
    manageable: number
    withPreset: number
    withSessionScript: number
    scans: { id: string; name: string }[]
  }>`
    with chosen as materialized (
      select s.id, s.name, c.rank, s.preset_id, s.settings from ${chosen(selected)} c join scan s on s.id = c.scan_id)
    select count(*) as count, count(*) filter (where rank <= ${rank}::int) as manageable,
      count(preset_id) as "withPreset",
      count(*) filter (where exists (
        select from script where type = 'SESSION' and settings #> '{scripts,shared}' ? script.id::text)
        or settings @? '$.scripts.own[*] ? (@.type == "SESSION")') as "withSessionScript",
      (select coalesce(jsonb_agg(t), '[]') from
        (select id, name from chosen order by lower(name) limit 500) t) as scans
    from chosen`.execute(db)
  return rows[0]!
}

export type ScanChange = {
  tasks: readonly string[]
  session: string | null
  /** What the preset puts into the settings, itself included; null for none. */
  preset: Partial<ScanSettings> | null
}

/** Shared scripts by type; what is not there is not answered. */
export async function scriptTypes(db: MonitorDb, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; type: 'TASK' | 'SESSION' }>`
    select id, type from script where shared and id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, type }) => [id, type]))
}

/** Script settings with shared ones added; a session script takes the place of the one there is. */
const scriptsWith = ({ tasks, session }: ScanChange): RawBuilder<unknown> => {
  const kept =
    session === null
      ? sql`true`
      : sql`not exists (select from script
    where script.id::text = old.id and script.type = 'SESSION')`
  const own =
    session === null
      ? sql`coalesce(s.settings #> '{scripts,own}', '[]')`
      : sql`jsonb_path_query_array(coalesce(s.settings #> '{scripts,own}', '[]'), '$[*] ? (@.type != "SESSION")')`
  const added = session === null ? [...tasks] : [...tasks, session]
  return sql`coalesce(s.settings -> 'scripts', '{}') || jsonb_build_object('own', ${own}, 'shared', (
    select coalesce(jsonb_agg(distinct id), '[]') from (
      select old.id from jsonb_array_elements_text(coalesce(s.settings #> '{scripts,shared}', '[]')) old(id) where ${kept}
      union select unnest(${added}::text[])) t))`
}

/**
 * Applies shared scripts and a preset to what is selected, as far as the rank allows.
 * @returns how many changed, how many the role forbids, and how many had a preset already
 */
export async function changeScans(db: MonitorDb, selected: SelectedScans, rank: number, change: ScanChange) {
  const scripts = change.tasks.length > 0 || change.session !== null
  const settings = sql`s.settings ${scripts ? sql`|| jsonb_build_object('scripts', ${scriptsWith(change)})` : sql``}
    ${
      change.preset === null
        ? sql``
        : sql`|| case when s.preset_id is null
      then ${JSON.stringify(change.preset)}::jsonb else '{}' end`
    }`
  const touched = scripts ? sql`true` : sql`s.preset_id is null`
  const { rows } = await sql<{ changed: number; skipped: number; ignored: number }>`
    with chosen as materialized (
      select c.scan_id, c.rank, scan.preset_id from ${chosen(selected)} c join scan on scan.id = c.scan_id),
    changed as (
      update scan s set settings = ${settings}, type = (${settings}) ->> 'type', version = s.version + 1, updated_at = now()
      from chosen c where s.id = c.scan_id and c.rank <= ${rank}::int and ${touched} returning s.id)
    select (select count(*)::int from changed) as changed,
      (select count(*)::int from chosen where rank > ${rank}::int) as skipped,
      (select count(*)::int from chosen where rank <= ${rank}::int and preset_id is not null
        and ${change.preset !== null}) as ignored`.execute(db)
  return rows[0]!
}

export async function setFavorites(db: MonitorDb, selected: SelectedScans, on: boolean): Promise<number> {
  const person = selected.view.viewerId
  const scans = sql`select scan_id from ${chosen(selected)} c`
  const { rows } = await (
    on
      ? sql`with put as (insert into scan_favorite (person_id, scan_id) select ${person}, scan_id from (${scans}) t
          on conflict do nothing)
        ${scans}`
      : sql`with chosen as materialized (${scans}), gone as (delete from scan_favorite f using chosen c
          where f.person_id = ${person} and f.scan_id = c.scan_id)
        select * from chosen`
  ).execute(db)
  return rows.length
}

/** Hides what is selected for good and stops its runs, whose ids are answered. */
export async function markSelectedDeleted(db: MonitorDb, selected: SelectedScans, rank: number) {
  return inTransaction(db, async (trx) => {
    await sql`create temporary table chosen_scan on commit drop as select * from ${chosen(selected)} c`.execute(
      trx,
    )
    const skipped = await sql`delete from chosen_scan where rank > ${rank}::int`.execute(trx)
    const gone =
      await sql`update scan set deleted_at = now() from chosen_scan c where c.scan_id = scan.id`.execute(trx)
    const runs = await sql<{ id: string }>`update run set cancelled = true from chosen_scan c
      where run.scan_id = c.scan_id and run.ended_at is null returning run.id`.execute(trx)
    return {
      changed: Number(gone.numAffectedRows ?? 0),
      skipped: Number(skipped.numAffectedRows ?? 0),
      runs: runs.rows.map(({ id }) => id),
    }
  })
}

/** The newest completed run of each scan in view, with the score of the one before. */
export async function scoresOf(db: MonitorDb, view: Visible, ids: readonly string[]) {
  const { rows } = await sql<{ scan_id: string; last: Run | null; before: number | null }>`
    select s.id as scan_id, to_jsonb(lc) as last, (
      select score from run r where r.scan_id = s.id and r.number < lc.number and r.status in ${runStatus.withResults}
      order by number desc limit 1) as before
    from ${view.visible} v join scan s on s.id = v.scan_id left join run lc on lc.id = s.last_completed_run_id
    where ${ids.length > 0 ? sql`s.id = any(${[...ids]}::uuid[])` : sql`true`} order by lower(s.name), s.id`.execute(
    db,
  )
  return rows
}

/** Runs of the scans in view: those that go on, then those that ended last. */
export async function activity(
  db: MonitorDb,
  view: Visible,
  query: { scanId: readonly string[]; page: number; size: number },
) {
  const which = query.scanId.length > 0 ? sql`s.id = any(${[...query.scanId]}::uuid[])` : sql`true`
  const from = sql`from ${view.visible} v join scan s on s.id = v.scan_id join run on run.scan_id = s.id where ${which}`
  const counted = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db)
  const { rows } = await sql<Run & { scan_name: string }>`
    select run.*, s.name as scan_name ${from}
    order by run.ended_at is not null, coalesce(run.ended_at, run.queued_at) desc, run.id ${limits(query)}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export async function withPresets(
  db: MonitorDb,
  view: Visible,
  query: { search?: string | undefined; presetId: readonly string[]; page: number; size: number },
) {
  type Row = {
    scanId: string
    scanName: string
    presetId: string | null
    presetName: string | null
    count: number
  }
  const { rows } = await sql<Row>`
    select s.id as "scanId", s.name as "scanName", p.id as "presetId", p.name as "presetName", count(*) over () as count
    from ${view.visible} v join scan s on s.id = v.scan_id left join preset p on p.id = s.preset_id
    where ${allOf([
      query.search && sql`s.name ilike ${containing(query.search)}`,
      query.presetId.length > 0 && sql`s.preset_id = any(${[...query.presetId]}::uuid[])`,
    ])} order by lower(s.name), s.id ${limits(query)}`.execute(db)
  return { rows: rows.map(({ count: _count, ...row }) => row), total: rows[0]?.count ?? 0 }
}

export type ExportedScan = Run & {
  scan_name: string
  type: string
  url: string
  owner: string | null
  tags: string[]
}
/** What is selected, with the newest completed run, as it comes. */
export const streamScans = (db: MonitorDb, selected: SelectedScans): Portions<ExportedScan> =>
  streamRows(
    db,
    sql<ExportedScan>`
      select lc.*, s.id as id, s.name as scan_name, s.type, s.urls[1] as url, to_jsonb(s.tags) as tags,
        (select ${buildPersonName('p')}
          from person p where p.id = s.owner_id) as owner
      from ${chosen(selected)} c join scan s on s.id = c.scan_id
      left join run lc on lc.id = s.last_completed_run_id order by lower(s.name), s.id`,
  )

/**
 * Adds tags to what is selected and removes others, as far as the rank allows. Settings stay, and so does their version.
 * @returns how many changed, how many the role forbids, and how many would have too many
 */
export async function setTags(
  db: MonitorDb,
  selected: SelectedScans,
  rank: number,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
) {
  return inTransaction(db, async (trx) => {
    await sql`create temporary table chosen_scan on commit drop as select * from ${chosen(selected)} c`.execute(
      trx,
    )
    const skipped = await sql`delete from chosen_scan where rank > ${rank}::int`.execute(trx)
    // Waits for others who set tags of the same scans at this moment, and keeps theirs.
    await sql`select 1 from scan where id in (select scan_id from chosen_scan) order by id for no key update`.execute(
      trx,
    )
    const { rows } = await sql<{ changed: number; ignored: number }>`
      with wanted as materialized (
        select s.id, (select coalesce(array_agg(distinct tag order by tag), '{}')
          from unnest(s.tags || ${[...add]}::text[]) tag where tag <> all(${[...remove]}::text[])) as tags
        from chosen_scan c join scan s on s.id = c.scan_id),
      changed as (update scan s set tags = w.tags from wanted w where s.id = w.id
        and cardinality(w.tags) <= ${mostScanTags}::int and s.tags is distinct from w.tags returning s.id)
      select (select count(*)::int from changed) as changed,
        (select count(*)::int from wanted where cardinality(tags) > ${mostScanTags}::int) as ignored`.execute(
      trx,
    )
    return { ...rows[0]!, skipped: Number(skipped.numAffectedRows ?? 0) }
  })
}

/** Tags of the scans in view, the most frequent first. */
export async function tagsOfScans(db: MonitorDb, view: Visible) {
  const { rows } = await sql<{ tag: string; scans: number }>`
    select tag, count(*)::int as scans from ${view.visible} v join scan s on s.id = v.scan_id, unnest(s.tags) tag
    group by tag order by scans desc, tag limit 500`.execute(db)
  return rows
}

/** The scans that are selected, as (id, rank), by name; one more than `most` says that there are more. */
export async function selectedIds(db: MonitorDb, selected: SelectedScans, most: number) {
  const { rows } = await sql<{ id: string; rank: number }>`
    select c.scan_id as id, c.rank from ${chosen(selected)} c join scan s on s.id = c.scan_id
    order by lower(s.name), s.id limit ${most + 1}`.execute(db)
  return rows
}

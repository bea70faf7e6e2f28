import { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type Selectable, sql } from 'kysely'
import { isTaken, inTransaction } from '../../kit/database.ts'
import { containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { PresetTables } from './table.ts'
import { readStored } from '../../kit/stored.ts'

type Db = { db: MonitorDb }
type Row = Selectable<PresetTables['preset']> & { used: number }
export type PresetRow = Omit<Row, 'settings'> & { settings: PresetSettings }

const read = (row: Row | undefined): PresetRow | null =>
  row ? { ...row, settings: readStored(PresetSettings, row.settings, `The preset ${row.id}`) } : null

const used = sql`(select count(*)::int from scan where scan.preset_id = p.id and scan.deleted_at is null)`
const sortColumns = {
  name: sql`lower(p.name)`,
  assignedScanCount: used,
  createdAt: sql`p.created_at`,
  updatedAt: sql`p.updated_at`,
}

/** One page of presets, and how many match. */
export async function listPresets(
  { db }: Db,
  query: {
    page: number
    size: number
    search?: string | undefined
    sort: readonly `${keyof typeof sortColumns},${'asc' | 'desc'}`[]
  },
): Promise<{ rows: Row[]; total: number }> {
  const where = sql`p.name ilike ${containing(query.search ?? '')}`
  const order = orderBy(sortColumns, query.sort, sql`lower(p.name)`, sql`p.id`)
  const { rows } =
    await sql<Row>`select p.*, ${used} as used from preset p where ${where} ${order} ${limits(query)}`.execute(
      db,
    )
  const counted = await sql<{ total: number }>`select count(*) as total from preset p where ${where}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export async function findPreset({ db }: Db, id: string): Promise<PresetRow | null> {
  const { rows } = await sql<Row>`select p.*, ${used} as used from preset p where p.id = ${id}`.execute(db)
  return read(rows[0])
}

/** The preset of a scan; null when it has none. */
export async function presetOfScan({ db }: Db, scanId: string): Promise<PresetRow | null> {
  const { rows } = await sql<Row>`select p.*, ${used} as used from preset p
    join scan s on s.preset_id = p.id where s.id = ${scanId}`.execute(db)
  return read(rows[0])
}

export async function presetNameTaken(
  { db }: Db,
  name: string,
  exceptId: string | undefined,
): Promise<boolean> {
  const { rows } = await sql`select from preset where lower(name) = lower(${name})
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return rows.length > 0
}

export async function insertPreset(
  { db }: Db,
  id: string,
  settings: PresetSettings,
  also: (trx: MonitorDb) => Promise<void>,
): Promise<'saved' | 'name-taken'> {
  try {
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('preset')
        .values({ id, name: settings.name, settings: JSON.stringify(settings) })
        .execute()
      await also(trx)
    })
    return 'saved'
  } catch (error) {
    if (isTaken(error, 'preset_name')) return 'name-taken'
    throw error
  }
}

/**
 * Replaces a preset, when it is still that of `version`, and the settings of the scans that have it as `follow` makes them.
 */
export async function replacePreset(
  { db }: Db,
  preset: { id: string; version: number; settings: PresetSettings },
  follow: (settings: ScanSettings) => ScanSettings,
  also: (trx: MonitorDb) => Promise<void>,
): Promise<'saved' | 'name-taken' | 'edit-conflict'> {
  try {
    return await inTransaction(db, async (trx) => {
      const done = await trx
        .updateTable('preset')
        .set({
          name: preset.settings.name,
          settings: JSON.stringify(preset.settings),
          version: preset.version + 1,
          updated_at: new Date(),
        })
        .where('id', '=', preset.id)
        .where('version', '=', preset.version)
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) return 'edit-conflict'
      await also(trx)
      const { rows } = await sql<{ id: string; settings: unknown }>`select id, settings from scan
        where preset_id = ${preset.id} and deleted_at is null order by id for update`.execute(trx)
      for (const row of rows) {
        const settings = follow(readStored(ScanSettings, row.settings, `The scan ${row.id}`))
        await sql`update scan set settings = ${JSON.stringify(settings)}::jsonb, type = ${settings.type},
          version = version + 1, updated_at = now() where id = ${row.id} and settings <> ${JSON.stringify(settings)}::jsonb`.execute(
          trx,
        )
      }
      return 'saved'
    })
  } catch (error) {
    if (isTaken(error, 'preset_name')) return 'name-taken'
    throw error
  }
}

/** Deletes a preset and takes it from its scans, which keep their settings; `keep` writes more of each. False when there was none. */
export async function removePreset(
  { db }: Db,
  id: string,
  keep: (trx: MonitorDb, scanId: string, domains: readonly string[]) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; settings: unknown }>`update scan
      set settings = jsonb_set(settings, '{presetId}', 'null'), version = version + 1, updated_at = now()
      where preset_id = ${id} returning id, settings`.execute(trx)
    for (const row of rows) {
      const { domains } = readStored(ScanSettings, row.settings, `The scan ${row.id}`)
      await keep(trx, row.id, domains)
    }
    const done = await trx.deleteFrom('preset').where('id', '=', id).executeTakeFirst()
    return done.numDeletedRows > 0n
  })
}

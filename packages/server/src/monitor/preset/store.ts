import { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type Selectable, sql } from 'kysely'
import { isUniqueViolation, inTransaction } from '../../kit/database.ts'
import { buildContainsPattern, buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { selectFirstScanNames } from '../scan/table.ts'
import type { PresetTables } from './table.ts'
import { parseStored, StoredDataError } from '../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }
type RawPresetRow = Selectable<PresetTables['preset']> & { used: number; scan_names?: string[] }
export type PresetRow = Omit<RawPresetRow, 'settings'> & { settings: PresetSettings }

const parsePresetRow = (row: RawPresetRow): PresetRow => ({
  ...row,
  settings: parseStored(PresetSettings, row.settings, `The preset ${row.id}`),
})

/** Settings are null if they cannot be read: one damaged preset does not hide the others. */
type ListedPreset = Omit<PresetRow, 'settings'> & { settings: PresetSettings | null }
function parseListedPreset(row: RawPresetRow): ListedPreset {
  try {
    return parsePresetRow(row)
  } catch (error) {
    if (!(error instanceof StoredDataError)) throw error
    return { ...row, settings: null }
  }
}

const usedCountColumn = sql`(select count(*)::int from scan where scan.preset_id = p.id and scan.deleted_at is null)`
const sortColumns = {
  name: sql`lower(p.name)`,
  assignedScanCount: usedCountColumn,
  createdAt: sql`p.created_at`,
  updatedAt: sql`p.updated_at`,
}

export async function listPresets(
  { db }: DatabaseDeps,
  query: {
    page: number
    size: number
    search?: string | undefined
    sort: readonly `${keyof typeof sortColumns},${'asc' | 'desc'}`[]
  },
): Promise<{ rows: ListedPreset[]; total: number }> {
  const nameFilter = sql`p.name ilike ${buildContainsPattern(query.search ?? '')}`
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`lower(p.name)`, sql`p.id`)
  const { rows: presetRows } = await sql<RawPresetRow>`select p.*, ${usedCountColumn} as used,
      ${selectFirstScanNames(sql`scan.preset_id = p.id`)} as scan_names from preset p where ${nameFilter} ${orderClause} ${buildLimitClause(query)}`.execute(
    db,
  )
  const countResult = await sql<{ total: number }>`select count(*) as total from preset p where ${nameFilter}`.execute(db)
  return { rows: presetRows.map(parseListedPreset), total: countResult.rows[0]?.total ?? 0 }
}

export async function findPreset({ db }: DatabaseDeps, id: string): Promise<PresetRow | null> {
  const { rows: presetRows } =
    await sql<RawPresetRow>`select p.*, ${usedCountColumn} as used from preset p where p.id = ${id}`.execute(db)
  return presetRows[0] ? parsePresetRow(presetRows[0]) : null
}

export async function findPresetOfScan({ db }: DatabaseDeps, scanId: string): Promise<PresetRow | null> {
  const { rows: presetRows } = await sql<RawPresetRow>`select p.*, ${usedCountColumn} as used from preset p
    join scan s on s.preset_id = p.id where s.id = ${scanId}`.execute(db)
  return presetRows[0] ? parsePresetRow(presetRows[0]) : null
}

export async function isPresetNameTaken({ db }: DatabaseDeps, name: string, exceptId: string | undefined): Promise<boolean> {
  const { rows: presetRows } = await sql`select from preset where lower(name) = lower(${name})
    and ${exceptId ? sql`id <> ${exceptId}` : sql`true`}`.execute(db)
  return presetRows.length > 0
}

export async function insertPreset(
  { db }: DatabaseDeps,
  id: string,
  settings: PresetSettings,
  saveRelated: (trx: MonitorDb) => Promise<void>,
): Promise<'saved' | 'name-taken'> {
  try {
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('preset')
        .values({ id, name: settings.name, settings: JSON.stringify(settings) })
        .execute()
      await saveRelated(trx)
    })
    return 'saved'
  } catch (error) {
    if (isUniqueViolation(error, 'preset_name')) return 'name-taken'
    throw error
  }
}

/** Replaces a preset while it still has `version`, and applies `applyChange` to the settings of its scans. */
export async function replacePreset(
  { db }: DatabaseDeps,
  preset: { id: string; version: number; settings: PresetSettings },
  applyChange: (settings: ScanSettings) => ScanSettings,
  saveRelated: (trx: MonitorDb) => Promise<void>,
): Promise<'saved' | 'name-taken' | 'edit-conflict'> {
  try {
    return await inTransaction(db, async (trx) => {
      const updateResult = await trx
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
      if (updateResult.numUpdatedRows === 0n) return 'edit-conflict'
      await saveRelated(trx)
      const { rows: scanRows } = await sql<{ id: string; settings: unknown }>`select id, settings from scan
        where preset_id = ${preset.id} and deleted_at is null order by id for update`.execute(trx)
      for (const scanRow of scanRows) {
        const changedSettings = applyChange(parseStored(ScanSettings, scanRow.settings, `The scan ${scanRow.id}`))
        await sql`update scan set settings = ${JSON.stringify(changedSettings)}::jsonb, type = ${changedSettings.type},
          version = version + 1, updated_at = now(), offers_driving = offers_driving and ${changedSettings.advanced.driven === 'off'}
          where id = ${scanRow.id} and settings <> ${JSON.stringify(changedSettings)}::jsonb`.execute(trx)
      }
      return 'saved'
    })
  } catch (error) {
    if (isUniqueViolation(error, 'preset_name')) return 'name-taken'
    throw error
  }
}

/** Deletes a preset and detaches its scans, which keep their settings; `keepHeaders` runs for each scan. False for an unknown preset. */
export async function removePreset(
  { db }: DatabaseDeps,
  id: string,
  keepHeaders: (trx: MonitorDb, scanId: string, domains: readonly string[]) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    // Waits for scans that are being saved with it; only a new statement sees them.
    await sql`select from preset where id = ${id} for update`.execute(trx)
    const { rows: scanRows } = await sql<{ id: string; settings: unknown }>`update scan
      set settings = jsonb_set(settings, '{presetId}', 'null'), version = version + 1, updated_at = now()
      where preset_id = ${id} returning id, settings`.execute(trx)
    for (const scanRow of scanRows) {
      const { domains: scanDomains } = parseStored(ScanSettings, scanRow.settings, `The scan ${scanRow.id}`)
      await keepHeaders(trx, scanRow.id, scanDomains)
    }
    const deleteResult = await trx.deleteFrom('preset').where('id', '=', id).executeTakeFirst()
    return deleteResult.numDeletedRows > 0n
  })
}

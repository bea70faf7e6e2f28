import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'

/** Rows that scans share: presets and scripts, by id. Unknown ids are allowed. */
export type SharedRowIds = { presets: readonly (string | null)[]; scripts: readonly string[] }

/** Reads the version of each shared row as one text. @param lockClause locks the rows until the transaction ends */
async function readVersions(db: MonitorDb, rowIds: SharedRowIds, lockClause = sql``): Promise<string> {
  const readTable = async (table: 'preset' | 'script', ids: readonly (string | null)[]) => {
    if (ids.length === 0) return []
    const { rows } = await sql<{ id: string; version: number }>`
      select id, version from ${sql.table(table)} where id = any(${[...ids]}::uuid[]) order by id ${lockClause}`.execute(db)
    return rows.map(({ id, version }) => `${id} ${version}`)
  }
  const presetVersions = await readTable('preset', rowIds.presets)
  return [...presetVersions, ...(await readTable('script', rowIds.scripts))].join('\n')
}

/** Locks shared rows against changes and deletion until the transaction ends. Lock them before scans, as presets do. */
export async function lockSharedRows(trx: MonitorDb, rowIds: SharedRowIds): Promise<void> {
  await readVersions(trx, rowIds, sql`for share`)
}

/** Thrown when a shared row has changed since it was checked. */
export class SharedRowsChangedError extends Error {}

/** Remembers versions of shared rows before they are checked. The returned function locks them, and throws if one has changed. */
export async function rememberSharedRows(db: MonitorDb, rowIds: SharedRowIds): Promise<(trx: MonitorDb) => Promise<void>> {
  const knownVersions = await readVersions(db, rowIds)
  return async (trx) => {
    if ((await readVersions(trx, rowIds, sql`for share`)) !== knownVersions) throw new SharedRowsChangedError()
  }
}

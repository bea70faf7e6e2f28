import { sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import type { MonitorDb } from '../database.ts'

type DatabaseDeps = { db: MonitorDb }

export async function readSealedSecrets({ db }: DatabaseDeps, ownerId: string): Promise<Map<string, Buffer>> {
  const secretRows = await db.selectFrom('secret').select(['name', 'sealed']).where('owner_id', '=', ownerId).execute()
  return new Map(secretRows.map((row) => [row.name, row.sealed]))
}

/** Stores new secrets, keeps those in `keptNames`, and deletes all others. */
export async function replaceSecrets(
  db: MonitorDb,
  ownerId: string,
  newSecrets: ReadonlyMap<string, Buffer>,
  keptNames: readonly string[],
): Promise<void> {
  const remainingNames = [...newSecrets.keys(), ...keptNames]
  await sql`delete from secret where owner_id = ${ownerId} and name <> all(${remainingNames}::text[])`.execute(db)
  for (const [name, sealed] of newSecrets) await upsertSecret(db, ownerId, name, sealed)
}

export async function upsertSecret(db: MonitorDb, ownerId: string, name: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto('secret')
    .values({ owner_id: ownerId, name, sealed })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name']).doUpdateSet({ sealed }))
    .execute()
}

/** Deletes secrets of deleted scans, scripts and presets. */
export async function deleteOrphanedSecrets({ db }: DatabaseDeps): Promise<void> {
  await sql`delete from secret s where not exists (select from scan where scan.id = s.owner_id and scan.deleted_at is null)
    and not exists (select from script where script.id = s.owner_id)
    and not exists (select from preset where preset.id = s.owner_id)`.execute(db)
}

export const listAllSecrets = ({ db }: DatabaseDeps) => db.selectFrom('secret').selectAll().execute()

/** Replaces a sealed secret, unless it changed in the meantime. */
export async function replaceSealed(
  { db }: DatabaseDeps,
  secret: { ownerId: string; name: string; sealed: Buffer; renewed: Buffer },
): Promise<void> {
  await db
    .updateTable('secret')
    .set({ sealed: secret.renewed })
    .where('owner_id', '=', secret.ownerId)
    .where('name', '=', secret.name)
    .where('sealed', '=', secret.sealed)
    .execute()
}

type StoredHeaders = { name: string; value: string | null }[]
const headersPath = sql`'{advanced,extraHeaders}'`
const hasHeaderValues = sql`jsonb_path_exists(settings, '$.advanced.extraHeaders[*].value ? (@ != null)')`
const headersWithoutValues = sql`(select coalesce(jsonb_agg(header || '{"value": null}' order by number), '[]')
  from jsonb_array_elements(settings #> ${headersPath}) with ordinality each (header, number))`

/** Removes header values that older versions left in settings, and passes them to `keepHeaders` in the same transaction. */
export async function extractHeaderValues(
  { db }: DatabaseDeps,
  keepHeaders: (trx: MonitorDb, ownerId: string, headers: StoredHeaders) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const settingsTable of [sql.table('scan'), sql.table('preset')]) {
      const { rows: settingsRows } = await sql<{ id: string; headers: StoredHeaders }>`
        select id, settings #> ${headersPath} as headers from ${settingsTable} where ${hasHeaderValues} order by id for update`.execute(
        trx,
      )
      for (const { id, headers } of settingsRows) await keepHeaders(trx, id, headers)
      await sql`update ${settingsTable} set settings = jsonb_set(settings, ${headersPath}, ${headersWithoutValues})
        where id = any(${settingsRows.map(({ id }) => id)}::uuid[])`.execute(trx)
    }
    await sql`update run_plan set settings = jsonb_set(settings, ${headersPath}, ${headersWithoutValues}) where ${hasHeaderValues}`.execute(
      trx,
    )
  })
}

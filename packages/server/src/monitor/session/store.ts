import { sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }

/** The sealed secrets of a scan or script, by name. */
export async function secretsOf({ db }: Db, ownerId: string): Promise<Map<string, Buffer>> {
  const rows = await db
    .selectFrom('secret')
    .select(['name', 'sealed'])
    .where('owner_id', '=', ownerId)
    .execute()
  return new Map(rows.map((row) => [row.name, row.sealed]))
}

/** Writes what is new, keeps what is named in `keep`, and forgets the rest. */
export async function replaceSecrets(
  db: MonitorDb,
  ownerId: string,
  fresh: ReadonlyMap<string, Buffer>,
  keep: readonly string[],
): Promise<void> {
  const stay = [...fresh.keys(), ...keep]
  await sql`delete from secret where owner_id = ${ownerId} and name <> all(${stay}::text[])`.execute(db)
  for (const [name, sealed] of fresh) await putSecret(db, ownerId, name, sealed)
}

export async function putSecret(db: MonitorDb, ownerId: string, name: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto('secret')
    .values({ owner_id: ownerId, name, sealed })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name']).doUpdateSet({ sealed }))
    .execute()
}

/** Secrets of scans, scripts and presets that are gone. */
export async function dropOrphans({ db }: Db): Promise<void> {
  await sql`delete from secret s where not exists (select from scan where scan.id = s.owner_id and scan.deleted_at is null)
    and not exists (select from script where script.id = s.owner_id)
    and not exists (select from preset where preset.id = s.owner_id)`.execute(db)
}

export const allSecrets = ({ db }: Db) => db.selectFrom('secret').selectAll().execute()

/** Replaces one, unless somebody has changed it meanwhile. */
export async function replaceSealed(
  { db }: Db,
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

type Headers = { name: string; value: string | null }[]
const headersPath = sql`'{advanced,extraHeaders}'`
const hasValues = sql`jsonb_path_exists(settings, '$.advanced.extraHeaders[*].value ? (@ != null)')`
const nameless = sql`(select coalesce(jsonb_agg(header || '{"value": null}' order by number), '[]')
  from jsonb_array_elements(settings #> ${headersPath}) with ordinality each (header, number))`

/**
 * Takes the values of headers out of stored settings, where an older program left them, and hands them to `keep` in the same
 * transaction. Plans of runs lose them: a run reads those of its scan.
 */
export async function takeHeaderValues(
  { db }: Db,
  keep: (trx: MonitorDb, ownerId: string, headers: Headers) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const table of [sql.table('scan'), sql.table('preset')]) {
      const { rows } = await sql<{ id: string; headers: Headers }>`
        select id, settings #> ${headersPath} as headers from ${table} where ${hasValues} order by id for update`.execute(
        trx,
      )
      for (const { id, headers } of rows) await keep(trx, id, headers)
      await sql`update ${table} set settings = jsonb_set(settings, ${headersPath}, ${nameless})
        where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx)
    }
    await sql`update run_plan set settings = jsonb_set(settings, ${headersPath}, ${nameless}) where ${hasValues}`.execute(
      trx,
    )
  })
}

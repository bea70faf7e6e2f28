import { sql } from 'kysely'
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
  for (const [name, sealed] of fresh)
    await db
      .insertInto('secret')
      .values({ owner_id: ownerId, name, sealed })
      .onConflict((conflict) => conflict.columns(['owner_id', 'name']).doUpdateSet({ sealed }))
      .execute()
}

/** Secrets of scans and scripts that are gone. */
export async function dropOrphans({ db }: Db): Promise<void> {
  await sql`delete from secret s where not exists (select from scan where scan.id = s.owner_id and scan.deleted_at is null)
    and not exists (select from script where script.id = s.owner_id)`.execute(db)
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

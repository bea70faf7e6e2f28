import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'

type DatabaseDeps = { db: MonitorDb }

/** The fingerprint of this database's key; the first offered one is stored. */
export async function readOrStoreFingerprint({ db }: DatabaseDeps, offeredFingerprint: string): Promise<string> {
  await sql`insert into secret_key (fingerprint) values (${offeredFingerprint}) on conflict do nothing`.execute(db)
  const { fingerprint: storedFingerprint } = await db.selectFrom('secret_key').select('fingerprint').executeTakeFirstOrThrow()
  return storedFingerprint
}

export async function writeFingerprint({ db }: DatabaseDeps, fingerprint: string): Promise<void> {
  await sql`insert into secret_key (fingerprint) values (${fingerprint})
    on conflict (id) do update set fingerprint = excluded.fingerprint, since = now()`.execute(db)
}

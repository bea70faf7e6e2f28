import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'

type Db = { db: MonitorDb }

/** The fingerprint of the key by which this database is sealed: the first that is offered, from then on the stored one. */
export async function firstFingerprint({ db }: Db, offered: string): Promise<string> {
  await sql`insert into secret_key (fingerprint) values (${offered}) on conflict do nothing`.execute(db)
  const { fingerprint } = await db.selectFrom('secret_key').select('fingerprint').executeTakeFirstOrThrow()
  return fingerprint
}

export async function writeFingerprint({ db }: Db, fingerprint: string): Promise<void> {
  await sql`insert into secret_key (fingerprint) values (${fingerprint})
    on conflict (id) do update set fingerprint = excluded.fingerprint, since = now()`.execute(db)
}

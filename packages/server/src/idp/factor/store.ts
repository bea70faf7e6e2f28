import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { endSessions } from '../store.ts'
import type { IdpTables } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
export type Factors = { totp: Buffer | null; codes: number }

/** What somebody can show besides a password. */
export async function factorsOf({ db }: Db, id: string): Promise<Factors> {
  const { rows } = await sql<Factors>`select p.totp,
    (select count(*)::int from recovery_code c where c.person_id = p.id) as codes
    from person p where p.id::text = ${id}`.execute(db)
  return rows[0] ?? { totp: null, codes: 0 }
}

/** Puts other recovery codes, as hashes, in the place of those before. */
async function replaceCodes(trx: Db['db'], id: string, hashes: readonly Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_code').where('person_id', '=', id).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ person_id: id, hash })))
    .execute()
}

/**
 * Sets the secret of the authenticator app, sealed, with new recovery codes; `step` is of the code that proved it. False when
 * there is nobody, or his sessions were ended since `epoch`.
 */
export const keepTotp = (
  { db }: Db,
  id: string,
  given: { sealed: Buffer; step: number; hashes: readonly Buffer[]; epoch: number | undefined },
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const query = trx.updateTable('person').set({ totp: given.sealed, totp_step: given.step })
    const own = query.where('id', '=', id)
    const current = given.epoch === undefined ? own : own.where('epoch', '=', given.epoch)
    if ((await current.executeTakeFirst()).numUpdatedRows === 0n) return false
    await replaceCodes(trx, id, given.hashes)
    return true
  })

/** Takes the authenticator app off, and the recovery codes with it. */
export const dropTotp = ({ db }: Db, id: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    await trx.updateTable('person').set({ totp: null }).where('id', '=', id).execute()
    await replaceCodes(trx, id, [])
  })

/** Takes every second factor of somebody off, and signs him out: who lost it may have lost a device as well. False without one. */
export const dropFactors = ({ db }: Db, id: string): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const query = trx.updateTable('person').set({ totp: null }).where('id', '=', id)
    const totp = await query.where('totp', 'is not', null).executeTakeFirst()
    const passkeys = await trx.deleteFrom('passkey').where('person_id', '=', id).executeTakeFirst()
    if (totp.numUpdatedRows + passkeys.numDeletedRows === 0n) return false
    await replaceCodes(trx, id, [])
    await endSessions(trx, id)
    return true
  })

export const keepCodes = ({ db }: Db, id: string, hashes: readonly Buffer[]): Promise<void> =>
  inTransaction(db, (trx) => replaceCodes(trx, id, hashes))

/** Uses a time step up; false when it, or a later one, was used before: a code is good once. */
export async function takeStep({ db }: Db, id: string, step: number): Promise<boolean> {
  const query = db.updateTable('person').set({ totp_step: step }).where('id', '=', id)
  return (await query.where('totp_step', '<', step).executeTakeFirst()).numUpdatedRows > 0n
}

/** Uses a recovery code up; false when it is none. */
export async function takeCode({ db }: Db, id: string, hash: Buffer): Promise<boolean> {
  const query = db.deleteFrom('recovery_code').where('person_id', '=', id).where('hash', '=', hash)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export const resealTotp = ({ db }: Db, id: string, sealed: Buffer): Promise<unknown> =>
  db.updateTable('person').set({ totp: sealed }).where('id', '=', id).execute()

import { maxPasskeys } from '@clearway/contract/account/member/provider/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { endSessions, lockPerson } from '../store.ts'
import type { IdpTables } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
export type Factors = { totp: Buffer | null; passkeys: number; codes: number }

const keyColumns = [
  'id',
  'person_id as personId',
  'name',
  'public_key as publicKey',
  'counter',
  'created_at as createdAt',
  'used_at as usedAt',
] as const
export type Key = Added & { personId: string; createdAt: Date; usedAt: Date | null }

/** What somebody can show besides a password. */
export async function factorsOf({ db }: Db, id: string): Promise<Factors> {
  const { rows } = await sql<Factors>`select p.totp,
    (select count(*)::int from passkey k where k.person_id = p.id) as passkeys,
    (select count(*)::int from recovery_code c where c.person_id = p.id) as codes
    from person p where p.id::text = ${id}`.execute(db)
  return rows[0] ?? { totp: null, passkeys: 0, codes: 0 }
}

/** Whether a password alone signs nobody in here. */
export const hasFactor = ({ totp, passkeys }: Factors): boolean => totp !== null || passkeys > 0

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
 * there is nobody, or their sessions were ended since `epoch`.
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

/**
 * Takes one factor off, and with the last one the recovery codes.
 * @param isNeeded whether the person has to keep one
 * @returns `last` when none would be left to a person who needs one
 */
export const dropFactor = (
  { db }: Db,
  id: string,
  factor: { kind: 'totp' } | { kind: 'passkey'; id: string },
  isNeeded: boolean,
): Promise<'done' | 'none' | 'last'> =>
  inTransaction(db, async (trx) => {
    // Of two that are removed at once, the later finds what is left.
    await lockPerson(trx, id)
    const { totp } = await factorsOf({ db: trx }, id)
    const keys = await passkeysOf({ db: trx }, id)
    const isThere = factor.kind === 'totp' ? totp !== null : keys.some((key) => key.id === factor.id)
    if (!isThere) return 'none'
    const isLast = keys.length + (totp === null ? 0 : 1) === 1
    if (isLast && isNeeded) return 'last'
    if (factor.kind === 'totp')
      await trx.updateTable('person').set({ totp: null }).where('id', '=', id).execute()
    else await trx.deleteFrom('passkey').where('id', '=', factor.id).where('person_id', '=', id).execute()
    if (isLast) await replaceCodes(trx, id, [])
    return 'done'
  })

/** Removes all second factors of a person, and signs them out: a device may be lost as well. False when there are none. */
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

export const passkeysOf = ({ db }: Db, id: string): Promise<Key[]> =>
  db.selectFrom('passkey').select(keyColumns).where('person_id', '=', id).orderBy('created_at').execute()

export const findPasskey = async ({ db }: Db, id: string): Promise<Key | null> =>
  (await db.selectFrom('passkey').select(keyColumns).where('id', '=', id).executeTakeFirst()) ?? null

type Added = { id: string; name: string; publicKey: Buffer; counter: number }

/**
 * Adds a passkey; `hashes` become the recovery codes when it is the first factor.
 * @returns whether they did; null when the passkey is known, or there are too many
 */
export const keepPasskey = (
  { db }: Db,
  personId: string,
  { id, name, publicKey, counter }: Added,
  hashes: readonly Buffer[],
): Promise<boolean | null> =>
  inTransaction(db, async (trx) => {
    await lockPerson(trx, personId)
    const before = await factorsOf({ db: trx }, personId)
    if (before.passkeys >= maxPasskeys) return null
    const row = { id, person_id: personId, name, public_key: publicKey, counter }
    const { numInsertedOrUpdatedRows: added } = await trx
      .insertInto('passkey')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added !== 1n) return null
    if (!hasFactor(before)) await replaceCodes(trx, personId, hashes)
    return !hasFactor(before)
  })

/** Notes that a passkey was used. False when its count was used before: two devices have it that should not. */
export async function countPasskey({ db }: Db, id: string, counter: number): Promise<boolean> {
  const query = db
    .updateTable('passkey')
    .set({ counter, used_at: sql<Date>`now()` })
    .where('id', '=', id)
  const grown = sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return (await query.where(grown).executeTakeFirst()).numUpdatedRows > 0n
}

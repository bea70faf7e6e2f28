import { maxPasskeys } from '@clearway/contract/account/member/provider/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { endSessions, lockPerson } from '../store.ts'
import type { IdpTables } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
export type SecondFactors = { totp: Buffer | null; passkeys: number; codes: number }

const passkeyColumns = [
  'id',
  'person_id as personId',
  'name',
  'public_key as publicKey',
  'counter',
  'created_at as createdAt',
  'used_at as usedAt',
] as const
export type StoredPasskey = NewPasskeyRow & { personId: string; createdAt: Date; usedAt: Date | null }

export async function readSecondFactors({ db }: Db, id: string): Promise<SecondFactors> {
  const { rows: factorRows } = await sql<SecondFactors>`select p.totp,
    (select count(*)::int from passkey k where k.person_id = p.id) as passkeys,
    (select count(*)::int from recovery_code c where c.person_id = p.id) as codes
    from person p where p.id::text = ${id}`.execute(db)
  return factorRows[0] ?? { totp: null, passkeys: 0, codes: 0 }
}

/** True if a password alone does not suffice to sign in. */
export const hasSecondFactor = ({ totp, passkeys }: SecondFactors): boolean => totp !== null || passkeys > 0

async function replaceRecoveryCodes(trx: Db['db'], id: string, hashes: readonly Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_code').where('person_id', '=', id).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ person_id: id, hash })))
    .execute()
}

/** Sets the sealed secret of the app and new recovery codes; `step` is the code's. False if sessions ended since `epoch`. */
export const saveTotp = (
  { db }: Db,
  id: string,
  totpSetup: { sealed: Buffer; step: number; hashes: readonly Buffer[]; epoch: number | undefined },
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const updateQuery = trx.updateTable('person').set({ totp: totpSetup.sealed, totp_step: totpSetup.step })
    const personQuery = updateQuery.where('id', '=', id)
    const currentEpochQuery = totpSetup.epoch === undefined ? personQuery : personQuery.where('epoch', '=', totpSetup.epoch)
    if ((await currentEpochQuery.executeTakeFirst()).numUpdatedRows === 0n) return false
    await replaceRecoveryCodes(trx, id, totpSetup.hashes)
    return true
  })

/**
 * Removes one factor, and with the last one the recovery codes.
 * @param isFactorRequired true if the person must keep a factor
 * @returns `last` if the only factor of a person who needs one was not removed
 */
export const removeFactor = (
  { db }: Db,
  id: string,
  factor: { kind: 'totp' } | { kind: 'passkey'; id: string },
  isFactorRequired: boolean,
): Promise<'done' | 'none' | 'last'> =>
  inTransaction(db, async (trx) => {
    // Serializes concurrent removals, so that the last factor is recognized.
    await lockPerson(trx, id)
    const { totp: totpSecret } = await readSecondFactors({ db: trx }, id)
    const passkeys = await listPasskeys({ db: trx }, id)
    const factorExists = factor.kind === 'totp' ? totpSecret !== null : passkeys.some((key) => key.id === factor.id)
    if (!factorExists) return 'none'
    const isLastFactor = passkeys.length + (totpSecret === null ? 0 : 1) === 1
    if (isLastFactor && isFactorRequired) return 'last'
    if (factor.kind === 'totp') await trx.updateTable('person').set({ totp: null }).where('id', '=', id).execute()
    else await trx.deleteFrom('passkey').where('id', '=', factor.id).where('person_id', '=', id).execute()
    if (isLastFactor) await replaceRecoveryCodes(trx, id, [])
    return 'done'
  })

/** Removes all second factors and signs the person out: a device may be lost, too. False if there are none. */
export const removeAllFactors = ({ db }: Db, id: string): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const updateQuery = trx.updateTable('person').set({ totp: null }).where('id', '=', id)
    const totpUpdate = await updateQuery.where('totp', 'is not', null).executeTakeFirst()
    const passkeyDeletion = await trx.deleteFrom('passkey').where('person_id', '=', id).executeTakeFirst()
    if (totpUpdate.numUpdatedRows + passkeyDeletion.numDeletedRows === 0n) return false
    await replaceRecoveryCodes(trx, id, [])
    await endSessions(trx, id)
    return true
  })

export const saveRecoveryCodes = ({ db }: Db, id: string, hashes: readonly Buffer[]): Promise<void> =>
  inTransaction(db, (trx) => replaceRecoveryCodes(trx, id, hashes))

/** Uses a time step; false if it or a later one was used before, because a code works once. */
export async function useTotpStep({ db }: Db, id: string, step: number): Promise<boolean> {
  const updateQuery = db.updateTable('person').set({ totp_step: step }).where('id', '=', id)
  return (await updateQuery.where('totp_step', '<', step).executeTakeFirst()).numUpdatedRows > 0n
}

export async function useRecoveryCode({ db }: Db, id: string, hash: Buffer): Promise<boolean> {
  const deleteQuery = db.deleteFrom('recovery_code').where('person_id', '=', id).where('hash', '=', hash)
  return (await deleteQuery.executeTakeFirst()).numDeletedRows > 0n
}

export const resealTotp = ({ db }: Db, id: string, sealed: Buffer): Promise<unknown> =>
  db.updateTable('person').set({ totp: sealed }).where('id', '=', id).execute()

export const listPasskeys = ({ db }: Db, id: string): Promise<StoredPasskey[]> =>
  db.selectFrom('passkey').select(passkeyColumns).where('person_id', '=', id).orderBy('created_at').execute()

export const findPasskey = async ({ db }: Db, id: string): Promise<StoredPasskey | null> =>
  (await db.selectFrom('passkey').select(passkeyColumns).where('id', '=', id).executeTakeFirst()) ?? null

type NewPasskeyRow = { id: string; name: string; publicKey: Buffer; counter: number }

/** Adds a passkey. True if `hashes` became the recovery codes of a first factor; null if it exists or there are too many. */
export const savePasskey = (
  { db }: Db,
  personId: string,
  { id, name, publicKey, counter }: NewPasskeyRow,
  hashes: readonly Buffer[],
): Promise<boolean | null> =>
  inTransaction(db, async (trx) => {
    await lockPerson(trx, personId)
    const previousFactors = await readSecondFactors({ db: trx }, personId)
    if (previousFactors.passkeys >= maxPasskeys) return null
    const passkeyRow = { id, person_id: personId, name, public_key: publicKey, counter }
    const { numInsertedOrUpdatedRows: insertedCount } = await trx
      .insertInto('passkey')
      .values(passkeyRow)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (insertedCount !== 1n) return null
    if (!hasSecondFactor(previousFactors)) await replaceRecoveryCodes(trx, personId, hashes)
    return !hasSecondFactor(previousFactors)
  })

/** Records the use of a passkey. False if its counter was used before, which indicates a cloned passkey. */
export async function recordPasskeyUse({ db }: Db, id: string, counter: number): Promise<boolean> {
  const updateQuery = db
    .updateTable('passkey')
    .set({ counter, used_at: sql<Date>`now()` })
    .where('id', '=', id)
  const hasCounterGrown = sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return (await updateQuery.where(hasCounterGrown).executeTakeFirst()).numUpdatedRows > 0n
}

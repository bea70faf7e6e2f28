import { inTransaction } from '../kit/database.ts'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { ClusterError } from '../kit/postgres/cluster.ts'
import type { Seal } from '../kit/seal.ts'
import { parseStored } from '../kit/stored.ts'
import { type IdpTables, isLive } from './table.ts'
import { throttle } from './throttle.ts'

type Db = { db: Kysely<IdpTables> }
/** Dependencies of code whose stored secrets are sealed. */
export type SealedDeps = Db & { seal: Seal }
export type Person = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
  roles: string[]
  /** Empty for an invited person who has not set one yet. */
  password: string
  deactivatedAt: Date | null
  epoch: number
}

const personColumns = [
  'id',
  'username',
  'first_name as firstName',
  'last_name as lastName',
  'email',
  'roles',
  'password',
  'deactivated_at as deactivatedAt',
  'epoch',
] as const

/** Finds a person by username, else by email, ignoring case. */
export async function findPersonByName({ db }: Db, username: string): Promise<Person | null> {
  const nameFilter = sql<boolean>`(lower(username) = lower(${username}) or lower(email) = lower(${username}))`
  const personQuery = db.selectFrom('person').select(personColumns).where(nameFilter)
  const namedPerson = await personQuery.orderBy(sql`lower(username) = lower(${username})`, 'desc').executeTakeFirst()
  return namedPerson ?? null
}

/** Finds a person by id; null also for a malformed id. */
export async function findPerson({ db }: Db, id: string): Promise<Person | null> {
  const idFilter = sql<boolean>`id::text = ${id}`
  return (await db.selectFrom('person').select(personColumns).where(idFilter).executeTakeFirst()) ?? null
}

/** Locks a person's row until the end of the transaction. */
export const lockPerson = (trx: Kysely<IdpTables>, id: string): Promise<unknown> =>
  sql`select 1 from person where id = ${id} for update`.execute(trx)

/** Adds a person; false if the name or the email is already in use. */
export async function addPerson({ db }: Db, person: Omit<Person, 'deactivatedAt' | 'epoch'>): Promise<boolean> {
  const { firstName, lastName, ...otherColumns } = person
  const insertResult = await db
    .insertInto('person')
    .values({ ...otherColumns, first_name: firstName, last_name: lastName })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return insertResult.numInsertedOrUpdatedRows === 1n
}

/** The active sessions of a person, as hashed ids. */
export async function listSessionIds({ db }: Db, id: string): Promise<string[]> {
  const sessionRows = await db
    .selectFrom('artifact')
    .select('uid')
    .where('kind', '=', 'Session')
    .where('account_id', '=', id)
    .where('uid', 'is not', null)
    .where(isLive)
    .execute()
  return sessionRows.map(({ uid }) => uid!)
}

/** Sets a password and signs the person out: sessions and refresh tokens end. */
export async function setPassword({ db }: Db, id: string, password: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.updateTable('person').set({ password }).where('id', '=', id).execute()
    await endSessions(trx, id)
  })
}

/** Ends all sessions and tokens of a person, and all pending sign-in steps and links, except invitations. */
export async function endSessions(db: Kysely<IdpTables>, id: string): Promise<void> {
  await sql`update person set epoch = epoch + 1 where id = ${id}`.execute(db)
  await db.deleteFrom('artifact').where('account_id', '=', id).execute()
  await db.deleteFrom('ticket').where('person_id', '=', id).where('kind', '<>', 'invite').execute()
  await db.deleteFrom('device').where('person_id', '=', id).execute()
}

/** Signs out administrators who signed in without a second factor, which they now need. */
export async function endWeakSessions({ db }: Db, claim: string): Promise<void> {
  const { rows: adminRows } = await sql<{ id: string }>`select id from person p where ${claim} = any(roles) and exists
    (select from artifact where account_id = p.id::text and kind = 'Session' and not second and ${isLive})`.execute(db)
  for (const { id } of adminRows) await inTransaction(db, (trx) => endSessions(trx, id))
}

const buildSealContext = (name: string) => `sign-in ${name}`
/** Earlier versions stored secrets in plain text. */
const StoredSecret = z.union([z.strictObject({ sealed: z.string() }), z.record(z.string(), z.unknown())])
const isSealedSecret = (storedSecret: z.output<typeof StoredSecret>): storedSecret is { sealed: string } =>
  typeof storedSecret.sealed === 'string'

/** Reads a secret; null if there is none. It is sealed with the current key, if it is not yet. */
async function readSecret<T extends z.ZodMiniType<object>>(
  deps: SealedDeps,
  name: string,
  schema: T,
): Promise<z.output<T> | null> {
  const secretRow = await deps.db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  if (!secretRow) return null
  const valueLabel = `The secret ${name}`
  const storedSecret = parseStored(StoredSecret, secretRow.value, valueLabel)
  if (!isSealedSecret(storedSecret)) {
    const plainValue = parseStored(schema, storedSecret, valueLabel)
    await replaceSecret(deps, name, plainValue)
    return plainValue
  }
  const sealedBytes = Buffer.from(storedSecret.sealed, 'base64')
  const openedText = deps.seal.open(sealedBytes, buildSealContext(name))
  if (openedText === null)
    throw new ClusterError(
      'The keys that sign in are sealed with another secret key. Set CLEARWAY_SECRET_KEY to the one that machines of ' +
        'this database share (or CLEARWAY_SECRET_KEY_OLD to the previous one), or put `secret-key` back into the data ' +
        'folder. If it is lost, `npx clearway user renew-keys --revoke` starts with the new one: all users must sign in again, ' +
        'and the secrets of scans and scripts must be entered again.',
    )
  const openedValue = parseStored(schema, JSON.parse(openedText), valueLabel)
  if (deps.seal.renewed(sealedBytes, buildSealContext(name))) await replaceSecret(deps, name, openedValue)
  return openedValue
}

const sealValue = ({ seal }: SealedDeps, name: string, value: object): string =>
  JSON.stringify({ sealed: seal.close(JSON.stringify(value), buildSealContext(name)).toString('base64') })

/** Reads a shared secret. The first process that needs it creates it; it is stored sealed. */
export async function getOrCreateSecret<T extends z.ZodMiniType<object>>(
  deps: SealedDeps,
  name: string,
  schema: T,
  createValue: () => Promise<z.output<T>>,
): Promise<z.output<T>> {
  const existingValue = await readSecret(deps, name, schema)
  if (existingValue) return existingValue
  await deps.db
    .insertInto('secret')
    .values({ name, value: sealValue(deps, name, await createValue()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSecret(deps, name, schema))!
}

/** Deletes the shared secrets, which ends all sessions and tokens. The next start creates new ones. */
export async function deleteSecrets({ db }: Db): Promise<void> {
  await db.deleteFrom('secret').execute()
  await db.deleteFrom('artifact').execute()
}

/**
 * Counts an attempt atomically, so that concurrent attempts count, too. A count older than `minutes` restarts.
 * @returns the number of attempts, including this one
 */
export async function countAttempt({ db }: Db, throttleKey: string, windowMinutes: number): Promise<number> {
  const isStale = sql<boolean>`attempt.since <= now() - make_interval(mins => ${windowMinutes})`
  const { failures } = await db
    .insertInto('attempt')
    .values({ subject: throttleKey, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<number>`case when ${isStale} then 1 else attempt.failures + 1 end`,
        since: sql<Date>`case when ${isStale} then now() else attempt.since end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

const { freeTryCount, firstWaitSeconds, maxWaitSeconds, retentionDays } = throttle
const retentionInterval = sql`make_interval(days => ${sql.lit(retentionDays)})`
const requiredWaitSeconds = sql<number>`case when attempt.failures < ${sql.lit(freeTryCount)} then 0
  else least(${sql.lit(maxWaitSeconds)}, ${sql.lit(firstWaitSeconds)} * power(2, least(attempt.failures - ${sql.lit(freeTryCount)}, 10)))::int end`

/**
 * Claims an attempt for a throttle key atomically, so that concurrent attempts count. The count expires without attempts.
 * @returns seconds to wait before the next attempt; 0 if this one is allowed
 */
export async function claimAttempt({ db }: Db, throttleKey: string): Promise<number> {
  const isStale = sql<boolean>`attempt.since <= now() - ${retentionInterval}`
  const claimedAttempt = await db
    .insertInto('attempt')
    .values({ subject: throttleKey, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql<number>`case when ${isStale} then 1 else attempt.failures + 1 end`,
          since: sql<Date>`now()`,
        })
        // Uses clock_timestamp(), because concurrent attempts during a lock wait are later than now().
        .where(sql<boolean>`attempt.since + make_interval(secs => ${requiredWaitSeconds}) <= clock_timestamp()`),
    )
    .returning('failures')
    .executeTakeFirst()
  if (claimedAttempt) return 0
  const { rows: waitRows } = await sql<{ left: number }>`select
    ceil(extract(epoch from since + make_interval(secs => ${requiredWaitSeconds}) - now()))::int as left
    from attempt where subject = ${throttleKey}`.execute(db)
  return Math.max(1, waitRows[0]?.left ?? 1)
}

/** Clears the count of the key after a success, and removes this attempt from the count of the address. */
export async function clearAttempts({ db }: Db, throttleKey: string, addressKey: string): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', throttleKey).execute()
  await db
    .updateTable('attempt')
    .set({ failures: sql<number>`greatest(failures - 1, 0)` })
    .where('subject', '=', addressKey)
    .execute()
}

export async function sweepArtifacts({ db }: Db): Promise<void> {
  await db
    .deleteFrom('artifact')
    // Kept longer than any request in flight.
    .where(sql<boolean>`expires_at < now() - interval '1 hour'`)
    .execute()
  await db
    .deleteFrom('ticket')
    .where(sql<boolean>`expires_at < now()`)
    .execute()
  await sql`delete from device d where not exists
    (select from artifact a where a.kind = 'Session' and a.uid = d.uid and a.expires_at > now())`.execute(db)
  await db
    .deleteFrom('attempt')
    .where(sql<boolean>`since < now() - ${retentionInterval}`)
    .execute()
}

export async function replaceSecret(deps: SealedDeps, name: string, value: object): Promise<void> {
  await deps.db
    .updateTable('secret')
    .set({ value: sealValue(deps, name, value) })
    .where('name', '=', name)
    .execute()
}

import { inTransaction } from '../kit/database.ts'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { ClusterError } from '../kit/postgres/cluster.ts'
import type { Seal } from '../kit/seal.ts'
import { readStored } from '../kit/stored.ts'
import { type IdpTables, isLive } from './table.ts'
import { throttle } from './throttle.ts'

type Db = { db: Kysely<IdpTables> }
/** What is stored that could sign somebody in is sealed. */
export type Sealed = Db & { seal: Seal }
export type Person = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
  roles: string[]
  /** Empty for somebody who was invited and has set none yet. */
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

/** By user name, else by email, whatever the case. */
export async function findByName({ db }: Db, username: string): Promise<Person | null> {
  const byName = sql<boolean>`(lower(username) = lower(${username}) or lower(email) = lower(${username}))`
  const query = db.selectFrom('person').select(personColumns).where(byName)
  const found = await query.orderBy(sql`lower(username) = lower(${username})`, 'desc').executeTakeFirst()
  return found ?? null
}

/** By id; null also for what is no id of ours. */
export async function findPerson({ db }: Db, id: string): Promise<Person | null> {
  const byId = sql<boolean>`id::text = ${id}`
  return (await db.selectFrom('person').select(personColumns).where(byId).executeTakeFirst()) ?? null
}

/** Lets no other transaction that does the same to this person pass until this one ends. */
export const lockPerson = (trx: Kysely<IdpTables>, id: string): Promise<unknown> =>
  sql`select 1 from person where id = ${id} for update`.execute(trx)

/** Adds a person; false when the name or the email is taken. */
export async function addPerson(
  { db }: Db,
  person: Omit<Person, 'deactivatedAt' | 'epoch'>,
): Promise<boolean> {
  const { firstName, lastName, ...rest } = person
  const result = await db
    .insertInto('person')
    .values({ ...rest, first_name: firstName, last_name: lastName })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Sessions of somebody that have not ended, as they are stored. */
export async function sessionsOf({ db }: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('artifact')
    .select('uid')
    .where('kind', '=', 'Session')
    .where('account_id', '=', id)
    .where('uid', 'is not', null)
    .where(isLive)
    .execute()
  return rows.map(({ uid }) => uid!)
}

/** Sets a password. Whoever signed in with the one before is signed out: sessions and refresh tokens end. */
export async function setPassword({ db }: Db, id: string, password: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.updateTable('person').set({ password }).where('id', '=', id).execute()
    await endSessions(trx, id)
  })
}

/** Ends all sessions and tokens of somebody, and every step of a sign-in or link on the way to one; an invitation stays. */
export async function endSessions(db: Kysely<IdpTables>, id: string): Promise<void> {
  await sql`update person set epoch = epoch + 1 where id = ${id}`.execute(db)
  await db.deleteFrom('artifact').where('account_id', '=', id).execute()
  await db.deleteFrom('ticket').where('person_id', '=', id).where('kind', '<>', 'invite').execute()
  await db.deleteFrom('device').where('person_id', '=', id).execute()
}

/** Signs out administrators who are signed in without a second factor, now that they need one. */
export async function endWeakSessions({ db }: Db, claim: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from person p where ${claim} = any(roles) and exists
    (select from artifact where account_id = p.id::text and kind = 'Session' and not second and ${isLive})`.execute(
    db,
  )
  for (const { id } of rows) await inTransaction(db, (trx) => endSessions(trx, id))
}

const contextOf = (name: string) => `sign-in ${name}`
/** An earlier version kept secrets in the clear. */
const Stored = z.union([z.strictObject({ sealed: z.string() }), z.record(z.string(), z.unknown())])
const isSealed = (value: z.output<typeof Stored>): value is { sealed: string } =>
  typeof value.sealed === 'string'

/** What a secret says; null when there is none. It is sealed with the key of now, if it is not yet. */
async function readSecret<T extends z.ZodMiniType<object>>(
  deps: Sealed,
  name: string,
  schema: T,
): Promise<z.output<T> | null> {
  const row = await deps.db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  if (!row) return null
  const where = `The secret ${name}`
  const stored = readStored(Stored, row.value, where)
  if (!isSealed(stored)) {
    const value = readStored(schema, stored, where)
    await replaceSecret(deps, name, value)
    return value
  }
  const sealed = Buffer.from(stored.sealed, 'base64')
  const text = deps.seal.open(sealed, contextOf(name))
  if (text === null)
    throw new ClusterError(
      'The keys that sign in are sealed with another secret key. Set CLEARWAY_SECRET_KEY to the one that machines of ' +
        'this database share (or CLEARWAY_SECRET_KEY_OLD to the one before), or put `secret-key` back into the data ' +
        'folder. If it is lost, `npm run user -- renew-keys` makes new ones, and everybody signs in again.',
    )
  const value = readStored(schema, JSON.parse(text), where)
  if (deps.seal.renewed(sealed, contextOf(name))) await replaceSecret(deps, name, value)
  return value
}

const sealedValue = ({ seal }: Sealed, name: string, value: object): string =>
  JSON.stringify({ sealed: seal.close(JSON.stringify(value), contextOf(name)).toString('base64') })

/** A secret that is made once, by whichever process comes first, and then shared. It is stored sealed. */
export async function sharedSecret<T extends z.ZodMiniType<object>>(
  deps: Sealed,
  name: string,
  schema: T,
  make: () => Promise<z.output<T>>,
): Promise<z.output<T>> {
  const known = await readSecret(deps, name, schema)
  if (known) return known
  await deps.db
    .insertInto('secret')
    .values({ name, value: sealedValue(deps, name, await make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSecret(deps, name, schema))!
}

/** Forgets the shared secrets and all that was signed with them: for when no key opens them. */
export async function dropSecrets({ db }: Db): Promise<void> {
  await db.deleteFrom('secret').execute()
  await db.deleteFrom('artifact').execute()
}

/**
 * Counts one more try, in one statement, so that tries at the same time count too; a count older than `minutes` starts again.
 * @returns the tries, this one included
 */
export async function countTry({ db }: Db, subject: string, minutes: number): Promise<number> {
  const stale = sql<boolean>`attempt.since <= now() - make_interval(mins => ${minutes})`
  const { failures } = await db
    .insertInto('attempt')
    .values({ subject, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<number>`case when ${stale} then 1 else attempt.failures + 1 end`,
        since: sql<Date>`case when ${stale} then now() else attempt.since end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

const { freeTries, firstWait, longestWait, forgetDays } = throttle
const forgotten = sql`make_interval(days => ${sql.lit(forgetDays)})`
const waitSeconds = sql<number>`case when attempt.failures < ${sql.lit(freeTries)} then 0
  else least(${sql.lit(longestWait)}, ${sql.lit(firstWait)} * power(2, least(attempt.failures - ${sql.lit(freeTries)}, 10)))::int end`

/**
 * Takes one more try of a name from an address, in one statement, so that tries at the same time count too. Forgotten after
 * some time without one.
 * @returns seconds to wait before the next; 0 when this one may be made
 */
export async function takeTry({ db }: Db, subject: string): Promise<number> {
  const stale = sql<boolean>`attempt.since <= now() - ${forgotten}`
  const taken = await db
    .insertInto('attempt')
    .values({ subject, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql<number>`case when ${stale} then 1 else attempt.failures + 1 end`,
          since: sql<Date>`now()`,
        })
        // The clock, not now(): a try that was made while this statement waited for it lies after its beginning.
        .where(sql<boolean>`attempt.since + make_interval(secs => ${waitSeconds}) <= clock_timestamp()`),
    )
    .returning('failures')
    .executeTakeFirst()
  if (taken) return 0
  const { rows } = await sql<{ left: number }>`select
    ceil(extract(epoch from since + make_interval(secs => ${waitSeconds}) - now()))::int as left
    from attempt where subject = ${subject}`.execute(db)
  return Math.max(1, rows[0]?.left ?? 1)
}

/** After a password that was right: of the name from there nothing was in vain, and of the address this try was not. */
export async function forgetTries({ db }: Db, pair: string, address: string): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', pair).execute()
  await db
    .updateTable('attempt')
    .set({ failures: sql<number>`greatest(failures - 1, 0)` })
    .where('subject', '=', address)
    .execute()
}

/** Throws away what has expired. */
export async function sweepArtifacts({ db }: Db): Promise<void> {
  await db
    .deleteFrom('artifact')
    // Later than any request that may still be on the way with it.
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
    .where(sql<boolean>`since < now() - ${forgotten}`)
    .execute()
}

/** Puts another value in the place of a shared secret. */
export async function replaceSecret(deps: Sealed, name: string, value: object): Promise<void> {
  await deps.db
    .updateTable('secret')
    .set({ value: sealedValue(deps, name, value) })
    .where('name', '=', name)
    .execute()
}

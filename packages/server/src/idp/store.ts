import { type Kysely, sql } from 'kysely'
import type { IdpTables } from './table.ts'

type Db = { db: Kysely<IdpTables> }
export type Person = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
  roles: string[]
  password: string
}

const personColumns = [
  'id',
  'username',
  'first_name as firstName',
  'last_name as lastName',
  'email',
  'roles',
  'password',
] as const

/** By name, whatever its case. */
export async function findByName({ db }: Db, username: string): Promise<Person | null> {
  const byName = sql<boolean>`lower(username) = lower(${username})`
  return (await db.selectFrom('person').select(personColumns).where(byName).executeTakeFirst()) ?? null
}

/** By id; null also for what is no id of ours. */
export async function findPerson({ db }: Db, id: string): Promise<Person | null> {
  const byId = sql<boolean>`id::text = ${id}`
  return (await db.selectFrom('person').select(personColumns).where(byId).executeTakeFirst()) ?? null
}

/** Adds a person; false when the name is taken. */
export async function addPerson({ db }: Db, person: Person): Promise<boolean> {
  const { firstName, lastName, ...rest } = person
  const result = await db
    .insertInto('person')
    .values({ ...rest, first_name: firstName, last_name: lastName })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function setPassword({ db }: Db, id: string, password: string): Promise<void> {
  await db.updateTable('person').set({ password }).where('id', '=', id).execute()
}

/** A secret that is made once, by whichever process comes first, and then shared. */
export async function sharedSecret<T extends Record<string, unknown>>(
  { db }: Db,
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const read = () => db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  const known = await read()
  if (known) return known.value as T
  await db
    .insertInto('secret')
    .values({ name, value: JSON.stringify(await make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read())!.value as T
}

/**
 * Counts one more try, in one statement, so that tries at the same time count too; a count older than `minutes` starts again.
 * @returns the tries of each subject, this one included
 */
export async function countTry(
  { db }: Db,
  subjects: readonly string[],
  minutes: number,
): Promise<Map<string, number>> {
  const stale = sql<boolean>`attempt.since <= now() - make_interval(mins => ${minutes})`
  const rows = await db
    .insertInto('attempt')
    .values(subjects.map((subject) => ({ subject, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<number>`case when ${stale} then 1 else attempt.failures + 1 end`,
        since: sql<Date>`case when ${stale} then now() else attempt.since end`,
      }),
    )
    .returning(['subject', 'failures'])
    .execute()
  return new Map(rows.map(({ subject, failures }) => [subject, failures]))
}

/** After a password that was right: nothing of the name was in vain, and of the address this try was not. */
export async function forgetTries({ db }: Db, name: string, address: string): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', name).execute()
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
    .where(sql<boolean>`expires_at < now()`)
    .execute()
  await db
    .deleteFrom('attempt')
    .where(sql<boolean>`since < now() - interval '1 day'`)
    .execute()
}

/** Puts another value in the place of a shared secret. */
export async function replaceSecret({ db }: Db, name: string, value: object): Promise<void> {
  await db
    .updateTable('secret')
    .set({ value: JSON.stringify(value) })
    .where('name', '=', name)
    .execute()
}

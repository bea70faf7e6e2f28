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

/** How often something was tried in vain within the last `minutes`. */
export async function failuresOf({ db }: Db, subjects: readonly string[], minutes: number): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .select(({ fn }) => fn.max('failures').as('failures'))
    .where('subject', 'in', [...subjects])
    .where(sql<boolean>`since > now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()
  return row?.failures ?? 0
}

/** Counts one more failure; a count older than `minutes` starts again. */
export async function countFailure({ db }: Db, subjects: readonly string[], minutes: number): Promise<void> {
  const stale = sql<boolean>`attempt.since <= now() - make_interval(mins => ${minutes})`
  await db
    .insertInto('attempt')
    .values(subjects.map((subject) => ({ subject, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<number>`case when ${stale} then 1 else attempt.failures + 1 end`,
        since: sql<Date>`case when ${stale} then now() else attempt.since end`,
      }),
    )
    .execute()
}

export async function forgetFailures({ db }: Db, subject: string): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', subject).execute()
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

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseProblem, makeSchemas, migrate, openDatabase } from './database.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'

let database: TestDatabase
const open = () =>
  openDatabase<Record<string, never>>(database.url, { schema: 'monitor', connections: 1, onError: () => 0 })
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )

it('tells a connection that broke from a statement that is wrong', async () => {
  const [db, other] = [open(), open()]
  try {
    const wrong = await failureOf(sql`select nothing from nowhere`.execute(db))
    expect(databaseProblem(wrong)).toBeNull()
    const broken = await failureOf(
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(other)
        // The driver's own words for the second of these have no code.
        await failureOf(sql`select 1`.execute(trx))
        await sql`select 1`.execute(trx)
      }),
    )
    expect(databaseProblem(broken)).toBe('database-unavailable')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await Promise.all([db.destroy(), other.destroy()])
  }
})

it('changes a table that is being read once that has ended, and lets others read it meanwhile', async () => {
  await makeSchemas(database.url)
  const [db, reader, other] = [1, 2, 3].map(() =>
    openDatabase<Record<string, never>>(database.url, { schema: 'idp', connections: 1 }),
  )
  const read = sql`select from idp.busy`
  const migrations = {
    '0001-first': {
      up: (trx: typeof db) => sql`create table busy (a int)`.execute(trx!).then(() => undefined),
    },
    '0002-second': {
      up: (trx: typeof db) => sql`alter table busy add column b int`.execute(trx!).then(() => undefined),
    },
  } as never as Record<'0001-first' | '0002-second', { up: () => Promise<void> }>
  try {
    await migrate(db!, 'idp', { '0001-first': migrations['0001-first'] })
    let changed: Promise<void>
    await reader!.transaction().execute(async (trx) => {
      await read.execute(trx)
      changed = migrate(db!, 'idp', migrations)
      await expect
        .poll(
          async () =>
            (await sql`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`.execute(trx))
              .rows.length,
          { timeout: 20_000 },
        )
        .toBe(1)
      // It waits behind the change, and that gives up.
      await read.execute(other!)
    })
    await changed!
    await sql`select b from idp.busy`.execute(other!)
  } finally {
    await Promise.all([db, reader, other].map((one) => one!.destroy()))
  }
})

it('refuses to work on a schema that a newer program made, and says which change it lacks', async () => {
  await makeSchemas(database.url)
  const db = openDatabase<Record<string, never>>(database.url, { schema: 'account', connections: 1 })
  try {
    const nothing = { up: () => Promise.resolve() }
    await migrate(db, 'account', { '0001-first': nothing, '0002-of-a-newer-one': nothing })
    await expect(migrate(db, 'account', { '0001-first': nothing })).rejects.toThrow('0002-of-a-newer-one')
    await migrate(db, 'account', { '0001-first': nothing, '0002-of-a-newer-one': nothing })
  } finally {
    await db.destroy()
  }
})

it('says of a database that cannot be reached, or only be read, that it does not answer', async () => {
  const replica = await failureOf(
    (async () => {
      const db = open()
      try {
        await db.transaction().execute(async (trx) => {
          await sql`set transaction read only`.execute(trx)
          await sql`create table never (n int)`.execute(trx)
        })
      } finally {
        await db.destroy()
      }
    })(),
  )
  expect(databaseProblem(replica)).toBe('database-unavailable')
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])
    expect(databaseProblem(Object.assign(new Error(code), { code }))).toBe('database-unavailable')
})

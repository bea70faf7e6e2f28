/** @module-tag slow */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { classifyDatabaseError, createSchemas, migrate, openDatabase } from './database.ts'
import { prepareOnce } from './postgres/prepared.ts'
import { type TestDatabase, createTestDatabase } from '../../test/database.ts'

let testServer: TestDatabase
const openTestDatabase = () =>
  openDatabase<Record<string, never>>(testServer.url, { schema: 'monitor', connections: 1, onError: () => 0 })
beforeAll(async () => {
  testServer = await createTestDatabase()
})
afterAll(() => testServer.drop())

const captureError = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => 'no failure',
    (error: unknown) => error,
  )

it('distinguishes a broken connection from a wrong statement', async () => {
  const [db, otherDb] = [openTestDatabase(), openTestDatabase()]
  try {
    const statementError = await captureError(sql`select nothing from nowhere`.execute(db))
    expect(classifyDatabaseError(statementError)).toBeNull()
    const connectionError = await captureError(
      db.transaction().execute(async (trx) => {
        const { rows: pidRows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        await sql`select pg_terminate_backend(${pidRows[0]!.pid}, 5000)`.execute(otherDb)
        // The driver's own error for the second statement has no code.
        await captureError(sql`select 1`.execute(trx))
        await sql`select 1`.execute(trx)
      }),
    )
    expect(classifyDatabaseError(connectionError)).toBe('database-unavailable')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await Promise.all([db.destroy(), otherDb.destroy()])
  }
})

it('keeps one plan of a prepared statement after five executions on a connection', async () => {
  const db = openTestDatabase()
  try {
    const double = async (value: number) =>
      (await prepareOnce(sql<{ double: number }>`select ${value}::int * 2 as double`).execute(db)).rows[0]!.double
    for (const value of [1, 2, 3, 4, 5, 6, 7]) expect(await double(value)).toBe(value * 2)
    const { rows } = await sql<{ plans: number }>`
      select generic_plans::int as plans from pg_prepared_statements where statement like '%select $1::int * 2%'`.execute(db)
    expect(rows).toEqual([{ plans: 2 }])
  } finally {
    await db.destroy()
  }
})

it('changes a table after its readers end, without blocking other readers', async () => {
  await createSchemas(testServer.url)
  const [db, readerDb, otherDb] = [1, 2, 3].map(() =>
    openDatabase<Record<string, never>>(testServer.url, { schema: 'idp', connections: 1 }),
  )
  const readQuery = sql`select from idp.busy`
  const testMigrations = {
    '0001-first': {
      up: (trx: typeof db) => sql`create table busy (a int)`.execute(trx!).then(() => undefined),
    },
    '0002-second': {
      up: (trx: typeof db) => sql`alter table busy add column b int`.execute(trx!).then(() => undefined),
    },
  } as never as Record<'0001-first' | '0002-second', { up: () => Promise<void> }>
  try {
    await migrate(db!, 'idp', { '0001-first': testMigrations['0001-first'] })
    let migrated: Promise<void>
    await readerDb!.transaction().execute(async (trx) => {
      await readQuery.execute(trx)
      migrated = migrate(db!, 'idp', testMigrations)
      await expect
        .poll(
          async () =>
            (await sql`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`.execute(trx)).rows.length,
          { timeout: 20_000 },
        )
        .toBe(1)
      // This read waits behind the change, which then times out.
      await readQuery.execute(otherDb!)
    })
    await migrated!
    await sql`select b from idp.busy`.execute(otherDb!)
  } finally {
    await Promise.all([db, readerDb, otherDb].map((database) => database!.destroy()))
  }
})

it('refuses a schema of a newer program, and names the missing migration', async () => {
  await createSchemas(testServer.url)
  const db = openDatabase<Record<string, never>>(testServer.url, { schema: 'account', connections: 1 })
  try {
    const emptyMigration = { up: () => Promise.resolve() }
    await migrate(db, 'account', { '0001-first': emptyMigration, '0002-of-a-newer-one': emptyMigration })
    await expect(migrate(db, 'account', { '0001-first': emptyMigration })).rejects.toThrow('0002-of-a-newer-one')
    await migrate(db, 'account', { '0001-first': emptyMigration, '0002-of-a-newer-one': emptyMigration })
  } finally {
    await db.destroy()
  }
})

it('reports a database as unavailable if it is unreachable or read-only', async () => {
  const readOnlyError = await captureError(
    (async () => {
      const db = openTestDatabase()
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
  expect(classifyDatabaseError(readOnlyError)).toBe('database-unavailable')
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])
    expect(classifyDatabaseError(Object.assign(new Error(code), { code }))).toBe('database-unavailable')
})

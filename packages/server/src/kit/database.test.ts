import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseProblem, openDatabase } from './database.ts'
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

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { classifyDatabaseError, openDatabase } from './database.ts'
import { streamRows, tookTooLong } from './large-read.ts'

let database: TestDatabase
let db: ReturnType<typeof open>
const open = () =>
  openDatabase<Record<string, never>>(database.url, {
    schema: 'monitor',
    connections: 1,
    statementSeconds: 1,
  })
beforeAll(async () => {
  database = await testDatabase()
  db = open()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Reads all, with a pause after each portion. */
async function read(query: ReturnType<typeof sql<{ n: number }>>, pauseMs: number) {
  const numbers: number[] = []
  const portions: number[] = []
  for await (const rows of streamRows(db, query)) {
    numbers.push(...rows.map(({ n }) => n))
    portions.push(rows.length)
    await sleep(pauseMs)
  }
  return { numbers, portions }
}

it('gives rows as slowly as they are read, each portion in the time of a statement', async () => {
  const began = performance.now()
  const { numbers, portions } = await read(sql`select n from generate_series(1, ${12_500}::int) n`, 200)
  expect(performance.now() - began).toBeGreaterThan(2500)
  expect(numbers).toEqual(Array.from({ length: 12_500 }, (_, at) => at + 1))
  expect(portions).toEqual([...Array.from({ length: 12 }, () => 1000), 500])
  expect((await read(sql`select n from generate_series(1, 2000) n`, 0)).portions).toEqual([1000, 1000])
})

it('ends a portion that takes longer, the first and a later one, and the connection works on', async () => {
  const slowAt = (row: number) =>
    read(sql`select n, case when n = ${row}::int then pg_sleep(5) end from generate_series(1, 5000) n`, 0)
  for (const row of [1, 3500]) {
    const error = await slowAt(row).catch((reason: unknown) => reason)
    expect([tookTooLong(error), classifyDatabaseError(error)]).toEqual([true, 'database-unavailable'])
  }
  expect((await read(sql`select 1 as n`, 0)).numbers).toEqual([1])
})

it('is ended by the database when nobody else has ended it in its time', async () => {
  const short = openDatabase<Record<string, never>>(database.url, {
    schema: 'monitor',
    connections: 1,
    statementSeconds: 1,
    downloadSeconds: 1,
  })
  try {
    const rows = streamRows(short, sql`select n from generate_series(1, 100000) n`)
    expect((await rows.next()).value).toHaveLength(1000)
    await sleep(4000)
    // The portion that was fetched ahead is there.
    await rows.next()
    await expect(rows.next()).rejects.toThrow()
  } finally {
    await short.destroy()
  }
})

it('gives its connection back when its reader leaves', async () => {
  for (let reader = 0; reader < 3; reader++)
    for await (const rows of streamRows(db, sql`select n from generate_series(1, 100000) n`)) {
      expect(rows).toHaveLength(1000)
      break
    }
  expect((await read(sql`select 1 as n`, 0)).numbers).toEqual([1])
})

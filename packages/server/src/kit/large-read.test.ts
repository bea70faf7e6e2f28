/** @module-tag slow */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../test/database.ts'
import { classifyDatabaseError, openDatabase } from './database.ts'
import { streamRows, isStatementTimeout } from './large-read.ts'

let testServer: TestDatabase
let db: ReturnType<typeof openTestDatabase>
const openTestDatabase = () =>
  openDatabase<Record<string, never>>(testServer.url, { schema: 'monitor', connections: 1, statementSeconds: 1 })
beforeAll(async () => {
  testServer = await createTestDatabase()
  db = openTestDatabase()
})
afterAll(async () => {
  await db.destroy()
  await testServer.drop()
})

/** Reads all rows, with a pause after each batch. */
async function readRows(rowsQuery: ReturnType<typeof sql<{ n: number }>>, pauseMs: number) {
  const numbers: number[] = []
  const batchSizes: number[] = []
  for await (const batchRows of streamRows(db, rowsQuery)) {
    numbers.push(...batchRows.map(({ n }) => n))
    batchSizes.push(batchRows.length)
    await sleep(pauseMs)
  }
  return { numbers, portions: batchSizes }
}

it('streams rows to slow readers, with the statement time-out for each batch', async () => {
  const startedAt = performance.now()
  const { numbers, portions } = await readRows(sql`select n from generate_series(1, ${12_500}::int) n`, 200)
  expect(performance.now() - startedAt).toBeGreaterThan(2500)
  expect(numbers).toEqual(Array.from({ length: 12_500 }, (_, index) => index + 1))
  expect(portions).toEqual([...Array.from({ length: 12 }, () => 1000), 500])
  expect((await readRows(sql`select n from generate_series(1, 2000) n`, 0)).portions).toEqual([1000, 1000])
})

it('ends a batch that takes too long, the first or a later one, and keeps the connection', async () => {
  const readSlowRow = (slowRow: number) =>
    readRows(sql`select n, case when n = ${slowRow}::int then pg_sleep(5) end from generate_series(1, 5000) n`, 0)
  for (const slowRow of [1, 3500]) {
    const readError = await readSlowRow(slowRow).catch((reason: unknown) => reason)
    expect([isStatementTimeout(readError), classifyDatabaseError(readError)]).toEqual([true, 'database-unavailable'])
  }
  expect((await readRows(sql`select 1 as n`, 0)).numbers).toEqual([1])
})

it('is ended by the database if it is not ended in time', async () => {
  const shortLivedDb = openDatabase<Record<string, never>>(testServer.url, {
    schema: 'monitor',
    connections: 1,
    statementSeconds: 1,
    downloadSeconds: 1,
  })
  try {
    const rowBatches = streamRows(shortLivedDb, sql`select n from generate_series(1, 100000) n`)
    expect((await rowBatches.next()).value).toHaveLength(1000)
    await sleep(4000)
    // The prefetched batch is still available.
    await rowBatches.next()
    await expect(rowBatches.next()).rejects.toThrow()
  } finally {
    await shortLivedDb.destroy()
  }
})

it('releases its connection when the reader stops early', async () => {
  for (let round = 0; round < 3; round++)
    for await (const batchRows of streamRows(db, sql`select n from generate_series(1, 100000) n`)) {
      expect(batchRows).toHaveLength(1000)
      break
    }
  expect((await readRows(sql`select 1 as n`, 0)).numbers).toEqual([1])
})

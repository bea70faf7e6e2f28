import { sql } from 'kysely'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { inTransaction, openDatabase } from '../database.ts'
import { urlsOf } from './primary.ts'

let database: TestDatabase
let closed: number
let silent: Server
beforeAll(async () => {
  database = await testDatabase()
  silent = createServer().listen(0, '127.0.0.1')
  const gone = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => gone.once('listening', done))
  closed = (gone.address() as AddressInfo).port
  await new Promise((done) => gone.close(done))
})
afterAll(async () => {
  silent.close()
  await database.drop()
})

const open = (url: string, connections = 2) =>
  openDatabase<Record<string, never>>(url, { schema: 'monitor', connections, onError: () => undefined })

it('reads an address of several servers', () => {
  expect(urlsOf('postgres://u:p%40@a:1,b:2,[::1]:3/d?ssl=true')).toEqual([
    'postgres://u:p%40@a:1/d?ssl=true',
    'postgres://u:p%40@b:2/d?ssl=true',
    'postgres://u:p%40@[::1]:3/d?ssl=true',
  ])
  expect(urlsOf('postgresql://a@b@host,other')).toEqual(['postgresql://a@b@host', 'postgresql://a@b@other'])
  for (const one of ['postgres://host/a,b', 'postgres://host?options=a,b', 'postgres://host'])
    expect(urlsOf(one)).toEqual([one])
})

it('connects to the server that takes writes, wherever it stands among them', async () => {
  const { host } = new URL(database.url)
  const { port } = silent.address() as AddressInfo
  for (const hosts of [`127.0.0.1:${closed},${host}`, `${host},127.0.0.1:${port}`]) {
    const db = open(database.url.replace(host, hosts))
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
    expect(rows).toEqual([{ one: 1 }])
    await db.destroy()
  }
})

it('gives up its connections when their server has become a replica, and does the work again', async () => {
  const db = open(database.url)
  try {
    await sql`create table public.note (text text)`.execute(db)
    // Both of the pool: what a server that was reconfigured says.
    await db.transaction().execute(async (first) =>
      db.transaction().execute(async (second) => {
        for (const trx of [first, second]) await sql`set default_transaction_read_only = on`.execute(trx)
      }),
    )
    let tries = 0
    await inTransaction(db, (trx) => {
      tries++
      return sql`insert into public.note values ('kept')`.execute(trx)
    })
    expect(tries).toBe(2)
    const { rows } = await sql`select text from public.note`.execute(db)
    expect(rows).toEqual([{ text: 'kept' }])
  } finally {
    await db.destroy()
  }
})

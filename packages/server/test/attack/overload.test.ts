import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, openDatabase } from '../../src/kit/database.ts'
import { openTestApi, type TestApi } from '../api.ts'
import { completed, finding, type TestRun, wholeRun } from '../run.ts'

let api: TestApi
let admin: string
let origin: string
let run: TestRun
beforeAll(async () => {
  api = await openTestApi({
    environment: {
      CLEARWAY_DATABASE_CONNECTIONS: '3',
      CLEARWAY_STATEMENT_SECONDS: '3',
      CLEARWAY_DOWNLOADS: '3',
      CLEARWAY_DOWNLOAD_IDLE_SECONDS: '6',
    },
  })
  admin = await api.token('admin', ['access', 'admin'])
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  // More than what lies between a server and a reader who does not read.
  const html = `<img title="${'x'.repeat(9000)}">`
  const page = (name: string) =>
    completed(
      Array.from({ length: 400 }, (_, at) => finding(`${name}${at}`, { html: `${html}<b>${name}${at}</b>` })),
      name,
    )
  run = await wholeRun(api, undefined, { a: page('a'), b: page('b'), c: page('c'), d: page('d') })
})
afterAll(() => api.close())

/** Asks for a download; its body is not read until somebody does. */
const download = (token = admin, format = 'json') =>
  new Promise<IncomingMessage>((done, fail) => {
    const asked = request(
      `${origin}/monitor-api/bulk/issues/export/${format}`,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      done,
    )
    asked.on('error', fail)
    asked.end(JSON.stringify({ filters: { scanId: [run.scanId] }, selected: { selectAllMode: true } }))
  })
/** Reads all, not faster than so many bytes a second. @returns how many came */
const readAll = async (reply: IncomingMessage, perSecond = Infinity): Promise<number> => {
  const began = performance.now()
  let bytes = 0
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length
    const early = (bytes / perSecond) * 1000 - (performance.now() - began)
    if (early > 0) await sleep(early)
  }
  return bytes
}

describe('somebody who reads a download slowly', () => {
  it('has all of it, though it takes longer than a statement may', { timeout: 60_000 }, async () => {
    const whole = await readAll(await download())
    // In seven seconds, where a statement may take three.
    expect(await readAll(await download(), whole / 7)).toBe(whole)
  })
})

describe('somebody who takes downloads and does not read them', () => {
  it('keeps nobody from working, has three of them, and is let go', { timeout: 60_000 }, async () => {
    const open = await Promise.all([download(), download(), download()])
    expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const fourth = await download()
    expect([fourth.statusCode, fourth.headers['content-type'], fourth.headers['retry-after']]).toEqual([
      429,
      'application/problem+json; charset=utf-8',
      '10',
    ])
    expect(fourth.headers['content-disposition']).toBeUndefined()
    fourth.resume()
    // Of three connections none is taken.
    for (const path of ['/scans', '/issues', '/pages'])
      expect((await api.call('GET', path, { token: admin })).status).toBe(200)
    // Somebody else has their own.
    const other = await download(await api.token('auditor', ['access', 'auditor']))
    expect(other.statusCode).toBe(200)
    const whole = await readAll(other)
    expect(whole).toBeGreaterThan(10_000_000)
    await expect.poll(() => api.app.downloads.open.size, { timeout: 25_000 }).toBe(0)
    for (const reply of open) await expect(readAll(reply)).rejects.toThrow('aborted')
    expect(await readAll(await download())).toBe(whole)
  })
})

describe('a database that has too much to do', () => {
  const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
    const other = openDatabase<Record<string, never>>(api.config.DATABASE_URL!, {
      schema: 'monitor',
      connections: 1,
    })
    try {
      return await other.transaction().execute(async (trx) => {
        await sql`lock table issue, finding in access exclusive mode`.execute(trx)
        return work()
      })
    } finally {
      await other.destroy()
    }
  }
  const ask = () =>
    api.app.inject({ url: '/monitor-api/issues', headers: { authorization: `Bearer ${admin}` } })

  it('is told as a problem with a time to come back, not as a fault', { timeout: 60_000 }, async () => {
    // Three wait in the database until their statements are ended, the others for a connection.
    const replies = await whileLocked(() => Promise.all(Array.from({ length: 12 }, ask)))
    for (const reply of replies) {
      expect([reply.statusCode, reply.headers['content-type'], reply.headers['retry-after']]).toEqual([
        503,
        'application/problem+json; charset=utf-8',
        '5',
      ])
      expect(reply.json()).toMatchObject({ code: 'database-unavailable' })
    }
    expect((await ask()).statusCode).toBe(200)
  })

  it('is told so of a download, too, in whatever format', { timeout: 60_000 }, async () => {
    const formats = ['csv/brief', 'csv/detailed', 'json', 'xlsx', 'sarif', 'junit', 'earl']
    const asked = await Promise.all(
      formats.map(async (format) => [format, await api.token(`of ${format}`, ['access', 'admin'])] as const),
    )
    const replies = await whileLocked(() =>
      Promise.all(asked.map(([format, token]) => download(token, format))),
    )
    for (const [at, reply] of replies.entries()) {
      const { statusCode, headers } = reply
      expect([formats[at], statusCode, headers['content-type'], headers['retry-after']]).toEqual([
        formats[at],
        503,
        'application/problem+json; charset=utf-8',
        '5',
      ])
      expect(JSON.parse((await reply.setEncoding('utf8').toArray()).join(''))).toMatchObject({
        code: 'database-unavailable',
      })
    }
    expect(await readAll(await download())).toBeGreaterThan(0)
  })
})

describe('two transactions that wait for each other', () => {
  it('are both done, whichever is told to give way', async () => {
    await sql`create table account_of (name text primary key, amount int not null)`.execute(api.db)
    await sql`insert into account_of values ('a', 0), ('b', 0)`.execute(api.db)
    let begun = 0
    // Each has its first row before either asks for its second.
    const both = Promise.withResolvers<void>()
    const add = (first: string, second: string) =>
      inTransaction(api.db, async (trx) => {
        await sql`update account_of set amount = amount + 1 where name = ${first}`.execute(trx)
        if (++begun === 2) both.resolve()
        await both.promise
        await sql`update account_of set amount = amount + 1 where name = ${second}`.execute(trx)
      })
    await Promise.all([add('a', 'b'), add('b', 'a')])
    expect(begun).toBeGreaterThan(2)
    const { rows } = await sql`select amount from account_of`.execute(api.db)
    expect(rows).toEqual([{ amount: 2 }, { amount: 2 }])
    await sql`drop table account_of`.execute(api.db)
  })
})

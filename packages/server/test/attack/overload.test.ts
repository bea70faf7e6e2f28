/** @module-tag slow */
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, openDatabase } from '../../src/kit/database.ts'
import { openTestApi, type TestApi } from '../api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../run.ts'

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
  // Exceeds all buffers between the server and a client that does not read.
  const html = `<img title="${'x'.repeat(9000)}">`
  const buildPage = (name: string) =>
    buildCompleted(
      Array.from({ length: 400 }, (_, elementIndex) =>
        buildFinding(`${name}${elementIndex}`, { html: `${html}<b>${name}${elementIndex}</b>` }),
      ),
      name,
    )
  run = await recordRun(api, undefined, { a: buildPage('a'), b: buildPage('b'), c: buildPage('c'), d: buildPage('d') })
})
afterAll(() => api.close())

/** Requests a download; its body stays unread until a test reads it. */
const requestDownload = (token = admin, format = 'json') =>
  new Promise<IncomingMessage>((resolve, fail) => {
    const clientRequest = request(
      `${origin}/monitor-api/bulk/issues/export/${format}`,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      resolve,
    )
    clientRequest.on('error', fail)
    clientRequest.end(JSON.stringify({ filters: { scanId: [run.scanId] }, selected: { selectAllMode: true } }))
  })
/** Reads a whole response at a limited rate, in bytes per second. @returns the number of bytes */
const readAll = async (reply: IncomingMessage, perSecond = Infinity): Promise<number> => {
  const began = performance.now()
  let bytes = 0
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length
    const aheadMs = (bytes / perSecond) * 1000 - (performance.now() - began)
    if (aheadMs > 0) await sleep(aheadMs)
  }
  return bytes
}

describe('a client that reads a download slowly', () => {
  it('receives all of it, although it takes longer than the statement timeout', { timeout: 60_000 }, async () => {
    const totalBytes = await readAll(await requestDownload())
    // Takes seven seconds, with a statement timeout of three.
    expect(await readAll(await requestDownload(), totalBytes / 7)).toBe(totalBytes)
  })
})

describe('a client that requests downloads and does not read them', () => {
  it('blocks no other user, has at most three of them, and is disconnected', { timeout: 60_000 }, async () => {
    const openDownloads = await Promise.all([requestDownload(), requestDownload(), requestDownload()])
    expect(openDownloads.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const fourth = await requestDownload()
    expect([fourth.statusCode, fourth.headers['content-type'], fourth.headers['retry-after']]).toEqual([
      429,
      'application/problem+json; charset=utf-8',
      '10',
    ])
    expect(fourth.headers['content-disposition']).toBeUndefined()
    fourth.resume()
    // None of the three connections is occupied.
    for (const path of ['/scans', '/issues', '/pages']) expect((await api.call('GET', path, { token: admin })).status).toBe(200)
    // Another user has a separate limit.
    const otherDownload = await requestDownload(await api.token('auditor', ['access', 'auditor']))
    expect(otherDownload.statusCode).toBe(200)
    const totalBytes = await readAll(otherDownload)
    expect(totalBytes).toBeGreaterThan(10_000_000)
    await expect.poll(() => api.app.downloads.openDownloads.count(), { timeout: 25_000 }).toBe(0)
    for (const reply of openDownloads) await expect(readAll(reply)).rejects.toThrow('aborted')
    expect(await readAll(await requestDownload())).toBe(totalBytes)
  })
})

describe('an overloaded database', () => {
  const withLockedTable = async <T>(work: () => Promise<T>): Promise<T> => {
    const lockingDb = openDatabase<Record<string, never>>(api.config.DATABASE_URL!, { schema: 'monitor', connections: 1 })
    try {
      return await lockingDb.transaction().execute(async (trx) => {
        await sql`lock table issue, finding in access exclusive mode`.execute(trx)
        return work()
      })
    } finally {
      await lockingDb.destroy()
    }
  }
  const requestScans = () => api.app.inject({ url: '/monitor-api/issues', headers: { authorization: `Bearer ${admin}` } })

  it('is reported as a problem with a retry time, not as a server error', { timeout: 60_000 }, async () => {
    // Three wait in the database until their statements time out, the others for a connection.
    const replies = await withLockedTable(() => Promise.all(Array.from({ length: 12 }, requestScans)))
    for (const reply of replies) {
      expect([reply.statusCode, reply.headers['content-type'], reply.headers['retry-after']]).toEqual([
        503,
        'application/problem+json; charset=utf-8',
        '5',
      ])
      expect(reply.json()).toMatchObject({ code: 'database-unavailable' })
    }
    expect((await requestScans()).statusCode).toBe(200)
  })

  it('is reported so for a download, too, in every format', { timeout: 60_000 }, async () => {
    const formats = ['csv/brief', 'csv/detailed', 'json', 'xlsx', 'sarif', 'junit', 'earl']
    const downloads = await Promise.all(
      formats.map(async (format) => [format, await api.token(`of ${format}`, ['access', 'admin'])] as const),
    )
    const replies = await withLockedTable(() => Promise.all(downloads.map(([format, token]) => requestDownload(token, format))))
    for (const [formatIndex, reply] of replies.entries()) {
      const { statusCode, headers } = reply
      expect([formats[formatIndex], statusCode, headers['content-type'], headers['retry-after']]).toEqual([
        formats[formatIndex],
        503,
        'application/problem+json; charset=utf-8',
        '5',
      ])
      expect(JSON.parse((await reply.setEncoding('utf8').toArray()).join(''))).toMatchObject({ code: 'database-unavailable' })
    }
    expect(await readAll(await requestDownload())).toBeGreaterThan(0)
  })
})

describe('two transactions in a deadlock', () => {
  it('are both completed, whichever is rolled back first', async () => {
    await sql`create table account_of (name text primary key, amount int not null)`.execute(api.db)
    await sql`insert into account_of values ('a', 0), ('b', 0)`.execute(api.db)
    let begun = 0
    // Each holds its first row before either requests its second.
    const bothLocked = Promise.withResolvers<void>()
    const addAmounts = (firstId: string, second: string) =>
      inTransaction(api.db, async (trx) => {
        await sql`update account_of set amount = amount + 1 where name = ${firstId}`.execute(trx)
        if (++begun === 2) bothLocked.resolve()
        await bothLocked.promise
        await sql`update account_of set amount = amount + 1 where name = ${second}`.execute(trx)
      })
    await Promise.all([addAmounts('a', 'b'), addAmounts('b', 'a')])
    expect(begun).toBeGreaterThan(2)
    const { rows: amountRows } = await sql`select amount from account_of`.execute(api.db)
    expect(amountRows).toEqual([{ amount: 2 }, { amount: 2 }])
    await sql`drop table account_of`.execute(api.db)
  })
})

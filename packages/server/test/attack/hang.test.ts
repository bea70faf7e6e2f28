/** @module-tag slow */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/kit/database.ts'
import { runWithStatementLimit } from '../../src/kit/statement-limit.ts'
import { type RunningServer, serve } from '../../src/process/serve.ts'
import type { TestDatabase } from '../database.ts'
import { openMigratedDatabase } from '../migrated-database.ts'
import { adminPassword, createSignInCalls } from '../sign-in.ts'

// A database that hangs: its connections stay open, and nothing comes.

let database: TestDatabase
let network: Server
let server: RunningServer
let dataFolder: string
let token: string
let isSuspended = false
const sockets = new Set<Socket>()

/** Suspends and resumes all connections to the database, like a suspended server. */
function setSuspended(suspended: boolean): void {
  isSuspended = suspended
  for (const socket of sockets)
    if (suspended) socket.pause()
    else socket.resume()
}

function relay(client: Socket, port: number, host: string): void {
  const upstream = connect(port, host)
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(from)
    from.on('data', (bytes) => to.write(bytes))
    from.on('error', () => to.destroy())
    from.on('close', () => (to.destroy(), sockets.delete(from)))
    if (isSuspended) from.pause()
  }
}

beforeAll(async () => {
  database = await openMigratedDatabase()
  const databaseUrl = new URL(database.url)
  const { hostname, port } = databaseUrl
  network = createServer((client) => relay(client, Number(port || 5432), hostname))
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
  databaseUrl.host = `127.0.0.1:${(network.address() as { port: number }).port}`
  dataFolder = mkdtempSync(join(tmpdir(), 'clearway-hang-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl.href,
    CLEARWAY_DATA: dataFolder,
    CLEARWAY_PORT: '0',
    CLEARWAY_ROLES: 'api,account,idp',
    CLEARWAY_ADMIN_PASSWORD: adminPassword,
    CLEARWAY_WEB: 'false',
  }) as Config
  server = await serve(config)
  token = await createSignInCalls(server).tokenBy('admin', adminPassword)
}, 60_000)
afterAll(async () => {
  setSuspended(false)
  await server.stop()
  network.close()
  await database.drop()
  rmSync(dataFolder, { recursive: true, force: true })
})

const callTimed = async (path: string) => {
  const startedAt = performance.now()
  const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  await reply.text()
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), seconds: (performance.now() - startedAt) / 1000 }
}

it('is noticed within seconds: calls end, later ones are refused at once, and the first after it succeeds', async () => {
  expect(await callTimed('/monitor-api/scans')).toMatchObject({ status: 200 })
  setSuspended(true)
  const begun = await callTimed('/monitor-api/scans')
  expect(begun).toMatchObject({ status: 503, retryAfter: '5' })
  expect(begun.seconds).toBeLessThan(8)
  const laterCalls = await Promise.all(Array.from({ length: 20 }, () => callTimed('/monitor-api/scans')))
  for (const later of laterCalls) {
    expect(later).toMatchObject({ status: 503, retryAfter: '5' })
    expect(later.seconds).toBeLessThan(1)
  }
  expect((await callTimed('/health/live')).status).toBe(200)
  setSuspended(false)
  await expect.poll(async () => (await callTimed('/monitor-api/scans')).status, { timeout: 10_000 }).toBe(200)
}, 60_000)

it('ends slow statements of screens earlier than those of other work', async () => {
  const db = openDatabase<Record<string, never>>(database.url, { schema: 'monitor', connections: 1, statementSeconds: 120 })
  const readLimit = async () =>
    (await sql<{ limit: string }>`select current_setting('statement_timeout') as "limit"`.execute(db)).rows[0]?.limit
  expect(await readLimit()).toBe('2min')
  expect(await runWithStatementLimit(20_000, readLimit)).toBe('20s')
  // The same connection.
  expect(await readLimit()).toBe('2min')
  const sleepLong = () => sql`select pg_sleep(5)`.execute(db)
  await expect(runWithStatementLimit(200, sleepLong)).rejects.toMatchObject({ code: '57014' })
  await db.destroy()
})

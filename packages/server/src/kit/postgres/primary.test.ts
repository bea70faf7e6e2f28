/** @module-tag slow */
import { sql } from 'kysely'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { type TestDatabase, createTestDatabase, withClient } from '../../../test/database.ts'
import { findFreePort } from '../../../../engine/test/free-port.ts'
import { inTransaction, openDatabase } from '../database.ts'
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { splitServerUrls } from './primary.ts'

/** A second writable server on a higher timeline: like a promoted one, it has finished a recovery from an archive. */
async function startPromotedServer(): Promise<EmbeddedDatabase> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-promoted-'))
  const startOptions = { data: dataFolder, throwAway: true }
  await (await startEmbedded(startOptions)).stop()
  const clusterFolder = join(dataFolder, 'database/cluster')
  appendFileSync(join(clusterFolder, 'postgresql.auto.conf'), "restore_command = 'false'\n")
  writeFileSync(join(clusterFolder, 'recovery.signal'), '')
  const { url: serverUrl, stop: stopServer } = await startEmbedded(startOptions)
  return { url: serverUrl, stop: () => stopServer().then(() => rmSync(dataFolder, { recursive: true, force: true })) }
}

let testServer: TestDatabase
let promotedDatabase: EmbeddedDatabase
let closedPort: number
let silentServer: Server
beforeAll(async () => {
  // Starting a server dominates the run time, so no test includes it in its time-out.
  ;[testServer, promotedDatabase] = await Promise.all([createTestDatabase(), startPromotedServer()])
  silentServer = createServer().listen(0, '127.0.0.1')
  closedPort = await findFreePort()
})
afterAll(async () => {
  silentServer.close()
  await Promise.all([testServer.drop(), promotedDatabase.stop()])
})

const openTestDatabase = (url: string, connections = 2) =>
  openDatabase<Record<string, never>>(url, { schema: 'monitor', connections, onError: () => undefined })

it('parses a URL of several servers', () => {
  expect(splitServerUrls('postgres://u:p%40@a:1,b:2,[::1]:3/d?ssl=true')).toEqual([
    'postgres://u:p%40@a:1/d?ssl=true',
    'postgres://u:p%40@b:2/d?ssl=true',
    'postgres://u:p%40@[::1]:3/d?ssl=true',
  ])
  expect(splitServerUrls('postgresql://a@b@host,other')).toEqual(['postgresql://a@b@host', 'postgresql://a@b@other'])
  for (const singleUrl of ['postgres://host/a,b', 'postgres://host?options=a,b', 'postgres://host'])
    expect(splitServerUrls(singleUrl)).toEqual([singleUrl])
})

it('connects to the writable server, at any position in the list', async () => {
  const { host: serverHost } = new URL(testServer.url)
  const { port: silentPort } = silentServer.address() as AddressInfo
  for (const hostList of [`127.0.0.1:${closedPort},${serverHost}`, `${serverHost},127.0.0.1:${silentPort}`]) {
    const db = openTestDatabase(testServer.url.replace(serverHost, hostList))
    const { rows: resultRows } = await sql<{ one: number }>`select 1 as one`.execute(db)
    expect(resultRows).toEqual([{ one: 1 }])
    await db.destroy()
  }
})

it('fails immediately for an error that affects all servers', async () => {
  const { host: serverHost } = new URL(testServer.url)
  const missingDatabaseUrl = testServer.url.replace(/\/[^/]+$/, '/no_such_database')
  const db = openTestDatabase(missingDatabaseUrl.replace(serverHost, `${serverHost},127.0.0.1:${closedPort}`))
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: '3D000' })
  await db.destroy()
})

/** Delay of each reply. About five of them exceed the time in which another server must be reached. */
const replyDelayMs = 250
/**
 * A proxy to the database. It can be closed (another server is the primary), silent (the machine is gone) or late (the
 * server is busy).
 */
async function openGate({ onTestFinished }: TestContext, serverUrl: URL, isOpen: boolean) {
  const openSockets = new Set<Socket>()
  let gateState: 'open' | 'closed' | 'silent' | 'late' = isOpen ? 'open' : 'closed'
  const gateServer = createServer((clientSocket) => {
    clientSocket.on('error', () => undefined)
    if (gateState === 'closed') return void clientSocket.destroy()
    if (gateState === 'silent') return
    const serverSocket = connect(Number(serverUrl.port), serverUrl.hostname)
    serverSocket.on('error', () => undefined)
    for (const [sourceSocket, targetSocket] of [[clientSocket, serverSocket] as const, [serverSocket, clientSocket] as const]) {
      openSockets.add(sourceSocket)
      sourceSocket.on('data', (chunk) => {
        if (gateState === 'silent') return
        if (gateState === 'late' && sourceSocket === serverSocket) setTimeout(() => targetSocket.write(chunk), replyDelayMs)
        else targetSocket.write(chunk)
      })
      sourceSocket.on('close', () => targetSocket.destroy())
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => gateServer.once('listening', resolve))
  onTestFinished(() => {
    for (const socket of openSockets) socket.destroy()
    gateServer.close()
  })
  const gateHost = `127.0.0.1:${(gateServer.address() as AddressInfo).port}`
  return { host: gateHost, become: (nextState: typeof gateState) => void (gateState = nextState) }
}

it.concurrent('cancels only queries on a silent server, and continues on the new primary', async (context) => {
  const serverUrl = new URL(testServer.url)
  const steadyDb = openTestDatabase(testServer.url.replace(serverUrl.host, `127.0.0.1:${closedPort},${serverUrl.host}`))
  const slowQuery = sql<{ slept: string }>`select pg_sleep(3.5)::text as slept`.execute(steadyDb)
  const [firstGate, secondGate] = [await openGate(context, serverUrl, true), await openGate(context, serverUrl, false)]
  const db = openTestDatabase(testServer.url.replace(serverUrl.host, `${firstGate.host},${secondGate.host}`))
  await db.connection().execute(async (connection) => {
    await sql`select 1`.execute(connection)
    firstGate.become('silent')
    secondGate.become('open')
    await expect(sql`select 2`.execute(connection)).rejects.toMatchObject({ code: '08006' })
  })
  const { rows: resultRows } = await sql<{ three: number }>`select 3 as three`.execute(db)
  expect(resultRows).toEqual([{ three: 3 }])
  expect((await slowQuery).rows).toEqual([{ slept: '' }])
  await Promise.all([db.destroy(), steadyDb.destroy()])
})

it.concurrent('prefers the latest promoted of two writable servers, by any name, and cancels queries on the other', async (context) => {
  const [formerUrl, promotedUrl] = [new URL(testServer.url), new URL(promotedDatabase.url)]
  // An ordinary role suffices for the probe.
  const roleName = `ordinary_${formerUrl.pathname.slice(1)}`
  for (const url of [testServer.url, promotedDatabase.url])
    await withClient(url, (client) => client.query(`create role ${roleName} login password 'same'`))
  context.onTestFinished(() => withClient(testServer.url, async (client) => void (await client.query(`drop role ${roleName}`))))
  const openWithRole = (...hosts: string[]) => openTestDatabase(`postgres://${roleName}:same@${hosts.join(',')}/postgres`)
  const busyGate = await openGate(context, promotedUrl, true)
  busyGate.become('late')
  for (const hostList of [
    [formerUrl.host, promotedUrl.host],
    [promotedUrl.host, formerUrl.host],
    [formerUrl.host, busyGate.host],
  ]) {
    const db = openWithRole(...hostList)
    const { rows: portRows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db)
    expect(portRows).toEqual([{ port: Number(promotedUrl.port) }])
    await db.destroy()
  }
  // Neither database can reach the server through the gate before it opens.
  const namedGate = await openGate(context, promotedUrl, false)
  const [formerDb, namedDb] = [openWithRole(formerUrl.host, namedGate.host), openWithRole(namedGate.host, promotedUrl.host)]
  await formerDb.connection().execute(async (waitingConnection) =>
    namedDb.connection().execute(async (workingConnection) => {
      namedGate.become('open')
      const slowQuery = sql<{ slept: string }>`select pg_sleep(3.5)::text as slept`.execute(workingConnection)
      await expect(sql`select pg_sleep(10)`.execute(waitingConnection)).rejects.toMatchObject({ code: '08006' })
      expect((await slowQuery).rows).toEqual([{ slept: '' }])
    }),
  )
  await Promise.all([formerDb.destroy(), namedDb.destroy()])
})

it('discards a connection whose server has become read-only', async () => {
  const { host: serverHost } = new URL(testServer.url)
  const db = openTestDatabase(testServer.url.replace(serverHost, `127.0.0.1:${closedPort},${serverHost}`), 1)
  const readBackendPid = () => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]!.pid)
  const previousPid = await readBackendPid()
  expect(await readBackendPid()).toBe(previousPid)
  await sql`set default_transaction_read_only = on`.execute(db)
  expect(await readBackendPid()).not.toBe(previousPid)
  await db.destroy()
})

it('discards all connections when their server has become a replica, and retries the work', async () => {
  const db = openTestDatabase(testServer.url)
  try {
    await sql`create table public.note (text text)`.execute(db)
    // Both connections of the pool, as reported by a reconfigured server.
    await db.transaction().execute(async (firstTransaction) =>
      db.transaction().execute(async (secondTransaction) => {
        for (const trx of [firstTransaction, secondTransaction]) await sql`set default_transaction_read_only = on`.execute(trx)
      }),
    )
    let attemptCount = 0
    await inTransaction(db, (trx) => {
      attemptCount++
      return sql`insert into public.note values ('kept')`.execute(trx)
    })
    expect(attemptCount).toBe(2)
    const { rows: noteRows } = await sql`select text from public.note`.execute(db)
    expect(noteRows).toEqual([{ text: 'kept' }])
  } finally {
    await db.destroy()
  }
})

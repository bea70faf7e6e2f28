import { sql } from 'kysely'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { type TestDatabase, testDatabase, withClient } from '../../../test/database.ts'
import { freePort } from '../../../test/free-port.ts'
import { inTransaction, openDatabase } from '../database.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { urlsOf } from './primary.ts'

/** Another server that takes writes, on a higher timeline: as after a promotion it has ended the recovery from an archive. */
async function promotedServer(): Promise<Embedded> {
  const data = mkdtempSync(join(tmpdir(), 'clearway-promoted-'))
  const options = { data, throwAway: true }
  await (await startEmbedded(options)).stop()
  const cluster = join(data, 'database/cluster')
  appendFileSync(join(cluster, 'postgresql.auto.conf'), "restore_command = 'false'\n")
  writeFileSync(join(cluster, 'recovery.signal'), '')
  const { url, stop } = await startEmbedded(options)
  return { url, stop: () => stop().then(() => rmSync(data, { recursive: true, force: true })) }
}

let database: TestDatabase
let promoted: Embedded
let closed: number
let silent: Server
beforeAll(async () => {
  // To make a server is most of the work here: no test should have to end before that has.
  ;[database, promoted] = await Promise.all([testDatabase(), promotedServer()])
  silent = createServer().listen(0, '127.0.0.1')
  closed = await freePort()
})
afterAll(async () => {
  silent.close()
  await Promise.all([database.drop(), promoted.stop()])
})

const open = (url: string, connections = 2) =>
  openDatabase<Record<string, never>>(url, { schema: 'monitor', connections, onError: () => undefined })

it('reads a URL of several servers', () => {
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

it('says at once what is wrong on every server', async () => {
  const { host } = new URL(database.url)
  const nowhere = database.url.replace(/\/[^/]+$/, '/no_such_database')
  const db = open(nowhere.replace(host, `${host},127.0.0.1:${closed}`))
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: '3D000' })
  await db.destroy()
})

/** Of each answer. Some five of them, and a server has taken longer than another has to be reached. */
const lateMs = 250
/**
 * A way to the database that can be closed, as when another server is the primary, fall silent, as a machine that is gone, or answer
 * late, as a busy one.
 */
async function gateTo({ onTestFinished }: TestContext, url: URL, isOpen: boolean) {
  const sockets = new Set<Socket>()
  let state: 'open' | 'closed' | 'silent' | 'late' = isOpen ? 'open' : 'closed'
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (state === 'closed') return void near.destroy()
    if (state === 'silent') return
    const far = connect(Number(url.port), url.hostname)
    far.on('error', () => undefined)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (state === 'silent') return
        if (state === 'late' && from === far) setTimeout(() => to.write(chunk), lateMs)
        else to.write(chunk)
      })
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, become: (next: typeof state) => void (state = next) }
}

it.concurrent(
  'breaks off what waits for a server that fell silent, nothing else, and goes to the one that took its place',
  async (context) => {
    const url = new URL(database.url)
    const steady = open(database.url.replace(url.host, `127.0.0.1:${closed},${url.host}`))
    const slow = sql<{ slept: string }>`select pg_sleep(3.5)::text as slept`.execute(steady)
    const [first, second] = [await gateTo(context, url, true), await gateTo(context, url, false)]
    const db = open(database.url.replace(url.host, `${first.host},${second.host}`))
    await db.connection().execute(async (own) => {
      await sql`select 1`.execute(own)
      first.become('silent')
      second.become('open')
      await expect(sql`select 2`.execute(own)).rejects.toMatchObject({ code: '08006' })
    })
    const { rows } = await sql<{ three: number }>`select 3 as three`.execute(db)
    expect(rows).toEqual([{ three: 3 }])
    expect((await slow).rows).toEqual([{ slept: '' }])
    await Promise.all([db.destroy(), steady.destroy()])
  },
)

it.concurrent(
  'of two that take writes goes to the one promoted last, by whatever name, and breaks off what waits for the other',
  async (context) => {
    const [before, after] = [new URL(database.url), new URL(promoted.url)]
    // Any role may ask what this asks.
    const role = `ordinary_${before.pathname.slice(1)}`
    for (const url of [database.url, promoted.url])
      await withClient(url, (client) => client.query(`create role ${role} login password 'same'`))
    context.onTestFinished(() =>
      withClient(database.url, async (client) => void (await client.query(`drop role ${role}`))),
    )
    const to = (...hosts: string[]) => open(`postgres://${role}:same@${hosts.join(',')}/postgres`)
    const busy = await gateTo(context, after, true)
    busy.become('late')
    for (const hosts of [
      [before.host, after.host],
      [after.host, before.host],
      [before.host, busy.host],
    ]) {
      const db = to(...hosts)
      const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db)
      expect(rows).toEqual([{ port: Number(after.port) }])
      await db.destroy()
    }
    // Neither knows the server by the name of the gate until that opens.
    const gate = await gateTo(context, after, false)
    const [former, named] = [to(before.host, gate.host), to(gate.host, after.host)]
    await former.connection().execute(async (waits) =>
      named.connection().execute(async (works) => {
        gate.become('open')
        const slow = sql<{ slept: string }>`select pg_sleep(3.5)::text as slept`.execute(works)
        await expect(sql`select pg_sleep(10)`.execute(waits)).rejects.toMatchObject({ code: '08006' })
        expect((await slow).rows).toEqual([{ slept: '' }])
      }),
    )
    await Promise.all([former.destroy(), named.destroy()])
  },
)

it('gives up a connection whose server says that it takes no more writes', async () => {
  const { host } = new URL(database.url)
  const db = open(database.url.replace(host, `127.0.0.1:${closed},${host}`), 1)
  const own = () =>
    sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]!.pid)
  const before = await own()
  expect(await own()).toBe(before)
  await sql`set default_transaction_read_only = on`.execute(db)
  expect(await own()).not.toBe(before)
  await db.destroy()
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

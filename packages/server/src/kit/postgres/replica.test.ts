import { sql } from 'kysely'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '../../../test/database.ts'
import { openDatabase } from '../database.ts'
import { registry } from '../metrics/registry.ts'
import { preferReplica, streamRows } from '../large-read.ts'
import { type Embedded, startEmbedded } from './embedded.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-replica-'))
chmodSync(folder, 0o755)
let primary: Embedded
let replica: Embedded
const said: string[] = []
const open = (replicaUrl: string, connections = 4, statementSeconds = 0) =>
  openDatabase<Record<string, never>>(primary.url, {
    schema: 'monitor',
    connections,
    statementSeconds,
    replicaUrl,
    onReplica: (message) => said.push(message),
  })
type Db = ReturnType<typeof open>

beforeAll(async () => {
  const at = (name: string) => ({ data: join(folder, name), throwAway: true })
  await (await startEmbedded(at('primary'))).stop()
  // Its owner is kept, whom root starts it as.
  execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'replica')])
  primary = await startEmbedded(at('primary'))
  const cluster = join(folder, 'replica/database/cluster')
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  writeFileSync(join(cluster, 'standby.signal'), '')
  replica = await startEmbedded(at('replica'))
  await withClient(primary.url, (client) => client.query('create table note (text text)'))
}, 60_000)
afterAll(async () => {
  await replica.stop()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true })
})

const note = (text: string) =>
  withClient(primary.url, (client) => client.query('insert into note values ($1)', [text]))
/** What a stream and a report find, and whether a copy answered. */
async function read(db: Db) {
  type Row = { text: string; copy: boolean }
  const all = sql<Row>`select text, pg_is_in_recovery() as copy from public.note`
  const streamed: Row[] = []
  for await (const portion of streamRows(db, all)) streamed.push(...portion)
  const { rows } = await preferReplica(db, (from) => all.execute(from))
  expect(rows).toEqual(streamed)
  return { texts: rows.map(({ text }) => text), copies: [...new Set(rows.map(({ copy }) => copy))] }
}

it('reads from the replica what was written a moment before, and from the primary while the replica does not follow', async () => {
  const db = open(replica.url)
  const texts: string[] = []
  for (let n = 0; n < 5; n++) {
    texts.push(`note ${n}`)
    await note(texts.at(-1)!)
    expect(await read(db)).toEqual({ texts, copies: [true] })
  }
  await withClient(replica.url, (client) => client.query('select pg_wal_replay_pause()'))
  texts.push('unknown to the replica')
  await note(texts.at(-1)!)
  expect(await read(db)).toEqual({ texts, copies: [false] })
  await withClient(replica.url, (client) => client.query('select pg_wal_replay_resume()'))
  await db.destroy()
})

it('keeps what is sent on slowly off the connections of reports', async () => {
  const db = open(replica.url, 1)
  const slow = streamRows(db, sql`select generate_series(1, 5000)`)
  await slow.next()
  expect(
    (await preferReplica(db, (from) => sql`select pg_is_in_recovery() as copy`.execute(from))).rows,
  ).toEqual([{ copy: true }])
  await slow.return(undefined)
  await db.destroy()
})

it('reads from the primary where there is no replica, or what is named is none of it', async () => {
  for (const url of ['postgres://127.0.0.1:1/postgres', primary.url]) {
    const db = open(url)
    said.length = 0
    expect((await read(db)).copies).toEqual([false])
    // Once, not for each that is read.
    expect(said).toEqual([expect.stringMatching(/^Reports and exports are read from the primary: ./)])
    await db.destroy()
  }
})

/** What was read of each server so far, as the figures say it. */
async function counted(): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('clearway_large_reads_total')!.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.server), value]))
}

it('counts what was read from the replica, and what from the primary', async () => {
  const before = await counted()
  const [there, nowhere] = [open(replica.url), open('postgres://127.0.0.1:1/postgres')]
  await read(there)
  expect(await counted()).toEqual({ ...before, replica: before.replica! + 2 })
  await read(nowhere)
  expect(await counted()).toEqual({ replica: before.replica! + 2, primary: before.primary! + 2 })
  await Promise.all([there.destroy(), nowhere.destroy()])
})

it('breaks off what it reads from a replica that falls silent, and reads from the primary', async () => {
  const db = open(replica.url, 4, 3)
  const streams = [1, 2].map(() => streamRows(db, sql`select generate_series(1, 100000000)`))
  for (const stream of streams) await stream.next()
  const pids = await withClient(replica.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where query like 'fetch %' and pid <> pg_backend_pid()`,
    )
    return rows.map(({ pid }) => pid)
  })
  const main = Number(
    readFileSync(join(folder, 'replica/database/cluster/postmaster.pid'), 'utf8').split('\n')[0],
  )
  expect(pids).toHaveLength(2)
  for (const pid of [main, ...pids]) process.kill(pid, 'SIGSTOP')
  try {
    const [one, two] = streams as [(typeof streams)[0], (typeof streams)[0]]
    const readOn = async () => {
      for await (const portion of one) expect(portion.length).toBeGreaterThan(0)
    }
    await Promise.all([expect(readOn()).rejects.toMatchObject({ code: '08006' }), two.return(undefined)])
    expect((await read(db)).copies).toEqual([false])
  } finally {
    for (const pid of [main, ...pids]) process.kill(pid, 'SIGCONT')
  }
  await db.destroy()
}, 40_000)

it('fails once with what is wrong in the question itself', async () => {
  const db = open(replica.url)
  await expect(preferReplica(db, (from) => sql`select nothing`.execute(from))).rejects.toMatchObject({
    code: '42703',
  })
  await db.destroy()
})

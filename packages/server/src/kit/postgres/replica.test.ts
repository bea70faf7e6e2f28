/** @module-tag slow */
import { sql } from 'kysely'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from '../../../test/database.ts'
import { openDatabase } from '../database.ts'
import { metricsRegistry } from '../metrics/registry.ts'
import { preferReplica, streamRows } from '../large-read.ts'
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts'

const testFolder = mkdtempSync(join(tmpdir(), 'clearway-replica-'))
chmodSync(testFolder, 0o755)
let primaryDatabase: EmbeddedDatabase
let replicaDatabase: EmbeddedDatabase
const loggedMessages: string[] = []
const openTestDatabase = (replicaUrl: string, connections = 4, statementSeconds = 0) =>
  openDatabase<Record<string, never>>(primaryDatabase.url, {
    schema: 'monitor',
    connections,
    statementSeconds,
    replicaUrl,
    onReplica: (message) => loggedMessages.push(message),
  })
type TestDb = ReturnType<typeof openTestDatabase>

beforeAll(async () => {
  const getStartOptions = (name: string) => ({ data: join(testFolder, name), throwAway: true })
  await (await startEmbedded(getStartOptions('primary'))).stop()
  // Keeps the file owner, which runs the server if the tests run as root.
  execFileSync('cp', ['-a', join(testFolder, 'primary'), join(testFolder, 'replica')])
  primaryDatabase = await startEmbedded(getStartOptions('primary'))
  const replicaClusterFolder = join(testFolder, 'replica/database/cluster')
  appendFileSync(join(replicaClusterFolder, 'postgresql.auto.conf'), `primary_conninfo = '${primaryDatabase.url}'\n`)
  writeFileSync(join(replicaClusterFolder, 'standby.signal'), '')
  replicaDatabase = await startEmbedded(getStartOptions('replica'))
  await withClient(primaryDatabase.url, (client) => client.query('create table note (text text)'))
}, 60_000)
afterAll(async () => {
  await replicaDatabase.stop()
  await primaryDatabase.stop()
  rmSync(testFolder, { recursive: true, force: true })
})

const insertNote = (noteText: string) =>
  withClient(primaryDatabase.url, (client) => client.query('insert into note values ($1)', [noteText]))
/** Reads the notes by a stream and by a report; `copies` states whether a replica replied. */
async function readNotes(db: TestDb) {
  type NoteRow = { text: string; copy: boolean }
  const notesQuery = sql<NoteRow>`select text, pg_is_in_recovery() as copy from public.note`
  const streamedRows: NoteRow[] = []
  for await (const batch of streamRows(db, notesQuery)) streamedRows.push(...batch)
  const { rows: reportRows } = await preferReplica(db, (sourceDb) => notesQuery.execute(sourceDb))
  expect(reportRows).toEqual(streamedRows)
  return { texts: reportRows.map(({ text }) => text), copies: [...new Set(reportRows.map(({ copy }) => copy))] }
}

it('reads recent writes from the replica, and from the primary while the replica lags', async () => {
  const db = openTestDatabase(replicaDatabase.url)
  const noteTexts: string[] = []
  for (let index = 0; index < 5; index++) {
    noteTexts.push(`note ${index}`)
    await insertNote(noteTexts.at(-1)!)
    expect(await readNotes(db)).toEqual({ texts: noteTexts, copies: [true] })
  }
  await withClient(replicaDatabase.url, (client) => client.query('select pg_wal_replay_pause()'))
  noteTexts.push('unknown to the replica')
  await insertNote(noteTexts.at(-1)!)
  expect(await readNotes(db)).toEqual({ texts: noteTexts, copies: [false] })
  await withClient(replicaDatabase.url, (client) => client.query('select pg_wal_replay_resume()'))
  await db.destroy()
})

it('keeps slow streams off the connections of reports', async () => {
  const db = openTestDatabase(replicaDatabase.url, 1)
  const slowStream = streamRows(db, sql`select generate_series(1, 5000)`)
  await slowStream.next()
  expect((await preferReplica(db, (sourceDb) => sql`select pg_is_in_recovery() as copy`.execute(sourceDb))).rows).toEqual([
    { copy: true },
  ])
  await slowStream.return(undefined)
  await db.destroy()
})

it('reads from the primary if the replica is missing or belongs to another cluster', async () => {
  for (const replicaUrl of ['postgres://127.0.0.1:1/postgres', primaryDatabase.url]) {
    const db = openTestDatabase(replicaUrl)
    loggedMessages.length = 0
    expect((await readNotes(db)).copies).toEqual([false])
    // Logged once, not for each read.
    expect(loggedMessages).toEqual([expect.stringMatching(/^Reports and exports are read from the primary: ./)])
    await db.destroy()
  }
})

/** The number of reads of each server so far, from the metrics. */
async function readCounts(): Promise<Record<string, number>> {
  const { values: metricValues } = await metricsRegistry.getSingleMetric('clearway_large_reads_total')!.get()
  return Object.fromEntries(metricValues.map(({ labels, value }) => [String(labels.server), value]))
}

it('counts reads by server', async () => {
  const previousCounts = await readCounts()
  const [replicaDb, unreachableDb] = [openTestDatabase(replicaDatabase.url), openTestDatabase('postgres://127.0.0.1:1/postgres')]
  await readNotes(replicaDb)
  expect(await readCounts()).toEqual({ ...previousCounts, replica: previousCounts.replica! + 2 })
  await readNotes(unreachableDb)
  expect(await readCounts()).toEqual({ replica: previousCounts.replica! + 2, primary: previousCounts.primary! + 2 })
  await Promise.all([replicaDb.destroy(), unreachableDb.destroy()])
})

it('cancels reads from a silent replica, and continues with the primary', async () => {
  const db = openTestDatabase(replicaDatabase.url, 4, 3)
  const rowStreams = [1, 2].map(() => streamRows(db, sql`select generate_series(1, 100000000)`))
  for (const stream of rowStreams) await stream.next()
  const backendPids = await withClient(replicaDatabase.url, async (client) => {
    const { rows: pidRows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where query like 'fetch %' and pid <> pg_backend_pid()`,
    )
    return pidRows.map(({ pid }) => pid)
  })
  const postmasterPid = Number(readFileSync(join(testFolder, 'replica/database/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  expect(backendPids).toHaveLength(2)
  for (const pid of [postmasterPid, ...backendPids]) process.kill(pid, 'SIGSTOP')
  try {
    const [firstStream, secondStream] = rowStreams as [(typeof rowStreams)[0], (typeof rowStreams)[0]]
    const readRemaining = async () => {
      for await (const batch of firstStream) expect(batch.length).toBeGreaterThan(0)
    }
    await Promise.all([expect(readRemaining()).rejects.toMatchObject({ code: '08006' }), secondStream.return(undefined)])
    expect((await readNotes(db)).copies).toEqual([false])
  } finally {
    for (const pid of [postmasterPid, ...backendPids]) process.kill(pid, 'SIGCONT')
  }
  await db.destroy()
}, 40_000)

it('fails once for an error in the query itself', async () => {
  const db = openTestDatabase(replicaDatabase.url)
  await expect(preferReplica(db, (sourceDb) => sql`select nothing`.execute(sourceDb))).rejects.toMatchObject({ code: '42703' })
  await db.destroy()
})

/** @module-tag slow */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataFolder } from '../data-lock.ts'
import { isProcessAlive } from '../running-process.ts'
import { startEmbedded } from './embedded.ts'

let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'clearway-pg-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

const queryAnswer = async (url: string, queryText: string): Promise<unknown> => {
  const databaseClient = new pg.Client({ connectionString: url })
  await databaseClient.connect()
  try {
    return (await databaseClient.query<{ answer: unknown }>(queryText)).rows[0]?.answer
  } finally {
    await databaseClient.end()
  }
}
const readPostmasterPid = () => Number(readFileSync(join(dataFolder, 'database/cluster/postmaster.pid'), 'utf8').split('\n')[0])

describe('the embedded database', () => {
  it('keeps its data folder from other users', async () => {
    const createdFolder = join(dataFolder, 'new', 'data')
    const dataLock = await lockDataFolder(createdFolder)
    if (!dataLock.taken) throw new Error('locked')
    const readMode = (...names: string[]) => (statSync(join(createdFolder, ...names)).mode & 0o777).toString(8)
    expect([readMode(), readMode('clearway.lock')]).toEqual(['700', '600'])
    chmodSync(dataFolder, 0o711)
    chmodSync(join(dataFolder, 'new'), 0o711)
    const database = await startEmbedded({ data: createdFolder, throwAway: true })
    // The database of root runs as another user, who passes through the folder.
    const isRoot = process.getuid?.() === 0
    expect(readMode()).toBe(isRoot ? '711' : '700')
    expect([readMode('database'), readMode('database', 'cluster'), readMode('database', 'password')]).toEqual([
      '700',
      '700',
      '600',
    ])
    await database.stop()
    await dataLock.release()
  })

  it('is adopted after its Clearway was killed, and keeps committed data when it is killed itself', async () => {
    // Another process starts it and is killed: PostgreSQL keeps running.
    const programText = `
      const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
      await startEmbedded({ data: ${JSON.stringify(dataFolder)} })
      console.log('up')
      setInterval(() => {}, 1000)`
    const starterProcess = spawn(process.execPath, ['--input-type=module', '-e', programText], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => starterProcess.stdout.once('data', resolve))
    starterProcess.kill('SIGKILL')
    const firstPid = readPostmasterPid()
    const adoptedDatabase = await startEmbedded({ data: dataFolder })
    expect(readPostmasterPid()).toBe(firstPid)
    expect(await queryAnswer(adoptedDatabase.url, 'create table kept as select 7 as n')).toBeUndefined()
    expect(await queryAnswer(adoptedDatabase.url, 'select n as answer from kept')).toBe(7)

    process.kill(firstPid, 'SIGKILL')
    while (isProcessAlive(firstPid)) await new Promise((resolve) => setTimeout(resolve, 20))
    // It is restarted at the same address automatically.
    const readKeptRow = () => queryAnswer(adoptedDatabase.url, 'select n as answer from kept').catch(() => null)
    await expect.poll(readKeptRow, { timeout: 20_000, interval: 100 }).toBe(7)
    expect(readPostmasterPid()).not.toBe(firstPid)
    expect(await queryAnswer(adoptedDatabase.url, `select current_setting('listen_addresses') as answer`)).toBe('127.0.0.1')
    await expect(queryAnswer(adoptedDatabase.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1 as answer')).rejects.toThrow(
      'password',
    )
    await adoptedDatabase.stop()
    expect(() => readPostmasterPid()).toThrow('ENOENT')
  })

  it('starts after a kill even if another process or thread has its pid now', async () => {
    const embeddedDatabase = await startEmbedded({ data: dataFolder, throwAway: true })
    await embeddedDatabase.stop()
    const pidPath = join(dataFolder, 'database/cluster/postmaster.pid')
    const threadIds = readdirSync('/proc/self/task').map(Number)
    for (const pid of [process.pid, threadIds.at(-1)!, 1, process.ppid]) {
      // As a container leaves it: pid, folder, start time, port, sockets, address, shared memory, state.
      writeFileSync(pidPath, [pid, join(dataFolder, 'database/cluster'), 1, 5432, '', '127.0.0.1', '', 'ready'].join('\n'))
      const restartedDatabase = await startEmbedded({ data: dataFolder, throwAway: true })
      expect(await queryAnswer(restartedDatabase.url, 'select 7 as answer')).toBe(7)
      expect(readPostmasterPid()).not.toBe(pid)
      await restartedDatabase.stop()
    }
  })

  it.skipIf(process.platform !== 'linux')('starts no second server if the first one is invisible', async () => {
    const embeddedDatabase = await startEmbedded({ data: dataFolder, throwAway: true })
    const firstPid = readPostmasterPid()
    const pidPath = join(dataFolder, 'database/cluster/postmaster.pid')
    const pidFileText = readFileSync(pidPath, 'utf8')
    // Simulates another container, where the pid is unknown.
    writeFileSync(pidPath, pidFileText.replace(String(firstPid), '4194303'))
    const secondStart = startEmbedded({ data: dataFolder, throwAway: true })
    const earlyResult = await Promise.race([secondStart.then(() => 'started'), sleep(1500).then(() => 'waits')])
    expect(earlyResult).toBe('waits')
    expect(await queryAnswer(embeddedDatabase.url, 'select 7 as answer')).toBe(7)
    writeFileSync(pidPath, pidFileText)
    expect((await secondStart).url).toBe(embeddedDatabase.url)
    await (await secondStart).stop()
    await embeddedDatabase.stop()
  })

  it('refuses the files of another major version, and names it', async () => {
    const embeddedDatabase = await startEmbedded({ data: dataFolder, throwAway: true })
    await embeddedDatabase.stop()
    writeFileSync(join(dataFolder, 'database/cluster/PG_VERSION'), '12\n')
    await expect(startEmbedded({ data: dataFolder })).rejects.toThrow('PostgreSQL 12')
  })
})

describe('the lock of a data folder', () => {
  it('has one holder, and is taken over from dead ones', async () => {
    const dataLock = await lockDataFolder(dataFolder)
    expect(dataLock.taken).toBe(true)
    expect(await lockDataFolder(dataFolder)).toEqual({ taken: false, pid: process.pid, elsewhere: false })
    if (dataLock.taken) await dataLock.release()
    // A pid that is in use again by a process with another start time.
    writeFileSync(join(dataFolder, 'clearway.lock'), `${process.pid} 1\n`)
    expect((await lockDataFolder(dataFolder)).taken).toBe(true)
  })
})

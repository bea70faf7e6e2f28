import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataFolder } from '../data-lock.ts'
import { isAlive } from '../running-process.ts'
import { startEmbedded } from './embedded.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'clearway-pg-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const ask = async (url: string, text: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ answer: unknown }>(text)).rows[0]?.answer
  } finally {
    await client.end()
  }
}
const postmaster = () =>
  Number(readFileSync(join(data, 'database/cluster/postmaster.pid'), 'utf8').split('\n')[0])

describe('the embedded database', () => {
  it('is adopted when its Clearway was killed, and keeps what was committed when it is killed itself', async () => {
    // Another process starts it and is killed: PostgreSQL stays.
    const program = `
      const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
      await startEmbedded({ data: ${JSON.stringify(data)} })
      console.log('up')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((up) => child.stdout.once('data', up))
    child.kill('SIGKILL')
    const first = postmaster()
    const adopted = await startEmbedded({ data })
    expect(postmaster()).toBe(first)
    expect(await ask(adopted.url, 'create table kept as select 7 as n')).toBeUndefined()
    expect(await ask(adopted.url, 'select n as answer from kept')).toBe(7)

    process.kill(first, 'SIGKILL')
    while (isAlive(first)) await new Promise((resolve) => setTimeout(resolve, 20))
    // It comes back at the same address, without anybody asking.
    const kept = () => ask(adopted.url, 'select n as answer from kept').catch(() => null)
    await expect.poll(kept, { timeout: 20_000, interval: 100 }).toBe(7)
    expect(postmaster()).not.toBe(first)
    expect(await ask(adopted.url, `select current_setting('listen_addresses') as answer`)).toBe('127.0.0.1')
    await expect(ask(adopted.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1 as answer')).rejects.toThrow(
      'password',
    )
    await adopted.stop()
    expect(() => postmaster()).toThrow('ENOENT')
  })

  it('starts after a kill whoever has the number of the killed one now, a thread of ours too', async () => {
    const embedded = await startEmbedded({ data, throwAway: true })
    await embedded.stop()
    const file = join(data, 'database/cluster/postmaster.pid')
    const threads = readdirSync('/proc/self/task').map(Number)
    for (const pid of [process.pid, threads.at(-1)!, 1, process.ppid]) {
      // As the container left it: number, folder, start, port, sockets, address, shared memory, state.
      writeFileSync(
        file,
        [pid, join(data, 'database/cluster'), 1, 5432, '', '127.0.0.1', '', 'ready'].join('\n'),
      )
      const again = await startEmbedded({ data, throwAway: true })
      expect(await ask(again.url, 'select 7 as answer')).toBe(7)
      expect(postmaster()).not.toBe(pid)
      await again.stop()
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'starts no second server where the first cannot be seen',
    async () => {
      const embedded = await startEmbedded({ data, throwAway: true })
      const first = postmaster()
      const file = join(data, 'database/cluster/postmaster.pid')
      const kept = readFileSync(file, 'utf8')
      // As from another container: the number leads nowhere.
      writeFileSync(file, kept.replace(String(first), '4194303'))
      const second = startEmbedded({ data, throwAway: true })
      const early = await Promise.race([second.then(() => 'started'), sleep(1500).then(() => 'waits')])
      expect(early).toBe('waits')
      expect(await ask(embedded.url, 'select 7 as answer')).toBe(7)
      writeFileSync(file, kept)
      expect((await second).url).toBe(embedded.url)
      await (await second).stop()
      await embedded.stop()
    },
  )

  it('refuses the files of another major version, by name', async () => {
    const embedded = await startEmbedded({ data, throwAway: true })
    await embedded.stop()
    writeFileSync(join(data, 'database/cluster/PG_VERSION'), '12\n')
    await expect(startEmbedded({ data })).rejects.toThrow('PostgreSQL 12')
  })
})

describe('the lock of a data folder', () => {
  it('is held by one, and taken over from the dead', async () => {
    const lock = await lockDataFolder(data)
    expect(lock.taken).toBe(true)
    expect(await lockDataFolder(data)).toEqual({ taken: false, pid: process.pid, elsewhere: false })
    if (lock.taken) await lock.release()
    // A number that is in use again by a process that began at another time.
    writeFileSync(join(data, 'clearway.lock'), `${process.pid} 1\n`)
    expect((await lockDataFolder(data)).taken).toBe(true)
  })
})

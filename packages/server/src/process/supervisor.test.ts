import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { isAlive } from '../kit/running-process.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let data: string
let product: ChildProcess
let output = ''
let url: string
beforeAll(async () => {
  database = await testDatabase()
  data = mkdtempSync(join(tmpdir(), 'clearway-supervisor-'))
  product = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      CLEARWAY_DATA: data,
      CLEARWAY_PORT: '0',
      CLEARWAY_WEB: 'false',
    },
  })
  for (const stream of [product.stdout!, product.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('Clearway is ready at') && product.exitCode === null) await sleep(100)
  url = /ready at (\S+)\/monitor /.exec(output)![1]!
}, 60_000)
afterAll(async () => {
  product.kill('SIGKILL')
  for (const pid of Object.values(children())) process.kill(pid, 'SIGKILL')
  await database.drop()
  rmSync(data, { recursive: true, force: true })
})

/** The processes of the product, by kind. */
const children = () => childrenOf(product.pid!)
function childrenOf(parent: number): Record<string, number> {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`)) return []
      const kind = /child\.ts\0(\w+)/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1]
      return kind === undefined ? [] : [[kind, Number(name)] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(found)
}
const health = async () => (await fetch(`${url}/monitor-api/actuator/health/system`)).status

it('tells nobody on the machine where the database is', () => {
  const { server, worker } = children()
  expect(server).toBeGreaterThan(0)
  expect(worker).toBeGreaterThan(0)
  for (const pid of [server, worker]) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('postgres')
  }
})

it(
  'starts a killed worker again, says why it ended, and answers all the while',
  { timeout: 60_000 },
  async () => {
    const before = children()
    process.kill(before.worker!, 'SIGKILL')
    const statuses = new Set<number>()
    for (
      const until = Date.now() + 40_000;
      Date.now() < until && (children().worker ?? before.worker) === before.worker;
    ) {
      statuses.add(await health())
      await sleep(50)
    }
    expect(children().worker).not.toBe(before.worker)
    expect(children().server).toBe(before.server)
    expect([...statuses]).toEqual([200])
    expect(output).toMatch(
      new RegExp(
        `The worker \\(process ${before.worker}\\) ended after \\d+ s by SIGKILL.* starts again in 1 s\\.`,
      ),
    )
  },
)

it('leaves no process behind when it is killed', { timeout: 30_000 }, async () => {
  await expect.poll(() => Object.keys(children()).sort(), { timeout: 10_000 }).toEqual(['server', 'worker'])
  const own = Object.values(children())
  product.kill('SIGKILL')
  await expect.poll(() => own.filter(isAlive), { timeout: 15_000 }).toEqual([])
})

describe('ends soon when it is told to before it was ever ready', () => {
  const startOn = (databaseUrl: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'clearway-supervisor-'))
    const early = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        CLEARWAY_DATA: folder,
        CLEARWAY_PORT: '0',
        CLEARWAY_WEB: 'false',
      },
    })
    const ended = new Promise((done) => early.once('exit', done))
    return {
      children: () => childrenOf(early.pid!),
      end: async () => {
        early.kill('SIGTERM')
        const code = await Promise.race([ended, sleep(20_000, 'still there')])
        early.kill('SIGKILL')
        rmSync(folder, { recursive: true, force: true })
        return code
      },
    }
  }
  it('on a database that accepts and says nothing', { timeout: 60_000 }, async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { end } = startOn(`postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`)
    await sleep(4000)
    expect(await end()).toBe(0)
    silent.close()
  })
  it('while its processes load', { timeout: 60_000 }, async () => {
    const { children: begun, end } = startOn(database.url)
    await expect.poll(() => Object.keys(begun()), { timeout: 30_000, interval: 20 }).toHaveLength(2)
    const own = Object.values(begun())
    expect(await end()).toBe(0)
    await expect.poll(() => own.filter(isAlive)).toEqual([])
  })
})

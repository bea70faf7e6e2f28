import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../packages/server/test/database.ts'
import { type Client, signIn } from './client.ts'
import { startTree } from './faults.ts'
import { adminPassword, freePort, startProduct } from './product.ts'
import { runEnded } from './results.ts'

/**
 * Two servers of PostgreSQL 15, the second a synchronous copy of the first, and a product that knows both. In the middle of a
 * run, while people write, they change places twice: first the primary takes no more writes and stays, its connections with
 * it; then, the other way round, it is killed. Says for how many seconds nothing could be written. The run must have visited
 * each page once, and what was confirmed must be there.
 *
 *   node scripts/node24.mjs e2e/switch.ts        as root, with Debian's postgresql-15
 */
const programs = '/usr/lib/postgresql/15/bin'
const pageCount = 120
const folder = mkdtempSync(join(tmpdir(), 'clearway-switch-'))
chmodSync(folder, 0o777)

type Node = { data: string; port: number; url: string }
const nodeOf = async (name: string): Promise<Node> => {
  const port = await freePort()
  return { data: join(folder, name), port, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}
const postgres = (program: string, ...args: string[]) =>
  execFileSync('runuser', ['-u', 'postgres', '--', join(programs, program), ...args], {
    stdio: 'ignore',
    cwd: folder,
  })

const start = ({ data, port }: Node) => {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=120`
  postgres('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start')
}
const stop = ({ data }: Node, how: 'fast' | 'immediate') =>
  postgres('pg_ctl', '-D', data, '-m', how, '-w', 'stop')
const promote = ({ data }: Node) => postgres('pg_ctl', '-D', data, '-w', 'promote')
const ask = (node: Node, statement: string) =>
  withClient(node.url, async (db) => (await db.query<Record<string, unknown>>(statement)).rows)

/** Makes a node a copy of another, which from then on confirms only what the copy has, too. */
async function follow(node: Node, primary: Node): Promise<void> {
  rmSync(node.data, { recursive: true, force: true })
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=copy`
  postgres('pg_basebackup', '-D', node.data, '-d', from, '-R', '-c', 'fast', '-X', 'stream')
  start(node)
  await ask(primary, `alter system set synchronous_standby_names = 'copy'`)
  await ask(primary, 'select pg_reload_conf()')
}

const [one, two] = [await nodeOf('one'), await nodeOf('two')]
postgres('initdb', '-D', one.data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
appendFileSync(join(one.data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
start(one)
await follow(two, one)

const visited = new Set<number>()
const origin = await startTree(pageCount, (number) => (visited.add(number), []))
const data = join(folder, 'product')
mkdirSync(data)
const product = await startProduct({
  data,
  port: await freePort(),
  env: {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${one.port},127.0.0.1:${two.port}/postgres`,
    CLEARWAY_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    CLEARWAY_WEB: 'false',
    CLEARWAY_WORKER_PAGES: '3',
    CLEARWAY_TOKEN_SECONDS: '7200',
  },
})

/** Writes again and again; remembers what was confirmed, and the longest time without a success. */
function writer(client: Client) {
  const confirmed: string[] = []
  let [last, longest] = [performance.now(), 0]
  const stopping = new AbortController()
  const done = (async () => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      const name = `written ${number} ${Date.now()}`
      const made = await client<{ id: string }>('POST', '/scans', { name, urls: [origin] }).catch(() => null)
      if (made) {
        confirmed.push(made.id)
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }
      await pause(100)
    }
  })()
  return {
    confirmed,
    /** Seconds; starts anew. */
    longest: () => {
      const seconds = longest / 1000
      longest = 0
      return seconds.toFixed(1)
    },
    stop: () => (stopping.abort(), done),
  }
}
async function until(pages: number): Promise<void> {
  for (;;) {
    if (visited.size >= pages) return
    await pause(50)
  }
}

try {
  const client = await signIn(product.url, 'admin', adminPassword)
  const body = { name: 'Switched', type: 'custom', urls: [origin], depth: null, pageLimit: 1000 }
  const { id } = await client<{ id: string }>('POST', '/scans', body)
  await client('POST', `/scans/${id}/startRun`)
  const write = writer(client)
  await until(20)
  console.log(`before: ${write.longest()} s at most between two writes`)

  await ask(one, 'alter system set default_transaction_read_only = on')
  await ask(one, 'select pg_reload_conf()')
  promote(two)
  await until(60)
  await pause(2000)
  console.log(`a primary that became read-only: ${write.longest()} s without a write`)

  stop(one, 'fast')
  await follow(one, two)
  await pause(1000)
  write.longest()
  await until(85)
  stop(two, 'immediate')
  promote(one)
  // Nobody follows it now.
  await ask(one, `alter system reset synchronous_standby_names`)
  await ask(one, 'select pg_reload_conf()')
  const run = await runEnded(client, id, 180_000)
  await pause(1000)
  console.log(`a primary that was killed: ${write.longest()} s without a write`)
  await write.stop()

  const pages = await ask(
    one,
    `select count(*)::int as pages, count(distinct url)::int as urls,
    count(*) filter (where status = 'completed')::int as completed from monitor.page where scan_id = '${id}'`,
  )
  assert.equal(run.status, 'completed')
  assert.deepEqual(pages, [{ pages: pageCount, urls: pageCount, completed: pageCount }])
  const [{ there } = { there: 0 }] = await ask(
    one,
    `select count(*)::int as there from monitor.scan
    where id = any('{${write.confirmed.join(',')}}')`,
  )
  assert.equal(there, write.confirmed.length)
  console.log(
    `the run is complete: ${pageCount} pages, each once; all of ${there} confirmed writes are there`,
  )
} finally {
  await product.stop()
  for (const node of [one, two])
    try {
      stop(node, 'immediate')
    } catch {
      // It is stopped.
    }
  rmSync(folder, { recursive: true, force: true })
}

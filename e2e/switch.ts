import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, signIn } from './product/client.ts'
import { startTree } from './fault/faults.ts'
import { type Pair, patroniPair, promotedPair } from './fault/postgres-pair.ts'
import { adminPassword, freePort, type Product, startProduct } from './product/start.ts'
import { type Run, runEnded } from './product/results.ts'

/**
 * Two servers of PostgreSQL 15, the second a synchronous copy of the first, and a product that knows both. In the middle of two
 * runs, while 20 people read, make scans and upload results, they change places twice: promoted at once by this script, or by Patroni and
 * etcd, which have to notice first. Says for how many seconds nothing was answered. Each run must have visited each page once, and what was
 * confirmed must be there once.
 *
 *   node scripts/node24.mjs e2e/switch.ts              as root, with Debian's postgresql-15
 *   node scripts/node24.mjs e2e/switch.ts patroni      with Debian's patroni and etcd-server besides
 */
const pageCount = 150
const users = 20
const folder = mkdtempSync(join(tmpdir(), 'clearway-switch-'))
chmodSync(folder, 0o777)

const visited = new Set<string>()
const siteOf = (name: string) => startTree(pageCount, (number) => (visited.add(`${name} ${number}`), []))
const sites = [await siteOf('one'), await siteOf('two')]

/** The longest time without an answer to a call of a kind, and how many were refused. */
function answersOf() {
  let [last, longest, refused] = [performance.now(), 0, 0]
  return {
    async ask<T>(call: () => Promise<T>): Promise<T | null> {
      try {
        const answer = await call()
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
        return answer
      } catch {
        refused++
        return null
      }
    },
    /** What has been since it was asked before. */
    said(): string {
      const text = `${(longest / 1000).toFixed(1)} s (${refused} calls refused)`
      ;[longest, refused] = [0, 0]
      return text
    },
  }
}

const resultsOf = (url: string) => {
  const results = {
    testEngine: { name: 'axe-core', version: '4.11.0' },
    url,
    timestamp: new Date().toISOString(),
    violations: [],
    passes: [],
    incomplete: [],
    inapplicable: [],
  }
  const form = new FormData()
  form.append('file', new Blob([JSON.stringify(results)], { type: 'application/json' }), 'results.json')
  return form
}

/** People who go on whatever is answered, and what was confirmed to them. */
function people(client: Client, ended: string) {
  const confirmed = { scans: [] as string[], uploads: [] as string[] }
  const [reads, writes] = [answersOf(), answersOf()]
  const stopping = new AbortController()
  const person = async (user: number) => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      await pause(250 + Math.random() * 500)
      await reads.ask(() => client('GET', `/issues?scanId=${ended}&size=25`))
      await pause(250 + Math.random() * 500)
      const name = `${user}-${number}`
      if (number % 8 === 0) {
        const made = await writes.ask(() => client<{ id: string }>('POST', '/scans', { name, urls: sites }))
        if (made) confirmed.scans.push(made.id)
      } else {
        const url = `https://uploaded.example.org/${name}`
        const path = `/scans/${ended}/runs/1/axeIssues`
        const done = await writes.ask(async () => (await client('POST', path, resultsOf(url)), true))
        if (done) confirmed.uploads.push(url)
      }
    }
  }
  const all = Promise.all(Array.from({ length: users }, (_, user) => person(user)))
  return {
    confirmed,
    said: () => `writes ${writes.said()}, reads ${reads.said()}`,
    stop: () => (stopping.abort(), all),
  }
}

async function until(pages: number): Promise<void> {
  for (const end = performance.now() + 180_000; visited.size < pages; await pause(50))
    if (performance.now() > end) throw new Error(`The runs stand still at ${visited.size} pages`)
}
async function startScan(client: Client, name: string, url: string, pageLimit: number): Promise<string> {
  const body = { name, type: 'custom', urls: [url], depth: null, pageLimit }
  const { id } = await client<{ id: string }>('POST', '/scans', body)
  await client('POST', `/scans/${id}/startRun`)
  return id
}
/** Waits through times in which nothing is answered. */
async function endOf(client: Client, id: string): Promise<Run> {
  for (const end = performance.now() + 300_000; ; await pause(500))
    try {
      return await runEnded(client, id, 300_000)
    } catch (error) {
      if (performance.now() > end) throw error
    }
}

async function check(
  pair: Pair,
  scans: readonly string[],
  ended: string,
  confirmed: Record<string, string[]>,
) {
  const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(',')
  const pages = await pair.ask(`select count(*)::int as pages, count(distinct url)::int as urls,
    count(*) filter (where status = 'completed')::int as completed
    from monitor.page where scan_id in (${quoted(scans)}) group by scan_id`)
  const whole = { pages: pageCount, urls: pageCount, completed: pageCount }
  assert.deepEqual(pages, [whole, whole])
  const there = await pair.ask(
    `select count(*)::int as n from monitor.scan where id in (${quoted(confirmed.scans!)})`,
  )
  assert.deepEqual(there, [{ n: confirmed.scans!.length }])
  const uploaded = await pair.ask(`select count(*)::int as n, count(distinct url)::int as urls
    from monitor.page where scan_id = '${ended}' and url in (${quoted(confirmed.uploads!)})`)
  assert.deepEqual(uploaded, [{ n: confirmed.uploads!.length, urls: confirmed.uploads!.length }])
}

async function startOn(pair: Pair): Promise<Product> {
  const data = join(folder, 'product')
  mkdirSync(data)
  return startProduct({
    data,
    port: await freePort(),
    env: {
      DATABASE_URL: pair.url,
      CLEARWAY_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
      CLEARWAY_WEB: 'false',
      CLEARWAY_WORKER_PAGES: '3',
      CLEARWAY_TOKEN_SECONDS: '7200',
      // They are one person here.
      CLEARWAY_RATE_PERSON: '100000',
    },
  })
}

async function switchTwice(pair: Pair, product: Product): Promise<void> {
  const client = await signIn(product.url, 'admin', adminPassword)
  const quotas = await client<Record<string, number>>('GET', '/system-settings/quotas')
  await client('PUT', '/system-settings/quotas', { ...quotas, uploads: 10_000 })
  const ended = await startScan(client, 'Ended', sites[0]!, 5)
  await endOf(client, ended)
  visited.clear()
  const scans = [
    await startScan(client, 'Switched 1', sites[0]!, 1000),
    await startScan(client, 'Switched 2', sites[1]!, 1000),
  ]
  const { confirmed, said, stop } = people(client, ended)
  await until(40)
  console.log(`before, at most between two answers: ${said()}`)

  await pair.replaced.act()
  await until(120)
  await pause(3000)
  console.log(`${pair.replaced.name}: ${said()}`)

  await pair.followed()
  await pause(1000)
  said()
  await until(160)
  await pair.killed()
  const runs = await Promise.all(scans.map((id) => endOf(client, id)))
  await pause(2000)
  console.log(`a primary that was killed: ${said()}`)
  await stop()

  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed', 'completed'],
  )
  await check(pair, scans, ended, confirmed)
  console.log(
    `both runs are complete: ${pageCount} pages, each once; ${confirmed.scans.length} scans and ${confirmed.uploads.length} uploads that were confirmed are there once`,
  )
}

let pair: Pair | null = null
let product: Product | null = null
try {
  pair = await (process.argv[2] === 'patroni' ? patroniPair : promotedPair)(folder)
  product = await startOn(pair)
  await switchTwice(pair, product)
} catch (error) {
  console.error(product?.output().slice(-3000))
  throw error
} finally {
  await product?.stop()
  pair?.stop()
  rmSync(folder, { recursive: true, force: true })
}

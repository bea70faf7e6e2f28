import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, signIn } from './product/client.ts'
import { startTree } from './fault/faults.ts'
import { type Pair, startPatroniPair, startPromotedPair } from './fault/postgres-pair.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './product/start.ts'
import { type Run, waitForRunEnd } from './product/results.ts'

/**
 * Two PostgreSQL 15 servers, the second a synchronous replica of the first, and a product that knows both. During two runs,
 * while 20 users read, create scans and upload results, the servers switch roles twice: promoted directly by this script, or
 * by Patroni and etcd, which must detect the failure first. Reports the seconds without a response. Each run must have
 * visited each page once, and every confirmed action must exist once.
 *
 *   node scripts/node24.mjs e2e/switch.ts              as root, with Debian's postgresql-15
 *   node scripts/node24.mjs e2e/switch.ts patroni      also with Debian's patroni and etcd-server
 */
const pageCount = 150
const users = 20
const folder = mkdtempSync(join(tmpdir(), 'clearway-switch-'))
chmodSync(folder, 0o777)

const visited = new Set<string>()
const startTreeSite = (name: string) => startTree(pageCount, (number) => (visited.add(`${name} ${number}`), []))
const sites = [await startTreeSite('one'), await startTreeSite('two')]

/** Measures the maximum time without a successful call of a kind, and counts failed calls. */
function createCallMonitor() {
  let [lastSuccessAt, maxGapMs, refusedCount] = [performance.now(), 0, 0]
  return {
    async ask<T>(call: () => Promise<T>): Promise<T | null> {
      try {
        const response = await call()
        maxGapMs = Math.max(maxGapMs, performance.now() - lastSuccessAt)
        lastSuccessAt = performance.now()
        return response
      } catch {
        refusedCount++
        return null
      }
    },
    /** Describes and resets the figures since the previous call. */
    said(): string {
      const summary = `${(maxGapMs / 1000).toFixed(1)} s (${refusedCount} calls refused)`
      ;[maxGapMs, refusedCount] = [0, 0]
      return summary
    },
  }
}

const buildResults = (url: string) => {
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

/** Simulates users who continue after any failure, and collects the actions confirmed to them. */
function simulateUsers(client: Client, endedScanId: string) {
  const confirmed = { scans: [] as string[], uploads: [] as string[] }
  const [reads, writes] = [createCallMonitor(), createCallMonitor()]
  const stopping = new AbortController()
  const simulateUser = async (user: number) => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      await pause(250 + Math.random() * 500)
      await reads.ask(() => client('GET', `/issues?scanId=${endedScanId}&size=25`))
      await pause(250 + Math.random() * 500)
      const name = `${user}-${number}`
      if (number % 8 === 0) {
        const createdScan = await writes.ask(() => client<{ id: string }>('POST', '/scans', { name, urls: sites }))
        if (createdScan) confirmed.scans.push(createdScan.id)
      } else {
        const url = `https://uploaded.example.org/${name}`
        const path = `/scans/${endedScanId}/runs/1/axeIssues`
        const uploaded = await writes.ask(async () => (await client('POST', path, buildResults(url)), true))
        if (uploaded) confirmed.uploads.push(url)
      }
    }
  }
  const allUsers = Promise.all(Array.from({ length: users }, (_, user) => simulateUser(user)))
  return {
    confirmed,
    said: () => `writes ${writes.said()}, reads ${reads.said()}`,
    stop: () => (stopping.abort(), allUsers),
  }
}

async function waitForPages(pages: number): Promise<void> {
  for (const deadline = performance.now() + 180_000; visited.size < pages; await pause(50))
    if (performance.now() > deadline) throw new Error(`The runs stand still at ${visited.size} pages`)
}
async function startScan(client: Client, name: string, url: string, pageLimit: number): Promise<string> {
  const body = { name, type: 'custom', urls: [url], depth: null, pageLimit }
  const { id } = await client<{ id: string }>('POST', '/scans', body)
  await client('POST', `/scans/${id}/startRun`)
  return id
}
/** Waits for the end of a run, through times without a response. */
async function waitThroughOutages(client: Client, id: string): Promise<Run> {
  for (const deadline = performance.now() + 300_000; ; await pause(500))
    try {
      return await waitForRunEnd(client, id, 300_000)
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
}

async function checkResults(pair: Pair, scans: readonly string[], endedScanId: string, confirmed: Record<string, string[]>) {
  const quoteValues = (values: readonly string[]) => values.map((value) => `'${value}'`).join(',')
  const pages = await pair.ask(`select count(*)::int as pages, count(distinct url)::int as urls,
    count(*) filter (where status = 'completed')::int as completed
    from monitor.page where scan_id in (${quoteValues(scans)}) group by scan_id`)
  const expectedCounts = { pages: pageCount, urls: pageCount, completed: pageCount }
  assert.deepEqual(pages, [expectedCounts, expectedCounts])
  const storedRows = await pair.ask(`select count(*)::int as n from monitor.scan where id in (${quoteValues(confirmed.scans!)})`)
  assert.deepEqual(storedRows, [{ n: confirmed.scans!.length }])
  const uploaded = await pair.ask(`select count(*)::int as n, count(distinct url)::int as urls
    from monitor.page where scan_id = '${endedScanId}' and url in (${quoteValues(confirmed.uploads!)})`)
  assert.deepEqual(uploaded, [{ n: confirmed.uploads!.length, urls: confirmed.uploads!.length }])
}

async function startProductOn(pair: Pair): Promise<Product> {
  const dataFolder = join(folder, 'product')
  mkdirSync(dataFolder)
  return startProduct({
    data: dataFolder,
    port: await findFreePort(),
    env: {
      DATABASE_URL: pair.url,
      CLEARWAY_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
      CLEARWAY_WEB: 'false',
      CLEARWAY_WORKER_PAGES: '3',
      CLEARWAY_TOKEN_SECONDS: '7200',
      // All simulated users share one account here.
      CLEARWAY_RATE_PERSON: '100000',
    },
  })
}

async function switchTwice(pair: Pair, product: Product): Promise<void> {
  const client = await signIn(product.url, 'admin', adminPassword)
  const quotas = await client<Record<string, number>>('GET', '/system-settings/quotas')
  await client('PUT', '/system-settings/quotas', { ...quotas, uploads: 10_000 })
  const endedScanId = await startScan(client, 'Ended', sites[0]!, 5)
  await waitThroughOutages(client, endedScanId)
  visited.clear()
  const scans = [await startScan(client, 'Switched 1', sites[0]!, 1000), await startScan(client, 'Switched 2', sites[1]!, 1000)]
  const { confirmed, said: describeGaps, stop } = simulateUsers(client, endedScanId)
  await waitForPages(40)
  console.log(`before, at most between two answers: ${describeGaps()}`)

  await pair.replaced.act()
  await waitForPages(120)
  await pause(3000)
  console.log(`${pair.replaced.name}: ${describeGaps()}`)

  await pair.followed()
  await pause(1000)
  describeGaps()
  await waitForPages(160)
  await pair.killed()
  const runs = await Promise.all(scans.map((id) => waitThroughOutages(client, id)))
  await pause(2000)
  console.log(`a primary that was killed: ${describeGaps()}`)
  await stop()

  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed', 'completed'],
  )
  await checkResults(pair, scans, endedScanId, confirmed)
  console.log(
    `both runs are complete: ${pageCount} pages, each once; ${confirmed.scans.length} scans and ${confirmed.uploads.length} uploads that were confirmed are there once`,
  )
}

let pair: Pair | null = null
let product: Product | null = null
try {
  pair = await (process.argv[2] === 'patroni' ? startPatroniPair : startPromotedPair)(folder)
  product = await startProductOn(pair)
  await switchTwice(pair, product)
} catch (error) {
  console.error(product?.output().slice(-3000))
  throw error
} finally {
  await product?.stop()
  pair?.stop()
  rmSync(folder, { recursive: true, force: true })
}

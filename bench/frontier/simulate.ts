import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Claim, NewEntry } from '../../packages/engine/src/frontier.ts'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { CrawlOrder } from '../../packages/contract/src/monitor/run/order/schema.ts'
import { readConfig, type Config } from '../../packages/server/src/config.ts'
import { createSchemas, inTransaction, openDatabase } from '../../packages/server/src/kit/database.ts'
import { createId } from '../../packages/server/src/kit/id.ts'
import type { PubSub, PubSubEvent } from '../../packages/server/src/kit/pub-sub.ts'
import { startEmbedded } from '../../packages/server/src/kit/postgres/embedded.ts'
import { openFrontier } from '../../packages/server/src/monitor/run/frontier/service.ts'
import { refreshRunCounts } from '../../packages/server/src/monitor/run/finish/store.ts'
import {
  noteProgress,
  publishProgress,
  countIntervalMs,
  type ActiveRun,
} from '../../packages/server/src/monitor/run/progress/service.ts'
import { openMonitorDatabase } from '../../packages/server/src/process/database.ts'
import { createBucketText, fillFrontier } from './fill.ts'

/**
 * Simulates many workers on one run, or on several at once: the real frontier and a real PostgreSQL, with a pause instead of a
 * browser. Prints claims per second, claim duration, database cost and wait events, for each number of workers on the same pages.
 *
 *   npm run -s frontier -- --workers 1,4,16,64 --pages 1000000 --page-ms 200 --at-once 4 --seconds 45 --order representative
 *
 * Without workers (`--workers ''`) it only fills the database of `DATABASE_URL`, which later calls measure as it is.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '100' },
    runs: { type: 'string', default: '1' },
    pages: { type: 'string', default: '1000000' },
    'page-ms': { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '4' },
    hosts: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    // Updates of a run's counts: by one worker each second, by each worker as before, or not at all.
    counts: { type: 'string', default: 'one' },
    order: { type: 'string', default: 'breadth' },
    // Buckets of the representative order.
    buckets: { type: 'string', default: '400' },
    // New URLs that each page links to.
    links: { type: 'string', default: '3' },
  },
})
const order = CrawlOrder.parse(values.order)
const readNumber = (name: keyof typeof values): number => Number(values[name])
const [runCount, pages, pageMs, atOnce, hosts, seconds, linkCount] = [
  readNumber('runs'),
  readNumber('pages'),
  readNumber('page-ms'),
  readNumber('at-once'),
  readNumber('hosts'),
  readNumber('seconds'),
  readNumber('links'),
]

const folder = mkdtempSync(join(tmpdir(), 'clearway-simulate-'))
mkdirSync(folder, { recursive: true })
const cluster = process.env.DATABASE_URL ? null : await startEmbedded({ data: join(folder, 'data'), report: () => undefined })
const url = process.env.DATABASE_URL ?? cluster!.url
await createSchemas(url)
const config = readConfig({ DATABASE_URL: url, CLEARWAY_DATA: folder, CLEARWAY_DATABASE_CONNECTIONS: '40' }) as Config
const db = await openMonitorDatabase(config, url)

const filling = performance.now()
const contents = { runCount, pages, hosts, buckets: readNumber('buckets'), isRepresentative: order === 'representative' }
const runs = await fillFrontier(db, contents)
console.log(`${pages} URLs of ${runCount} runs in ${Math.round((performance.now() - filling) / 1000)} s`)

/** Returns the CPU time of the database's processes, including ended ones, in seconds; 0 when it runs elsewhere. */
async function readDatabaseCpu(): Promise<number> {
  const { rows: pidRows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const readStat = (pid: number | string): number[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    } catch {
      return []
    }
  }
  const main = readStat(pidRows[0]!.pid)[1]
  if (!main) return 0
  const childPids = readdirSync('/proc')
    .map(readStat)
    .filter((fields) => fields[1] === main)
  const ticks = childPids.reduce((sum, fields) => sum + fields[11]! + fields[12]!, 0)
  const endedStat = readStat(main)
  return (ticks + endedStat[13]! + endedStat[14]!) / 100
}

const watching = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })

/** Samples the wait events of the workers' sessions ten times a second: average number of sessions for each. */
function startWaitSampling() {
  const sessionsByEvent = new Map<string, number>()
  let samples = 0
  const stopSampling = new AbortController()
  const sampling = (async () => {
    for (; !stopSampling.signal.aborted; samples++) {
      const { rows: waitRows } = await sql<{ what: string; sessions: number }>`
        select case when state like 'idle in transaction%' then 'its worker' when wait_event is null then 'nothing'
          else wait_event_type || ' ' || wait_event end as what, count(*)::int as sessions
        from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
        group by 1`.execute(watching)
      for (const { what: eventName, sessions } of waitRows)
        sessionsByEvent.set(eventName, (sessionsByEvent.get(eventName) ?? 0) + sessions)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return async () => {
    stopSampling.abort()
    await sampling
    const topEvents = [...sessionsByEvent].sort(([, a], [, b]) => b - a).slice(0, 5)
    return topEvents.map(([eventName, sessions]) => `${eventName} ${(sessions / samples).toFixed(1)}`).join(', ')
  }
}

/** A page with a content of its own. */
const createOutcome = (id: string): PageOutcome => ({
  kind: 'completed',
  finalUrl: 'https://h.test/',
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: pageMs,
  title: 'Page',
  health: 'good',
  findings: [],
  notices: [],
  content: null,
  signature: { content: id, masked: id, template: `template ${Number(id) % 20}`, isUnlisted: false },
})
/** New links of a page. */
const createLinks = ({ id, url, depth, wave }: Claim): NewEntry[] =>
  Array.from({ length: linkCount }, (_, index) => {
    const linkUrl = `${url}/${index}`
    const position = { depth: depth + 1, wave: wave + 1, foundOn: url, exclusion: null }
    const bucket = order === 'representative' ? { bucket: createBucketText((Number(id) + index) % readNumber('buckets')) } : {}
    return { url: linkUrl, key: linkUrl, ...position, ...bucket }
  })
const listeners = new Set<(event: PubSubEvent) => void>()
let counts = 0
const pubSub: PubSub = {
  publish: async (event) => {
    counts++
    for (const listener of listeners) listener(event)
  },
  subscribe: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
  stop: async () => undefined,
}

/** Keeps the run's counts up to date, next to the pages of a worker. Returns a function to stop. */
function keepCounting(runId: string): { markTouched: () => void; stopCounting: () => void } {
  const working: ActiveRun = {
    stopController: new AbortController(),
    hasUncountedChanges: false,
    nextCountAt: -Infinity,
    pageLimit: pages,
    done: Promise.resolve(),
  }
  const worker = { db, pubSub, working: new Map([[runId, working]]), failures: new Map<string, number>() }
  const unsubscribe = pubSub.subscribe((event) => event.kind === 'progress' && noteProgress(worker, event.runId, event.countMs))
  const updateCounts = async () => {
    if (!working.hasUncountedChanges) return
    working.hasUncountedChanges = false
    await refreshRunCounts(db, runId)
    counts++
  }
  const count = values.counts === 'each' ? updateCounts : () => publishProgress(worker)
  const reportError = (error: unknown) => console.error(String(error))
  let timer: NodeJS.Timeout | undefined
  const waiting = setTimeout(
    () => (timer = setInterval(() => void count().catch(reportError), countIntervalMs)),
    Math.random() * countIntervalMs,
  )
  return {
    markTouched: () => (working.hasUncountedChanges = values.counts !== 'none'),
    stopCounting: () => (clearTimeout(waiting), clearInterval(timer), unsubscribe()),
  }
}
const getPercentile = (measurements: number[], fraction: number): number =>
  Math.round([...measurements].sort((x, y) => x - y)[Math.floor(measurements.length * fraction)] ?? 0)

/** `inTime` counts claims before the workers were told to stop: with many workers the last ones take long to finish. */
type Tally = { waits: number[]; records: number[]; recorded: number; inTime: number; lostCount: number; until: number }

async function simulateWorker(number: number, workers: number, tally: Tally): Promise<void> {
  const run = runs[number % runs.length]!
  const { markTouched, stopCounting } = keepCounting(run.runId)
  const { frontier, close } = openFrontier(
    {
      db,
      ...run,
      runNumber: 1,
      worker: createId(),
      pageLimit: pages,
      order,
      issuesPerPage: 500,
      pagesAtOnce: Math.ceil((workers * atOnce * 2) / hosts),
    },
    pubSub,
    { onRecorded: markTouched },
  )
  await new Promise((resolve) => setTimeout(resolve, Math.random() * pageMs))
  while (performance.now() < tally.until) {
    const claimedAt = performance.now()
    const claims = await frontier.claim(atOnce)
    tally.waits.push(performance.now() - claimedAt)
    if (claims.length === 0) await frontier.changed(500)
    await Promise.all(
      claims.map(async (claim) => {
        await new Promise((resolve) => setTimeout(resolve, pageMs * (0.5 + Math.random())))
        const began = performance.now()
        if (await frontier.record(claim, createOutcome(claim.id), createLinks(claim))) tally.recorded += 1
        else tally.lostCount += 1
        if (performance.now() < tally.until) tally.inTime += 1
        tally.records.push(performance.now() - began)
      }),
    )
  }
  stopCounting()
  close()
}

/**
 * Counts done pages, both as pages and as frontier entries: equal for any number of workers. Visits of the representative order have
 * an index: reading all of a large frontier would drop others from the cache of the system.
 */
async function countDone(): Promise<{ entries: number; pages: number }> {
  const isVisit =
    order === 'representative' ? sql`run_id = any(${runs.map(({ runId }) => runId)}::uuid[]) and visit is not null` : sql`true`
  const { rows: countRows } = await sql<{ entries: number; pages: number }>`select
    (select count(*)::int from frontier where state = 2 and ${isVisit}) as entries,
    (select count(*)::int from page) as pages`.execute(db)
  return countRows[0]!
}

/** Reads the indexes that claims and new URLs use: a database that was not used for a while would read them during the window. */
async function warmIndexes(): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    await sql`set local enable_bitmapscan = off`.execute(trx)
    for (const { runId } of runs) {
      await sql`select count(key_hash) from frontier where run_id = ${runId}`.execute(trx)
      await sql`select count(bucket) from frontier
        where run_id = ${runId} and state = 0 and place is null and bucket is not null`.execute(trx)
    }
  })
}

async function measureWorkers(workers: number) {
  const tally: Tally = { waits: [], records: [], recorded: 0, inTime: 0, lostCount: 0, until: 0 }
  const initial = { done: await countDone(), database: await readDatabaseCpu(), own: process.cpuUsage() }
  const stopWaitSampling = startWaitSampling()
  const [began, countsBefore] = [performance.now(), counts]
  tally.until = began + seconds * 1000
  await Promise.all(Array.from({ length: workers }, (_, number) => simulateWorker(number, workers, tally)))
  console.log(`sessions of ${workers} workers wait for: ${await stopWaitSampling()}`)
  const took = (performance.now() - began) / 1000
  const cpu = (await readDatabaseCpu()) - initial.database
  const ownCpu = process.cpuUsage(initial.own)
  const doneCounts = await countDone()
  const isOnce =
    doneCounts.entries - initial.done.entries === tally.recorded && doneCounts.pages - initial.done.pages === tally.recorded
  const { waits, records, recorded, inTime, lostCount } = tally
  return {
    workers,
    pages: recorded,
    'pages/s': Math.round(inTime / seconds),
    'claims/s': Math.round(waits.length / took),
    'counts/s': Math.round(((counts - countsBefore) / took) * 10) / 10,
    'claim p50 ms': getPercentile(waits, 0.5),
    'claim p99 ms': getPercentile(waits, 0.99),
    'record p50 ms': getPercentile(records, 0.5),
    'record p99 ms': getPercentile(records, 0.99),
    'database ms CPU/page': Math.round((cpu / Math.max(1, recorded)) * 10_000) / 10,
    'database cores': Math.round((cpu / took) * 100) / 100,
    'own cores': Math.round(((ownCpu.user + ownCpu.system) / 1e6 / took) * 100) / 100,
    lost: lostCount,
    'once each': isOnce ? 'yes' : `no: ${JSON.stringify(doneCounts)}`,
  }
}

await warmIndexes()
const measured = []
for (const workers of values.workers.split(',').filter(Boolean)) measured.push(await measureWorkers(Number(workers)))
console.table(measured)
await Promise.all([db.destroy(), watching.destroy()])
await cluster?.stop()
rmSync(folder, { recursive: true, force: true })

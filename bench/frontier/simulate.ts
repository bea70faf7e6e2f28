import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { readConfig, type Config } from '../../packages/server/src/config.ts'
import { makeSchemas } from '../../packages/server/src/kit/database.ts'
import { newId } from '../../packages/server/src/kit/id.ts'
import type { Live } from '../../packages/server/src/kit/live.ts'
import { startEmbedded } from '../../packages/server/src/kit/postgres/embedded.ts'
import { openFrontier } from '../../packages/server/src/monitor/run/frontier/service.ts'
import { openMonitorDatabase } from '../../packages/server/src/process/database.ts'

/**
 * Many workers on one run: the real frontier and a real PostgreSQL, with a browser that is a pause. Prints claims a second,
 * how long a claim takes, and what the database costs.
 *
 *   npm run -s frontier -- --workers 100 --pages 1000000 --page-ms 2000 --at-once 4 --seconds 60
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '100' },
    pages: { type: 'string', default: '1000000' },
    'page-ms': { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '4' },
    hosts: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
  },
})
const number = (name: keyof typeof values): number => Number(values[name])
const [workers, pages, pageMs, atOnce, hosts, seconds] = [
  number('workers'),
  number('pages'),
  number('page-ms'),
  number('at-once'),
  number('hosts'),
  number('seconds'),
]

const folder = mkdtempSync(join(tmpdir(), 'clearway-simulate-'))
mkdirSync(folder, { recursive: true })
const cluster = process.env.DATABASE_URL
  ? null
  : await startEmbedded({ data: join(folder, 'data'), report: () => undefined })
const url = process.env.DATABASE_URL ?? cluster!.url
await makeSchemas(url)
const config = readConfig({
  DATABASE_URL: url,
  CLEARWAY_DATA: folder,
  CLEARWAY_DATABASE_CONNECTIONS: '40',
}) as Config
const db = await openMonitorDatabase(config, url)

const [scanId, runId] = [newId(), newId()]
await sql`insert into scan (id, name, type, urls, priority, settings, owner_id)
  values (${scanId}, 'Many', 'custom', '{}', 1, '{}', 'x')`.execute(db)
await sql`insert into run (id, scan_id, number, status, priority, wave) values (${runId}, ${scanId}, 1, 'running', 1, 0)`.execute(
  db,
)
const filling = performance.now()
await sql`insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, place, depth, url, key, host)
  select ${runId}::uuid, decode(md5(n::text), 'hex'), 0, 0, 0, n, n, 0, 'https://h' || n % ${hosts}::int || '.test/' || n,
    'https://h' || n % ${hosts}::int || '.test/' || n, 'h' || n % ${hosts}::int || '.test:443'
  from generate_series(1, ${pages}::int) n`.execute(db)
await sql`vacuum analyze frontier`.execute(db)
await sql`checkpoint`.execute(db)
console.log(`${pages} addresses in ${Math.round((performance.now() - filling) / 1000)} s`)

/** Processor time of the database's processes, ended ones included, in seconds; 0 when it runs elsewhere. */
async function databaseCpu(): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const statOf = (pid: number | string): number[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    } catch {
      return []
    }
  }
  const main = statOf(rows[0]!.pid)[1]
  if (!main) return 0
  const own = readdirSync('/proc')
    .map(statOf)
    .filter((fields) => fields[1] === main)
  const ticks = own.reduce((sum, fields) => sum + fields[11]! + fields[12]!, 0)
  const ended = statOf(main)
  return (ticks + ended[13]! + ended[14]!) / 100
}

const outcome: PageOutcome = {
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
}
const live: Live = {
  publish: async () => undefined,
  subscribe: () => () => undefined,
  stop: async () => undefined,
}
const waits: number[] = []
const settles: number[] = []
let settled = 0
let lost = 0
const until = performance.now() + seconds * 1000

async function worker(): Promise<void> {
  const { frontier } = openFrontier(
    {
      db,
      runId,
      scanId,
      runNumber: 1,
      worker: newId(),
      pageLimit: pages,
      issuesPerPage: 500,
      pagesAtOnce: Math.ceil((workers * atOnce * 2) / hosts),
    },
    live,
  )
  await new Promise((resolve) => setTimeout(resolve, Math.random() * pageMs))
  while (performance.now() < until) {
    const asked = performance.now()
    const claims = await frontier.claim(atOnce)
    waits.push(performance.now() - asked)
    if (claims.length === 0) await frontier.changed(500)
    await Promise.all(
      claims.map(async (claim) => {
        await new Promise((resolve) => setTimeout(resolve, pageMs * (0.5 + Math.random())))
        const at = performance.now()
        if (await frontier.record(claim, outcome, [])) settled += 1
        else lost += 1
        settles.push(performance.now() - at)
      }),
    )
  }
}

const cpuBefore = await databaseCpu()
const began = performance.now()
await Promise.all(Array.from({ length: workers }, worker))
const took = (performance.now() - began) / 1000
const cpu = (await databaseCpu()) - cpuBefore
const at = (list: number[], share: number): number =>
  Math.round([...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0)
const { rows } = await sql<{ done: number; pages: number }>`select
  (select count(*)::int from frontier where run_id = ${runId} and state = 2) as done,
  (select count(*)::int from page where run_id = ${runId}) as pages`.execute(db)
console.table({
  workers,
  'pages settled': settled,
  'pages a second': Math.round(settled / took),
  'claims a second': Math.round(waits.length / took),
  'claim p50 ms': at(waits, 0.5),
  'claim p99 ms': at(waits, 0.99),
  'settle p50 ms': at(settles, 0.5),
  'settle p99 ms': at(settles, 0.99),
  'database CPU s': Math.round(cpu),
  'database CPU ms a page': Math.round((cpu / Math.max(1, settled)) * 10_000) / 10,
  'this process CPU s': Math.round(process.cpuUsage().user / 1e6),
  lost,
  'once each':
    rows[0]!.done === settled && rows[0]!.pages === settled ? 'yes' : `no: ${JSON.stringify(rows[0])}`,
})
await db.destroy()
await cluster?.stop()
rmSync(folder, { recursive: true, force: true })

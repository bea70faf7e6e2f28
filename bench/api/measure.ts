import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { createHttpServer } from '../../packages/server/src/kit/http/server.ts'
import { openPubSub } from '../../packages/server/src/kit/pub-sub.ts'
import { openSeal } from '../../packages/server/src/kit/seal.ts'
import { openAccounts } from '../../packages/server/src/monitor/user/account/service.ts'
import { removeOldData } from '../../packages/server/src/monitor/run/retention/service.ts'
import { assertOwnStore } from '../../packages/server/src/monitor/page/object/service.ts'
import { startApi } from '../../packages/server/src/process/api.ts'
import { openConfiguredObjects } from '../../packages/server/src/process/object-store.ts'
import { measureBulkChanges, readDatabaseSeconds } from './bulk.ts'
import { buildGetCases, type Samples } from './get-cases.ts'
import { writePlans } from './explain.ts'
import { openBigDatabase } from './open.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '/tmp/clearway-bench-api' },
    scans: { type: 'string', default: '200' },
    runs: { type: 'string', default: '20' },
    pages: { type: 'string', default: '500' },
    issues: { type: 'string', default: '1256' },
    users: { type: 'string', default: '20' },
    think: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    match: { type: 'string', default: '' },
    plans: { type: 'string', default: '' },
  },
})
const size = {
  scans: Number(values.scans),
  runs: Number(values.runs),
  pages: Number(values.pages),
  issues: Number(values.issues),
}
const report = (message: string) => console.error(message)
const { db, url, config, version, close } = await openBigDatabase(values.folder, size, report)
const pubSub = await openPubSub(url, () => undefined)
const objects = openConfiguredObjects(config, () => undefined)
await assertOwnStore({ db, objects })
const app = await createHttpServer({
  logLevel: 'error',
  connect: [],
  rates: { perNetwork: 1e6, perPerson: 1e6, perNetworkSignIn: 1e6 },
  downloads: { perPerson: 10, idleSeconds: 60, wholeSeconds: 3600 },
})
const caller = {
  id: 'boss',
  username: 'boss',
  firstName: 'B',
  lastName: 'Oss',
  email: null,
  role: 'admin' as const,
  expiresAt: Date.now() + 3_600_000,
}
await startApi(app, {
  config,
  db,
  pubSub,
  objects,
  publicUrl: 'http://localhost',
  isReady: () => true,
  accounts: openAccounts({ db, accountUrl: 'http://127.0.0.1:9', service: null, log: () => undefined }),
  seal: openSeal({ setting: null, folder: values.folder }),
  identify: () => Promise.resolve(caller),
  facts: { issuer: 'https://id.example/realms/x', version: '0', build: '0' },
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const base = `${origin}/monitor-api`

const scans = (await sql<{ id: string; runs: number }>`select id, run_count as runs from scan order by id`.execute(db)).rows
const total = (await sql<{ n: number }>`select count(*) as n from finding`.execute(db)).rows[0]!.n
console.log(
  `PostgreSQL ${version}; ${scans.length} scans, ${total} findings; ${values.users} users, ${values.think} ms between calls`,
)

type Case = { name: string; goal: number; path: (n: number) => string }
const pickScan = (n: number) => scans[(n * 7919) % scans.length]!
const buildIssuesPath = (extraQuery: string) => (n: number) => `/issues?scanId=${pickScan(n).id}&status=open${extraQuery}`
const cases: Case[] = [
  { name: 'scan list with scores, by score', goal: 100, path: (n) => `/scans?sort=score,asc&page=${n % 4}` },
  {
    name: 'run overview',
    goal: 100,
    path: (n) => `/scans/${pickScan(n).id}/runs/${pickScan(n).runs}/overview`,
  },
  { name: 'issues of a scan, by severity', goal: 100, path: buildIssuesPath('') },
  { name: '  page 40 of it', goal: 100, path: buildIssuesPath('&page=40') },
  { name: 'issues of a scan, critical', goal: 100, path: buildIssuesPath('&severity=critical&sort=rule,asc') },
  { name: 'issues of a scan, of a rule', goal: 100, path: buildIssuesPath('&rule=color-contrast') },
  { name: 'issues of a scan, grouped', goal: 100, path: buildIssuesPath('&grouped=true') },
  { name: 'issues of a scan, searched', goal: 100, path: buildIssuesPath('&search=nth-child') },
  { name: 'all issues, open', goal: 100, path: () => '/issues?status=open' },
  { name: '  page 200 of it', goal: 100, path: () => '/issues?status=open&page=200' },
  { name: 'all issues, critical', goal: 100, path: () => '/issues?status=open&severity=critical' },
  { name: '  page 200 of it', goal: 100, path: () => '/issues?status=open&severity=critical&page=200' },
  { name: 'all issues, grouped', goal: 100, path: () => '/issues?status=open&grouped=true' },
  { name: 'all issues, mine', goal: 100, path: () => '/issues?status=open&assignedTo=owner1' },
  { name: 'all issues, with a label', goal: 100, path: () => '/issues?status=open&label=brand' },
  { name: 'pages of a scan', goal: 100, path: (n) => `/pages?scanId=${pickScan(n).id}` },
  { name: 'groups of scans', goal: 100, path: () => '/groups/scan-groups' },
  {
    name: 'compare two runs',
    goal: 300,
    path: (n) => `/scans/${pickScan(n).id}/runs/${pickScan(n).runs}/compare/${1 + (n % (pickScan(n).runs - 1 || 1))}`,
  },
]

/** The simulated users run in a separate thread, so that their measurements do not wait for the server's own work. */
function measureLoad(paths: readonly string[]): Promise<number[]> {
  const code = `
    const { parentPort, workerData: { base, paths, users, think, seconds } } = require('node:worker_threads')
    const { Agent, get } = require('node:http')
    const agent = new Agent({ keepAlive: true, maxSockets: users })
    const took = []
    const ask = (path) => new Promise((done, fail) => {
      const began = performance.now()
      get(base + path, { agent }, (reply) => {
        if (reply.statusCode !== 200) fail(new Error(path + ' ' + reply.statusCode))
        reply.resume().on('end', () => { took.push(performance.now() - began); done() })
      }).on('error', fail)
    })
    const until = Date.now() + seconds * 1000
    const user = async (n) => {
      await new Promise((go) => setTimeout(go, Math.random() * think))
      for (let at = n; Date.now() < until; at += users) {
        await ask(paths[at % paths.length])
        if (think) await new Promise((go) => setTimeout(go, think * (0.5 + Math.random())))
      }
    }
    Promise.all(Array.from({ length: users }, (_, n) => user(n))).then(() => parentPort.postMessage(took))
  `
  return new Promise((resolve, fail) => {
    const data = { base, paths, users: Number(values.users), think: Number(values.think), seconds: Number(values.seconds) }
    const worker = new Worker(code, { eval: true, workerData: data })
    worker.once('message', (took: number[]) => {
      void worker.terminate()
      resolve(took)
    })
    worker.once('error', fail)
  })
}

async function readSamples(): Promise<Samples> {
  const { rows } = await sql<Samples>`
    select run.scan_id as "scanId", run.number as run, f.page_id as "pageId", f.issue_id as "issueId", rule.name as rule
    from run join finding f on f.run_id = run.id join rule on rule.id = f.rule_id
    where run.id = (select last_run_id from scan order by id limit 1) limit 1`.execute(db)
  return rows[0]!
}

const getPercentile = (sorted: readonly number[], fraction: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0
let missed = 0
/** `--only get` measures every GET of the API whose name contains `--match`. */
const measuredCases =
  values.only === 'get'
    ? buildGetCases(await readSamples()).filter(({ name }) => name.includes(values.match))
    : cases.filter(({ name }) => name.includes(values.only))
/** Milliseconds of the database's processor for one call, which other work on the machine changes least. */
async function readDatabaseMs(paths: readonly string[]): Promise<number> {
  const secondsBefore = await readDatabaseSeconds(db)
  for (const path of paths) await (await fetch(base + path)).text()
  return ((await readDatabaseSeconds(db)) - secondsBefore) * (1000 / paths.length)
}

console.log('| call | calls | p50 ms | p95 ms | ms of database processor | goal |\n| --- | --- | --- | --- | --- | --- |')
for (const { name, goal, path } of measuredCases) {
  const paths = Array.from({ length: 200 }, (_, n) => path(n))
  // One warm-up call each, so that no measurement hits an empty cache.
  for (const warmUpPath of new Set(paths.slice(0, 5))) await (await fetch(base + warmUpPath)).text()
  const databaseMs = await readDatabaseMs(paths.slice(0, 3))
  const took = (await measureLoad(paths)).sort((a, b) => a - b)
  const p95 = getPercentile(took, 0.95)
  if (p95 > goal) missed++
  console.log(
    `| ${name} | ${took.length} | ${getPercentile(took, 0.5).toFixed(0)} | ${p95.toFixed(0)} | ${databaseMs.toFixed(0)} | ${goal}${p95 > goal ? ' missed' : ''} |`,
  )
}

/**
 * Reads exports of one run after the other until a million lines, and reports the number. A separate process, so that time
 * and memory here are the server's.
 */
const reader = `
  const [origin, runs] = process.argv.slice(1)
  let lines = 0
  for (let run = Number(runs); run >= 1 && lines < 1_000_000; run--) {
    const reply = await fetch(origin, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify({ filters: { runNumber: run }, selected: { selectAllMode: true } }),
    })
    for await (const chunk of reply.body)
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  }
  console.log(lines)
`

async function measureExport(format: string): Promise<void> {
  const initialRss = process.memoryUsage().rss
  let top = initialRss
  const watch = setInterval(() => (top = Math.max(top, process.memoryUsage().rss)), 50)
  const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
  const scriptArgs = [`${base}/bulk/issues/export/${format}`, String(size.runs)]
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', reader, ...scriptArgs])
  const lineCount = Number(stdout)
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  const perRow = ((cpu.user + cpu.system) / lineCount).toFixed(1)
  const growth = Math.round((top - initialRss) / 1e6)
  console.log(
    `export ${format}: ${lineCount} rows in ${seconds.toFixed(1)} s, ${Math.round(lineCount / seconds)} rows/s (goal 75000), ` +
      `${perRow} µs of processor a row, growth ${growth} MB (goal 150)`,
  )
}

/**
 * Measures archiving a hundred runs at a time, and clearing the remains: an upper bound for the savings of dropping partitions.
 */
async function measureRetention(): Promise<void> {
  const countArchived = async () =>
    (await sql<{ n: number }>`select count(*) as n from run where archived_at is not null`.execute(db)).rows[0]!.n
  const measureTime = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const [startedAt, previousCount] = [performance.now(), await countArchived()]
    await work()
    const runs = (await countArchived()) - previousCount
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${name}: ${seconds} s${runs > 0 ? ` for ${runs} runs with ${runs * size.issues} findings` : ''}`)
  }
  const retention = { contentDays: 0, archiveDays: 10, deleteDays: 0, keepRuns: 1, linkRuns: 20 }
  for (const round of [1, 2, 3]) await measureTime(`archive, round ${round}`, () => removeOldData({ db }, retention))
  await measureTime('vacuum of findings', () => sql`vacuum finding_past`.execute(db))
}

if (values.plans)
  await writePlans(
    url,
    values.plans,
    cases.map(({ name, path }) => ({ name, ask: async () => (await fetch(base + path(3))).text() })),
  )
if (values.only === '' || values.only === 'bulk')
  await measureBulkChanges({ base, scans, issuesPerScan: size.issues, readDatabaseSeconds: () => readDatabaseSeconds(db) })
// Changes the database permanently.
if (values.only === 'retention') await measureRetention()
if (values.only === '' || values.only === 'export') {
  await measureExport('csv')
  await measureExport('csv/detailed')
}
if (missed > 0) console.log(`${missed} goals missed`)
await sleep(100)
await app.close()
await pubSub.stop()
await close()

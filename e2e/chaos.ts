import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import type pg from 'pg'
import { withClient } from '../packages/server/test/database.ts'
import { callerOf, tokenFor } from './product/client.ts'
import { parentIn, processesWhere, signalAll } from './product/processes.ts'
import { adminPassword, freePort, startProduct } from './product/start.ts'
import { fakeClock, fillDisk, startTree } from './fault/faults.ts'

/**
 * While runs go on and people comment, change, upload and export, something is broken in each round: the server, the worker, a PDF
 * process, the browser or PostgreSQL is killed, every connection is cut, the disk is full, the worker is stopped for longer
 * than its lease, the clock of server and worker steps two hours away from the database's or back to it. Afterwards every run must have ended, each page must be there once, counts must be what lists hold, no row may
 * refer to what is not there, and nothing that was confirmed may be lost or there twice.
 *
 *   node scripts/node24.mjs e2e/chaos.ts [rounds] [seed]
 */
const rounds = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
const isRoot = process.getuid?.() === 0
const pageCount = 80

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
const random = randomFrom(seed)
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const fixtures = await startSite()
const pdf = Buffer.from(await (await fetch(`${fixtures.url}/guide.pdf`)).arrayBuffer())
await fixtures.close()

const origin = await startTree(pageCount, (number, request, response) => {
  if (request.url?.endsWith('.pdf'))
    return response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  if (number % 25 === 24) return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>gone</p>')
  return number % 10 === 9 ? [`/${number}.pdf`] : []
})

const data = mkdtempSync(join(tmpdir(), 'clearway-chaos-'))
chmodSync(data, 0o755)
// A disk that can be filled; only root may mount one.
if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=755', 'tmpfs', data])
else console.error('NOT SHOWN here: a full disk. It needs root.')

const clock = fakeClock(`${data}.clock`)
if (!clock)
  console.error('NOT SHOWN here: steps of the clock. They need libfaketime (apt-get install faketime).')
const product = await startProduct({
  data,
  port: await freePort(),
  env: {
    // Outlives all steps of the clock.
    CLEARWAY_TOKEN_SECONDS: '86400',
    CLEARWAY_WORKER_PAGES: '3',
    ...clock?.env,
  },
})

const clusterFile = (name: string) => readFileSync(join(data, 'database', name), 'utf8').trim()
const postmaster = () => clusterFile('cluster/postmaster.pid').split('\n')
const onDatabase = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(
    {
      host: '127.0.0.1',
      port: Number(postmaster()[3]),
      user: 'clearway',
      database: 'postgres',
      password: clusterFile('password'),
    },
    work,
  )

/** The server or the worker of this product. */
const childrenOf = (kind: string): number[] =>
  processesWhere(
    (of) =>
      of('cmdline').includes(`process/child.js ${kind}`) && of('environ').includes(`CLEARWAY_DATA=${data}`),
  )
/** What the worker has started, by a part of the command line. */
function ofWorker(part: string): number[] {
  const workers = childrenOf('worker')
  return processesWhere((of) => of('cmdline').includes(part) && workers.includes(parentIn(of('status'))))
}
let struck = 0
const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  struck = pids.length
  signalAll(pids, name)
}

const faults: Record<string, () => Promise<void> | void> = {
  server: () => signal(childrenOf('server'), 'SIGKILL'),
  worker: () => signal(childrenOf('worker'), 'SIGKILL'),
  'PDF process': () => signal(ofWorker('pdf/process'), 'SIGKILL'),
  browser: () => signal(ofWorker('--remote-debugging-pipe'), 'SIGKILL'),
  PostgreSQL: () => signal([Number(postmaster()[0])], 'SIGKILL'),
  connections: () =>
    onDatabase(async (client) => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
    }),
  // Longer than a lease: others may have its pages when it comes back.
  'standing still': async () => {
    const pids = childrenOf('worker')
    signal(pids, 'SIGSTOP')
    await pause(4000)
    signal(pids, 'SIGCONT')
  },
  ...(isRoot && { disk: () => fillDisk(data, 2500) }),
  ...(clock && {
    clock: async () => {
      const step = oneOf([-2, 0, 2].filter((hours) => hours !== clock.hours()))
      count(`clock: ${clock.hours()} h to ${step} h`)
      clock.set(step)
      await pause(3000)
      // The server says its time in each answer: a step that did not arrive shows nothing.
      const reply = await answered(() => fetch(`${product.url}/health`))
      const ahead = (Date.parse(reply.headers.get('date')!) - Date.now()) / 3_600_000
      assert.ok(Math.abs(ahead - step) < 0.1, `the server's clock is ${ahead} h ahead`)
    },
  }),
}

const api = `${product.url}/monitor-api`
const token = await tokenFor(product.url, 'admin', adminPassword)
const client = callerOf(api, token)
/** A call whose body or answer is not JSON. */
async function send(path: string, body: FormData | string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-realm': 'clearway',
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  }
  const reply = await fetch(api + path, { method: 'POST', headers, body })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
  return text
}
type Run = { number: number; status: string; problem: string | null; pages: Record<string, number> }
type Listed<T> = { content: T[]; page: { totalElements: number; totalPages: number } }
const scans: string[] = []
for (const name of ['Large', 'Small']) {
  const made = await client<{ id: string }>('POST', '/scans', {
    name,
    urls: [origin],
    type: 'custom',
    depth: null,
    pageLimit: name === 'Large' ? pageCount + 20 : 15,
    advanced: { stopAfterFailures: null, mimeTypes: ['text/html', 'application/pdf'] },
  })
  scans.push(made.id)
}

/** What was confirmed to people. */
const confirmed = {
  comments: new Map<string, string>(),
  uploads: new Map<string, string>(),
  status: new Map<string, string>(),
}
/**
 * Issues that somebody is changing, or whose last change was not confirmed: it may be stored, even later. Nobody else changes
 * them: of two changes at once nobody could say which was the last.
 */
const unsure = new Set<string>()
const tally: Record<string, number> = {}
const count = (what: string) => void (tally[what] = (tally[what] ?? 0) + 1)

async function comment(issue: string): Promise<void> {
  const text = `said ${Math.floor(random() * 1e12)}`
  await client('POST', `/issues/${issue}/comments`, { text })
  confirmed.comments.set(text, issue)
}
async function change(issue: string): Promise<void> {
  const status = oneOf(['open', 'ignored'])
  if (unsure.has(issue)) return
  unsure.add(issue)
  await client('PATCH', `/issues/${issue}`, { fieldsToUpdate: { status } })
  confirmed.status.set(issue, status)
  unsure.delete(issue)
}
/** An export that is cut off is no answer at all; one that ends has a row for each issue that the list has. */
async function exportAll(scan: string): Promise<void> {
  const body = { filters: { scanId: [scan] }, selected: { selectAllMode: true } }
  await send('/bulk/issues/export/csv', JSON.stringify(body))
}
async function changeMany(scan: string): Promise<void> {
  const fieldsToUpdate = { addLabels: [oneOf(['shop', 'press', 'help'])] }
  const body = { filters: { scanId: [scan] }, selected: { selectAllMode: true }, fieldsToUpdate }
  await client('PATCH', '/bulk/issues', body)
}
async function startRun(scan: string): Promise<void> {
  await client('POST', `/scans/${scan}/startRun`)
}
async function upload(scan: string): Promise<void> {
  const { content } = await client<Listed<Run>>('GET', `/scans/${scan}/runs?size=5`)
  const ended = content.find(({ status }) => status === 'completed')
  if (!ended) return
  const url = `https://uploaded.example.org/${Math.floor(random() * 1e12)}`
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
  await send(`/scans/${scan}/runs/${ended.number}/axeIssues`, form)
  confirmed.uploads.set(url, `${scan} ${ended.number}`)
}

/** One person, who goes on whatever is answered. */
async function live(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const scan = oneOf(scans)
    try {
      const { content } = await client<Listed<{ id: string }>>('GET', `/issues?scanId=${scan}&size=50`)
      const issue = content.length > 0 ? oneOf(content).id : null
      const acts: [string, () => Promise<void>][] = [
        ['run', () => startRun(scan)],
        ['export', () => exportAll(scan)],
        ['bulk change', () => changeMany(scan)],
        ['upload', () => upload(scan)],
      ]
      if (issue) acts.push(['comment', () => comment(issue)], ['change', () => change(issue)])
      const [name, act] = oneOf(acts)
      await act()
      count(name)
    } catch {
      count('refused')
    }
    await pause(20 + random() * 150)
  }
}

/** All that a list has, page by page. */
async function all<T>(path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 0; ; page++) {
    const list = await client<Listed<T>>(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}page=${page}&size=500`,
    )
    rows.push(...list.content)
    if (page + 1 >= list.page.totalPages) return rows
  }
}

/** Waits until a call is answered again. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + 120_000; ; await pause(300))
    try {
      return await call()
    } catch (error) {
      if (performance.now() > until) throw error
    }
}

/** Waits until no run is in work. */
async function allEnded(): Promise<Run[]> {
  for (const until = performance.now() + 600_000; performance.now() < until; await pause(500)) {
    const runs = (
      await answered(() => Promise.all(scans.map((scan) => all<Run>(`/scans/${scan}/runs`))))
    ).flat()
    if (runs.every(({ status }) => ['completed', 'failed', 'cancelled'].includes(status))) return runs
  }
  throw new Error('A run did not end')
}

/** Rows that refer to what is not there. Each must be none. */
const orphans: Record<string, string> = {
  'findings without their page': 'finding f where not exists (select from page p where p.id = f.page_id)',
  'findings without their issue': 'finding f where not exists (select from issue i where i.id = f.issue_id)',
  'findings without their texts':
    'finding f where not exists (select from evidence e where e.hash = f.evidence)',
  'findings without their picture':
    'finding f where f.picture is not null and not exists (select from blob b where b.hash = f.picture)',
  'pages without their content':
    'page p where p.content_hash is not null and not exists (select from blob b where b.hash = p.content_hash)',
  'addresses of runs that have ended':
    "frontier f where exists (select from run r where r.id = f.run_id and r.status in ('completed', 'failed', 'cancelled'))",
  'people who are waiting for a preview': 'preview_task',
}

async function checkRun(scan: string, run: Run): Promise<void> {
  const name = `run ${run.number} of ${scan}`
  type Page = { url: string; status: string; source: string }
  const pages = await all<Page>(`/scans/${scan}/runs/${run.number}/pages`)
  const urls = pages.map(({ url }) => url)
  assert.deepEqual(
    urls.filter((url, at) => urls.indexOf(url) !== at),
    [],
    `${name}: pages that are there twice`,
  )
  for (const status of ['completed', 'failed'])
    assert.equal(
      run.pages[status],
      pages.filter((page) => page.status === status).length,
      `${name}: its count of ${status} pages and the list of them`,
    )
  const issues = await all<{ id: string }>(`/issues?scanId=${scan}&runNumber=${run.number}`)
  const { rows } = await onDatabase((db) =>
    db.query<{ findings: number }>(
      'select count(*)::int as findings from monitor.finding f join monitor.run r on r.id = f.run_id where r.scan_id = $1 and r.number = $2',
      [scan, run.number],
    ),
  )
  assert.equal(issues.length, rows[0]!.findings, `${name}: listed issues and stored findings`)
}

async function checkAll(): Promise<number> {
  const runs = await allEnded()
  // What is swept now and then has its time.
  await pause(3000)
  for (const scan of scans) for (const run of await all<Run>(`/scans/${scan}/runs`)) await checkRun(scan, run)
  for (const [text, issue] of confirmed.comments) {
    const { content } = await client<{ content: { text: string }[] }>('GET', `/issues/${issue}/comments`)
    assert.equal(content.filter((one) => one.text === text).length, 1, `the comment “${text}”`)
  }
  for (const [issue, status] of confirmed.status) {
    if (unsure.has(issue)) continue
    const now = await client<{ status: string }>('GET', `/issues/${issue}`)
    assert.equal(
      now.status === 'ignored',
      status === 'ignored',
      `the status of ${issue}: ${now.status}, confirmed ${status}`,
    )
  }
  for (const [url, where] of confirmed.uploads) {
    const [scan, run] = where.split(' ')
    const pages = await all<{ url: string }>(`/scans/${scan}/runs/${run}/pages`)
    assert.equal(pages.filter((page) => page.url === url).length, 1, `the upload of ${url}`)
  }
  for (const [what, from] of Object.entries(orphans)) {
    const found = await onDatabase(async (db) => {
      await db.query('set search_path = monitor')
      return (await db.query<{ count: number }>(`select count(*)::int as count from ${from}`)).rows[0]!.count
    })
    assert.equal(found, 0, what)
  }
  return runs.length
}

console.log(`seed ${seed}: ${rounds} rounds`)
const over = new AbortController()
try {
  for (const scan of scans) await startRun(scan)
  const people = [1, 2, 3].map(() => live(over.signal))
  for (let round = 1; round <= rounds; round++) {
    await pause(1500 + random() * 3000)
    const name = oneOf(Object.keys(faults))
    struck = 0
    await Promise.resolve(faults[name]!()).catch((error: unknown) => {
      if (error instanceof assert.AssertionError) throw error
      console.log(`${name}: ${String(error)}`)
    })
    count(`fault: ${name}`)
    const answers = await answered(() => client<Listed<Run>>('GET', `/scans/${scans[0]}/runs?size=1`))
    const [newest] = answers.content
    console.log(
      `round ${round}: ${name}${struck > 0 ? ` (${struck} processes)` : ''}; run ${newest?.number} ${newest?.status}, ${newest?.pages.completed} pages`,
    )
  }
  over.abort()
  await Promise.all(people)
  const runs = await checkAll()
  console.log(tally)
  console.log(
    `${rounds} rounds: ${runs} runs ended, each page once, counts equal to lists, no orphan, ` +
      `${confirmed.comments.size} comments, ${confirmed.status.size} changes and ${confirmed.uploads.size} uploads as they were confirmed`,
  )
} catch (error) {
  console.error(product.output().slice(-5000))
  throw error
} finally {
  over.abort()
  await product.stop()
  if (isRoot) execFileSync('umount', [data])
  rmSync(data, { recursive: true, force: true })
}

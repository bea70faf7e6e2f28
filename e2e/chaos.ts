import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '@clearway/fixtures/identity/component-page.ts'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import type pg from 'pg'
import { withClient } from '../packages/server/test/database.ts'
import { createCaller, fetchToken } from './product/client.ts'
import { parseParentId, findProcesses, signalAll } from './product/processes.ts'
import { adminPassword, findFreePort, startProduct } from './product/start.ts'
import { createFakeClock, fillDisk, startTree } from './fault/faults.ts'

/**
 * While runs are active and users comment, change, upload and export, each round breaks something: the server, the worker, a
 * PDF process, the browser or PostgreSQL is killed, every connection is cut, the disk is full, the worker is paused for
 * longer than its lease, or the clock of server and worker steps two hours away from the database's or back. Afterwards
 * every run must have ended, each page must exist once, counts must match the lists, no row may have a dangling reference,
 * and no confirmed action may be lost or duplicated.
 *
 *   node scripts/node24.mjs e2e/chaos.ts [rounds] [seed]
 */
const rounds = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? Date.now() % 100_000)
const isRoot = process.getuid?.() === 0
const pageCount = 80

const random = createRandom(seed)
const pickRandom = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!

const fixtures = await startSite()
const pdf = Buffer.from(await (await fetch(`${fixtures.url}/guide.pdf`)).arrayBuffer())
await fixtures.close()

const origin = await startTree(pageCount, (number, request, response) => {
  if (request.url?.endsWith('.pdf')) return response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  if (number % 25 === 24) return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>gone</p>')
  return number % 10 === 9 ? [`/${number}.pdf`] : []
})

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-chaos-'))
chmodSync(dataFolder, 0o755)
// A disk that can be filled; only root may mount one.
if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=755', 'tmpfs', dataFolder])
else console.error('NOT SHOWN here: a full disk. It needs root.')
process.once('SIGTERM', () => process.exit(1))
process.once('exit', () => {
  // A product that is still ending holds files of the disk.
  if (isRoot) execFileSync('umount', ['--lazy', dataFolder])
  rmSync(dataFolder, { recursive: true, force: true })
})

const clock = createFakeClock(`${dataFolder}.clock`)
if (!clock) console.error('NOT SHOWN here: steps of the clock. They need libfaketime (apt-get install faketime).')
const product = await startProduct({
  data: dataFolder,
  port: await findFreePort(),
  env: {
    // Outlives all steps of the clock.
    CLEARWAY_TOKEN_SECONDS: '86400',
    CLEARWAY_WORKER_PAGES: '3',
    ...clock?.env,
  },
})

const readClusterFile = (name: string) => readFileSync(join(dataFolder, 'database', name), 'utf8').trim()
const readPostmaster = () => readClusterFile('cluster/postmaster.pid').split('\n')
const queryDatabase = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(
    {
      host: '127.0.0.1',
      port: Number(readPostmaster()[3]),
      user: 'clearway',
      database: 'postgres',
      password: readClusterFile('password'),
    },
    work,
  )

/** Lists the server or worker processes of this product. */
const listChildren = (childKind: string): number[] =>
  findProcesses(
    (readProcessFile) =>
      readProcessFile('cmdline').includes(`process/child.js ${childKind}`) &&
      readProcessFile('environ').includes(`CLEARWAY_DATA=${dataFolder}`),
  )
/** Lists processes that the worker has started, by a part of the command line. */
function listWorkerChildren(commandPart: string): number[] {
  const workers = listChildren('worker')
  return findProcesses(
    (readProcessFile) =>
      readProcessFile('cmdline').includes(commandPart) && workers.includes(parseParentId(readProcessFile('status'))),
  )
}
let struck = 0
const sendSignal = (pids: readonly number[], name: NodeJS.Signals): void => {
  struck = pids.length
  signalAll(pids, name)
}

const faults: Record<string, () => Promise<void> | void> = {
  server: () => sendSignal(listChildren('server'), 'SIGKILL'),
  worker: () => sendSignal(listChildren('worker'), 'SIGKILL'),
  'PDF process': () => sendSignal(listWorkerChildren('pdf/process'), 'SIGKILL'),
  browser: () => sendSignal(listWorkerChildren('--remote-debugging-pipe'), 'SIGKILL'),
  PostgreSQL: () => sendSignal([Number(readPostmaster()[0])], 'SIGKILL'),
  connections: () =>
    queryDatabase(async (client) => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
    }),
  // Longer than a lease: another worker may have its pages when it resumes.
  'standing still': async () => {
    const pids = listChildren('worker')
    sendSignal(pids, 'SIGSTOP')
    await pause(4000)
    sendSignal(pids, 'SIGCONT')
  },
  ...(isRoot && { disk: () => fillDisk(dataFolder, () => pause(2500)) }),
  ...(clock && {
    clock: async () => {
      const step = pickRandom([-2, 0, 2].filter((hours) => hours !== clock.hours()))
      countAction(`clock: ${clock.hours()} h to ${step} h`)
      clock.set(step)
      await pause(3000)
      // The server sends its time in each response: a step that did not take effect would prove nothing.
      const reply = await retryUntilAnswered(() => fetch(`${product.url}/health`))
      const ahead = (Date.parse(reply.headers.get('date')!) - Date.now()) / 3_600_000
      assert.ok(Math.abs(ahead - step) < 0.1, `the server's clock is ${ahead} h ahead`)
    },
  }),
}

const api = `${product.url}/monitor-api`
const token = await fetchToken(product.url, 'admin', adminPassword)
const client = createCaller(api, token)
/** Makes a call whose body or response is not JSON. */
async function sendRequest(path: string, body: FormData | string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-realm': 'clearway',
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  }
  const reply = await fetch(api + path, { method: 'POST', headers, body })
  const replyText = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
  return replyText
}
type Run = { number: number; status: string; problem: string | null; pages: Record<string, number> }
type Listed<T> = { content: T[]; page: { totalElements: number; totalPages: number } }
const scans: string[] = []
for (const name of ['Large', 'Small']) {
  const createdScan = await client<{ id: string }>('POST', '/scans', {
    name,
    urls: [origin],
    type: 'custom',
    depth: null,
    pageLimit: name === 'Large' ? pageCount + 20 : 15,
    advanced: { stopAfterFailures: null, mimeTypes: ['text/html', 'application/pdf'] },
  })
  scans.push(createdScan.id)
}

/** Actions that the product confirmed to users. */
const confirmed = { comments: new Map<string, string>(), uploads: new Map<string, string>(), status: new Map<string, string>() }
/**
 * Issues with a change in progress, or whose last change was not confirmed: it may be stored, even later. Other users skip
 * them, because the last of two concurrent changes is unknown.
 */
const uncertainIssues = new Set<string>()
const tally: Record<string, number> = {}
const countAction = (actionName: string) => void (tally[actionName] = (tally[actionName] ?? 0) + 1)

async function addComment(issue: string): Promise<void> {
  const commentText = `said ${Math.floor(random() * 1e12)}`
  await client('POST', `/issues/${issue}/comments`, { text: commentText })
  confirmed.comments.set(commentText, issue)
}
async function changeIssue(issue: string): Promise<void> {
  const status = pickRandom(['open', 'ignored'])
  if (uncertainIssues.has(issue)) return
  uncertainIssues.add(issue)
  await client('PATCH', `/issues/${issue}`, { fieldsToUpdate: { status } })
  confirmed.status.set(issue, status)
  uncertainIssues.delete(issue)
}
/** An export that is cut off is no response at all; a complete one has a row for each listed issue. */
async function exportAll(scan: string): Promise<void> {
  const body = { filters: { scanId: [scan] }, selected: { selectAllMode: true } }
  await sendRequest('/bulk/issues/export/csv', JSON.stringify(body))
}
async function changeMany(scan: string): Promise<void> {
  const fieldsToUpdate = { addLabels: [pickRandom(['shop', 'press', 'help'])] }
  const body = { filters: { scanId: [scan] }, selected: { selectAllMode: true }, fieldsToUpdate }
  await client('PATCH', '/bulk/issues', body)
}
async function startRun(scan: string): Promise<void> {
  await client('POST', `/scans/${scan}/startRun`)
}
async function uploadResults(scan: string): Promise<void> {
  const { content } = await client<Listed<Run>>('GET', `/scans/${scan}/runs?size=5`)
  const completedRun = content.find(({ status }) => status === 'completed')
  if (!completedRun) return
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
  await sendRequest(`/scans/${scan}/runs/${completedRun.number}/axeIssues`, form)
  confirmed.uploads.set(url, `${scan} ${completedRun.number}`)
}

/** Simulates one user, who continues after any failure. */
async function simulateUser(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const scan = pickRandom(scans)
    try {
      const { content } = await client<Listed<{ id: string }>>('GET', `/issues?scanId=${scan}&size=50`)
      const issue = content.length > 0 ? pickRandom(content).id : null
      const acts: [string, () => Promise<void>][] = [
        ['run', () => startRun(scan)],
        ['export', () => exportAll(scan)],
        ['bulk change', () => changeMany(scan)],
        ['upload', () => uploadResults(scan)],
      ]
      if (issue) acts.push(['comment', () => addComment(issue)], ['change', () => changeIssue(issue)])
      const [name, act] = pickRandom(acts)
      await act()
      countAction(name)
    } catch {
      countAction('refused')
    }
    await pause(20 + random() * 150)
  }
}

/** Returns all rows of a list, page by page. */
async function fetchAllRows<T>(path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 0; ; page++) {
    const resultPage = await client<Listed<T>>('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}&size=500`)
    rows.push(...resultPage.content)
    if (page + 1 >= resultPage.page.totalPages) return rows
  }
}

async function retryUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + 120_000; ; await pause(300))
    try {
      return await call()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
}

async function waitForAllRuns(): Promise<Run[]> {
  for (const deadline = performance.now() + 600_000; performance.now() < deadline; await pause(500)) {
    const runs = (
      await retryUntilAnswered(() => Promise.all(scans.map((scan) => fetchAllRows<Run>(`/scans/${scan}/runs`))))
    ).flat()
    if (runs.every(({ status }) => ['completed', 'failed', 'cancelled'].includes(status))) return runs
  }
  throw new Error('A run did not end')
}

/** Queries for dangling references. Each must return no row. */
const orphans: Record<string, string> = {
  'findings without their page': 'finding f where not exists (select from page p where p.id = f.page_id)',
  'findings without their issue': 'finding f where not exists (select from issue i where i.id = f.issue_id)',
  'findings without their texts': 'finding f where not exists (select from evidence e where e.hash = f.evidence)',
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
  const pages = await fetchAllRows<Page>(`/scans/${scan}/runs/${run.number}/pages`)
  const urls = pages.map(({ url }) => url)
  assert.deepEqual(
    urls.filter((url, position) => urls.indexOf(url) !== position),
    [],
    `${name}: duplicate pages`,
  )
  for (const status of ['completed', 'failed'])
    assert.equal(
      run.pages[status],
      pages.filter((page) => page.status === status).length,
      `${name}: its count of ${status} pages and the list of them`,
    )
  const issues = await fetchAllRows<{ id: string }>(`/issues?scanId=${scan}&runNumber=${run.number}`)
  const { rows } = await queryDatabase((db) =>
    db.query<{ findings: number }>(
      'select count(*)::int as findings from monitor.finding f join monitor.run r on r.id = f.run_id where r.scan_id = $1 and r.number = $2',
      [scan, run.number],
    ),
  )
  assert.equal(issues.length, rows[0]!.findings, `${name}: listed issues and stored findings`)
}

async function checkAll(): Promise<number> {
  const runs = await waitForAllRuns()
  // Periodic sweeps need some time.
  await pause(3000)
  for (const scan of scans) for (const run of await fetchAllRows<Run>(`/scans/${scan}/runs`)) await checkRun(scan, run)
  for (const [commentText, issue] of confirmed.comments) {
    const { content } = await client<{ content: { text: string }[] }>('GET', `/issues/${issue}/comments`)
    assert.equal(content.filter((comment) => comment.text === commentText).length, 1, `the comment “${commentText}”`)
  }
  for (const [issue, status] of confirmed.status) {
    if (uncertainIssues.has(issue)) continue
    const currentIssue = await client<{ status: string }>('GET', `/issues/${issue}`)
    assert.equal(
      currentIssue.status === 'ignored',
      status === 'ignored',
      `the status of ${issue}: ${currentIssue.status}, confirmed ${status}`,
    )
  }
  for (const [url, runKey] of confirmed.uploads) {
    const [scan, run] = runKey.split(' ')
    const pages = await fetchAllRows<{ url: string }>(`/scans/${scan}/runs/${run}/pages`)
    assert.equal(pages.filter((page) => page.url === url).length, 1, `the upload of ${url}`)
  }
  for (const [description, fromClause] of Object.entries(orphans)) {
    const orphanRows = await queryDatabase(async (db) => {
      await db.query('set search_path = monitor')
      return (await db.query<{ count: number }>(`select count(*)::int as count from ${fromClause}`)).rows[0]!.count
    })
    assert.equal(orphanRows, 0, description)
  }
  return runs.length
}

const readNewestRun = async (): Promise<Run> =>
  (await retryUntilAnswered(() => client<Listed<Run>>('GET', `/scans/${scans[0]}/runs?size=1`))).content[0]!
/**
 * Waits until the newest run has tested another page, or has ended: on a slow machine, faults that follow each other by the
 * clock would strike before its first page.
 */
async function waitForProgress(previousRun: Run): Promise<void> {
  // A run may test nothing more.
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await pause(300)) {
    const newestRun = await readNewestRun()
    if (newestRun.number !== previousRun.number || newestRun.status !== 'running') return
    if (newestRun.pages.completed! > previousRun.pages.completed!) return
  }
}

console.log(`seed ${seed}: ${rounds} rounds`)
const over = new AbortController()
try {
  for (const scan of scans) await startRun(scan)
  const users = [1, 2, 3].map(() => simulateUser(over.signal))
  let newestRun = await readNewestRun()
  for (let round = 1; round <= rounds; round++) {
    await pause(1500 + random() * 3000)
    await waitForProgress(newestRun)
    const name = pickRandom(Object.keys(faults))
    struck = 0
    await Promise.resolve(faults[name]!()).catch((error: unknown) => {
      if (error instanceof assert.AssertionError) throw error
      console.log(`${name}: ${String(error)}`)
    })
    countAction(`fault: ${name}`)
    newestRun = await readNewestRun()
    const { number, status, pages } = newestRun
    console.log(
      `round ${round}: ${name}${struck > 0 ? ` (${struck} processes)` : ''}; run ${number} ${status}, ${pages.completed} pages`,
    )
  }
  over.abort()
  await Promise.all(users)
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
}

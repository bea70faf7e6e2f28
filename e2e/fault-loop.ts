import { randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../packages/server/src/kit/database.ts'
import { startEmbedded } from '../packages/server/src/kit/postgres/embedded.ts'
import { buildProductionArgs } from '../scripts/javascript.ts'
import { signIn } from './product/client.ts'
import { parseParentId, findProcesses, signalAll } from './product/processes.ts'
import { fillDisk, startTree } from './fault/faults.ts'
import { adminPassword, findFreePort, startProduct } from './product/start.ts'

/**
 * Two worker processes share one run of many pages on one PostgreSQL. Repeatedly a worker, a browser, or every connection to
 * the database is killed, or the database's disk is full for a while. The run must end with the same counts as an
 * undisturbed one. The disk is a RAM disk, which only root can mount.
 *
 *   node scripts/node24.mjs e2e/fault-loop.ts [pages] [seconds between faults]
 */
const pages = Number(process.argv[2] ?? 300)
const every = Number(process.argv[3] ?? 4) * 1000
const root = join(import.meta.dirname, '..')

const origin = await startTree(pages, (number, _request, response) => {
  if (number % 50 === 49) return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>gone</p>')
  if (number % 40 === 39) return response.writeHead(302, { location: `/${number - 1}` }).end()
  return []
})

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-fault-'))
const disk = join(dataFolder, 'disk')
mkdirSync(disk)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=755', 'tmpfs', disk])
const database = await startEmbedded({ data: join(disk, 'database'), report: console.log })
const env = { DATABASE_URL: database.url, CLEARWAY_ALLOW_PRIVATE: 'all', CLEARWAY_SECRET_KEY: randomBytes(32).toString('base64') }
const product = await startProduct({
  data: join(dataFolder, 'api'),
  port: await findFreePort(),
  env: { ...env, CLEARWAY_ROLES: 'api,account,idp,scheduler' },
})

const startWorker = async (name: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, buildProductionArgs('packages/server/src/main.ts'), {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...env,
      CLEARWAY_DATA: join(dataFolder, name),
      CLEARWAY_PORT: String(await findFreePort()),
      CLEARWAY_ROLES: 'worker',
      CLEARWAY_WORKER_PAGES: '2',
    },
  })
  return child
}

const listBrowsers = (pid: number): number[] =>
  findProcesses((readProcessFile) => parseParentId(readProcessFile('status')) === pid)

/** Terminates every connection to the database except this one. */
async function dropConnections(): Promise<void> {
  const db = openDatabase(database.url, { schema: 'monitor', connections: 1 })
  try {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
      and datname = current_database()`.execute(db)
  } finally {
    await db.destroy()
  }
}

const workers = [await startWorker('one'), await startWorker('two')]
let faults = 0
const tally: Record<string, number> = {}
const injectFault = async (): Promise<void> => {
  const faultKind = ['worker', 'browser', 'database', 'disk'][faults % 4]!
  const number = Math.floor(faults / 4) % workers.length
  faults += 1
  tally[faultKind] = (tally[faultKind] ?? 0) + 1
  const victim = workers[number]!
  if (faultKind === 'worker') {
    victim.kill('SIGKILL')
    signalAll(listBrowsers(victim.pid!), 'SIGKILL')
    workers[number] = await startWorker(`again-${faults}`)
  } else if (faultKind === 'browser') {
    signalAll(listBrowsers(victim.pid!), 'SIGKILL')
  } else if (faultKind === 'database') await dropConnections()
  else await fillDisk(disk, () => pause(every * 0.8))
}

const client = await signIn(product.url, 'admin', adminPassword)
type Run = { status: string; partial: boolean; problem: string | null; pages: Record<string, number> }
type Outcome = Run & { failures: string[] }
/** Waits for the end of a scan's run; the call fails while the database is down. */
async function waitForRun(id: string): Promise<Run> {
  for (const start = performance.now(); performance.now() - start < 1_200_000; await pause(500)) {
    const runList = await client<{ content: Run[] }>('GET', `/scans/${id}/runs?size=1`).catch(() => null)
    const run = runList?.content[0]
    if (run && ['completed', 'failed', 'cancelled'].includes(run.status)) return run
  }
  throw new Error('The run did not end')
}
const runScan = async (name: string, disturbed: boolean): Promise<Outcome> => {
  const { id } = await client<{ id: string }>('POST', '/scans', {
    name,
    urls: [origin],
    type: 'custom',
    depth: null,
    pageLimit: pages + 10,
    advanced: { pagesAtOnce: 4, savePictures: false, savePageContent: false, stopAfterFailures: null },
  })
  await client('POST', `/scans/${id}/startRun`)
  const listFailures = async () => {
    type FailedPages = { content: { url: string; failure: string }[] }
    const { content } = await client<FailedPages>('GET', `/pages?scanId=${id}&status=failed&size=500`)
    return content.map(({ url, failure }) => `${url.replace(origin, '/')} ${failure}`).sort()
  }
  let lastFault = Promise.resolve()
  const timer = disturbed ? setInterval(() => void (lastFault = injectFault().catch(console.error)), every) : null
  const run = await waitForRun(id)
  if (timer) clearInterval(timer)
  // The disk may still be full for a while.
  await lastFault
  return { ...run, failures: await listFailures() }
}
try {
  const quiet = await runScan('Quiet', false)
  const disturbed = await runScan('Disturbed', true)
  const summarizeOutcome = ({ status, partial, problem, pages: counts }: Outcome) => ({
    status,
    partial,
    problem,
    // The faults may only change which pages needed a second attempt.
    ...Object.fromEntries(Object.entries(counts).filter(([name]) => name !== 'retried')),
  })
  console.table({ quiet: summarizeOutcome(quiet), disturbed: summarizeOutcome(disturbed) })
  console.log('faults:', tally)
  assert.deepEqual(disturbed.failures, quiet.failures)
  assert.deepEqual(summarizeOutcome(disturbed), summarizeOutcome(quiet))
  console.log('the counts are equal')
} finally {
  for (const worker of workers) worker.kill('SIGKILL')
  await product.stop()
  await database.stop()
  execFileSync('umount', [disk])
  rmSync(dataFolder, { recursive: true, force: true })
}

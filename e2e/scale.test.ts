/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, withClient } from '../packages/server/test/database.ts'
import { type Client, signIn } from './product/client.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './product/start.ts'
import { compareRun, buildFixtureScan, waitForRunEnd } from './product/results.ts'

// Scales workers as separate processes on one database, up and down in the middle of a run, as a cluster does.

/** Grace period of the chart for a worker that Kubernetes stops. */
const graceMs = 60_000

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-scale-'))
let database: Awaited<ReturnType<typeof createTestDatabase>>
let site: Site
let server: Product
let client: Client
const workers: Product[] = []

let startedCount = 0
/** Starts a container: a separate folder, the same database and key. */
const startContainer = async (roles: string) =>
  startProduct({
    data: join(dataFolder, String(startedCount++)),
    port: await findFreePort(),
    env: {
      DATABASE_URL: database.url,
      CLEARWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      CLEARWAY_ROLES: roles,
      CLEARWAY_WEB: 'false',
      CLEARWAY_WORKER_PAGES: '2',
    },
  })

beforeAll(async () => {
  site = await startSite()
  database = await createTestDatabase()
  server = await startContainer('api,account,idp,scheduler')
  client = await signIn(server.url, 'admin', adminPassword)
  workers.push(await startContainer('worker'))
}, 240_000)
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await server?.stop()
  await site?.close()
  await database?.drop()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Counts the live workers, and the pages claimed by dead ones. */
const countWorkers = () =>
  withClient(database.url, async (db) => {
    const workerRows = await db.query('select id from monitor.worker')
    const deadClaims = await db.query(
      'select 1 from monitor.frontier where token is not null and worker not in (select id from monitor.worker)',
    )
    return { workers: workerRows.rowCount, heldByNobody: deadClaims.rowCount }
  })

/** Runs the chart's query by which KEDA scales workers; `add` adds rows for this query alone. */
const queryScalingPages = (add: readonly string[] = []) =>
  withClient(database.url, async (db) => {
    const template = join(import.meta.dirname, '../deploy/helm/clearway/templates/scaling.yaml')
    const query = /^ +query: (.+)$/m.exec(readFileSync(template, 'utf8'))![1]!
    await db.query('begin')
    // Skips the pages that those rows would refer to.
    await db.query('set local session_replication_role = replica')
    for (const statement of add) await db.query(statement)
    const { rows } = await db.query<{ pages: string }>(`select (${query}) as pages`)
    await db.query('rollback')
    return Number(rows[0]!.pages)
  })

const readRunPages = async (id: string) => {
  type Runs = { content: { status: string; pages: { completed: number; failed: number } }[] }
  const { content } = await client<Runs>('GET', `/scans/${id}/runs`)
  return { status: content[0]!.status, done: content[0]!.pages.completed + content[0]!.pages.failed }
}
const waitForPages = async (id: string, pages: number) => {
  for (let current = await readRunPages(id); current.done < pages; current = await readRunPages(id)) {
    expect(current.status).not.toBe('completed')
    await sleep(200)
  }
}

let id: string

it('loses and duplicates no page while scaling from one worker to five and back', { timeout: 600_000 }, async () => {
  const body = buildFixtureScan('Scaled', site.url, { reuseUnchanged: true, reuseAuditPercent: 50 })
  ;({ id } = await client<{ id: string }>('POST', '/scans', body))
  await client('POST', `/scans/${id}/startRun`)
  await waitForPages(id, 3)
  expect(await queryScalingPages()).toBeGreaterThan(0)
  workers.push(...(await Promise.all(Array.from({ length: 4 }, () => startContainer('worker')))))
  expect(await countWorkers()).toMatchObject({ workers: 5 })
  const { done: doneCount } = await readRunPages(id)
  await waitForPages(id, doneCount + 4)
  // Includes the first one: the remaining workers differ from the initial ones.
  const ending = workers.splice(0, 4)
  const stopRequestedAt = performance.now()
  expect(await Promise.all(ending.map((worker) => worker.terminate()))).toEqual([0, 0, 0, 0])
  expect(performance.now() - stopRequestedAt).toBeLessThan(graceMs)
  expect((await readRunPages(id)).status).toBe('running')
  // Stopped workers have released their claims and removed their registrations.
  expect(await countWorkers()).toEqual({ workers: 1, heldByNobody: 0 })
  const run = await waitForRunEnd(client, id, 400_000)
  expect([run.number, run.status]).toEqual([1, 'completed'])
  expect(await queryScalingPages()).toBe(0)
  const { duplicateUrls, actualResult, expectedResult } = await compareRun(client, id, 1, site.url)
  expect(duplicateUrls).toEqual([])
  expect(actualResult).toEqual(expectedResult)
})

it(
  'tests half of the unchanged pages again without a difference, and keeps the results of the others',
  { timeout: 400_000 },
  async () => {
    await client('POST', `/scans/${id}/startRun`)
    const { number } = await waitForRunEnd(client, id, 240_000)
    type Overview = { reuse: { carried: number; audited: number; fault: string | null } }
    const { reuse } = await client<Overview>('GET', `/scans/${id}/runs/${number}/overview`)
    expect(reuse.fault).toBeNull()
    // Some pages of the site differ at each visit, or hold unreadable content.
    expect(reuse.audited + reuse.carried).toBeGreaterThan(30)
    // The choice is random: fewer than three occur once in a thousand million times.
    expect(Math.min(reuse.audited, reuse.carried)).toBeGreaterThan(2)
    const { duplicateUrls, actualResult, expectedResult } = await compareRun(client, id, number, site.url)
    expect(duplicateUrls).toEqual([])
    expect(actualResult).toEqual(expectedResult)
  },
)

it('requests workers also for a single waiting re-check or preview', async () => {
  const addRecheck = (state: string) =>
    `insert into monitor.recheck (page_id, run_id, state, requested_by)
      values (gen_random_uuid(), gen_random_uuid(), '${state}', 'ann')`
  const addPreview = (watched: string) =>
    `insert into monitor.preview_task (id, kind, person_id, sealed, watched_until)
      values (gen_random_uuid(), 'preview', 'ann', '', now() + interval '${watched}')`
  expect(await queryScalingPages()).toBe(0)
  expect(await queryScalingPages(['waiting', 'working', 'done', 'failed', 'stale'].map(addRecheck))).toBe(2)
  expect(await queryScalingPages(['10 seconds', '-10 seconds'].map(addPreview))).toBe(1)
})

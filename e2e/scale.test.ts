import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, withClient } from '../packages/server/test/database.ts'
import { type Client, signIn } from './product/client.ts'
import { adminPassword, freePort, type Product, startProduct } from './product/start.ts'
import { compareRun, fixtureScan, runEnded } from './product/results.ts'

// Workers as processes of their own on one database, more and fewer of them in the middle of a run, as a cluster does it.

/** What Kubernetes is told to wait for a worker that it ends, in the chart. */
const graceMs = 60_000

const data = mkdtempSync(join(tmpdir(), 'clearway-scale-'))
let database: Awaited<ReturnType<typeof testDatabase>>
let site: Site
let server: Product
let client: Client
const workers: Product[] = []

let started = 0
/** A container: a folder of its own, the same database and key. */
const container = async (roles: string) =>
  startProduct({
    data: join(data, String(started++)),
    port: await freePort(),
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
  database = await testDatabase()
  server = await container('api,account,idp,scheduler')
  client = await signIn(server.url, 'admin', adminPassword)
  workers.push(await container('worker'))
}, 240_000)
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await server?.stop()
  await site?.close()
  await database?.drop()
  rmSync(data, { recursive: true, force: true })
})

/** Workers that are there, and pages that one has which is gone. */
const known = () =>
  withClient(database.url, async (db) => {
    const workerRows = await db.query('select id from monitor.worker')
    const held = await db.query(
      'select 1 from monitor.frontier where token is not null and worker not in (select id from monitor.worker)',
    )
    return { workers: workerRows.rowCount, heldByNobody: held.rowCount }
  })

/** What the chart asks the database by which KEDA scales workers; `add` adds rows for this question alone. */
const pagesForScaling = (add: readonly string[] = []) =>
  withClient(database.url, async (db) => {
    const template = join(import.meta.dirname, '../deploy/helm/clearway/templates/scaling.yaml')
    const query = /^ +query: (.+)$/m.exec(readFileSync(template, 'utf8'))![1]!
    await db.query('begin')
    // Without the pages that they would be of.
    await db.query('set local session_replication_role = replica')
    for (const statement of add) await db.query(statement)
    const { rows } = await db.query<{ pages: string }>(`select (${query}) as pages`)
    await db.query('rollback')
    return Number(rows[0]!.pages)
  })

const pagesOf = async (id: string) => {
  type Runs = { content: { status: string; pages: { completed: number; failed: number } }[] }
  const { content } = await client<Runs>('GET', `/scans/${id}/runs`)
  return { status: content[0]!.status, done: content[0]!.pages.completed + content[0]!.pages.failed }
}
const reach = async (id: string, pages: number) => {
  for (let now = await pagesOf(id); now.done < pages; now = await pagesOf(id)) {
    expect(now.status).not.toBe('completed')
    await sleep(200)
  }
}

it(
  'loses no page, and records none twice, from one worker to five and back',
  { timeout: 600_000 },
  async () => {
    const { id } = await client<{ id: string }>('POST', '/scans', fixtureScan('Scaled', site.url))
    await client('POST', `/scans/${id}/startRun`)
    await reach(id, 3)
    expect(await pagesForScaling()).toBeGreaterThan(0)
    workers.push(...(await Promise.all(Array.from({ length: 4 }, () => container('worker')))))
    expect(await known()).toMatchObject({ workers: 5 })
    const { done } = await pagesOf(id)
    await reach(id, done + 4)
    // The first one too: those that stay are others than those that began.
    const ending = workers.splice(0, 4)
    const asked = performance.now()
    expect(await Promise.all(ending.map((worker) => worker.terminate()))).toEqual([0, 0, 0, 0])
    expect(performance.now() - asked).toBeLessThan(graceMs)
    expect((await pagesOf(id)).status).toBe('running')
    // They have given back what they had, and their names.
    expect(await known()).toEqual({ workers: 1, heldByNobody: 0 })
    const run = await runEnded(client, id, 400_000)
    expect([run.number, run.status]).toEqual([1, 'completed'])
    expect(await pagesForScaling()).toBe(0)
    const { twice, found, expected } = await compareRun(client, id, 1, site.url)
    expect(twice).toEqual([])
    expect(found).toEqual(expected)
  },
)

it('asks for workers also where only a re-check waits, or somebody for a preview', async () => {
  const recheck = (state: string) =>
    `insert into monitor.recheck (page_id, run_id, state, requested_by)
      values (gen_random_uuid(), gen_random_uuid(), '${state}', 'ann')`
  const preview = (watched: string) =>
    `insert into monitor.preview_task (id, kind, person_id, sealed, watched_until)
      values (gen_random_uuid(), 'preview', 'ann', '', now() + interval '${watched}')`
  expect(await pagesForScaling()).toBe(0)
  expect(await pagesForScaling(['waiting', 'working', 'done', 'failed', 'stale'].map(recheck))).toBe(2)
  expect(await pagesForScaling(['10 seconds', '-10 seconds'].map(preview))).toBe(1)
})

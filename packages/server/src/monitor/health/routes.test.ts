import { afterAll, beforeAll, expect, it } from 'vitest'
import { createId } from '../../kit/id.ts'
import { getProcessIdentity } from '../../kit/running-process.ts'
import { openTestApi, buildScanBody, type TestApi } from '../../../test/api.ts'
import { readFigures } from './store.ts'

let api: TestApi
let closed = false
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => (closed ? undefined : api.close()))

type Health = { status: string; message?: string; details: Record<string, { status: string; message?: string }> }
const readHealth = async () => {
  const { status, body } = await api.call('GET', '/actuator/health/system', { token: null })
  const { status: overall, details } = body as Health
  return { status, overall, parts: Object.fromEntries(Object.entries(details).map(([name, part]) => [name, part.status])) }
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

it('returns only states to anonymous callers', async () => {
  await api.db
    .insertInto('worker')
    .values({
      id: createId(),
      host: 'elsewhere',
      pid: 4321,
      browser: '148.0.7778.96',
      browser_source: '/usr/bin/chromium',
      problem: null,
    })
    .execute()
  const { status, body } = await api.call('GET', '/actuator/health/system', { token: null })
  const { details } = body as Health
  for (const part of Object.values(details)) expect(Object.keys(part)).toEqual(['status'])
  expect([status, Object.keys(body).sort()]).toEqual([200, ['details', 'status']])
  expect((await api.call('GET', '/actuator/health/details', { token: null })).status).toBe(401)
  expect((await api.call('GET', '/actuator/health/details')).status).toBe(403)
  await api.db.deleteFrom('worker').execute()
})

it('lists each process for administrators and auditors', async () => {
  const id = createId()
  const elsewhere = { id, host: 'elsewhere', pid: 4321, browser: '148', browser_source: null, problem: null }
  // A worker killed on this machine a moment ago.
  const gone = { ...elsewhere, id: createId(), host: getProcessIdentity().machine, pid: 4_194_303 }
  await api.db.insertInto('worker').values([elsewhere, gone]).execute()
  for (const role of ['admin', 'auditor']) {
    const token = await api.token('them', ['access', role])
    const { status, body } = await api.call('GET', '/actuator/health/details', { token })
    const startedAt = expect.stringMatching(/^20.+Z$/) as string
    expect([status, body]).toMatchObject([
      200,
      {
        version: '0',
        build: '0',
        details: { database: { version: expect.any(String) as string }, diskSpace: { freeBytes: expect.any(Number) as number } },
        processes: [
          { kind: 'server', id: null, pid: process.pid, status: 'UP', startedAt, restarts: null },
          { kind: 'worker', id, pid: 4321, status: 'UP', startedAt, restarts: null },
        ],
      },
    ])
  }
  await api.db.deleteFrom('worker').execute()
})

it('counts workers that are silent without having signed off', async () => {
  const worker = { host: 'elsewhere', pid: 1, browser: null, browser_source: null, problem: null }
  const silentSeconds = [10, 300, 7200]
  await api.db
    .insertInto('worker')
    .values(silentSeconds.map((seconds) => ({ ...worker, id: createId(), beat_at: new Date(Date.now() - seconds * 1000) })))
    .execute()
  const { silentWorkers, databaseTime } = await readFigures({ db: api.db })
  expect(silentWorkers).toBe(1)
  expect(Math.abs(databaseTime - Date.now() / 1000)).toBeLessThan(10)
  await api.db.deleteFrom('worker').execute()
})

it('reflects its parts: workers, browser, queue, scheduler', async () => {
  expect(await readHealth()).toEqual({
    status: 200,
    overall: 'DEGRADED',
    parts: {
      migrations: 'COMPLETE',
      database: 'UP',
      diskSpace: 'UP',
      queue: 'UP',
      scheduler: 'UP',
      mail: 'UNKNOWN',
      signIn: 'UP',
      worker: 'DOWN',
      browser: 'UNKNOWN',
    },
  })
  const worker = { id: createId(), host: 'h', pid: 1, browser: null, browser_source: null, problem: 'none starts' }
  await api.db.insertInto('worker').values(worker).execute()
  expect((await readHealth()).parts).toMatchObject({ worker: 'UP', browser: 'DOWN' })
  await api.db.updateTable('worker').set({ browser: '148', problem: null }).execute()
  expect(await readHealth()).toMatchObject({ overall: 'UP', parts: { worker: 'UP', browser: 'UP' } })
  // Another worker without a browser is not hidden by the first one.
  await api.db
    .insertInto('worker')
    .values({ ...worker, id: createId(), pid: 2 })
    .execute()
  expect(await readHealth()).toMatchObject({ overall: 'DEGRADED', parts: { worker: 'UP', browser: 'DOWN' } })
  const adminToken = await api.token('them', ['access', 'admin'])
  const { body: details } = await api.call('GET', '/actuator/health/details', { token: adminToken })
  expect(details).toMatchObject({ details: { browser: { version: '148', message: '1 of 2 workers: none starts' } } })
  const { processes } = details as { processes: { pid: number; status: string }[] }
  expect(processes.filter(({ pid }) => pid <= 2).map(({ pid, status }) => [pid, status])).toEqual([
    [1, 'UP'],
    [2, 'DOWN'],
  ])
  await api.db.deleteFrom('worker').where('pid', '=', 2).execute()
  const createdScan = await api.call('POST', '/scans', { body: buildScanBody('Waits') })
  const { id } = createdScan.body as { id: string }
  await api.call('POST', `/scans/${id}/startRun`)
  expect((await readHealth()).parts).toMatchObject({ queue: 'UP' })
  await api.db
    .updateTable('run')
    .set({ queued_at: minutesAgo(10) })
    .execute()
  expect((await readHealth()).parts).toMatchObject({ queue: 'DOWN' })
  const recurrence = JSON.stringify({ frequency: 'once' })
  await api.db
    .insertInto('schedule')
    .values({ scan_id: id, recurrence, next_run_at: minutesAgo(10), last_started_at: null })
    .execute()
  // The due run waits for the scan's active run, so the scheduler is healthy.
  expect((await readHealth()).parts).toMatchObject({ scheduler: 'UP' })
  await api.call('POST', `/scans/${id}/cancel`)
  expect((await readHealth()).parts).toMatchObject({ scheduler: 'DOWN', queue: 'UP' })
})

it('returns 503 with the same body when the database is gone', async () => {
  closed = true
  await api.close().catch(() => undefined)
  const down = await openTestApi()
  await down.db.destroy()
  const { status, body } = await down.call('GET', '/actuator/health/system', { token: null })
  expect([status, body]).toMatchObject([
    503,
    { status: 'DOWN', details: { database: { status: 'DOWN' }, diskSpace: { status: 'UP' }, queue: { status: 'UNKNOWN' } } },
  ])
  await down.close()
})

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { type PubSub, openPubSub } from '../../../kit/pub-sub.ts'
import { createId } from '../../../kit/id.ts'
import { claimNextTask, workOnTask } from '../task-worker/service.ts'
import type { Task, TaskDeps } from './service.ts'
import { deleteUnwatchedTasks } from './store.ts'

// The worker side has its own connection for notifications, like a separate process.
const api = useTestApi()
let origin: string
let admin: string
let pubSub: PubSub
let worker: TaskDeps
beforeAll(async () => {
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await api.token('admin', ['access', 'admin'])
  pubSub = await openPubSub(api.config.DATABASE_URL!, () => undefined)
  worker = { db: api.db, seal: api.seal, pubSub }
})
afterEach(() => api.db.deleteFrom('worker').execute())
afterAll(async () => {
  await pubSub.stop()
})

/** Registers a worker with a browser, or with a problem. */
const registerWorker = (problem: string | null = null) =>
  api.db
    .insertInto('worker')
    .values({ id: createId(), host: hostname(), pid: 1, browser: problem ? null : '1', browser_source: null, problem })
    .execute()

const connection = { authType: 'basic', username: 'ann', password: 'hush-hush-2' }
const startPreview = (signal?: AbortSignal) =>
  fetch(`${origin}/monitor-api/scans/scope-preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { urls: ['https://example.org/'], type: 'custom', session: { connection } },
    }),
    ...(signal && { signal }),
  })
const countRows = async () => ({
  tasks: (await api.db.selectFrom('preview_task').selectAll().execute()).length,
  events: (await api.db.selectFrom('preview_event').selectAll().execute()).length,
})
/** Expires the lease of a task, as if its worker had been silent. */
const loseLease = (task: { id: string }) =>
  api.db
    .updateTable('preview_task')
    .set({ lease_until: new Date(0) })
    .where('id', '=', task.id)
    .execute()
const waitForClaim = async () => {
  const claim = () => claimNextTask(worker, ['preview', 'keystore'])
  for (let tries = 0; tries < 100; tries++) {
    const task = await claim()
    if (task) return task
    await sleep(50)
  }
  throw new Error('nobody asked')
}
const never = new AbortController().signal

it('reports at once a missing worker or the problem of its browser', async () => {
  const reply = await startPreview()
  expect(await reply.json()).toMatchObject({ code: 'no-browser', detail: 'No worker is running' })
  await registerWorker('There is no Chromium')
  expect(await (await startPreview()).json()).toMatchObject({ code: 'no-browser', detail: 'There is no Chromium' })
  expect(await countRows()).toEqual({ tasks: 0, events: 0 })
})

it('transfers a task sealed, returns its messages in order, and deletes all rows', async () => {
  await registerWorker()
  const reply = startPreview()
  const claim = await waitForClaim()
  const dump = async () => {
    const all = [
      ...(await api.db.selectFrom('preview_task').selectAll().execute()),
      ...(await api.db.selectFrom('preview_event').selectAll().execute()),
    ]
    return all.map(({ sealed }) => `${sealed.toString('latin1')} ${sealed.toString('base64')}`).join()
  }
  let receivedTask: Task | null = null
  let seen = ''
  await workOnTask(worker, claim, never, async (task, report) => {
    receivedTask = task
    for (let n = 0; n < 300; n++) report({ url: `https://example.org/${n}` })
    await sleep(300)
    seen = await dump()
    return { kind: 'whole' }
  })
  expect(receivedTask).toMatchObject({ kind: 'preview', asked: { plan: { session: { connection } } } })
  expect(seen.length).toBeGreaterThan(100)
  for (const secret of ['hush-hush-2', 'example.org', Buffer.from('hush-hush-2').toString('base64')])
    expect(seen).not.toContain(secret)
  const text = await (await reply).text()
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as { type: string })
  expect(events).toHaveLength(301)
  expect(events.slice(0, 300)).toEqual(
    Array.from({ length: 300 }, (_, n) => ({
      type: 'url',
      url: { url: `https://example.org/${n}` },
    })),
  )
  expect(events.at(-1)).toEqual({ type: 'end', end: 'whole', detail: null, change: null })
  await expect.poll(countRows).toEqual({ tasks: 0, events: 0 })
})

it('stops the worker when the watcher leaves', async () => {
  await registerWorker()
  const leaving = new AbortController()
  const reply = startPreview(leaving.signal)
  const claim = await waitForClaim()
  await reply
  const began = performance.now()
  const working = workOnTask(worker, claim, never, async (_task, _tell, signal) => {
    leaving.abort()
    await new Promise((done) => signal.addEventListener('abort', done))
    return { kind: 'stopped' }
  })
  await working
  expect(performance.now() - began).toBeLessThan(5000)
  await expect.poll(countRows).toEqual({ tasks: 0, events: 0 })
})

it('stops the worker when the watcher’s process is gone, and deletes its rows', async () => {
  await registerWorker()
  const leaving = new AbortController()
  const reply = startPreview(leaving.signal)
  const claim = await waitForClaim()
  await reply
  // Simulates an ended process: its row remains without renewals.
  await api.db.deleteFrom('preview_task').where('id', '=', claim.id).execute()
  const past = new Date(Date.now() - 1000)
  await api.db
    .insertInto('preview_task')
    .values({ ...claim, person_id: 'somebody', watched_until: past, lease_until: past })
    .execute()
  await workOnTask(worker, claim, never, async (_task, _tell, signal) => {
    leaving.abort()
    await new Promise((done) => signal.addEventListener('abort', done))
    return null
  })
  await api.db
    .insertInto('preview_task')
    .values({ ...claim, person_id: 'somebody', watched_until: past })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await deleteUnwatchedTasks(api)
  expect(await countRows()).toEqual({ tasks: 0, events: 0 })
})

it('tells the watcher when the worker dies while working', async () => {
  await registerWorker()
  const reply = startPreview()
  // The worker claims the task, and never reports again.
  const claim = await waitForClaim()
  await loseLease(claim)
  const text = await (await reply).text()
  expect(text).toContain('"end":"problem","detail":"The worker ended during this task. Try again."')
  await expect.poll(countRows).toEqual({ tasks: 0, events: 0 })
})

it('reports an unchecked keystore when no worker runs', async () => {
  const keystore = {
    authType: 'client_cer',
    keystoreName: 'a.p12',
    keystoreType: 'PKCS12',
    keystore: 'AAAA',
    keystorePassword: 'x',
  }
  const { body } = await api.call('POST', '/session-establishment-task/validate', { body: { connection: keystore } })
  expect(body).toMatchObject({ success: false, code: 'not-checked', params: { why: 'No worker is running' } })
})

it('returns no incomplete result when messages of the worker were lost', async () => {
  await registerWorker()
  const reply = startPreview()
  const claim = await waitForClaim()
  let broken = true
  const publish: PubSub['publish'] = (event) => {
    if (event.kind !== 'reported' || !broken) return pubSub.publish(event)
    broken = false
    return Promise.reject(new Error('the connection broke'))
  }
  const flaky = { ...worker, pubSub: { ...pubSub, publish } }
  await workOnTask(flaky, claim, never, async (_task, report) => {
    report({ url: 'https://example.org/' })
    await sleep(100)
    return { kind: 'whole' }
  })
  await loseLease(claim)
  const text = await (await reply).text()
  expect(text).toContain('The worker ended during this task')
  expect(text).not.toContain('"whole"')
})

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { type PubSub, openPubSub } from '../../../kit/pub-sub.ts'
import { newId } from '../../../kit/id.ts'
import { forgetUnwatched, nextTask, type Task, type TaskDeps, workOnTask } from './service.ts'

// The worker's half has a connection of its own for signals, as a process of its own has.
const api = apiOfFile()
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

/** A worker that says it has a browser, or why not. */
const signOn = (problem: string | null = null) =>
  api.db
    .insertInto('worker')
    .values({
      id: newId(),
      host: hostname(),
      pid: 1,
      browser: problem ? null : '1',
      browser_source: null,
      problem,
    })
    .execute()

const connection = { authType: 'basic', username: 'ann', password: 'hush-hush-2' }
const preview = (signal?: AbortSignal) =>
  fetch(`${origin}/monitor-api/scans/scope-preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { urls: ['https://example.org/'], type: 'custom', session: { connection } },
    }),
    ...(signal && { signal }),
  })
const rows = async () => ({
  tasks: (await api.db.selectFrom('preview_task').selectAll().execute()).length,
  events: (await api.db.selectFrom('preview_event').selectAll().execute()).length,
})
/** As when its worker has not reported for long. */
const loseLease = (task: { id: string }) =>
  api.db
    .updateTable('preview_task')
    .set({ lease_until: new Date(0) })
    .where('id', '=', task.id)
    .execute()
const taken = async () => {
  const claim = () => nextTask(worker, ['preview', 'keystore'])
  for (let tries = 0; tries < 100; tries++) {
    const task = await claim()
    if (task) return task
    await sleep(50)
  }
  throw new Error('nobody asked')
}
const never = new AbortController().signal

it('says at once that there is no worker, or what its browser lacks', async () => {
  const reply = await preview()
  expect(await reply.json()).toMatchObject({ code: 'no-browser', detail: 'No worker is running' })
  await signOn('There is no Chromium')
  expect(await (await preview()).json()).toMatchObject({ code: 'no-browser', detail: 'There is no Chromium' })
  expect(await rows()).toEqual({ tasks: 0, events: 0 })
})

it('hands a task over sealed, hands its answers back in order, and leaves nothing behind', async () => {
  await signOn()
  const reply = preview()
  const claim = await taken()
  const dump = async () => {
    const all = [
      ...(await api.db.selectFrom('preview_task').selectAll().execute()),
      ...(await api.db.selectFrom('preview_event').selectAll().execute()),
    ]
    return all.map(({ sealed }) => `${sealed.toString('latin1')} ${sealed.toString('base64')}`).join()
  }
  let asked: Task | null = null
  let seen = ''
  await workOnTask(worker, claim, never, async (task, report) => {
    asked = task
    for (let n = 0; n < 300; n++) report({ url: `https://example.org/${n}` })
    await sleep(300)
    seen = await dump()
    return { kind: 'whole' }
  })
  expect(asked).toMatchObject({ kind: 'preview', asked: { plan: { session: { connection } } } })
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
  expect(events.at(-1)).toEqual({ type: 'end', end: 'whole', detail: null })
  await expect.poll(rows).toEqual({ tasks: 0, events: 0 })
})

it('stops the worker when the watcher leaves', async () => {
  await signOn()
  const leaving = new AbortController()
  const reply = preview(leaving.signal)
  const claim = await taken()
  await reply
  const began = performance.now()
  const working = workOnTask(worker, claim, never, async (_task, _tell, signal) => {
    leaving.abort()
    await new Promise((done) => signal.addEventListener('abort', done))
    return { kind: 'stopped' }
  })
  await working
  expect(performance.now() - began).toBeLessThan(5000)
  await expect.poll(rows).toEqual({ tasks: 0, events: 0 })
})

it('stops the worker when the process of the watcher is gone, and clears away after it', async () => {
  await signOn()
  const leaving = new AbortController()
  const reply = preview(leaving.signal)
  const claim = await taken()
  await reply
  // As if the other process had ended: its row stays, and nobody renews it.
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
  await forgetUnwatched(api)
  expect(await rows()).toEqual({ tasks: 0, events: 0 })
})

it('tells the watcher when the worker dies in the middle', async () => {
  await signOn()
  const reply = preview()
  // It takes the task, and never reports again.
  const claim = await taken()
  await loseLease(claim)
  const text = await (await reply).text()
  expect(text).toContain('"end":"problem","detail":"The worker ended in the middle of this. Try again."')
  await expect.poll(rows).toEqual({ tasks: 0, events: 0 })
})

it('says that nobody could open a keystore when no worker runs', async () => {
  const keystore = {
    authType: 'client_cer',
    keystoreName: 'a.p12',
    keystoreType: 'PKCS12',
    keystore: 'AAAA',
    keystorePassword: 'x',
  }
  const { body } = await api.call('POST', '/session-establishment-task/validate', {
    body: { connection: keystore },
  })
  expect(body).toMatchObject({ success: false, code: 'not-checked', params: { why: 'No worker is running' } })
})

it('a worker whose words were lost on the way gives no answer that would pass for the whole', async () => {
  await signOn()
  const reply = preview()
  const claim = await taken()
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
  expect(text).toContain('The worker ended in the middle of this')
  expect(text).not.toContain('"whole"')
})

import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import { defaultQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createWorkerKeystores } from '../src/monitor/run/task/service.ts'
import { claimTask, insertTask } from '../src/monitor/run/task/store.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { uploadTo } from './upload.ts'

/** What somebody tries who wants everything for themselves. */
const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('boss', getRoleClaims('admin'))
})

const allow = (quotas: Partial<typeof defaultQuotas>) =>
  api.call('PUT', '/system-settings/quotas', { token: admin, body: { ...defaultQuotas, ...quotas } })
const refused = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
let number = 0
const make = async (who: string, more: Record<string, unknown> = {}) =>
  api.call('POST', '/scans', { token: await api.token(who), body: buildScanBody(`Scan ${(number += 1)}`, more) })

it('an administrator reads and sets them, nobody else', async () => {
  expect((await allow({ scans: 7 })).body).toMatchObject({ scans: 7, runs: defaultQuotas.runs })
  const { body } = await api.call('GET', '/system-settings/quotas', { token: admin })
  expect(body).toMatchObject({ scans: 7 })
  const stale = { ...defaultQuotas, version: 1 }
  expect(refused(await api.call('PUT', '/system-settings/quotas', { token: admin, body: stale }))).toEqual([
    409,
    'edit-conflict',
  ])
  expect((await api.call('PUT', '/system-settings/quotas', { body: defaultQuotas })).status).toBe(403)
})

it('more scans than one person may have', async () => {
  await allow({ scans: 2 })
  const first = await make('collector')
  expect([first.status, (await make('collector')).status]).toEqual([201, 201])
  expect(refused(await make('collector'))).toEqual([409, 'quota-scans'])
  expect((await make('modest')).status).toBe(201)
  const { id } = first.body as { id: string }
  await api.call('DELETE', `/scans/${id}`, { token: await api.token('collector') })
  expect((await make('collector')).status).toBe(201)
})

it('more runs at once than one person may start, also all in the same moment', async () => {
  await allow({ runs: 2 })
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await make('runner')).body as { id: string }),
  )
  const token = await api.token('runner')
  const start = (id: string) => api.call('POST', `/scans/${id}/startRun`, { token })
  const started = await Promise.all(ids.map(({ id }) => start(id)))
  expect(started.filter(({ status }) => status === 202)).toHaveLength(2)
  expect(started.filter(({ status }) => status === 429).map(refused)).toEqual(
    Array.from({ length: 3 }, () => [429, 'quota-runs']),
  )
  const [going] = ids.filter((_, index) => started[index]!.status === 202)
  await api.call('POST', `/scans/${going!.id}/cancel`, { token })
  const [waiting] = ids.filter((_, index) => started[index]!.status === 429)
  expect((await start(waiting!.id)).status).toBe(202)
})

it('a scan that writes to the whole town', async () => {
  await allow({ receivers: 2 })
  const to = (count: number) => ({
    notification: { specificUsers: Array.from({ length: count }, (_, i) => `someone${i}@example.org`) },
  })
  expect((await make('writer', to(2))).status).toBe(201)
  expect(refused(await make('writer', to(3)))).toEqual([409, 'quota-receivers'])
})

it('all slots for previews', async () => {
  await allow({ tries: 2 })
  const task = (id: number) => ({
    id: `00000000-0000-4000-8000-00000000000${id}`,
    kind: 'keystore' as const,
    sealed: Buffer.alloc(1),
  })
  const greedy = { personId: 'greedy', maxTasks: 2 }
  const stored = await Promise.all([1, 2, 3, 4].map((id) => insertTask(api, task(id), greedy)))
  expect(stored.filter(Boolean)).toHaveLength(2)
  // What the form asks of itself is counted apart.
  expect(await insertTask(api, { ...task(6), kind: 'reach' }, greedy)).toBe(true)
  // Somebody with nothing in work goes first.
  expect(await insertTask(api, task(5), { personId: 'patient', maxTasks: 2 })).toBe(true)
  const order = [await claimTask(api, ['keystore']), await claimTask(api, ['keystore'])]
  expect(order[1]?.id).toBe(task(5).id)
  const keystore = { bytes: Buffer.from('x'), type: 'PKCS12' as const, password: 'x' }
  await api.db
    .insertInto('worker')
    .values({ id: '00000000-0000-4000-8000-000000000009', host: 'here', pid: 1 })
    .execute()
  expect(await createWorkerKeystores(api)(keystore, { personId: 'greedy' })).toMatchObject({
    kind: 'not-checked',
    why: 'One person tries 2 things at once at most. Wait for the end of one.',
  })
})

it('more uploads in a day than one person may', async () => {
  await allow({ uploads: 2 })
  const token = await api.token('uploader')
  const { id } = (await make('uploader')).body as { id: string }
  await api.call('POST', `/scans/${id}/startRun`, { token })
  await api.call('POST', `/scans/${id}/cancel`, { token })
  const upload = () => uploadTo(api, { token, scan: id, run: 1 }, [{ text: '{}' }])
  expect([(await upload()).status, (await upload()).status]).toEqual([200, 200])
  expect(refused(await upload())).toEqual([429, 'quota-uploads'])
  await api.db.updateTable('daily_use').set({ day: '2020-01-01' }).execute()
  expect((await upload()).status).toBe(200)
})

it('more saved views than one person may have, also all in the same moment', async () => {
  await allow({ views: 2 })
  const token = await api.token('saver')
  const save = (name: string, by = token) =>
    api.call('POST', '/views', {
      token: by,
      body: { name, screen: 'scans', query: { show: 'mine' }, audience: { kind: 'me' } },
    })
  const saved = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name)))
  expect(saved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
  expect(refused(await save('e'))).toEqual([409, 'quota-views'])
  expect((await save('a', await api.token('modest'))).status).toBe(201)
  const { id } = saved.find(({ status }) => status === 201)!.body as { id: string }
  await api.call('DELETE', `/views/${id}`, { token })
  expect((await save('e')).status).toBe(201)
})

it('one that came after they were set has its default', async () => {
  await allow({ scans: 7 })
  await sql`update system_setting set value = value - 'views' where name = 'quotas'`.execute(api.db)
  const { body } = await api.call('GET', '/system-settings/quotas', { token: admin })
  expect(body).toMatchObject({ scans: 7, views: defaultQuotas.views })
})

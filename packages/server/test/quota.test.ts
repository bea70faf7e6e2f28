import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import { defaultQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createWorkerKeystores } from '../src/monitor/run/task-client/service.ts'
import { claimTask, insertTask } from '../src/monitor/run/task/store.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { uploadTo } from './upload.ts'

/** Attempts of a user to consume all resources. */
const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('boss', getRoleClaims('admin'))
})

const setQuotas = (quotas: Partial<typeof defaultQuotas>) =>
  api.call('PUT', '/system-settings/quotas', { token: admin, body: { ...defaultQuotas, ...quotas } })
const toRefusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
let number = 0
const createScan = async (username: string, extraSettings: Record<string, unknown> = {}) =>
  api.call('POST', '/scans', {
    token: await api.token(username),
    body: buildScanBody(`Scan ${(number += 1)}`, extraSettings),
  })

it('only an administrator reads and sets them', async () => {
  expect((await setQuotas({ scans: 7 })).body).toMatchObject({ scans: 7, runs: defaultQuotas.runs })
  const { body } = await api.call('GET', '/system-settings/quotas', { token: admin })
  expect(body).toMatchObject({ scans: 7 })
  const stale = { ...defaultQuotas, version: 1 }
  expect(toRefusal(await api.call('PUT', '/system-settings/quotas', { token: admin, body: stale }))).toEqual([
    409,
    'edit-conflict',
  ])
  expect((await api.call('PUT', '/system-settings/quotas', { body: defaultQuotas })).status).toBe(403)
})

it('more scans than one person may have', async () => {
  await setQuotas({ scans: 2 })
  const firstScan = await createScan('collector')
  expect([firstScan.status, (await createScan('collector')).status]).toEqual([201, 201])
  expect(toRefusal(await createScan('collector'))).toEqual([409, 'quota-scans'])
  expect((await createScan('modest')).status).toBe(201)
  const { id } = firstScan.body as { id: string }
  await api.call('DELETE', `/scans/${id}`, { token: await api.token('collector') })
  expect((await createScan('collector')).status).toBe(201)
  // Concurrent requests are counted as well.
  const eightAtOnce = await Promise.all(Array.from({ length: 8 }, () => createScan('hasty')))
  expect(eightAtOnce.filter(({ status }) => status === 201)).toHaveLength(2)
})

it('records concurrent deletions of one scan once', async () => {
  await setQuotas({})
  const deleteFour = async (deleteOnce: (id: string) => Promise<unknown>) => {
    const { id } = (await createScan('deleter')).body as { id: string }
    await Promise.all(Array.from({ length: 4 }, () => deleteOnce(id)))
    const auditReply = await api.call('GET', '/audit?action=deleted&size=500', { token: admin })
    return (auditReply.body as { content: { subject: string }[] }).content.filter(({ subject }) => subject === id).length
  }
  const token = await api.token('deleter')
  expect(await deleteFour((id) => api.call('DELETE', `/scans/${id}`, { token }))).toBe(1)
  const bulkChanges: number[] = []
  await deleteFour(async (id) => {
    const { body } = await api.call('POST', '/bulk/scans/delete', { token, body: { selectAllMode: false, selectedScans: [id] } })
    bulkChanges.push((body as { changed: number }).changed)
  })
  expect(bulkChanges.toSorted((first, second) => first - second)).toEqual([0, 0, 0, 1])
})

it('more runs at once than one person may start, also all at the same moment', async () => {
  await setQuotas({ runs: 2 })
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await createScan('runner')).body as { id: string }))
  const token = await api.token('runner')
  const startRun = (id: string) => api.call('POST', `/scans/${id}/startRun`, { token })
  const startReplies = await Promise.all(ids.map(({ id }) => startRun(id)))
  expect(startReplies.filter(({ status }) => status === 202)).toHaveLength(2)
  expect(startReplies.filter(({ status }) => status === 429).map(toRefusal)).toEqual(
    Array.from({ length: 3 }, () => [429, 'quota-runs']),
  )
  const [going] = ids.filter((_, index) => startReplies[index]!.status === 202)
  await api.call('POST', `/scans/${going!.id}/cancel`, { token })
  const [waiting] = ids.filter((_, index) => startReplies[index]!.status === 429)
  expect((await startRun(waiting!.id)).status).toBe(202)
})

it('a scan that sends mail to too many recipients', async () => {
  await setQuotas({ receivers: 2 })
  const buildRecipients = (count: number) => ({
    notification: { specificUsers: Array.from({ length: count }, (_, i) => `someone${i}@example.org`) },
  })
  expect((await createScan('writer', buildRecipients(2))).status).toBe(201)
  expect(toRefusal(await createScan('writer', buildRecipients(3)))).toEqual([409, 'quota-receivers'])
})

it('all slots for previews', async () => {
  await setQuotas({ tries: 2 })
  const buildTask = (id: number) => ({
    id: `00000000-0000-4000-8000-00000000000${id}`,
    kind: 'keystore' as const,
    sealed: Buffer.alloc(1),
  })
  const greedy = { personId: 'greedy', maxTasks: 2 }
  const taskResults = await Promise.all([1, 2, 3, 4].map((id) => insertTask(api, buildTask(id), greedy)))
  expect(taskResults.filter(Boolean)).toHaveLength(2)
  // Tasks that the form starts by itself are counted separately.
  expect(await insertTask(api, { ...buildTask(6), kind: 'reach' }, greedy)).toBe(true)
  // A user without tasks in progress has priority.
  expect(await insertTask(api, buildTask(5), { personId: 'patient', maxTasks: 2 })).toBe(true)
  const order = [await claimTask(api, ['keystore']), await claimTask(api, ['keystore'])]
  expect(order[1]?.id).toBe(buildTask(5).id)
  const keystore = { bytes: Buffer.from('x'), type: 'PKCS12' as const, password: 'x' }
  await api.db.insertInto('worker').values({ id: '00000000-0000-4000-8000-000000000009', host: 'here', pid: 1 }).execute()
  expect(await createWorkerKeystores(api)(keystore, { personId: 'greedy' })).toMatchObject({
    kind: 'not-checked',
    why: 'One person tries 2 things at once at most. Wait for the end of one.',
  })
})

it('more uploads in a day than one person may', async () => {
  await setQuotas({ uploads: 2 })
  const token = await api.token('uploader')
  const { id } = (await createScan('uploader')).body as { id: string }
  await api.call('POST', `/scans/${id}/startRun`, { token })
  await api.call('POST', `/scans/${id}/cancel`, { token })
  const uploadFile = () => uploadTo(api, { token, scan: id, run: 1 }, [{ text: '{}' }])
  expect([(await uploadFile()).status, (await uploadFile()).status]).toEqual([200, 200])
  expect(toRefusal(await uploadFile())).toEqual([429, 'quota-uploads'])
  await api.db.updateTable('daily_use').set({ day: '2020-01-01' }).execute()
  expect((await uploadFile()).status).toBe(200)
})

it('more saved views than one person may have, also all at the same moment', async () => {
  await setQuotas({ views: 2 })
  const token = await api.token('saver')
  const saveView = (name: string, viewToken = token) =>
    api.call('POST', '/views', {
      token: viewToken,
      body: { name, screen: 'scans', query: { show: 'mine' }, audience: { kind: 'me' } },
    })
  const viewReplies = await Promise.all(['a', 'b', 'c', 'd'].map((name) => saveView(name)))
  expect(viewReplies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
  expect(toRefusal(await saveView('e'))).toEqual([409, 'quota-views'])
  expect((await saveView('a', await api.token('modest'))).status).toBe(201)
  const { id } = viewReplies.find(({ status }) => status === 201)!.body as { id: string }
  await api.call('DELETE', `/views/${id}`, { token })
  expect((await saveView('e')).status).toBe(201)
})

it('a quota added after they were set has its default', async () => {
  await setQuotas({ scans: 7 })
  await sql`update system_setting set value = value - 'views' where name = 'quotas'`.execute(api.db)
  const { body } = await api.call('GET', '/system-settings/quotas', { token: admin })
  expect(body).toMatchObject({ scans: 7, views: defaultQuotas.views })
})

it('tells the highest use of each quota', async () => {
  await setQuotas({})
  const token = await api.token('heavy')
  const receivers = Array.from({ length: 30 }, (_, i) => `reader${i}@example.org`)
  const notification = { specificUsers: receivers }
  for (let i = 0; i < 20; i += 1) await createScan('heavy', i === 7 ? { name: 'Widely read', notification } : {})
  const { body } = await api.call('GET', '/system-settings/quotas/use', { token: admin })
  expect(body).toMatchObject({ scans: { count: 20, name: 'heavy Test' }, receivers: { count: 30, name: 'Widely read' } })
  expect((await api.call('GET', '/system-settings/quotas/use', { token })).status).toBe(403)
})

import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../kit/id.ts'
import { scanBody, apiOfFile } from '../../../test/api.ts'
import { retentionNow } from './service.ts'

const api = apiOfFile()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

it('lets the strictest role of a person decide whether they may create scans', async () => {
  const made = await api.call('POST', '/scans', { ...admin, body: scanBody('Given') })
  const scanId = (made.body as { id: string }).id
  const give = (person: string, role: 'scanMember' | 'scanViewer' | 'scanAdmin') =>
    api.db
      .insertInto('scan_access')
      .values({ id: newId(), scan_id: scanId, group_id: null, team_id: null, person_id: person, role })
      .execute()
  await give('viewer', 'scanViewer')
  await give('member', 'scanMember')
  const create = async (user: string) =>
    (
      await api.call('POST', '/scans', {
        token: await api.token(user),
        body: scanBody(`${user} ${Math.random()}`),
      })
    ).status
  const set = (members: boolean, viewers: boolean) =>
    api.call('PUT', '/system-settings', {
      ...admin,
      body: { allowScanMembersToCreateScans: members, allowScanViewersToCreateScans: viewers },
    })
  const all = async () => [
    await create('viewer'),
    await create('member'),
    await create('fresh'),
    await create('admin'),
  ]
  expect((await api.call('GET', '/system-settings', admin)).body).toEqual({
    version: expect.any(Number) as number,
    allowScanMembersToCreateScans: true,
    allowScanViewersToCreateScans: true,
  })
  await set(true, false)
  expect(await all()).toEqual([403, 201, 201, 201])
  await set(false, true)
  expect(await all()).toEqual([201, 403, 201, 201])
  // By then the viewer is scan admin of a scan of their own, too: that does not lift it.
  await set(true, false)
  expect(await create('viewer')).toBe(403)
  const { body } = await api.call('GET', '/users/permissions', { token: await api.token('viewer') })
  expect(body).toMatchObject({ canCreateScans: false })
  expect((await api.call('GET', '/system-settings')).status).toBe(403)
})

it('keeps what an administrator says of how long runs stay, in place of what the server was started with', async () => {
  const started = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 10 }
  const path = '/system-settings/retention'
  expect((await api.call('GET', path, admin)).body).toMatchObject(started)
  const refused = await api.call('PUT', path, { ...admin, body: { ...started, deleteDays: -1, keepRuns: 0 } })
  expect(refused.body).toMatchObject({
    errors: [
      { path: 'deleteDays', code: 'too-small' },
      { path: 'keepRuns', code: 'too-small' },
    ],
  })
  const chosen = { contentDays: 30, archiveDays: 90, deleteDays: 365, keepRuns: 5 }
  expect((await api.call('PUT', path, { ...admin, body: chosen })).body).toMatchObject(chosen)
  expect(await retentionNow(api, started)).toEqual(chosen)
  const viewer = { token: await api.token('viewer') }
  expect((await api.call('PUT', path, { ...viewer, body: started })).status).toBe(403)
  // The switches of the same table are read past it.
  expect((await api.call('GET', '/system-settings', admin)).status).toBe(200)
})

it.each([
  ['/system-settings', ['allowScanMembersToCreateScans', 'allowScanViewersToCreateScans']],
  ['/system-settings/retention', ['keepRuns', 'deleteDays']],
] as const)('tells who sets %s that somebody else has set it meanwhile', async (path, names) => {
  type Stored = Record<string, number | boolean> & { version: number }
  const read = async () => (await api.call('GET', path, admin)).body as Stored
  const put = (body: object) => api.call('PUT', path, { ...admin, body })
  const opened = await read()
  const changed = names.map((name) => {
    const value = opened[name]
    return { ...opened, [name]: typeof value === 'boolean' ? !value : Number(value) + 1 }
  })
  // Of two that come at once one is too late.
  const answers = await Promise.all(changed.map(put))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const now = await read()
  expect(now).toEqual(answers.find(({ status }) => status === 200)?.body)
  expect((await put(opened)).body).toMatchObject({ code: 'edit-conflict' })
  // Without a version it is taken as it is, and a change that was taken back is none.
  const { version, ...settings } = opened
  expect(await put(settings)).toMatchObject({ status: 200, body: { version } })
})

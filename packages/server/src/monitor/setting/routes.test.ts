import { beforeAll, expect, it } from 'vitest'
import { createId } from '../../kit/id.ts'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { readCurrentRetention } from './service.ts'

const api = useTestApi()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

it('uses the strictest role of a person for the permission to create scans', async () => {
  const createdScan = await api.call('POST', '/scans', { ...admin, body: buildScanBody('Given') })
  const scanId = (createdScan.body as { id: string }).id
  const grantRole = (person: string, role: 'scanMember' | 'scanViewer' | 'scanAdmin') =>
    api.db
      .insertInto('scan_access')
      .values({ id: createId(), scan_id: scanId, group_id: null, team_id: null, person_id: person, role })
      .execute()
  await grantRole('viewer', 'scanViewer')
  await grantRole('member', 'scanMember')
  const createScan = async (user: string) =>
    (
      await api.call('POST', '/scans', {
        token: await api.token(user),
        body: buildScanBody(`${user} ${Math.random()}`),
      })
    ).status
  const updateSettings = (members: boolean, viewers: boolean) =>
    api.call('PUT', '/system-settings', {
      ...admin,
      body: { allowScanMembersToCreateScans: members, allowScanViewersToCreateScans: viewers },
    })
  const createWithAllRoles = async () => [
    await createScan('viewer'),
    await createScan('member'),
    await createScan('fresh'),
    await createScan('admin'),
  ]
  expect((await api.call('GET', '/system-settings', admin)).body).toEqual({
    version: expect.any(Number) as number,
    allowScanMembersToCreateScans: true,
    allowScanViewersToCreateScans: true,
  })
  await updateSettings(true, false)
  expect(await createWithAllRoles()).toEqual([403, 201, 201, 201])
  await updateSettings(false, true)
  expect(await createWithAllRoles()).toEqual([201, 403, 201, 201])
  // The viewer is now also scan admin of their own scan, which changes nothing.
  await updateSettings(true, false)
  expect(await createScan('viewer')).toBe(403)
  const { body } = await api.call('GET', '/users/permissions', { token: await api.token('viewer') })
  expect(body).toMatchObject({ canCreateScans: false })
  expect((await api.call('GET', '/system-settings')).status).toBe(403)
})

it('stores an administrator’s retention settings, which override the server’s', async () => {
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
  expect(await readCurrentRetention(api, started)).toEqual(chosen)
  const viewer = { token: await api.token('viewer') }
  expect((await api.call('PUT', path, { ...viewer, body: started })).status).toBe(403)
  // The switches in the same table are independent.
  expect((await api.call('GET', '/system-settings', admin)).status).toBe(200)
})

it.each([
  ['/system-settings', ['allowScanMembersToCreateScans', 'allowScanViewersToCreateScans']],
  ['/system-settings/retention', ['keepRuns', 'deleteDays']],
] as const)('tells who sets %s that somebody else has set it meanwhile', async (path, names) => {
  type Stored = Record<string, number | boolean> & { version: number }
  const readSettings = async () => (await api.call('GET', path, admin)).body as Stored
  const updateSettings = (body: object) => api.call('PUT', path, { ...admin, body })
  const opened = await readSettings()
  const changed = names.map((name) => {
    const value = opened[name]
    return { ...opened, [name]: typeof value === 'boolean' ? !value : Number(value) + 1 }
  })
  // The second of two concurrent changes is refused.
  const answers = await Promise.all(changed.map(updateSettings))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const now = await readSettings()
  expect(now).toEqual(answers.find(({ status }) => status === 200)?.body)
  expect((await updateSettings(opened)).body).toMatchObject({ code: 'edit-conflict' })
  // Without a version any change is accepted, and a reverted change is none.
  const { version, ...settings } = opened
  expect(await updateSettings(settings)).toMatchObject({ status: 200, body: { version } })
})

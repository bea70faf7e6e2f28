import { sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'

const api = useTestApi()
let admin: { token: string }
let owner: { token: string }
let reader: { token: string }
let teamId: string

type Group = { scanGroupId: string; scanGroupName: string; scanCount: number; admins: { id: string }[] }
const getId = (reply: { body: never }) => (reply.body as { id: string }).id
const listErrors = (reply: { body: never }) =>
  (reply.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`)

beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
  owner = { token: await api.token('owner') }
  reader = { token: await api.token('reader') }
  for (const who of [owner, reader]) {
    await api.account('GET', '/me', who)
    await api.call('GET', '/users/permissions', who)
  }
  teamId = getId(await api.account('POST', '/teams', { ...admin, body: { name: 'Readers', members: ['reader'] } }))
  api.forgetAccounts()
})

it('are created by admins, managed by group admins, and grant their teams access to their scans', async () => {
  const foreign = getId(await api.call('POST', '/scans', { ...admin, body: buildScanBody('Foreign') }))
  const ownScanId = getId(await api.call('POST', '/scans', { ...owner, body: buildScanBody('Own') }))
  expect((await api.call('POST', '/groups', { ...owner, body: { scanGroupName: 'G' } })).status).toBe(403)
  const body = { scanGroupName: 'G', admins: ['owner'], scans: [foreign], teams: [{ teamId, role: 'scanViewer' }] }
  const createdGroup = await api.call('POST', '/groups', { ...admin, body })
  expect(createdGroup.body).toMatchObject({ scanCount: 1, admins: [{ id: 'owner' }], teams: [{ teamName: 'Readers' }] })
  const { scanGroupId: id } = createdGroup.body as Group
  expect((await api.call('GET', `/scans/${foreign}`, reader)).status).toBe(200)
  expect((await api.call('GET', `/scans/${ownScanId}`, reader)).status).toBe(404)

  // A group admin can only add scans whose access they administer.
  const change = (scans: string[]) => api.call('PATCH', `/groups/${id}`, { ...owner, body: { scans } })
  const third = getId(await api.call('POST', '/scans', { ...admin, body: buildScanBody('Third') }))
  expect(listErrors(await change([foreign, ownScanId, third]))).toEqual(['scans.2 unknown-value'])
  expect((await change([foreign, ownScanId])).body).toMatchObject({
    scanCount: 2,
    scanNames: ['Foreign', 'Own'],
    teams: [{ teamName: 'Readers' }],
  })
  expect((await api.call('GET', `/scans/${ownScanId}`, reader)).status).toBe(200)
  const names = (await api.call('GET', '/groups/scans/all', owner)).body as { name: string }[]
  expect(names.map(({ name }) => name)).toEqual(['Own'])

  // To others the group looks nonexistent.
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
  ] as const)
    expect((await api.call(method, `/groups/${id}${path}`, { ...reader, body: {} })).status).toBe(404)
  expect((await api.call('GET', `/groups/scan-groups/${id}/scans`, reader)).status).toBe(404)
  expect((await api.call('GET', `/groups/scan-groups/${id}/scans?size=0`, owner)).body).toMatchObject({
    content: [{ name: 'Foreign' }, { name: 'Own' }],
    page: { totalElements: 2, totalPages: 1 },
  })
  expect((await api.call('DELETE', `/groups/${id}`, owner)).status).toBe(204)
  expect((await api.call('GET', `/scans/${ownScanId}`, reader)).status).toBe(404)
  expect((await api.call('GET', `/scans/${ownScanId}`, owner)).status).toBe(200)
})

it('refuse an edit after a concurrent change', async () => {
  type Versioned = Group & { version: number }
  const createdGroup = (await api.call('POST', '/groups', { ...admin, body: { scanGroupName: 'Both' } })).body as Versioned
  const change = (body: object) => api.call('PATCH', `/groups/${createdGroup.scanGroupId}`, { ...admin, body })
  const renamed = await change({ scanGroupName: 'Both of us', version: createdGroup.version })
  expect(renamed.status).toBe(200)
  expect((await change({ admins: ['owner'], version: createdGroup.version })).body).toMatchObject({
    status: 409,
    code: 'edit-conflict',
  })
  const { version } = renamed.body as Versioned
  // The team access page changes roles as well.
  const assignments = [{ teamId, scanGroupId: createdGroup.scanGroupId, role: 'scanViewer' }]
  await api.call('POST', '/team-access', { ...admin, body: { assignments } })
  expect((await change({ scanGroupName: 'Mine', version })).status).toBe(409)
  const { body } = await api.call('GET', '/groups/scan-groups?search=Both', admin)
  const now = (body as { content: Versioned[] }).content[0]!.version
  const saved = await Promise.all(['One', 'Two'].map((scanGroupName) => change({ scanGroupName, version: now })))
  expect(saved.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  expect((await change({ scanGroupName: 'Whatever it is' })).status).toBe(200)
  await api.call('DELETE', `/groups/${createdGroup.scanGroupId}`, admin)
})

it('take scans that a saved scan adds at the same moment', async () => {
  const scanId = getId(await api.call('POST', '/scans', { ...admin, body: buildScanBody('Both') }))
  const { body } = await api.call('POST', '/groups', { ...admin, body: { scanGroupName: 'Both' } })
  const { scanGroupId: id } = body as Group
  const reply = await api.db.transaction().execute(async (trx) => {
    await trx.insertInto('scan_group_scan').values({ group_id: id, scan_id: scanId }).execute()
    const pending = api.call('PATCH', `/groups/${id}`, { ...admin, body: { scans: [scanId] } })
    // The call has deleted what it sees, and waits for this transaction.
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(api.db)
      expect(rows).toHaveLength(1)
    })
    return { pending }
  })
  expect(await reply.pending).toMatchObject({ status: 200, body: { scanCount: 1 } })
  await api.call('DELETE', `/groups/${id}`, admin)
})

it('are listed and sorted, and have unique names', async () => {
  for (const scanGroupName of ['beta', 'Alpha', 'gamma'])
    await api.call('POST', '/groups', { ...admin, body: { scanGroupName, admins: scanGroupName === 'beta' ? ['owner'] : [] } })
  const list = async (who: { token: string }, query: string) => {
    const { body } = await api.call('GET', `/groups/scan-groups?${query}`, who)
    return (body as { content: Group[] }).content.map((group) => group.scanGroupName)
  }
  expect(await list(admin, 'size=0&sortBy=scanGroupName&order=desc')).toEqual(['gamma', 'beta', 'Alpha'])
  expect(await list(admin, 'size=0&sort=scanGroupName,desc')).toEqual(['gamma', 'beta', 'Alpha'])
  expect(await list(admin, 'size=0&sort=scanCount,desc&sort=scanGroupName,desc&sortBy=createdAt')).toEqual([
    'gamma',
    'beta',
    'Alpha',
  ])
  expect(await list(admin, 'search=AM&timeZone=Asia/Tokyo')).toEqual(['gamma'])
  expect(await list(owner, '')).toEqual(['beta'])
  expect(await list(reader, '')).toEqual([])
  expect((await api.call('GET', '/groups/scan-groups?timeZone=Nowhere', admin)).status).toBe(400)
  const takenNameReply = await api.call('POST', '/groups', { ...admin, body: { scanGroupName: 'ALPHA' } })
  expect([takenNameReply.status, listErrors(takenNameReply)]).toEqual([409, ['scanGroupName name-taken']])
  const validateName = (body: object) => api.call('POST', '/groups/validate', { ...admin, body })
  expect((await validateName({ scanGroupName: 'alpha' })).body).toMatchObject({ success: false, code: 'name-taken' })
  expect((await validateName({ scanGroupName: 'delta' })).body).toEqual({ success: true })
  const wrong = {
    scanGroupName: 'x',
    admins: ['nobody'],
    teams: [
      { teamId, role: 'scanViewer' },
      { teamId, role: 'scanAdmin' },
    ],
  }
  expect(listErrors(await api.call('POST', '/groups', { ...admin, body: wrong }))).toEqual([
    'admins.0 unknown-value',
    'teams.1.teamId duplicate',
  ])
})

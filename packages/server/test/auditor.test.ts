import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { makeWorld, type World } from './world.ts'

const api = useTestApi()
let world: World
let token: string
beforeAll(async () => {
  world = await makeWorld(api)
  token = await api.token('auditor', getRoleClaims('auditor'))
})

const getBody = async (path: string) => (await api.call('GET', path, { token })).body as { content: unknown[] }

it('sees every scan, issue, page, group, shared script and grant, without a role given by a team', async () => {
  expect((await getBody('/scans')).content).toHaveLength(2)
  expect((await getBody(`/issues?scanId=${world.otherScan}`)).content).not.toEqual([])
  expect((await getBody(`/pages?scanId=${world.otherScan}`)).content).not.toEqual([])
  for (const path of ['/groups/scan-groups', '/scripts?shared=true', '/team-access'])
    expect([path, (await getBody(path)).content.length]).toEqual([path, 1])
})
it('has no right to change a scan', async () => {
  const { rights } = (await api.call('GET', `/scans/${world.scan}`, { token })).body as { rights: object }
  expect(rights).toEqual({ run: false, manage: false, discuss: false, curate: false, export: true })
})
it('cannot change anything in bulk: selected rows count as skipped', async () => {
  const body = { filters: { everything: true }, expectedCount: 9, selected: { selectAllMode: true } }
  const change = { ...body, fieldsToUpdate: { status: 'fixed' } }
  for (const [method, path, requestBody, expectedReply] of [
    ['PATCH', '/bulk/issues', change, { skipped: 9, undo: null }],
    ['POST', '/bulk/issues/delete', body, { skipped: 9 }],
  ] as const) {
    const reply = await api.call(method, path, { token, body: requestBody })
    expect([path, reply.body]).toEqual([path, { success: true, changed: 0, next: null, ...expectedReply }])
  }
  expect((await getBody('/scans')).content).toHaveLength(2)
})
it('has the higher role if a team gives one', async () => {
  const grant = { id: '019a0000-0000-7000-8000-000000000001', person_id: 'auditor', team_id: null }
  await api.db
    .insertInto('scan_access')
    .values({ ...grant, scan_id: world.scan, group_id: null, role: 'scanMember' })
    .execute()
  const { rights } = (await api.call('GET', `/scans/${world.scan}`, { token })).body as { rights: object }
  expect(rights).toMatchObject({ run: true, curate: true, manage: false })
})

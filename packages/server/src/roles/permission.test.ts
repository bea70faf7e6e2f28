import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import {
  generalPermissions,
  roleMay,
  scanPermissions,
  type ScanPermission,
} from '@clearway/contract/kit/permission.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../kit/id.ts'
import { monitorHandlers } from './api.ts'
import { openTestApi, scanBody, type TestApi } from './test-api.ts'

let api: TestApi
let scanId: string
const tokens = new Map<string, string | null>()

/** Callers, each with the role he has on the scan; `outsider` has access to the product, and none to the scan. */
const callers = [
  'admin',
  'scanAdmin',
  'scanMember',
  'scanViewer',
  'outsider',
  'noAccess',
  'expired',
  'foreign',
  'nobody',
] as const
type Who = (typeof callers)[number]

beforeAll(async () => {
  api = await openTestApi()
  const past = Math.floor(Date.now() / 1000) - 60
  tokens.set('admin', await api.token('admin', ['access', 'admin']))
  for (const who of ['scanAdmin', 'scanMember', 'scanViewer', 'outsider'])
    tokens.set(who, await api.token(who))
  tokens.set('noAccess', await api.token('noAccess', []))
  tokens.set('expired', await api.token('scanAdmin', ['access'], { exp: past }))
  tokens.set('foreign', await api.token('scanAdmin', ['access'], { aud: 'another-api' }))
  tokens.set('nobody', null)
  const made = await api.call('POST', '/scans', { token: tokens.get('scanAdmin')!, body: scanBody('Matrix') })
  scanId = (made.body as { id: string }).id
  // A member by himself, a viewer through his team and a group of scans.
  await api.db
    .insertInto('scan_access')
    .values({
      id: newId(),
      scan_id: scanId,
      group_id: null,
      team_id: null,
      person_id: 'scanMember',
      role: 'scanMember',
    })
    .execute()
  await api.db.insertInto('team').values({ id: 'team', name: 'Team' }).execute()
  await api.db.insertInto('team_member').values({ team_id: 'team', person_id: 'scanViewer' }).execute()
  const group = newId()
  await api.db.insertInto('scan_group').values({ id: group, name: 'Group' }).execute()
  await api.db.insertInto('scan_group_scan').values({ group_id: group, scan_id: scanId }).execute()
  await api.db
    .insertInto('scan_access')
    .values({
      id: newId(),
      scan_id: null,
      group_id: group,
      team_id: 'team',
      person_id: null,
      role: 'scanViewer',
    })
    .execute()
})
afterAll(() => api.close())

const isScan = (permission: string): permission is ScanPermission => permission in scanPermissions

/** What the permission alone makes of a caller: an error status, or null for "goes on". */
function expected(endpoint: Endpoint, who: Who): number | null {
  const { permission } = endpoint
  if (who === 'expired' || who === 'foreign') return 401
  if (permission === 'open') return null
  if (who === 'nobody') return 401
  if (permission === 'signed-in') return null
  if (who === 'noAccess') return 403
  if (!isScan(permission)) return permission === 'admin' && who !== 'admin' ? 403 : null
  // Pages and issues that do not exist look like those that one may not see.
  if (!endpoint.path.startsWith('/scans/')) return 404
  if (who === 'outsider') return 404
  return roleMay(who, permission) ? null : 403
}

const table: [string, Endpoint][] = Object.entries(monitorApi)
// Deleting comes last: the others want the scan.
const cases = table
  .sort(([, a], [, b]) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  .flatMap(([name, endpoint]) => [...callers].reverse().map((who) => [name, who, endpoint] as const))

describe('who may call what', () => {
  it('every call has a handler and a known permission', () => {
    const handlers = monitorHandlers({ config: {}, db: api.db } as never)
    for (const [name, { permission }] of table) {
      expect(handlers, name).toHaveProperty(name)
      expect(isScan(permission) || permission in generalPermissions, name).toBe(true)
    }
  })

  it.each(cases)('%s by %s', async (_name, who, endpoint) => {
    // The scan admin has deleted the scan by then.
    const deletable = async () =>
      (await api.call('POST', '/scans', { body: scanBody('Another') })).body as { id: string }
    const own = endpoint.path.startsWith('/scans/')
    const id =
      endpoint.method === 'DELETE' && who === 'admin' ? (await deletable()).id : own ? scanId : newId()
    const path = endpoint.path.replace('{id}', id).replace('{run}', '999').replace('{rule}', 'x')
    const body = endpoint.body ? {} : undefined
    const reply = await api.call(endpoint.method, path, { token: tokens.get(who)!, body })
    const status = expected(endpoint, who)
    // Whoever goes on gets an answer or an error about what he sent, which here is mostly nothing.
    if (status === null) expect([200, 202, 204, 400, 404, 409]).toContain(reply.status)
    else expect(reply.status).toBe(status)
    if (status !== null) expect(reply.type).toContain('application/problem+json')
    if (status === null && reply.status === 404) expect(path).toContain('999')
  })
})

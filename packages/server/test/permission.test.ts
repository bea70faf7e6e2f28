/** @module-tag slow */
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { getRoleClaims, isScanPermission, permissions, hasPermission, systemRoles } from '@clearway/contract/kit/permission.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { publicApiByScope } from '@clearway/contract/monitor/user/public/api.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createId } from '../src/kit/id.ts'
import { createMonitorHandlers } from '../src/process/api.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { buildUrl, makeWorld, type World } from './world.ts'

const api = useTestApi()
let world: World
const tokens = new Map<string, string | null>()

/**
 * Callers, each with a role: on the scan, or by their sign-in without any on the scan; `otherGuest` came by the link of
 * another scan.
 */
const callers = [
  'admin',
  'scanAdmin',
  'scanMember',
  'scanViewer',
  ...systemRoles.filter((role) => role !== 'admin'),
  'guest',
  'otherGuest',
  'expired',
  'foreign',
  'nobody',
] as const
type Caller = (typeof callers)[number]

beforeAll(async () => {
  world = await makeWorld(api)
  const past = Math.floor(Date.now() / 1000) - 60
  for (const systemRole of systemRoles) tokens.set(systemRole, await api.token(systemRole, getRoleClaims(systemRole)))
  for (const username of ['scanAdmin', 'scanMember', 'scanViewer']) tokens.set(username, await api.token(username))
  tokens.set('expired', await api.token('scanAdmin', ['access'], { exp: past }))
  tokens.set('foreign', await api.token('scanAdmin', ['access'], { aud: 'another-api' }))
  tokens.set('nobody', null)
})

const hasScanRole = (caller: Caller) => ['scanAdmin', 'scanMember', 'scanViewer'].includes(caller)

/** Result of the permission check alone: an error status, or null to continue. */
function getExpectedStatus(endpoint: Endpoint, caller: Caller): number | null {
  const { permission } = endpoint
  if (caller === 'expired' || caller === 'foreign') return 401
  if (permission === 'open') return null
  if (caller === 'nobody') return 401
  if (caller === 'outsider' && !hasPermission(caller, permission)) return 403
  const { about } = permissions[permission]
  if (about === 'nothing') {
    // A team's role on a scan has no effect beyond it.
    const role = caller === 'otherGuest' ? 'guest' : hasScanRole(caller) ? 'user' : caller
    return hasPermission(role, permission) ? null : 403
  }
  if (caller !== 'guest' && caller !== 'otherGuest' && about === 'group') return hasPermission(caller, permission) ? null : 404
  if (about === 'group') return 403
  if (caller === 'user' || caller === 'otherGuest') return 404
  return hasPermission(caller, permission) ? null : 403
}

const table: [string, Endpoint][] = Object.entries(monitorApi)
// Deletions run last: first dependent objects, then scans, then the others.
const lastly: Readonly<Record<string, number>> = { '/issues/{id}': 2, '/pages/{id}': 2, '/scans/{id}': 3, '/groups/{id}': 4 }
const getOrder = ({ method, path }: Endpoint) => (method === 'DELETE' ? (lastly[path] ?? 1) : 0)
const cases = table
  .sort(([, a], [, b]) => getOrder(a) - getOrder(b))
  .flatMap(([name, endpoint]) => [...callers].reverse().map((caller) => [name, caller, endpoint] as const))

async function sendRequest(endpoint: Endpoint, caller: Caller, url: string) {
  // Groups are deleted last, when the scan and its link are gone.
  const scanId = endpoint.path === '/groups/{id}' ? world.otherScan : world.scan
  const guest = caller === 'guest' ? scanId : caller === 'otherGuest' ? world.otherScan : null
  const body = endpoint.body ? {} : undefined
  if (guest) return api.call(endpoint.method, url, { guest: await world.guest(guest), body })
  return api.call(endpoint.method, url, { token: tokens.get(caller)!, body })
}

// Before the calls of people, whose deletions end the world.
describe('API keys', () => {
  const owners = ['admin', 'auditor', 'scanAdmin', 'scanMember', 'scanViewer', 'user'] as const
  const publicCalls = ApiScope.options.flatMap((scope) =>
    Object.entries<Endpoint>(publicApiByScope[scope]).map(([name, endpoint]) => [name, scope, endpoint] as const),
  )
  const keys = new Map<string, string>()
  beforeAll(async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const owner of owners)
      for (const scope of ApiScope.options) {
        const body = { name: `${owner} ${scope}`, scopes: [scope], expiresAt }
        const created = await api.call('POST', '/api-keys', { token: tokens.get(owner)!, body })
        keys.set(body.name, (created.body as { key: string }).key)
      }
  })

  it.each(publicCalls)('%s needs the scope %s, and the permission of the owner', async (_name, requiredScope, endpoint) => {
    // An object that only admins see, so that no permitted deletion changes the world of the other tests.
    const isDeletion = endpoint.method === 'DELETE'
    const url = `/monitor-public-api/v1${isDeletion ? endpoint.path.replaceAll(/\{\w+\}/g, createId()) : buildUrl(endpoint.path, world)}`
    for (const owner of owners)
      for (const scope of ApiScope.options) {
        const reply = await api.app.inject({
          method: endpoint.method,
          url,
          headers: { 'x-api-key': keys.get(`${owner} ${scope}`)! },
          ...(endpoint.body && { payload: {} }),
        })
        const situation = `${owner} with ${scope}: ${reply.body}`
        const status = getExpectedStatus(endpoint, owner)
        if (scope !== requiredScope) expect(reply.json(), situation).toMatchObject({ code: 'access-denied' })
        else if (isDeletion) expect([403, 404], situation).toContain(reply.statusCode)
        else if (status === null) expect([200, 201, 202, 204, 400, 404, 409], situation).toContain(reply.statusCode)
        else expect(reply.statusCode, situation).toBe(status)
      }
  })
})

describe('who may call what', () => {
  it('every call has a handler and a known permission', () => {
    const handlers = createMonitorHandlers({ ...api, seal: null, accounts: null, facts: {} } as never)
    for (const [name, { permission }] of table) {
      expect(handlers, name).toHaveProperty(name)
      expect(permission in permissions, name).toBe(true)
    }
  })

  it.each(cases.filter(([, , endpoint]) => !('events' in endpoint.reply)))('%s by %s', async (_name, caller, endpoint) => {
    const reply = await sendRequest(endpoint, caller, buildUrl(endpoint.path, world))
    const status = getExpectedStatus(endpoint, caller)
    // Permitted callers get a success, or an error about their input, which is mostly empty here.
    const fine = [200, 201, 202, 204, 400, 404, 409, 415]
    if (status === null) expect(fine, JSON.stringify(reply.body)).toContain(reply.status)
    else expect(reply.status).toBe(status)
    if (status !== null) expect(reply.type).toContain('application/problem+json')
  })
})

describe('hidden objects', () => {
  const scanCalls = table.filter(
    ([, { path, permission, method }]) => path.includes('{id}') && isScanPermission(permission) && method !== 'DELETE',
  )

  it.each(scanCalls)('%s returns the same for missing and for hidden objects', async (_name, endpoint) => {
    if ('events' in endpoint.reply) return
    const stranger = tokens.get('user')!
    const body = endpoint.body ? {} : undefined
    const readReply = async (url: string) => {
      const { status, body: replyBody } = await api.call(endpoint.method, url, { token: stranger, body })
      const { requestId: _, ...problem } = replyBody as Record<string, unknown>
      return { status, problem }
    }
    const hidden = await readReply(buildUrl(endpoint.path, world, false))
    const missingUrl = endpoint.path.replaceAll('{id}', createId()).replace('{run}', '1').replace('{other}', '1')
    expect(hidden).toEqual(await readReply(missingUrl.replaceAll(/\{\w+\}/g, createId())))
    expect(hidden.status).toBe(404)
  })

  it('are in no list, count, export or bulk call', async () => {
    const admin = tokens.get('admin')!
    const fresh = (await api.call('POST', '/scans', { token: admin, body: buildScanBody('Out of sight') })).body as { id: string }
    const stranger = tokens.get('user')!
    const getBody = async (path: string) => (await api.call('GET', path, { token: stranger })).body as unknown
    for (const path of ['/scans', '/issues', '/pages', '/scan/activity', '/scan/withPresets', '/violations'])
      expect(await getBody(`${path}?size=500`), path).toMatchObject({ content: [], page: { totalElements: 0 } })
    for (const path of ['/scan/fetchScanScores', '/tags']) expect(await getBody(path), path).toMatchObject({ content: [] })
    const issues = { selected: { selectAllMode: false, selectedIssues: [world.otherIssue] } }
    const selectAll = { filters: { everything: true }, expectedCount: 0, selected: { selectAllMode: true } }
    const sendBody = async (path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST') =>
      (await api.call(method, path, { token: stranger, body })).body as unknown
    for (const body of [issues, selectAll]) {
      expect(await sendBody('/bulk/issues/getSelectedIssuesCount', body)).toMatchObject({ count: 0 })
      expect(await sendBody('/bulk/issues', { ...body, fieldsToUpdate: { status: 'fixed' } }, 'PATCH')).toMatchObject({
        changed: 0,
        skipped: 0,
      })
      expect(await sendBody('/bulk/issues/delete', body)).toMatchObject({ changed: 0, skipped: 0 })
      expect(
        String(await sendBody('/bulk/issues/export/csv', body))
          .trim()
          .split('\n'),
      ).toHaveLength(1)
    }
    const scans = { selectAllMode: false, selectedScans: [fresh.id] }
    expect(await sendBody('/bulk/scans/delete', scans)).toMatchObject({ changed: 0, skipped: 0 })
    expect(await sendBody('/bulk/scans/selected', { selectAllMode: true })).toMatchObject({ count: 0 })
    expect(await sendBody('/bulk/pages/delete', selectAll)).toMatchObject({ changed: 0, skipped: 0 })
  })
})

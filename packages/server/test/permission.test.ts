import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import {
  getRoleClaims,
  isScanPermission,
  permissions,
  hasPermission,
  systemRoles,
} from '@clearway/contract/kit/permission.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createId } from '../src/kit/id.ts'
import { createMonitorHandlers } from '../src/process/api.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { urlOf, makeWorld, type World } from './world.ts'

const api = useTestApi()
let world: World
const tokens = new Map<string, string | null>()

/**
 * Callers, each with a role: on the scan, or by their sign-in and with none given on the scan;
 * `otherGuest` came by the link of another scan.
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
type Who = (typeof callers)[number]

beforeAll(async () => {
  world = await makeWorld(api)
  const past = Math.floor(Date.now() / 1000) - 60
  for (const who of systemRoles) tokens.set(who, await api.token(who, getRoleClaims(who)))
  for (const who of ['scanAdmin', 'scanMember', 'scanViewer']) tokens.set(who, await api.token(who))
  tokens.set('expired', await api.token('scanAdmin', ['access'], { exp: past }))
  tokens.set('foreign', await api.token('scanAdmin', ['access'], { aud: 'another-api' }))
  tokens.set('nobody', null)
})

const isSubject = (who: Who) => ['scanAdmin', 'scanMember', 'scanViewer'].includes(who)

/** What the permission alone makes of a caller: an error status, or null for "goes on". */
function expected(endpoint: Endpoint, who: Who): number | null {
  const { permission } = endpoint
  if (who === 'expired' || who === 'foreign') return 401
  if (permission === 'open') return null
  if (who === 'nobody') return 401
  if (who === 'outsider' && !hasPermission(who, permission)) return 403
  const { about } = permissions[permission]
  if (about === 'nothing') {
    // What a team gives on a scan changes nothing beyond it.
    const role = who === 'otherGuest' ? 'guest' : isSubject(who) ? 'user' : who
    return hasPermission(role, permission) ? null : 403
  }
  if (who !== 'guest' && who !== 'otherGuest' && about === 'group')
    return hasPermission(who, permission) ? null : 404
  if (about === 'group') return 403
  if (who === 'user' || who === 'otherGuest') return 404
  return hasPermission(who, permission) ? null : 403
}

const table: [string, Endpoint][] = Object.entries(monitorApi)
// What is deleted is deleted last: first what hangs on something, then scans, then the rest.
const lastly: Readonly<Record<string, number>> = {
  '/issues/{id}': 2,
  '/pages/{id}': 2,
  '/scans/{id}': 3,
  '/groups/{id}': 4,
}
const order = ({ method, path }: Endpoint) => (method === 'DELETE' ? (lastly[path] ?? 1) : 0)
const cases = table
  .sort(([, a], [, b]) => order(a) - order(b))
  .flatMap(([name, endpoint]) => [...callers].reverse().map((who) => [name, who, endpoint] as const))

async function ask(endpoint: Endpoint, who: Who, url: string) {
  // Groups go last, when the scan is gone and its link with it.
  const own = endpoint.path === '/groups/{id}' ? world.otherScan : world.scan
  const guest = who === 'guest' ? own : who === 'otherGuest' ? world.otherScan : null
  const body = endpoint.body ? {} : undefined
  if (guest) return api.call(endpoint.method, url, { guest: await world.guest(guest), body })
  return api.call(endpoint.method, url, { token: tokens.get(who)!, body })
}

describe('who may call what', () => {
  it('every call has a handler and a known permission', () => {
    const handlers = createMonitorHandlers({ ...api, seal: null, accounts: null } as never)
    for (const [name, { permission }] of table) {
      expect(handlers, name).toHaveProperty(name)
      expect(permission in permissions, name).toBe(true)
    }
  })

  it.each(cases.filter(([, , endpoint]) => !('events' in endpoint.reply)))(
    '%s by %s',
    async (_name, who, endpoint) => {
      const reply = await ask(endpoint, who, urlOf(endpoint.path, world))
      const status = expected(endpoint, who)
      // Callers who may go on get an answer or an error about what they sent, which here is mostly nothing.
      const fine = [200, 201, 202, 204, 400, 404, 409, 415]
      if (status === null) expect(fine, JSON.stringify(reply.body)).toContain(reply.status)
      else expect(reply.status).toBe(status)
      if (status !== null) expect(reply.type).toContain('application/problem+json')
    },
  )
})

describe('what is hidden', () => {
  const own = table.filter(
    ([, { path, permission, method }]) =>
      path.includes('{id}') && isScanPermission(permission) && method !== 'DELETE',
  )

  it.each(own)(
    '%s answers alike for what is not there and for what one may not see',
    async (_name, endpoint) => {
      if ('events' in endpoint.reply) return
      const stranger = tokens.get('user')!
      const body = endpoint.body ? {} : undefined
      const shown = async (url: string) => {
        const { status, body: answer } = await api.call(endpoint.method, url, { token: stranger, body })
        const { requestId: _, ...problem } = answer as Record<string, unknown>
        return { status, problem }
      }
      const hidden = await shown(urlOf(endpoint.path, world, false))
      const nothing = endpoint.path.replaceAll('{id}', createId()).replace('{run}', '1').replace('{other}', '1')
      expect(hidden).toEqual(await shown(nothing.replaceAll(/\{\w+\}/g, createId())))
      expect(hidden.status).toBe(404)
    },
  )

  it('is in no list, count, export or bulk call', async () => {
    const admin = tokens.get('admin')!
    const fresh = (await api.call('POST', '/scans', { token: admin, body: buildScanBody('Out of sight') }))
      .body as { id: string }
    const stranger = tokens.get('user')!
    const get = async (path: string) => (await api.call('GET', path, { token: stranger })).body as unknown
    for (const path of ['/scans', '/issues', '/pages', '/scan/activity', '/scan/withPresets', '/violations'])
      expect(await get(`${path}?size=500`), path).toMatchObject({ content: [], page: { totalElements: 0 } })
    for (const path of ['/scan/fetchScanScores', '/tags'])
      expect(await get(path), path).toMatchObject({ content: [] })
    const issues = { selected: { selectAllMode: false, selectedIssues: [world.otherIssue] } }
    const all = { selected: { selectAllMode: true } }
    const post = async (path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST') =>
      (await api.call(method, path, { token: stranger, body })).body as unknown
    for (const body of [issues, all]) {
      expect(await post('/bulk/issues/getSelectedIssuesCount', body)).toMatchObject({ count: 0 })
      expect(
        await post('/bulk/issues', { ...body, fieldsToUpdate: { status: 'fixed' } }, 'PATCH'),
      ).toMatchObject({ changed: 0, skipped: 0 })
      expect(await post('/bulk/issues/delete', body)).toMatchObject({ changed: 0, skipped: 0 })
      expect(
        String(await post('/bulk/issues/export/csv', body))
          .trim()
          .split('\n'),
      ).toHaveLength(1)
    }
    const scans = { selectAllMode: false, selectedScans: [fresh.id] }
    expect(await post('/bulk/scans/delete', scans)).toMatchObject({ changed: 0, skipped: 0 })
    expect(await post('/bulk/scans/selected', { selectAllMode: true })).toMatchObject({ count: 0 })
    expect(await post('/bulk/pages/delete', { selected: { selectAllMode: true } })).toMatchObject({
      changed: 0,
      skipped: 0,
    })
  })
})

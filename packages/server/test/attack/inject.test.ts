/** @module-tag slow */
import { normalizeName } from '@clearway/contract/kit/name.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../api.ts'
import { buildUrl, makeWorld, type World } from '../world.ts'

const api = useTestApi()
let world: World
let admin: string
beforeAll(async () => {
  world = await makeWorld(api)
  admin = await api.token('admin', ['access', 'admin'])
})

const nasty = [
  `'; drop table scan; --`,
  `' or '1'='1`,
  '%_\\',
  '${7*7}{{7*7}}',
  '../../../etc/passwd',
  '__proto__',
  '\r\nSet-Cookie: a=b',
  '<script>alert(1)</script>',
  '\u202Eevil',
]
const lists = (Object.entries(monitorApi) as [string, Endpoint][]).filter(
  ([, { method, query, reply }]) => method === 'GET' && query && !('events' in reply),
)

describe('hostile input', () => {
  it.each(lists)('in every parameter of %s is only a value or an error', async (_name, endpoint) => {
    for (const parameter of Object.keys(endpoint.query!.def.shape))
      for (const hostileText of nasty) {
        const query = `${parameter}=${encodeURIComponent(hostileText)}`
        const { status } = await api.call('GET', `${buildUrl(endpoint.path, world)}?${query}`, { token: admin })
        expect([200, 400, 404], query).toContain(status)
      }
    const scanRows = await api.db.selectFrom('scan').select('id').execute()
    expect(scanRows.length).toBeGreaterThan(1)
  })

  it.each(nasty)('is stored and returned unchanged: %s', async (hostileText) => {
    const body = buildScanBody(`N ${hostileText.replaceAll(/[\r\n]/g, '')}`)
    const created = await api.call('POST', '/scans', { token: admin, body })
    expect(created.body).toMatchObject({ settings: { name: normalizeName(body.name) } })
    const labels = hostileText.replaceAll(/[\r\n]/g, ' ')
    const reply = await api.call('POST', `/issues/${world.issue}/labels`, { token: admin, body: { labels: [labels] } })
    expect(reply.body).toMatchObject({ labels: expect.arrayContaining([labels.trim()]) })
    const issueList = await api.call('GET', `/issues?label=${encodeURIComponent(labels.trim())}`, { token: admin })
    expect(issueList.body).toMatchObject({ content: [{ id: world.issue }] })
  })

  it('cannot change any prototype', async () => {
    const sendPayload = (payload: string) =>
      api.app.inject({
        method: 'POST',
        url: '/monitor-api/scans',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        payload,
      })
    for (const key of ['__proto__', 'constructor']) {
      const reply = await sendPayload(`{"name":"P","urls":["https://a.example/"],"${key}":{"prototype":{"isAdmin":true}}}`)
      expect(reply.statusCode).toBe(400)
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('in headers goes nowhere', async () => {
    const reply = await api.app.inject({
      url: '/monitor-api/scans',
      headers: {
        authorization: `Bearer ${admin}`,
        'x-realm': `' or 1=1`,
        'x-request-id': 'evil',
        'x-forwarded-for': '<b>',
      },
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['x-request-id']).not.toBe('evil')
    const guest = await api.call('GET', '/scans', { guest: `' or '1'='1` })
    expect(guest.status).toBe(401)
  })

  it('as deep or endless JSON is refused', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const sendPayload = (payload: string) =>
      api.app.inject({
        method: 'POST',
        url: '/monitor-api/bulk/issues/getSelectedIssuesCount',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        payload,
      })
    expect((await sendPayload(deep)).statusCode).toBe(400)
    expect((await sendPayload(JSON.stringify({ filters: { search: 'x'.repeat(2_000_000) } }))).statusCode).toBe(413)
    const ids = Array.from({ length: 10_001 }, () => world.issue)
    expect((await sendPayload(JSON.stringify({ selected: { selectedIssues: ids } }))).statusCode).toBe(400)
  })
})

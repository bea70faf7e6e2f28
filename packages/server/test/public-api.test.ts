import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../src/monitor/audit/service.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { makeWorld, type World } from './world.ts'

const api = useTestApi({ environment: { CLEARWAY_PUBLIC_RATE: '60' } })
let world: World
beforeAll(async () => {
  world = await makeWorld(api)
})

const getDateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const createKey = async (username: string, scopes: string[], expiresAt = getDateInDays(30)) =>
  api.call('POST', '/api-keys', { token: await api.token(username), body: { name: 'CI', scopes, expiresAt } })
const createAndReadKey = async (username: string, scopes: string[]) =>
  ((await createKey(username, scopes)).body as { key: string }).key
const sendRequest = (key: string | null, path: string, method: 'GET' | 'POST' = 'GET') =>
  api.app.inject({
    method,
    url: `/monitor-public-api/v1${path}`,
    headers: key === null ? {} : { 'x-api-key': key },
  })

describe('keys of the public API', () => {
  it('are returned once, stored as a hash, listed without the secret, and invalid after deletion', async () => {
    const createdKey = (await createKey('scanAdmin', ['read'])).body as { id: string; key: string; hint: string }
    expect(createdKey.key).toMatch(/^cw_[\w-]{43}$/)
    const keyRows = await api.db.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(keyRows)).not.toContain(createdKey.key)
    const listed = (await api.call('GET', '/api-keys', { token: await api.token('scanAdmin') })).body
    expect(JSON.stringify(listed)).not.toContain(createdKey.key)
    expect(listed).toMatchObject({ content: [{ id: createdKey.id, hint: createdKey.hint, expired: false }] })
    expect((await sendRequest(createdKey.key, '/scans')).statusCode).toBe(200)
    // No other user can delete it.
    const foreign = await api.call('DELETE', `/api-keys/${createdKey.id}`, { token: await api.token('outsider') })
    expect(foreign.status).toBe(404)
    await api.call('DELETE', `/api-keys/${createdKey.id}`, { token: await api.token('scanAdmin') })
    expect((await sendRequest(createdKey.key, '/scans')).statusCode).toBe(401)
  })

  it.each([
    [getDateInDays(-1), 'too-small'],
    [getDateInDays(400), 'too-big'],
  ])('expire within a year: %s', async (expiresAt, code) => {
    expect((await createKey('scanAdmin', ['read'], expiresAt)).body).toMatchObject({ errors: [{ path: 'expiresAt', code }] })
  })

  it('see what their owner sees, and do what their scopes allow', async () => {
    const reader = await createAndReadKey('scanAdmin', ['read'])
    const runner = await createAndReadKey('scanAdmin', ['read', 'run'])
    const stranger = await createAndReadKey('outsider', ['read', 'run'])
    expect((await sendRequest(reader, `/scans/${world.scan}`)).json()).toMatchObject({ name: 'World' })
    expect((await sendRequest(reader, `/issues/${world.issue}`)).statusCode).toBe(200)
    expect((await sendRequest(stranger, `/scans/${world.scan}`)).statusCode).toBe(404)
    expect((await sendRequest(stranger, '/scans')).json()).toMatchObject({ page: { totalElements: 0 } })
    expect((await sendRequest(reader, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(403)
    expect((await sendRequest(stranger, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(404)
    expect((await sendRequest(runner, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(202)
    expect((await sendRequest(runner, `/scans/${world.scan}/cancel`, 'POST')).statusCode).toBe(200)
  })

  it('are refused with the same error when expired, unknown or missing', async () => {
    const key = await createAndReadKey('scanAdmin', ['read'])
    await api.db
      .updateTable('api_key')
      .set({ expires_at: new Date(0) })
      .execute()
    const toProblem = (reply: Awaited<ReturnType<typeof sendRequest>>) => {
      const { requestId: _, ...problemBody } = reply.json<Record<string, unknown>>()
      return problemBody
    }
    const expired = await sendRequest(key, '/scans')
    expect(expired.statusCode).toBe(401)
    expect(toProblem(await sendRequest(`cw_${'x'.repeat(43)}`, '/scans'))).toEqual(toProblem(expired))
    expect((await sendRequest(null, '/scans')).json()).toMatchObject({ code: 'not-signed-in' })
    // A person's token is valid for the product's own API, not for this one.
    const reply = await api.app.inject({
      url: '/monitor-public-api/v1/scans',
      headers: { authorization: `Bearer ${await api.token('scanAdmin')}` },
    })
    expect(reply.statusCode).toBe(401)
  })
})

describe('keys that manage', () => {
  type Scan = { id: string; version: number; settings: object }
  const manage = async (key: string, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    api.app.inject({ method, url: `/monitor-public-api/v1${path}`, headers: { 'x-api-key': key }, ...(payload && { payload }) })
  const adminToken = () => api.token('admin', ['access', 'admin'])
  const createAdminKey = async (name: string) => {
    const body = { name, scopes: ['manage'], expiresAt: getDateInDays(1) }
    return (await api.call('POST', '/api-keys', { token: await adminToken(), body })).body as { id: string; key: string }
  }
  const listAudit = async (filter: string) =>
    (
      (await api.call('GET', `/audit?size=100${filter}`, { token: await adminToken() })).body as {
        content: Record<string, unknown>[]
      }
    ).content

  it('create, change, group and delete scans, each recorded with the key', async () => {
    const { id: keyId, key } = await createAdminKey('Deploy')
    const created = await manage(key, 'POST', '/scans', buildScanBody('As code'))
    expect(created.statusCode).toBe(201)
    const { id, version, settings } = created.json<Scan>()
    const changed = await manage(key, 'PUT', `/scans/${id}`, { version, settings: { ...settings, name: 'As code too' } })
    expect(changed.json()).toMatchObject({ settings: { name: 'As code too' } })
    const group = await manage(key, 'POST', '/groups', { scanGroupName: 'As code', scans: [id] })
    expect(group.statusCode).toBe(201)
    const { scanGroupId } = group.json<{ scanGroupId: string }>()
    expect((await manage(key, 'PATCH', `/groups/${scanGroupId}`, { scans: [] })).statusCode).toBe(200)
    expect((await manage(key, 'DELETE', `/scans/${id}`)).statusCode).toBe(204)
    expect((await api.call('GET', `/scans/${id}`, { token: await adminToken() })).status).toBe(404)

    const entries = (await listAudit('')).filter((entry) => entry.keyId === keyId)
    expect(entries.map(({ noun, action }) => `${String(noun)} ${String(action)}`).toReversed()).toEqual([
      'scan created',
      'access created',
      'scan changed',
      'group created',
      'group-scan created',
      'group-scan deleted',
      'scan deleted',
    ])
    expect(entries.every(({ keyName, actor }) => keyName === 'Deploy' && actor === 'admin')).toBe(true)
    // The creation of the key itself is a change by the person.
    expect((await listAudit('&noun=api-key&action=created'))[0]).toMatchObject({ subject: keyId, keyId: null, keyName: null })
    expect(await verifyAudit(api)).toMatchObject({ kind: 'whole' })
    await sql`update audit set key_name = 'Another' where key_id = ${keyId}`.execute(api.db)
    expect(await verifyAudit(api)).toMatchObject({ kind: 'broken', why: 'was changed' })
    await sql`update audit set key_name = 'Deploy' where key_id = ${keyId}`.execute(api.db)
  })

  it('save nothing after their deletion, not even a change that was authorized before', async () => {
    const { id: keyId, key } = await createAdminKey('Revoked in between')
    const heldUp = await api.db.startTransaction().execute()
    const name = 'Held up'
    // The key's call is authorized, and waits to write.
    await sql`lock table scan in share row exclusive mode`.execute(heldUp)
    const pending = manage(key, 'POST', '/scans', buildScanBody(name))
    await expect
      .poll(async () => {
        const waiting =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%into%scan%'`.execute(api.db)
        return waiting.rows.length
      })
      .toBeGreaterThan(0)
    expect((await api.call('DELETE', `/api-keys/${keyId}`, { token: await adminToken() })).status).toBe(204)
    await heldUp.rollback().execute()
    const reply = await pending
    expect([reply.statusCode, reply.json()]).toMatchObject([401, { code: 'token-rejected' }])
    expect(await api.db.selectFrom('scan').select('id').where('name', '=', name).execute()).toEqual([])
    expect((await listAudit('')).filter((entry) => entry.keyId === keyId)).toEqual([])
  })

  it('cannot create keys, share links or webhooks, which need a person', async () => {
    const { key } = await createAdminKey('No more')
    for (const path of ['/api-keys', `/scans/${world.scan}/public-token`, `/scans/${world.scan}/webhooks`])
      expect((await manage(key, 'POST', path, {})).statusCode, path).toBe(404)
    // Nor are they taken for a person's token by the product's own API.
    const reply = await api.app.inject({ method: 'POST', url: '/monitor-api/scans', headers: { 'x-api-key': key }, payload: {} })
    expect(reply.statusCode).toBe(401)
  })
})

describe('lists of the public API', () => {
  it('state in headers the total, and links to the adjacent pages', async () => {
    const key = await createAndReadKey('scanAdmin', ['read'])
    const { headers } = await sendRequest(key, `/issues?scanId=${world.scan}&size=2&page=1`)
    expect(headers['x-total-count']).toBe('7')
    const buildLink = (page: number, rel: string) =>
      `</monitor-public-api/v1/issues?scanId=${world.scan}&size=2&page=${page}>; rel="${rel}"`
    expect(headers.link).toBe(
      [buildLink(0, 'first'), buildLink(0, 'prev'), buildLink(2, 'next'), buildLink(3, 'last')].join(', '),
    )
  })

  it('are rate-limited for each key, as stated in the standard headers', async () => {
    const [busy, quiet] = [await createAndReadKey('scanAdmin', ['read']), await createAndReadKey('scanAdmin', ['read'])]
    let lastReply = await sendRequest(busy, '/scans')
    expect([lastReply.headers['ratelimit-limit'], lastReply.headers['ratelimit-remaining']]).toEqual(['60', '59'])
    for (let n = 0; n < 60; n++) lastReply = await sendRequest(busy, '/scans')
    expect(lastReply.statusCode).toBe(429)
    expect(lastReply.json()).toMatchObject({ code: 'too-many-requests' })
    expect(Number(lastReply.headers['retry-after'])).toBeGreaterThan(0)
    expect((await sendRequest(quiet, '/scans')).statusCode).toBe(200)
  })
})

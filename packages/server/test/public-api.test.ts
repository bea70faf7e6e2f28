import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
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

import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { makeWorld, type World } from './world.ts'

const api = useTestApi({ environment: { CLEARWAY_PUBLIC_RATE: '60' } })
let world: World
beforeAll(async () => {
  world = await makeWorld(api)
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const make = async (who: string, scopes: string[], expiresAt = inDays(30)) =>
  api.call('POST', '/api-keys', { token: await api.token(who), body: { name: 'CI', scopes, expiresAt } })
const keyOf = async (who: string, scopes: string[]) => ((await make(who, scopes)).body as { key: string }).key
const ask = (key: string | null, path: string, method: 'GET' | 'POST' = 'GET') =>
  api.app.inject({
    method,
    url: `/monitor-public-api/v1${path}`,
    headers: key === null ? {} : { 'x-api-key': key },
  })

describe('keys of the public API', () => {
  it('are answered once, stored as a hash, listed without themselves, and end when they are deleted', async () => {
    const made = (await make('scanAdmin', ['read'])).body as { id: string; key: string; hint: string }
    expect(made.key).toMatch(/^cw_[\w-]{43}$/)
    const rows = await api.db.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(made.key)
    const listed = (await api.call('GET', '/api-keys', { token: await api.token('scanAdmin') })).body
    expect(JSON.stringify(listed)).not.toContain(made.key)
    expect(listed).toMatchObject({ content: [{ id: made.id, hint: made.hint, expired: false }] })
    expect((await ask(made.key, '/scans')).statusCode).toBe(200)
    // Nobody else's to delete.
    const foreign = await api.call('DELETE', `/api-keys/${made.id}`, { token: await api.token('outsider') })
    expect(foreign.status).toBe(404)
    await api.call('DELETE', `/api-keys/${made.id}`, { token: await api.token('scanAdmin') })
    expect((await ask(made.key, '/scans')).statusCode).toBe(401)
  })

  it.each([
    [inDays(-1), 'too-small'],
    [inDays(400), 'too-big'],
  ])('end within a year: %s', async (expiresAt, code) => {
    expect((await make('scanAdmin', ['read'], expiresAt)).body).toMatchObject({
      errors: [{ path: 'expiresAt', code }],
    })
  })

  it('see what their person sees, and do what their scopes say', async () => {
    const reader = await keyOf('scanAdmin', ['read'])
    const runner = await keyOf('scanAdmin', ['read', 'run'])
    const stranger = await keyOf('outsider', ['read', 'run'])
    expect((await ask(reader, `/scans/${world.scan}`)).json()).toMatchObject({ name: 'World' })
    expect((await ask(reader, `/issues/${world.issue}`)).statusCode).toBe(200)
    expect((await ask(stranger, `/scans/${world.scan}`)).statusCode).toBe(404)
    expect((await ask(stranger, '/scans')).json()).toMatchObject({ page: { totalElements: 0 } })
    expect((await ask(reader, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(403)
    expect((await ask(stranger, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(404)
    expect((await ask(runner, `/scans/${world.scan}/startRun`, 'POST')).statusCode).toBe(202)
    expect((await ask(runner, `/scans/${world.scan}/cancel`, 'POST')).statusCode).toBe(200)
  })

  it('are refused when expired, unknown or missing, in one voice', async () => {
    const key = await keyOf('scanAdmin', ['read'])
    await api.db
      .updateTable('api_key')
      .set({ expires_at: new Date(0) })
      .execute()
    const problem = (reply: Awaited<ReturnType<typeof ask>>) => {
      const { requestId: _, ...rest } = reply.json<Record<string, unknown>>()
      return rest
    }
    const expired = await ask(key, '/scans')
    expect(expired.statusCode).toBe(401)
    expect(problem(await ask(`cw_${'x'.repeat(43)}`, '/scans'))).toEqual(problem(expired))
    expect((await ask(null, '/scans')).json()).toMatchObject({ code: 'not-signed-in' })
    // A person's token opens the product's own API, not this one.
    const reply = await api.app.inject({
      url: '/monitor-public-api/v1/scans',
      headers: { authorization: `Bearer ${await api.token('scanAdmin')}` },
    })
    expect(reply.statusCode).toBe(401)
  })
})

describe('lists of the public API', () => {
  it('say in headers how many there are, and where the pages around are', async () => {
    const key = await keyOf('scanAdmin', ['read'])
    const { headers } = await ask(key, `/issues?scanId=${world.scan}&size=2&page=1`)
    expect(headers['x-total-count']).toBe('7')
    const at = (page: number, rel: string) =>
      `</monitor-public-api/v1/issues?scanId=${world.scan}&size=2&page=${page}>; rel="${rel}"`
    expect(headers.link).toBe([at(0, 'first'), at(0, 'prev'), at(2, 'next'), at(3, 'last')].join(', '))
  })

  it('are limited for each key, as the standard headers say', async () => {
    const [busy, quiet] = [await keyOf('scanAdmin', ['read']), await keyOf('scanAdmin', ['read'])]
    let last = await ask(busy, '/scans')
    expect([last.headers['ratelimit-limit'], last.headers['ratelimit-remaining']]).toEqual(['60', '59'])
    for (let n = 0; n < 60; n++) last = await ask(busy, '/scans')
    expect(last.statusCode).toBe(429)
    expect(last.json()).toMatchObject({ code: 'too-many-requests' })
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(quiet, '/scans')).statusCode).toBe(200)
  })
})

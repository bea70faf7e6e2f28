import { getRoleClaims, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../api.ts'

/** Attempts of a user who once created a key of the public API, and has fewer rights now. */
const api = useTestApi()
beforeAll(async () => {
  await api.call('POST', '/scans', { body: buildScanBody('Of somebody else') })
})

const getToken = (username: string, role: SystemRole) => api.token(username, getRoleClaims(role))
const createKey = async (username: string, role: SystemRole) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: `Of ${username}`, scopes: ['read', 'run'], expiresAt }
  const created = await api.call('POST', '/api-keys', { token: await getToken(username, role), body })
  return created.body as { id: string; key: string }
}
const signInAgain = async (username: string, role: SystemRole) =>
  api.call('GET', '/users/permissions', { token: await getToken(username, role) })
const requestScans = (key: string) => api.app.inject({ url: '/monitor-public-api/v1/scans', headers: { 'x-api-key': key } })
const listVisibleScans = async (key: string) =>
  (await requestScans(key)).json<{ page: { totalElements: number } }>().page.totalElements

describe('to keep rights by a key', () => {
  it('that an admin made before losing that role', async () => {
    const { key } = await createKey('demoted', 'admin')
    expect(await listVisibleScans(key)).toBe(1)
    await signInAgain('demoted', 'user')
    expect(await listVisibleScans(key)).toBe(0)
  })

  it('of a user without access, until it is restored', async () => {
    const { key } = await createKey('gone', 'user')
    expect((await requestScans(key)).statusCode).toBe(200)
    await signInAgain('gone', 'outsider')
    const refused = await requestScans(key)
    expect([refused.statusCode, refused.json()]).toMatchObject([401, { code: 'token-rejected' }])
    await signInAgain('gone', 'user')
    expect((await requestScans(key)).statusCode).toBe(200)
  })

  it('of a deactivated account, by an older token', async () => {
    const { key } = await createKey('deactivated', 'admin')
    await api.db
      .updateTable('person')
      .set({ deactivated_at: new Date(), role: 'outsider' })
      .where('id', '=', 'deactivated')
      .execute()
    await signInAgain('deactivated', 'admin')
    expect((await requestScans(key)).statusCode).toBe(401)
    const { key: laterKey } = await createKey('deactivated', 'admin')
    expect((await requestScans(laterKey)).statusCode).toBe(401)
    const { role } = await api.db.selectFrom('person').select('role').where('id', '=', 'deactivated').executeTakeFirstOrThrow()
    expect(role).toBe('outsider')
  })

  it('by never signing in again', async () => {
    const { key } = await createKey('silent', 'admin')
    const longAgo = new Date(Date.now() - 91 * 86_400_000)
    await api.db.updateTable('person').set({ seen_at: longAgo }).where('id', '=', 'silent').execute()
    expect((await requestScans(key)).statusCode).toBe(401)
  })

  it('while an admin can see and revoke it', async () => {
    const { id, key } = await createKey('watched', 'user')
    const token = await getToken('boss', 'admin')
    const keyList = await api.call('GET', '/api-keys/all?size=100', { token })
    expect(keyList.body).toMatchObject({
      content: expect.arrayContaining([
        expect.objectContaining({ id, person: { id: 'watched', name: 'watched Test', hasAccess: true } }) as object,
      ]) as object,
    })
    expect(JSON.stringify(keyList.body)).not.toContain(key)
    const auditorRequest = { token: await getToken('reader', 'auditor') }
    expect((await api.call('DELETE', `/api-keys/all/${id}`, auditorRequest)).status).toBe(403)
    expect((await api.call('DELETE', `/api-keys/all/${id}`, { token })).status).toBe(204)
    expect((await requestScans(key)).statusCode).toBe(401)
  })

  it('by being stored without ever having had access', async () => {
    await signInAgain('stranger', 'outsider')
    expect(await api.db.selectFrom('person').select('id').where('id', '=', 'stranger').execute()).toEqual([])
  })
})

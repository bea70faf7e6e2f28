import { getRoleClaims, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanBody, apiOfFile } from '../api.ts'

/** What somebody tries who once made a key of the public API, and has fewer rights now. */
const api = apiOfFile()
beforeAll(async () => {
  await api.call('POST', '/scans', { body: scanBody('Of somebody else') })
})

const as = (who: string, role: SystemRole) => api.token(who, getRoleClaims(role))
const makeKey = async (who: string, role: SystemRole) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: `Of ${who}`, scopes: ['read', 'run'], expiresAt }
  const made = await api.call('POST', '/api-keys', { token: await as(who, role), body })
  return made.body as { id: string; key: string }
}
const comeBack = async (who: string, role: SystemRole) =>
  api.call('GET', '/users/permissions', { token: await as(who, role) })
const scans = (key: string) =>
  api.app.inject({ url: '/monitor-public-api/v1/scans', headers: { 'x-api-key': key } })
const seen = async (key: string) =>
  (await scans(key)).json<{ page: { totalElements: number } }>().page.totalElements

describe('to keep rights by a key', () => {
  it('that an admin made before losing that role', async () => {
    const { key } = await makeKey('demoted', 'admin')
    expect(await seen(key)).toBe(1)
    await comeBack('demoted', 'user')
    expect(await seen(key)).toBe(0)
  })

  it('of somebody whose access is gone, until it is back', async () => {
    const { key } = await makeKey('gone', 'user')
    expect((await scans(key)).statusCode).toBe(200)
    await comeBack('gone', 'outsider')
    const refused = await scans(key)
    expect([refused.statusCode, refused.json()]).toMatchObject([401, { code: 'token-rejected' }])
    await comeBack('gone', 'user')
    expect((await scans(key)).statusCode).toBe(200)
  })

  it('of an account that was deactivated, by a token that is older', async () => {
    const { key } = await makeKey('deactivated', 'admin')
    await api.db
      .updateTable('person')
      .set({ deactivated_at: new Date(), role: 'outsider' })
      .where('id', '=', 'deactivated')
      .execute()
    await comeBack('deactivated', 'admin')
    expect((await scans(key)).statusCode).toBe(401)
    const { key: later } = await makeKey('deactivated', 'admin')
    expect((await scans(later)).statusCode).toBe(401)
    const { role } = await api.db
      .selectFrom('person')
      .select('role')
      .where('id', '=', 'deactivated')
      .executeTakeFirstOrThrow()
    expect(role).toBe('outsider')
  })

  it('by never signing in again', async () => {
    const { key } = await makeKey('silent', 'admin')
    const longAgo = new Date(Date.now() - 91 * 86_400_000)
    await api.db.updateTable('person').set({ seen_at: longAgo }).where('id', '=', 'silent').execute()
    expect((await scans(key)).statusCode).toBe(401)
  })

  it('while an admin looks, who ends it', async () => {
    const { id, key } = await makeKey('watched', 'user')
    const token = await as('boss', 'admin')
    const list = await api.call('GET', '/api-keys/all?size=100', { token })
    expect(list.body).toMatchObject({
      content: expect.arrayContaining([
        expect.objectContaining({
          id,
          person: { id: 'watched', name: 'watched Test', hasAccess: true },
        }) as object,
      ]) as object,
    })
    expect(JSON.stringify(list.body)).not.toContain(key)
    const end = { token: await as('reader', 'auditor') }
    expect((await api.call('DELETE', `/api-keys/all/${id}`, end)).status).toBe(403)
    expect((await api.call('DELETE', `/api-keys/all/${id}`, { token })).status).toBe(204)
    expect((await scans(key)).statusCode).toBe(401)
  })

  it('by being remembered without ever having had access', async () => {
    await comeBack('stranger', 'outsider')
    expect(await api.db.selectFrom('person').select('id').where('id', '=', 'stranger').execute()).toEqual([])
  })
})

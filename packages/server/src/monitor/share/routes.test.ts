/** @module-tag slow */
import { beforeAll, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'

const api = useTestApi()
let scanId: string
beforeAll(async () => {
  const connection = { authType: 'basic', username: 'site-user', password: 'x' }
  const notification = { specificUsers: ['boss@example.org'] }
  const advanced = { extraHeaders: [{ name: 'x-key', value: 'header-secret' }] }
  const body = buildScanBody('Shared', { session: { connection }, notification, advanced })
  scanId = ((await api.call('POST', '/scans', { body })).body as { id: string }).id
  await api.call('POST', '/scans', { body: buildScanBody('Hidden') })
  await api.call('POST', `/scans/${scanId}/startRun`)
})

const createLink = async (body: object = {}) =>
  (await api.call('POST', `/scans/${scanId}/public-token`, { body })).body as { token: string; url: string }
const readAsGuest = (guest: string, path = `/scans/${scanId}`) => api.call('GET', path, { guest })

it('opens one scan for anyone with the link, without names', async () => {
  const { token, url } = await createLink()
  expect(url).toBe(`https://clearway.example.org/monitor/scans/${scanId}?guestToken=${token}`)
  expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  expect(JSON.stringify(await api.db.selectFrom('share_token').selectAll().execute())).not.toContain(token)
  expect((await readAsGuest(token)).body).toMatchObject({ name: 'Shared', owners: [], mine: false, rights: { run: false } })
  const list = (await readAsGuest(token, '/scans')).body as { content: { name: string }[] }
  expect(list.content.map(({ name }) => name)).toEqual(['Shared'])
  expect((await readAsGuest(token, '/users/permissions')).body).toMatchObject({
    isGuest: true,
    canCreateScans: false,
    sharedUntil: null,
  })
  const all = await Promise.all(
    ['settings', 'runs', 'runs/1/overview', 'schedule/preview'].map((path) => readAsGuest(token, `/scans/${scanId}/${path}`)),
  )
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const said = JSON.stringify(all.map(({ body }) => body as unknown))
  for (const word of ['someone', 'site-user', 'boss@', 'header-secret']) expect(said).not.toContain(word)
  expect((await api.call('POST', `/scans/${scanId}/cancel`, { guest: token })).status).toBe(403)
  expect((await api.call('POST', '/scans', { guest: token, body: buildScanBody('Mine') })).status).toBe(403)
})

it('expires with a new link, on its date, and when sharing stops', async () => {
  const first = await createLink()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const second = await createLink({ expiresAt })
  expect((await readAsGuest(second.token, '/users/permissions')).body).toMatchObject({ sharedUntil: expiresAt })
  expect((await readAsGuest(first.token)).status).toBe(401)
  expect((await readAsGuest(second.token)).status).toBe(200)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({ exists: true, expired: false })
  await api.db
    .updateTable('share_token')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  expect((await readAsGuest(second.token)).status).toBe(401)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({ exists: true, expired: true })
  const third = await createLink()
  expect((await api.call('DELETE', `/scans/${scanId}/public-token`)).status).toBe(204)
  expect((await readAsGuest(third.token)).status).toBe(401)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({ exists: false })
  const past = await api.call('POST', `/scans/${scanId}/public-token`, { body: { expiresAt: '2020-01-01T00:00:00Z' } })
  expect(past.body).toMatchObject({ errors: [{ path: 'expiresAt', code: 'in-past' }] })
  for (const guest of ['', 'x', 'A'.repeat(22), "' or 1=1 --"]) expect((await readAsGuest(guest)).status).toBe(401)
})

it('ends open streams of a revoked link', async () => {
  const { token } = await createLink()
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await fetch(`${url}/monitor-api/scans/${scanId}/runs/1/events`, { headers: { 'x-guest-token': token } })
  expect(stream.status).toBe(200)
  const streamEnd = stream.text()
  await api.call('DELETE', `/scans/${scanId}/public-token`)
  expect(await streamEnd).toContain('retry: 2000')
}, 30_000)

import { beforeAll, expect, it } from 'vitest'
import { scanBody, apiOfFile } from '../../../test/api.ts'

const api = apiOfFile()
let scanId: string
beforeAll(async () => {
  const connection = { authType: 'basic', username: 'site-user', password: 'x' }
  const notification = { specificUsers: ['boss@example.org'] }
  const advanced = { extraHeaders: [{ name: 'x-key', value: 'header-secret' }] }
  const body = scanBody('Shared', { session: { connection }, notification, advanced })
  scanId = ((await api.call('POST', '/scans', { body })).body as { id: string }).id
  await api.call('POST', '/scans', { body: scanBody('Hidden') })
  await api.call('POST', `/scans/${scanId}/startRun`)
})

const share = async (body: object = {}) =>
  (await api.call('POST', `/scans/${scanId}/public-token`, { body })).body as { token: string; url: string }
const see = (guest: string, path = `/scans/${scanId}`) => api.call('GET', path, { guest })

it('opens one scan to whoever has the link, without names', async () => {
  const { token, url } = await share()
  expect(url).toBe(`https://clearway.example.org/monitor/scans/${scanId}?guestToken=${token}`)
  expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  expect(JSON.stringify(await api.db.selectFrom('share_token').selectAll().execute())).not.toContain(token)
  expect((await see(token)).body).toMatchObject({
    name: 'Shared',
    owners: [],
    mine: false,
    rights: { run: false },
  })
  const list = (await see(token, '/scans')).body as { content: { name: string }[] }
  expect(list.content.map(({ name }) => name)).toEqual(['Shared'])
  expect((await see(token, '/users/permissions')).body).toMatchObject({
    isGuest: true,
    canCreateScans: false,
  })
  const all = await Promise.all(
    ['settings', 'runs', 'runs/1/overview', 'schedule/preview'].map((path) =>
      see(token, `/scans/${scanId}/${path}`),
    ),
  )
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const said = JSON.stringify(all.map(({ body }) => body as unknown))
  for (const word of ['someone', 'site-user', 'boss@', 'header-secret']) expect(said).not.toContain(word)
  expect((await api.call('POST', `/scans/${scanId}/cancel`, { guest: token })).status).toBe(403)
  expect((await api.call('POST', '/scans', { guest: token, body: scanBody('Mine') })).status).toBe(403)
})

it('ends with a new link, with its date, and when sharing is stopped', async () => {
  const first = await share()
  const second = await share({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  expect((await see(first.token)).status).toBe(401)
  expect((await see(second.token)).status).toBe(200)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({
    exists: true,
    expired: false,
  })
  await api.db
    .updateTable('share_token')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  expect((await see(second.token)).status).toBe(401)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({
    exists: true,
    expired: true,
  })
  const third = await share()
  expect((await api.call('DELETE', `/scans/${scanId}/public-token`)).status).toBe(204)
  expect((await see(third.token)).status).toBe(401)
  expect((await api.call('GET', `/scans/${scanId}/public-token`)).body).toMatchObject({ exists: false })
  const past = await api.call('POST', `/scans/${scanId}/public-token`, {
    body: { expiresAt: '2020-01-01T00:00:00Z' },
  })
  expect(past.body).toMatchObject({ errors: [{ path: 'expiresAt', code: 'in-past' }] })
  for (const guest of ['', 'x', 'A'.repeat(22), "' or 1=1 --"]) expect((await see(guest)).status).toBe(401)
})

it('ends what is open by a link that was taken back', async () => {
  const { token } = await share()
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await fetch(`${url}/monitor-api/scans/${scanId}/runs/1/events`, {
    headers: { 'x-guest-token': token },
  })
  expect(stream.status).toBe(200)
  const end = stream.text()
  await api.call('DELETE', `/scans/${scanId}/public-token`)
  expect(await end).toContain('retry: 2000')
}, 30_000)

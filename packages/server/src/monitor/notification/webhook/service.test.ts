import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'

const api = useTestApi()
type Listed = { content: { scanName: string; address: string; lastDelivery: object | null }[]; page: { totalElements: number } }

const createScan = async (name: string, token: string) =>
  ((await api.call('POST', '/scans', { body: buildScanBody(name), token })).body as { id: string }).id
const createWebhook = async (scanId: string, token: string, path = '/services/token-a9f3') =>
  (await api.call('POST', `/scans/${scanId}/webhooks`, { token, body: { url: `https://hooks.example.org${path}` } })).body as {
    id: string
    secret: string
  }
const listAll = async (token: string, query = '') => (await api.call('GET', `/webhooks${query}`, { token })).body as Listed

it('lists the webhooks of all scans that the caller may edit, without their secrets', async () => {
  const [owner, neighbor, admin] = [await api.token('owner'), await api.token('neighbor'), await api.token('admin', ['admin'])]
  const library = await createScan('Library', owner)
  const city = await createScan('City', owner)
  const museum = await createScan('Museum', neighbor)
  const { id, secret } = await createWebhook(library, owner)
  await createWebhook(city, owner, '')
  await createWebhook(museum, neighbor)
  await api.call('POST', `/scans/${library}/webhooks/${id}/test`, { token: owner })
  const own = await listAll(owner)
  expect(own.content).toMatchObject([
    { scanName: 'City', scanId: city, address: 'https://hooks.example.org', lastDelivery: null, active: true },
    {
      scanName: 'Library',
      id,
      address: 'https://hooks.example.org/…',
      lastDelivery: { status: 'waiting', lastStatus: null, lastError: null },
    },
  ])
  for (const hidden of ['token-a9f3', secret]) expect(JSON.stringify(own)).not.toContain(hidden)
  const listNames = async (token: string, query?: string) => (await listAll(token, query)).content.map(({ scanName }) => scanName)
  expect(await listNames(neighbor)).toEqual(['Museum'])
  expect(await listNames(await api.token('stranger'))).toEqual([])
  expect(await listNames(admin)).toEqual(['City', 'Library', 'Museum'])
  expect(await listNames(admin, '?page=1&size=2')).toEqual(['Museum'])
  expect((await listAll(admin, '?page=1&size=2')).page.totalElements).toBe(3)
  await api.call('DELETE', `/scans/${museum}`, { token: neighbor })
  expect(await listNames(neighbor)).toEqual([])
})

it('shows a scan’s webhooks to those who manage it, not to its readers', async () => {
  const [owner, reader] = [await api.token('owner'), await api.token('reader')]
  const scanId = await createScan('Shared', owner)
  await createWebhook(scanId, owner)
  const find = async (token: string) => (await listAll(token)).content.some(({ scanName }) => scanName === 'Shared')
  for (const [role, isListed] of [
    ['scanMember', false],
    ['scanAdmin', true],
  ] as const) {
    await api.db.deleteFrom('scan_access').where('scan_id', '=', scanId).where('person_id', '=', 'reader').execute()
    await api.db
      .insertInto('scan_access')
      .values({ id: crypto.randomUUID(), scan_id: scanId, person_id: 'reader', role })
      .execute()
    expect(await find(reader), role).toBe(isListed)
  }
})

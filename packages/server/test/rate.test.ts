import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'

/** What somebody tries who wants the server for themselves. */
const api = useTestApi({ environment: { CLEARWAY_RATE_PERSON: '20', CLEARWAY_RATE_NETWORK: '30' } })

const from = (remoteAddress: string, token: string | null) =>
  api.app.inject({
    url: '/monitor-api/users/permissions',
    remoteAddress,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })

it('a person who calls without end is told when to come again, and nobody else is', async () => {
  const [busy, quiet] = [await api.token('busy'), await api.token('quiet')]
  const statuses = new Set<number>()
  for (let n = 0; n < 20; n++) statuses.add((await from(`10.0.0.${n}`, busy)).statusCode)
  expect([...statuses]).toEqual([200])
  const refused = await from('10.0.1.1', busy)
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'too-many-requests' }])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await from('10.0.0.1', quiet)).statusCode).toBe(200)
})

it('made-up tokens count for their network, however many there are, and keep no person out', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) statuses.push((await from(`2001:db8:0:1::${n}`, `${n}.made.up`)).statusCode)
  expect(statuses.filter((status) => status === 401)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect((await from('2001:db8:0:1::1', null)).statusCode).toBe(429)
  expect((await from('2001:db8:0:2::1', null)).statusCode).toBe(401)
  expect((await from('2001:db8:0:1::1', await api.token('somebody'))).statusCode).toBe(200)
})

it('guests and keys of the public API count for their network before they are looked up', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 31; n++) {
    const guest = await api.app.inject({
      url: '/monitor-api/users/permissions',
      remoteAddress: '10.9.9.9',
      headers: { 'x-guest-token': `made-up-${n}` },
    })
    statuses.push(guest.statusCode)
  }
  expect(statuses.at(-1)).toBe(429)
  const key = await api.app.inject({
    url: '/monitor-public-api/v1/scans',
    remoteAddress: '10.9.9.9',
    headers: { 'x-api-key': 'made-up' },
  })
  expect(key.statusCode).toBe(429)
})

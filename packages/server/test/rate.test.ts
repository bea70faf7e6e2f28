import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'

/** Attempts of a client to monopolize the server. */
const api = useTestApi({ environment: { CLEARWAY_RATE_PERSON: '20', CLEARWAY_RATE_NETWORK: '30' } })

const callFrom = (remoteAddress: string, token: string | null) =>
  api.app.inject({
    url: '/monitor-api/users/permissions',
    remoteAddress,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })

it('a person who calls too often is told when to retry, and no one else is', async () => {
  const [busy, quiet] = [await api.token('busy'), await api.token('quiet')]
  const statuses = new Set<number>()
  for (let n = 0; n < 20; n++) statuses.add((await callFrom(`10.0.0.${n}`, busy)).statusCode)
  expect([...statuses]).toEqual([200])
  const refused = await callFrom('10.0.1.1', busy)
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'too-many-requests' }])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await callFrom('10.0.0.1', quiet)).statusCode).toBe(200)
})

it('invented tokens count for their network, in any number, and block no person', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) statuses.push((await callFrom(`2001:db8:0:1::${n}`, `${n}.made.up`)).statusCode)
  expect(statuses.filter((status) => status === 401)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect((await callFrom('2001:db8:0:1::1', null)).statusCode).toBe(429)
  expect((await callFrom('2001:db8:0:2::1', null)).statusCode).toBe(401)
  expect((await callFrom('2001:db8:0:1::1', await api.token('somebody'))).statusCode).toBe(200)
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

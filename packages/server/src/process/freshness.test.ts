import { beforeAll, expect, it } from 'vitest'
import { useTestApi, openTestApi, buildScanBody } from '../../test/api.ts'

const api = useTestApi()
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
let fresh: string
let stale: string
let scan: string
beforeAll(async () => {
  fresh = await api.token('someone', ['access'], { auth_time: secondsAgo(29 * 60) })
  stale = await api.token('someone', ['access'], { auth_time: secondsAgo(31 * 60) })
  scan = ((await api.call('POST', '/scans', { token: stale, body: buildScanBody('Shop') })).body as { id: string }).id
})

const day = new Date(Date.now() + 86_400_000).toISOString()
const key = { name: 'CI', scopes: ['read'], expiresAt: day }
const callApi = async (path: string, token: string, body: object, method = 'POST') => {
  const { status, body: answer } = await api.call(method, path, { token, body })
  return status < 300 ? 'done' : (answer as { code: string }).code
}

it('requires a recent sign-in for keys, links and webhooks, after their validation', async () => {
  for (const [path, body] of [
    ['/api-keys', key],
    [`/scans/${scan}/public-token`, {}],
    [`/scans/${scan}/webhooks`, { url: 'https://hooks.example.org/' }],
  ] as const) {
    expect([path, await callApi(path, stale, body)]).toEqual([path, 'sign-in-again'])
    expect([path, await callApi(path, fresh, body)]).toEqual([path, 'done'])
  }
  expect(await callApi('/api-keys', stale, { name: 'CI' })).toBe('validation-failed')
  // Reading, deleting and all other calls need no recent sign-in.
  expect((await api.call('GET', '/api-keys', { token: stale })).status).toBe(200)
  expect((await api.call('DELETE', `/scans/${scan}/public-token`, { token: stale })).status).toBe(204)
})

it('requires it for setting a secret, not for keeping one', async () => {
  const session = {
    connection: { authType: 'basic', username: 'u', password: 'secret' },
    mark: null,
  }
  expect(await callApi('/scans', stale, buildScanBody('Behind a password', { session }))).toBe('sign-in-again')
  expect(await callApi('/scans', fresh, buildScanBody('Behind a password', { session }))).toBe('done')
  expect(await callApi('/scans', stale, buildScanBody('Open'))).toBe('done')
})

it('accepts tokens without a sign-in time, and requires nothing when disabled', async () => {
  expect(await callApi('/api-keys', await api.token('someone'), key)).toBe('done')
  const off = await openTestApi({ environment: { CLEARWAY_CONFIRM_MINUTES: '0' } })
  const token = await off.token('someone', ['access'], { auth_time: 1 })
  expect((await off.call('POST', '/api-keys', { token, body: key })).status).toBe(201)
  await off.close()
})

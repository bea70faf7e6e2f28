import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, refuse } from '../../../kit/http/answer.ts'
import { beginSignIn, completeSignIn, signedIn, type SignInDeps } from './service.ts'

const caller: Caller = {
  id: 'sam',
  username: 'sam',
  firstName: 'Sam',
  lastName: '',
  email: null,
  role: 'user',
  signedInAt: 1,
  expiresAt: 2,
}
let answer = ''
const provider = createServer((_request, response) => response.end(answer))
let deps: SignInDeps
beforeAll(async () => {
  await new Promise<void>((done) => void provider.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  deps = {
    provider: () => Promise.resolve({ authorize: `${origin}/authorize`, token: `${origin}/token` }),
    client: 'monitor',
    callback: 'http://localhost/callback',
    verify: (token) => Promise.resolve(token === 'good' ? caller : refuse('not-found')),
    secret: randomBytes(32),
  }
})
afterAll(() => new Promise((done) => provider.close(done)))

async function completed(given: string) {
  answer = given
  const { url, flow } = await beginSignIn(deps, '/monitor/scans')
  const state = new URL(url).searchParams.get('state') ?? undefined
  return completeSignIn(deps, { code: 'code', state, flow })
}
const sealed = (use: string, payload: Record<string, unknown>) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(use)
    .setExpirationTime('60s')
    .sign(deps.secret)

it('lets somebody in whom the provider names, and leads back', async () => {
  const done = await completed('{"access_token":"good","token_type":"Bearer"}')
  expect(done?.back).toBe('/monitor/scans')
  expect(await signedIn(deps, done!.session)).toEqual(caller)
})

it.each([
  '',
  'no JSON',
  'null',
  '[]',
  '{}',
  '{"access_token":""}',
  '{"access_token":7}',
  '{"access_token":"bad"}',
])('lets nobody in by the answer %j', async (given) => {
  expect(await completed(given)).toBeNull()
})

it('has whoever comes with what another version sealed sign in anew', async () => {
  expect(await signedIn(deps, await sealed('session', { caller }))).toEqual(caller)
  for (const wrong of [
    {},
    { caller: null },
    { caller: { id: 'sam' } },
    { caller: { ...caller, role: 'king' } },
  ])
    expect(await signedIn(deps, await sealed('session', wrong))).toBeNull()
  const flow = await sealed('flow', { state: 's', back: '/' })
  expect(await completeSignIn(deps, { code: 'code', state: 's', flow })).toBeNull()
})

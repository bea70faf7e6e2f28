import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, refuse } from '../../../kit/http/answer.ts'
import { beginSignIn, completeSignIn, findSignedInCaller, type SignInDeps } from './service.ts'

const testCaller: Caller = {
  id: 'sam',
  username: 'sam',
  firstName: 'Sam',
  lastName: '',
  email: null,
  role: 'user',
  signedInAt: 1,
  expiresAt: 2,
}
let tokenReply = ''
const providerServer = createServer((_request, response) => response.end(tokenReply))
let deps: SignInDeps
beforeAll(async () => {
  await new Promise<void>((resolve) => void providerServer.listen(0, '127.0.0.1', resolve))
  const providerOrigin = `http://127.0.0.1:${(providerServer.address() as AddressInfo).port}`
  deps = {
    provider: () => Promise.resolve({ authorize: `${providerOrigin}/authorize`, token: `${providerOrigin}/token` }),
    client: 'monitor',
    callback: 'http://localhost/callback',
    verify: (token) => Promise.resolve(token === 'good' ? testCaller : refuse('not-found')),
    secret: randomBytes(32),
  }
})
afterAll(() => new Promise((resolve) => providerServer.close(resolve)))

async function signInWithReply(replyText: string) {
  tokenReply = replyText
  const { url, flow } = await beginSignIn(deps, '/monitor/scans')
  const stateParameter = new URL(url).searchParams.get('state') ?? undefined
  return completeSignIn(deps, { code: 'code', state: stateParameter, flow })
}
const sealPayload = (audience: string, payload: Record<string, unknown>) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).setAudience(audience).setExpirationTime('60s').sign(deps.secret)

it('signs in a user that the provider names, and returns to the requested page', async () => {
  const completedSignIn = await signInWithReply('{"access_token":"good","token_type":"Bearer"}')
  expect(completedSignIn?.back).toBe('/monitor/scans')
  expect(await findSignedInCaller(deps, completedSignIn!.session)).toEqual(testCaller)
})

it.each(['', 'no JSON', 'null', '[]', '{}', '{"access_token":""}', '{"access_token":7}', '{"access_token":"bad"}'])(
  'rejects the token reply %j',
  async (replyText) => {
    expect(await signInWithReply(replyText)).toBeNull()
  },
)

it('requires a new sign-in for a payload that another version sealed', async () => {
  expect(await findSignedInCaller(deps, await sealPayload('session', { caller: testCaller }))).toEqual(testCaller)
  for (const invalidPayload of [{}, { caller: null }, { caller: { id: 'sam' } }, { caller: { ...testCaller, role: 'king' } }])
    expect(await findSignedInCaller(deps, await sealPayload('session', invalidPayload))).toBeNull()
  const flow = await sealPayload('flow', { state: 's', back: '/' })
  expect(await completeSignIn(deps, { code: 'code', state: 's', flow })).toBeNull()
})

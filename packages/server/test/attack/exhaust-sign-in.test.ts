/** @module-tag slow */
import { expect, it } from 'vitest'
import { getWords } from '../../src/idp/word/word.ts'
import { adminPassword, buildForm, useSignInServer, verifier } from '../sign-in.ts'

// Concurrent requests to the sign-in: stolen codes, and as many attempts as possible.

const signInServer = useSignInServer(
  { CLEARWAY_RATE_SIGN_IN: '100000', CLEARWAY_TRUST_PROXY: 'loopback' },
  { hashingWork: 'production' },
)

const requestToken = (fields: Record<string, string>) =>
  fetch(`${signInServer.protocol()}/token`, buildForm({ client_id: 'clearway-web', ...fields }))

type Redeemed = { access_token: string; refresh_token: string }

/** @returns the replies with tokens among ten concurrent requests */
async function redeemConcurrently(fields: Record<string, string>): Promise<Redeemed[]> {
  const replies = await Promise.all(Array.from({ length: 10 }, () => requestToken(fields)))
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(9)
  const accepted = replies.filter(({ status }) => status === 200)
  return (await Promise.all(accepted.map((reply) => reply.json()))) as Redeemed[]
}

const signInAdmin = () => signInServer.signIn(signInServer.browser(), 'admin', adminPassword)
const getStatus = async (token: string) => (await signInServer.call('GET', '/monitor-api/users/permissions', token)).status

it(
  'accepts a code and a refresh token once in 20 rounds of 10 requests, and ends the session',
  { timeout: 120_000 },
  async () => {
    const accessTokens: string[] = []
    for (let round = 0; round < 20; round++) {
      const code = new URL((await signInAdmin()).headers.get('location')!).searchParams.get('code')!
      const fields = { grant_type: 'authorization_code', code, redirect_uri: signInServer.callback(), code_verifier: verifier }
      const [codeTokens, ...otherTokens] = await redeemConcurrently(fields)
      expect(otherTokens).toEqual([])
      // The grant is revoked with the refresh token of the one that succeeded.
      expect((await requestToken({ grant_type: 'refresh_token', refresh_token: codeTokens!.refresh_token })).status).toBe(400)
      const { refresh_token, access_token } = await signInServer.tokensFor(await signInAdmin())
      const refreshed = await redeemConcurrently({ grant_type: 'refresh_token', refresh_token })
      expect(refreshed).toHaveLength(1)
      accessTokens.push(codeTokens!.access_token, access_token, refreshed[0]!.access_token)
    }
    // Access tokens that were issued before end with the session.
    const getStatuses = async () => [...new Set(await Promise.all(accessTokens.map(getStatus)))]
    await expect.poll(getStatuses, { timeout: 10_000 }).toEqual([401])
  },
)

it('ends the session when a used code or refresh token is presented later', async () => {
  const browse = signInServer.browser()
  const redirected = await signInServer.signIn(browse, 'admin', adminPassword)
  const first = await signInServer.tokensFor(redirected)
  const other = await signInServer.tokensFor(await signInAdmin())
  expect([await getStatus(first.access_token), await getStatus(other.access_token)]).toEqual([200, 200])
  await signInServer.exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
  await expect(signInServer.tokensFor(redirected)).rejects.toThrow('invalid_grant')
  await expect.poll(() => getStatus(first.access_token), { timeout: 10_000 }).toBe(401)
  // The browser has no session any longer. The other session of the same person stays.
  expect((await signInServer.authorize(browse)).headers.get('location')).toContain('/sign-in/')
  expect(await getStatus(other.access_token)).toBe(200)
  await signInServer.exchange({ grant_type: 'refresh_token', refresh_token: other.refresh_token })
  await expect(signInServer.exchange({ grant_type: 'refresh_token', refresh_token: other.refresh_token })).rejects.toThrow(
    'invalid_grant',
  )
  await expect.poll(() => getStatus(other.access_token), { timeout: 10_000 }).toBe(401)
})

it('refuses more sign-ins than it can hash with a page that says so, without counting an attempt', async () => {
  const browse = signInServer.browser()
  const pagePath = (await signInServer.authorize(browse)).headers.get('location')!
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      browse(pagePath, {
        ...buildForm({ username: `user-${index}`, password: 'a wrong password' }),
        headers: { 'x-forwarded-for': `198.51.100.${index}` },
      }),
    ),
  )
  const busyReplies = replies.filter(({ status }) => status === 503)
  expect(busyReplies.length).toBeGreaterThan(10)
  expect(replies.filter(({ status }) => status === 400).length).toBe(60 - busyReplies.length)
  expect(busyReplies[0]!.headers.get('retry-after')).toBe('5')
  expect(await busyReplies[0]!.text()).toContain(getWords('en').serverBusy)
})

it('keeps the calls of others fast while 60 sign-ins arrive', { timeout: 120_000 }, async () => {
  const { access_token: token } = await signInServer.tokensFor(await signInAdmin())
  const pages = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const browse = signInServer.browser()
      return { browse, page: (await signInServer.authorize(browse)).headers.get('location')! }
    }),
  )
  const ended = new AbortController()
  const attempts = Promise.all(
    pages.map(({ browse, page }, index) =>
      browse(page, {
        ...buildForm({ username: `user-${index}`, password: 'a wrong password' }),
        headers: { 'x-forwarded-for': `198.51.100.${index}` },
      }),
    ),
  ).finally(() => ended.abort())
  const durationsMs: number[] = []
  while (!ended.signal.aborted) {
    const startedAt = performance.now()
    expect((await signInServer.call('GET', '/monitor-api/scans', token)).status).toBe(200)
    durationsMs.push(performance.now() - startedAt)
  }
  expect((await attempts).map(({ status }) => status).filter((status) => status !== 400 && status !== 503)).toEqual([])
  expect(durationsMs.length).toBeGreaterThan(20)
  const p95 = durationsMs.toSorted((a, b) => a - b)[Math.ceil(durationsMs.length * 0.95) - 1]!
  expect(p95).toBeLessThan(200)
})

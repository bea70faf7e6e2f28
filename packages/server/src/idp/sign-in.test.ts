/** @module-tag slow */
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { adminPassword, challenge, buildForm, useSignInServer } from '../../test/sign-in.ts'
import { openDatabase } from '../kit/database.ts'
import { addUser } from './service.ts'
import { hashPassword } from './password.ts'
import { setPassword, claimAttempt } from './store.ts'
import type { IdpTables } from './table.ts'
import { getWords } from './word/word.ts'

const signInServer = useSignInServer()

const callApi = (apiPath: string, token: string) =>
  fetch(signInServer.server.url + apiPath, { headers: { authorization: `Bearer ${token}` } })

describe('sign-in with the embedded identity provider', () => {
  it('re-authenticates on the application’s request and states the time in the token', async () => {
    const browse = signInServer.browser()
    const firstTokens = await signInServer.tokensFor(await signInServer.signIn(browse, 'admin', adminPassword))
    // With a session, the redirect follows immediately.
    const redirectReply = await signInServer.follow(browse, await signInServer.authorize(browse))
    expect(redirectReply.headers.get('location')).toContain('code=')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const pagePath = (await signInServer.authorize(browse, signInServer.callback(), { prompt: 'login' })).headers.get('location')!
    expect(pagePath).toContain('/sign-in/')
    const signInReply = await signInServer.follow(
      browse,
      await browse(pagePath, buildForm({ username: 'admin', password: adminPassword })),
    )
    const laterTokens = await signInServer.tokensFor(signInReply)
    const getAuthTime = ({ access_token }: { access_token: string }) => decodeJwt(access_token).auth_time as number
    expect(getAuthTime(laterTokens)).toBeGreaterThan(getAuthTime(firstTokens))
    expect(decodeJwt(laterTokens.access_token).sub).toBe(decodeJwt(firstTokens.access_token).sub)
  })

  it.each(languages)('shows the form in the language of the browser: %s', async (language) => {
    const browse = signInServer.browser()
    const pagePath = (await signInServer.authorize(browse)).headers.get('location')!
    const pageHtml = await (await browse(pagePath, { headers: { 'accept-language': language } })).text()
    expect(pageHtml).toContain(`<html lang="${language}">`)
    expect(pageHtml).toContain(getWords(language).password)
    // A link leads to another language, which the following pages keep.
    const otherLanguage = language === 'en' ? 'ja' : 'en'
    const otherPath = `${pagePath}?lang=${otherLanguage}`
    expect(pageHtml).toContain(`href="${otherPath}"`)
    await browse(otherPath)
    expect(await (await browse(pagePath)).text()).toContain(`<html lang="${otherLanguage}">`)
    // So do pages of the provider: this one tells of an unknown application.
    const errorReply = await signInServer.authorize(browse, signInServer.callback(), { client_id: 'unknown' })
    expect(errorReply.status).toBe(400)
    expect(await errorReply.text()).toContain(`<html lang="${otherLanguage}">`)
  })

  it('signs in, calls the API, refreshes, and signs out permanently', async () => {
    const browse = signInServer.browser()
    const password = adminPassword
    const issuedTokens = await signInServer.tokensFor(await signInServer.signIn(browse, 'Admin', password))
    const tokenClaims = decodeJwt(issuedTokens.access_token)
    expect(tokenClaims).toMatchObject({
      aud: 'clearway-api',
      iss: `${signInServer.server.url}/realms/clearway`,
      preferred_username: 'admin',
    })
    expect(tokenClaims.resource_access).toEqual({ clearway: { roles: ['access', 'admin'] } })
    const permissionsReply = await callApi('/monitor-api/users/permissions', issuedTokens.access_token)
    expect(await permissionsReply.json()).toMatchObject({ username: 'admin', isAdmin: true, canCreateScans: true })
    expect(await (await callApi('/axe-account/me', issuedTokens.access_token)).json()).toMatchObject({
      username: 'admin',
      agreedAt: null,
    })
    expect((await callApi('/realms/clearway/account', issuedTokens.access_token)).status).toBe(200)

    // Like Keycloak's: a JWT that states its expiry.
    expect(issuedTokens.refresh_expires_in).toBe(1800)
    expect(decodeJwt(issuedTokens.refresh_token)).toMatchObject({ typ: 'Refresh' })
    const refreshedTokens = await signInServer.exchange({
      grant_type: 'refresh_token',
      refresh_token: issuedTokens.refresh_token,
    })
    expect(refreshedTokens.refresh_token).not.toBe(issuedTokens.refresh_token)
    // The time of the sign-in, not of the token.
    const signedInAt = decodeJwt(issuedTokens.access_token).auth_time as number
    expect(signedInAt).toBeGreaterThan(Date.now() / 1000 - 60)
    expect(decodeJwt(refreshedTokens.access_token).auth_time).toBe(signedInAt)

    const logoutPage = await browse(
      `${signInServer.protocol()}/logout?${String(
        new URLSearchParams({
          id_token_hint: refreshedTokens.id_token,
          post_logout_redirect_uri: `${signInServer.server.url}/monitor/sso/logout`,
        }),
      )}`,
    )
    const xsrfToken = /name="xsrf" value="([^"]+)"/.exec(await logoutPage.text())![1]!
    const logoutReply = await signInServer.follow(
      browse,
      await browse(`${signInServer.protocol()}/logout/confirm`, buildForm({ xsrf: xsrfToken, logout: 'yes' })),
    )
    expect(logoutReply.headers.get('location')).toBe(`${signInServer.server.url}/monitor/sso/logout`)
    await expect(
      signInServer.exchange({ grant_type: 'refresh_token', refresh_token: refreshedTokens.refresh_token }),
    ).rejects.toThrow('invalid_grant')
    // The next sign-in requires the password.
    expect((await signInServer.authorize(browse)).headers.get('location')).toContain('/sign-in/')
  })

  it('refuses a wrong password with a message, and blocks guessing after ten attempts', async () => {
    const browse = signInServer.browser()
    const pagePath = (await signInServer.authorize(browse)).headers.get('location')!
    const attemptSignIn = (username: string) => browse(pagePath, buildForm({ username, password: 'not-the-password' }))
    const wrongReply = await attemptSignIn('nobody')
    expect(wrongReply.status).toBe(400)
    expect(await wrongReply.text()).toContain('role="alert"')
    for (let attempt = 1; attempt < 10; attempt++) await attemptSignIn('nobody')
    expect((await attemptSignIn('nobody')).status).toBe(429)
    expect((await attemptSignIn('somebody-else')).status).toBe(400)
    // Concurrent attempts count as well.
    const parallelReplies = await Promise.all(Array.from({ length: 20 }, () => attemptSignIn('all-at-once')))
    expect(parallelReplies.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(await (await attemptSignIn('<script>alert(1)</script>')).text()).not.toContain('<script>alert')
  })

  it('stays available from other addresses while one address guesses', async () => {
    const browse = signInServer.browser()
    const password = adminPassword
    const pagePath = (await signInServer.authorize(browse)).headers.get('location')!
    const signInFrom = (clientAddress: string, enteredPassword: string) =>
      browse(pagePath, {
        ...buildForm({ username: 'admin', password: enteredPassword }),
        headers: { 'x-forwarded-for': clientAddress },
      })
    const guessReplies = await Promise.all(Array.from({ length: 12 }, () => signInFrom('192.0.2.7', 'a-guess')))
    expect(guessReplies.filter(({ status }) => status === 429)).toHaveLength(2)
    // Even the right password is refused there, so that a guesser does not learn that it is right.
    expect((await signInFrom('192.0.2.7', password)).status).toBe(429)
    expect((await signInFrom('192.0.2.8', password)).status).toBe(303)
  })

  it('requires no delay for a concurrent attempt', async () => {
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 3 })
    try {
      const throttleKey = '192.0.2.10 quick'
      expect(await claimAttempt({ db: database }, throttleKey)).toBe(0)
      const concurrentAttempt = await database.transaction().execute(async (trx) => {
        const attemptQuery = trx.updateTable('attempt').where('subject', '=', throttleKey)
        await attemptQuery.set({ failures: 2 }).execute()
        const pendingTry = claimAttempt({ db: database }, throttleKey)
        const lockWaitQuery = sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        await vi.waitFor(async () => expect((await lockWaitQuery.execute(database)).rows).toHaveLength(1))
        await attemptQuery.set({ since: sql<Date>`clock_timestamp()` }).execute()
        return { waiting: pendingTry }
      })
      expect(await concurrentAttempt.waiting).toBe(0)
    } finally {
      await database.destroy()
    }
  })

  it('increases the delay with each guess', async () => {
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    try {
      const throttleKey = '192.0.2.9 patient'
      for (let attempt = 0; attempt < 10; attempt++) expect(await claimAttempt({ db: database }, throttleKey)).toBe(0)
      const waitSeconds: number[] = []
      for (let count = 0; count < 6; count++) {
        waitSeconds.push(await claimAttempt({ db: database }, throttleKey))
        await sql`update attempt set since = since - make_interval(secs => ${waitSeconds.at(-1)!}) where subject = ${throttleKey}`.execute(
          database,
        )
        expect(await claimAttempt({ db: database }, throttleKey)).toBe(0)
      }
      expect(waitSeconds).toEqual([60, 120, 240, 480, 900, 900])
    } finally {
      await database.destroy()
    }
  })

  it('stores nothing that a reader of the database could sign in with, and ends with the password', async () => {
    const browse = signInServer.browser()
    const password = adminPassword
    const issuedTokens = await signInServer.tokensFor(await signInServer.signIn(browse, 'admin', password))
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    try {
      const storedText = JSON.stringify([
        await database.selectFrom('artifact').selectAll().execute(),
        await database.selectFrom('secret').selectAll().execute(),
      ])
      const opaqueToken = decodeJwt(issuedTokens.refresh_token).jti!
      expect(storedText).not.toContain(opaqueToken)
      expect(storedText).not.toContain(Buffer.from(opaqueToken).toJSON().data.join())
      expect(storedText).toContain('sealed')
      for (const secretWord of ['"kty"', '"d":', 'cookie', 'envelope']) expect(storedText).not.toContain(secretWord)
      const person = await database.selectFrom('person').select('id').executeTakeFirstOrThrow()
      await setPassword({ db: database }, person.id, await hashPassword('another-password'))
      await expect(
        signInServer.exchange({ grant_type: 'refresh_token', refresh_token: issuedTokens.refresh_token }),
      ).rejects.toThrow('invalid_grant')
      expect((await signInServer.authorize(browse)).headers.get('location')).toContain('/sign-in/')
      await setPassword({ db: database }, person.id, await hashPassword(password))
    } finally {
      await database.destroy()
    }
  })

  it('rejects a stolen access token after a change of the password or a deletion of the person', async () => {
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    try {
      const robbedUser = { username: 'robbed', password: 'the-first-password', roles: ['access'] }
      await addUser({ db: database }, robbedUser)
      const personQuery = database.selectFrom('person').select('id').where('username', '=', 'robbed')
      const { id: personId } = await personQuery.executeTakeFirstOrThrow()
      const getToken = async (password: string) =>
        (await signInServer.tokensFor(await signInServer.signIn(signInServer.browser(), 'robbed', password))).access_token
      const listStatuses = async (token: string) => [
        (await callApi('/monitor-api/users/permissions', token)).status,
        (await callApi('/axe-account/me', token)).status,
        (await callApi('/realms/clearway/account', token)).status,
      ]
      const stolenToken = await getToken(robbedUser.password)
      expect(await listStatuses(stolenToken)).toEqual([200, 200, 200])
      await setPassword({ db: database }, personId, await hashPassword('the-second-password'))
      await expect.poll(() => listStatuses(stolenToken), { timeout: 15_000 }).toEqual([401, 401, 401])
      const laterToken = await getToken('the-second-password')
      expect(await listStatuses(laterToken)).toEqual([200, 200, 200])
      await database.deleteFrom('person').where('id', '=', personId).execute()
      await expect.poll(() => listStatuses(laterToken), { timeout: 15_000 }).toEqual([401, 401, 401])
    } finally {
      await database.destroy()
    }
  })

  it('never redirects to a foreign address', async () => {
    const foreignReply = await signInServer.authorize(signInServer.browser(), 'https://evil.example/monitor/')
    expect(foreignReply.status).toBe(400)
    expect(foreignReply.headers.get('location')).toBeNull()
    const similarHostReply = await signInServer.authorize(
      signInServer.browser(),
      `${signInServer.server.url}.evil.example/monitor/`,
    )
    expect(similarHostReply.status).toBe(400)
  })

  it.each(['/monitor/../evil', '/monitor/..%2f..%2frealms/x', '/monitor/\\@evil.example', '/monitor/x', '/monitor'])(
    'redirects to its callback only, not to %s',
    async (path) => {
      const reply = await signInServer.authorize(signInServer.browser(), signInServer.server.url + path)
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    },
  )
})

describe('a device on which a person has signed in', () => {
  it('is not locked out by guesses from its network', async () => {
    const knownBrowser = signInServer.browser()
    const openForm = async () =>
      (await signInServer.authorize(knownBrowser, undefined, { prompt: 'login' })).headers.get('location')!
    const signInWith = async (browse: typeof knownBrowser, pagePath: string, password: string) =>
      browse(pagePath, { ...buildForm({ username: 'admin', password }), headers: { 'x-forwarded-for': '192.0.2.20' } })
    expect((await signInWith(knownBrowser, await openForm(), adminPassword)).status).toBe(303)
    const stranger = signInServer.browser()
    const strangerPage = (await signInServer.authorize(stranger)).headers.get('location')!
    for (let guess = 0; guess < 10; guess++) await signInWith(stranger, strangerPage, `guess ${guess}`)
    expect((await signInWith(stranger, strangerPage, adminPassword)).status).toBe(429)
    expect((await signInWith(knownBrowser, await openForm(), adminPassword)).status).toBe(303)
    // The known device has a limit, too.
    for (let guess = 0; guess < 10; guess++) await signInWith(knownBrowser, await openForm(), `guess ${guess}`)
    expect((await signInWith(knownBrowser, await openForm(), adminPassword)).status).toBe(429)
  })
})

it('lets no other origin read its replies', async () => {
  const origin = 'https://elsewhere.example'
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const requests: [path: string, init: RequestInit][] = [
    ['/token', { method: 'OPTIONS', headers: { origin, ...preflight } }],
    [
      '/token',
      { headers: { origin }, ...buildForm({ grant_type: 'authorization_code', code: 'wrong', client_id: 'clearway-web' }) },
    ],
    [
      '/token',
      { ...buildForm({ grant_type: 'nothing' }), headers: { origin, 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['/userinfo', { headers: { origin, authorization: 'Bearer wrong' } }],
    ['/userinfo', { method: 'OPTIONS', headers: { origin, ...preflight } }],
    ['/certs', { headers: { origin } }],
    ['/revoke', { method: 'OPTIONS', headers: { origin, ...preflight } }],
    ['/nowhere', { headers: { origin } }],
  ]
  for (const [path, init] of requests) {
    const { headers, status } = await fetch(signInServer.protocol() + path, init)
    const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect([path, init.method, allowed, status < 500]).toEqual([path, init.method, [], true])
  }
})

describe('limits on anonymous sign-in requests', () => {
  const startSignIn = (extraQuery: string) =>
    fetch(
      `${signInServer.protocol()}/auth?client_id=clearway-web&response_type=code&scope=openid&code_challenge_method=S256` +
        `&code_challenge=${challenge}&redirect_uri=${encodeURIComponent(signInServer.callback())}${extraQuery}`,
      { redirect: 'manual' },
    )
  it('refuse large requests', async () => {
    expect((await startSignIn(`&state=${'x'.repeat(4000)}`)).status).toBe(303)
    const largeQueryReply = await startSignIn(`&state=${'x'.repeat(9000)}`)
    expect([largeQueryReply.status, await largeQueryReply.json()]).toMatchObject([413, { code: 'too-large' }])
    const largeBodyReply = await fetch(`${signInServer.protocol()}/auth`, buildForm({ state: 'x'.repeat(9000) }))
    expect(largeBodyReply.status).toBe(413)
  })
  it('refuse endless requests', async () => {
    let lastReply = await startSignIn('')
    for (let attempt = 0; attempt < 400 && lastReply.status !== 429; attempt++) lastReply = await startSignIn('')
    expect(lastReply.status).toBe(429)
    expect(Number(lastReply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await lastReply.json()).toMatchObject({ code: 'too-many-requests' })
    // Other requests are not affected.
    expect((await fetch(`${signInServer.server.url}/config`)).status).toBe(200)
  }, 60_000)
})

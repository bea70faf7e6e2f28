import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { adminPassword, challenge, form, signInOfFile } from '../../test/sign-in.ts'
import { openDatabase } from '../kit/database.ts'
import { addUser } from './service.ts'
import { hashPassword } from './password.ts'
import { setPassword, takeTry } from './store.ts'
import type { IdpTables } from './table.ts'
import { wordsIn } from './word/word.ts'

const idp = signInOfFile()

const api = (path: string, token: string) =>
  fetch(idp.server.url + path, { headers: { authorization: `Bearer ${token}` } })

describe('sign-in with the embedded identity provider', () => {
  it('asks once more who it is when the application wants that, and says so in the token', async () => {
    const go = idp.browser()
    const first = await idp.tokensFor(await idp.signIn(go, 'admin', adminPassword))
    // Signed in, one comes back at once.
    const back = await idp.follow(go, await idp.authorize(go))
    expect(back.headers.get('location')).toContain('code=')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const page = (await idp.authorize(go, idp.callback(), { prompt: 'login' })).headers.get('location')!
    expect(page).toContain('/sign-in/')
    const done = await idp.follow(go, await go(page, form({ username: 'admin', password: adminPassword })))
    const again = await idp.tokensFor(done)
    const at = ({ access_token }: { access_token: string }) => decodeJwt(access_token).auth_time as number
    expect(at(again)).toBeGreaterThan(at(first))
    expect(decodeJwt(again.access_token).sub).toBe(decodeJwt(first.access_token).sub)
  })

  it.each(languages)('asks in the language of the browser: %s', async (language) => {
    const go = idp.browser()
    const page = (await idp.authorize(go)).headers.get('location')!
    const text = await (await go(page, { headers: { 'accept-language': language } })).text()
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(wordsIn(language).password)
  })

  it('signs in, calls the API, refreshes, and signs out for good', async () => {
    const go = idp.browser()
    const password = adminPassword
    const tokens = await idp.tokensFor(await idp.signIn(go, 'Admin', password))
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toMatchObject({
      aud: 'clearway-api',
      iss: `${idp.server.url}/realms/clearway`,
      preferred_username: 'admin',
    })
    expect(claims.resource_access).toEqual({ clearway: { roles: ['access', 'admin'] } })
    const rights = await api('/monitor-api/users/permissions', tokens.access_token)
    expect(await rights.json()).toMatchObject({ username: 'admin', isAdmin: true, canCreateScans: true })
    expect(await (await api('/axe-account/me', tokens.access_token)).json()).toMatchObject({
      username: 'admin',
      agreedAt: null,
    })
    expect((await api('/realms/clearway/account', tokens.access_token)).status).toBe(200)

    // As Keycloak's: a JWT that says when it ends.
    expect(tokens.refresh_expires_in).toBe(1800)
    expect(decodeJwt(tokens.refresh_token)).toMatchObject({ typ: 'Refresh' })
    const again = await idp.exchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    expect(again.refresh_token).not.toBe(tokens.refresh_token)
    // The time of the sign-in, not of the token.
    const signedInAt = decodeJwt(tokens.access_token).auth_time as number
    expect(signedInAt).toBeGreaterThan(Date.now() / 1000 - 60)
    expect(decodeJwt(again.access_token).auth_time).toBe(signedInAt)

    const leave = await go(
      `${idp.protocol()}/logout?${String(
        new URLSearchParams({
          id_token_hint: again.id_token,
          post_logout_redirect_uri: `${idp.server.url}/monitor/sso/logout`,
        }),
      )}`,
    )
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await leave.text())![1]!
    const left = await idp.follow(
      go,
      await go(`${idp.protocol()}/logout/confirm`, form({ xsrf, logout: 'yes' })),
    )
    expect(left.headers.get('location')).toBe(`${idp.server.url}/monitor/sso/logout`)
    await expect(
      idp.exchange({ grant_type: 'refresh_token', refresh_token: again.refresh_token }),
    ).rejects.toThrow('invalid_grant')
    // The next sign-in asks for the password.
    expect((await idp.authorize(go)).headers.get('location')).toContain('/sign-in/')
  })

  it('refuses a wrong password, says so, and stops guessing after ten tries', async () => {
    const go = idp.browser()
    const page = (await idp.authorize(go)).headers.get('location')!
    const tries = (name: string) => go(page, form({ username: name, password: 'not-the-password' }))
    const wrong = await tries('nobody')
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('role="alert"')
    for (let count = 1; count < 10; count++) await tries('nobody')
    expect((await tries('nobody')).status).toBe(429)
    expect((await tries('somebody-else')).status).toBe(400)
    // Tries at the same time count as well.
    const parallel = await Promise.all(Array.from({ length: 20 }, () => tries('all-at-once')))
    expect(parallel.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(await (await tries('<script>alert(1)</script>')).text()).not.toContain('<script>alert')
  })

  it('is not kept from whoever knows the password by somebody else who guesses', async () => {
    const go = idp.browser()
    const password = adminPassword
    const page = (await idp.authorize(go)).headers.get('location')!
    const from = (address: string, typed: string) =>
      go(page, { ...form({ username: 'admin', password: typed }), headers: { 'x-forwarded-for': address } })
    const guesses = await Promise.all(Array.from({ length: 12 }, () => from('192.0.2.7', 'a-guess')))
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2)
    // There even the right one has to wait: who guesses must not learn that it is.
    expect((await from('192.0.2.7', password)).status).toBe(429)
    expect((await from('192.0.2.8', password)).status).toBe(303)
  })

  it('waits for no try that was made at the same time', async () => {
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 3 })
    try {
      const subject = '192.0.2.10 quick'
      expect(await takeTry({ db }, subject)).toBe(0)
      const meanwhile = await db.transaction().execute(async (trx) => {
        const row = trx.updateTable('attempt').where('subject', '=', subject)
        await row.set({ failures: 2 }).execute()
        const waiting = takeTry({ db }, subject)
        const isWaiting = sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        await vi.waitFor(async () => expect((await isWaiting.execute(db)).rows).toHaveLength(1))
        await row.set({ since: sql<Date>`clock_timestamp()` }).execute()
        return { waiting }
      })
      expect(await meanwhile.waiting).toBe(0)
    } finally {
      await db.destroy()
    }
  })

  it('waits longer and longer for one who guesses', async () => {
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    try {
      const subject = '192.0.2.9 patient'
      for (let count = 0; count < 10; count++) expect(await takeTry({ db }, subject)).toBe(0)
      const waits: number[] = []
      for (let count = 0; count < 6; count++) {
        waits.push(await takeTry({ db }, subject))
        await sql`update attempt set since = since - make_interval(secs => ${waits.at(-1)!}) where subject = ${subject}`.execute(
          db,
        )
        expect(await takeTry({ db }, subject)).toBe(0)
      }
      expect(waits).toEqual([60, 120, 240, 480, 900, 900])
    } finally {
      await db.destroy()
    }
  })

  it('leaves nothing in the database by which its reader could sign in, and ends with the password', async () => {
    const go = idp.browser()
    const password = adminPassword
    const tokens = await idp.tokensFor(await idp.signIn(go, 'admin', password))
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    try {
      const stored = JSON.stringify([
        await db.selectFrom('artifact').selectAll().execute(),
        await db.selectFrom('secret').selectAll().execute(),
      ])
      const opaque = decodeJwt(tokens.refresh_token).jti!
      expect(stored).not.toContain(opaque)
      expect(stored).not.toContain(Buffer.from(opaque).toJSON().data.join())
      expect(stored).toContain('sealed')
      for (const word of ['"kty"', '"d":', 'cookie', 'envelope']) expect(stored).not.toContain(word)
      const person = await db.selectFrom('person').select('id').executeTakeFirstOrThrow()
      await setPassword({ db }, person.id, await hashPassword('another-password'))
      await expect(
        idp.exchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
      ).rejects.toThrow('invalid_grant')
      expect((await idp.authorize(go)).headers.get('location')).toContain('/sign-in/')
      await setPassword({ db }, person.id, await hashPassword(password))
    } finally {
      await db.destroy()
    }
  })

  it('lets nobody use a stolen access token once the password is another, or the person is gone', async () => {
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    try {
      const thief = { username: 'robbed', password: 'the-first-password', roles: ['access'] }
      await addUser({ db }, thief)
      const byName = db.selectFrom('person').select('id').where('username', '=', 'robbed')
      const { id } = await byName.executeTakeFirstOrThrow()
      const tokenBy = async (password: string) =>
        (await idp.tokensFor(await idp.signIn(idp.browser(), 'robbed', password))).access_token
      const statuses = async (token: string) => [
        (await api('/monitor-api/users/permissions', token)).status,
        (await api('/axe-account/me', token)).status,
        (await api('/realms/clearway/account', token)).status,
      ]
      const stolen = await tokenBy(thief.password)
      expect(await statuses(stolen)).toEqual([200, 200, 200])
      await setPassword({ db }, id, await hashPassword('the-second-password'))
      await expect.poll(() => statuses(stolen), { timeout: 15_000 }).toEqual([401, 401, 401])
      const again = await tokenBy('the-second-password')
      expect(await statuses(again)).toEqual([200, 200, 200])
      await db.deleteFrom('person').where('id', '=', id).execute()
      await expect.poll(() => statuses(again), { timeout: 15_000 }).toEqual([401, 401, 401])
    } finally {
      await db.destroy()
    }
  })

  it('sends nobody to a foreign address', async () => {
    const reply = await idp.authorize(idp.browser(), 'https://evil.example/monitor/')
    expect(reply.status).toBe(400)
    expect(reply.headers.get('location')).toBeNull()
    const near = await idp.authorize(idp.browser(), `${idp.server.url}.evil.example/monitor/`)
    expect(near.status).toBe(400)
  })
})

describe('to fill the database without an account', () => {
  const start = (more: string) =>
    fetch(
      `${idp.protocol()}/auth?client_id=clearway-web&response_type=code&scope=openid&code_challenge_method=S256` +
        `&code_challenge=${challenge}&redirect_uri=${encodeURIComponent(idp.callback())}${more}`,
      { redirect: 'manual' },
    )
  it('by sign-ins that carry much with them', async () => {
    expect((await start(`&state=${'x'.repeat(4000)}`)).status).toBe(303)
    const refused = await start(`&state=${'x'.repeat(9000)}`)
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'too-large' }])
    const posted = await fetch(`${idp.protocol()}/auth`, form({ state: 'x'.repeat(9000) }))
    expect(posted.status).toBe(413)
  })
  it('by sign-ins without end', async () => {
    let last = await start('')
    for (let n = 0; n < 400 && last.status !== 429; n++) last = await start('')
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await last.json()).toMatchObject({ code: 'too-many-requests' })
    // What does not sign in is not held up by it.
    expect((await fetch(`${idp.server.url}/config`)).status).toBe(200)
  }, 60_000)
})

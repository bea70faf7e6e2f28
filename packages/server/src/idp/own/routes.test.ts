import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { mailServerOfFile } from '../../../test/mail-server.ts'
import { adminPassword, form, signInOfFile } from '../../../test/sign-in.ts'
import { openDatabase } from '../../kit/database.ts'
import { addUser } from '../service.ts'
import type { IdpTables } from '../table.ts'
import { totpCode } from '../totp.ts'

const { url: mailUrl, mails } = await mailServerOfFile()
const idp = signInOfFile({ CLEARWAY_SMTP_URL: mailUrl })
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'
let count = 0
/** Somebody new, signed in. */
async function newcomer(roles: readonly string[] = ['access']) {
  const username = `person${count++}`
  const email = `${username}@example.org`
  const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
  try {
    await addUser({ db }, { username, email, password, roles, firstName: 'Ada', lastName: 'Byron' })
  } finally {
    await db.destroy()
  }
  return { username, email, token: await idp.tokenBy(username, password) }
}
const own = async (token: string): Promise<OwnAccount> => (await idp.call('GET', `${realm}/own`, token)).body
/** The link of a mail to one of our pages. */
const linkIn = (text: string, page: 'email' | 'welcome'): URL =>
  new URL(new RegExp(String.raw`http\S+${page}\?token=[\w-]+`).exec(text)![0])
const step = () => Math.floor(Date.now() / 30_000)

describe("one's own account", () => {
  it('has a name, and shows where one is signed in', async () => {
    const who = await newcomer()
    const other = await idp.tokenBy(who.username, password)
    await idp.call('PUT', `${realm}/own/name`, who.token, { firstName: 'Grace', lastName: 'Hopper' })
    const account = await own(who.token)
    expect(account).toMatchObject({ firstName: 'Grace', username: who.username, hasTotp: false })
    expect(account.sessions).toHaveLength(2)
    expect(account.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    const elsewhere = account.sessions.find(({ isCurrent }) => !isCurrent)!
    expect((await idp.call('DELETE', `${realm}/own/sessions/${elsewhere.id}`, who.token)).status).toBe(204)
    expect((await idp.call('DELETE', `${realm}/own/sessions/${elsewhere.id}`, who.token)).status).toBe(404)
    expect((await idp.call('GET', '/axe-account/me', other)).status).toBe(401)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(200)
    await idp.call('POST', `${realm}/own/sessions/end`, who.token)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(401)
  })

  it('has another password, for whoever knows the one before', async () => {
    const who = await newcomer()
    const change = (given: object) => idp.call('POST', `${realm}/own/password`, who.token, given)
    const newPassword = 'quite another sentence'
    expect((await change({ password: 'not-the-password', newPassword })).body).toMatchObject({
      errors: [{ path: 'password', code: 'wrong-password' }],
    })
    expect((await change({ password, newPassword: 'short' })).body).toMatchObject({
      errors: [{ path: 'newPassword', code: 'too-short' }],
    })
    expect((await change({ password, newPassword: `${who.username}-and-more` })).body).toMatchObject({
      errors: [{ path: 'newPassword', code: 'personal-password' }],
    })
    expect((await change({ password, newPassword })).status).toBe(204)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(401)
    expect((await idp.signIn(idp.browser(), who.username, password)).status).toBe(400)
    await idp.tokenBy(who.email, newPassword)
  })

  it('slows down whoever guesses the password at an open window', async () => {
    const who = await newcomer()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push(
        (await idp.call('POST', `${realm}/own/recovery-codes`, who.token, { password: 'a-guess' })).status,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  })
})

describe('another email', () => {
  const ask = (token: string, given: object) => idp.call('POST', `${realm}/own/email`, token, given)
  /** The link of the newest mail. */
  const linkTo = (receiver: string) => linkIn(mails.findLast(({ to }) => to === receiver)!.text, 'email')
  const follow = (link: URL) =>
    fetch(link.origin + link.pathname, form({ token: link.searchParams.get('token')! }))

  it('is good for the sign-in once the link that went there is followed; the one before is told', async () => {
    const who = await newcomer()
    const email = `new.${who.email}`
    expect((await own(who.token)).canChangeEmail).toBe(true)
    expect((await ask(who.token, { password: 'a-guess', email })).body).toMatchObject({
      errors: [{ path: 'password', code: 'wrong-password' }],
    })
    const other = await newcomer()
    for (const taken of [other.email.toUpperCase(), other.username + '@EXAMPLE.org'])
      expect((await ask(who.token, { password, email: taken })).body).toMatchObject({
        code: 'name-taken',
        errors: [{ path: 'email' }],
      })
    expect((await ask(who.token, { password, email: 'a@b\r\nBcc: x@y' })).status).toBe(400)
    mails.length = 0
    expect((await ask(who.token, { password, email: `first.${who.email}` })).status).toBe(204)
    expect((await ask(who.token, { password, email })).status).toBe(204)
    expect(mails.map(({ to }) => to)).toEqual([`first.${who.email}`, email])
    // Only the newest link is good, and looking at its page changes nothing.
    expect((await follow(linkTo(`first.${who.email}`))).status).toBe(410)
    const link = linkTo(email)
    const shown = await (await fetch(link, { headers: { 'accept-language': 'it' } })).text()
    expect(shown).toContain('<html lang="it">')
    expect(shown).toContain(`<strong>${email}</strong>`)
    expect((await own(who.token)).email).toBe(who.email)
    const reset = await fetch(`${idp.server.url}${realm}/forgot`, form({ username: who.email }))
    expect(reset.status).toBe(200)
    await expect.poll(() => mails.length).toBe(3)
    expect((await follow(link)).status).toBe(200)
    expect((await follow(link)).status).toBe(410)
    await expect.poll(() => mails.at(-1)!.to).toBe(who.email)
    expect(mails.at(-1)!.text).toContain(who.username)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(401)
    // What went to the address of before sets no password any more.
    const stale = linkIn(mails[2]!.text, 'welcome')
    expect((await fetch(stale)).status).toBe(410)
    expect((await idp.signIn(idp.browser(), who.email, password)).status).toBe(400)
    const token = await idp.tokenBy(email, password)
    expect(await own(token)).toMatchObject({ email, username: who.username })
    const admin = await idp.tokenBy('admin', adminPassword)
    const { id } = await own(token)
    const log = await idp.call('GET', `/monitor-api/audit?noun=person&subject=${id}`, admin)
    const entries = (log.body as { content: { after: { account?: string } | null }[] }).content
    expect(entries.flatMap(({ after }) => after?.account ?? [])).toEqual(
      expect.arrayContaining(['email-asked', 'email-changed']),
    )
  })

  it('gives whoever was invited another name, too; a link is good while the address is free', async () => {
    const admin = await idp.tokenBy('admin', adminPassword)
    const invited = `invited${count++}@example.org`
    await idp.call('POST', `${realm}/accounts`, admin, { email: invited, role: 'user' })
    const welcome = linkIn(mails.at(-1)!.text, 'welcome')
    const names = { token: welcome.searchParams.get('token')!, firstName: 'Ada', lastName: 'Byron' }
    await fetch(welcome.origin + welcome.pathname, {
      ...form({ ...names, password }),
      redirect: 'manual',
    })
    const email = `moved${count++}@example.org`
    const before = await idp.tokenBy(invited, password)
    await ask(before, { password, email })
    const link = linkTo(email)
    await idp.call('POST', `${realm}/accounts`, admin, { email, role: 'user' })
    expect((await follow(link)).status).toBe(409)
    const free = `free${count++}@example.org`
    await ask(before, { password, email: free })
    expect((await follow(linkTo(free))).status).toBe(200)
    expect(await own(await idp.tokenBy(free, password))).toMatchObject({ username: free, email: free })
    // The one of before is free for somebody else.
    const again = await idp.call('POST', `${realm}/accounts`, admin, { email: invited, role: 'user' })
    expect(again.status).toBe(201)
  })

  it('has to be asked for again by whoever was signed out or shut out in that moment', async () => {
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    for (const change of [{ epoch: 9 }, { deactivated_at: new Date() }]) {
      const who = await newcomer()
      const email = `late.${who.email}`
      expect((await ask(who.token, { password, email: who.email })).body).toMatchObject({
        code: 'name-taken',
      })
      expect((await ask(who.token, { password, email })).status).toBe(204)
      // As when it comes between the password and the link, which lives on.
      await db.updateTable('person').set(change).where('username', '=', who.username).execute()
      expect((await fetch(linkTo(email))).status).toBe(410)
      expect((await follow(linkTo(email))).status).toBe(410)
    }
    await db.destroy()
  })

  it('is asked for five times an hour', async () => {
    const who = await newcomer()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++)
      statuses.push((await ask(who.token, { password, email: `box${n}.${who.email}` })).status)
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
  })
})

describe('a second factor', () => {
  const setUp = async (token: string) => {
    const { body: offer } = await idp.call('POST', `${realm}/own/totp/offer`, token)
    const { secret, picture } = offer as { secret: string; picture: string }
    expect(picture).toContain('<svg')
    const send = (code: string) => idp.call('POST', `${realm}/own/totp`, token, { password, secret, code })
    expect((await send('000000')).body).toMatchObject({ errors: [{ path: 'code', code: 'wrong-code' }] })
    const at = step()
    const { body } = await send(totpCode(secret, at))
    return { secret, at, codes: (body as { codes: string[] }).codes }
  }
  /** Signs in up to the second step. */
  const begin = async (username: string) => {
    const go = idp.browser()
    const page = (await idp.authorize(go)).headers.get('location')!
    await go(page)
    const shown = await (await go(page, form({ username, password }))).text()
    const second = /name="second" value="([^"]+)"/.exec(shown)![1]!
    return {
      go,
      page,
      send: async (code: string) => idp.follow(go, await go(page, form({ second, code }))),
    }
  }

  it('is asked for after the password: a code of now, once', async () => {
    const who = await newcomer()
    const { secret, at, codes } = await setUp(who.token)
    expect(codes).toHaveLength(10)
    const one = await begin(who.username)
    const wrong = await one.send('123456')
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('This code is wrong')
    // The code that set it up was used by that.
    expect((await one.send(totpCode(secret, at))).status).toBe(400)
    const tokens = await idp.tokensFor(await one.send(totpCode(secret, at + 1)))
    expect(await own(tokens.access_token)).toMatchObject({ hasTotp: true, recoveryCodes: 10 })
    const two = await begin(who.username)
    expect((await two.send(totpCode(secret, at + 1))).status).toBe(400)
    // A recovery code in its place, as people type it.
    await idp.tokensFor(await two.send(` ${codes[0]!.toLowerCase().replaceAll('-', ' ')}`))
    const three = await begin(who.username)
    expect((await three.send(codes[0]!)).status).toBe(400)
    const last = await idp.tokensFor(await three.send(codes[1]!))
    const renewed = await idp.call('POST', `${realm}/own/recovery-codes`, last.access_token, {
      password,
      second: codes[2],
    })
    const fresh = (renewed.body as { codes: string[] }).codes
    expect(fresh).not.toContain(codes[3])
    const confirm = { password, second: fresh[0] }
    expect((await idp.call('POST', `${realm}/own/totp/remove`, last.access_token, confirm)).status).toBe(204)
    await idp.tokenBy(who.username, password)
  })

  it('is not passed by a new password, by another step or by guessing', async () => {
    const who = await newcomer()
    await setUp(who.token)
    const admin = await idp.tokenBy('admin', adminPassword)
    const { id } = await own(who.token)
    mails.length = 0
    expect((await idp.call('POST', `${realm}/accounts/${id}/reset-password`, admin)).body).toMatchObject({
      link: null,
      email: who.email,
    })
    const go = idp.browser()
    const url = linkIn(mails[0]!.text, 'welcome')
    const token = url.searchParams.get('token')!
    const done = await go(url.pathname, form({ token, password }))
    const pass = /clearway_pass=([\w-]+)/.exec(done.headers.getSetCookie().join())![1]!
    const page = (await idp.authorize(idp.browser())).headers.get('location')!
    expect(page).toContain('/sign-in/')
    // The pass stands for the password only.
    const own2 = idp.browser()
    const address = (await idp.authorize(own2)).headers.get('location')!
    expect((await own2(address, form({ proved: pass }))).status).toBe(400)
    const shown = await idp.follow(go, await idp.authorize(go))
    expect(await shown.text()).toContain('name="second"')
    const guess = await begin(who.username)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await guess.send('000000')).status)
    expect(statuses.slice(-1)).toEqual([429])
    expect((await guess.send('000000')).status).toBe(429)
  })

  it('is not stored so that a reader of the database could use it', async () => {
    const who = await newcomer()
    const { secret, codes } = await setUp(who.token)
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    try {
      const { rows } = await sql<{ text: string }>`select encode(totp, 'escape') as text from person
        where totp is not null union all select encode(hash, 'escape') from recovery_code`.execute(db)
      const stored = JSON.stringify(rows)
      expect(rows.length).toBeGreaterThan(10)
      for (const word of [secret, ...codes]) expect(stored).not.toContain(word)
    } finally {
      await db.destroy()
    }
  })
})

describe('a forgotten password', () => {
  const ask = (username: string) =>
    fetch(`${idp.server.url}${realm}/forgot`, { ...form({ username }), headers: { 'accept-language': 'fr' } })

  it('is set anew by a link in a mail, in the reader’s language; nobody learns who has an account', async () => {
    const who = await newcomer()
    mails.length = 0
    const known = await ask(who.username)
    const unknown = await ask('nobody-of-that-name')
    expect([known.status, await known.text()].join().replaceAll(/nonce[^>]*/g, '')).toBe(
      [unknown.status, await unknown.text()].join().replaceAll(/nonce[^>]*/g, ''),
    )
    await expect.poll(() => mails.length).toBe(1)
    expect(mails[0]!.to).toBe(who.email)
    expect(mails[0]!.text).toContain('Content-Language: fr')
    const url = linkIn(mails[0]!.text, 'welcome')
    const token = url.searchParams.get('token')!
    const newPassword = 'a sentence of its own'
    const done = await fetch(url.origin + url.pathname, {
      ...form({ token, password: newPassword }),
      redirect: 'manual',
    })
    expect(done.status).toBe(303)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(401)
    await idp.tokenBy(who.username, newPassword)
  })

  it('brings no more than five mails an hour', async () => {
    const who = await newcomer()
    mails.length = 0
    for (let n = 0; n < 8; n++) expect((await ask(who.email)).status).toBe(200)
    await expect.poll(() => mails.length).toBe(5)
  })
})

import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { setUpTotp } from '../../src/idp/factor/service.ts'
import { readSecondFactors } from '../../src/idp/factor/store.ts'
import { addUser, ensureAdmin } from '../../src/idp/service.ts'
import { verifyPassword, hashPassword } from '../../src/idp/password.ts'
import { endSessions, findPersonByName, setPassword } from '../../src/idp/store.ts'
import { throttle } from '../../src/idp/throttle.ts'
import { issueTicket } from '../../src/idp/ticket/store.ts'
import { createTotpSecret, computeTotpCode } from '../../src/idp/totp.ts'
import { sealWith } from '../../src/kit/seal.ts'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { mailServerOfFile } from '../mail-server.ts'
import { adminPassword, type Browser, form, signInOfFile } from '../sign-in.ts'

/** What somebody tries who has found out a password, and meets a second factor. */
const { url: mailUrl, mails } = await mailServerOfFile()
const idp = signInOfFile({ CLEARWAY_SMTP_URL: mailUrl })
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

const step = () => Math.floor(Date.now() / 30_000)
let count = 0
/** Somebody with a second factor, signed in before it was set up. */
async function victim() {
  const username = `victim${count++}`
  const email = `${username}@example.org`
  await addUser({ db }, { username, email, password, roles: ['access'], firstName: 'Ada', lastName: 'Byron' })
  const { id } = (await findPersonByName({ db }, username))!
  const token = await idp.tokenBy(username, password)
  const secret = createTotpSecret()
  const code = computeTotpCode(secret, step())
  const { status, body } = await idp.call('POST', `${realm}/own/totp`, token, { password, secret, code })
  expect(status).toBe(200)
  return { id, username, email, token, secret, codes: (body as { codes: string[] }).codes }
}
/** Signs in up to the second step. */
async function begin(go: Browser, username: string) {
  const page = (await idp.authorize(go)).headers.get('location')!
  await go(page)
  const shown = await (await go(page, form({ username, password }))).text()
  const second = /name="second" value="([^"]+)"/.exec(shown)![1]!
  return (code: string) => go(page, form({ second, code }))
}
const entries = async (subject: string) => {
  const admin = await idp.tokenBy('admin', adminPassword)
  const { body } = await idp.call('GET', '/monitor-api/audit?size=500', admin)
  type Entry = {
    noun: string
    subject: string
    actor: string | null
    address: string | null
    after: { account?: string } | null
  }
  return (body as { content: Entry[] }).content.filter((entry) => entry.subject === subject)
}

describe('to replace a second factor by the password alone', () => {
  it('the app, the recovery codes, or both by turning it off', async () => {
    const who = await victim()
    const secret = createTotpSecret()
    const code = () => computeTotpCode(secret, step())
    const call = (path: string, body: object) =>
      idp.call('POST', `${realm}/own/${path}`, who.token, { password, ...body })
    for (const [path, body] of [
      ['totp', { secret, code: code() }],
      ['recovery-codes', {}],
      ['totp/remove', {}],
    ] as const) {
      const wanted = (code: string) => ({ status: 400, body: { errors: [{ path: 'second', code }] } })
      expect(await call(path, body)).toMatchObject(wanted('required'))
      expect(await call(path, { ...body, second: '000000' })).toMatchObject(wanted('wrong-code'))
    }
    // A new app that was not set up right uses no code of the one before up.
    const second = who.codes[0]
    expect(await call('totp', { secret, code: '000000', second })).toMatchObject({
      body: { errors: [{ path: 'code' }] },
    })
    expect((await call('totp', { secret, code: code(), second })).status).toBe(200)
    const { body } = await idp.call('GET', `${realm}/own`, who.token)
    expect((body as OwnAccount).recoveryCodes).toBe(10)
  })

  it("an administrator's own, who may remove only those of others", async () => {
    const who = await victim()
    const boss = await victim()
    await db
      .updateTable('person')
      .set({ roles: ['access', 'admin'] })
      .where('id', '=', boss.id)
      .execute()
    const go = idp.browser()
    const send = await begin(go, boss.username)
    const done = await idp.follow(go, await send(boss.codes[0]!))
    const { access_token } = await idp.tokensFor(done)
    const remove = (id: string) =>
      idp.call('POST', `${realm}/accounts/${id}/remove-second-factor`, access_token)
    expect((await remove(boss.id)).status).toBe(403)
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(200)
    expect(await remove(who.id)).toMatchObject({ status: 200, body: { twoFactor: false } })
    expect((await idp.call('GET', '/axe-account/me', who.token)).status).toBe(401)
    expect((await remove(who.id)).status).toBe(404)
    await idp.tokenBy(who.username, password)
    const user = await idp.tokenBy(who.username, password)
    const refused = await idp.call('POST', `${realm}/accounts/${boss.id}/remove-second-factor`, user)
    expect(refused.status).toBe(403)
    expect(await entries(who.id)).toContainEqual(
      expect.objectContaining({ actor: boss.id, after: { account: 'second-factor-removed' } }),
    )
  })

  it("by the attacker's own secret in the form that sets it up", async () => {
    const who = await victim()
    await db.updateTable('person').set({ totp: null }).where('id', '=', who.id).execute()
    const { token } = await issueTicket({ db }, 'enrol', who.id)
    const go = idp.browser()
    const page = (await idp.authorize(go)).headers.get('location')!
    const evil = 'AAAA&issuer=Bank"><script>'
    const shown = await (await go(page, form({ enrol: token, secret: evil, code: '000000' }))).text()
    expect(shown).toContain('name="username"')
    expect(shown).not.toContain('AAAA')
  })

  it('in that form, after its owner has ended all sessions', async () => {
    const who = await victim()
    await db.updateTable('person').set({ totp: null }).where('id', '=', who.id).execute()
    const { epoch } = (await findPersonByName({ db }, who.username))!
    await endSessions(db, who.id)
    // The password was looked at before, and the step is noted only now.
    const { token } = await issueTicket({ db }, 'enrol', who.id, epoch)
    const secret = createTotpSecret()
    const given = { secret, code: computeTotpCode(secret, step()) }
    const go = idp.browser()
    const page = (await idp.authorize(go)).headers.get('location')!
    const shown = await (await go(page, form({ enrol: token, ...given }))).text()
    expect(shown).toContain('name="username"')
    // Nor when they are ended between the look at the step and what it does.
    const late = { db, seal: sealWith(Buffer.alloc(32, 1)) }
    expect(await setUpTotp(late, who.id, { ...given, epoch })).toBeNull()
    const { totp } = await readSecondFactors({ db }, who.id)
    expect(totp).toBeNull()
  })
})

/** As if the waits between tries were over. */
const waitOver = () => sql`update attempt set failures = 1 where subject like 'second %'`.execute(db)

describe('to guess codes for as long as it takes', () => {
  it('ends for a day, tells the owner, and keeps nobody from a device that is known', async () => {
    const who = await victim()
    const known = idp.browser()
    await idp.follow(known, await (await begin(known, who.username))(who.codes[0]!))
    mails.length = 0
    const thief = await begin(idp.browser(), who.username)
    const statuses: number[] = []
    for (let tried = 0; tried < throttle.maxCodesPerDay + 2; tried++) {
      statuses.push((await thief('000000')).status)
      await waitOver()
    }
    expect(statuses).toEqual([...Array<number>(throttle.maxCodesPerDay).fill(400), 429, 429])
    // Nor by a right one.
    const refused = await thief(computeTotpCode(who.secret, step() + 1))
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('No more are accepted until tomorrow')
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([who.email])
    expect(mails[0]!.text).toContain('change your password')
    const guessed = (await entries(who.id)).filter(({ after }) => after?.account === 'codes-guessed')
    expect(guessed).toMatchObject([{ actor: null, address: '127.0.0.1' }])
    // The owner, on a device of before; and not as somebody else's device.
    const other = await victim()
    await endSessions(db, who.id)
    const back = await (await begin(known, who.username))(who.codes[1]!)
    expect(back.status).toBe(303)
    const strange = await begin(known, other.username)
    for (let tried = 0; tried <= throttle.maxCodesPerDay; tried++) {
      await strange('000000')
      await waitOver()
    }
    expect((await strange(other.codes[0]!)).status).toBe(429)
  })

  it('ends so where somebody is signed in, too', async () => {
    const who = await victim()
    mails.length = 0
    const body = { password, second: '000000' }
    const guess = async () => (await idp.call('POST', `${realm}/own/totp/remove`, who.token, body)).status
    expect(await guess()).toBe(400)
    const counted = sql`subject like ${`codes second ${who.id}%`}`
    await sql`update attempt set failures = ${throttle.maxCodesPerDay - 1} where ${counted}`.execute(db)
    expect([await guess(), await guess(), await guess()]).toEqual([400, 429, 429])
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([who.email])
    const guessed = (await entries(who.id)).filter(({ after }) => after?.account === 'codes-guessed')
    expect(guessed).toMatchObject([{ actor: who.id, address: '127.0.0.1' }])
  })
})

describe('to act on accounts without a trace', () => {
  it('by links: who asked and who used one is recorded, from where', async () => {
    const who = await victim()
    mails.length = 0
    await fetch(`${idp.server.url}${realm}/forgot`, form({ username: who.username }))
    await expect.poll(() => mails.length).toBe(1)
    const token = /welcome\?token=([\w-]+)/.exec(mails[0]!.text)![1]!
    const body = form({ token, password: 'quite another sentence' })
    const used = await fetch(`${idp.server.url}${realm}/welcome`, { ...body, redirect: 'manual' })
    expect(used.status).toBe(303)
    const recorded = (await entries(who.id)).map(({ actor, address, after }) => [
      after?.account,
      actor,
      address,
    ])
    expect(recorded).toContainEqual(['link-made', null, '127.0.0.1'])
    expect(recorded).toContainEqual(['password-set', who.id, '127.0.0.1'])
  })

  it('as the first administrator, or by an invitation', async () => {
    const admin = await idp.tokenBy('admin', adminPassword)
    const invitation = { email: 'invited@example.org', role: 'user' }
    const { body } = await idp.call('POST', `${realm}/accounts`, admin, invitation)
    const { id } = body as { id: string }
    const { id: adminId } = (await findPersonByName({ db }, 'admin'))!
    expect(await entries(id)).toContainEqual(
      expect.objectContaining({ actor: adminId, address: '127.0.0.1', after: { account: 'link-made' } }),
    )
    const roles = await db.selectFrom('person').select(['id', 'roles']).execute()
    await db.updateTable('person').set({ roles: [] }).execute()
    const { token } = await issueTicket({ db }, 'setup', null)
    const fields = { firstName: 'Ada', lastName: 'Byron', email: 'first@example.org', password }
    await fetch(`${idp.server.url}${realm}/welcome`, { ...form({ token, ...fields }), redirect: 'manual' })
    for (const { id: of, roles: had } of roles)
      await db.updateTable('person').set({ roles: had }).where('id', '=', of).execute()
    const made = (await findPersonByName({ db }, fields.email))!
    const first = await entries(made.id)
    expect(first.map(({ actor, address, after }) => [actor, address, after?.account])).toEqual([
      [made.id, '127.0.0.1', 'first-admin-made'],
      [made.id, '127.0.0.1', undefined],
    ])
    // By their ids: what is stored in the chain can never be removed from it.
    expect(JSON.stringify([...first, ...(await entries(id))].map(({ after }) => after))).not.toContain('@')
  })
})

describe('to come back by the password of the settings', () => {
  it('after the administrator has set another', async () => {
    const own = 'what only I know of'
    const { id } = (await findPersonByName({ db }, 'admin'))!
    await setPassword({ db }, id, await hashPassword(own))
    expect(await ensureAdmin({ db }, adminPassword)).toBeNull()
    const { password: kept } = (await findPersonByName({ db }, 'admin'))!
    expect([await verifyPassword(own, kept), await verifyPassword(adminPassword, kept)]).toEqual([true, false])
    await db.updateTable('person').set({ password: '' }).where('id', '=', id).execute()
    expect(await ensureAdmin({ db }, 'password1234')).toBe('common-password')
    expect(await ensureAdmin({ db }, adminPassword)).toBeNull()
    await idp.tokenBy('admin', adminPassword)
  })
})

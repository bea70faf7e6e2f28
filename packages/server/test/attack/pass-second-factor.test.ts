/** @module-tag slow */
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
import { createSeal } from '../../src/kit/seal.ts'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { useMailServer } from '../mail-server.ts'
import { adminPassword, type Browser, buildForm, useSignInServer } from '../sign-in.ts'

/** Attempts of an attacker who knows a password, against a second factor. */
const { url: mailUrl, mails } = await useMailServer()
const idp = useSignInServer({ CLEARWAY_SMTP_URL: mailUrl })
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

const getTotpStep = () => Math.floor(Date.now() / 30_000)
let count = 0
/** Creates a user with a second factor, signed in before it was set up. */
async function createVictim() {
  const username = `victim${count++}`
  const email = `${username}@example.org`
  await addUser({ db }, { username, email, password, roles: ['access'], firstName: 'Ada', lastName: 'Byron' })
  const { id } = (await findPersonByName({ db }, username))!
  const token = await idp.tokenBy(username, password)
  const secret = createTotpSecret()
  const code = computeTotpCode(secret, getTotpStep())
  const { status, body } = await idp.call('POST', `${realm}/own/totp`, token, { password, secret, code })
  expect(status).toBe(200)
  return { id, username, email, token, secret, codes: (body as { codes: string[] }).codes }
}
/** Signs in up to the second step. */
async function beginSignIn(browser: Browser, username: string) {
  const page = (await idp.authorize(browser)).headers.get('location')!
  await browser(page)
  const pageText = await (await browser(page, buildForm({ username, password }))).text()
  const second = /name="second" value="([^"]+)"/.exec(pageText)![1]!
  return (code: string) => browser(page, buildForm({ second, code }))
}
const listAuditEntries = async (subject: string) => {
  const admin = await idp.tokenBy('admin', adminPassword)
  const { body } = await idp.call('GET', '/monitor-api/audit?size=500', admin)
  type AuditEntry = {
    noun: string
    subject: string
    actor: string | null
    address: string | null
    after: { account?: string } | null
  }
  return (body as { content: AuditEntry[] }).content.filter((auditEntry) => auditEntry.subject === subject)
}

describe('to replace a second factor by the password alone', () => {
  it('the app, the recovery codes, or both by turning it off', async () => {
    const account = await createVictim()
    const secret = createTotpSecret()
    const computeCode = () => computeTotpCode(secret, getTotpStep())
    const callWithToken = (path: string, body: object) =>
      idp.call('POST', `${realm}/own/${path}`, account.token, { password, ...body })
    for (const [path, body] of [
      ['totp', { secret, code: computeCode() }],
      ['recovery-codes', {}],
      ['totp/remove', {}],
    ] as const) {
      const buildRefusal = (code: string) => ({ status: 400, body: { errors: [{ path: 'second', code }] } })
      expect(await callWithToken(path, body)).toMatchObject(buildRefusal('required'))
      expect(await callWithToken(path, { ...body, second: '000000' })).toMatchObject(buildRefusal('wrong-code'))
    }
    // A failed setup of a new app uses up no code of the previous one.
    const second = account.codes[0]
    expect(await callWithToken('totp', { secret, code: '000000', second })).toMatchObject({
      body: { errors: [{ path: 'code' }] },
    })
    expect((await callWithToken('totp', { secret, code: computeCode(), second })).status).toBe(200)
    const { body } = await idp.call('GET', `${realm}/own`, account.token)
    expect((body as OwnAccount).recoveryCodes).toBe(10)
  })

  it("an administrator's own, who may remove only those of others", async () => {
    const account = await createVictim()
    const boss = await createVictim()
    await db
      .updateTable('person')
      .set({ roles: ['access', 'admin'] })
      .where('id', '=', boss.id)
      .execute()
    const browser = idp.browser()
    const send = await beginSignIn(browser, boss.username)
    const redirected = await idp.follow(browser, await send(boss.codes[0]!))
    const { access_token } = await idp.tokensFor(redirected)
    const removeSecondFactor = (id: string) => idp.call('POST', `${realm}/accounts/${id}/remove-second-factor`, access_token)
    expect((await removeSecondFactor(boss.id)).status).toBe(403)
    expect((await idp.call('GET', '/axe-account/me', account.token)).status).toBe(200)
    expect(await removeSecondFactor(account.id)).toMatchObject({ status: 200, body: { twoFactor: false } })
    expect((await idp.call('GET', '/axe-account/me', account.token)).status).toBe(401)
    expect((await removeSecondFactor(account.id)).status).toBe(404)
    await idp.tokenBy(account.username, password)
    const user = await idp.tokenBy(account.username, password)
    const refused = await idp.call('POST', `${realm}/accounts/${boss.id}/remove-second-factor`, user)
    expect(refused.status).toBe(403)
    expect(await listAuditEntries(account.id)).toContainEqual(
      expect.objectContaining({ actor: boss.id, after: { account: 'second-factor-removed' } }),
    )
  })

  it("by the attacker's own secret in the form that sets it up", async () => {
    const account = await createVictim()
    await db.updateTable('person').set({ totp: null }).where('id', '=', account.id).execute()
    const { token } = await issueTicket({ db }, 'enrol', account.id)
    const browser = idp.browser()
    const page = (await idp.authorize(browser)).headers.get('location')!
    const evil = 'AAAA&issuer=Bank"><script>'
    const pageText = await (await browser(page, buildForm({ enrol: token, secret: evil, code: '000000' }))).text()
    expect(pageText).toContain('name="username"')
    expect(pageText).not.toContain('AAAA')
  })

  it('in that form, after its owner has ended all sessions', async () => {
    const account = await createVictim()
    await db.updateTable('person').set({ totp: null }).where('id', '=', account.id).execute()
    const { epoch } = (await findPersonByName({ db }, account.username))!
    await endSessions(db, account.id)
    // The password was checked before; the step is recorded only now.
    const { token } = await issueTicket({ db }, 'enrol', account.id, epoch)
    const secret = createTotpSecret()
    const totpFields = { secret, code: computeTotpCode(secret, getTotpStep()) }
    const browser = idp.browser()
    const page = (await idp.authorize(browser)).headers.get('location')!
    const pageText = await (await browser(page, buildForm({ enrol: token, ...totpFields }))).text()
    expect(pageText).toContain('name="username"')
    // Also not when they are ended between the check of the step and its effect.
    const lateDeps = { db, seal: createSeal(Buffer.alloc(32, 1)) }
    expect(await setUpTotp(lateDeps, account.id, { ...totpFields, epoch })).toBeNull()
    const { totp } = await readSecondFactors({ db }, account.id)
    expect(totp).toBeNull()
  })
})

/** Resets the waiting times between attempts. */
const skipWaitingTime = () => sql`update attempt set failures = 1 where subject like 'second %'`.execute(db)

describe('to guess codes without limit', () => {
  it('is blocked for a day, notifies the owner, and blocks no known device', async () => {
    const account = await createVictim()
    const knownBrowser = idp.browser()
    await idp.follow(knownBrowser, await (await beginSignIn(knownBrowser, account.username))(account.codes[0]!))
    mails.length = 0
    const thief = await beginSignIn(idp.browser(), account.username)
    const statuses: number[] = []
    for (let attempt = 0; attempt < throttle.maxCodesPerDay + 2; attempt++) {
      statuses.push((await thief('000000')).status)
      await skipWaitingTime()
    }
    expect(statuses).toEqual([...Array<number>(throttle.maxCodesPerDay).fill(400), 429, 429])
    // A correct code fails, too.
    const refused = await thief(computeTotpCode(account.secret, getTotpStep() + 1))
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('No more are accepted until tomorrow')
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([account.email])
    expect(mails[0]!.text).toContain('change your password')
    const guessEntries = (await listAuditEntries(account.id)).filter(({ after }) => after?.account === 'codes-guessed')
    expect(guessEntries).toMatchObject([{ actor: null, address: '127.0.0.1' }])
    // The owner can sign in on a known device; another user's device does not count.
    const otherAccount = await createVictim()
    await endSessions(db, account.id)
    const signedIn = await (await beginSignIn(knownBrowser, account.username))(account.codes[1]!)
    expect(signedIn.status).toBe(303)
    const strange = await beginSignIn(knownBrowser, otherAccount.username)
    for (let guessCount = 0; guessCount <= throttle.maxCodesPerDay; guessCount++) {
      await strange('000000')
      await skipWaitingTime()
    }
    expect((await strange(otherAccount.codes[0]!)).status).toBe(429)
  })

  it('is blocked in a signed-in session, too', async () => {
    const account = await createVictim()
    mails.length = 0
    const body = { password, second: '000000' }
    const guessCode = async () => (await idp.call('POST', `${realm}/own/totp/remove`, account.token, body)).status
    expect(await guessCode()).toBe(400)
    const counted = sql`subject like ${`codes second ${account.id}%`}`
    await sql`update attempt set failures = ${throttle.maxCodesPerDay - 1} where ${counted}`.execute(db)
    expect([await guessCode(), await guessCode(), await guessCode()]).toEqual([400, 429, 429])
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([account.email])
    const guessEntries = (await listAuditEntries(account.id)).filter(({ after }) => after?.account === 'codes-guessed')
    expect(guessEntries).toMatchObject([{ actor: account.id, address: '127.0.0.1' }])
  })
})

describe('to act on accounts without a trace', () => {
  it('by links: the requester and the user of one are recorded, with their address', async () => {
    const account = await createVictim()
    mails.length = 0
    await fetch(`${idp.server.url}${realm}/forgot`, buildForm({ username: account.username }))
    await expect.poll(() => mails.length).toBe(1)
    const token = /welcome\?token=([\w-]+)/.exec(mails[0]!.text)![1]!
    const body = buildForm({ token, password: 'quite another sentence' })
    const linkResponse = await fetch(`${idp.server.url}${realm}/welcome`, { ...body, redirect: 'manual' })
    expect(linkResponse.status).toBe(303)
    const recordedEntries = (await listAuditEntries(account.id)).map(({ actor, address, after }) => [
      after?.account,
      actor,
      address,
    ])
    expect(recordedEntries).toContainEqual(['link-made', null, '127.0.0.1'])
    expect(recordedEntries).toContainEqual(['password-set', account.id, '127.0.0.1'])
  })

  it('as the first administrator, or by an invitation', async () => {
    const admin = await idp.tokenBy('admin', adminPassword)
    const invitation = { email: 'invited@example.org', role: 'user' }
    const { body } = await idp.call('POST', `${realm}/accounts`, admin, invitation)
    const { id } = body as { id: string }
    const { id: adminId } = (await findPersonByName({ db }, 'admin'))!
    expect(await listAuditEntries(id)).toContainEqual(
      expect.objectContaining({ actor: adminId, address: '127.0.0.1', after: { account: 'link-made' } }),
    )
    const roles = await db.selectFrom('person').select(['id', 'roles']).execute()
    await db.updateTable('person').set({ roles: [] }).execute()
    const { token } = await issueTicket({ db }, 'setup', null)
    const fields = { firstName: 'Ada', lastName: 'Byron', email: 'first@example.org', password }
    await fetch(`${idp.server.url}${realm}/welcome`, { ...buildForm({ token, ...fields }), redirect: 'manual' })
    for (const { id: personId, roles: personRoles } of roles)
      await db.updateTable('person').set({ roles: personRoles }).where('id', '=', personId).execute()
    const createdPerson = (await findPersonByName({ db }, fields.email))!
    const firstEntries = await listAuditEntries(createdPerson.id)
    expect(firstEntries.map(({ actor, address, after }) => [actor, address, after?.account])).toEqual([
      [createdPerson.id, '127.0.0.1', 'first-admin-made'],
      [createdPerson.id, '127.0.0.1', undefined],
    ])
    // Stores ids only, because content of the chain can never be removed.
    expect(JSON.stringify([...firstEntries, ...(await listAuditEntries(id))].map(({ after }) => after))).not.toContain('@')
  })
})

describe('to regain access by the password of the settings', () => {
  it('after the administrator has set another', async () => {
    const ownPassword = 'what only I know of'
    const { id } = (await findPersonByName({ db }, 'admin'))!
    await setPassword({ db }, id, await hashPassword(ownPassword))
    expect(await ensureAdmin({ db }, adminPassword)).toBeNull()
    const { password: storedPassword } = (await findPersonByName({ db }, 'admin'))!
    expect([await verifyPassword(ownPassword, storedPassword), await verifyPassword(adminPassword, storedPassword)]).toEqual([
      true,
      false,
    ])
    await db.updateTable('person').set({ password: '' }).where('id', '=', id).execute()
    expect(await ensureAdmin({ db }, 'password1234')).toBe('common-password')
    expect(await ensureAdmin({ db }, adminPassword)).toBeNull()
    await idp.tokenBy('admin', adminPassword)
  })
})

/** @module-tag slow */
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import type { Adapter } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { createArtifactAdapter, hashId } from '../../src/idp/adapter.ts'
import { addUser } from '../../src/idp/service.ts'
import { endSessions, endWeakSessions, findPersonByName } from '../../src/idp/store.ts'
import { issueTicket } from '../../src/idp/ticket/store.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { createSeal } from '../../src/kit/seal.ts'
import { buildForm, useSignInServer } from '../sign-in.ts'

/** Attempts of an attacker with former or partial access, after the victim has noticed. */
const idp = useSignInServer({})
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'
const newPassword = 'quite another sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

let count = 0
/** Creates a user account, signed in. */
async function createVictim() {
  const username = `victim${count++}`
  const person = { username, email: `${username}@example.org`, password, roles: ['access'] }
  await addUser({ db }, { ...person, firstName: 'Ada', lastName: 'Byron' })
  const { id } = (await findPersonByName({ db }, username))!
  return { id, username, token: await idp.tokenBy(username, password) }
}
const changePassword = async ({ token }: { token: string }) => {
  const reply = await idp.call('POST', `${realm}/own/password`, token, { password, newPassword })
  expect(reply.status).toBe(204)
}
const useLink = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${idp.server.url}${realm}/welcome`, {
    ...buildForm({ token, password: 'the sentence of a thief' }),
    redirect: 'manual',
    headers,
  })

describe('to take over an account', () => {
  it('by a link for a forgotten password that was asked for before its owner changed it', async () => {
    const account = await createVictim()
    const { token } = await issueTicket({ db }, 'reset', account.id)
    await changePassword(account)
    expect((await useLink(token)).status).toBe(410)
    await idp.tokenBy(account.username, newPassword)
  })

  it('by a sign-in step that was started before', async () => {
    const account = await createVictim()
    const kinds = ['pass', 'proved', 'second', 'enrol'] as const
    const tokens = await Promise.all(kinds.map((ticketKind) => issueTicket({ db }, ticketKind, account.id)))
    await changePassword(account)
    const remainingTickets = await db.selectFrom('ticket').select('kind').where('person_id', '=', account.id).execute()
    expect([tokens.length, remainingTickets]).toEqual([4, []])
  })

  it('by a completed sign-in that was not used until all sessions were ended', async () => {
    const account = await createVictim()
    const thief = idp.browser()
    const page = (await idp.authorize(thief)).headers.get('location')!
    await thief(page)
    const signedIn = await thief(page, buildForm({ username: account.username, password }))
    expect(signedIn.status).toBe(303)
    await idp.call('POST', `${realm}/own/sessions/end`, account.token)
    const redirected = await idp.follow(thief, signedIn)
    expect(redirected.headers.get('location') ?? '').not.toContain('code=')
  })

  it('by a request in flight when the sessions were ended', async () => {
    const account = await createVictim()
    const adapter = createArtifactAdapter(db, createSeal(Buffer.alloc(32, 1)))
    const sessions = adapter('Session') as Adapter
    const session = { uid: `uid of ${account.id}`, accountId: account.id, amr: ['pwd'], acr: '0' }
    const findSession = () => sessions.find(`id of ${account.id}`)
    await sessions.upsert(`id of ${account.id}`, session, 600)
    expect(await findSession()).toBeTruthy()
    // The owner ends one of them.
    const uid = hashId(session.uid)
    expect((await idp.call('DELETE', `${realm}/own/sessions/${uid}`, account.token)).status).toBe(204)
    await sessions.upsert(`id of ${account.id}`, session, 600)
    expect(await findSession()).toBeUndefined()
    // All sessions end; late writes wait for that transaction.
    await db.transaction().execute(async (trx) => {
      await endSessions(trx, account.id)
      const lateWrites = ['Session', 'RefreshToken', 'AuthorizationCode'].map((artifactKind) =>
        (adapter(artifactKind) as Adapter).upsert(`late ${account.id}`, session, 600),
      )
      const login = { result: { login: { accountId: account.id, acr: '0' } } }
      lateWrites.push((adapter('Interaction') as Adapter).upsert(`late ${account.id}`, login, 600))
      // Not awaited: they wait for this transaction.
      void Promise.allSettled(lateWrites)
    })
    const remainingArtifacts = db.selectFrom('artifact').select('kind').where('account_id', '=', account.id)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await remainingArtifacts.execute()).toEqual([])
    await sessions.upsert(`next ${account.id}`, { ...session, uid: 'next', acr: '1' }, 600)
    expect(await remainingArtifacts.execute()).toEqual([{ kind: 'Session' }])
  })

  it('by a request in flight at the sign-out', async () => {
    const account = await createVictim()
    const sessions = createArtifactAdapter(db, createSeal(Buffer.alloc(32, 1)))('Session') as Adapter
    const session = { uid: `left by ${account.id}`, accountId: account.id, amr: ['pwd'], acr: '0' }
    await sessions.upsert(`left ${account.id}`, session, 600)
    await sessions.destroy(`left ${account.id}`)
    await sessions.upsert(`left ${account.id}`, session, 600)
    expect(await sessions.find(`left ${account.id}`)).toBeUndefined()
    expect(await sessions.findByUid(session.uid)).toBeUndefined()
  })

  it('by a session of an earlier version, which lacks the state of the account', async () => {
    const account = await createVictim()
    const seal = createSeal(Buffer.alloc(32, 1))
    const adapter = createArtifactAdapter(db, seal)
    const id = `old ${account.id}`
    const foundArtifacts: unknown[] = []
    for (const artifactKind of ['Session', 'RefreshToken', 'AuthorizationCode', 'Grant']) {
      const artifactText = JSON.stringify({ accountId: account.id, amr: ['pwd'] })
      const sealed = seal.close(artifactText, `sign-in ${artifactKind} ${hashId(id)}`)
      const row = { kind: artifactKind, id: hashId(id), sealed, account_id: account.id, second: false }
      await db.insertInto('artifact').values(row).execute()
      foundArtifacts.push(await (adapter(artifactKind) as Adapter).find(id))
    }
    // A grant alone gives no access.
    expect(foundArtifacts).toEqual([undefined, undefined, undefined, expect.objectContaining({ accountId: account.id })])
  })

  it('by an ended session that only requests the profile', async () => {
    const account = await createVictim()
    const second = await idp.tokenBy(account.username, password)
    const requestProfile = async () => (await idp.call('GET', `${realm}/account`, second)).status
    expect(await requestProfile()).toBe(200)
    const { body } = await idp.call('GET', `${realm}/own`, second)
    const { id } = (body as OwnAccount).sessions.find(({ isCurrent }) => isCurrent)!
    expect((await idp.call('DELETE', `${realm}/own/sessions/${id}`, account.token)).status).toBe(204)
    expect(await requestProfile()).toBe(401)
  })

  it('by one of two links that were made at once', async () => {
    const account = await createVictim()
    const tickets = await Promise.all(Array.from({ length: 8 }, () => issueTicket({ db }, 'reset', account.id)))
    const linkResponses = await Promise.all(tickets.map(({ token }) => useLink(token)))
    expect(linkResponses.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
  })
})

describe('to sign a user in under the name of another', () => {
  it("by a form that another site's page sends", async () => {
    const account = await createVictim()
    const { token } = await issueTicket({ db }, 'reset', account.id)
    expect((await useLink(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await useLink(token, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })
})

describe('to invalidate a link that was sent to a user', () => {
  it('by a name that no database can store', async () => {
    const account = await createVictim()
    const { token } = await issueTicket({ db }, 'invite', account.id)
    const fields = { token, firstName: 'A\0da', lastName: '\0', password: newPassword }
    const sendLink = (changedFields: object) =>
      fetch(`${idp.server.url}${realm}/welcome`, { ...buildForm({ ...fields, ...changedFields }), redirect: 'manual' })
    expect((await sendLink({})).status).toBe(400)
    expect((await sendLink({ lastName: 'By\0ron' })).status).toBe(303)
    expect(await findPersonByName({ db }, account.username)).toMatchObject({ firstName: 'Ada', lastName: 'Byron' })
    const signIn = await idp.signIn(idp.browser(), `${account.username}\0`, newPassword)
    expect(signIn.headers.get('location')).toContain('code=')
  })

  it('by taking the address of the first administrator in the meantime', async () => {
    await db.updateTable('person').set({ roles: [] }).execute()
    const { token } = await issueTicket({ db }, 'setup', null)
    const account = await createVictim()
    const personFields = { firstName: 'Ada', lastName: 'Byron', password: newPassword }
    const sendSetup = (email: string) =>
      fetch(`${idp.server.url}${realm}/welcome`, { ...buildForm({ token, ...personFields, email }), redirect: 'manual' })
    expect((await sendSetup(`${account.username}@example.org`)).status).toBe(400)
    expect((await sendSetup('first@example.org')).status).toBe(303)
    expect((await sendSetup('second@example.org')).status).toBe(410)
  })
})

describe('to become a second first administrator', () => {
  it('by a link printed by another start, used at the same moment', async () => {
    await db.updateTable('person').set({ roles: [] }).execute()
    const tickets = await Promise.all(Array.from({ length: 6 }, () => issueTicket({ db }, 'setup', null)))
    const personFields = { firstName: 'Ada', lastName: 'Byron', password: newPassword }
    const setupResponses = tickets.map(({ token }, n) =>
      fetch(`${idp.server.url}${realm}/welcome`, {
        ...buildForm({ token, ...personFields, email: `at-once-${n}@example.org` }),
        redirect: 'manual',
      }),
    )
    const statuses = (await Promise.all(setupResponses)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 410, 410, 410, 410, 410])
    const admins = db.selectFrom('person').select('id').where('username', 'like', 'at-once-%')
    expect(await admins.execute()).toHaveLength(1)
  })
})

describe('to stay an administrator with a password alone, where two factors are needed', () => {
  const strict = useSignInServer({ CLEARWAY_ADMIN_SECOND_FACTOR: 'true' })

  it('by a session from before the role', async () => {
    const idpDb = await openIdpDatabase(readConfig({}) as Config, strict.database.url)
    try {
      const person = { username: 'later', password, roles: ['access'] }
      await addUser({ db: idpDb }, person)
      await addUser({ db: idpDb }, { ...person, username: 'earlier' })
      const { id } = (await findPersonByName({ db: idpDb }, 'later'))!
      const browser = strict.browser()
      const tokens = await strict.tokensFor(await strict.signIn(browser, 'later', password))
      const readOwnAccount = () => strict.call('GET', `${realm}/own`, tokens.access_token)
      expect((await readOwnAccount()).status).toBe(200)
      const { token } = await issueTicket({ db: idpDb }, 'proved', (await findPersonByName({ db: idpDb }, 'admin'))!.id)
      const boss = strict.browser()
      const page = (await strict.authorize(boss)).headers.get('location')!
      const admin = await strict.tokensFor(await strict.follow(boss, await boss(page, buildForm({ proved: token }))))
      const change = await strict.call('PUT', `${realm}/accounts/${id}`, admin.access_token, { role: 'admin' })
      expect(change.status).toBe(200)
      expect((await readOwnAccount()).status).toBe(401)
      const secondSignIn = await strict.follow(browser, await strict.authorize(browser))
      expect(await secondSignIn.text()).toContain('name="username"')
      // Neither by a session from before the setting, which the next start ends.
      const oldTokens = await strict.tokensFor(await strict.signIn(strict.browser(), 'earlier', password))
      const renewTokens = ({ refresh_token }: { refresh_token: string }) =>
        strict.exchange({ grant_type: 'refresh_token', refresh_token })
      await idpDb
        .updateTable('person')
        .set({ roles: ['admin'] })
        .where('username', '=', 'earlier')
        .execute()
      const renewedTokens = await renewTokens(oldTokens)
      await endWeakSessions({ db: idpDb }, 'admin')
      await expect(renewTokens(renewedTokens)).rejects.toThrow('invalid_grant')
      expect((await strict.call('GET', `${realm}/own`, admin.access_token)).status).toBe(200)
    } finally {
      await idpDb.destroy()
    }
  })
})

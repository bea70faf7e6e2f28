import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import type { Adapter } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { createArtifactAdapter, hashId } from '../../src/idp/adapter.ts'
import { addUser } from '../../src/idp/service.ts'
import { endSessions, endWeakSessions, findPersonByName } from '../../src/idp/store.ts'
import { issueTicket } from '../../src/idp/ticket/store.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { sealWith } from '../../src/kit/seal.ts'
import { form, signInOfFile } from '../sign-in.ts'

/** What somebody tries who was once let in, or nearly, and whose victim has noticed. */
const idp = signInOfFile({})
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'
const newPassword = 'quite another sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

let count = 0
/** Somebody with an account, signed in. */
async function victim() {
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
    ...form({ token, password: 'the sentence of a thief' }),
    redirect: 'manual',
    headers,
  })

describe('to take over an account', () => {
  it('by a link for a forgotten password that was asked for before its owner changed it', async () => {
    const who = await victim()
    const { token } = await issueTicket({ db }, 'reset', who.id)
    await changePassword(who)
    expect((await useLink(token)).status).toBe(410)
    await idp.tokenBy(who.username, newPassword)
  })

  it('by a step of the sign-in that was begun before', async () => {
    const who = await victim()
    const kinds = ['pass', 'proved', 'second', 'enrol'] as const
    const tokens = await Promise.all(kinds.map((kind) => issueTicket({ db }, kind, who.id)))
    await changePassword(who)
    const left = await db.selectFrom('ticket').select('kind').where('person_id', '=', who.id).execute()
    expect([tokens.length, left]).toEqual([4, []])
  })

  it('by a sign-in that was finished and not used until all sessions were ended', async () => {
    const who = await victim()
    const thief = idp.browser()
    const page = (await idp.authorize(thief)).headers.get('location')!
    await thief(page)
    const ready = await thief(page, form({ username: who.username, password }))
    expect(ready.status).toBe(303)
    await idp.call('POST', `${realm}/own/sessions/end`, who.token)
    const to = await idp.follow(thief, ready)
    expect(to.headers.get('location') ?? '').not.toContain('code=')
  })

  it('by a request that was on the way when the sessions were ended', async () => {
    const who = await victim()
    const adapter = createArtifactAdapter(db, sealWith(Buffer.alloc(32, 1)))
    const sessions = adapter('Session') as Adapter
    const session = { uid: `uid of ${who.id}`, accountId: who.id, amr: ['pwd'], acr: '0' }
    const stored = () => sessions.find(`id of ${who.id}`)
    await sessions.upsert(`id of ${who.id}`, session, 600)
    expect(await stored()).toBeTruthy()
    // One of them, by its owner.
    const uid = hashId(session.uid)
    expect((await idp.call('DELETE', `${realm}/own/sessions/${uid}`, who.token)).status).toBe(204)
    await sessions.upsert(`id of ${who.id}`, session, 600)
    expect(await stored()).toBeUndefined()
    // All of them; whoever is ending them is waited for.
    await db.transaction().execute(async (trx) => {
      await endSessions(trx, who.id)
      const late = ['Session', 'RefreshToken', 'AuthorizationCode'].map((kind) =>
        (adapter(kind) as Adapter).upsert(`late ${who.id}`, session, 600),
      )
      const login = { result: { login: { accountId: who.id, acr: '0' } } }
      late.push((adapter('Interaction') as Adapter).upsert(`late ${who.id}`, login, 600))
      // Not awaited: they wait for this transaction.
      void Promise.allSettled(late)
    })
    const left = db.selectFrom('artifact').select('kind').where('account_id', '=', who.id)
    await new Promise((passed) => setTimeout(passed, 500))
    expect(await left.execute()).toEqual([])
    await sessions.upsert(`next ${who.id}`, { ...session, uid: 'next', acr: '1' }, 600)
    expect(await left.execute()).toEqual([{ kind: 'Session' }])
  })

  it('by a request that was on the way at the sign-out', async () => {
    const who = await victim()
    const sessions = createArtifactAdapter(db, sealWith(Buffer.alloc(32, 1)))('Session') as Adapter
    const session = { uid: `left by ${who.id}`, accountId: who.id, amr: ['pwd'], acr: '0' }
    await sessions.upsert(`left ${who.id}`, session, 600)
    await sessions.destroy(`left ${who.id}`)
    await sessions.upsert(`left ${who.id}`, session, 600)
    expect(await sessions.find(`left ${who.id}`)).toBeUndefined()
    expect(await sessions.findByUid(session.uid)).toBeUndefined()
  })

  it('by a session of an earlier version, which says nothing of the state of the account', async () => {
    const who = await victim()
    const seal = sealWith(Buffer.alloc(32, 1))
    const adapter = createArtifactAdapter(db, seal)
    const id = `old ${who.id}`
    const found: unknown[] = []
    for (const kind of ['Session', 'RefreshToken', 'AuthorizationCode', 'Grant']) {
      const text = JSON.stringify({ accountId: who.id, amr: ['pwd'] })
      const sealed = seal.close(text, `sign-in ${kind} ${hashId(id)}`)
      const row = { kind, id: hashId(id), sealed, account_id: who.id, second: false }
      await db.insertInto('artifact').values(row).execute()
      found.push(await (adapter(kind) as Adapter).find(id))
    }
    // A grant lets nobody in.
    expect(found).toEqual([undefined, undefined, undefined, expect.objectContaining({ accountId: who.id })])
  })

  it('by a session of which only the profile is asked for after it was ended', async () => {
    const who = await victim()
    const second = await idp.tokenBy(who.username, password)
    const profile = async () => (await idp.call('GET', `${realm}/account`, second)).status
    expect(await profile()).toBe(200)
    const { body } = await idp.call('GET', `${realm}/own`, second)
    const { id } = (body as OwnAccount).sessions.find(({ isCurrent }) => isCurrent)!
    expect((await idp.call('DELETE', `${realm}/own/sessions/${id}`, who.token)).status).toBe(204)
    expect(await profile()).toBe(401)
  })

  it('by one of two links that were made at once', async () => {
    const who = await victim()
    const made = await Promise.all(Array.from({ length: 8 }, () => issueTicket({ db }, 'reset', who.id)))
    const used = await Promise.all(made.map(({ token }) => useLink(token)))
    expect(used.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
  })
})

describe('to sign somebody in under the name of another', () => {
  it("by a form that another site's page sends", async () => {
    const who = await victim()
    const { token } = await issueTicket({ db }, 'reset', who.id)
    expect((await useLink(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await useLink(token, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })
})

describe('to spoil a link that somebody was sent', () => {
  it('by a name that no database keeps', async () => {
    const who = await victim()
    const { token } = await issueTicket({ db }, 'invite', who.id)
    const fields = { token, firstName: 'A\0da', lastName: '\0', password: newPassword }
    const send = (given: object) =>
      fetch(`${idp.server.url}${realm}/welcome`, { ...form({ ...fields, ...given }), redirect: 'manual' })
    expect((await send({})).status).toBe(400)
    expect((await send({ lastName: 'By\0ron' })).status).toBe(303)
    expect(await findPersonByName({ db }, who.username)).toMatchObject({ firstName: 'Ada', lastName: 'Byron' })
    const signIn = await idp.signIn(idp.browser(), `${who.username}\0`, newPassword)
    expect(signIn.headers.get('location')).toContain('code=')
  })

  it('by taking the address of the first administrator meanwhile', async () => {
    await db.updateTable('person').set({ roles: [] }).execute()
    const { token } = await issueTicket({ db }, 'setup', null)
    const who = await victim()
    const names = { firstName: 'Ada', lastName: 'Byron', password: newPassword }
    const send = (email: string) =>
      fetch(`${idp.server.url}${realm}/welcome`, { ...form({ token, ...names, email }), redirect: 'manual' })
    expect((await send(`${who.username}@example.org`)).status).toBe(400)
    expect((await send('first@example.org')).status).toBe(303)
    expect((await send('second@example.org')).status).toBe(410)
  })
})

describe('to become an administrator beside the first', () => {
  it('by a link that another start has printed, used in the same moment', async () => {
    await db.updateTable('person').set({ roles: [] }).execute()
    const made = await Promise.all(Array.from({ length: 6 }, () => issueTicket({ db }, 'setup', null)))
    const names = { firstName: 'Ada', lastName: 'Byron', password: newPassword }
    const sent = made.map(({ token }, n) =>
      fetch(`${idp.server.url}${realm}/welcome`, {
        ...form({ token, ...names, email: `at-once-${n}@example.org` }),
        redirect: 'manual',
      }),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 410, 410, 410, 410, 410])
    const admins = db.selectFrom('person').select('id').where('username', 'like', 'at-once-%')
    expect(await admins.execute()).toHaveLength(1)
  })
})

describe('to stay an administrator with a password alone, where two factors are needed', () => {
  const strict = signInOfFile({ CLEARWAY_ADMIN_SECOND_FACTOR: 'true' })

  it('by a session from before the role', async () => {
    const own = await openIdpDatabase(readConfig({}) as Config, strict.database.url)
    try {
      const person = { username: 'later', password, roles: ['access'] }
      await addUser({ db: own }, person)
      await addUser({ db: own }, { ...person, username: 'earlier' })
      const { id } = (await findPersonByName({ db: own }, 'later'))!
      const go = strict.browser()
      const tokens = await strict.tokensFor(await strict.signIn(go, 'later', password))
      const me = () => strict.call('GET', `${realm}/own`, tokens.access_token)
      expect((await me()).status).toBe(200)
      const { token } = await issueTicket({ db: own }, 'proved', (await findPersonByName({ db: own }, 'admin'))!.id)
      const boss = strict.browser()
      const page = (await strict.authorize(boss)).headers.get('location')!
      const admin = await strict.tokensFor(
        await strict.follow(boss, await boss(page, form({ proved: token }))),
      )
      const change = await strict.call('PUT', `${realm}/accounts/${id}`, admin.access_token, {
        role: 'admin',
      })
      expect(change.status).toBe(200)
      expect((await me()).status).toBe(401)
      const again = await strict.follow(go, await strict.authorize(go))
      expect(await again.text()).toContain('name="username"')
      // Nor by one from before the setting, which the next start ends.
      const old = await strict.tokensFor(await strict.signIn(strict.browser(), 'earlier', password))
      const renew = ({ refresh_token }: { refresh_token: string }) =>
        strict.exchange({ grant_type: 'refresh_token', refresh_token })
      await own
        .updateTable('person')
        .set({ roles: ['admin'] })
        .where('username', '=', 'earlier')
        .execute()
      const still = await renew(old)
      await endWeakSessions({ db: own }, 'admin')
      await expect(renew(still)).rejects.toThrow('invalid_grant')
      expect((await strict.call('GET', `${realm}/own`, admin.access_token)).status).toBe(200)
    } finally {
      await own.destroy()
    }
  })
})

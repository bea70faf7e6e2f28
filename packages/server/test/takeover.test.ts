import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIdpDatabase } from '../src/process/idp.ts'
import { addUser } from '../src/idp/service.ts'
import { findByName } from '../src/idp/store.ts'
import { issueTicket } from '../src/idp/ticket/store.ts'
import { readConfig, type Config } from '../src/config.ts'
import { form, signInOfFile } from './sign-in.ts'

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
  const { id } = (await findByName({ db }, username))!
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

  it('by one of two links that were made at once', async () => {
    const who = await victim()
    const made = await Promise.all(Array.from({ length: 8 }, () => issueTicket({ db }, 'reset', who.id)))
    const used = await Promise.all(made.map(({ token }) => useLink(token)))
    expect(used.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
  })
})

describe('to sign somebody in under a name that is not his', () => {
  it("by a form that another site's page sends", async () => {
    const who = await victim()
    const { token } = await issueTicket({ db }, 'reset', who.id)
    expect((await useLink(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await useLink(token, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })
})

import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { removeFactor } from '../../src/idp/factor/store.ts'
import { addUser } from '../../src/idp/service.ts'
import { endSessions, findPersonByName } from '../../src/idp/store.ts'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { freePort } from '../free-port.ts'
import { passkeyDevice } from '../passkey-device.ts'
import { adminPassword, form, signInOfFile } from '../sign-in.ts'

// Passkeys are bound to a name, so the URL has to be known before the server starts.
const port = await freePort()
const origin = `http://localhost:${port}`
const party = 'localhost'
const idp = signInOfFile({ CLEARWAY_PORT: String(port), CLEARWAY_PUBLIC_URL: origin })
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

type Offer = { challenge: string }
let count = 0
async function somebody(roles = ['access']) {
  const username = `somebody${count++}`
  await addUser({ db }, { username, email: `${username}@example.org`, password, roles })
  const { id } = (await findPersonByName({ db }, username))!
  return { id, username, token: await idp.tokenBy(username, password) }
}
const own = async (token: string): Promise<OwnAccount> => (await idp.call('GET', `${realm}/own`, token)).body
const offer = async (token: string, given: object) =>
  (await idp.call('POST', `${realm}/own/passkeys/offer`, token, given)) as { status: number; body: Offer }
const add = (token: string, body: object) =>
  idp.call('POST', `${realm}/own/passkeys`, token, { name: 'Phone', ...body })
/** Somebody with a passkey, and the device that has it. */
async function owner() {
  const who = await somebody()
  const device = passkeyDevice()
  const { body } = await offer(who.token, { password })
  const made = await add(who.token, { passkey: device.make({ challenge: body.challenge, origin, party }) })
  expect(made.status).toBe(201)
  return { ...who, device, codes: (made.body as { codes: string[] }).codes }
}
/** The sign-in form, and what a browser is asked there. */
async function begin(go = idp.browser()) {
  const page = (await idp.authorize(go)).headers.get('location')!
  const shown = await (await go(page)).text()
  expect(shown).toContain('id="passkey"')
  const { challenge } = (await (await go(`${page}/passkey`)).json()) as Offer
  const send = (proof: object) => go(page, form({ passkey: JSON.stringify(proof) }))
  return { go, page, challenge, send }
}

describe('a passkey', () => {
  it('signs in by itself, as two factors, and brings recovery codes when it is the first', async () => {
    const { device, codes, username } = await owner()
    expect(codes).toHaveLength(10)
    const { go, challenge, send } = await begin()
    const done = await idp.follow(go, await send(device.show({ challenge, origin, party, counter: 1 })))
    const { access_token: token } = await idp.tokensFor(done)
    const account = await own(token)
    expect(account).toMatchObject({ username, hasTotp: false, canUsePasskeys: true, recoveryCodes: 10 })
    expect(account.passkeys).toMatchObject([{ name: 'Phone', usedAt: expect.any(String) }])
    // It confirms, too: a second one, and the removal of the first.
    const ask = async () =>
      ((await idp.call('POST', `${realm}/own/passkeys/ask`, token)).body as Offer).challenge
    const shown = device.show({ challenge: await ask(), origin, party, counter: 2 })
    const { body } = await offer(token, { passkey: shown })
    const other = passkeyDevice().make({ challenge: body.challenge, origin, party })
    expect((await add(token, { passkey: other })).body).toEqual({ codes: [] })
    const again = device.show({ challenge: await ask(), origin, party, counter: 3 })
    const remove = `${realm}/own/passkeys/${account.passkeys[0]!.id}/remove`
    expect((await idp.call('POST', remove, token, { passkey: again })).status).toBe(204)
    expect((await own(token)).passkeys.map(({ id }) => id)).toEqual([other.id])
  })

  it('is asked for after the password, or a recovery code in its place', async () => {
    const { codes, username } = await owner()
    const { go, page } = await begin()
    const shown = await (await go(page, form({ username, password }))).text()
    expect(shown).toContain('id="passkey"')
    const second = /name="second" value="([^"]+)"/.exec(shown)![1]!
    expect((await go(page, form({ second, code: '000000' }))).status).toBe(400)
    await idp.tokensFor(await idp.follow(go, await go(page, form({ second, code: codes[0]! }))))
  })

  it('stays, where the role needs one and it is the last; its codes go with it otherwise', async () => {
    const { id, token } = await owner()
    const passkey = { kind: 'passkey', id: (await own(token)).passkeys[0]!.id } as const
    expect(await removeFactor({ db }, id, passkey, true)).toBe('last')
    expect(await removeFactor({ db }, id, { kind: 'totp' }, true)).toBe('none')
    expect(await own(token)).toMatchObject({ recoveryCodes: 10 })
    expect(await removeFactor({ db }, id, passkey, false)).toBe('done')
    expect(await own(token)).toMatchObject({ recoveryCodes: 0, passkeys: [] })
  })
})

describe('to sign in by a passkey of somebody else', () => {
  it('with an answer of before, of another site, or without verifying the user', async () => {
    const { device } = await owner()
    const { challenge, send } = await begin()
    const good = device.show({ challenge, origin, party, counter: 5 })
    type Made = (challenge: string) => object
    const wrong: readonly Made[] = [
      (asked) => device.show({ challenge: asked, origin: 'http://evil.localhost:1', party, counter: 5 }),
      (asked) => device.show({ challenge: asked, origin, party: 'evil.localhost', counter: 5 }),
      (asked) => device.show({ challenge: asked, origin, party, counter: 5, isVerified: false }),
      (asked) => ({ ...device.show({ challenge: asked, origin, party, counter: 5 }), id: 'AAAA' }),
      (asked) => passkeyDevice().show({ challenge: asked, origin, party, counter: 5 }),
      (asked) => {
        const { response, ...named } = device.show({ challenge: asked, origin, party, counter: 5 })
        return { ...named, response: { ...response, signature: response.authenticatorData } }
      },
      () => ({ id: 'x', type: 'public-key' }),
      () => ({}),
    ]
    for (const make of wrong) {
      const one = await begin()
      expect((await one.send(make(one.challenge))).status).toBe(400)
    }
    expect((await send(good)).status).toBe(303)
    // What was shown is good once, and a device does not count back.
    expect((await send(good)).status).toBe(400)
    const next = await begin()
    const counted = { origin, party, counter: 5 }
    expect((await next.send(device.show({ challenge: next.challenge, ...counted }))).status).toBe(400)
    // Nor for two at once, as a copied device would.
    const both = await Promise.all([begin(), begin()])
    const shown = await Promise.all(
      both.map((one) => one.send(device.show({ challenge: one.challenge, origin, party, counter: 6 }))),
    )
    expect(shown.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    // A challenge that was made for a confirmation signs nobody in.
    const mine = await somebody()
    const { body } = await idp.call('POST', `${realm}/own/passkeys/ask`, mine.token)
    const last = await begin()
    const asked = (body as Offer).challenge
    expect((await last.send(device.show({ challenge: asked, origin, party, counter: 9 }))).status).toBe(400)
  })

  it('who is deactivated', async () => {
    const { device, id } = await owner()
    const admin = await idp.tokenBy('admin', adminPassword)
    expect((await idp.call('POST', `${realm}/accounts/${id}/deactivate`, admin)).status).toBe(200)
    const { challenge, send } = await begin()
    expect((await send(device.show({ challenge, origin, party, counter: 1 }))).status).toBe(400)
  })
})

describe('to put a passkey of one’s own on an account that is signed in', () => {
  it('without the password, or without the second factor', async () => {
    const { token, codes } = await owner()
    expect((await offer(token, {})).status).toBe(400)
    expect((await offer(token, { password: 'a guess' })).status).toBe(400)
    expect((await offer(token, { password })).body).toMatchObject({
      errors: [{ path: 'second', code: 'required' }],
    })
    expect((await offer(token, { password, second: codes[0] })).status).toBe(200)
    // Nor by an own passkey of somebody else.
    const thief = await owner()
    const { body } = await idp.call('POST', `${realm}/own/passkeys/ask`, token)
    const shown = thief.device.show({ challenge: (body as Offer).challenge, origin, party, counter: 1 })
    expect((await offer(token, { passkey: shown })).status).toBe(400)
  })

  it('with what was offered to somebody else, or before all sessions were ended', async () => {
    const [mine, other] = [await somebody(), await somebody()]
    const { body } = await offer(mine.token, { password })
    const passkey = passkeyDevice().make({ challenge: body.challenge, origin, party })
    expect((await add(other.token, { passkey })).status).toBe(400)
    expect((await add(mine.token, { passkey })).status).toBe(400)
    const later = await offer(mine.token, { password })
    await endSessions(db, mine.id)
    const token = await idp.tokenBy(mine.username, password)
    const made = passkeyDevice().make({ challenge: later.body.challenge, origin, party })
    expect((await add(token, { passkey: made })).status).toBe(400)
  })

  it('that somebody has already', async () => {
    const one = await owner()
    const two = await somebody()
    const { body } = await offer(two.token, { password })
    const passkey = one.device.make({ challenge: body.challenge, origin, party })
    expect((await add(two.token, { passkey })).status).toBe(400)
  })
})

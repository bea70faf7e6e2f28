/** @module-tag slow */
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { removeFactor } from '../../src/idp/factor/store.ts'
import { addUser } from '../../src/idp/service.ts'
import { endSessions, findPersonByName } from '../../src/idp/store.ts'
import { openIdpDatabase } from '../../src/process/idp.ts'
import { findFreePort } from '../../../engine/test/free-port.ts'
import { createPasskeyDevice } from '../passkey-device.ts'
import { adminPassword, buildForm, useSignInServer } from '../sign-in.ts'

// Passkeys are bound to a host name, so the URL must be known before the server starts.
const port = await findFreePort()
const origin = `http://localhost:${port}`
const party = 'localhost'
const idp = useSignInServer({ CLEARWAY_PORT: String(port), CLEARWAY_PUBLIC_URL: origin })
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'

let db: Awaited<ReturnType<typeof openIdpDatabase>>
beforeAll(async () => {
  db = await openIdpDatabase(readConfig({}) as Config, idp.database.url)
})
afterAll(() => db.destroy())

type Offer = { challenge: string }
let count = 0
async function createUser(roles = ['access']) {
  const username = `somebody${count++}`
  await addUser({ db }, { username, email: `${username}@example.org`, password, roles })
  const { id } = (await findPersonByName({ db }, username))!
  return { id, username, token: await idp.tokenBy(username, password) }
}
const readOwnAccount = async (token: string): Promise<OwnAccount> => (await idp.call('GET', `${realm}/own`, token)).body
const requestOffer = async (token: string, confirmation: object) =>
  (await idp.call('POST', `${realm}/own/passkeys/offer`, token, confirmation)) as { status: number; body: Offer }
const addPasskey = (token: string, body: object) => idp.call('POST', `${realm}/own/passkeys`, token, { name: 'Phone', ...body })
/** Creates a user with a passkey, and the device that holds it. */
async function createOwner() {
  const account = await createUser()
  const device = createPasskeyDevice()
  const { body } = await requestOffer(account.token, { password })
  const added = await addPasskey(account.token, { passkey: device.make({ challenge: body.challenge, origin, party }) })
  expect(added.status).toBe(201)
  return { ...account, device, codes: (added.body as { codes: string[] }).codes }
}
/** Opens the sign-in form, and requests its challenge. */
async function beginSignIn(browser = idp.browser()) {
  const page = (await idp.authorize(browser)).headers.get('location')!
  const pageText = await (await browser(page)).text()
  expect(pageText).toContain('id="passkey"')
  const { challenge } = (await (await browser(`${page}/passkey`)).json()) as Offer
  const sendProof = (proof: object) => browser(page, buildForm({ passkey: JSON.stringify(proof) }))
  return { go: browser, page, challenge, send: sendProof }
}

describe('a passkey', () => {
  it('signs in alone, as two factors, and creates recovery codes if it is the first', async () => {
    const { device, codes, username } = await createOwner()
    expect(codes).toHaveLength(10)
    const { go: browser, challenge, send } = await beginSignIn()
    const redirected = await idp.follow(browser, await send(device.show({ challenge, origin, party, counter: 1 })))
    const { access_token: token } = await idp.tokensFor(redirected)
    const account = await readOwnAccount(token)
    expect(account).toMatchObject({ username, hasTotp: false, canUsePasskeys: true, recoveryCodes: 10 })
    expect(account.passkeys).toMatchObject([{ name: 'Phone', usedAt: expect.any(String) }])
    // It is also a confirmation: for a second one, and for removing the first.
    const requestChallenge = async () => ((await idp.call('POST', `${realm}/own/passkeys/ask`, token)).body as Offer).challenge
    const proof = device.show({ challenge: await requestChallenge(), origin, party, counter: 2 })
    const { body } = await requestOffer(token, { passkey: proof })
    const otherPasskey = createPasskeyDevice().make({ challenge: body.challenge, origin, party })
    expect((await addPasskey(token, { passkey: otherPasskey })).body).toEqual({ codes: [] })
    const nextProof = device.show({ challenge: await requestChallenge(), origin, party, counter: 3 })
    const remove = `${realm}/own/passkeys/${account.passkeys[0]!.id}/remove`
    expect((await idp.call('POST', remove, token, { passkey: nextProof })).status).toBe(204)
    expect((await readOwnAccount(token)).passkeys.map(({ id }) => id)).toEqual([otherPasskey.id])
  })

  it('is required after the password, or a recovery code instead', async () => {
    const { codes, username } = await createOwner()
    const { go: browser, page } = await beginSignIn()
    const pageText = await (await browser(page, buildForm({ username, password }))).text()
    expect(pageText).toContain('id="passkey"')
    const second = /name="second" value="([^"]+)"/.exec(pageText)![1]!
    expect((await browser(page, buildForm({ second, code: '000000' }))).status).toBe(400)
    await idp.tokensFor(await idp.follow(browser, await browser(page, buildForm({ second, code: codes[0]! }))))
  })

  it('cannot be removed if it is the last and the role needs one; otherwise its codes are removed, too', async () => {
    const { id, token } = await createOwner()
    const passkey = { kind: 'passkey', id: (await readOwnAccount(token)).passkeys[0]!.id } as const
    expect(await removeFactor({ db }, id, passkey, true)).toBe('last')
    expect(await removeFactor({ db }, id, { kind: 'totp' }, true)).toBe('none')
    expect(await readOwnAccount(token)).toMatchObject({ recoveryCodes: 10 })
    expect(await removeFactor({ db }, id, passkey, false)).toBe('done')
    expect(await readOwnAccount(token)).toMatchObject({ recoveryCodes: 0, passkeys: [] })
  })
})

describe('to sign in by the passkey of another user', () => {
  it('with a previous response, one of another site, or one without user verification', async () => {
    const { device } = await createOwner()
    const { challenge, send } = await beginSignIn()
    const good = device.show({ challenge, origin, party, counter: 5 })
    type ProofBuilder = (challenge: string) => object
    const wrong: readonly ProofBuilder[] = [
      (freshChallenge) => device.show({ challenge: freshChallenge, origin: 'http://evil.localhost:1', party, counter: 5 }),
      (freshChallenge) => device.show({ challenge: freshChallenge, origin, party: 'evil.localhost', counter: 5 }),
      (freshChallenge) => device.show({ challenge: freshChallenge, origin, party, counter: 5, isVerified: false }),
      (freshChallenge) => ({ ...device.show({ challenge: freshChallenge, origin, party, counter: 5 }), id: 'AAAA' }),
      (freshChallenge) => createPasskeyDevice().show({ challenge: freshChallenge, origin, party, counter: 5 }),
      (freshChallenge) => {
        const { response, ...proof } = device.show({ challenge: freshChallenge, origin, party, counter: 5 })
        return { ...proof, response: { ...response, signature: response.authenticatorData } }
      },
      () => ({ id: 'x', type: 'public-key' }),
      () => ({}),
    ]
    for (const make of wrong) {
      const signIn = await beginSignIn()
      expect((await signIn.send(make(signIn.challenge))).status).toBe(400)
    }
    expect((await send(good)).status).toBe(303)
    // Each proof is valid once, and a device counter never decreases.
    expect((await send(good)).status).toBe(400)
    const nextSignIn = await beginSignIn()
    const counted = { origin, party, counter: 5 }
    expect((await nextSignIn.send(device.show({ challenge: nextSignIn.challenge, ...counted }))).status).toBe(400)
    // Also not for two at once, as from a cloned device.
    const signIns = await Promise.all([beginSignIn(), beginSignIn()])
    const proofs = await Promise.all(
      signIns.map((signIn) => signIn.send(device.show({ challenge: signIn.challenge, origin, party, counter: 6 }))),
    )
    expect(proofs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    // A challenge for a confirmation is not valid for a sign-in.
    const mine = await createUser()
    const { body } = await idp.call('POST', `${realm}/own/passkeys/ask`, mine.token)
    const lastSignIn = await beginSignIn()
    const confirmationChallenge = (body as Offer).challenge
    expect((await lastSignIn.send(device.show({ challenge: confirmationChallenge, origin, party, counter: 9 }))).status).toBe(400)
  })

  it('of a deactivated user', async () => {
    const { device, id } = await createOwner()
    const admin = await idp.tokenBy('admin', adminPassword)
    expect((await idp.call('POST', `${realm}/accounts/${id}/deactivate`, admin)).status).toBe(200)
    const { challenge, send } = await beginSignIn()
    expect((await send(device.show({ challenge, origin, party, counter: 1 }))).status).toBe(400)
  })
})

describe('to put a passkey of one’s own on an account that is signed in', () => {
  it('without the password, or without the second factor', async () => {
    const { token, codes } = await createOwner()
    expect((await requestOffer(token, {})).status).toBe(400)
    expect((await requestOffer(token, { password: 'a guess' })).status).toBe(400)
    expect((await requestOffer(token, { password })).body).toMatchObject({ errors: [{ path: 'second', code: 'required' }] })
    expect((await requestOffer(token, { password, second: codes[0] })).status).toBe(200)
    // Another user's own passkey is refused, too.
    const thief = await createOwner()
    const { body } = await idp.call('POST', `${realm}/own/passkeys/ask`, token)
    const proof = thief.device.show({ challenge: (body as Offer).challenge, origin, party, counter: 1 })
    expect((await requestOffer(token, { passkey: proof })).status).toBe(400)
  })

  it('with a challenge of another user, or from before all sessions were ended', async () => {
    const [owner, otherUser] = [await createUser(), await createUser()]
    const { body } = await requestOffer(owner.token, { password })
    const passkey = createPasskeyDevice().make({ challenge: body.challenge, origin, party })
    expect((await addPasskey(otherUser.token, { passkey })).status).toBe(400)
    expect((await addPasskey(owner.token, { passkey })).status).toBe(400)
    const laterOffer = await requestOffer(owner.token, { password })
    await endSessions(db, owner.id)
    const token = await idp.tokenBy(owner.username, password)
    const lateProof = createPasskeyDevice().make({ challenge: laterOffer.body.challenge, origin, party })
    expect((await addPasskey(token, { passkey: lateProof })).status).toBe(400)
  })

  it('that another user already has', async () => {
    const owner = await createOwner()
    const otherUser = await createUser()
    const { body } = await requestOffer(otherUser.token, { password })
    const passkey = owner.device.make({ challenge: body.challenge, origin, party })
    expect((await addPasskey(otherUser.token, { passkey })).status).toBe(400)
  })
})

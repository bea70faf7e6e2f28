/** @module-tag slow */
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useMailServer } from '../../../test/mail-server.ts'
import { adminPassword, buildForm, useSignInServer } from '../../../test/sign-in.ts'
import { openDatabase } from '../../kit/database.ts'
import { addUser } from '../service.ts'
import type { IdpTables } from '../table.ts'
import { computeTotpCode } from '../totp.ts'

const { url: mailUrl, mails } = await useMailServer()
const signInServer = useSignInServer({ CLEARWAY_SMTP_URL: mailUrl })
const realmPath = '/realms/clearway'
const testPassword = 'a wholly unlikely sentence'
let personCount = 0
/** Creates a person and signs them in. */
async function createSignedInPerson(roles: readonly string[] = ['access']) {
  const username = `person${personCount++}`
  const email = `${username}@example.org`
  const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
  try {
    await addUser({ db: database }, { username, email, password: testPassword, roles, firstName: 'Ada', lastName: 'Byron' })
  } finally {
    await database.destroy()
  }
  return { username, email, token: await signInServer.tokenBy(username, testPassword) }
}
const readOwnAccount = async (token: string): Promise<OwnAccount> =>
  (await signInServer.call('GET', `${realmPath}/own`, token)).body
/** The link in a mail to one of our pages. */
const extractLink = (mailText: string, pageName: 'email' | 'welcome'): URL =>
  new URL(new RegExp(String.raw`http\S+${pageName}\?token=[\w-]+`).exec(mailText)![0])
const getCurrentTimeStep = () => Math.floor(Date.now() / 30_000)

describe("the caller's own account", () => {
  it('changes the name and lists the sessions', async () => {
    const person = await createSignedInPerson()
    const otherToken = await signInServer.tokenBy(person.username, testPassword)
    await signInServer.call('PUT', `${realmPath}/own/name`, person.token, { firstName: 'Grace', lastName: 'Hopper' })
    const ownAccount = await readOwnAccount(person.token)
    expect(ownAccount).toMatchObject({ firstName: 'Grace', username: person.username, hasTotp: false })
    expect(ownAccount.sessions).toHaveLength(2)
    expect(ownAccount.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    const otherSession = ownAccount.sessions.find(({ isCurrent }) => !isCurrent)!
    expect((await signInServer.call('DELETE', `${realmPath}/own/sessions/${otherSession.id}`, person.token)).status).toBe(204)
    expect((await signInServer.call('DELETE', `${realmPath}/own/sessions/${otherSession.id}`, person.token)).status).toBe(404)
    expect((await signInServer.call('GET', '/axe-account/me', otherToken)).status).toBe(401)
    expect((await signInServer.call('GET', '/axe-account/me', person.token)).status).toBe(200)
    await signInServer.call('POST', `${realmPath}/own/sessions/end`, person.token)
    expect((await signInServer.call('GET', '/axe-account/me', person.token)).status).toBe(401)
  })

  it('changes the password for a caller who knows the current one', async () => {
    const person = await createSignedInPerson()
    const changePassword = (passwordChange: object) =>
      signInServer.call('POST', `${realmPath}/own/password`, person.token, passwordChange)
    const newPassword = 'quite another sentence'
    expect((await changePassword({ password: 'not-the-password', newPassword })).body).toMatchObject({
      errors: [{ path: 'password', code: 'wrong-password' }],
    })
    expect((await changePassword({ password: testPassword, newPassword: 'short' })).body).toMatchObject({
      errors: [{ path: 'newPassword', code: 'too-short' }],
    })
    expect((await changePassword({ password: testPassword, newPassword: `${person.username}-and-more` })).body).toMatchObject({
      errors: [{ path: 'newPassword', code: 'personal-password' }],
    })
    expect((await changePassword({ password: testPassword, newPassword })).status).toBe(204)
    expect((await signInServer.call('GET', '/axe-account/me', person.token)).status).toBe(401)
    expect((await signInServer.signIn(signInServer.browser(), person.username, testPassword)).status).toBe(400)
    await signInServer.tokenBy(person.email, newPassword)
  })

  it('throttles password guesses in an unattended session', async () => {
    const person = await createSignedInPerson()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push(
        (await signInServer.call('POST', `${realmPath}/own/recovery-codes`, person.token, { password: 'a-guess' })).status,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  })
})

describe('a change of the email address', () => {
  const requestEmailChange = (token: string, emailChange: object) =>
    signInServer.call('POST', `${realmPath}/own/email`, token, emailChange)
  /** The link of the newest mail to a receiver. */
  const findNewestLink = (receiver: string) => extractLink(mails.findLast(({ to }) => to === receiver)!.text, 'email')
  const confirmLink = (confirmationUrl: URL) =>
    fetch(confirmationUrl.origin + confirmationUrl.pathname, buildForm({ token: confirmationUrl.searchParams.get('token')! }))

  it('takes effect when the mailed link is confirmed; the previous address is notified', async () => {
    const person = await createSignedInPerson()
    const newEmail = `new.${person.email}`
    expect((await readOwnAccount(person.token)).canChangeEmail).toBe(true)
    expect((await requestEmailChange(person.token, { password: 'a-guess', email: newEmail })).body).toMatchObject({
      errors: [{ path: 'password', code: 'wrong-password' }],
    })
    const otherPerson = await createSignedInPerson()
    for (const usedEmail of [otherPerson.email.toUpperCase(), otherPerson.username + '@EXAMPLE.org'])
      expect((await requestEmailChange(person.token, { password: testPassword, email: usedEmail })).body).toMatchObject({
        code: 'name-taken',
        errors: [{ path: 'email' }],
      })
    expect((await requestEmailChange(person.token, { password: testPassword, email: 'a@b\r\nBcc: x@y' })).status).toBe(400)
    mails.length = 0
    expect((await requestEmailChange(person.token, { password: testPassword, email: `first.${person.email}` })).status).toBe(204)
    expect((await requestEmailChange(person.token, { password: testPassword, email: newEmail })).status).toBe(204)
    expect(mails.map(({ to }) => to)).toEqual([`first.${person.email}`, newEmail])
    // Only the newest link works, and viewing its page changes nothing.
    expect((await confirmLink(findNewestLink(`first.${person.email}`))).status).toBe(410)
    const confirmationUrl = findNewestLink(newEmail)
    const pageHtml = await (await fetch(confirmationUrl, { headers: { 'accept-language': 'it' } })).text()
    expect(pageHtml).toContain('<html lang="it">')
    expect(pageHtml).toContain(`<strong>${newEmail}</strong>`)
    expect((await readOwnAccount(person.token)).email).toBe(person.email)
    const forgotReply = await fetch(`${signInServer.server.url}${realmPath}/forgot`, buildForm({ username: person.email }))
    expect(forgotReply.status).toBe(200)
    await expect.poll(() => mails.length).toBe(3)
    expect((await confirmLink(confirmationUrl)).status).toBe(200)
    expect((await confirmLink(confirmationUrl)).status).toBe(410)
    await expect.poll(() => mails.at(-1)!.to).toBe(person.email)
    expect(mails.at(-1)!.text).toContain(person.username)
    expect((await signInServer.call('GET', '/axe-account/me', person.token)).status).toBe(401)
    // A reset link that was sent to the previous address no longer works.
    const staleLink = extractLink(mails[2]!.text, 'welcome')
    expect((await fetch(staleLink)).status).toBe(410)
    expect((await signInServer.signIn(signInServer.browser(), person.email, testPassword)).status).toBe(400)
    const newToken = await signInServer.tokenBy(newEmail, testPassword)
    expect(await readOwnAccount(newToken)).toMatchObject({ email: newEmail, username: person.username })
    const adminToken = await signInServer.tokenBy('admin', adminPassword)
    const { id: personId } = await readOwnAccount(newToken)
    const auditReply = await signInServer.call('GET', '/monitor-api/audit?noun=person&size=500', adminToken)
    const auditEntries = (auditReply.body as { content: { subject: string; after: { account?: string } | null }[] }).content
    expect(auditEntries.flatMap(({ subject, after }) => (subject === personId && after?.account) || [])).toEqual(
      expect.arrayContaining(['email-asked', 'email-changed']),
    )
  })

  it('also changes the username of an invited person; a link works while the address is unused', async () => {
    const adminToken = await signInServer.tokenBy('admin', adminPassword)
    const invitedEmail = `invited${personCount++}@example.org`
    await signInServer.call('POST', `${realmPath}/accounts`, adminToken, { email: invitedEmail, role: 'user' })
    const welcomeUrl = extractLink(mails.at(-1)!.text, 'welcome')
    const nameFields = { token: welcomeUrl.searchParams.get('token')!, firstName: 'Ada', lastName: 'Byron' }
    await fetch(welcomeUrl.origin + welcomeUrl.pathname, {
      ...buildForm({ ...nameFields, password: testPassword }),
      redirect: 'manual',
    })
    const newEmail = `moved${personCount++}@example.org`
    const previousToken = await signInServer.tokenBy(invitedEmail, testPassword)
    await requestEmailChange(previousToken, { password: testPassword, email: newEmail })
    const confirmationUrl = findNewestLink(newEmail)
    await signInServer.call('POST', `${realmPath}/accounts`, adminToken, { email: newEmail, role: 'user' })
    expect((await confirmLink(confirmationUrl)).status).toBe(409)
    const unusedEmail = `free${personCount++}@example.org`
    await requestEmailChange(previousToken, { password: testPassword, email: unusedEmail })
    expect((await confirmLink(findNewestLink(unusedEmail))).status).toBe(200)
    expect(await readOwnAccount(await signInServer.tokenBy(unusedEmail, testPassword))).toMatchObject({
      username: unusedEmail,
      email: unusedEmail,
    })
    // The previous address is available again.
    const inviteReply = await signInServer.call('POST', `${realmPath}/accounts`, adminToken, {
      email: invitedEmail,
      role: 'user',
    })
    expect(inviteReply.status).toBe(201)
  })

  it('must be requested again by a person who was signed out or deactivated before confirming', async () => {
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    for (const personChange of [{ epoch: 9 }, { deactivated_at: new Date() }]) {
      const person = await createSignedInPerson()
      const newEmail = `late.${person.email}`
      expect((await requestEmailChange(person.token, { password: testPassword, email: person.email })).body).toMatchObject({
        code: 'name-taken',
      })
      expect((await requestEmailChange(person.token, { password: testPassword, email: newEmail })).status).toBe(204)
      // Simulates a change between the password check and the link, which still exists.
      await database.updateTable('person').set(personChange).where('username', '=', person.username).execute()
      expect((await fetch(findNewestLink(newEmail))).status).toBe(410)
      expect((await confirmLink(findNewestLink(newEmail))).status).toBe(410)
    }
    await database.destroy()
  })

  it('can be requested five times an hour', async () => {
    const person = await createSignedInPerson()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push(
        (
          await requestEmailChange(person.token, {
            password: testPassword,
            email: `box${attempt}.${person.email}`,
          })
        ).status,
      )
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429])
  })
})

describe('a second factor', () => {
  const setUpTotp = async (token: string) => {
    const { body: totpOffer } = await signInServer.call('POST', `${realmPath}/own/totp/offer`, token)
    const { secret: totpSecret, picture: qrCode } = totpOffer as { secret: string; picture: string }
    expect(qrCode).toContain('<svg')
    const submitCode = (code: string) =>
      signInServer.call('POST', `${realmPath}/own/totp`, token, { password: testPassword, secret: totpSecret, code })
    expect((await submitCode('000000')).body).toMatchObject({ errors: [{ path: 'code', code: 'wrong-code' }] })
    const timeStep = getCurrentTimeStep()
    const { body: setUpReply } = await submitCode(computeTotpCode(totpSecret, timeStep))
    return { secret: totpSecret, at: timeStep, codes: (setUpReply as { codes: string[] }).codes }
  }
  /** Signs in up to the second step. */
  const beginSignIn = async (username: string) => {
    const browse = signInServer.browser()
    const pagePath = (await signInServer.authorize(browse)).headers.get('location')!
    await browse(pagePath)
    const pageHtml = await (await browse(pagePath, buildForm({ username, password: testPassword }))).text()
    const ticketToken = /name="second" value="([^"]+)"/.exec(pageHtml)![1]!
    return {
      go: browse,
      page: pagePath,
      send: async (code: string) => signInServer.follow(browse, await browse(pagePath, buildForm({ second: ticketToken, code }))),
    }
  }

  it('is required after the password: a current code, usable once', async () => {
    const person = await createSignedInPerson()
    const { secret: totpSecret, at: timeStep, codes: recoveryCodes } = await setUpTotp(person.token)
    expect(recoveryCodes).toHaveLength(10)
    const firstSignIn = await beginSignIn(person.username)
    const wrongReply = await firstSignIn.send('123456')
    expect(wrongReply.status).toBe(400)
    expect(await wrongReply.text()).toContain('This code is wrong')
    // The code that proved the setup is already used.
    expect((await firstSignIn.send(computeTotpCode(totpSecret, timeStep))).status).toBe(400)
    const issuedTokens = await signInServer.tokensFor(await firstSignIn.send(computeTotpCode(totpSecret, timeStep + 1)))
    expect(await readOwnAccount(issuedTokens.access_token)).toMatchObject({ hasTotp: true, recoveryCodes: 10 })
    const secondSignIn = await beginSignIn(person.username)
    expect((await secondSignIn.send(computeTotpCode(totpSecret, timeStep + 1))).status).toBe(400)
    // A recovery code instead, formatted as people type it.
    await signInServer.tokensFor(await secondSignIn.send(` ${recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')}`))
    const thirdSignIn = await beginSignIn(person.username)
    expect((await thirdSignIn.send(recoveryCodes[0]!)).status).toBe(400)
    const lastTokens = await signInServer.tokensFor(await thirdSignIn.send(recoveryCodes[1]!))
    const renewReply = await signInServer.call('POST', `${realmPath}/own/recovery-codes`, lastTokens.access_token, {
      password: testPassword,
      second: recoveryCodes[2],
    })
    const renewedCodes = (renewReply.body as { codes: string[] }).codes
    expect(renewedCodes).not.toContain(recoveryCodes[3])
    const confirmation = { password: testPassword, second: renewedCodes[0] }
    expect((await signInServer.call('POST', `${realmPath}/own/totp/remove`, lastTokens.access_token, confirmation)).status).toBe(
      204,
    )
    await signInServer.tokenBy(person.username, testPassword)
  })

  it('cannot be bypassed by a new password, by another step or by guessing', async () => {
    const person = await createSignedInPerson()
    await setUpTotp(person.token)
    const adminToken = await signInServer.tokenBy('admin', adminPassword)
    const { id: personId } = await readOwnAccount(person.token)
    mails.length = 0
    expect((await signInServer.call('POST', `${realmPath}/accounts/${personId}/reset-password`, adminToken)).body).toMatchObject({
      link: null,
      email: person.email,
    })
    const browse = signInServer.browser()
    const welcomeUrl = extractLink(mails[0]!.text, 'welcome')
    const ticketToken = welcomeUrl.searchParams.get('token')!
    const welcomeReply = await browse(welcomeUrl.pathname, buildForm({ token: ticketToken, password: testPassword }))
    const passToken = /clearway_pass=([\w-]+)/.exec(welcomeReply.headers.getSetCookie().join())![1]!
    const pagePath = (await signInServer.authorize(signInServer.browser())).headers.get('location')!
    expect(pagePath).toContain('/sign-in/')
    // The pass replaces the password only.
    const otherBrowser = signInServer.browser()
    const signInPath = (await signInServer.authorize(otherBrowser)).headers.get('location')!
    expect((await otherBrowser(signInPath, buildForm({ proved: passToken }))).status).toBe(400)
    const secondFactorPage = await signInServer.follow(browse, await signInServer.authorize(browse))
    expect(await secondFactorPage.text()).toContain('name="second"')
    const guessedSignIn = await beginSignIn(person.username)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push((await guessedSignIn.send('000000')).status)
    expect(statuses.slice(-1)).toEqual([429])
    expect((await guessedSignIn.send('000000')).status).toBe(429)
  })

  it('is stored so that a reader of the database cannot use it', async () => {
    const person = await createSignedInPerson()
    const { secret: totpSecret, codes: recoveryCodes } = await setUpTotp(person.token)
    const database = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    try {
      const { rows: factorRows } = await sql<{ text: string }>`select encode(totp, 'escape') as text from person
        where totp is not null union all select encode(hash, 'escape') from recovery_code`.execute(database)
      const storedText = JSON.stringify(factorRows)
      expect(factorRows.length).toBeGreaterThan(10)
      for (const secretWord of [totpSecret, ...recoveryCodes]) expect(storedText).not.toContain(secretWord)
    } finally {
      await database.destroy()
    }
  })
})

describe('a forgotten password', () => {
  const requestResetLink = (username: string) =>
    fetch(`${signInServer.server.url}${realmPath}/forgot`, { ...buildForm({ username }), headers: { 'accept-language': 'fr' } })

  it('is reset by a mailed link in the reader’s language, without revealing who has an account', async () => {
    const person = await createSignedInPerson()
    mails.length = 0
    const knownReply = await requestResetLink(person.username)
    const unknownReply = await requestResetLink('nobody-of-that-name')
    expect([knownReply.status, await knownReply.text()].join().replaceAll(/nonce[^>]*/g, '')).toBe(
      [unknownReply.status, await unknownReply.text()].join().replaceAll(/nonce[^>]*/g, ''),
    )
    await expect.poll(() => mails.length).toBe(1)
    expect(mails[0]!.to).toBe(person.email)
    expect(mails[0]!.text).toContain('Content-Language: fr')
    const resetUrl = extractLink(mails[0]!.text, 'welcome')
    const ticketToken = resetUrl.searchParams.get('token')!
    const newPassword = 'a sentence of its own'
    const resetReply = await fetch(resetUrl.origin + resetUrl.pathname, {
      ...buildForm({ token: ticketToken, password: newPassword }),
      redirect: 'manual',
    })
    expect(resetReply.status).toBe(303)
    expect((await signInServer.call('GET', '/axe-account/me', person.token)).status).toBe(401)
    await signInServer.tokenBy(person.username, newPassword)
  })

  it('sends at most five mails an hour', async () => {
    const person = await createSignedInPerson()
    mails.length = 0
    for (let attempt = 0; attempt < 8; attempt++) expect((await requestResetLink(person.email)).status).toBe(200)
    await expect.poll(() => mails.length).toBe(5)
  })
})

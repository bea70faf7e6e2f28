/** @module-tag slow */
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody } from '../../../test/api.ts'
import { adminPassword, buildForm, useSignInServer } from '../../../test/sign-in.ts'
import { openDatabase } from '../../kit/database.ts'
import { createId } from '../../kit/id.ts'
import type { IdpTables } from '../table.ts'

const signInServer = useSignInServer()
const realmPath = '/realms/clearway'
const testPassword = 'a wholly unlikely sentence'
let adminToken: string
beforeAll(async () => {
  adminToken = await signInServer.tokenBy('admin', adminPassword)
})

const inviteAccount = async (email: string, role = 'user'): Promise<Issued> => {
  const inviteReply = await signInServer.call('POST', `${realmPath}/accounts`, adminToken, { email, role })
  expect(inviteReply.status).toBe(201)
  return inviteReply.body
}
/** Accepts the invitation of a link. */
const acceptInvitation = (link: string, fields: Record<string, string> = {}) => {
  const linkUrl = new URL(link)
  const ticketToken = linkUrl.searchParams.get('token')!
  const formFields = { token: ticketToken, firstName: 'Ada', lastName: 'Lovelace', password: testPassword, ...fields }
  return fetch(linkUrl.origin + linkUrl.pathname, { ...buildForm(formFields), redirect: 'manual' })
}
const createAccount = async (email: string, role = 'user'): Promise<string> => {
  const issuedLink = await inviteAccount(email, role)
  expect((await acceptInvitation(issuedLink.link!)).status).toBe(303)
  return issuedLink.id
}
const listPeople = async (): Promise<Person[]> => {
  const { body } = await signInServer.call('GET', '/axe-account/people?size=0', adminToken)
  return (body as { content: Person[] }).content
}
const listAuditEntries = async (id: string): Promise<unknown[]> => {
  const { body } = await signInServer.call('GET', '/monitor-api/audit?noun=person&size=100', adminToken)
  return (body as { content: { subject: string }[] }).content.filter(({ subject }) => subject === id)
}

describe('an invitation', () => {
  it('is a link that works once and signs in the invited person', async () => {
    const issuedLink = await inviteAccount('ada@example.org', 'auditor')
    expect(issuedLink).toMatchObject({ email: 'ada@example.org' })
    expect(await listPeople()).toContainEqual(
      expect.objectContaining({ id: issuedLink.id, state: 'invited', role: 'auditor', seenAt: null }),
    )
    const browse = signInServer.browser()
    const welcomePage = await browse(issuedLink.link!, { headers: { 'accept-language': 'de' } })
    expect([welcomePage.status, welcomePage.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await welcomePage.text()).toContain('<html lang="de">')
    const linkUrl = new URL(issuedLink.link!)
    const ticketToken = linkUrl.searchParams.get('token')!
    const ownFields = { token: ticketToken, firstName: 'Ada', lastName: 'Lovelace' }
    const submitForm = (fields: Record<string, string>) => browse(linkUrl.pathname, buildForm({ ...ownFields, ...fields }))
    for (const [wrongPassword, expectedText] of [
      ['short', 'Use at least 12 characters.'],
      ['password1234', 'among the first that attackers try'],
      ['aaaaaaaaaaaa', 'among the first that attackers try'],
      ['ada@example.org', 'Leave your name and email out'],
      ['', 'Fill in this field.'],
    ] as const) {
      const wrongReply = await submitForm({ password: wrongPassword })
      expect(wrongReply.status, wrongPassword).toBe(400)
      expect(await wrongReply.text()).toContain(expectedText)
    }
    const acceptedReply = await submitForm({ password: testPassword })
    expect([acceptedReply.status, acceptedReply.headers.get('location')]).toEqual([303, '/monitor'])
    // The password need not be entered again.
    const issuedTokens = await signInServer.tokensFor(await signInServer.follow(browse, await signInServer.authorize(browse)))
    expect((await signInServer.call('GET', '/monitor-api/users/permissions', issuedTokens.access_token)).body).toMatchObject({
      firstName: 'Ada',
      username: 'ada@example.org',
    })
    expect((await submitForm({ password: testPassword })).status).toBe(410)
    expect((await fetch(issuedLink.link!)).status).toBe(410)
    await signInServer.tokenBy('ADA@example.org', testPassword)
    expect(await listAuditEntries(issuedLink.id)).toEqual([
      expect.objectContaining({ action: 'changed', after: { account: 'password-set' } }),
      expect.objectContaining({ action: 'changed', after: { account: 'link-made' } }),
      expect.objectContaining({ action: 'created' }),
    ])
  })

  it('can be sent again, which ends the previous link', async () => {
    const firstLink = await inviteAccount('grace@example.org')
    const resetReply = await signInServer.call('POST', `${realmPath}/accounts/${firstLink.id}/reset-password`, adminToken)
    expect((await fetch(firstLink.link!)).status).toBe(410)
    expect((await fetch((resetReply.body as Issued).link!)).status).toBe(200)
  })

  it('is stored so that a reader of the database cannot use it', async () => {
    const issuedLink = await inviteAccount('hashed@example.org')
    const ticketToken = new URL(issuedLink.link!).searchParams.get('token')!
    const db = openDatabase<IdpTables>(signInServer.database.url, { schema: 'idp', connections: 1 })
    try {
      const { rows: ticketRows } = await sql<{ text: string }>`select encode(hash, 'escape') || encode(hash, 'base64') as text
        from ticket`.execute(db)
      expect(ticketRows.length).toBeGreaterThan(0)
      expect(JSON.stringify(ticketRows)).not.toContain(ticketToken.slice(0, 20))
      await sql`update ticket set expires_at = now() - interval '1 second'`.execute(db)
      expect((await fetch(issuedLink.link!)).status).toBe(410)
    } finally {
      await db.destroy()
    }
  })

  it('requires an unused address', async () => {
    const inviteBody = { email: 'ADA@example.org', role: 'user' }
    const takenReply = await signInServer.call('POST', `${realmPath}/accounts`, adminToken, inviteBody)
    expect([takenReply.status, takenReply.body]).toMatchObject([409, { errors: [{ path: 'email', code: 'name-taken' }] }])
    expect(
      (await signInServer.call('POST', `${realmPath}/accounts`, adminToken, { ...inviteBody, email: 'nothing' })).status,
    ).toBe(400)
  })

  it('imports all accounts of a file, or none if a line is wrong', async () => {
    const importFile = async (content: string, check = false) =>
      (await signInServer.call('POST', `${realmPath}/accounts/import`, adminToken, { filename: 'p.csv', content, check })).body
    const faultyCsv = 'email;role\nada@example.org;user\nnobody;user\nnew@example.org;boss\nnew@example.org;user\n'
    expect(await importFile(faultyCsv)).toMatchObject({
      success: false,
      errors: [
        { line: 2, code: 'email-taken' },
        { line: 3, code: 'bad-email' },
        { line: 4, code: 'bad-role' },
        { line: 5, code: 'duplicate' },
      ],
    })
    const previousCount = (await listPeople()).length
    const csvRows = Array.from({ length: 300 }, (_, index) => `p${index}@example.org,First${index},Last,access`).join('\n')
    const csvContent = `email,First Name,last_name,role\n${csvRows}`
    expect(await importFile(csvContent, true)).toMatchObject({ success: true, invited: [] })
    expect((await listPeople()).length).toBe(previousCount)
    const importReply = (await importFile(csvContent)) as { invited: Issued[] }
    expect(importReply.invited).toHaveLength(300)
    expect((await fetch(importReply.invited[299]!.link!)).status).toBe(200)
    expect((await listPeople()).length).toBe(previousCount + 300)
    expect(await importFile(`email\n${'x@example.org\n'.repeat(1001)}`)).toMatchObject({ errors: [{ code: 'too-many-rows' }] })
  })
})

describe('an account', () => {
  it('loses its sessions, tokens, keys and mail when deactivated, and keeps its history', async () => {
    const accountId = await createAccount('leaver@example.org')
    const accountToken = await signInServer.tokenBy('leaver@example.org', testPassword)
    const createdScan = await signInServer.call('POST', '/monitor-api/scans', accountToken, {
      name: 'Of a leaver',
      urls: ['https://example.org/'],
    })
    expect(createdScan.status).toBe(201)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const createdKey = await signInServer.call('POST', '/monitor-api/api-keys', accountToken, {
      name: 'k',
      scopes: ['read'],
      expiresAt,
    })
    expect(createdKey.status).toBe(201)
    const callWithKey = () =>
      fetch(`${signInServer.server.url}/monitor-public-api/v1/scans`, {
        headers: { 'x-api-key': (createdKey.body as { key: string }).key },
      })
    expect((await callWithKey()).status).toBe(200)
    const deactivated = await signInServer.call('POST', `${realmPath}/accounts/${accountId}/deactivate`, adminToken)
    expect([deactivated.status, deactivated.body]).toMatchObject([200, { state: 'deactivated' }])
    // Effective immediately, without a delay.
    expect((await signInServer.call('GET', '/monitor-api/users/permissions', accountToken)).status).toBe(401)
    expect((await signInServer.call('GET', `/axe-account/me`, accountToken)).status).toBe(401)
    expect((await signInServer.call('GET', `${realmPath}/account`, accountToken)).status).toBe(401)
    expect((await callWithKey()).status).toBe(401)
    const refusedSignIn = await signInServer.signIn(signInServer.browser(), 'leaver@example.org', testPassword)
    expect(refusedSignIn.status).toBe(400)
    const scanList = await signInServer.call('GET', '/monitor-api/scans?search=leaver', adminToken)
    expect(JSON.stringify(scanList.body)).toContain('Ada Lovelace')
    await signInServer.call('POST', `${realmPath}/accounts/${accountId}/reactivate`, adminToken)
    await signInServer.tokenBy('leaver@example.org', testPassword)
    expect((await callWithKey()).status).toBe(401)
    const deletedReply = await signInServer.call('DELETE', `${realmPath}/accounts/${accountId}`, adminToken)
    expect(deletedReply.status).toBe(204)
    const laterScanList = await signInServer.call('GET', '/monitor-api/scans?search=leaver', adminToken)
    expect((laterScanList.body as { content: object[] }).content).toMatchObject([{ owners: [null] }])
    // Exports are in English.
    const exportBody = { selectAllMode: true }
    const csvReply = await signInServer.call('POST', '/monitor-api/scan/export/csv', adminToken, exportBody)
    expect(String(csvReply.body)).toContain('Former member')
    expect(JSON.stringify(laterScanList.body)).not.toContain('Lovelace')
    expect((await listPeople()).some((person) => person.id === accountId)).toBe(false)
  })

  it('gets a changed role with the next token; the last administrator keeps the role', async () => {
    const promotedId = await createAccount('promoted@example.org')
    const adminId = (await listPeople()).find(({ username }) => username === 'admin')!.id
    const changeRole = (accountId: string, role: string) =>
      signInServer.call('PUT', `${realmPath}/accounts/${accountId}`, adminToken, { role })
    expect([(await changeRole(adminId, 'user')).status, (await changeRole(adminId, 'user')).body]).toMatchObject([
      409,
      { code: 'last-admin' },
    ])
    expect((await signInServer.call('POST', `${realmPath}/accounts/${adminId}/deactivate`, adminToken)).status).toBe(409)
    expect((await signInServer.call('DELETE', `${realmPath}/accounts/${adminId}`, adminToken)).status).toBe(409)
    const previousToken = await signInServer.tokenBy('promoted@example.org', testPassword)
    expect((await changeRole(promotedId, 'admin')).body).toMatchObject({ role: 'admin' })
    expect((await signInServer.call('GET', '/monitor-api/users/permissions', previousToken)).status).toBe(401)
    const newToken = await signInServer.tokenBy('promoted@example.org', testPassword)
    expect((await signInServer.call('GET', '/monitor-api/users/permissions', newToken)).body).toMatchObject({ isAdmin: true })
    await changeRole(promotedId, 'user')
    expect((await changeRole(adminId, 'user')).status).toBe(409)
  })

  it('is signed out everywhere on request and by a new password', async () => {
    const accountId = await createAccount('everywhere@example.org')
    const [firstToken, secondToken] = [
      await signInServer.tokenBy('everywhere@example.org', testPassword),
      await signInServer.tokenBy('everywhere@example.org', testPassword),
    ]
    await signInServer.call('POST', `${realmPath}/accounts/${accountId}/end-sessions`, adminToken)
    for (const sessionToken of [firstToken, secondToken])
      expect((await signInServer.call('GET', '/axe-account/me', sessionToken)).status).toBe(401)
    const { body } = await signInServer.call('POST', `${realmPath}/accounts/${accountId}/reset-password`, adminToken)
    const laterToken = await signInServer.tokenBy('everywhere@example.org', testPassword)
    expect((await acceptInvitation((body as Issued).link!, { password: 'another unlikely sentence' })).status).toBe(303)
    expect((await signInServer.call('GET', '/axe-account/me', laterToken)).status).toBe(401)
    await signInServer.tokenBy('everywhere@example.org', 'another unlikely sentence')
  })

  it('ends only the tokens of the session that signs out', async () => {
    await createAccount('devices@example.org')
    const browse = signInServer.browser()
    const deviceTokens = await signInServer.tokensFor(await signInServer.signIn(browse, 'devices@example.org', testPassword))
    const otherToken = await signInServer.tokenBy('devices@example.org', testPassword)
    const logoutPage = await browse(`${signInServer.protocol()}/logout?id_token_hint=${deviceTokens.id_token}`)
    const xsrfToken = /name="xsrf" value="([^"]+)"/.exec(await logoutPage.text())![1]!
    await browse(`${signInServer.protocol()}/logout/confirm`, buildForm({ xsrf: xsrfToken, logout: 'yes' }))
    await expect
      .poll(async () => (await signInServer.call('GET', '/axe-account/me', deviceTokens.access_token)).status, {
        timeout: 15_000,
      })
      .toBe(401)
    expect((await signInServer.call('GET', '/axe-account/me', otherToken)).status).toBe(200)
  })
})

describe('a deleted team', () => {
  it('is no longer listed with the access that it gave', async () => {
    const call = (method: string, path: string, body?: unknown) => signInServer.call(method, path, adminToken, body)
    const id = await createAccount('teamed@example.com')
    // Copies the new account to the account service.
    await listPeople()
    const createTeam = async (name: string) =>
      ((await call('POST', '/axe-account/teams', { name, members: [id] })).body as { id: string }).id
    const [keptId, deletedId] = [await createTeam('Kept'), await createTeam('Deleted')]
    const scan = (await call('POST', '/monitor-api/scans', buildScanBody('Of teams'))).body as { id: string }
    const assignments = [keptId, deletedId].map((teamId) => ({ teamId, scanId: scan.id, role: 'scanViewer' }))
    expect((await call('POST', '/monitor-api/team-access', { assignments })).status).toBe(200)
    expect((await call('DELETE', `/axe-account/team/${deletedId}`)).status).toBe(204)
    const listed = (await call('GET', '/monitor-api/team-access')).body as { content: { teamName: string }[] }
    expect(listed.content.map(({ teamName }) => teamName)).toEqual(['Kept'])
    const access = (await call('GET', `/monitor-api/scans/${scan.id}/access`)).body as { teams: { teamName: string }[] }
    expect(access.teams.map(({ teamName }) => teamName)).toEqual(['Kept'])
  })
})

describe('permissions of provider calls', () => {
  const testedRoles = ['auditor', 'user', 'outsider'] as const
  const tokensByRole = new Map<string, string>()
  beforeAll(async () => {
    for (const role of testedRoles) {
      await createAccount(`${role}@example.com`, role)
      tokensByRole.set(role, await signInServer.tokenBy(`${role}@example.com`, testPassword))
    }
  })
  // Excludes endOwnSessions: it would end the token of the following calls; own/routes.test.ts tests it.
  const testedCalls = (Object.entries(providerApi) as [string, Endpoint][]).filter(([name]) => name !== 'endOwnSessions')
  it.each(testedCalls)('%s', async (operationName, endpoint) => {
    const endpointPath = realmPath + endpoint.path.replace('{id}', createId())
    const requestBody = endpoint.body ? {} : undefined
    for (const role of testedRoles) {
      const { status } = await signInServer.call(endpoint.method, endpointPath, tokensByRole.get(role)!, requestBody)
      if (hasPermission(role, endpoint.permission)) expect([200, 204, 400, 404], `${operationName} by ${role}`).toContain(status)
      else expect(status, `${operationName} by ${role}`).toBe(403)
    }
    const anonymousReply = await fetch(signInServer.server.url + endpointPath, { method: endpoint.method })
    expect(anonymousReply.status).toBe(401)
  })
})

import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminPassword, form, signInOfFile } from '../../../test/sign-in.ts'
import { openDatabase } from '../../kit/database.ts'
import { newId } from '../../kit/id.ts'
import type { IdpTables } from '../table.ts'

const idp = signInOfFile()
const realm = '/realms/clearway'
const password = 'a wholly unlikely sentence'
let admin: string
beforeAll(async () => {
  admin = await idp.tokenBy('admin', adminPassword)
})

const invite = async (email: string, role = 'user'): Promise<Issued> => {
  const reply = await idp.call('POST', `${realm}/accounts`, admin, { email, role })
  expect(reply.status).toBe(201)
  return reply.body
}
/** Takes an account by its link. */
const accept = (link: string, fields: Record<string, string> = {}) => {
  const url = new URL(link)
  const token = url.searchParams.get('token')!
  const entered = { token, firstName: 'Ada', lastName: 'Lovelace', password, ...fields }
  return fetch(url.origin + url.pathname, { ...form(entered), redirect: 'manual' })
}
const join = async (email: string, role = 'user'): Promise<string> => {
  const issued = await invite(email, role)
  expect((await accept(issued.link!)).status).toBe(303)
  return issued.id
}
const people = async (): Promise<Person[]> => {
  const { body } = await idp.call('GET', '/axe-account/people?size=0', admin)
  return (body as { content: Person[] }).content
}
const audit = async (id: string): Promise<unknown[]> => {
  const { body } = await idp.call('GET', '/monitor-api/audit?noun=person&size=100', admin)
  return (body as { content: { subject: string }[] }).content.filter(({ subject }) => subject === id)
}

describe('an invitation', () => {
  it('is a link that works once, and signs in whom it was for', async () => {
    const issued = await invite('ada@example.org', 'auditor')
    expect(issued).toMatchObject({ email: 'ada@example.org' })
    expect(await people()).toContainEqual(
      expect.objectContaining({ id: issued.id, state: 'invited', role: 'auditor', seenAt: null }),
    )
    const go = idp.browser()
    const shown = await go(issued.link!, { headers: { 'accept-language': 'de' } })
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await shown.text()).toContain('<html lang="de">')
    const url = new URL(issued.link!)
    const token = url.searchParams.get('token')!
    const own = { token, firstName: 'Ada', lastName: 'Lovelace' }
    const send = (fields: Record<string, string>) => go(url.pathname, form({ ...own, ...fields }))
    for (const [wrong, why] of [
      ['short', 'Use at least 12 characters.'],
      ['password1234', 'among the first that attackers try'],
      ['aaaaaaaaaaaa', 'among the first that attackers try'],
      ['ada@example.org', 'Leave your name and email out'],
      ['', 'Fill in this field.'],
    ] as const) {
      const reply = await send({ password: wrong })
      expect(reply.status, wrong).toBe(400)
      expect(await reply.text()).toContain(why)
    }
    const done = await send({ password })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/monitor'])
    // The password need not be typed again.
    const tokens = await idp.tokensFor(await idp.follow(go, await idp.authorize(go)))
    expect((await idp.call('GET', '/monitor-api/users/permissions', tokens.access_token)).body).toMatchObject(
      {
        firstName: 'Ada',
        username: 'ada@example.org',
      },
    )
    expect((await send({ password })).status).toBe(410)
    expect((await fetch(issued.link!)).status).toBe(410)
    await idp.tokenBy('ADA@example.org', password)
    expect(await audit(issued.id)).toEqual([
      expect.objectContaining({ action: 'changed', after: { account: 'password-set' } }),
      expect.objectContaining({ action: 'changed', after: { account: 'link-made' } }),
      expect.objectContaining({ action: 'created' }),
    ])
  })

  it('goes out anew, and ends the one before', async () => {
    const first = await invite('grace@example.org')
    const again = await idp.call('POST', `${realm}/accounts/${first.id}/reset-password`, admin)
    expect((await fetch(first.link!)).status).toBe(410)
    expect((await fetch((again.body as Issued).link!)).status).toBe(200)
  })

  it('is not stored so that a reader of the database could use it', async () => {
    const issued = await invite('hashed@example.org')
    const token = new URL(issued.link!).searchParams.get('token')!
    const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
    try {
      const { rows } = await sql<{
        text: string
      }>`select encode(hash, 'escape') || encode(hash, 'base64') as text
        from ticket`.execute(db)
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(token.slice(0, 20))
      await sql`update ticket set expires_at = now() - interval '1 second'`.execute(db)
      expect((await fetch(issued.link!)).status).toBe(410)
    } finally {
      await db.destroy()
    }
  })

  it('is for an address that nobody has', async () => {
    const body = { email: 'ADA@example.org', role: 'user' }
    const taken = await idp.call('POST', `${realm}/accounts`, admin, body)
    expect([taken.status, taken.body]).toMatchObject([
      409,
      { errors: [{ path: 'email', code: 'name-taken' }] },
    ])
    expect((await idp.call('POST', `${realm}/accounts`, admin, { ...body, email: 'nothing' })).status).toBe(
      400,
    )
  })

  it('comes from a file for many, or for nobody when a line is wrong', async () => {
    const send = async (content: string, check = false) =>
      (await idp.call('POST', `${realm}/accounts/import`, admin, { filename: 'p.csv', content, check })).body
    const faulty =
      'email;role\nada@example.org;user\nnobody;user\nnew@example.org;boss\nnew@example.org;user\n'
    expect(await send(faulty)).toMatchObject({
      success: false,
      errors: [
        { line: 2, code: 'email-taken' },
        { line: 3, code: 'bad-email' },
        { line: 4, code: 'bad-role' },
        { line: 5, code: 'duplicate' },
      ],
    })
    const before = (await people()).length
    const rows = Array.from({ length: 300 }, (_, n) => `p${n}@example.org,First${n},Last,access`).join('\n')
    const content = `email,First Name,last_name,role\n${rows}`
    expect(await send(content, true)).toMatchObject({ success: true, invited: [] })
    expect((await people()).length).toBe(before)
    const done = (await send(content)) as { invited: Issued[] }
    expect(done.invited).toHaveLength(300)
    expect((await fetch(done.invited[299]!.link!)).status).toBe(200)
    expect((await people()).length).toBe(before + 300)
    expect(await send(`email\n${'x@example.org\n'.repeat(1001)}`)).toMatchObject({
      errors: [{ code: 'too-many-rows' }],
    })
  })
})

describe('an account', () => {
  it('that is deactivated has no session, token, key and mail from then on, and keeps its history', async () => {
    const id = await join('leaver@example.org')
    const token = await idp.tokenBy('leaver@example.org', password)
    const scan = await idp.call('POST', '/monitor-api/scans', token, {
      name: 'Of a leaver',
      urls: ['https://example.org/'],
    })
    expect(scan.status).toBe(201)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const key = await idp.call('POST', '/monitor-api/api-keys', token, {
      name: 'k',
      scopes: ['read'],
      expiresAt,
    })
    expect(key.status).toBe(201)
    const withKey = () =>
      fetch(`${idp.server.url}/monitor-public-api/v1/scans`, {
        headers: { 'x-api-key': (key.body as { key: string }).key },
      })
    expect((await withKey()).status).toBe(200)
    const off = await idp.call('POST', `${realm}/accounts/${id}/deactivate`, admin)
    expect([off.status, off.body]).toMatchObject([200, { state: 'deactivated' }])
    // At once: nothing is waited for.
    expect((await idp.call('GET', '/monitor-api/users/permissions', token)).status).toBe(401)
    expect((await idp.call('GET', `/axe-account/me`, token)).status).toBe(401)
    expect((await idp.call('GET', `${realm}/account`, token)).status).toBe(401)
    expect((await withKey()).status).toBe(401)
    const refused = await idp.signIn(idp.browser(), 'leaver@example.org', password)
    expect(refused.status).toBe(400)
    const list = await idp.call('GET', '/monitor-api/scans?search=leaver', admin)
    expect(JSON.stringify(list.body)).toContain('Ada Lovelace')
    await idp.call('POST', `${realm}/accounts/${id}/reactivate`, admin)
    await idp.tokenBy('leaver@example.org', password)
    expect((await withKey()).status).toBe(401)
    const gone = await idp.call('DELETE', `${realm}/accounts/${id}`, admin)
    expect(gone.status).toBe(204)
    const after = await idp.call('GET', '/monitor-api/scans?search=leaver', admin)
    expect((after.body as { content: object[] }).content).toMatchObject([{ owners: [null] }])
    // An export is in English.
    const all = { selectAllMode: true }
    const csv = await idp.call('POST', '/monitor-api/scan/export/csv', admin, all)
    expect(String(csv.body)).toContain('Former member')
    expect(JSON.stringify(after.body)).not.toContain('Lovelace')
    expect((await people()).some((person) => person.id === id)).toBe(false)
  })

  it('has another role from the next token on, and the last administrator stays one', async () => {
    const id = await join('promoted@example.org')
    const own = (await people()).find(({ username }) => username === 'admin')!.id
    const put = (who: string, role: string) => idp.call('PUT', `${realm}/accounts/${who}`, admin, { role })
    expect([(await put(own, 'user')).status, (await put(own, 'user')).body]).toMatchObject([
      409,
      { code: 'last-admin' },
    ])
    expect((await idp.call('POST', `${realm}/accounts/${own}/deactivate`, admin)).status).toBe(409)
    expect((await idp.call('DELETE', `${realm}/accounts/${own}`, admin)).status).toBe(409)
    const before = await idp.tokenBy('promoted@example.org', password)
    expect((await put(id, 'admin')).body).toMatchObject({ role: 'admin' })
    expect((await idp.call('GET', '/monitor-api/users/permissions', before)).status).toBe(401)
    const after = await idp.tokenBy('promoted@example.org', password)
    expect((await idp.call('GET', '/monitor-api/users/permissions', after)).body).toMatchObject({
      isAdmin: true,
    })
    await put(id, 'user')
    expect((await put(own, 'user')).status).toBe(409)
  })

  it('is signed out everywhere, and by a new password', async () => {
    const id = await join('everywhere@example.org')
    const [one, other] = [
      await idp.tokenBy('everywhere@example.org', password),
      await idp.tokenBy('everywhere@example.org', password),
    ]
    await idp.call('POST', `${realm}/accounts/${id}/end-sessions`, admin)
    for (const token of [one, other])
      expect((await idp.call('GET', '/axe-account/me', token)).status).toBe(401)
    const { body } = await idp.call('POST', `${realm}/accounts/${id}/reset-password`, admin)
    const again = await idp.tokenBy('everywhere@example.org', password)
    expect((await accept((body as Issued).link!, { password: 'another unlikely sentence' })).status).toBe(303)
    expect((await idp.call('GET', '/axe-account/me', again)).status).toBe(401)
    await idp.tokenBy('everywhere@example.org', 'another unlikely sentence')
  })

  it('ends for one device alone when its session does', async () => {
    await join('devices@example.org')
    const go = idp.browser()
    const tokens = await idp.tokensFor(await idp.signIn(go, 'devices@example.org', password))
    const other = await idp.tokenBy('devices@example.org', password)
    const leave = await go(`${idp.protocol()}/logout?id_token_hint=${tokens.id_token}`)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await leave.text())![1]!
    await go(`${idp.protocol()}/logout/confirm`, form({ xsrf, logout: 'yes' }))
    await expect
      .poll(async () => (await idp.call('GET', '/axe-account/me', tokens.access_token)).status, {
        timeout: 15_000,
      })
      .toBe(401)
    expect((await idp.call('GET', '/axe-account/me', other)).status).toBe(200)
  })
})

describe('who may call the provider', () => {
  const roles = ['auditor', 'user', 'outsider'] as const
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    for (const role of roles) {
      await join(`${role}@example.com`, role)
      tokens.set(role, await idp.tokenBy(`${role}@example.com`, password))
    }
  })
  // People who end their own sessions have no token for the calls after it; own/routes.test.ts does that.
  const calls = (Object.entries(providerApi) as [string, Endpoint][]).filter(
    ([name]) => name !== 'endOwnSessions',
  )
  it.each(calls)('%s', async (name, endpoint) => {
    const address = realm + endpoint.path.replace('{id}', newId())
    const body = endpoint.body ? {} : undefined
    for (const role of roles) {
      const { status } = await idp.call(endpoint.method, address, tokens.get(role)!, body)
      if (hasPermission(role, endpoint.permission))
        expect([200, 204, 400, 404], `${name} by ${role}`).toContain(status)
      else expect(status, `${name} by ${role}`).toBe(403)
    }
    const nobody = await fetch(idp.server.url + address, { method: endpoint.method })
    expect(nobody.status).toBe(401)
  })
})

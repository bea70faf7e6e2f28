import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, scanBody, type TestApi } from '../../../test/api.ts'
import { completed, finding, wholeRun } from '../../../test/run.ts'
import { forgetOldEntries, recordEntry, verifyAudit } from './service.ts'

let api: TestApi
let admin: { token: string }
beforeAll(async () => {
  api = await openTestApi()
  admin = { token: await api.token('admin', ['access', 'admin']) }
})
afterAll(() => api.close())

type Entry = {
  number: number
  noun: string
  action: string
  subject: string
  actor: string | null
  address: string | null
  before: object
  after: object
}
const entries = async (query = '') => {
  const reply = await api.call('GET', `/audit?size=500${query}`, admin)
  expect(reply.status).toBe(200)
  return (reply.body as { content: Entry[] }).content
}
const made = async (path: string, body: unknown) =>
  (await api.call('POST', path, { ...admin, body })).body as { id: string; settings: object; version: number }

describe('the audit log', () => {
  it('says who did what to what, from where, before and after, and no secret', async () => {
    const connection = { authType: 'basic', username: 'ann', password: 'hush-hush-7' }
    const more = {
      session: { connection },
      advanced: { extraHeaders: [{ name: 'X-Token', value: 'header-hush' }] },
    }
    const scan = await made('/scans', scanBody('Recorded', more))
    const { settings, version } = scan
    const edited = { settings: { ...settings, name: 'Recorded anew' }, version }
    expect((await api.call('PUT', `/scans/${scan.id}`, { ...admin, body: edited })).status).toBe(200)
    await api.call('POST', `/scans/${scan.id}/public-token`, { ...admin, body: {} })
    const hook = { url: 'https://hooks.example.org/secret-path', events: ['finished'] }
    await api.call('POST', `/scans/${scan.id}/webhooks`, { ...admin, body: hook })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const key = (await made('/api-keys', { name: 'CI', scopes: ['read'], expiresAt })) as unknown as {
      key: string
    }
    const switches = { allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: true }
    const before = (await api.call('GET', '/system-settings', admin)).body
    await api.call('PUT', '/system-settings', { ...admin, body: { ...(before as object), ...switches } })
    await api.call('DELETE', `/scans/${scan.id}`, admin)

    const all = await entries()
    const said = all.map(({ noun, action }) => `${noun} ${action}`)
    for (const what of ['scan created', 'secret created', 'scan changed', 'share created', 'webhook created'])
      expect(said).toContain(what)
    for (const what of ['api-key created', 'setting created', 'scan deleted']) expect(said).toContain(what)
    // Roles are the sign-in's to give, and nobody's call.
    const own = all.filter(({ noun }) => noun !== 'person')
    expect(new Set(own.map(({ actor }) => actor))).toEqual(new Set(['admin']))
    const renamed = all.find(({ noun, action }) => noun === 'scan' && action === 'changed')!
    expect(renamed.before).toMatchObject({ name: 'Recorded' })
    expect(renamed.after).toMatchObject({ name: 'Recorded anew' })
    expect(all[0]).toMatchObject({ address: '127.0.0.1', actorName: 'admin Test' })
    for (const secret of ['hush-hush-7', 'header-hush', 'secret-path', key.key])
      expect(JSON.stringify(all)).not.toContain(secret)
  })

  it('has no entry of what was taken back, and none without its change', async () => {
    const before = await entries()
    const body = scanBody('Recorded twice')
    expect((await api.call('POST', '/scans', { ...admin, body })).status).toBe(201)
    expect((await api.call('POST', '/scans', { ...admin, body })).status).toBe(409)
    const after = await entries('&noun=scan&action=created')
    expect(after.filter(({ number }) => number > before[0]!.number)).toHaveLength(1)
  })

  it('says when the sign-in gives somebody a role, another one, or none', async () => {
    for (const roles of [['access'], ['access'], ['access', 'admin'], []])
      await api.call('GET', '/scans', { token: await api.token('climber', roles) })
    const own = (await entries('&noun=person')).filter(({ after }) => JSON.stringify(after).includes('role'))
    const climber = own.filter(({ subject }) => subject === 'climber').toReversed()
    expect(climber.map(({ action, actor, before, after }) => [action, actor, before, after])).toEqual([
      ['created', null, null, expect.objectContaining({ role: 'user' })],
      ['changed', null, { role: 'user' }, { role: 'admin' }],
      ['changed', null, { role: 'admin' }, { role: 'outsider' }],
    ])
    expect(climber.every(({ address }) => address === '127.0.0.1')).toBe(true)
  })

  it('counts what is deleted by the hundred in one entry', async () => {
    const run = await wholeRun(api, undefined, { a: completed([finding('a'), finding('b')], 'a') }, 'Deleted')
    const selected = { filters: { scanId: [run.scanId] }, selected: { selectAllMode: true } }
    await api.call('POST', '/bulk/issues/delete', { ...admin, body: selected })
    expect((await entries('&noun=issues'))[0]).toMatchObject({
      action: 'deleted',
      before: { count: 2 },
      scanId: run.scanId,
    })
  })

  it('names nobody for what is removed with a team that the account service has forgotten, whoever asked for the teams', async () => {
    const team = async (name: string) =>
      (
        (await api.account('POST', '/teams', { ...admin, body: { name, members: ['admin'] } })).body as {
          id: string
        }
      ).id
    await api.account('GET', '/me', admin)
    const [kept, gone] = [await team('Kept'), await team('Gone')]
    api.forgetAccounts()
    const scan = await made('/scans', scanBody('Of a team'))
    const query = { severity: ['critical'] }
    const audience = { kind: 'team', teamId: gone }
    const view = await made('/views', { name: 'Of the team', screen: 'issues', query, audience })
    expect(view.id).toBeDefined()
    const grant = async (teamId: string) => {
      const body = { teams: [{ teamId, role: 'scanViewer' }] }
      expect((await api.call('PUT', `/scans/${scan.id}/access`, { ...admin, body })).status).toBe(200)
    }
    await api.account('DELETE', `/team/${gone}`, admin)
    api.forgetAccounts()
    await grant(kept)
    await sql`update team set stale_since = stale_since - interval '31 days' where id = ${gone}`.execute(
      api.db,
    )
    api.forgetAccounts()
    const before = await entries()
    await grant(kept)
    const { rows } = await sql<{ n: number }>`select count(*) as n from view where id = ${view.id}`.execute(
      api.db,
    )
    expect(rows).toEqual([{ n: 0 }])
    const since = (await entries()).filter(({ number }) => number > before[0]!.number)
    expect(since.filter(({ noun }) => noun === 'view')).toEqual([])
  })

  it('is read with filters, as CSV and as lines, by those who may see the administration', async () => {
    expect((await api.call('GET', '/audit')).status).toBe(403)
    const auditor = { token: await api.token('auditor', ['access', 'auditor']) }
    const csv = (await api.call('GET', '/audit/export/csv?noun=api-key', auditor)).body as string
    expect(csv.split('\r\n')[1]).toMatch(/^1?\d+,.*,admin Test,admin,127\.0\.0\.1,created,api-key,/)
    const headers = { authorization: `Bearer ${auditor.token}` }
    const reply = await api.app.inject({ url: '/monitor-api/audit/export/jsonl?actor=admin', headers })
    const lines = reply.body.trim().split('\n')
    const numbers = lines.map((line) => (JSON.parse(line) as Entry).number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(await entries('&actor=nobody')).toEqual([])
    expect(await entries(`&until=${new Date(0).toISOString()}`)).toEqual([])
  })
})

describe('somebody who writes to the database', () => {
  /** Runs a statement, returns what the chain says of it, and undoes it. */
  const after = async (statement: string) => {
    await sql`create table kept as select * from audit`.execute(api.db)
    await sql.raw(statement).execute(api.db)
    const found = await verifyAudit(api)
    await sql`delete from audit`.execute(api.db)
    await sql`insert into audit overriding system value select * from kept`.execute(api.db)
    await sql`drop table kept`.execute(api.db)
    expect(await verifyAudit(api)).toMatchObject({ kind: 'whole' })
    return found
  }

  it('cannot change, remove or add an entry unseen', async () => {
    const whole = await verifyAudit(api)
    if (whole.kind === 'broken') throw new Error(whole.why)
    expect(whole.entries).toBeGreaterThan(8)
    const broken = (number: number, why: string) => ({ kind: 'broken', number, why })
    expect(await after(`update audit set actor = 'ann' where number = 3`)).toEqual(broken(3, 'was changed'))
    expect(await after(`delete from audit where number = 4`)).toEqual(broken(4, 'is missing'))
    expect(await after(`delete from audit where number = ${whole.last}`)).toEqual(
      broken(whole.last, 'is missing at the end'),
    )
    const forged = `update audit set after = '{}', hash = sha256('x') where number = 5`
    expect(await after(forged)).toEqual(broken(5, 'was changed'))
    const chained = `update audit set actor = 'ann' where number = 5;
      update audit a set hash = sha256(previous || convert_to(audit_text(a), 'UTF8')) where number = 5`
    expect(await after(chained)).toEqual(broken(6, 'does not follow from the one before'))
  })

  it('keeps a whole chain however many record at once, and when the oldest are forgotten', async () => {
    const nothing = { actor: null, address: null, requestId: null }
    const add = (subject: string) =>
      recordEntry(api, { action: 'refused', noun: 'sign-in', subject, ...nothing })
    await Promise.all(Array.from({ length: 30 }, (_, at) => add(`p${at}`)))
    await sql`update audit set at = at where number < 4`.execute(api.db)
    const whole = await verifyAudit(api)
    expect(whole.kind).toBe('whole')
    await sql`alter table audit disable trigger all`.execute(api.db)
    await forgetOldEntries(api, 1)
    expect(await verifyAudit(api)).toEqual(whole)
    await sql`delete from audit where number < 10`.execute(api.db)
    expect(await verifyAudit(api)).toMatchObject({ kind: 'whole', first: 10 })
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, buildScanBody, type TestApi } from '../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../test/run.ts'
import { buildAxeResults, uploadTo } from '../../../test/upload.ts'
import { deleteOldEntries, recordAuditEntry, verifyAudit } from './service.ts'

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
const listEntries = async (query = '') => {
  const reply = await api.call('GET', `/audit?size=500${query}`, admin)
  expect(reply.status).toBe(200)
  return (reply.body as { content: Entry[] }).content
}
const createResource = async (path: string, body: unknown) =>
  (await api.call('POST', path, { ...admin, body })).body as { id: string; settings: object; version: number }

describe('the audit log', () => {
  it('records actor, action, subject, address and the values before and after, without secrets', async () => {
    const connection = { authType: 'basic', username: 'ann', password: 'hush-hush-7' }
    const more = { session: { connection }, advanced: { extraHeaders: [{ name: 'X-Token', value: 'header-hush' }] } }
    const scan = await createResource('/scans', buildScanBody('Recorded', more))
    const { settings, version } = scan
    const edited = { settings: { ...settings, name: 'Recorded anew' }, version }
    expect((await api.call('PUT', `/scans/${scan.id}`, { ...admin, body: edited })).status).toBe(200)
    await api.call('POST', `/scans/${scan.id}/public-token`, { ...admin, body: {} })
    const hook = { url: 'https://hooks.example.org/secret-path', events: ['finished'] }
    await api.call('POST', `/scans/${scan.id}/webhooks`, { ...admin, body: hook })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const key = (await createResource('/api-keys', { name: 'CI', scopes: ['read'], expiresAt })) as unknown as { key: string }
    const switches = { allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: true }
    const previousSettings = (await api.call('GET', '/system-settings', admin)).body
    await api.call('PUT', '/system-settings', { ...admin, body: { ...(previousSettings as object), ...switches } })
    await api.call('DELETE', `/scans/${scan.id}`, admin)

    const all = await listEntries()
    const said = all.map(({ noun, action }) => `${noun} ${action}`)
    for (const what of ['scan created', 'secret created', 'scan changed', 'share created', 'webhook created'])
      expect(said).toContain(what)
    for (const what of ['api-key created', 'setting created', 'scan deleted']) expect(said).toContain(what)
    // Role entries come from the sign-in and have no actor.
    const callerEntries = all.filter(({ noun }) => noun !== 'person')
    expect(new Set(callerEntries.map(({ actor }) => actor))).toEqual(new Set(['admin']))
    const renamed = all.find(({ noun, action }) => noun === 'scan' && action === 'changed')!
    expect(renamed.before).toMatchObject({ name: 'Recorded' })
    expect(renamed.after).toMatchObject({ name: 'Recorded anew' })
    expect(all[0]).toMatchObject({ address: '127.0.0.1', actorName: 'admin Test' })
    for (const secret of ['hush-hush-7', 'header-hush', 'secret-path', key.key]) expect(JSON.stringify(all)).not.toContain(secret)
  })

  it('has no entry for a change that was rolled back', async () => {
    const previousEntries = await listEntries()
    const body = buildScanBody('Recorded twice')
    expect((await api.call('POST', '/scans', { ...admin, body })).status).toBe(201)
    expect((await api.call('POST', '/scans', { ...admin, body })).status).toBe(409)
    const after = await listEntries('&noun=scan&action=created')
    expect(after.filter(({ number }) => number > previousEntries[0]!.number)).toHaveLength(1)
  })

  it('records roles that a sign-in grants, changes or removes', async () => {
    for (const roles of [['access'], ['access'], ['access', 'admin'], []])
      await api.call('GET', '/scans', { token: await api.token('climber', roles) })
    const roleEntries = (await listEntries('&noun=person')).filter(({ after }) => JSON.stringify(after).includes('role'))
    const climber = roleEntries.filter(({ subject }) => subject === 'climber').toReversed()
    expect(climber.map(({ action, actor, before, after }) => [action, actor, before, after])).toEqual([
      ['created', null, null, expect.objectContaining({ role: 'user' })],
      ['changed', null, { role: 'user' }, { role: 'admin' }],
      ['changed', null, { role: 'admin' }, { role: 'outsider' }],
    ])
    expect(climber.every(({ address }) => address === '127.0.0.1')).toBe(true)
  })

  it('records a bulk deletion as one entry with a count', async () => {
    const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a'), buildFinding('b')], 'a') }, 'Deleted')
    const selected = { filters: { scanId: [run.scanId] }, selected: { selectAllMode: true } }
    await api.call('POST', '/bulk/issues/delete', { ...admin, body: selected })
    expect((await listEntries('&noun=issues'))[0]).toMatchObject({ action: 'deleted', before: { count: 2 }, scanId: run.scanId })
  })

  it('records uploads, and deleted pages with their number', async () => {
    const { scanId, number } = await recordRun(api, undefined, { a: buildCompleted(), b: buildCompleted() }, 'Pages')
    const upload = [{ text: buildAxeResults('https://example.org/uploaded', 1) }]
    expect((await uploadTo(api, { ...admin, scan: scanId, run: number }, upload)).status).toBe(200)
    const [uploadEntry] = await listEntries('&noun=upload')
    expect(uploadEntry).toMatchObject({
      action: 'created',
      actor: 'admin',
      scanId,
      after: { url: 'https://example.org/uploaded' },
    })
    const [uploadedPage] = await api.db
      .selectFrom('page')
      .select('id')
      .where('scan_id', '=', scanId)
      .where('source', '=', 'uploaded')
      .execute()
    expect(uploadEntry!.subject).toBe(uploadedPage!.id)
    const selected = { filters: { scanId: [scanId] }, selected: { selectAllMode: true } }
    expect((await api.call('POST', '/bulk/pages/delete', { ...admin, body: selected })).body).toMatchObject({ changed: 3 })
    const entries = (await listEntries(`&scanId=${scanId}`)).slice(0, 3)
    expect(entries.map(({ noun, action, before }) => [noun, action, before])).toEqual([
      ['pages', 'deleted', { count: 3 }],
      ['issues', 'deleted', { count: 1 }],
      ['upload', 'created', null],
    ])
  })

  it('records no actor for data removed with a team that the account service deleted', async () => {
    const team = async (name: string) =>
      ((await api.account('POST', '/teams', { ...admin, body: { name, members: ['admin'] } })).body as { id: string }).id
    await api.account('GET', '/me', admin)
    const [keptTeamId, removedTeamId] = [await team('Kept'), await team('Gone')]
    api.forgetAccounts()
    const scan = await createResource('/scans', buildScanBody('Of a team'))
    const query = { severity: ['critical'] }
    const audience = { kind: 'team', teamId: removedTeamId }
    const view = await createResource('/views', { name: 'Of the team', screen: 'issues', query, audience })
    expect(view.id).toBeDefined()
    const grant = async (teamId: string) => {
      const body = { teams: [{ teamId, role: 'scanViewer' }] }
      expect((await api.call('PUT', `/scans/${scan.id}/access`, { ...admin, body })).status).toBe(200)
    }
    await api.account('DELETE', `/team/${removedTeamId}`, admin)
    api.forgetAccounts()
    await grant(keptTeamId)
    await sql`update team set stale_since = stale_since - interval '31 days' where id = ${removedTeamId}`.execute(api.db)
    api.forgetAccounts()
    const previousEntries = await listEntries()
    await grant(keptTeamId)
    const { rows } = await sql<{ n: number }>`select count(*) as n from view where id = ${view.id}`.execute(api.db)
    expect(rows).toEqual([{ n: 0 }])
    const since = (await listEntries()).filter(({ number }) => number > previousEntries[0]!.number)
    expect(since.filter(({ noun }) => noun === 'view')).toEqual([])
  })

  it('is readable with filters, as CSV and as lines, with access to the administration', async () => {
    expect((await api.call('GET', '/audit')).status).toBe(403)
    const auditor = { token: await api.token('auditor', ['access', 'auditor']) }
    const csv = (await api.call('GET', '/audit/export/csv?noun=api-key', auditor)).body as string
    expect(csv.split('\r\n')[1]).toMatch(/^1?\d+,.*,admin Test,admin,127\.0\.0\.1,created,api-key,/)
    const headers = { authorization: `Bearer ${auditor.token}` }
    const reply = await api.app.inject({ url: '/monitor-api/audit/export/jsonl?actor=admin', headers })
    const lines = reply.body.trim().split('\n')
    const numbers = lines.map((line) => (JSON.parse(line) as Entry).number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(await listEntries('&actor=nobody')).toEqual([])
    expect(await listEntries(`&until=${new Date(0).toISOString()}`)).toEqual([])
  })
})

describe('tampering with the database', () => {
  /** Runs a statement, returns the result of the chain check, and reverts it. */
  const verifyAfter = async (statement: string) => {
    await sql`create table kept as select * from audit`.execute(api.db)
    await sql.raw(statement).execute(api.db)
    const verification = await verifyAudit(api)
    await sql`delete from audit`.execute(api.db)
    await sql`insert into audit overriding system value select * from kept`.execute(api.db)
    await sql`drop table kept`.execute(api.db)
    expect(await verifyAudit(api)).toMatchObject({ kind: 'whole' })
    return verification
  }

  it('is detected for changed, removed and added entries', async () => {
    const whole = await verifyAudit(api)
    if (whole.kind === 'broken') throw new Error(whole.why)
    expect(whole.entries).toBeGreaterThan(8)
    const broken = (number: number, why: string) => ({ kind: 'broken', number, why })
    expect(await verifyAfter(`update audit set actor = 'ann' where number = 3`)).toEqual(broken(3, 'was changed'))
    expect(await verifyAfter(`delete from audit where number = 4`)).toEqual(broken(4, 'is missing'))
    expect(await verifyAfter(`delete from audit where number = ${whole.last}`)).toEqual(
      broken(whole.last, 'is missing at the end'),
    )
    const forged = `update audit set after = '{}', hash = sha256('x') where number = 5`
    expect(await verifyAfter(forged)).toEqual(broken(5, 'was changed'))
    const chained = `update audit set actor = 'ann' where number = 5;
      update audit a set hash = sha256(previous || convert_to(audit_text(a), 'UTF8')) where number = 5`
    expect(await verifyAfter(chained)).toEqual(broken(6, 'does not follow from the previous entry'))
  })

  it('keeps the chain intact under concurrent writes and after old entries are deleted', async () => {
    const nothing = { actor: null, address: null, requestId: null }
    const add = (subject: string) => recordAuditEntry(api, { action: 'refused', noun: 'sign-in', subject, ...nothing })
    await Promise.all(Array.from({ length: 30 }, (_, at) => add(`p${at}`)))
    await sql`update audit set at = at where number < 4`.execute(api.db)
    const whole = await verifyAudit(api)
    expect(whole.kind).toBe('whole')
    await sql`alter table audit disable trigger all`.execute(api.db)
    await deleteOldEntries(api, 1)
    expect(await verifyAudit(api)).toEqual(whole)
    await sql`delete from audit where number < 10`.execute(api.db)
    expect(await verifyAudit(api)).toMatchObject({ kind: 'whole', first: 10 })
  })
})

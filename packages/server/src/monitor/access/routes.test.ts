import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SystemRole } from '@clearway/contract/kit/permission.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { openAccounts } from '../user/account/service.ts'

const api = useTestApi()
let admin: string
const users = new Map<string, string>()
const teams = new Map<string, string>()
const scans = new Map<string, string>()

const as = (user: string) => ({ token: users.get(user)! })
const createTeam = async (name: string, members: string[]) => {
  const createdTeam = await api.account('POST', '/teams', { token: admin, body: { name, members } })
  teams.set(name, (createdTeam.body as { id: string }).id)
  api.forgetAccounts()
}
const createScan = async (name: string) => {
  const { body } = await api.call('POST', '/scans', { token: admin, body: buildScanBody(name) })
  scans.set(name, (body as { id: string }).id)
}
const listVisibleScans = async (user: string) => {
  api.forgetAccounts()
  const { body } = await api.call('GET', '/scans', as(user))
  return (body as { content: { name: string }[] }).content.map(({ name }) => name)
}

beforeAll(async () => {
  admin = await api.token('admin', ['admin'])
  for (const user of ['ann', 'bob', 'cy']) {
    users.set(user, await api.token(user))
    // After the first call a user exists in both services.
    await api.account('GET', '/me', as(user))
    await api.call('GET', '/users/permissions', as(user))
  }
  await createTeam('Red', ['ann'])
  await createTeam('Blue', ['bob'])
  for (const name of ['One', 'Two', 'Three']) await createScan(name)
})

describe('team access', () => {
  it('grants a team access to a scan and revokes it', async () => {
    expect(await listVisibleScans('ann')).toEqual([])
    const assignRole = (role: string | null) =>
      api.call('POST', '/team-access', {
        token: admin,
        body: { assignments: [{ teamId: teams.get('Red'), scanId: scans.get('One'), role }] },
      })
    expect((await assignRole('scanViewer')).body).toMatchObject({ applied: 1 })
    expect(await listVisibleScans('ann')).toEqual(['One'])
    expect((await api.call('POST', `/scans/${scans.get('One')}/startRun`, as('ann'))).status).toBe(403)
    await assignRole('scanMember')
    expect((await api.call('POST', `/scans/${scans.get('One')}/startRun`, as('ann'))).status).toBe(202)
    // Without a team role the scan looks nonexistent.
    await api.account('PUT', `/team/${teams.get('Red')}`, { token: admin, body: { name: 'Red', members: [] } })
    expect(await listVisibleScans('ann')).toEqual([])
    expect((await api.call('GET', `/scans/${scans.get('One')}`, as('ann'))).status).toBe(404)
    await api.account('PUT', `/team/${teams.get('Red')}`, { token: admin, body: { name: 'Red', members: ['ann'] } })
    await assignRole(null)
    expect(await listVisibleScans('ann')).toEqual([])
  })

  it('applies all assignments or none, and reports the errors', async () => {
    const body = {
      assignments: [
        { teamId: teams.get('Red'), scanId: scans.get('Two'), role: 'scanViewer' },
        { teamId: teams.get('Red'), role: 'scanViewer' },
        { teamId: 'no-such-team', scanId: scans.get('Two'), role: 'scanViewer' },
        { teamId: teams.get('Red'), scanId: scans.get('Two'), role: 'scanAdmin' },
      ],
    }
    const reply = await api.call('POST', '/team-access', { token: admin, body })
    expect([
      reply.status,
      (reply.body as { errors: object[] }).errors.map((e) => Object.values(e).slice(0, 2).join(' ')),
    ]).toEqual([400, ['assignments.1.scanId required', 'assignments.2.teamId unknown-value', 'assignments.3 duplicate']])
    expect(await listVisibleScans('ann')).toEqual([])
  })

  it('is not overwritten after a concurrent change', async () => {
    const one = (role: string | null) => [{ teamId: teams.get('Blue'), scanId: scans.get('One'), role }]
    const send = (body: object) => api.call('POST', '/team-access', { token: admin, body })
    const look = async () => (await send({ assignments: one('scanMember'), check: true })).body as { version: number }
    const { version } = await look()
    expect(await look()).toMatchObject({ version })
    await send({ assignments: one('scanViewer') })
    expect((await send({ assignments: one('scanMember'), version })).body).toMatchObject({ status: 409, code: 'edit-conflict' })
    const now = await look()
    expect(now).toMatchObject({ before: ['scanViewer'], applied: 0 })
    // The second of two writers with the same version is refused.
    const both = await Promise.all(
      ['scanMember', 'scanAdmin'].map((role) => send({ assignments: one(role), version: now.version })),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await send({ assignments: one(null) })).status).toBe(200)
  })

  it('is set on one scan by its scan admin, only with groups that they administer', async () => {
    const give = { assignments: [{ teamId: teams.get('Blue'), scanId: scans.get('Three'), role: 'scanAdmin' }] }
    await api.call('POST', '/team-access', { token: admin, body: give })
    expect(await listVisibleScans('bob')).toEqual(['Three'])
    const group = await api.call('POST', '/groups', { token: admin, body: { scanGroupName: 'Shut' } })
    const { scanGroupId } = group.body as { scanGroupId: string }
    const put = (body: object) => api.call('PUT', `/scans/${scans.get('Three')}/access`, { ...as('bob'), body })
    const both = [
      { teamId: teams.get('Blue'), role: 'scanAdmin' },
      { teamId: teams.get('Red'), role: 'scanViewer' },
    ]
    expect((await put({ teams: both, groups: [scanGroupId] })).body).toMatchObject({
      errors: [{ path: 'groups.0', code: 'unknown-value' }],
    })
    expect((await put({ teams: both })).body).toMatchObject({
      teams: [
        { teamName: 'Blue', role: 'scanAdmin' },
        { teamName: 'Red', role: 'scanViewer' },
      ],
      groups: [],
      people: [{ id: 'admin', role: 'scanAdmin' }],
    })
    const { version } = (await put({ teams: both })).body as { version: number }
    await api.call('POST', '/team-access', { token: admin, body: give })
    expect((await put({ teams: both, version })).status).toBe(200)
    expect((await put({ teams: both.slice(0, 1), version })).status).toBe(200)
    expect((await put({ teams: both, version })).body).toMatchObject({ code: 'edit-conflict' })
    // Saving the scan's settings runs the same check and then writes nothing.
    const path = `/scans/${scans.get('Three')}`
    const stored = (await api.call('GET', `${path}/settings`, as('bob'))).body as { settings: object; version: number }
    const save = (knownVersion: number) =>
      api.call('PUT', path, {
        ...as('bob'),
        body: { version: stored.version, settings: { ...stored.settings, access: { teams: both, version: knownVersion } } },
      })
    expect((await save(version)).body).toMatchObject({ code: 'edit-conflict' })
    const now = (await api.call('GET', `${path}/access`, as('bob'))).body as { version: number }
    expect((await save(now.version)).status).toBe(200)
    expect((await put({ teams: both })).status).toBe(200)
    expect(await listVisibleScans('ann')).toEqual(['Three'])
    expect((await api.call('GET', `/scans/${scans.get('Three')}/access`, as('ann'))).status).toBe(403)
    const listed = await api.call('GET', '/team-access?search=three&sort=team,desc', { token: admin })
    expect((listed.body as { content: { teamName: string }[] }).content.map((row) => row.teamName)).toEqual(['Red', 'Blue'])
  })
})

describe('CSV import', () => {
  const send = (content: string, check = false) =>
    api.call('POST', '/team-access/import', { token: admin, body: { filename: 'teams.csv', content, check } })

  it('assigns the roles of a file by name or id, separated by commas or semicolons', async () => {
    const file = `\uFEFFTeam;Scan;Scan Group;Role\r\n"Red";two;;scan member\r\n${teams.get('Blue')};${scans.get('Two')};;Scan Viewer\r\n`
    const previousScans = await listVisibleScans('ann')
    expect((await send(file, true)).body).toMatchObject({ success: true, imported: 0 })
    expect(await listVisibleScans('ann')).toEqual(previousScans)
    expect((await send(file)).body).toMatchObject({ success: true, imported: 2 })
    expect((await send(file, true)).body).toMatchObject({
      lines: [
        { line: 2, team: 'Red', scan: 'Two', scanGroup: null, role: 'scanMember', before: 'scanMember' },
        { line: 3, team: 'Blue', scan: 'Two', scanGroup: null, role: 'scanViewer', before: 'scanViewer' },
      ],
    })
    expect(await listVisibleScans('ann')).toContain('Two')
    expect(await listVisibleScans('bob')).toContain('Two')
  })

  it('is not overwritten after a concurrent change since the check', async () => {
    const content = 'team,scan,scan group,role\nBlue,One,,Scan Member\n'
    const { version } = (await send(content, true)).body as { version: number }
    const save = (knownVersion: number) =>
      api.call('POST', '/team-access/import', { token: admin, body: { filename: 'teams.csv', content, version: knownVersion } })
    const give = (role: string | null) =>
      api.call('POST', '/team-access', {
        token: admin,
        body: { assignments: [{ teamId: teams.get('Blue'), scanId: scans.get('One'), role }] },
      })
    await give('scanViewer')
    expect((await save(version)).body).toMatchObject({ code: 'edit-conflict' })
    await give(null)
    expect((await save(version)).body).toMatchObject({ success: true, imported: 1 })
    await give(null)
  })

  it('reports every error with its line, and assigns nothing', async () => {
    const previousScans = await listVisibleScans('ann')
    const rows = [
      'Red,One,,Scan Viewer',
      'Green,One,,Scan Viewer',
      'Red,Nine,,Scan Viewer',
      'Red,,Ninth,Scan Viewer',
      'Red,,,Scan Viewer',
      'Red,One,Shut,Scan Viewer',
      'Red,Two,,Owner',
      'red,one,,Scan Admin',
    ]
    const { body } = await send(['team,scan,scan group,role', ...rows].join('\n'))
    expect(body).toMatchObject({ success: false, errorMessage: 'Upload failed in teams.csv' })
    const errors = (body as { errors: { line: number; column: string; code: string }[] }).errors
    expect(errors.map((e) => `${e.line} ${e.column} ${e.code}`)).toEqual([
      '3 team unknown-team',
      '4 scan unknown-scan',
      '5 scan group unknown-group',
      '6 scan no-target',
      '7 scan group two-targets',
      '8 role bad-role',
      '9 team duplicate',
    ])
    expect(await listVisibleScans('ann')).toEqual(previousScans)
  })

  it.each([
    ['', ['1 null empty']],
    [
      'what,ever\nx,y',
      ['1 team missing-column', '1 scan missing-column', '1 scan group missing-column', '1 role missing-column'],
    ],
    ['team,scan,scan group\nRed,One,', ['1 role missing-column']],
    ['team,scan,scan group,role\n', ['1 null empty']],
    ['team,scan,scan group,role\n"Red,One', ['2 null unreadable']],
    [`team,scan,scan group,role\n${'a,b,c,d\n'.repeat(10_001)}`, ['10002 null too-many-rows']],
  ])('refuses invalid files (%#)', async (content, expected) => {
    const { body } = await send(content)
    const errors = (body as { errors: { line: number; column: string; code: string }[] }).errors
    expect(errors.map((e) => `${e.line} ${e.column} ${e.code}`)).toEqual(expected)
  })
})

describe('while the account service is unavailable', () => {
  it('all users keep their access', async () => {
    const previousScans = await listVisibleScans('ann')
    expect(previousScans.length).toBeGreaterThan(0)
    const gone = openAccounts({ db: api.db, accountUrl: 'http://127.0.0.1:9', service: null, log: () => {} })
    await gone.membership('ann', 'Bearer x.y.z')
    expect((await gone.teams({ caller: { role: 'admin' }, authorization: 'Bearer x.y.z' })).map(({ name }) => name)).toEqual([
      'Blue',
      'Red',
    ])
    const rows = await api.db.selectFrom('team_member').selectAll().where('person_id', '=', 'ann').execute()
    expect(rows).toHaveLength(1)
  })
})

it('a program without a token leaves the request of teams to the next person', async () => {
  const messages: string[] = []
  const log = (_level: string, message: string) => messages.push(message)
  const gone = openAccounts({ db: api.db, accountUrl: 'http://127.0.0.1:9', service: null, log })
  await gone.teams({ caller: { role: 'admin' }, authorization: '' })
  expect(messages).toEqual([])
  await gone.teams({ caller: { role: 'admin' }, authorization: 'Bearer x.y.z' })
  expect(messages).toEqual([expect.stringContaining('/teams-by-ids')])
})

describe('an account service that returns an incomplete list', () => {
  it('never removes the access of a team', async () => {
    const lacking: { teams: unknown[] } = { teams: [] }
    const service = createServer((_request, reply) =>
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(lacking.teams)),
    )
    await new Promise<void>((up) => service.listen(0, '127.0.0.1', up))
    const accountUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const ask = (role: SystemRole = 'admin') =>
      openAccounts({ db: api.db, accountUrl, service: null, log: () => {} }).teams({
        caller: { role },
        authorization: 'Bearer x.y.z',
      })
    const grants = () => api.db.selectFrom('scan_access').selectAll().orderBy('id').execute()
    const members = () => api.db.selectFrom('team_member').selectAll().orderBy('team_id').execute()
    const assignments = [
      { teamId: teams.get('Blue'), scanId: scans.get('Three'), role: 'scanMember' },
      { teamId: teams.get('Red'), scanId: scans.get('Three'), role: 'scanViewer' },
    ]
    expect((await api.call('POST', '/team-access', { token: admin, body: { assignments } })).status).toBe(200)
    const [granted, inTeams] = [await grants(), await members()]
    expect(granted.some((grant) => grant.team_id !== null)).toBe(true)
    const listStale = () =>
      api.db.selectFrom('team').select('name').where('stale_since', 'is not', null).orderBy('name').execute()
    try {
      // Teams that a caller does not see may exist.
      expect((await ask('user')).map(({ name }) => name)).toEqual(['Blue', 'Red'])
      expect(await listStale()).toEqual([])
      await ask()
      expect([await grants(), await members()]).toEqual([granted, inTeams])
      const red = { id: teams.get('Red')!, name: 'Red', memberCount: 0, createdAt: '2026-01-01T00:00:00Z' }
      lacking.teams = [{ ...red, members: [] }]
      expect((await ask()).map(({ name }) => name)).toContain('Red')
      expect(await grants()).toEqual(granted)
      expect(await listStale()).toEqual([{ name: 'Blue' }])
      // After some minutes it is no longer listed. A saved list without it keeps its grants.
      await sql`update team set stale_since = now() - interval '11 minutes' where name = 'Blue'`.execute(api.db)
      expect((await ask()).map(({ name }) => name)).toEqual(['Red'])
      const accessReply = await api.call('GET', '/team-access', { token: admin })
      expect(JSON.stringify(accessReply.body)).not.toContain('Blue')
      const accessPath = `/scans/${scans.get('Three')}/access`
      const access = (await api.call('GET', accessPath, { token: admin })).body as {
        version: number
        teams: { teamId: string; teamName: string; role: string }[]
      }
      expect(access.teams).toMatchObject([{ teamName: 'Red', role: 'scanViewer' }])
      const body = { teams: [{ teamId: access.teams[0]!.teamId, role: 'scanMember' }], version: access.version }
      expect((await api.call('PUT', accessPath, { token: admin, body })).status).toBe(200)
      const listRoles = async () =>
        (await grants()).flatMap(({ scan_id, team_id, role }) => (scan_id === scans.get('Three') && team_id ? [role] : []))
      expect((await listRoles()).toSorted()).toEqual(['scanMember', 'scanMember'])
      // After a month the team counts as deleted.
      await api.db
        .updateTable('team')
        .set({ stale_since: new Date(Date.now() - 31 * 86_400_000) })
        .where('name', '=', 'Blue')
        .execute()
      expect((await ask()).map(({ name }) => name)).toEqual(['Red'])
    } finally {
      service.close()
    }
  })
})

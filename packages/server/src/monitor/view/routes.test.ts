import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import type { DefaultView, SavedView } from '@clearway/contract/monitor/view/schema.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi, buildScanBody } from '../../../test/api.ts'
import { removeAccount, syncAccount } from '../user/person/service.ts'

const api = useTestApi()
const tokens = new Map<string, string>()
const teams = new Map<string, string>()
const getCredentials = (user: string) => ({ token: tokens.get(user)! })

const createTeam = async (name: string, members: string[]) => {
  const createdTeam = await api.account('POST', '/teams', { ...getCredentials('boss'), body: { name, members } })
  teams.set(name, (createdTeam.body as { id: string }).id)
}

beforeAll(async () => {
  for (const user of ['ann', 'bob', 'cy']) tokens.set(user, await api.token(user))
  tokens.set('boss', await api.token('boss', getRoleClaims('admin')))
  tokens.set('eve', await api.token('eve', getRoleClaims('auditor')))
  tokens.set('outsider', await api.token('outsider', []))
  for (const user of ['ann', 'bob', 'cy', 'boss', 'eve']) {
    await api.account('GET', '/me', getCredentials(user))
    await api.call('GET', '/users/permissions', getCredentials(user))
  }
  await createTeam('Red', ['ann', 'bob'])
  await createTeam('Blue', ['cy'])
  api.forgetAccounts()
})

const me = { kind: 'me' }
const everybody = { kind: 'everybody' }
const createTeamAudience = (name: string) => ({ kind: 'team', teamId: teams.get(name)! })
const createBody = (name: string, audience: object = me, query: object = { severity: ['critical'] }) => ({
  name,
  screen: 'issues',
  query,
  audience,
})
const saveView = (user: string, name: string, audience: object = me, query?: object) =>
  api.call('POST', '/views', { ...getCredentials(user), body: createBody(name, audience, query) })
const createSavedView = async (...saveArguments: Parameters<typeof saveView>): Promise<SavedView> => {
  const saveReply = await saveView(...saveArguments)
  expect([saveReply.status, saveReply.body]).toEqual([201, expect.anything()])
  return saveReply.body
}
const listViews = async (user: string, query = '') => {
  const reply = await api.call('GET', `/views?size=500${query}`, getCredentials(user))
  expect(reply.status).toBe(200)
  return (reply.body as { content: SavedView[] }).content
}
const listViewNames = async (user: string, query = '') => (await listViews(user, query)).map(({ name }) => name)
const changeView = (user: string, view: SavedView, settings: object, version = view.version) =>
  api.call('PUT', `/views/${view.id}`, {
    ...getCredentials(user),
    body: {
      settings: { name: view.name, screen: view.screen, query: view.query, audience: view.audience, ...settings },
      version,
    },
  })
const deleteView = (user: string, view: SavedView) => api.call('DELETE', `/views/${view.id}`, getCredentials(user))
const getRefusal = ({ status, body: replyBody }: { status: number; body: unknown }) => {
  const { code, errors } = replyBody as { code: string; errors?: { path: string; code: string }[] }
  return [status, code, ...(errors ?? []).map((error) => `${error.path} ${error.code}`)]
}
const deleteAllViews = async () => {
  await sql`delete from default_view`.execute(api.db)
  await sql`delete from view`.execute(api.db)
}

describe('the audience of a view', () => {
  it('is its author, one team, or all users', async () => {
    await createSavedView('ann', 'Of Ann')
    await createSavedView('ann', 'Of Red', createTeamAudience('Red'))
    await createSavedView('cy', 'Of Blue', createTeamAudience('Blue'))
    await createSavedView('boss', 'Of all', everybody)
    expect(await listViewNames('ann')).toEqual(['Of all', 'Of Ann', 'Of Red'])
    expect(await listViewNames('bob')).toEqual(['Of all', 'Of Red'])
    expect(await listViewNames('cy')).toEqual(['Of all', 'Of Blue'])
    // Users who can read all scans see views of all teams; only authors see private ones.
    for (const who of ['eve', 'boss']) expect(await listViewNames(who)).toEqual(['Of all', 'Of Blue', 'Of Red'])
    const [, red] = await listViews('bob')
    expect(red).toMatchObject({
      audience: createTeamAudience('Red'),
      teamName: 'Red',
      author: { id: 'ann' },
      mayChange: false,
      query: { severity: ['critical'] },
    })
    expect((await listViews('boss')).map(({ mayChange }) => mayChange)).toEqual([true, true, true])
    expect((await listViews('eve')).map(({ mayChange }) => mayChange)).toEqual([false, false, false])
    await deleteAllViews()
  })
  it('excludes outsiders and guests', async () => {
    expect(getRefusal(await api.call('GET', '/views', getCredentials('outsider')))).toEqual([403, 'no-access'])
    expect(getRefusal(await api.call('GET', '/views', { token: null }))).toEqual([401, 'not-signed-in'])
    const scan = await api.call('POST', '/scans', { ...getCredentials('boss'), body: buildScanBody('Shared') })
    const { id } = scan.body as { id: string }
    const link = await api.call('POST', `/scans/${id}/public-token`, { ...getCredentials('boss'), body: {} })
    const { token: guest } = link.body as { token: string }
    expect((await api.call('GET', `/scans/${id}`, { guest })).status).toBe(200)
    expect((await api.call('GET', '/views', { guest })).status).toBe(403)
    expect((await api.call('GET', '/views/teams', { guest })).status).toBe(403)
    expect((await api.call('POST', '/views', { guest, body: createBody('Mine') })).status).toBe(403)
  })
  it('is limited to own teams; all users only for admins, and none for auditors', async () => {
    const listTeams = async (user: string) => (await api.call('GET', '/views/teams', getCredentials(user))).body as object
    expect(await listTeams('ann')).toEqual([{ id: teams.get('Red'), name: 'Red' }])
    expect(await listTeams('boss')).toMatchObject([{ name: 'Blue' }, { name: 'Red' }])
    expect(await listTeams('eve')).toEqual([])
    const unknown = [400, 'validation-failed', 'audience.teamId unknown-value']
    expect(getRefusal(await saveView('ann', 'X', createTeamAudience('Blue')))).toEqual(unknown)
    expect(getRefusal(await saveView('ann', 'X', { kind: 'team', teamId: 'nowhere' }))).toEqual(unknown)
    expect(getRefusal(await saveView('ann', 'X', everybody))).toEqual([403, 'access-denied'])
    expect(getRefusal(await saveView('eve', 'X'))).toEqual([403, 'access-denied'])
    await createSavedView('boss', 'For Blue', createTeamAudience('Blue'))
    expect(await listViewNames('cy')).toEqual(['For Blue'])
    await deleteAllViews()
  })
  it('is listed by page and screen, ordered by name', async () => {
    for (const name of ['c', 'B', 'a']) await createSavedView('ann', name)
    const scans = { name: 'Scans', screen: 'scans', query: { show: 'mine' }, audience: me }
    expect((await api.call('POST', '/views', { ...getCredentials('ann'), body: scans })).status).toBe(201)
    expect(await listViewNames('ann', '&screen=scans')).toEqual(['Scans'])
    const reply = await api.call('GET', '/views?screen=issues&size=2&page=1', getCredentials('ann'))
    expect(reply.body).toMatchObject({ content: [{ name: 'c' }], page: { number: 1, totalElements: 3, totalPages: 2 } })
    expect(getRefusal(await api.call('GET', '/views?screen=admin', getCredentials('ann')))).toEqual([
      400,
      'validation-failed',
      'screen unknown-value',
    ])
    await deleteAllViews()
  })
})

describe('a view', () => {
  it('is changed and deleted by its author and by admins only', async () => {
    const red = await createSavedView('ann', 'Ours', createTeamAudience('Red'))
    const ownView = await createSavedView('ann', 'Own')
    expect(getRefusal(await changeView('bob', red, { name: 'Theirs' }))).toEqual([403, 'access-denied'])
    expect(getRefusal(await deleteView('bob', red))).toEqual([403, 'access-denied'])
    for (const view of [red, ownView]) {
      expect(getRefusal(await changeView('cy', view, { name: 'Theirs' }))).toEqual([404, 'not-found'])
      expect(getRefusal(await deleteView('cy', view))).toEqual([404, 'not-found'])
    }
    expect(getRefusal(await deleteView('eve', red))).toEqual([403, 'access-denied'])
    expect(getRefusal(await deleteView('boss', ownView))).toEqual([404, 'not-found'])
    const renamed = await changeView('ann', red, { name: 'Ours too', query: { rule: ['image-alt'] } })
    expect(renamed.body).toMatchObject({ name: 'Ours too', query: { rule: ['image-alt'] }, version: 2 })
    expect(getRefusal(await changeView('ann', red, { name: 'Late' }))).toEqual([409, 'edit-conflict'])
    const shared = await changeView('boss', renamed.body, { audience: everybody })
    expect(shared.body).toMatchObject({ audience: everybody, author: { id: 'ann' }, version: 3 })
    expect(await listViewNames('cy')).toEqual(['Ours too'])
    // An admin cannot hide a view from its audience without deleting it.
    expect(getRefusal(await changeView('boss', shared.body, { audience: me }))).toEqual([403, 'access-denied'])
    // The author of a view for all users may only make it private or delete it.
    expect(getRefusal(await changeView('ann', shared.body, { name: 'Mine' }))).toEqual([403, 'access-denied'])
    expect(await changeView('ann', shared.body, { audience: me })).toMatchObject({ status: 200 })
    expect(await listViewNames('cy')).toEqual([])
    expect((await deleteView('ann', red)).status).toBe(204)
    expect((await deleteView('ann', red)).status).toBe(404)
    await deleteAllViews()
  })
  it('keeps its screen, and validates its query for that screen', async () => {
    const ownView = await createSavedView('ann', 'Own')
    expect(getRefusal(await changeView('ann', ownView, { screen: 'pages', query: {} }))).toEqual([
      400,
      'validation-failed',
      'settings.screen unknown-value',
    ])
    expect(getRefusal(await saveView('ann', 'X', me, { host: 'evil.example' }))).toEqual([
      400,
      'validation-failed',
      'query.host unknown-field',
    ])
    expect(getRefusal(await saveView('ann', 'X', me, { severity: ['javascript:'] }))).toEqual([
      400,
      'validation-failed',
      'query.severity.0 unknown-value',
    ])
    const long = { rule: Array.from({ length: 100 }, () => 'r'.repeat(200)) }
    expect(getRefusal(await saveView('ann', 'X', me, long))).toEqual([400, 'validation-failed', 'query too-long'])
    await deleteAllViews()
  })
  it('opens without filters that the screen no longer supports', async () => {
    const ownView = await createSavedView('ann', 'Own')
    const query = JSON.stringify({ severity: ['serious'], status: ['resolved'], mood: 'fine' })
    await sql`update view set query = ${query}::jsonb where id = ${ownView.id}`.execute(api.db)
    expect(await listViews('ann')).toMatchObject([{ query: { severity: ['serious'] } }])
    expect((await listViews('ann'))[0]!.query).toEqual({ severity: ['serious'] })
    await deleteAllViews()
  })
  it('has a unique name within its audience', async () => {
    await createSavedView('ann', 'Open')
    await createSavedView('bob', 'Open')
    await createSavedView('ann', 'Open', createTeamAudience('Red'))
    await createSavedView('cy', 'Open', createTeamAudience('Blue'))
    await createSavedView('boss', 'Open', everybody)
    const takenNameRefusal = [409, 'name-taken', 'name name-taken']
    expect(getRefusal(await saveView('ann', ' open '))).toEqual(takenNameRefusal)
    expect(getRefusal(await saveView('bob', 'OPEN', createTeamAudience('Red')))).toEqual(takenNameRefusal)
    expect(getRefusal(await saveView('boss', 'Open', everybody))).toEqual(takenNameRefusal)
    const other = await createSavedView('ann', 'Other')
    expect(getRefusal(await changeView('ann', other, { name: 'Open' }))).toEqual([409, 'name-taken', 'settings.name name-taken'])
    const pages = { name: 'Open', screen: 'pages', query: {}, audience: me }
    expect((await api.call('POST', '/views', { ...getCredentials('ann'), body: pages })).status).toBe(201)
    expect(getRefusal(await saveView('ann', '  '))).toEqual([400, 'validation-failed', 'name too-short'])
    await deleteAllViews()
  })
  it('is in the audit log', async () => {
    const view = await createSavedView('ann', 'Recorded')
    await changeView('ann', view, { name: 'Recorded anew' })
    await deleteView('ann', view)
    const { body: record } = await api.call('GET', '/audit?noun=view&actor=ann&size=3', getCredentials('boss'))
    expect((record as { content: object[] }).content).toMatchObject([
      { action: 'deleted', noun: 'view', subject: view.id, actor: 'ann', before: { name: 'Recorded anew' } },
      { action: 'changed', before: { name: 'Recorded' }, after: { name: 'Recorded anew' } },
      { action: 'created', after: { name: 'Recorded', query: { severity: ['critical'] } } },
    ])
  })
})

describe('the default view of a screen', () => {
  const setDefault = (user: string, viewId: string | null, screen = 'issues') =>
    api.call('PUT', '/views/defaults', { ...getCredentials(user), body: { screen, viewId } })
  const listDefaults = async (user: string) =>
    (await api.call('GET', '/views/defaults', getCredentials(user))).body as DefaultView[]

  it('can be set and removed by each person for each screen', async () => {
    const ours = await createSavedView('ann', 'Ours', createTeamAudience('Red'))
    const other = await createSavedView('ann', 'Other')
    expect(await listDefaults('ann')).toEqual([])
    expect((await setDefault('ann', ours.id)).body).toMatchObject([
      { screen: 'issues', name: 'Ours', isDeleted: false, view: { id: ours.id, query: ours.query } },
    ])
    expect(await listDefaults('bob')).toEqual([])
    expect((await setDefault('ann', other.id)).body).toMatchObject([{ view: { id: other.id } }])
    // Users who may not save views may set a default.
    expect((await setDefault('eve', ours.id)).body).toMatchObject([{ view: { id: ours.id, mayChange: false } }])
    expect((await setDefault('ann', null)).body).toEqual([])
    expect((await setDefault('ann', null)).status).toBe(200)
    await deleteAllViews()
  })
  it('must exist, be visible to the caller, and belong to the screen', async () => {
    const ownView = await createSavedView('ann', 'Own')
    const unknown = [400, 'validation-failed', 'viewId unknown-value']
    expect(getRefusal(await setDefault('bob', ownView.id))).toEqual(unknown)
    expect(getRefusal(await setDefault('ann', ownView.id, 'pages'))).toEqual(unknown)
    await deleteView('ann', ownView)
    expect(getRefusal(await setDefault('ann', ownView.id))).toEqual(unknown)
    expect(getRefusal(await setDefault('ann', null, 'admin'))).toEqual([400, 'validation-failed', 'screen unknown-value'])
    expect((await api.call('GET', '/views/defaults', getCredentials('outsider'))).status).toBe(403)
    await deleteAllViews()
  })
  it('is reported as deleted with its last name, except to the user who deleted it', async () => {
    const red = await createSavedView('ann', 'Ours', createTeamAudience('Red'))
    for (const user of ['ann', 'bob']) await setDefault(user, red.id)
    await changeView('ann', red, { name: 'Ours anew' })
    expect(await listDefaults('bob')).toMatchObject([{ name: 'Ours anew', view: { name: 'Ours anew' } }])
    await deleteView('ann', red)
    expect(await listDefaults('bob')).toEqual([{ screen: 'issues', name: 'Ours anew', view: null, isDeleted: true }])
    expect(await listDefaults('ann')).toEqual([])
    await setDefault('bob', null)
    expect(await listDefaults('bob')).toEqual([])
    await deleteAllViews()
  })
  it('is empty while its author keeps it private', async () => {
    const red = await createSavedView('ann', 'Ours', createTeamAudience('Red'))
    await setDefault('bob', red.id)
    const privateView = (await changeView('ann', red, { audience: me, name: 'Mine' })).body as SavedView
    expect(await listDefaults('bob')).toEqual([{ screen: 'issues', name: 'Ours', view: null, isDeleted: false }])
    await changeView('ann', privateView, { audience: createTeamAudience('Red') })
    expect(await listDefaults('bob')).toMatchObject([{ name: 'Mine', view: { id: red.id } }])
    await deleteAllViews()
  })
})

describe('a deleted author or team', () => {
  it('stays the author while deactivated; after deletion, shared views remain', async () => {
    const account = {
      id: 'dora',
      username: 'dora',
      firstName: '',
      lastName: '',
      email: 'dora@example.org',
      role: 'user',
    } as const
    tokens.set('dora', await api.token('dora'))
    await api.account('GET', '/me', getCredentials('dora'))
    await createTeam('Green', ['ann', 'dora'])
    api.forgetAccounts()
    await createSavedView('dora', 'Private')
    const green = await createSavedView('dora', 'Left behind', createTeamAudience('Green'))
    await api.call('PUT', '/views/defaults', { ...getCredentials('dora'), body: { screen: 'issues', viewId: green.id } })
    await syncAccount(api, { ...account, state: 'deactivated' } as never)
    const listRemaining = () => sql<{ name: string }>`select name from view order by name`.execute(api.db)
    expect((await listRemaining()).rows).toEqual([{ name: 'Left behind' }, { name: 'Private' }])
    await removeAccount(api, 'dora')
    expect((await listRemaining()).rows).toEqual([{ name: 'Left behind' }])
    expect(await api.db.selectFrom('default_view').selectAll().execute()).toEqual([])
    expect(await listViews('ann')).toMatchObject([{ name: 'Left behind', author: null, mayChange: false }])
    expect((await deleteView('boss', (await listViews('boss'))[0]!)).status).toBe(204)
  })
  it('keeps the views of a deleted team for a month', async () => {
    await createTeam('Brief', ['ann', 'bob'])
    api.forgetAccounts()
    const view = await createSavedView('ann', 'Of Brief', createTeamAudience('Brief'))
    await api.account('DELETE', `/team/${teams.get('Brief')}`, getCredentials('boss'))
    api.forgetAccounts()
    // The team has no members anymore; the author still has the view, and can share it otherwise.
    expect(await listViewNames('bob')).toEqual([])
    expect(await listViewNames('ann')).toEqual(['Of Brief'])
    expect(getRefusal(await changeView('ann', view, { name: 'Anew' }))).toEqual([
      400,
      'validation-failed',
      'settings.audience.teamId unknown-value',
    ])
    await createSavedView('ann', 'Of Red', createTeamAudience('Red'))
    // An admin lists the teams without Brief, which stays for a month.
    await api.call('GET', '/views/teams', getCredentials('boss'))
    expect(await listViewNames('ann')).toEqual(['Of Brief', 'Of Red'])
    await sql`update team set stale_since = stale_since - interval '31 days' where name = 'Brief'`.execute(api.db)
    api.forgetAccounts()
    await api.call('GET', '/views/teams', getCredentials('boss'))
    expect(await listViewNames('ann')).toEqual(['Of Red'])
  })
  it('hides views of a team from former members, except their own', async () => {
    await deleteAllViews()
    await createTeam('Left', ['ann', 'bob'])
    api.forgetAccounts()
    await createSavedView('ann', 'By Ann', createTeamAudience('Left'))
    await createSavedView('bob', 'By Bob', createTeamAudience('Left'))
    await api.account('PUT', `/team/${teams.get('Left')}`, {
      ...getCredentials('boss'),
      body: { name: 'Left', members: ['ann'] },
    })
    api.forgetAccounts()
    expect(await listViewNames('ann')).toEqual(['By Ann', 'By Bob'])
    expect(await listViewNames('bob')).toEqual(['By Bob'])
  })
})

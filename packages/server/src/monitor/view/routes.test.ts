import { claimsOf } from '@clearway/contract/kit/permission.ts'
import type { DefaultView, SavedView } from '@clearway/contract/monitor/view/schema.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOfFile, scanBody } from '../../../test/api.ts'
import { forgetAccount, keepAccount } from '../user/person/service.ts'

const api = apiOfFile()
const tokens = new Map<string, string>()
const teams = new Map<string, string>()
const as = (user: string) => ({ token: tokens.get(user)! })

const makeTeam = async (name: string, members: string[]) => {
  const made = await api.account('POST', '/teams', { ...as('boss'), body: { name, members } })
  teams.set(name, (made.body as { id: string }).id)
}

beforeAll(async () => {
  for (const user of ['ann', 'bob', 'cy']) tokens.set(user, await api.token(user))
  tokens.set('boss', await api.token('boss', claimsOf('admin')))
  tokens.set('eve', await api.token('eve', claimsOf('auditor')))
  tokens.set('outsider', await api.token('outsider', []))
  for (const user of ['ann', 'bob', 'cy', 'boss', 'eve']) {
    await api.account('GET', '/me', as(user))
    await api.call('GET', '/users/permissions', as(user))
  }
  await makeTeam('Red', ['ann', 'bob'])
  await makeTeam('Blue', ['cy'])
  api.forgetAccounts()
})

const me = { kind: 'me' }
const everybody = { kind: 'everybody' }
const team = (name: string) => ({ kind: 'team', teamId: teams.get(name)! })
const body = (name: string, audience: object = me, query: object = { severity: ['critical'] }) => ({
  name,
  screen: 'issues',
  query,
  audience,
})
const save = (user: string, name: string, audience: object = me, query?: object) =>
  api.call('POST', '/views', { ...as(user), body: body(name, audience, query) })
const saved = async (...asked: Parameters<typeof save>): Promise<SavedView> => {
  const reply = await save(...asked)
  expect([reply.status, reply.body]).toEqual([201, expect.anything()])
  return reply.body
}
const viewsOf = async (user: string, query = '') => {
  const reply = await api.call('GET', `/views?size=500${query}`, as(user))
  expect(reply.status).toBe(200)
  return (reply.body as { content: SavedView[] }).content
}
const namesOf = async (user: string, query = '') => (await viewsOf(user, query)).map(({ name }) => name)
const change = (user: string, view: SavedView, settings: object, version = view.version) =>
  api.call('PUT', `/views/${view.id}`, {
    ...as(user),
    body: {
      settings: {
        name: view.name,
        screen: view.screen,
        query: view.query,
        audience: view.audience,
        ...settings,
      },
      version,
    },
  })
const remove = (user: string, view: SavedView) => api.call('DELETE', `/views/${view.id}`, as(user))
const refusal = ({ status, body: said }: { status: number; body: unknown }) => {
  const { code, errors } = said as { code: string; errors?: { path: string; code: string }[] }
  return [status, code, ...(errors ?? []).map((error) => `${error.path} ${error.code}`)]
}
const clear = async () => {
  await sql`delete from default_view`.execute(api.db)
  await sql`delete from view`.execute(api.db)
}

describe('whom a view is for', () => {
  it('is its author, one team, or everybody', async () => {
    await saved('ann', 'Of Ann')
    await saved('ann', 'Of Red', team('Red'))
    await saved('cy', 'Of Blue', team('Blue'))
    await saved('boss', 'Of all', everybody)
    expect(await namesOf('ann')).toEqual(['Of all', 'Of Ann', 'Of Red'])
    expect(await namesOf('bob')).toEqual(['Of all', 'Of Red'])
    expect(await namesOf('cy')).toEqual(['Of all', 'Of Blue'])
    // Somebody who reads every scan sees the views of teams; only the author sees a private one.
    for (const who of ['eve', 'boss']) expect(await namesOf(who)).toEqual(['Of all', 'Of Blue', 'Of Red'])
    const [, red] = await viewsOf('bob')
    expect(red).toMatchObject({
      audience: team('Red'),
      teamName: 'Red',
      author: { id: 'ann' },
      mayChange: false,
      query: { severity: ['critical'] },
    })
    expect((await viewsOf('boss')).map(({ mayChange }) => mayChange)).toEqual([true, true, true])
    expect((await viewsOf('eve')).map(({ mayChange }) => mayChange)).toEqual([false, false, false])
    await clear()
  })
  it('is nobody outside the product, and no guest', async () => {
    expect(refusal(await api.call('GET', '/views', as('outsider')))).toEqual([403, 'no-access'])
    expect(refusal(await api.call('GET', '/views', { token: null }))).toEqual([401, 'not-signed-in'])
    const scan = await api.call('POST', '/scans', { ...as('boss'), body: scanBody('Shared') })
    const { id } = scan.body as { id: string }
    const link = await api.call('POST', `/scans/${id}/public-token`, { ...as('boss'), body: {} })
    const { token: guest } = link.body as { token: string }
    expect((await api.call('GET', `/scans/${id}`, { guest })).status).toBe(200)
    expect((await api.call('GET', '/views', { guest })).status).toBe(403)
    expect((await api.call('GET', '/views/teams', { guest })).status).toBe(403)
    expect((await api.call('POST', '/views', { guest, body: body('Mine') })).status).toBe(403)
  })
  it('is a team that one is in: everybody only for admins, and nothing for auditors', async () => {
    const asked = async (user: string) => (await api.call('GET', '/views/teams', as(user))).body as object
    expect(await asked('ann')).toEqual([{ id: teams.get('Red'), name: 'Red' }])
    expect(await asked('boss')).toMatchObject([{ name: 'Blue' }, { name: 'Red' }])
    expect(await asked('eve')).toEqual([])
    const unknown = [400, 'validation-failed', 'audience.teamId unknown-value']
    expect(refusal(await save('ann', 'X', team('Blue')))).toEqual(unknown)
    expect(refusal(await save('ann', 'X', { kind: 'team', teamId: 'nowhere' }))).toEqual(unknown)
    expect(refusal(await save('ann', 'X', everybody))).toEqual([403, 'access-denied'])
    expect(refusal(await save('eve', 'X'))).toEqual([403, 'access-denied'])
    await saved('boss', 'For Blue', team('Blue'))
    expect(await namesOf('cy')).toEqual(['For Blue'])
    await clear()
  })
  it('shows one page of one screen, by name', async () => {
    for (const name of ['c', 'B', 'a']) await saved('ann', name)
    const scans = { name: 'Scans', screen: 'scans', query: { show: 'mine' }, audience: me }
    expect((await api.call('POST', '/views', { ...as('ann'), body: scans })).status).toBe(201)
    expect(await namesOf('ann', '&screen=scans')).toEqual(['Scans'])
    const reply = await api.call('GET', '/views?screen=issues&size=2&page=1', as('ann'))
    expect(reply.body).toMatchObject({
      content: [{ name: 'c' }],
      page: { number: 1, totalElements: 3, totalPages: 2 },
    })
    expect(refusal(await api.call('GET', '/views?screen=admin', as('ann')))).toEqual([
      400,
      'validation-failed',
      'screen unknown-value',
    ])
    await clear()
  })
})

describe('a view', () => {
  it('is changed and deleted by its author and by admins only', async () => {
    const red = await saved('ann', 'Ours', team('Red'))
    const own = await saved('ann', 'Own')
    expect(refusal(await change('bob', red, { name: 'Theirs' }))).toEqual([403, 'access-denied'])
    expect(refusal(await remove('bob', red))).toEqual([403, 'access-denied'])
    for (const view of [red, own]) {
      expect(refusal(await change('cy', view, { name: 'Theirs' }))).toEqual([404, 'not-found'])
      expect(refusal(await remove('cy', view))).toEqual([404, 'not-found'])
    }
    expect(refusal(await remove('eve', red))).toEqual([403, 'access-denied'])
    expect(refusal(await remove('boss', own))).toEqual([404, 'not-found'])
    const renamed = await change('ann', red, { name: 'Ours too', query: { rule: ['image-alt'] } })
    expect(renamed.body).toMatchObject({ name: 'Ours too', query: { rule: ['image-alt'] }, version: 2 })
    expect(refusal(await change('ann', red, { name: 'Late' }))).toEqual([409, 'edit-conflict'])
    const shared = await change('boss', renamed.body, { audience: everybody })
    expect(shared.body).toMatchObject({ audience: everybody, author: { id: 'ann' }, version: 3 })
    expect(await namesOf('cy')).toEqual(['Ours too'])
    // An admin does not take it away from those who have it without deleting it.
    expect(refusal(await change('boss', shared.body, { audience: me }))).toEqual([403, 'access-denied'])
    // And what is for everybody, its author may only take back or delete.
    expect(refusal(await change('ann', shared.body, { name: 'Mine' }))).toEqual([403, 'access-denied'])
    expect(await change('ann', shared.body, { audience: me })).toMatchObject({ status: 200 })
    expect(await namesOf('cy')).toEqual([])
    expect((await remove('ann', red)).status).toBe(204)
    expect((await remove('ann', red)).status).toBe(404)
    await clear()
  })
  it('keeps its screen, and its query is one of that', async () => {
    const own = await saved('ann', 'Own')
    expect(refusal(await change('ann', own, { screen: 'pages', query: {} }))).toEqual([
      400,
      'validation-failed',
      'settings.screen unknown-value',
    ])
    expect(refusal(await save('ann', 'X', me, { host: 'evil.example' }))).toEqual([
      400,
      'validation-failed',
      'query.host unknown-field',
    ])
    expect(refusal(await save('ann', 'X', me, { severity: ['javascript:'] }))).toEqual([
      400,
      'validation-failed',
      'query.severity.0 unknown-value',
    ])
    const long = { rule: Array.from({ length: 100 }, () => 'r'.repeat(200)) }
    expect(refusal(await save('ann', 'X', me, long))).toEqual([400, 'validation-failed', 'query too-long'])
    await clear()
  })
  it('opens without what the screen does not know any more', async () => {
    const own = await saved('ann', 'Own')
    const query = JSON.stringify({ severity: ['serious'], status: ['resolved'], mood: 'fine' })
    await sql`update view set query = ${query}::jsonb where id = ${own.id}`.execute(api.db)
    expect(await viewsOf('ann')).toMatchObject([{ query: { severity: ['serious'] } }])
    expect((await viewsOf('ann'))[0]!.query).toEqual({ severity: ['serious'] })
    await clear()
  })
  it('has a name of its own among those for the same people', async () => {
    await saved('ann', 'Open')
    await saved('bob', 'Open')
    await saved('ann', 'Open', team('Red'))
    await saved('cy', 'Open', team('Blue'))
    await saved('boss', 'Open', everybody)
    const taken = [409, 'name-taken', 'name name-taken']
    expect(refusal(await save('ann', ' open '))).toEqual(taken)
    expect(refusal(await save('bob', 'OPEN', team('Red')))).toEqual(taken)
    expect(refusal(await save('boss', 'Open', everybody))).toEqual(taken)
    const other = await saved('ann', 'Other')
    expect(refusal(await change('ann', other, { name: 'Open' }))).toEqual([
      409,
      'name-taken',
      'settings.name name-taken',
    ])
    const pages = { name: 'Open', screen: 'pages', query: {}, audience: me }
    expect((await api.call('POST', '/views', { ...as('ann'), body: pages })).status).toBe(201)
    expect(refusal(await save('ann', '  '))).toEqual([400, 'validation-failed', 'name too-short'])
    await clear()
  })
  it('is in the audit log', async () => {
    const view = await saved('ann', 'Recorded')
    await change('ann', view, { name: 'Recorded anew' })
    await remove('ann', view)
    const { body: record } = await api.call('GET', '/audit?noun=view&actor=ann&size=3', as('boss'))
    expect((record as { content: object[] }).content).toMatchObject([
      { action: 'deleted', noun: 'view', subject: view.id, actor: 'ann', before: { name: 'Recorded anew' } },
      { action: 'changed', before: { name: 'Recorded' }, after: { name: 'Recorded anew' } },
      { action: 'created', after: { name: 'Recorded', query: { severity: ['critical'] } } },
    ])
  })
})

describe('the view with which a screen opens', () => {
  const choose = (user: string, viewId: string | null, screen = 'issues') =>
    api.call('PUT', '/views/defaults', { ...as(user), body: { screen, viewId } })
  const defaults = async (user: string) =>
    (await api.call('GET', '/views/defaults', as(user))).body as DefaultView[]

  it('is chosen by each person, for each screen, and taken back', async () => {
    const ours = await saved('ann', 'Ours', team('Red'))
    const other = await saved('ann', 'Other')
    expect(await defaults('ann')).toEqual([])
    expect((await choose('ann', ours.id)).body).toMatchObject([
      { screen: 'issues', name: 'Ours', isDeleted: false, view: { id: ours.id, query: ours.query } },
    ])
    expect(await defaults('bob')).toEqual([])
    expect((await choose('ann', other.id)).body).toMatchObject([{ view: { id: other.id } }])
    // Whoever may save none may open one.
    expect((await choose('eve', ours.id)).body).toMatchObject([{ view: { id: ours.id, mayChange: false } }])
    expect((await choose('ann', null)).body).toEqual([])
    expect((await choose('ann', null)).status).toBe(200)
    await clear()
  })
  it('is one that is there, for the caller, and of this screen', async () => {
    const own = await saved('ann', 'Own')
    const unknown = [400, 'validation-failed', 'viewId unknown-value']
    expect(refusal(await choose('bob', own.id))).toEqual(unknown)
    expect(refusal(await choose('ann', own.id, 'pages'))).toEqual(unknown)
    await remove('ann', own)
    expect(refusal(await choose('ann', own.id))).toEqual(unknown)
    expect(refusal(await choose('ann', null, 'admin'))).toEqual([
      400,
      'validation-failed',
      'screen unknown-value',
    ])
    expect((await api.call('GET', '/views/defaults', as('outsider'))).status).toBe(403)
    await clear()
  })
  it('says by its last name that it was deleted, but to whoever deleted it', async () => {
    const red = await saved('ann', 'Ours', team('Red'))
    for (const user of ['ann', 'bob']) await choose(user, red.id)
    await change('ann', red, { name: 'Ours anew' })
    expect(await defaults('bob')).toMatchObject([{ name: 'Ours anew', view: { name: 'Ours anew' } }])
    await remove('ann', red)
    expect(await defaults('bob')).toEqual([
      { screen: 'issues', name: 'Ours anew', view: null, isDeleted: true },
    ])
    expect(await defaults('ann')).toEqual([])
    await choose('bob', null)
    expect(await defaults('bob')).toEqual([])
    await clear()
  })
  it('is none while its author keeps it private', async () => {
    const red = await saved('ann', 'Ours', team('Red'))
    await choose('bob', red.id)
    const own = (await change('ann', red, { audience: me, name: 'Mine' })).body as SavedView
    expect(await defaults('bob')).toEqual([{ screen: 'issues', name: 'Ours', view: null, isDeleted: false }])
    await change('ann', own, { audience: team('Red') })
    expect(await defaults('bob')).toMatchObject([{ name: 'Mine', view: { id: red.id } }])
    await clear()
  })
})

describe('who is gone', () => {
  it('stays the author while deactivated; deleted, leaves what others see', async () => {
    const account = {
      id: 'dora',
      username: 'dora',
      firstName: '',
      lastName: '',
      email: 'dora@example.org',
      role: 'user',
    } as const
    tokens.set('dora', await api.token('dora'))
    await api.account('GET', '/me', as('dora'))
    await makeTeam('Green', ['ann', 'dora'])
    api.forgetAccounts()
    await saved('dora', 'Private')
    const green = await saved('dora', 'Left behind', team('Green'))
    await api.call('PUT', '/views/defaults', { ...as('dora'), body: { screen: 'issues', viewId: green.id } })
    await keepAccount(api, { ...account, state: 'deactivated' } as never)
    const left = () => sql<{ name: string }>`select name from view order by name`.execute(api.db)
    expect((await left()).rows).toEqual([{ name: 'Left behind' }, { name: 'Private' }])
    await forgetAccount(api, 'dora')
    expect((await left()).rows).toEqual([{ name: 'Left behind' }])
    expect(await api.db.selectFrom('default_view').selectAll().execute()).toEqual([])
    expect(await viewsOf('ann')).toMatchObject([{ name: 'Left behind', author: null, mayChange: false }])
    expect((await remove('boss', (await viewsOf('boss'))[0]!)).status).toBe(204)
  })
  it('and a team that is deleted takes its views along, a month on', async () => {
    await makeTeam('Brief', ['ann', 'bob'])
    api.forgetAccounts()
    const view = await saved('ann', 'Of Brief', team('Brief'))
    await api.account('DELETE', `/team/${teams.get('Brief')}`, as('boss'))
    api.forgetAccounts()
    // Nobody is in it any more; its author has it still, and can keep it for others.
    expect(await namesOf('bob')).toEqual([])
    expect(await namesOf('ann')).toEqual(['Of Brief'])
    expect(refusal(await change('ann', view, { name: 'Anew' }))).toEqual([
      400,
      'validation-failed',
      'settings.audience.teamId unknown-value',
    ])
    await saved('ann', 'Of Red', team('Red'))
    // An admin asks for the teams: Brief is not among them, and stays for a month.
    await api.call('GET', '/views/teams', as('boss'))
    expect(await namesOf('ann')).toEqual(['Of Brief', 'Of Red'])
    await sql`update team set stale_since = stale_since - interval '31 days' where name = 'Brief'`.execute(
      api.db,
    )
    api.forgetAccounts()
    await api.call('GET', '/views/teams', as('boss'))
    expect(await namesOf('ann')).toEqual(['Of Red'])
  })
  it('someone who left a team no longer sees its views, except their own', async () => {
    await clear()
    await makeTeam('Left', ['ann', 'bob'])
    api.forgetAccounts()
    await saved('ann', 'By Ann', team('Left'))
    await saved('bob', 'By Bob', team('Left'))
    await api.account('PUT', `/team/${teams.get('Left')}`, {
      ...as('boss'),
      body: { name: 'Left', members: ['ann'] },
    })
    api.forgetAccounts()
    expect(await namesOf('ann')).toEqual(['By Ann', 'By Bob'])
    expect(await namesOf('bob')).toEqual(['By Bob'])
  })
})

import { beforeAll, expect, it, vi } from 'vitest'
import { apiOfFile } from '../../../test/api.ts'

const api = apiOfFile()
let admin: { token: string }
let user: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
  user = { token: await api.token('user') }
  for (const who of [admin, user]) await api.account('GET', '/me', who)
})

type Team = { id: string; name: string; memberCount: number; members: { id: string }[] }
const names = (reply: { body: never }) => {
  const list = reply.body as Team[] | { content: Team[] }
  return (Array.isArray(list) ? list : list.content).map((team) => team.name)
}

it('lists, finds, makes and changes teams', async () => {
  const make = (name: string, members: string[] = []) =>
    api.account('POST', '/teams', { ...admin, body: { name, members } })
  const a = (await make('Alpha', ['user', 'user'])).body as Team
  expect(a).toMatchObject({ memberCount: 1, members: [{ id: 'user' }] })
  const b = (await make('beta')).body as Team
  expect((await make(' ALPHA ')).status).toBe(409)
  expect((await make('x', ['nobody'])).body).toMatchObject({
    errors: [{ path: 'members.0', code: 'unknown-value' }],
  })
  expect((await api.account('POST', '/teams', { ...user, body: { name: 'mine' } })).status).toBe(403)
  expect((await api.account('GET', '/teams', { token: null })).status).toBe(401)
  expect(names(await api.account('GET', '/teams?sortBy=name&order=desc', user))).toEqual(['beta', 'Alpha'])
  expect(names(await api.account('GET', '/teams?search=ALP&size=0', user))).toEqual(['Alpha'])
  expect(names(await api.account('GET', '/teams/all', user))).toEqual(['Alpha', 'beta'])
  expect(names(await api.account('GET', `/teams-by-ids?ids=${b.id},nothing`, user))).toEqual(['beta'])
  expect(names(await api.account('GET', '/teams-by-ids', user))).toEqual([])
  expect(names(await api.account('GET', '/teams-by-ids?all=true&search=a', user))).toEqual(['Alpha', 'beta'])
  expect((await api.account('GET', '/me', user)).body).toMatchObject({
    id: 'user',
    agreedAt: null,
    teams: [{ name: 'Alpha' }],
  })
  await api.account('PUT', `/team/${a.id}`, { ...admin, body: { name: 'Alef', members: ['admin'] } })
  expect((await api.account('GET', `/team/${a.id}`, user)).body).toMatchObject({
    name: 'Alef',
    members: [{ id: 'admin' }],
  })
  expect((await api.account('DELETE', `/team/${a.id}`, admin)).status).toBe(204)
  expect((await api.account('GET', `/team/${a.id}`, user)).status).toBe(404)
})

it('says what became of a team: what is different, and nothing where nothing is', async () => {
  const from = api.teamChanges.length
  const { id } = (
    await api.account('POST', '/teams', { ...admin, body: { name: 'Gamma', members: ['user', 'user'] } })
  ).body as Team
  for (const body of [
    { name: 'Gamma', members: ['user'] },
    { name: 'Delta', members: ['user'] },
    { name: 'Delta', members: ['user', 'admin'] },
  ])
    await api.account('PUT', `/team/${id}`, { ...admin, body })
  await api.account('DELETE', `/team/${id}`, admin)
  expect(api.teamChanges.slice(from)).toEqual([
    { id, before: null, after: { name: 'Gamma', members: ['user'] } },
    { id, before: { name: 'Gamma' }, after: { name: 'Delta' } },
    {
      id,
      before: { name: 'Delta', members: ['user'] },
      after: { name: 'Delta', members: ['admin', 'user'] },
    },
    { id, before: { name: 'Delta', members: ['admin', 'user'] }, after: null },
  ])
})

it('shows the notice until it is put away, again two weeks after it was put off, and when it changes', async () => {
  const notice = async (action?: string) =>
    (
      await api.account(action ? 'POST' : 'GET', '/global-config-notice', {
        ...user,
        ...(action && { body: { action } }),
      })
    ).body as { show: boolean; remindAt: string | null }
  const set = (message: string | null) =>
    api.account('PUT', '/global-config', { ...admin, body: { message } })
  expect(await notice()).toMatchObject({ show: false })
  await set('Rules change in May.')
  expect(await notice()).toMatchObject({ show: true, message: 'Rules change in May.' })
  const { remindAt } = await notice('remind')
  expect(Date.parse(remindAt!) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
  expect(await notice()).toMatchObject({ show: false })
  vi.setSystemTime(Date.parse(remindAt!) + 1000)
  const later = { token: await api.token('user') }
  expect((await api.account('GET', '/global-config-notice', later)).body).toMatchObject({ show: true })
  vi.useRealTimers()
  expect(await notice('dismiss')).toMatchObject({ show: false, remindAt: null })
  await set('Rules change in June.')
  expect(await notice()).toMatchObject({ show: true })
  expect((await api.account('GET', '/global-config', user)).body).toMatchObject({
    termsRequired: true,
    termsUrl: 'https://clearway.example.org/axe-account/terms',
    message: 'Rules change in June.',
  })
})

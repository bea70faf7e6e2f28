import { beforeAll, expect, it, vi } from 'vitest'
import { useTestApi } from '../../../test/api.ts'

const api = useTestApi()
let adminCaller: { token: string }
let userCaller: { token: string }
beforeAll(async () => {
  adminCaller = { token: await api.token('admin', ['admin']) }
  userCaller = { token: await api.token('user') }
  for (const caller of [adminCaller, userCaller]) await api.account('GET', '/me', caller)
})

type Team = { id: string; name: string; memberCount: number; members: { id: string }[] }
const getTeamNames = (reply: { body: never }) => {
  const teamList = reply.body as Team[] | { content: Team[] }
  return (Array.isArray(teamList) ? teamList : teamList.content).map((team) => team.name)
}

it('lists, finds, creates and updates teams', async () => {
  const createTeam = (name: string, members: string[] = []) =>
    api.account('POST', '/teams', { ...adminCaller, body: { name, members } })
  const alphaTeam = (await createTeam('Alpha', ['user', 'user'])).body as Team
  expect(alphaTeam).toMatchObject({ memberCount: 1, members: [{ id: 'user' }] })
  const betaTeam = (await createTeam('beta')).body as Team
  expect((await createTeam(' ALPHA ')).status).toBe(409)
  expect((await createTeam('x', ['nobody'])).body).toMatchObject({ errors: [{ path: 'members.0', code: 'unknown-value' }] })
  expect((await api.account('POST', '/teams', { ...userCaller, body: { name: 'mine' } })).status).toBe(403)
  expect((await api.account('GET', '/teams', { token: null })).status).toBe(401)
  expect(getTeamNames(await api.account('GET', '/teams?sortBy=name&order=desc', adminCaller))).toEqual(['beta', 'Alpha'])
  expect(getTeamNames(await api.account('GET', '/teams?sort=name,desc', adminCaller))).toEqual(['beta', 'Alpha'])
  expect(getTeamNames(await api.account('GET', '/teams?search=ALP&size=0', adminCaller))).toEqual(['Alpha'])
  expect(getTeamNames(await api.account('GET', '/teams/all', adminCaller))).toEqual(['Alpha', 'beta'])
  expect(getTeamNames(await api.account('GET', `/teams-by-ids?ids=${betaTeam.id},nothing`, adminCaller))).toEqual(['beta'])
  expect(getTeamNames(await api.account('GET', '/teams-by-ids', adminCaller))).toEqual([])
  expect(getTeamNames(await api.account('GET', '/teams-by-ids?all=true&search=a', adminCaller))).toEqual(['Alpha', 'beta'])
  // Others see their own teams.
  for (const path of ['/teams', '/teams/all', '/teams-by-ids?all=true', `/teams-by-ids?ids=${alphaTeam.id},${betaTeam.id}`])
    expect(getTeamNames(await api.account('GET', path, userCaller))).toEqual(['Alpha'])
  expect((await api.account('GET', '/teams', userCaller)).body).toMatchObject({ page: { totalElements: 1 } })
  expect((await api.account('GET', `/team/${alphaTeam.id}`, userCaller)).body).toMatchObject({ members: [{ id: 'user' }] })
  expect((await api.account('GET', `/team/${betaTeam.id}`, userCaller)).status).toBe(404)
  expect((await api.account('GET', '/me', userCaller)).body).toMatchObject({
    id: 'user',
    agreedAt: null,
    teams: [{ name: 'Alpha' }],
  })
  await api.account('PUT', `/team/${alphaTeam.id}`, { ...adminCaller, body: { name: 'Alef', members: ['admin'] } })
  expect((await api.account('GET', `/team/${alphaTeam.id}`, adminCaller)).body).toMatchObject({
    name: 'Alef',
    members: [{ id: 'admin' }],
  })
  expect((await api.account('GET', `/team/${alphaTeam.id}`, userCaller)).status).toBe(404)
  expect((await api.account('DELETE', `/team/${alphaTeam.id}`, adminCaller)).status).toBe(204)
  expect((await api.account('GET', `/team/${alphaTeam.id}`, userCaller)).status).toBe(404)
})

it('reports only the differences of a team, and nothing for an unchanged one', async () => {
  const previousChangeCount = api.teamChanges.length
  const { id } = (await api.account('POST', '/teams', { ...adminCaller, body: { name: 'Gamma', members: ['user', 'user'] } }))
    .body as Team
  for (const body of [
    { name: 'Gamma', members: ['user'] },
    { name: 'Delta', members: ['user'] },
    { name: 'Delta', members: ['user', 'admin'] },
  ])
    await api.account('PUT', `/team/${id}`, { ...adminCaller, body })
  await api.account('DELETE', `/team/${id}`, adminCaller)
  expect(api.teamChanges.slice(previousChangeCount)).toEqual([
    { id, before: null, after: { name: 'Gamma', members: ['user'] } },
    { id, before: { name: 'Gamma' }, after: { name: 'Delta' } },
    { id, before: { name: 'Delta', members: ['user'] }, after: { name: 'Delta', members: ['admin', 'user'] } },
    { id, before: { name: 'Delta', members: ['admin', 'user'] }, after: null },
  ])
})

it('shows the notice until it is dismissed, two weeks after it was postponed, and when it changes', async () => {
  const fetchNotice = async (action?: string) =>
    (await api.account(action ? 'POST' : 'GET', '/global-config-notice', { ...userCaller, ...(action && { body: { action } }) }))
      .body as { show: boolean; remindAt: string | null }
  const setMessage = (message: string | null) => api.account('PUT', '/global-config', { ...adminCaller, body: { message } })
  expect(await fetchNotice()).toMatchObject({ show: false })
  await setMessage('Rules change in May.')
  expect(await fetchNotice()).toMatchObject({ show: true, message: 'Rules change in May.' })
  const { remindAt } = await fetchNotice('remind')
  expect(Date.parse(remindAt!) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
  expect(await fetchNotice()).toMatchObject({ show: false })
  vi.setSystemTime(Date.parse(remindAt!) + 1000)
  const laterCaller = { token: await api.token('user') }
  expect((await api.account('GET', '/global-config-notice', laterCaller)).body).toMatchObject({ show: true })
  vi.useRealTimers()
  expect(await fetchNotice('dismiss')).toMatchObject({ show: false, remindAt: null })
  await setMessage('Rules change in June.')
  expect(await fetchNotice()).toMatchObject({ show: true })
  expect((await api.account('GET', '/global-config', userCaller)).body).toMatchObject({
    termsRequired: true,
    termsUrl: 'https://clearway.example.org/axe-account/terms',
    message: 'Rules change in June.',
  })
})

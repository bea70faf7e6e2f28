import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'

const api = useTestApi()
let admin: string
let one: string
let two: string
const createMinorFinding = (key: string) =>
  buildFinding(key, { rule: 'region', severity: 'minor', impact: 'minor', elementPattern: 'div' })
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  one = (await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]), b: buildCompleted([]) }, 'One')).scanId
  await recordRun(api, one, {
    a: buildCompleted([buildFinding('x'), buildFinding('y')]),
    b: buildCompleted([createMinorFinding('m')]),
  })
  two = (await recordRun(api, undefined, { a: buildCompleted([buildFinding('z')]) }, 'Two')).scanId
  const review = buildFinding('r', { severity: 'needs review', impact: 'serious' })
  await recordRun(api, two, { a: buildCompleted([buildFinding('z'), review]) })
  // Moves the first run of each scan three weeks back.
  await sql`update run set ended_at = now() - interval '21 days' where number = 1`.execute(api.db)
})
const get = async <T>(path: string, token = admin) => (await api.call('GET', `/rollup/${path}`, { token })).body as T

it('a trend shows the state of the scans at the end of each week', async () => {
  type Trend = { points: { scans: number; score: number | null; openIssues: { critical: number; minor: number } }[] }
  const { points } = await get<Trend>('trend?days=42&timeZone=Europe/Berlin')
  expect(points.length).toBe(7)
  expect(points[0]).toMatchObject({ scans: 0, score: null })
  const previousPoint = points.at(-2)!
  expect(previousPoint).toMatchObject({ scans: 2, score: 0.25, openIssues: { critical: 2, minor: 0 } })
  expect(points.at(-1)).toMatchObject({ scans: 2, score: 0.25, openIssues: { critical: 3, minor: 1 } })
  const { points: alone } = await get<Trend>(`trend?days=1&by=day&scanId=${two}`)
  expect(alone.at(-1)).toMatchObject({ scans: 1, score: 0 })
  expect((await api.call('GET', '/rollup/trend?timeZone=Mars', { token: admin })).status).toBe(400)
})

it('rules and templates are aggregated over scans', async () => {
  const rules = await get('rules')
  expect(rules).toMatchObject({
    page: { totalElements: 2 },
    content: [
      { rule: 'image-alt', severity: 'critical', issues: 3, pages: 2, scans: 2 },
      { rule: 'region', severity: 'minor', issues: 1, pages: 1, scans: 1 },
    ],
  })
  expect(await get('rules?size=1&page=1&sort=issues,desc')).toMatchObject({ content: [{ rule: 'region' }] })
  expect(await get('rules?size=1&page=2')).toMatchObject({ page: { totalElements: 2 }, content: [] })
  const templates = await get<{ content: object[] }>('templates?sort=scans,desc')
  expect(templates.content[0]).toMatchObject({ rule: 'image-alt', scans: 2, issues: 3 })
  expect(templates.content[0]).not.toHaveProperty('total')
  expect(templates.content[0]).toHaveProperty('selector', expect.stringMatching(/^img\./))
})

it('changes cover the runs of the last days', async () => {
  expect(await get('changes')).toMatchObject({
    total: { new: 3, newCritical: 2, fixed: 1, back: 0 },
    scans: [
      { scanName: 'One', runs: 1, compared: 1, new: 3, fixed: 1 },
      { scanName: 'Two', runs: 1, new: 0 },
    ],
  })
  expect(await get('changes?days=30')).toMatchObject({
    scans: [
      { runs: 2, compared: 1 },
      { runs: 2, compared: 1 },
    ],
  })
})

it('totals contain only data that the viewer may see', async () => {
  const stranger = await api.token('stranger')
  expect(await get('rules', stranger)).toMatchObject({ content: [], page: { totalElements: 0 } })
  expect(await get('templates', stranger)).toMatchObject({ content: [] })
  expect(await get(`changes?scanId=${one}`, stranger)).toMatchObject({ total: { new: 0 }, scans: [] })
  const { points } = await get<{ points: { scans: number }[] }>(`trend?scanId=${one}`, stranger)
  expect(points.every(({ scans }) => scans === 0)).toBe(true)
  const body = { scanGroupName: 'Some', scans: [two] }
  const group = (await api.call('POST', '/groups', { token: admin, body })).body as { scanGroupId: string }
  expect(await get(`rules?groupId=${group.scanGroupId}`)).toMatchObject({
    content: [{ issues: 1, scans: 1 }],
  }) // Individually selected scans add to those of the groups, in the list of pages as well.
  expect(await get(`rules?groupId=${group.scanGroupId}&scanId=${one}`)).toMatchObject({
    page: { totalElements: 2 },
    content: [{ issues: 3, scans: 2 }, { rule: 'region' }],
  })
  const pages = async (scope: string) =>
    (await api.call('GET', `/pages?${scope}`, { token: admin })).body as { page: { totalElements: number } }
  expect((await pages(`groupId=${group.scanGroupId}`)).page.totalElements).toBe(1)
  expect((await pages(`groupId=${group.scanGroupId}&scanId=${one}`)).page.totalElements).toBe(3)
})

it('lists the results of each group, the lowest score first', async () => {
  for (const [scanGroupName, scans] of [
    ['All', [one, two]],
    ['First', [one]],
  ] as const)
    await api.call('POST', '/groups', { token: admin, body: { scanGroupName, scans } })
  type Groups = { content: { name: string; scans: number; score: number; critical: number }[] }
  const { content } = await get<Groups>('groups')
  const findGroup = (name: string) => content.find((group) => group.name === name)
  expect(findGroup('All')).toMatchObject({ scans: 2, score: 0.25, critical: 3 })
  expect(findGroup('First')).toMatchObject({ scans: 1 })
  expect(content.map(({ score }) => score)).toEqual(content.map(({ score }) => score).toSorted((a, b) => a - b))
  expect(await get('groups', await api.token('stranger'))).toEqual({ content: [] })
})

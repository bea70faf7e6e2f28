import { maxAnnotations, type ScanGoals } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'

const api = useTestApi()
let admin: string
let scan: string
beforeAll(async () => {
  admin = await api.token('boss', ['access', 'admin'])
  scan = ((await api.call('POST', '/scans', { token: admin, body: buildScanBody('Goals') })).body as { id: string }).id
})
const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: object) =>
  api.call(method, path, { token: admin, ...(body && { body }) })
const readGoals = async () => (await call('GET', `/scans/${scan}/goals`)).body as ScanGoals

it('keeps one target of a scan, until it is removed', async () => {
  expect((await readGoals()).target).toBeNull()
  const target = { score: 90, dueOn: '2026-06-30' }
  expect((await call('PUT', `/scans/${scan}/target`, target)).body).toEqual(target)
  await call('PUT', `/scans/${scan}/target`, { ...target, score: 95 })
  expect((await readGoals()).target).toEqual({ ...target, score: 95 })
  for (const wrong of [{ ...target, score: 0 }, { ...target, score: 101 }, { ...target, dueOn: '2026-02-30' }, { score: 90 }])
    expect((await call('PUT', `/scans/${scan}/target`, wrong)).status).toBe(400)
  expect((await call('DELETE', `/scans/${scan}/target`)).status).toBe(204)
  expect((await readGoals()).target).toBeNull()
  const entries = (await call('GET', `/audit?scanId=${scan}&noun=scan`)).body as { content: { after: object }[] }
  expect(entries.content.map(({ after }) => after)).toContainEqual({ target_score: 95 })
})

it('lists annotations by day, with their authors, and neither these nor the target to guests', async () => {
  const add = (day: string, text: string) => call('POST', `/scans/${scan}/annotations`, { day, text })
  expect((await add('2026-03-02', ' Release 2.3 ')).status).toBe(201)
  await add('2026-02-01', 'Redesign')
  const { annotations } = await readGoals()
  expect(annotations.map(({ day, text }) => [day, text])).toEqual([
    ['2026-02-01', 'Redesign'],
    ['2026-03-02', 'Release 2.3'],
  ])
  expect(annotations[0]!.author).toMatch(/boss/i)
  const { token: guestToken } = (await call('POST', `/scans/${scan}/public-token`, {})).body as { token: string }
  await call('PUT', `/scans/${scan}/target`, { score: 90, dueOn: '2026-06-30' })
  const shared = await api.app.inject({ url: `/monitor-api/scans/${scan}/goals`, headers: { 'x-guest-token': guestToken } })
  expect(shared.json<ScanGoals>()).toEqual({ target: null, annotations: [] })
  const other = ((await call('POST', '/scans', buildScanBody('Other goals'))).body as { id: string }).id
  expect((await call('DELETE', `/scans/${other}/annotations/${annotations[0]!.id}`)).status).toBe(404)
  expect((await call('DELETE', `/scans/${scan}/annotations/${annotations[0]!.id}`)).status).toBe(204)
  expect((await readGoals()).annotations.map(({ text }) => text)).toEqual(['Release 2.3'])
  for (const text of ['', ' ', 'x'.repeat(101)]) expect((await add('2026-03-02', text)).status).toBe(400)
})

it('refuses more annotations than a scan can have, also at the same time', async () => {
  await sql`insert into scan_annotation (id, scan_id, day, text, author_id)
    select gen_random_uuid(), ${scan}::uuid, '2026-01-01', 'Many', 'boss' from generate_series(2, ${maxAnnotations - 1})`.execute(
    api.db,
  )
  const replies = await Promise.all(
    ['a', 'b', 'c'].map((text) => call('POST', `/scans/${scan}/annotations`, { day: '2026-03-03', text })),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413, 413])
})

it('keeps the target of a scan group, next to the mean score of its scans', async () => {
  const first = await recordRun(api, undefined, { a: buildCompleted() }, 'Good')
  const second = await recordRun(api, undefined, { a: buildCompleted(), b: buildCompleted([buildFinding('x')]) }, 'Half')
  const body = { scanGroupName: 'Goals', scans: [first.scanId, second.scanId, scan], target: { score: 80, dueOn: '2026-12-31' } }
  type Group = { scanGroupId: string; version: number; score: number; target: object | null }
  const group = (await call('POST', '/groups', body)).body as Group
  expect(group).toMatchObject({ score: 0.75, target: body.target })
  const change = async (fields: object) => (await call('PATCH', `/groups/${group.scanGroupId}`, fields)).body as Group
  expect(await change({ scanGroupName: 'Goals of all' })).toMatchObject({ target: body.target })
  expect((await change({ target: null, version: group.version })) as object).toMatchObject({ code: 'edit-conflict' })
  expect(await change({ target: null })).toMatchObject({ target: null })
})

import { expect, it } from 'vitest'
import { scanBody, apiOfFile } from '../../../test/api.ts'
import { startDueRuns } from './service.ts'

const api = apiOfFile()

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const weekly = (more: object = {}) => ({
  frequency: 'weekly',
  startDate: day(1),
  startTime: '03:00',
  timeZone: 'UTC',
  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  timeoutMs: 3_600_000,
  ...more,
})
type Stored = { id: string; version: number; settings: object }
const make = async (name: string, schedule: object) =>
  (await api.call('POST', '/scans', { body: scanBody(name, { schedule }) })).body as Stored
const runs = async (id: string) => {
  const { body } = await api.call('GET', `/scans/${id}/runs`)
  return (body as { page: { totalElements: number } }).page.totalElements
}
const row = (id: string) =>
  api.db.selectFrom('schedule').selectAll().where('scan_id', '=', id).executeTakeFirstOrThrow()
/** As many schedulers as there may be, all at the same moment. */
const tick = async (at: Date) =>
  (await Promise.all([1, 2, 3, 4].map(() => startDueRuns(api, at)))).flat().length
const at = (offset: number, time = '03:00:01') => new Date(`${day(offset)}T${time}Z`)

it('starts a due run once, whatever number of schedulers look, with its timeout', async () => {
  const { id } = await make('Daily', weekly())
  expect((await row(id)).next_run_at).toEqual(new Date(`${day(1)}T03:00:00Z`))
  expect(await tick(at(1, '02:59:59'))).toBe(0)
  expect(await tick(at(1))).toBe(1)
  expect(await runs(id)).toBe(1)
  expect(await row(id)).toMatchObject({ started: 1, next_run_at: new Date(`${day(2)}T03:00:00Z`) })
  const plan = await api.db.selectFrom('run_plan').select('settings').executeTakeFirstOrThrow()
  expect(plan.settings).toMatchObject({ advanced: { runTimeoutMs: 3_600_000 } })
})

it('starts what was missed while it was down once, and waits for a run that goes on', async () => {
  const { id } = await make('Missed', weekly())
  expect(await tick(at(5))).toBeGreaterThanOrEqual(1)
  expect(await runs(id)).toBe(1)
  expect((await row(id)).next_run_at).toEqual(new Date(`${day(6)}T03:00:00Z`))
  // The first run is still going on when the next is due.
  await tick(at(6))
  expect(await runs(id)).toBe(1)
  await api.call('POST', `/scans/${id}/cancel`)
  await tick(at(6, '03:01:02'))
  expect(await runs(id)).toBe(2)
  expect(await row(id)).toMatchObject({ started: 2, next_run_at: new Date(`${day(7)}T03:00:00Z`) })
})

it('ends after its number of runs, is kept when other settings change, and is removed when it is taken away', async () => {
  const schedule = weekly({ end: { kind: 'after', runs: 2 } })
  const { id, settings } = await make('Twice', schedule)
  await tick(at(1))
  await api.call('POST', `/scans/${id}/cancel`)
  const put = (more: object, version: number) =>
    api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...more }, version } })
  expect((await put({ priority: 'high' }, 1)).status).toBe(200)
  expect(await row(id)).toMatchObject({ started: 1 })
  await tick(at(2))
  await api.call('POST', `/scans/${id}/cancel`)
  expect(await row(id)).toMatchObject({ started: 2, next_run_at: null })
  expect((await api.call('GET', `/scans/${id}/schedule/preview`)).body).toEqual({
    next3Days: [],
    next: [],
    left: 0,
  })
  await put({ schedule: { frequency: 'manual' } }, 2)
  expect(await api.db.selectFrom('schedule').selectAll().where('scan_id', '=', id).execute()).toEqual([])
})

it('shows what is to come, and refuses what cannot be', async () => {
  const preview = (schedule: object) => api.call('POST', '/scans/schedule/preview', { body: { schedule } })
  const { body } = await preview(weekly({ startDate: day(0), startTime: '23:59' }))
  expect((body as { next: string[] }).next).toEqual([0, 1, 2].map((n) => `${day(n)}T23:59:00.000Z`))
  expect((body as { next3Days: string[] }).next3Days.length).toBe(3)
  const { id } = await make('Preview', weekly())
  const { body: own } = await api.call('GET', `/scans/${id}/schedule/preview?size=5`)
  expect((own as { next: string[] }).next).toHaveLength(5)
  expect((await preview(weekly({ startDate: day(-2) }))).body).toMatchObject({
    errors: [{ path: 'schedule.startDate', code: 'in-past' }],
  })
  for (const startDate of ['9999-12-31', '0001-01-01', '2026-02-30'])
    expect((await preview(weekly({ startDate }))).body).toMatchObject({ errors: [{ code: 'wrong-format' }] })
  expect((await preview(weekly({ weekdays: [] }))).body).toMatchObject({ errors: [{ code: 'too-short' }] })
  expect((await preview(weekly({ interval: 0 }))).body).toMatchObject({ errors: [{ code: 'too-small' }] })
  expect((await preview(weekly({ timeZone: 'Mars/Olympus' }))).body).toMatchObject({
    errors: [{ path: 'schedule.timeZone', code: 'unknown-value' }],
  })
})

import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { startDueRuns } from './service.ts'

const api = useTestApi()

const getDate = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const createWeekly = (more: object = {}) => ({
  frequency: 'weekly',
  startDate: getDate(1),
  startTime: '03:00',
  timeZone: 'UTC',
  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  timeoutMs: 3_600_000,
  ...more,
})
type Stored = { id: string; version: number; settings: object }
const createScan = async (name: string, schedule: object) =>
  (await api.call('POST', '/scans', { body: buildScanBody(name, { schedule }) })).body as Stored
const listRuns = async (id: string) => {
  const { body } = await api.call('GET', `/scans/${id}/runs`)
  return (body as { page: { totalElements: number } }).page.totalElements
}
const findScheduleRow = (id: string) =>
  api.db.selectFrom('schedule').selectAll().where('scan_id', '=', id).executeTakeFirstOrThrow()
/** Runs several schedulers concurrently. */
const runSchedulers = async (at: Date) => (await Promise.all([1, 2, 3, 4].map(() => startDueRuns(api, at)))).flat().length
const createTime = (offset: number, time = '03:00:01') => new Date(`${getDate(offset)}T${time}Z`)

it('starts a due run once for any number of schedulers, with its timeout', async () => {
  const { id } = await createScan('Daily', createWeekly())
  expect((await findScheduleRow(id)).next_run_at).toEqual(new Date(`${getDate(1)}T03:00:00Z`))
  expect(await runSchedulers(createTime(1, '02:59:59'))).toBe(0)
  const fired: unknown[] = []
  const log = (...line: unknown[]) => void fired.push(line)
  const [runId] = await startDueRuns({ ...api, log }, createTime(1))
  expect(fired).toEqual([['info', 'schedule fired', { run: runId }]])
  expect(await runSchedulers(createTime(1))).toBe(0)
  expect(await listRuns(id)).toBe(1)
  expect(await findScheduleRow(id)).toMatchObject({
    started: 1,
    next_run_at: new Date(`${getDate(2)}T03:00:00Z`),
  })
  const plan = await api.db.selectFrom('run_plan').select('settings').executeTakeFirstOrThrow()
  expect(plan.settings).toMatchObject({ advanced: { runTimeoutMs: 3_600_000 } })
})

it('starts twenty schedules that are due at once, each once', async () => {
  const scans = await Promise.all(Array.from({ length: 20 }, (_, number) => createScan(`At once ${number}`, createWeekly())))
  expect(await runSchedulers(createTime(1))).toBe(20)
  expect(await runSchedulers(createTime(1, '03:00:02'))).toBe(0)
  expect(await Promise.all(scans.map(({ id }) => listRuns(id)))).toEqual(Array.from({ length: 20 }, () => 1))
  for (const { id } of scans) await api.call('POST', `/scans/${id}/cancel`)
  await api.db
    .deleteFrom('schedule')
    .where(
      'scan_id',
      'in',
      scans.map(({ id }) => id),
    )
    .execute()
})

it('starts missed runs once, and waits for an active run', async () => {
  const { id } = await createScan('Missed', createWeekly())
  expect(await runSchedulers(createTime(5))).toBeGreaterThanOrEqual(1)
  expect(await listRuns(id)).toBe(1)
  expect((await findScheduleRow(id)).next_run_at).toEqual(new Date(`${getDate(6)}T03:00:00Z`))
  // The first run is still active when the next is due.
  await runSchedulers(createTime(6))
  expect(await listRuns(id)).toBe(1)
  await api.call('POST', `/scans/${id}/cancel`)
  await runSchedulers(createTime(6, '03:01:02'))
  expect(await listRuns(id)).toBe(2)
  expect(await findScheduleRow(id)).toMatchObject({
    started: 2,
    next_run_at: new Date(`${getDate(7)}T03:00:00Z`),
  })
})

it('ends after its number of runs, is kept when other settings change, and can be removed', async () => {
  const schedule = createWeekly({ end: { kind: 'after', runs: 2 } })
  const { id, settings } = await createScan('Twice', schedule)
  await runSchedulers(createTime(1))
  await api.call('POST', `/scans/${id}/cancel`)
  const saveSchedule = (more: object, version: number) =>
    api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...more }, version } })
  expect((await saveSchedule({ priority: 'high' }, 1)).status).toBe(200)
  expect(await findScheduleRow(id)).toMatchObject({ started: 1 })
  await runSchedulers(createTime(2))
  await api.call('POST', `/scans/${id}/cancel`)
  expect(await findScheduleRow(id)).toMatchObject({ started: 2, next_run_at: null })
  expect((await api.call('GET', `/scans/${id}/schedule/preview`)).body).toEqual({ next3Days: [], next: [], left: 0 })
  await saveSchedule({ schedule: { frequency: 'manual' } }, 2)
  expect(await api.db.selectFrom('schedule').selectAll().where('scan_id', '=', id).execute()).toEqual([])
})

it('previews starts, and refuses invalid schedules', async () => {
  const previewSchedule = (schedule: object) => api.call('POST', '/scans/schedule/preview', { body: { schedule } })
  const { body } = await previewSchedule(createWeekly({ startDate: getDate(0), startTime: '23:59' }))
  expect((body as { next: string[] }).next).toEqual([0, 1, 2].map((n) => `${getDate(n)}T23:59:00.000Z`))
  expect((body as { next3Days: string[] }).next3Days.length).toBe(3)
  const { id } = await createScan('Preview', createWeekly())
  const { body: scanPreview } = await api.call('GET', `/scans/${id}/schedule/preview?size=5`)
  expect((scanPreview as { next: string[] }).next).toHaveLength(5)
  expect((await previewSchedule(createWeekly({ startDate: getDate(-2) }))).body).toMatchObject({
    errors: [{ path: 'schedule.startDate', code: 'in-past' }],
  })
  for (const startDate of ['9999-12-31', '0001-01-01', '2026-02-30'])
    expect((await previewSchedule(createWeekly({ startDate }))).body).toMatchObject({ errors: [{ code: 'wrong-format' }] })
  expect((await previewSchedule(createWeekly({ weekdays: [] }))).body).toMatchObject({ errors: [{ code: 'too-short' }] })
  expect((await previewSchedule(createWeekly({ interval: 0 }))).body).toMatchObject({ errors: [{ code: 'too-small' }] })
  expect((await previewSchedule(createWeekly({ timeZone: 'Mars/Olympus' }))).body).toMatchObject({
    errors: [{ path: 'schedule.timeZone', code: 'unknown-value' }],
  })
})

import { afterEach, expect, it, vi } from 'vitest'
import { startDueRuns } from '../src/monitor/schedule/service.ts'
import { apiOfFile, scanBody } from './api.ts'

/** The clock of one machine is wrong; what ends and begins goes by that of the database, which all machines share. */
const api = apiOfFile()
afterEach(() => void vi.useRealTimers())

const day = 86_400_000
const clockIsWrongBy = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const tomorrow = () => new Date(Date.now() + day)

it('neither ends a key and a public link nor prolongs them', async () => {
  const { id } = (await api.call('POST', '/scans', { body: scanBody('Shared') })).body as { id: string }
  const expiresAt = tomorrow().toISOString()
  const key = (await api.call('POST', '/api-keys', { body: { name: 'CI', scopes: ['read'], expiresAt } }))
    .body as {
    id: string
    key: string
  }
  const share = await api.call('POST', `/scans/${id}/public-token`, { body: { expiresAt } })
  const { token: guest } = share.body as { token: string }
  const works = async () => [
    (await api.app.inject({ url: '/monitor-public-api/v1/scans', headers: { 'x-api-key': key.key } }))
      .statusCode,
    (await api.call('GET', `/scans/${id}`, { guest })).status,
  ]
  clockIsWrongBy(2 * day)
  expect(await works()).toEqual([200, 200])
  vi.useRealTimers()
  const past = new Date(Date.now() - 60_000)
  await api.db.updateTable('api_key').set({ expires_at: past }).where('id', '=', key.id).execute()
  await api.db.updateTable('share_token').set({ expires_at: past }).where('scan_id', '=', id).execute()
  clockIsWrongBy(-2 * day)
  expect(await works()).toEqual([401, 401])
})

it('starts no run before its time, and none late', async () => {
  const schedule = {
    frequency: 'once',
    startDate: tomorrow().toISOString().slice(0, 10),
    startTime: '23:59',
    timeZone: 'UTC',
  }
  const { id } = (await api.call('POST', '/scans', { body: scanBody('Once', { schedule }) })).body as {
    id: string
  }
  clockIsWrongBy(3 * day)
  expect(await startDueRuns(api)).toEqual([])
  await api.db
    .updateTable('schedule')
    .set({ next_run_at: new Date(Date.now() - 3 * day - 60_000) })
    .where('scan_id', '=', id)
    .execute()
  clockIsWrongBy(-6 * day)
  expect(await startDueRuns(api)).toHaveLength(1)
})

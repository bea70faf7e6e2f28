/** @module-tag slow */
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { openDatabase } from '../src/kit/database.ts'
import { sessionClaim } from '../src/kit/http/token.ts'
import type { IdpTables } from '../src/idp/table.ts'
import { startDueRuns } from '../src/monitor/schedule/service.ts'
import { useTestApi, buildScanBody } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'
import { adminPassword, useSignInServer } from './sign-in.ts'

/** One machine has a wrong clock; all times depend on the database's clock, which all machines share. */
const api = useTestApi()
const idp = useSignInServer()
afterEach(() => void vi.useRealTimers())

const day = 86_400_000
const setClockOffset = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const getTomorrow = () => new Date(Date.now() + day)

it('neither expires nor extends a key and a public link', async () => {
  const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Shared') })).body as { id: string }
  const expiresAt = getTomorrow().toISOString()
  const key = (await api.call('POST', '/api-keys', { body: { name: 'CI', scopes: ['read'], expiresAt } })).body as {
    id: string
    key: string
  }
  const share = await api.call('POST', `/scans/${id}/public-token`, { body: { expiresAt } })
  const { token: guest } = share.body as { token: string }
  const readStatuses = async () => [
    (await api.app.inject({ url: '/monitor-public-api/v1/scans', headers: { 'x-api-key': key.key } })).statusCode,
    (await api.call('GET', `/scans/${id}`, { guest })).status,
  ]
  setClockOffset(2 * day)
  expect(await readStatuses()).toEqual([200, 200])
  vi.useRealTimers()
  const past = new Date(Date.now() - 60_000)
  await api.db.updateTable('api_key').set({ expires_at: past }).where('id', '=', key.id).execute()
  await api.db.updateTable('share_token').set({ expires_at: past }).where('scan_id', '=', id).execute()
  setClockOffset(-2 * day)
  expect(await readStatuses()).toEqual([401, 401])
})

it('starts no run before its time, and none late', async () => {
  const schedule = { frequency: 'once', startDate: getTomorrow().toISOString().slice(0, 10), startTime: '23:59', timeZone: 'UTC' }
  const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Once', { schedule }) })).body as { id: string }
  setClockOffset(3 * day)
  expect(await startDueRuns(api)).toEqual([])
  await api.db
    .updateTable('schedule')
    .set({ next_run_at: new Date(Date.now() - 3 * day - 60_000) })
    .where('scan_id', '=', id)
    .execute()
  setClockOffset(-6 * day)
  expect(await startDueRuns(api)).toHaveLength(1)
})

it('keeps decisions about an issue whose next run started on an earlier day', async () => {
  setClockOffset(2 * day)
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('logo')]) })
  vi.useRealTimers()
  await recordRun(api, scanId, { a: buildCompleted([buildFinding('logo')]) })
  const { content } = (await api.call('GET', `/issues?scanId=${scanId}`)).body as { content: { id: string; runNumber: number }[] }
  const [{ id, runNumber } = { id: '', runNumber: 0 }] = content
  expect(runNumber).toBe(2)
  await api.call('PATCH', `/issues/${id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
  expect((await api.call('GET', `/issues/${id}`)).body).toMatchObject({ status: 'ignored', runNumber: 2 })
})

it('revives no ended session, and extends none', async () => {
  const signInUser = async () => {
    const tokens = await idp.tokensFor(await idp.signIn(idp.browser(), 'admin', adminPassword))
    return { ...tokens, session: decodeJwt(tokens.access_token)[sessionClaim] as string }
  }
  const [activeSession, endedSession, expired] = [await signInUser(), await signInUser(), await signInUser()]
  const isAccepted = async ({ access_token }: { access_token: string }) =>
    (await idp.call('GET', '/axe-account/me', access_token)).status
  const ownPath = '/realms/clearway/own'
  const listSessions = async () => {
    const { sessions }: OwnAccount = (await idp.call('GET', ownPath, activeSession.access_token)).body
    return sessions.map(({ id }) => id)
  }
  const checkAll = async () => [await isAccepted(activeSession), await isAccepted(endedSession), await isAccepted(expired)]
  expect(await checkAll()).toEqual([200, 200, 200])
  // From here on, cached data seems to be two days old.
  setClockOffset(-2 * day)
  expect(await checkAll()).toEqual([200, 200, 200])
  const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
  try {
    await sql`update artifact set expires_at = now() where kind = 'Session' and uid = ${expired.session}`.execute(db)
  } finally {
    await db.destroy()
  }
  // The account is read again every five seconds, regardless of the clock.
  await expect.poll(() => isAccepted(expired), { timeout: 10_000, interval: 500 }).toBe(401)
  expect((await idp.call('DELETE', `${ownPath}/sessions/${endedSession.session}`, activeSession.access_token)).status).toBe(204)
  expect([await isAccepted(activeSession), await isAccepted(endedSession)]).toEqual([200, 401])
  expect(await listSessions()).toEqual([activeSession.session])
  for (const { refresh_token } of [endedSession, expired])
    await expect(idp.exchange({ grant_type: 'refresh_token', refresh_token })).rejects.toThrow('invalid_grant')
}, 60_000)

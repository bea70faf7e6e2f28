import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { openDatabase } from '../src/kit/database.ts'
import { sessionClaim } from '../src/kit/http/token.ts'
import type { IdpTables } from '../src/idp/table.ts'
import { startDueRuns } from '../src/monitor/schedule/service.ts'
import { apiOfFile, scanBody } from './api.ts'
import { completed, finding, wholeRun } from './run.ts'
import { adminPassword, signInOfFile } from './sign-in.ts'

/** The clock of one machine is wrong; what ends and begins goes by that of the database, which all machines share. */
const api = apiOfFile()
const idp = signInOfFile()
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

it('loses no decision about an issue whose next run began on an earlier day', async () => {
  clockIsWrongBy(2 * day)
  const { scanId } = await wholeRun(api, undefined, { a: completed([finding('logo')]) })
  vi.useRealTimers()
  await wholeRun(api, scanId, { a: completed([finding('logo')]) })
  const { content } = (await api.call('GET', `/issues?scanId=${scanId}`)).body as {
    content: { id: string; runNumber: number }[]
  }
  const [{ id, runNumber } = { id: '', runNumber: 0 }] = content
  expect(runNumber).toBe(2)
  await api.call('PATCH', `/issues/${id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
  expect((await api.call('GET', `/issues/${id}`)).body).toMatchObject({ status: 'ignored', runNumber: 2 })
})

it('revives no session that has ended, and lets none outlive its end', async () => {
  const signIn = async () => {
    const tokens = await idp.tokensFor(await idp.signIn(idp.browser(), 'admin', adminPassword))
    return { ...tokens, session: decodeJwt(tokens.access_token)[sessionClaim] as string }
  }
  const [kept, ended, expired] = [await signIn(), await signIn(), await signIn()]
  const works = async ({ access_token }: { access_token: string }) =>
    (await idp.call('GET', '/axe-account/me', access_token)).status
  const own = '/realms/clearway/own'
  const listed = async () => {
    const { sessions }: OwnAccount = (await idp.call('GET', own, kept.access_token)).body
    return sessions.map(({ id }) => id)
  }
  const all = async () => [await works(kept), await works(ended), await works(expired)]
  expect(await all()).toEqual([200, 200, 200])
  // From here on, what is remembered seems to be of the day after tomorrow.
  clockIsWrongBy(-2 * day)
  expect(await all()).toEqual([200, 200, 200])
  const db = openDatabase<IdpTables>(idp.database.url, { schema: 'idp', connections: 1 })
  try {
    await sql`update artifact set expires_at = now() where kind = 'Session' and uid = ${expired.session}`.execute(
      db,
    )
  } finally {
    await db.destroy()
  }
  // The account is looked at anew every five seconds, whatever the clock says.
  await expect.poll(() => works(expired), { timeout: 10_000, interval: 500 }).toBe(401)
  expect((await idp.call('DELETE', `${own}/sessions/${ended.session}`, kept.access_token)).status).toBe(204)
  expect([await works(kept), await works(ended)]).toEqual([200, 401])
  expect(await listed()).toEqual([kept.session])
  for (const { refresh_token } of [ended, expired])
    await expect(idp.exchange({ grant_type: 'refresh_token', refresh_token })).rejects.toThrow(
      'invalid_grant',
    )
}, 60_000)

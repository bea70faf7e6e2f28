import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, finding, type TestRun, wholeRun } from '../../../../test/run.ts'
import { inTransaction } from '../../../kit/database.ts'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { finishRun } from '../../run/frontier/service.ts'
import { forgetAccount } from '../../user/person/service.ts'
import { writeMessages } from '../service.ts'
import { forgetOldInbox } from './service.ts'
import { insertRunEntries } from './store.ts'

const api = apiOfFile()
let admin: string
let ben: string
let run: TestRun
let issues: string[]
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  ben = await api.token('ben')
  for (const token of [admin, ben]) await api.call('GET', '/users/permissions', { token })
  const findings = ['a', 'b', 'c'].map((key) => finding(key))
  run = await wholeRun(api, undefined, { a: completed(findings) }, 'Inbox')
  const { body } = await api.call('GET', `/issues?scanId=${run.scanId}`, { token: admin })
  issues = (body as { content: { id: string }[] }).content.map(({ id }) => id)
})
beforeEach(async () => {
  await api.db.deleteFrom('inbox_entry').execute()
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'ben').execute()
  await give('ben')
})
const give = (person_id: string, role: 'scanViewer' | 'scanAdmin' = 'scanViewer') =>
  api.db
    .insertInto('scan_access')
    .values({ id: newId(), scan_id: run.scanId, group_id: null, team_id: null, person_id, role })
    .execute()

type Entry = {
  id: string
  kind: string
  read: boolean
  actor: { id: string; name: string | null } | null
  issue: { id: string; rule: string } | null
  issues: number
  run: { number: number; status: string } | null
}
const inbox = async (token = ben, query = '') =>
  ((await api.call('GET', `/inbox${query}`, { token })).body as { content: Entry[] }).content
const unread = async (token = ben) =>
  ((await api.call('GET', '/inbox/unread', { token })).body as { unread: number }).unread
const assign = (id: string, assignedTo: string | null, token = admin) =>
  api.call('PATCH', `/issues/${id}`, { token, body: { fieldsToUpdate: { assignedTo } } })
const say = async (text: string, token = admin) =>
  (await api.call('POST', `/issues/${issues[0]}/comments`, { token, body: { text } })).body as {
    id: string
    text: string
    mentions: { id: string; name: string | null }[]
  }
const edit = async (id: string, text: string) =>
  (await api.call('PATCH', `/issues/${issues[0]}/comments/${id}`, { token: admin, body: { text } }))
    .body as Awaited<ReturnType<typeof say>>

it('says what somebody else assigned, as long as it is', async () => {
  await assign(issues[0]!, 'ben')
  expect(await inbox()).toMatchObject([
    {
      kind: 'assigned',
      read: false,
      issues: 1,
      actor: { id: 'admin', name: 'admin Test' },
      issue: { id: issues[0] },
    },
  ])
  // Another field changed, the same assignee again, or assigned to oneself: nothing new.
  await assign(issues[0]!, 'ben')
  await assign(issues[1]!, 'ben', ben)
  expect(await unread()).toBe(1)
  await assign(issues[0]!, null)
  expect([await unread(), await inbox()]).toEqual([0, []])
  await assign(issues[0]!, 'ben')
  expect(await inbox()).toHaveLength(1)
  expect(await inbox(admin)).toEqual([])
  await Promise.all(issues.map((id) => assign(id, null)))
})

const assignAll = async (assignedTo: string | null) => {
  const { body } = await api.call('PATCH', '/bulk/issues', {
    token: admin,
    body: {
      filters: { scanId: [run.scanId] },
      selected: { selectAllMode: true },
      fieldsToUpdate: { assignedTo },
    },
  })
  return body as { undo: string }
}
const takeBack = ({ undo }: { undo: string }) =>
  api.call('POST', '/bulk/issues/undo', { token: admin, body: { undo } })

it('says once what many at once assigned, and takes it back with them', async () => {
  const done = await assignAll('ben')
  expect(await inbox()).toMatchObject([{ kind: 'assigned', issues: 3, issue: null }])
  expect(await takeBack(done)).toMatchObject({ status: 200, body: { restored: 3, left: 0 } })
  expect(await inbox()).toEqual([])
})

it('goes on saying what stayed with somebody when the rest was taken back', async () => {
  const change = (id: string) =>
    api.call('PATCH', `/issues/${id}`, {
      token: ben,
      body: { fieldsToUpdate: { remediationComment: 'soon' } },
    })
  const many = await assignAll('ben')
  for (const id of issues.slice(1)) await change(id)
  expect(await takeBack(many)).toMatchObject({ status: 200, body: { restored: 1, left: 2 } })
  expect(await inbox()).toMatchObject([{ kind: 'assigned', issues: 2, issue: null }])

  // What was assigned before is not part of it, nor what was passed on: one is left, which is named.
  await assign(issues[1]!, null)
  const two = await assignAll('ben')
  await assign(issues[0]!, null, ben)
  for (const id of issues.slice(1)) await change(id)
  expect(await takeBack(two)).toMatchObject({ status: 200, body: { restored: 0, left: 3 } })
  expect((await inbox())[0]).toMatchObject({ kind: 'assigned', issues: 1, issue: { id: issues[1] } })
  await assignAll(null)
})

it('says what many at once assigned as long as some of the scan is', async () => {
  await assignAll('ben')
  for (const id of issues.slice(1)) await assign(id, 'someone')
  expect(await inbox()).toMatchObject([{ issues: 3 }])
  await assign(issues[0]!, 'someone')
  expect([await unread(), await inbox()]).toEqual([0, []])
  await assignAll(null)
})

it('says once what is assigned again and again, until it is read', async () => {
  const again = async () => {
    await assignAll(null)
    await assignAll('ben')
  }
  const entries = async () =>
    (await api.db.selectFrom('inbox_entry').select('id').where('person_id', '=', 'ben').execute()).length
  for (let count = 0; count < 3; count++) await again()
  expect(await entries()).toBe(1)
  await api.call('POST', '/inbox/read', { token: ben, body: { until: (await inbox())[0]!.id } })
  await again()
  expect([await entries(), await unread()]).toEqual([2, 1])
  await assignAll(null)
})

it('says what is assigned besides what is still unread', async () => {
  const some = (ids: readonly string[]) =>
    api.call('PATCH', '/bulk/issues', {
      token: admin,
      body: {
        filters: { scanId: [run.scanId] },
        selected: { selectAllMode: false, selectedIssues: ids },
        fieldsToUpdate: { assignedTo: 'ben' },
      },
    })
  await some(issues.slice(0, 2))
  await assign(issues[0]!, null)
  // Two are newly assigned; the other of before still is.
  await some(issues)
  expect(await inbox()).toMatchObject([
    { kind: 'assigned', issues: 2, issue: null },
    { kind: 'assigned', issues: 2, issue: null },
  ])
  await assignAll(null)
})

it('says who is mentioned, as far as they discuss the scan, and follows what becomes of the comment', async () => {
  const said = await say('@[ben] and @[stranger], @[admin]: look')
  expect(said.mentions).toEqual([
    { id: 'admin', name: 'admin Test' },
    { id: 'ben', name: 'ben Test' },
  ])
  expect(await inbox()).toMatchObject([{ kind: 'mentioned', issue: { id: issues[0], rule: 'image-alt' } }])
  expect(await inbox(admin)).toEqual([])
  await edit(said.id, '@[ben] once more')
  expect(await unread()).toBe(1)
  expect((await edit(said.id, 'nobody')).mentions).toEqual([])
  expect(await unread()).toBe(0)
  await edit(said.id, 'yes, @[ben]')
  expect(await unread()).toBe(1)
  await api.call('DELETE', `/issues/${issues[0]}/comments/${said.id}`, { token: admin })
  expect(await inbox()).toEqual([])
})

it('shows nothing to who lost the right to see it, and nothing to others', async () => {
  await say('@[ben]')
  await assign(issues[0]!, 'ben')
  expect(await unread()).toBe(2)
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'ben').execute()
  expect([await unread(), await inbox()]).toEqual([0, []])
  // An auditor reads scans, and no comments on them.
  const auditor = await api.token('ben', ['access', 'auditor'])
  expect(await inbox(auditor)).toEqual([])
  await give('ben')
  expect(await unread()).toBe(2)
  expect((await api.call('GET', '/inbox', { token: null })).status).toBe(401)
  const { token } = (await api.call('POST', `/scans/${run.scanId}/public-token`, { token: admin, body: {} }))
    .body as { token: string }
  expect((await api.call('GET', '/inbox', { guest: token })).status).toBe(403)
})

it('is read one by one and as a whole, by its owner alone', async () => {
  for (const text of ['@[ben] 1', '@[ben] 2', '@[ben] 3']) await say(text)
  const [third, second, first] = (await inbox()).map(({ id }) => id)
  const read = (which: object, token = ben) => api.call('POST', '/inbox/read', { token, body: which })
  await read({ ids: [first] }, admin)
  expect(await unread()).toBe(3)
  expect((await read({ ids: [third] })).body).toEqual({ unread: 2 })
  expect(await inbox(ben, '?unread=true')).toMatchObject([{ id: second }, { id: first }])
  expect((await read({ until: first })).body).toEqual({ unread: 1 })
  await say('@[ben] 4')
  expect((await read({ until: third })).body).toEqual({ unread: 1 })
  expect(await inbox(ben, '?unread=false&size=2')).toHaveLength(2)
  expect((await read({})).status).toBe(400)
})

const end = async (kind: 'drained' | 'cancelled') => {
  const started = await api.call('POST', `/scans/${run.scanId}/startRun`, { token: admin })
  const { id, number } = started.body as { id: string; number: number }
  await finishRun(api, id, { kind })
  return number
}
const notify = () => writeMessages({ db: api.db, config: api.config, publicUrl: 'https://x.example.org' })

it('says of a scan how its latest run ended, to who manages it', async () => {
  const owner = await api.token('someone')
  await end('drained')
  await notify()
  await end('drained')
  await notify()
  const entries = await inbox(owner)
  expect(entries).toMatchObject([{ kind: 'run', actor: null, issue: null, run: { number: 3 } }])
  expect(await inbox()).toEqual([])
  await end('cancelled')
  await notify()
  expect(await inbox(owner)).toEqual(entries)
  await api.db.deleteFrom('run').where('number', '=', 3).where('scan_id', '=', run.scanId).execute()
  expect(await inbox(owner)).toEqual([])
})

it('says nothing of a run whose entry comes after that of a later one', async () => {
  const owner = await api.token('someone')
  await end('drained')
  const waiting = api.db.updateTable('ended_run')
  await waiting.set({ at: sql`now() + interval '1 hour'` }).execute()
  const number = await end('drained')
  await notify()
  const entries = await inbox(owner)
  expect(entries).toMatchObject([{ kind: 'run', run: { number } }])
  await waiting.set({ at: sql`now()` }).execute()
  await notify()
  expect(await api.db.selectFrom('ended_run').selectAll().execute()).toEqual([])
  expect(await inbox(owner)).toEqual(entries)
})

it('says one thing of two runs that end at once', async () => {
  const owner = await api.token('someone')
  const enter = (db: MonitorDb, number: number) => insertRunEntries(db, { scanId: run.scanId, number })
  const { other } = await inTransaction(api.db, async (trx) => {
    await enter(trx, 1)
    const waiting = inTransaction(api.db, (second) => enter(second, 0))
    const blocked = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await blocked.execute(api.db)).rows).toHaveLength(1))
    return { other: waiting }
  })
  await other
  expect(await inbox(owner)).toMatchObject([{ run: { number: 1 } }])
})

it('forgets what is old, and whoever is gone', async () => {
  await say('@[ben] old')
  await api.db
    .updateTable('inbox_entry')
    .set({ at: new Date(Date.now() - 91 * 86_400_000) })
    .execute()
  await say('@[ben] new')
  await forgetOldInbox(api)
  expect(await inbox()).toHaveLength(1)
  await forgetAccount(api, 'ben')
  expect(await api.db.selectFrom('inbox_entry').selectAll().execute()).toEqual([])
  const comments = await api.call('GET', `/issues/${issues[0]}/comments`, { token: admin })
  const { content } = comments.body as { content: { text: string; mentions: object[] }[] }
  expect(content.at(-1)).toMatchObject({ text: '@[ben] new', mentions: [{ id: 'ben', name: null }] })
  expect((await say('@[ben] gone')).mentions).toEqual([])
})

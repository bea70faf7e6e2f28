import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'
import { inTransaction } from '../../../kit/database.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { finishRun } from '../../run/frontier/service.ts'
import { removeAccount } from '../../user/person/service.ts'
import { queueMessages } from '../service.ts'
import { deleteOldInboxEntries } from './store.ts'
import { insertRunEntries } from './store.ts'

const api = useTestApi()
let admin: string
let ben: string
let run: TestRun
let issues: string[]
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  ben = await api.token('ben')
  for (const token of [admin, ben]) await api.call('GET', '/users/permissions', { token })
  const findings = ['a', 'b', 'c'].map((key) => buildFinding(key))
  run = await recordRun(api, undefined, { a: buildCompleted(findings) }, 'Inbox')
  const { body } = await api.call('GET', `/issues?scanId=${run.scanId}`, { token: admin })
  issues = (body as { content: { id: string }[] }).content.map(({ id }) => id)
})
beforeEach(async () => {
  await api.db.deleteFrom('inbox_entry').execute()
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'ben').execute()
  await grantRole('ben')
})
const grantRole = (person_id: string, role: 'scanViewer' | 'scanAdmin' = 'scanViewer') =>
  api.db
    .insertInto('scan_access')
    .values({ id: createId(), scan_id: run.scanId, group_id: null, team_id: null, person_id, role })
    .execute()

type Entry = {
  id: string
  kind: string
  read: boolean
  actor: { id: string; name: string | null } | null
  issue: { id: string; rule: string } | null
  issues: number
  run: { number: number; status: string; score: number | null; new: number | null } | null
}
const readInbox = async (token = ben, query = '') =>
  ((await api.call('GET', `/inbox${query}`, { token })).body as { content: Entry[] }).content
const countUnread = async (token = ben) => ((await api.call('GET', '/inbox/unread', { token })).body as { unread: number }).unread
const assignIssue = (id: string, assignedTo: string | null, token = admin) =>
  api.call('PATCH', `/issues/${id}`, { token, body: { fieldsToUpdate: { assignedTo } } })
const addComment = async (text: string, token = admin) =>
  (await api.call('POST', `/issues/${issues[0]}/comments`, { token, body: { text } })).body as {
    id: string
    text: string
    mentions: { id: string; name: string | null }[]
  }
const editComment = async (id: string, text: string) =>
  (await api.call('PATCH', `/issues/${issues[0]}/comments/${id}`, { token: admin, body: { text } })).body as Awaited<
    ReturnType<typeof addComment>
  >

it('lists issues that another user assigned, while they stay assigned', async () => {
  await assignIssue(issues[0]!, 'ben')
  expect(await readInbox()).toMatchObject([
    { kind: 'assigned', read: false, issues: 1, actor: { id: 'admin', name: 'admin Test' }, issue: { id: issues[0] } },
  ])
  // Changes of other fields, the same assignee, and self-assignments create no entry.
  await assignIssue(issues[0]!, 'ben')
  await assignIssue(issues[1]!, 'ben', ben)
  expect(await countUnread()).toBe(1)
  await assignIssue(issues[0]!, null)
  expect([await countUnread(), await readInbox()]).toEqual([0, []])
  await assignIssue(issues[0]!, 'ben')
  expect(await readInbox()).toHaveLength(1)
  expect(await readInbox(admin)).toEqual([])
  await Promise.all(issues.map((id) => assignIssue(id, null)))
})

const assignAll = async (assignedTo: string | null) => {
  const { body } = await api.call('PATCH', '/bulk/issues', {
    token: admin,
    body: { filters: { scanId: [run.scanId] }, selected: { selectAllMode: true }, fieldsToUpdate: { assignedTo } },
  })
  return body as { undo: string }
}
const undoChange = ({ undo }: { undo: string }) => api.call('POST', '/bulk/issues/undo', { token: admin, body: { undo } })

it('creates one entry for a bulk assignment, and removes it on undo', async () => {
  const done = await assignAll('ben')
  expect(await readInbox()).toMatchObject([{ kind: 'assigned', issues: 3, issue: null }])
  expect(await undoChange(done)).toMatchObject({ status: 200, body: { restored: 3, left: 0 } })
  expect(await readInbox()).toEqual([])
})

it('keeps entries of issues that stay assigned after an undo', async () => {
  const change = (id: string) =>
    api.call('PATCH', `/issues/${id}`, { token: ben, body: { fieldsToUpdate: { remediationComment: 'soon' } } })
  const many = await assignAll('ben')
  for (const id of issues.slice(1)) await change(id)
  expect(await undoChange(many)).toMatchObject({ status: 200, body: { restored: 1, left: 2 } })
  expect(await readInbox()).toMatchObject([{ kind: 'assigned', issues: 2, issue: null }])

  // Earlier and passed-on assignments are not part of the change: one issue remains, named in the entry.
  await assignIssue(issues[1]!, null)
  const two = await assignAll('ben')
  await assignIssue(issues[0]!, null, ben)
  for (const id of issues.slice(1)) await change(id)
  expect(await undoChange(two)).toMatchObject({ status: 200, body: { restored: 0, left: 3 } })
  expect((await readInbox())[0]).toMatchObject({ kind: 'assigned', issues: 1, issue: { id: issues[1] } })
  await assignAll(null)
})

it('lists a bulk assignment while any issue of the scan is assigned', async () => {
  await assignAll('ben')
  for (const id of issues.slice(1)) await assignIssue(id, 'someone')
  expect(await readInbox()).toMatchObject([{ issues: 3 }])
  await assignIssue(issues[0]!, 'someone')
  expect([await countUnread(), await readInbox()]).toEqual([0, []])
  await assignAll(null)
})

it('creates one entry for repeated assignments until it is read', async () => {
  const assignAgain = async () => {
    await assignAll(null)
    await assignAll('ben')
  }
  const listEntries = async () =>
    (await api.db.selectFrom('inbox_entry').select('id').where('person_id', '=', 'ben').execute()).length
  for (let count = 0; count < 3; count++) await assignAgain()
  expect(await listEntries()).toBe(1)
  await api.call('POST', '/inbox/read', { token: ben, body: { until: (await readInbox())[0]!.id } })
  await assignAgain()
  expect([await listEntries(), await countUnread()]).toEqual([2, 1])
  await assignAll(null)
})

it('adds new assignments to unread entries', async () => {
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
  await assignIssue(issues[0]!, null)
  // Two issues are newly assigned; the earlier one stays assigned.
  await some(issues)
  expect(await readInbox()).toMatchObject([
    { kind: 'assigned', issues: 2, issue: null },
    { kind: 'assigned', issues: 2, issue: null },
  ])
  await assignAll(null)
})

it('notifies mentioned people who discuss the scan, and follows changes of the comment', async () => {
  const said = await addComment('@[ben] and @[stranger], @[admin]: look')
  expect(said.mentions).toEqual([
    { id: 'admin', name: 'admin Test' },
    { id: 'ben', name: 'ben Test' },
  ])
  expect(await readInbox()).toMatchObject([{ kind: 'mentioned', issue: { id: issues[0], rule: 'image-alt' } }])
  expect(await readInbox(admin)).toEqual([])
  await editComment(said.id, '@[ben] once more')
  expect(await countUnread()).toBe(1)
  expect((await editComment(said.id, 'nobody')).mentions).toEqual([])
  expect(await countUnread()).toBe(0)
  await editComment(said.id, 'yes, @[ben]')
  expect(await countUnread()).toBe(1)
  await api.call('DELETE', `/issues/${issues[0]}/comments/${said.id}`, { token: admin })
  expect(await readInbox()).toEqual([])
})

it('hides entries from users who lost access, and from all others', async () => {
  await addComment('@[ben]')
  await assignIssue(issues[0]!, 'ben')
  expect(await countUnread()).toBe(2)
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'ben').execute()
  expect([await countUnread(), await readInbox()]).toEqual([0, []])
  // Auditors can read scans, but not comments.
  const auditor = await api.token('ben', ['access', 'auditor'])
  expect(await readInbox(auditor)).toEqual([])
  await grantRole('ben')
  expect(await countUnread()).toBe(2)
  expect((await api.call('GET', '/inbox', { token: null })).status).toBe(401)
  const { token } = (await api.call('POST', `/scans/${run.scanId}/public-token`, { token: admin, body: {} })).body as {
    token: string
  }
  expect((await api.call('GET', '/inbox', { guest: token })).status).toBe(403)
})

it('is marked as read individually or completely, only by its owner', async () => {
  for (const text of ['@[ben] 1', '@[ben] 2', '@[ben] 3']) await addComment(text)
  const [third, second, first] = (await readInbox()).map(({ id }) => id)
  const markRead = (which: object, token = ben) => api.call('POST', '/inbox/read', { token, body: which })
  await markRead({ ids: [first] }, admin)
  expect(await countUnread()).toBe(3)
  expect((await markRead({ ids: [third] })).body).toEqual({ unread: 2 })
  expect(await readInbox(ben, '?unread=true')).toMatchObject([{ id: second }, { id: first }])
  expect((await markRead({ until: first })).body).toEqual({ unread: 1 })
  await addComment('@[ben] 4')
  expect((await markRead({ until: third })).body).toEqual({ unread: 1 })
  expect(await readInbox(ben, '?unread=false&size=2')).toHaveLength(2)
  expect((await markRead({})).status).toBe(400)
})

const endRun = async (kind: 'drained' | 'cancelled') => {
  const started = await api.call('POST', `/scans/${run.scanId}/startRun`, { token: admin })
  const { id, number } = started.body as { id: string; number: number }
  await finishRun(api, id, { kind })
  return number
}
const notify = () => queueMessages({ db: api.db, config: api.config, publicUrl: 'https://x.example.org' })

it('tells scan admins how the latest run ended', async () => {
  const owner = await api.token('someone')
  await endRun('drained')
  await notify()
  await endRun('drained')
  await notify()
  const entries = await readInbox(owner)
  // Failed runs do not hide the newest result, but the failed ones before them.
  expect(entries).toMatchObject([
    { kind: 'run', actor: null, issue: null, run: { number: 3, score: null, new: null, fixed: null, scoreChange: null } },
    { kind: 'run', run: { number: 1, status: 'completed' } },
  ])
  expect(await readInbox()).toEqual([])
  await api.db.updateTable('run').set({ score: 0.78 }).where('number', '=', 3).where('scan_id', '=', run.scanId).execute()
  expect(await readInbox(owner)).toMatchObject([{ run: { number: 3, score: 0.78 } }, { run: { number: 1 } }])
  await endRun('cancelled')
  await notify()
  expect((await readInbox(owner)).map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
  await api.db.deleteFrom('run').where('number', '=', 3).where('scan_id', '=', run.scanId).execute()
  expect(await readInbox(owner)).toMatchObject([{ run: { number: 1 } }])
})

it('creates no entry for a run after that of a later run', async () => {
  const owner = await api.token('someone')
  await endRun('drained')
  const waiting = api.db.updateTable('ended_run')
  await waiting.set({ at: sql`now() + interval '1 hour'` }).execute()
  const number = await endRun('drained')
  await notify()
  const entries = await readInbox(owner)
  expect(entries).toMatchObject([{ kind: 'run', run: { number } }])
  await waiting.set({ at: sql`now()` }).execute()
  await notify()
  expect(await api.db.selectFrom('ended_run').selectAll().execute()).toEqual([])
  expect(await readInbox(owner)).toEqual(entries)
})

it('creates one entry for two runs that end concurrently', async () => {
  const owner = await api.token('someone')
  const insertEntry = (db: MonitorDb, number: number) => insertRunEntries(db, { scanId: run.scanId, number })
  const { other } = await inTransaction(api.db, async (trx) => {
    await insertEntry(trx, 1)
    const waiting = inTransaction(api.db, (second) => insertEntry(second, 0))
    const blocked = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await blocked.execute(api.db)).rows).toHaveLength(1))
    return { other: waiting }
  })
  await other
  expect(await readInbox(owner)).toMatchObject([{ run: { number: 1 } }])
})

it('deletes old entries, and those of deleted people', async () => {
  await addComment('@[ben] old')
  await api.db
    .updateTable('inbox_entry')
    .set({ at: new Date(Date.now() - 91 * 86_400_000) })
    .execute()
  await addComment('@[ben] new')
  await deleteOldInboxEntries(api)
  expect(await readInbox()).toHaveLength(1)
  await removeAccount(api, 'ben')
  expect(await api.db.selectFrom('inbox_entry').selectAll().execute()).toEqual([])
  const comments = await api.call('GET', `/issues/${issues[0]}/comments`, { token: admin })
  const { content } = comments.body as { content: { text: string; mentions: object[] }[] }
  expect(content.at(-1)).toMatchObject({ text: '@[ben] new', mentions: [{ id: 'ben', name: null }] })
  expect((await addComment('@[ben] gone')).mentions).toEqual([])
})

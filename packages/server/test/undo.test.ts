/** @module-tag slow */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createId } from '../src/kit/id.ts'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

const api = useTestApi()
type Changed = { changed: number; undo: string | null; next: string | null }
type Listed = { content: { status: string; labels: string[] }[]; page: { totalElements: number } }

let token: string
let scanId: string
beforeAll(async () => {
  token = await api.token('admin', ['access', 'admin'])
  const names = Array.from({ length: 25 }, (_, page) => `page${page}`)
  const buildPage = (name: string) =>
    buildCompleted(
      Array.from({ length: 480 }, (_, element) => buildFinding(`${name}-${element}`)),
      name,
    )
  const run = await recordRun(api, undefined, Object.fromEntries(names.map((name) => [name, buildPage(name)])), 'Large site')
  scanId = run.scanId
}, 120_000)

const edit = async (
  fieldsToUpdate: object,
  { selected = { selectAllMode: true }, ...rest }: { selected?: object; batch?: object; filters?: object } = {},
) =>
  (await api.call('PATCH', '/bulk/issues', { token, body: { filters: { scanId: [scanId] }, selected, fieldsToUpdate, ...rest } }))
    .body as Changed
const undo = (id: string | null, inBatches = false) =>
  api.call('POST', '/bulk/issues/undo', { token, body: { undo: id, ...(inBatches && { inBatches }) } })
const countIssues = async (query: string) =>
  ((await api.call('GET', `/issues?scanId=${scanId}&size=1&${query}`, { token })).body as Listed).page.totalElements
const listChanges = async (caller = token) =>
  ((await api.call('GET', '/bulk/issues/changes', { token: caller })).body as { content: { undo: string }[] }).content

it('a bulk change of more than 10,000 issues can be undone for a day, whatever else was changed since', async () => {
  const labeled = await edit({ addLabels: ['first'] })
  expect(labeled).toMatchObject({ changed: 12_000, undo: expect.any(String) as string })
  const fixed = await edit({ status: 'fixed' })
  expect([await countIssues('status=fixed'), await countIssues('status=fixed&label=first')]).toEqual([12_000, 12_000])
  expect((await undo(fixed.undo)).body).toEqual({ restored: 12_000, left: 0, named: [], remaining: 0 })
  expect([await countIssues('status=open'), await countIssues('status=open&label=first')]).toEqual([12_000, 12_000])
  // The versions have moved on by the change and its undo: the older change is left.
  const age = (hours: number) =>
    sql`update issue_undo set made_at = now() - make_interval(hours => ${hours}::int)`.execute(api.db)
  const ticketed = await edit({ ticketUrl: 'https://tickets.example.org/1' })
  await age(23)
  expect((await undo(ticketed.undo)).body).toMatchObject({ restored: 12_000, left: 0 })
  await age(25)
  expect((await undo(labeled.undo)).status).toBe(404)
  // Expired data is deleted with the next change.
  await edit({ addLabels: ['second'] })
  const { rows } = await sql<{ parts: number; changes: number }>`select count(*) as parts, count(distinct undo_id) as changes
    from issue_undo_part`.execute(api.db)
  expect(rows).toEqual([{ parts: 2, changes: 1 }])
}, 240_000)

/** Repeats a bulk change until no issues remain, and adds up its results. */
async function editInBatches(fields: object, filters: object, batchSize: number) {
  const total = { changed: 0, calls: 0, undo: null as string | null }
  for (let next: string | null | undefined; next !== null; total.calls++) {
    const batch = { size: batchSize, ...(next !== undefined && { after: next, undo: total.undo }) }
    const reply = await edit(fields, { filters, batch })
    total.changed += reply.changed
    total.undo = reply.undo
    next = reply.next
  }
  return total
}

it('changes issues in batches, and undoes all of them batch by batch', async () => {
  await sql`delete from issue_undo`.execute(api.db)
  // The change removes the issues from the selection, which must not make a batch skip any.
  const fixed = await editInBatches({ status: 'fixed' }, { scanId: [scanId], status: ['open'] }, 5_000)
  expect(fixed).toMatchObject({ changed: 12_000, calls: 3, undo: expect.any(String) as string })
  expect(await countIssues('status=fixed')).toBe(12_000)
  const listed = { undo: fixed.undo, fields: ['status'], status: 'fixed', scans: 1, scanNames: ['Large site'] }
  expect(await listChanges()).toMatchObject([{ ...listed, issues: 12_000 }])
  const [changed] = ((await api.call('GET', `/issues?scanId=${scanId}&size=1`, { token })).body as { content: { id: string }[] })
    .content
  await api.call('PATCH', `/issues/${changed!.id}`, { token, body: { fieldsToUpdate: { addLabels: ['mine'] } } })

  const replies: object[] = []
  for (let remaining = 12_000; remaining > 0; remaining = (replies.at(-1) as { remaining: number }).remaining) {
    expect((await listChanges())[0]).toMatchObject({ ...listed, issues: remaining })
    replies.push((await undo(fixed.undo, true)).body as object)
  }
  expect(replies).toMatchObject([{ remaining: 10_000 }, { remaining: 5_000 }, { remaining: 0 }])
  const sum = (name: 'restored' | 'left') => replies.reduce((total, reply) => total + (reply as Record<string, number>)[name]!, 0)
  expect([sum('restored'), sum('left')]).toEqual([11_999, 1])
  expect([await countIssues('status=fixed'), await countIssues('status=open')]).toEqual([1, 11_999])
  expect(await listChanges()).toEqual([])
  expect((await undo(fixed.undo, true)).status).toBe(404)
}, 240_000)

it('joins the batches of an assignment to one entry of the inbox, and the batches of others to none', async () => {
  const id = 'ben'
  const readerToken = await api.token(id)
  await api.call('GET', '/users/permissions', { token: readerToken })
  const access = { id: createId(), scan_id: scanId, group_id: null, team_id: null, person_id: id, role: 'scanViewer' } as const
  await api.db.insertInto('scan_access').values(access).execute()
  const everything = { scanId: [scanId] }
  const assigned = await editInBatches({ assignedTo: id }, everything, 5_000)
  const readInbox = async () =>
    ((await api.call('GET', '/inbox', { token: readerToken })).body as { content: { issues: number }[] }).content
  expect(await readInbox()).toMatchObject([{ issues: 12_000 }])
  // Batches cannot join a change of another person, or another change.
  expect(await listChanges(readerToken)).toEqual([])
  const [first] = ((await api.call('GET', `/issues?scanId=${scanId}&size=1`, { token })).body as { content: { id: string }[] })
    .content
  const batch = { size: 10, after: `${scanId}.${first!.id}`, undo: assigned.undo }
  expect((await edit({ addLabels: ['other'] }, { batch })).undo).toBeNull()
  expect((await edit({ status: 'ignored', ignore: { scope: 'rule' } }, { batch: { size: 10 } })) as object).toMatchObject({
    code: 'validation-failed',
  })
  let remaining = 1
  while (remaining > 0) remaining = ((await undo(assigned.undo, true)).body as { remaining: number }).remaining
  expect(await countIssues(`assignedTo=${id}`)).toBe(10)
  expect(await readInbox()).toMatchObject([{ issues: 10 }])
}, 240_000)

it('repeats a batch without harm', async () => {
  const filters = { scanId: [scanId] }
  const [listed] = ((await api.call('GET', `/issues?scanId=${scanId}&size=1`, { token })).body as { content: { id: string }[] })
    .content
  const selected = { selectAllMode: false, selectedIssues: [listed!.id] }
  const first = await edit({ addLabels: ['twice'] }, { filters, selected, batch: { size: 1 } })
  expect(first.next).toBe(`${scanId}.${listed!.id}`)
  const again = await edit({ addLabels: ['twice'] }, { filters, selected, batch: { size: 1, undo: first.undo } })
  expect(again).toMatchObject({ changed: 1, undo: first.undo })
  expect((await undo(first.undo)).body).toMatchObject({ restored: 1, left: 0, remaining: 0 })
})

it('deletes issues in batches', async () => {
  const filters = { scanId: [scanId] }
  let next: string | null | undefined
  let deletedCount = 0
  for (; next !== null;) {
    const batch = { size: 7_000, ...(next !== undefined && { after: next }) }
    const { body } = await api.call('POST', '/bulk/issues/delete', {
      token,
      body: { filters, selected: { selectAllMode: true }, batch },
    })
    const reply = body as Changed
    deletedCount += reply.changed
    next = reply.next
  }
  expect([deletedCount, await countIssues('')]).toEqual([12_000, 0])
}, 240_000)

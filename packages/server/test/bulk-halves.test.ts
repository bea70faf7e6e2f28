/** @module-tag slow */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { listIssueViolations } from './issue-violations.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

const api = useTestApi()
type Reply = { status: number; body: { changed: number; undo: string | null; next: string | null } }
type UndoReply = { restored: number; left: number; remaining: number }
type Part = { after?: string; until?: string; undo?: string | null }

const tokens: Record<'admin' | 'second', string> = { admin: '', second: '' }
let scanIds: string[]
beforeAll(async () => {
  for (const name of ['admin', 'second'] as const) tokens[name] = await api.token(name, ['access', 'admin'])
  const findings = Array.from({ length: 60 }, (_, element) => buildFinding(`element-${element}`))
  for (let scan = 0; scan < 4; scan++) await recordRun(api, undefined, { page: buildCompleted(findings, 'page') }, `Scan ${scan}`)
  scanIds = (await api.db.selectFrom('scan').select('id').orderBy('id').execute()).map(({ id }) => id)
}, 120_000)

const select = (status: string) => ({ filters: { scanId: scanIds, status: [status] }, selected: { selectAllMode: true } })
const readMiddle = async (status: string) =>
  (
    (await api.call('POST', '/bulk/issues/getSelectedIssuesCount', { token: tokens.admin, body: select(status) })).body as {
      middle: string
    }
  ).middle

/** Changes a part of the open issues in batches that end within scans. */
async function editPart(
  caller: keyof typeof tokens,
  fieldsToUpdate: object,
  part: Part,
): Promise<{ changed: number; undo: string | null }> {
  const total = { changed: 0, undo: part.undo ?? null }
  for (let after: string | null | undefined = part.after; after !== null;) {
    const batch = { size: 25, ...part, ...(after !== undefined && { after }), ...(total.undo !== null && { undo: total.undo }) }
    const { status, body } = (await api.call('PATCH', '/bulk/issues', {
      token: tokens[caller],
      body: { ...select('open'), fieldsToUpdate, batch },
    })) as Reply
    expect(status).toBe(200)
    total.changed += body.changed
    total.undo = body.undo ?? total.undo
    after = body.next
  }
  return total
}

async function undoFrom(undo: string | null, fromStart: boolean): Promise<number> {
  let restoredCount = 0
  for (;;) {
    const { status, body } = await api.call('POST', '/bulk/issues/undo', {
      token: tokens.admin,
      body: { undo, inBatches: true, fromStart },
    })
    // Other calls have restored the last part.
    if (status === 404) return restoredCount
    const { restored, left, remaining } = body as UndoReply
    expect([status, left]).toEqual([200, 0])
    restoredCount += restored
    if (remaining === 0 || (fromStart && restored === 0)) return restoredCount
  }
}
const listChanges = async () =>
  ((await api.call('GET', '/bulk/issues/changes', { token: tokens.admin })).body as { content: object[] }).content
const listViolations = async () => (await Promise.all(scanIds.map((id) => listIssueViolations(api.db, id)))).flat()
const countByStatus = async (status: string) =>
  (
    (await api.call('POST', '/bulk/issues/getSelectedIssuesCount', { token: tokens.admin, body: select(status) })).body as {
      count: number
    }
  ).count

/** Opens all issues with a status again, which the other person does not see among their changes. */
const editAll = (status: string) =>
  api.call('PATCH', '/bulk/issues', {
    token: tokens.second,
    body: { ...select(status), fieldsToUpdate: { status: 'open' } },
  })
const countWaiting = async () =>
  Number(
    (
      await sql<{ sessions: string }>`select count(*) as sessions from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(api.db)
    ).rows[0]!.sessions,
  )

it('changes two halves of a selection at once, and undoes them from both ends as one change', async () => {
  const middle = await readMiddle('open')
  expect(middle.split('.')[0]).toBe(scanIds[1])
  const first = (await api.call('PATCH', '/bulk/issues', {
    token: tokens.admin,
    body: { ...select('open'), fieldsToUpdate: { status: 'ignored' }, batch: { size: 25, until: middle } },
  })) as Reply
  const { undo } = first.body
  const halves = await Promise.all([
    editPart('admin', { status: 'ignored' }, { after: first.body.next!, until: middle, undo }),
    editPart('admin', { status: 'ignored' }, { after: middle, undo }),
  ])
  expect(halves).toEqual([
    { changed: 95, undo },
    { changed: 120, undo },
  ])
  expect(await listChanges()).toMatchObject([{ undo, issues: 240, scans: 4 }])
  expect([await countByStatus('ignored'), await listViolations()]).toEqual([240, []])
  const restoredCounts = await Promise.all([false, true, false, true].map((fromStart) => undoFrom(undo, fromStart)))
  expect(restoredCounts.reduce((sum, count) => sum + count, 0)).toBe(240)
  expect(restoredCounts[1]! + restoredCounts[3]!).toBeGreaterThan(0)
  expect([await countByStatus('open'), await listChanges(), await listViolations()]).toEqual([240, [], []])
})

it('keeps statuses and counts right when two people change both halves of the same issues at once', async () => {
  const middle = await readMiddle('open')
  const changes = await Promise.all([
    editPart('admin', { status: 'ignored' }, { until: middle }),
    editPart('second', { status: 'fixed' }, { until: middle }),
    editPart('admin', { status: 'ignored' }, { after: middle }),
    editPart('second', { status: 'fixed' }, { after: middle }),
  ])
  // Each issue was open for one of them.
  expect(changes.reduce((sum, { changed }) => sum + changed, 0)).toBe(240)
  expect([await countByStatus('open'), await listViolations()]).toEqual([0, []])
  const byAdmin = changes[0].changed + changes[2].changed
  expect(await countByStatus('ignored')).toBe(byAdmin)
  // An undo from both ends while the other person's issues are changed once more.
  const undoneCounts = await Promise.all([
    ...[changes[0], changes[2]].flatMap(({ undo }) => (undo === null ? [] : [undoFrom(undo, false), undoFrom(undo, true)])),
    editPart('second', { status: 'fixed' }, { until: middle }).then(() => 0),
  ])
  expect(undoneCounts.reduce((sum, count) => sum + count, 0)).toBe(byAdmin)
  expect(await listViolations()).toEqual([])
})

it('restores a batch, too, that was added during the undo', async () => {
  for (const status of ['ignored', 'fixed']) await editAll(status)
  const readStatuses = () => Promise.all(['open', 'ignored'].map(countByStatus))
  const sendBatch = (part: Part & { size: number }) =>
    api.call('PATCH', '/bulk/issues', {
      token: tokens.admin,
      body: { ...select('open'), fieldsToUpdate: { status: 'ignored' }, batch: part },
    }) as Promise<Reply>
  const { undo, next } = (await sendBatch({ size: 25 })).body
  // The second batch has locked its scan, and waits for its issues; the undo waits for the scan.
  const holder = await api.db.startTransaction().execute()
  await holder.selectFrom('issue').select('id').where('scan_id', '=', scanIds[0]!).forUpdate().execute()
  const batch = sendBatch({ size: 25, after: next!, undo })
  await expect.poll(countWaiting).toBe(1)
  const undone = undoFrom(undo, false)
  await expect.poll(countWaiting).toBe(2)
  await holder.commit().execute()
  expect((await batch).body).toMatchObject({ changed: 25, undo })
  expect(await undone).toBe(50)
  expect([await readStatuses(), await listChanges(), await listViolations()]).toEqual([[240, 0], [], []])
})

it('ends batches after whole scans, by the counts of their runs or by findings', async () => {
  for (const status of ['ignored', 'fixed']) await editAll(status)
  const readBatches = async (filters: object) => {
    const counts: number[] = []
    for (let after: string | null | undefined; after !== null;) {
      const { body } = (await api.call('PATCH', '/bulk/issues', {
        token: tokens.admin,
        body: {
          ...select('open'),
          filters: { ...select('open').filters, ...filters },
          fieldsToUpdate: { addLabels: ['batch'] },
          batch: { size: 130, ...(after !== undefined && { after }) },
        },
      })) as Reply
      counts.push(body.changed)
      after = body.next
    }
    return counts
  }
  expect(await readBatches({})).toEqual([120, 120])
  expect(await readBatches({ search: 'element' })).toEqual([120, 120])
  expect(await readBatches({ severity: ['minor'] })).toEqual([0])
  // Sums that a re-check has left to update.
  await api.db
    .updateTable('run')
    .set({ rechecked: 1, critical: 0, serious: 0, moderate: 0 })
    .where('scan_id', '=', scanIds[1]!)
    .execute()
  expect(await readBatches({})).toEqual([120, 120])
  expect(await countByStatus('open')).toBe(240)
})

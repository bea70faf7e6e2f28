/** @module-tag slow */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, recordRun } from '../../../../test/run.ts'
import { buildAxeResults, uploadTo } from '../../../../test/upload.ts'
import { createId } from '../../../kit/id.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { lockRun } from '../../run/frontier/store.ts'
import { finishRun, openFrontier } from '../../run/frontier/service.ts'
import { changes, issueStatuses } from '../model.ts'
import { removeFromRun, writeSpans } from './store.ts'

const api = useTestApi()

// Held against the simplest storage: a row for each issue and run. SPAN_SEQUENCES sets the number of random sequences.
const sequenceCount = Number(process.env.SPAN_SEQUENCES ?? '120')

/** Condition for locks of this database: other test files run on the same server. */
const isHere = sql`pid in (select pid from pg_stat_activity where datname = current_database())`

const issueIds = Array.from({ length: 3 }, () => createId())
type Row = { change: number; severity: number; status: number; html: string }
/** Rows by run number and issue. */
type RowStorage = Map<number, Map<string, Row>>

const [newChange, still, back, fixed, notRechecked, pageGone] = changes.map((_, index) => index) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const [, openStatus, fixedStatus, ignoredStatus] = issueStatuses.map((_, index) => index) as [number, number, number, number]
const isPresent = ({ change }: Row) => change <= back

const seenIssue = fc.record({
  issue: fc.constantFrom(...issueIds),
  change: fc.constantFrom(newChange, still, still, still, back, fixed, notRechecked, pageGone),
  severity: fc.nat(1),
  status: fc.constantFrom(openStatus, openStatus, fixedStatus, ignoredStatus),
  html: fc.constantFrom('<a>', '<b>'),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('run' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('see' as const),
      runsBack: fc.nat(2),
      rows: fc.uniqueArray(seenIssue, { minLength: 1, maxLength: 3, selector: ({ issue }) => issue }),
    }),
  },
  fc.record({
    kind: fc.constant('remove' as const),
    runsBack: fc.nat(2),
    issues: fc.uniqueArray(fc.constantFrom(...issueIds), { minLength: 1 }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Performs a step on rows; a new run finds what the last one found. */
function changeRows(rows: RowStorage, newest: number, action: Step): void {
  if (action.kind === 'run') {
    const lastRows = [...(rows.get(newest) ?? [])].filter(([, { change }]) => change !== fixed && change !== pageGone)
    rows.set(newest + 1, new Map(lastRows.map(([issue, row]) => [issue, isPresent(row) ? { ...row, change: still } : row])))
    return
  }
  const runRows = rows.get(Math.max(1, newest - action.runsBack))!
  if (action.kind === 'remove') for (const issue of action.issues) runRows.delete(issue)
  else
    for (const { issue, ...row } of action.rows) {
      const known = runRows.get(issue)
      const isNews = row.change === still && known !== undefined && (known.change === newChange || known.change === back)
      runRows.set(issue, isNews ? { ...row, change: known.change } : row)
    }
}

async function changeSpans(scanId: string, newest: number, action: Step): Promise<void> {
  if (action.kind === 'run') {
    await sql`insert into run (id, scan_id, number, status, priority, ended_at, judged)
      values (${createId()}, ${scanId}, ${newest + 1}, 'completed', 1, now(), true)`.execute(api.db)
    await sql`update scan set run_count = ${newest + 1}::int where id = ${scanId}`.execute(api.db)
    return
  }
  const number = Math.max(1, newest - action.runsBack)
  if (action.kind === 'remove')
    await removeFromRun(api.db, { scanId, number }, sql`(select unnest(${action.issues}::uuid[]) as issue_id)`)
  else
    await sql`with found as (select issue as issue_id, ${scanId}::uuid as scan_id, ${number}::int as number, change::smallint,
        '\\x01'::bytea as page_key, null::uuid as last_page_id, issue as group_id, 1 as rule_id, severity::smallint,
        null::smallint as impact, status::smallint, html::bytea as evidence, null::bytea as picture, null::real[] as picture_box,
        null::smallint as drive_level, null::text[] as states
      from jsonb_to_recordset(${JSON.stringify(action.rows)}::jsonb) as r (issue uuid, change int, severity int, status int, html text)),
      ${writeSpans(sql`found`)} select 1`.execute(api.db)
}

async function readSpans(scanId: string): Promise<Record<string, Row>> {
  const { rows } = await sql<Row & { number: number; issue: string }>`
    select run.number, f.issue_id as issue, f.change, f.severity, f.status, convert_from(f.evidence, 'UTF8') as html
    from finding f join run on run.id = f.run_id where f.scan_id = ${scanId}`.execute(api.db)
  return Object.fromEntries(rows.map(({ number, issue, ...row }) => [`${number} ${issue}`, row]))
}
const listRows = (rows: RowStorage): Record<string, Row> =>
  Object.fromEntries([...rows].flatMap(([number, runRows]) => [...runRows].map(([issue, row]) => [`${number} ${issue}`, row])))

it('shows of each run what it saw, whatever was stored before and after', { timeout: 600_000 }, async () => {
  const { id: scanId } = (await api.call('POST', '/scans', { body: buildScanBody('Spans') })).body as { id: string }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await sql`delete from run where scan_id = ${scanId}`.execute(api.db)
      for (const table of ['finding_span', 'status_span'])
        await sql`delete from ${sql.table(table)} where scan_id = ${scanId}`.execute(api.db)
      const rows: RowStorage = new Map()
      let newest = 0
      for (const action of [{ kind: 'run' } as const, ...steps]) {
        changeRows(rows, newest, action)
        await changeSpans(scanId, newest, action)
        if (action.kind === 'run') newest++
        expect(await readSpans(scanId)).toEqual(listRows(rows))
      }
    }),
    { numRuns: sequenceCount },
  )
})

it('stores nothing of a run that finds what the last one found', async () => {
  await sql`delete from finding_span`.execute(api.db)
  const { id: scanId } = (await api.call('POST', '/scans', { body: buildScanBody('Unchanged') })).body as { id: string }
  const readStored = async () =>
    (
      await sql`select s.ctid::text, s.xmin::text, s.*, t.xmin::text as status_xmin, t.status from finding_span s
        left join status_span t using (scan_id, issue_id) where scan_id = ${scanId} order by issue_id`.execute(api.db)
    ).rows
  const see = (change: number) => ({
    kind: 'see' as const,
    runsBack: 0,
    rows: issueIds.map((issue, severity) => ({ issue, change, severity, status: severity + 1, html: '<a>' as const })),
  })
  await changeSpans(scanId, 0, { kind: 'run' })
  await changeSpans(scanId, 1, see(newChange))
  const stored = await readStored()
  expect(stored).toHaveLength(issueIds.length)
  await changeSpans(scanId, 1, { kind: 'run' })
  await changeSpans(scanId, 2, see(still))
  expect(await readStored()).toEqual(stored)
  // Lost and found again by the same run.
  await changeSpans(scanId, 2, { kind: 'remove', runsBack: 0, issues: issueIds })
  await changeSpans(scanId, 2, see(still))
  expect((await readStored()).map((row) => (row as { first_run: number }).first_run)).toEqual(issueIds.map(() => 1))
})

it('changes what the newest run saw, also if the run ends while the change waits', async () => {
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('waiting')]) }, 'Waiting')
  const [issue] = ((await api.call('GET', `/issues?scanId=${scanId}`)).body as { content: { id: string }[] }).content
  const started = await api.call('POST', `/scans/${scanId}/startRun`, { token: await api.token('runner', ['access', 'admin']) })
  const { id: runId, number: runNumber } = started.body as { id: string; number: number }
  const deps = {
    db: api.db,
    objects: api.objects,
    runId,
    scanId,
    runNumber,
    worker: createId(),
    pageLimit: 10,
    issuesPerPage: 50,
  }
  const { frontier, close } = openFrontier(deps, api.pubSub)
  const seeds = ['a', 'b'].map((key) => ({
    url: `https://example.org/${key}`,
    key,
    depth: 0,
    wave: 0,
    foundOn: null,
    exclusion: null,
  }))
  await frontier.seed(seeds)
  for (const claim of await frontier.claim(2))
    await frontier.record(claim, claim.key === 'a' ? buildFailed('timeout-generic') : buildCompleted(), [])
  close()
  const countWaiting = async (type: string) =>
    (await sql`select 1 from pg_locks where locktype = ${type} and not granted and ${isHere}`.execute(api.db)).rows.length
  const pending: Promise<unknown>[] = []
  await api.db.transaction().execute(async (otherTransaction) => {
    await lockRun(otherTransaction, runId)
    await sql`select 1 from run where id = ${runId} for update`.execute(otherTransaction)
    pending.push(finishRun(api, runId, { kind: 'drained' }))
    await expect.poll(() => countWaiting('transactionid')).toBe(1)
    pending.push(api.call('PATCH', `/issues/${issue!.id}`, { body: { fieldsToUpdate: { status: 'ignored' } } }))
    await expect.poll(() => countWaiting('advisory')).toBe(1)
  })
  await Promise.all(pending)
  const { rows } = await sql<{ number: number; status: number; change: number }>`
    select run.number, f.status, f.change from finding f join run on run.id = f.run_id where f.issue_id = ${issue!.id} order by 1`.execute(
    api.db,
  )
  const [open, ignored] = [issueStatuses.indexOf('open'), issueStatuses.indexOf('ignored')]
  expect(rows).toEqual([
    { number: 1, status: open, change: newChange },
    { number: 2, status: ignored, change: notRechecked },
  ])
})

it('keeps the page of an issue that was uploaded to a failed run', async () => {
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted() }, 'Upload to a failed run')
  const failed = await recordRun(api, scanId, { a: buildFailed('timeout-generic') })
  const token = await api.token('uploader', ['access', 'admin'])
  const url = 'https://example.org/uploaded'
  const reply = await uploadTo(api, { token, scan: scanId, run: failed.number }, [{ text: buildAxeResults(url, 1) }])
  expect(reply.body).toMatchObject({ success: true, issues: 1 })
  const next = await recordRun(api, scanId, { a: buildCompleted() })
  const list = (await api.call('GET', `/issues?scanId=${scanId}&runNumber=${next.number}&change=not-rechecked`)).body
  expect((list as { content: object[] }).content).toMatchObject([{ pageUrl: url, change: 'not-rechecked' }])
})

it('names another page of an issue if that on which it was last seen is deleted', async () => {
  const { scanId, number } = await recordRun(
    api,
    undefined,
    { a: buildCompleted([buildFinding('last')]), b: buildCompleted() },
    'Pages',
  )
  await recordRun(api, scanId, { a: buildFailed('timeout-generic'), b: buildCompleted() })
  await recordRun(api, scanId, { b: buildCompleted() }, 'Pages', { end: { kind: 'cancelled' } })
  const { content: pages } = (await api.call('GET', `/scans/${scanId}/runs/${number}/pages`)).body as {
    content: { id: string; url: string }[]
  }
  await api.call('DELETE', `/pages/${pages.find(({ url }) => url.endsWith('/a'))!.id}`)
  const list = (await api.call('GET', `/issues?scanId=${scanId}&runNumber=3&change=not-rechecked`)).body
  expect(list).toMatchObject({ content: [{ pageUrl: 'https://example.org/a' }] })
})

it('counts no issue of a label that the newest run no longer has, because its page was deleted', async () => {
  const pages = { a: buildCompleted([buildFinding('kept')]), b: buildCompleted([buildFinding('lost')]) }
  const { scanId } = await recordRun(api, undefined, pages, 'Labels')
  const { number } = await recordRun(api, scanId, pages)
  const selected = { selectAllMode: true, deselectedIssues: [] }
  const labelled = { filters: { scanId: [scanId] }, selected, fieldsToUpdate: { addLabels: ['brand'] } }
  expect((await api.call('PATCH', '/bulk/issues', { body: labelled })).body).toMatchObject({ changed: 2 })
  const { content } = (await api.call('GET', `/scans/${scanId}/runs/${number}/pages`)).body as {
    content: { id: string; url: string }[]
  }
  await api.call('DELETE', `/pages/${content.find(({ url }) => url.endsWith('/b'))!.id}`)
  const list = (await api.call('GET', `/issues?scanId=${scanId}&label=brand`)).body as { content: object[]; page: object }
  expect([list.content.length, list.page]).toMatchObject([1, { totalElements: 1 }])
})

it.each([
  ['a change', 'PATCH', '/bulk/issues', { fieldsToUpdate: { status: 'fixed' } }],
  ['a deletion', 'POST', '/bulk/issues/delete', {}],
] as const)('%s waits for no page of other scans in view', async (name, method, path, change) => {
  const pages = { a: buildCompleted([buildFinding('a', { rule: `rule-${method}` })]) }
  const { scanId } = await recordRun(api, undefined, pages, `Selected by ${name}`)
  const { scanId: otherScanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, `Seen by ${name}`)
  const body = { filters: { rule: [`rule-${method}`] }, selected: { selectAllMode: true, deselectedIssues: [] }, ...change }
  await api.db.transaction().execute(async (otherTransaction) => {
    await lockEvidenceExclusive(otherScanId).execute(otherTransaction)
    expect(await api.call(method, path, { body })).toMatchObject({ status: 200, body: { changed: 1, skipped: 0 } })
  })
  expect((await api.call('GET', `/issues?scanId=${scanId}&status=open`)).body).toMatchObject({ page: { totalElements: 0 } })
  expect((await api.call('GET', `/issues?scanId=${otherScanId}&status=open`)).body).toMatchObject({ page: { totalElements: 1 } })
})

it('applies changes that wait for each other in their order', async () => {
  const review = buildFinding('review', { rule: 'color-contrast', severity: 'needs review', impact: 'serious' })
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([review]) }, 'Marks')
  const [issue] = ((await api.call('GET', `/issues?scanId=${scanId}`)).body as { content: { id: string }[] }).content
  const countWaiting = async () =>
    (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted and ${isHere}`.execute(api.db)).rows.length
  const pending: Promise<{ status: number }>[] = []
  await api.db.transaction().execute(async (otherTransaction) => {
    await lockEvidenceExclusive(scanId).execute(otherTransaction)
    for (const markAsIssue of [true, false]) {
      pending.push(api.call('PATCH', `/issues/${issue!.id}`, { body: { fieldsToUpdate: { markAsIssue } } }))
      await expect.poll(countWaiting).toBe(pending.length)
    }
  })
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200])
  expect((await api.call('GET', `/issues?scanId=${scanId}`)).body).toMatchObject({
    content: [{ severity: 'needs review', markedAsIssue: null }],
    severities: { serious: 0, needsReview: 1 },
  })
})

it('finds the page of an issue that was not rechecked before the update, either', async () => {
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('old')]), b: buildCompleted() }, 'Update')
  await recordRun(api, scanId, { a: buildFailed('timeout-generic'), b: buildCompleted() })
  // Rows of the update name a page only if their run had none.
  await sql`update finding_span set last_page_id = null where scan_id = ${scanId}`.execute(api.db)
  await recordRun(api, scanId, { b: buildCompleted() }, 'Update', { end: { kind: 'cancelled' } })
  const list = (await api.call('GET', `/issues?scanId=${scanId}&runNumber=3&change=not-rechecked`)).body
  expect(list).toMatchObject({ content: [{ pageUrl: 'https://example.org/a' }] })
})

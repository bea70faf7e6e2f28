import type { IssueDetail, IssueList, ReviewAnswer } from '@clearway/contract/monitor/issue/schema.ts'
import type { RunOverview } from '@clearway/contract/monitor/run/schema.ts'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun, type TestRun } from './run.ts'

// Results that the engine could not decide are answered by people, and the answers stay with them.

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('reviewer', ['access', 'admin'])
})

const call = async <T>(method: 'GET' | 'PATCH' | 'POST', path: string, body?: unknown) =>
  (await api.call(method, path, { token: admin, ...(body !== undefined && { body }) })).body as T
const buildUndecided = (key: string, certain = false) =>
  buildFinding(key, { rule: 'label', severity: certain ? 'serious' : 'needs review', impact: 'serious', html: `<b>${key}</b>` })
const keys = ['a', 'b', 'c', 'd'] as const
const recordUndecided = (scanId?: string, certainKey?: string) =>
  recordRun(
    api,
    scanId,
    { page: buildCompleted([...keys.map((key) => buildUndecided(key, key === certainKey)), buildFinding('real')]) },
    `Review ${Math.random()}`,
  )
const listIssues = (run: TestRun, query = '') =>
  call<IssueList>('GET', `/issues?scanId=${run.scanId}&runNumber=${run.number}&size=500&${query}`)
const readIssue = async (run: TestRun, key: string) => {
  const { content } = await listIssues(run, 'status=open&status=none&status=ignored')
  return call<IssueDetail>('GET', `/issues/${content.find(({ selector }) => selector.startsWith(`img.${key}`))!.id}`)
}
const answer = async (run: TestRun, key: string, review: { answer: ReviewAnswer | null; reason?: string }) =>
  call<IssueDetail>('PATCH', `/issues/${(await readIssue(run, key)).id}`, { fieldsToUpdate: { review } })
const readOverview = (run: TestRun) => call<RunOverview>('GET', `/scans/${run.scanId}/runs/${run.number}/overview`)
const listKeys = async (run: TestRun, query: string) =>
  (await listIssues(run, query)).content.map(({ selector }) => selector.replace(/^img\.|\P{ASCII}/gu, '')).sort()

it('an answer decides whether a result counts, with its reason, and can be taken back', async () => {
  const run = await recordUndecided()
  expect((await readOverview(run)).openIssues).toMatchObject({ critical: 1, serious: 0, needsReview: 4 })
  expect(await answer(run, 'a', { answer: 'issue', reason: 'Too light' })).toMatchObject({
    severity: 'serious',
    status: 'open',
    review: 'issue',
    reviewed: { reason: 'Too light', author: { id: 'reviewer' } },
  })
  expect(await answer(run, 'b', { answer: 'not-issue' })).toMatchObject({
    severity: 'needs review',
    status: 'none',
    review: 'not-issue',
    markedAsIssue: false,
  })
  expect(await answer(run, 'c', { answer: 'unsure' })).toMatchObject({
    severity: 'needs review',
    status: 'open',
    review: 'unsure',
  })
  expect((await readOverview(run)).openIssues).toMatchObject({ critical: 1, serious: 1, needsReview: 2 })
  // The engine decided about this one.
  expect(await answer(run, 'real', { answer: 'not-issue' })).toMatchObject({ status: 'open', severity: 'critical', review: null })
  const filters = { open: ['d'], issue: ['a'], 'not-issue': ['b'], unsure: ['c'] }
  for (const [review, found] of Object.entries(filters)) expect(await listKeys(run, `review=${review}`)).toEqual(found)
  expect(await listKeys(run, 'review=issue&review=not-issue&review=unsure')).toEqual(['a', 'b', 'c'])
  expect(await answer(run, 'a', { answer: 'not-issue' })).toMatchObject({ severity: 'needs review', status: 'none' })
  expect(await answer(run, 'a', { answer: null })).toMatchObject({
    severity: 'needs review',
    status: 'open',
    review: null,
    reviewed: null,
    markedAsIssue: null,
  })
  expect((await readOverview(run)).openIssues).toMatchObject({ critical: 1, serious: 0, needsReview: 3 })
})

it('answers stay with their elements in later runs, until the engine decides by itself', async () => {
  const first = await recordUndecided()
  await answer(first, 'a', { answer: 'not-issue', reason: 'Decorative' })
  await answer(first, 'b', { answer: 'issue' })
  await answer(first, 'c', { answer: 'unsure' })
  const second = await recordUndecided(first.scanId)
  expect((await readOverview(second)).openIssues).toMatchObject({ critical: 1, serious: 1, needsReview: 2 })
  expect(await readIssue(second, 'a')).toMatchObject({ status: 'none', review: 'not-issue', reviewed: { reason: 'Decorative' } })
  expect(await listKeys(second, 'review=open')).toEqual(['d'])
  expect((await readOverview(second)).change).toMatchObject({ score: 0, byDecisions: { score: 0 } })
  const third = await recordUndecided(first.scanId, 'a')
  expect(await readIssue(third, 'a')).toMatchObject({ status: 'open', severity: 'serious', review: null, markedAsIssue: null })
  expect((await readOverview(third)).openIssues).toMatchObject({ critical: 1, serious: 2, needsReview: 2 })
})

it('a bulk answer leaves decided results alone, and can be undone', async () => {
  const run = await recordUndecided()
  const before = (await listIssues(run)).content.map((issue) => ({ ...issue, updatedAt: null }))
  const { changed, undo } = await call<{ changed: number; undo: string }>('PATCH', '/bulk/issues', {
    filters: { scanId: [run.scanId] },
    selected: { selectAllMode: true },
    fieldsToUpdate: { review: { answer: 'not-issue', reason: 'All decorative' } },
  })
  expect(changed).toBe(5)
  expect((await readOverview(run)).openIssues).toMatchObject({ critical: 1, serious: 0, needsReview: 0 })
  expect(await listKeys(run, 'review=not-issue')).toEqual([...keys])
  await call('POST', '/bulk/issues/undo', { undo })
  expect((await listIssues(run)).content.map((issue) => ({ ...issue, updatedAt: null }))).toEqual(before)
})

it('is refused together with a status or a mark', async () => {
  const run = await recordUndecided()
  const { id } = await readIssue(run, 'a')
  for (const other of [{ status: 'open' }, { markAsIssue: true }]) {
    const body = { fieldsToUpdate: { review: { answer: 'issue' }, ...other } }
    expect((await api.call('PATCH', `/issues/${id}`, { token: admin, body })).status).toBe(400)
  }
})

/** @module-tag slow */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { listIssueViolations } from './issue-violations.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'
import { fireBoth, listPairs, roundCount, runRounds } from './simultaneous.ts'

// Fires every pair of changes of the same issues at the same time, as `race.test.ts` does for other nouns, and then checks what
// must hold whatever the order was:
//   RACE_ROUNDS=200 npm test -- issue-race.test

const api = useTestApi()
let token: string
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  api.call(method, path, { token, ...(body && { body }) })

/** The issues of one round: one that counts, and a result that needs a review. */
type Stage = { scanId: string; issue: string; result: string; undo: string | null; ignore: string | null }
type Reply = { status: number; body: { changed?: number } | null }
type Change = (stage: Stage) => Promise<Reply>

const selectBoth = ({ scanId, issue, result }: Stage) => ({
  filters: { scanId: [scanId] },
  selected: { selectAllMode: false, selectedIssues: [issue, result] },
})
const changeBoth = (stage: Stage, fieldsToUpdate: object) =>
  call('PATCH', '/bulk/issues', { ...selectBoth(stage), fieldsToUpdate }) as Promise<Reply>
const changeOne = ({ issue }: Stage, fieldsToUpdate: object) =>
  call('PATCH', `/issues/${issue}`, { fieldsToUpdate }) as Promise<Reply>
const ignoreFields = { status: 'ignored', ignore: { scope: 'issue', reason: 'Decoration' } }

const changes: Record<string, Change> = {
  'set it to fixed': (stage) => changeOne(stage, { status: 'fixed' }),
  'ignore it': (stage) => changeOne(stage, ignoreFields),
  'ignore both': (stage) => changeBoth(stage, ignoreFields),
  'open both': (stage) => changeBoth(stage, { status: 'open' }),
  'answer both': (stage) => changeBoth(stage, { review: { answer: 'not-issue', reason: 'Fine' } }),
  'comment on it': ({ issue }) => call('POST', `/issues/${issue}/comments`, { text: 'Seen' }) as Promise<Reply>,
  'undo a change': ({ undo }) => call('POST', '/bulk/issues/undo', { undo }) as Promise<Reply>,
  'end its ignore': ({ scanId, ignore }) => call('DELETE', `/scans/${scanId}/ignores/${ignore}`) as Promise<Reply>,
  'delete both': (stage) => call('POST', '/bulk/issues/delete', selectBoth(stage)) as Promise<Reply>,
  'delete its scan': ({ scanId }) => call('DELETE', `/scans/${scanId}`) as Promise<Reply>,
}
const needsUndo = new Set(['undo a change'])
const needsIgnore = new Set(['end its ignore'])
const needsScan = new Set(['delete its scan'])

const pairs = listPairs(Object.keys(changes))

const buildPage = (page: string, issueCount: number) =>
  buildCompleted(
    Array.from({ length: issueCount }, (_, index) => [
      buildFinding(`${page}-issue-${index}`),
      buildFinding(`${page}-result-${index}`, { severity: 'needs review' }),
    ]).flat(),
    page,
  )

let scanCount = 0
type Pool = { scanId: string; issues: string[]; results: string[] }
async function recordPool(issueCount: number): Promise<Pool> {
  const { scanId } = await recordRun(api, undefined, { page: buildPage('page', issueCount) }, `Race ${scanCount++}`)
  const { rows } = await sql<{ id: string; severity: number }>`select id, severity from issue where scan_id = ${scanId}`.execute(
    api.db,
  )
  const isResult = ({ severity }: { severity: number }) => severity === 4
  return {
    scanId,
    issues: rows.filter((row) => !isResult(row)).map(({ id }) => id),
    results: rows.filter(isResult).map(({ id }) => id),
  }
}

async function setStage(pool: Pool, first: string, second: string): Promise<Stage> {
  const needs = (names: ReadonlySet<string>) => names.has(first) || names.has(second)
  const stagePool = needs(needsScan) ? await recordPool(1) : pool
  const { scanId } = stagePool
  const stage: Stage = { scanId, issue: stagePool.issues.pop()!, result: stagePool.results.pop()!, undo: null, ignore: null }
  if (needs(needsIgnore)) {
    await changeOne(stage, ignoreFields)
    const { rows } = await sql<{ ignore_id: string }>`select ignore_id from issue where id = ${stage.issue}`.execute(api.db)
    stage.ignore = rows[0]!.ignore_id
  }
  if (needs(needsUndo)) {
    const { body } = await changeBoth(stage, { ...(needs(needsIgnore) ? {} : { status: 'fixed' }), addLabels: ['race'] })
    stage.undo = (body as unknown as { undo: string }).undo
  }
  return stage
}

/** Returns what is wrong with the stored state after a race. */
async function findViolations(stage: Stage, replies: readonly Reply[]): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'the deletion of a scan has ' || count(*) || ' entries in the audit log' as problem from audit
      where action = 'deleted' and noun = 'scan' and subject = ${stage.scanId} having count(*) > 1`.execute(api.db)
  const problems = [...(await listIssueViolations(api.db, stage.scanId)), ...rows.map(({ problem }) => problem)]
  for (const { status, body } of replies) if (status >= 500) problems.push(`${status} ${JSON.stringify(body)}`)
  const read = await call('GET', `/issues/${stage.issue}`)
  if (read.status === 200) {
    const { version } = read.body as { version: number }
    const saved = await call('PATCH', `/issues/${stage.issue}`, { fieldsToUpdate: { addLabels: ['saved'] }, version })
    if (saved.status !== 200) problems.push(`What was read cannot be saved: ${JSON.stringify(saved.body)}`)
  }
  return problems
}

it.each(pairs)('$first, $second', { timeout: 600_000 }, async ({ first, second }) => {
  const pool = await recordPool(roundCount)
  await runRounds(async (round) => {
    // Tokens expire before all rounds have ended.
    token = await api.token('admin', ['access', 'admin'])
    const stage = await setStage(pool, first, second)
    const replies = await fireBoth(
      round,
      () => changes[first]!(stage),
      () => changes[second]!(stage),
    )
    expect(await findViolations(stage, replies), `round ${round}: ${replies.map(({ status }) => status).join(' ')}`).toEqual([])
    const deletedCount = [first, second].reduce(
      (sum, name, index) => sum + (name === 'delete both' ? (replies[index]!.body?.changed ?? 0) : 0),
      0,
    )
    expect(deletedCount).toBeLessThanOrEqual(2)
  })
})

it('lets each change succeed alone, so that the pairs race about something', async () => {
  token = await api.token('admin', ['access', 'admin'])
  const refused: string[] = []
  for (const [name, change] of Object.entries(changes)) {
    const reply = await change(await setStage(await recordPool(1), name, name))
    if (reply.status >= 300 || reply.body?.changed === 0) refused.push(`${name}: ${JSON.stringify(reply.body)}`)
  }
  expect(refused).toEqual([])
})

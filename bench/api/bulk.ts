import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Batch, runInBatches, undoInBatches } from '../../packages/web/src/monitor/issue/model-batches.ts'

export type BulkTarget = {
  base: string
  scans: readonly { id: string }[]
  issuesPerScan: number
  readDatabaseSeconds: () => Promise<number>
}

/** Nanoseconds of the processor by session, the ended ones included. */
const sessionNanoseconds = new Map<number, number>()

/** Processor time of the sessions of a database on this machine so far, in seconds; not a number elsewhere. */
export async function readDatabaseSeconds<T>(db: Kysely<T>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db)
  for (const { pid } of rows)
    try {
      sessionNanoseconds.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
    } catch {
      // A session that has ended keeps its last value; a database elsewhere has none.
    }
  return sessionNanoseconds.size === 0 ? Number.NaN : [...sessionNanoseconds.values()].reduce((sum, one) => sum + one, 0) / 1e9
}

async function call<T>(base: string, method: string, path: string, body?: object): Promise<T> {
  const reply = await fetch(base + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

type BulkReply = Awaited<ReturnType<Parameters<typeof runInBatches>[0]>>
type UndoReply = Awaited<ReturnType<Parameters<typeof undoInBatches>[0]>>

async function measureLine<T>(
  target: BulkTarget,
  { name, goal }: { name: string; goal: number },
  work: () => Promise<T>,
  countIssues: (result: T) => number,
): Promise<T> {
  const [startedAt, databaseBefore] = [performance.now(), await target.readDatabaseSeconds()]
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const databaseSeconds = (await target.readDatabaseSeconds()) - databaseBefore
  console.log(
    `${name}: ${countIssues(result)} issues in ${seconds.toFixed(2)} s (goal ${goal}), ${databaseSeconds.toFixed(2)} s of database processor`,
  )
  return result
}

/** Changes the status of the issues of some scans, in one call or in batches as the web application does. */
async function setStatus({ base, scans }: BulkTarget, [from, to]: readonly [string, string], isInBatches: boolean) {
  const selection = {
    // A filter names at most 500 scans; the maximum of issues takes all of them.
    filters: { ...(scans.length <= 500 && { scanId: scans.map(({ id }) => id) }), status: [from] },
    selected: { selectAllMode: true },
  }
  const sendChange = (batch?: Batch) =>
    call<BulkReply>(base, 'PATCH', '/bulk/issues', { ...selection, fieldsToUpdate: { status: to }, ...(batch && { batch }) })
  if (!isInBatches) return sendChange()
  const { middle } = await call<{ middle: string | null }>(base, 'POST', '/bulk/issues/getSelectedIssuesCount', selection)
  const signal = new AbortController().signal
  const result = await runInBatches(sendChange, { canUndo: true, middle, signal, onProgress: () => undefined })
  if (result.error !== null) throw result.error
  return result
}

async function undoIssues(base: string, undo: string | null, inBatches: boolean): Promise<number> {
  const sendUndo = (range?: object) => call<UndoReply>(base, 'POST', '/bulk/issues/undo', { undo, inBatches, ...range })
  const { restored } = await (inBatches ? undoInBatches(sendUndo, () => undefined) : sendUndo())
  return restored
}

/** Edits single issues of the scans until `isDone`. @returns the maximum wait in milliseconds */
async function editDuringChange(
  { base, scans }: BulkTarget,
  isDone: () => boolean,
): Promise<{ edits: number; maxWaitMs: number }> {
  let maxWaitMs = 0
  let edits = 0
  for (; !isDone(); edits++) {
    const scan = scans[(edits * 7) % scans.length]!
    const list = await call<{ content: { id: string }[] }>(
      base,
      'GET',
      `/issues?scanId=${scan.id}&status=open&status=ignored&size=1`,
    )
    const startedAt = performance.now()
    await call(base, 'PATCH', `/issues/${list.content[0]!.id}`, { fieldsToUpdate: { status: 'open' } })
    maxWaitMs = Math.max(maxWaitMs, performance.now() - startedAt)
    await sleep(20)
  }
  return { edits, maxWaitMs }
}

/** Ignores issues and takes it back, in one call and in batches; the latter while single issues of the same scans are edited. */
export async function measureBulkChanges(everything: BulkTarget): Promise<void> {
  const { base, issuesPerScan, scans } = everything
  const selectScans = (count: number) => ({ ...everything, scans: scans.slice(0, Math.ceil(count / issuesPerScan)) })
  const measureBoth = async (target: BulkTarget, isInBatches: boolean): Promise<void> => {
    const goal = (3 * Math.round((target.scans.length * issuesPerScan) / 100_000) * 100_000) / 100_000
    const way = isInBatches ? 'in batches' : 'in one call'
    const ignored = await measureLine(
      target,
      { name: `ignored ${way}`, goal },
      () => setStatus(target, ['open', 'ignored'], isInBatches),
      (r) => r.changed,
    )
    await measureLine(target, { name: `undone ${way}`, goal }, () => undoIssues(base, ignored.undo ?? null, isInBatches), Number)
  }
  // Some are ignored from the start, or by a measurement that was stopped.
  await setStatus(everything, ['ignored', 'open'], true)
  await measureBoth(selectScans(100_000), false)
  // An undo keeps at most a million issues: 796 scans of 1,256.
  const hasMillion = Math.round((scans.length * issuesPerScan) / 100_000) === 10
  for (const target of [selectScans(100_000), ...(hasMillion ? [everything] : [])]) {
    await measureBoth(target, true)
    let isDone = false
    const edits = editDuringChange(target, () => isDone)
    await measureBoth(target, true)
    isDone = true
    const { edits: editCount, maxWaitMs } = await edits
    console.log(`During the change, ${editCount} edits of single issues waited at most ${Math.round(maxWaitMs)} ms (goal 300)`)
  }
}

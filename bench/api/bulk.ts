import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { computeNextBatchSize, firstBatchSize } from '../../packages/contract/src/monitor/issue/bulk/model.ts'

export type BulkTarget = {
  base: string
  scans: readonly { id: string }[]
  issuesPerScan: number
  readDatabaseSeconds: () => Promise<number>
}

/** Processor time of the sessions of a database on this machine, in seconds; not a number elsewhere. */
export async function readDatabaseSeconds<T>(db: Kysely<T>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db)
  const nanoseconds = rows.map(({ pid }) => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      return Number.NaN
    }
  })
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9
}

async function call<T>(base: string, method: string, path: string, body?: object): Promise<T> {
  const reply = await fetch(base + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

type BulkReply = { changed: number; undo: string | null; next: string | null }
type UndoReply = { restored: number; remaining: number }

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

/** Changes the status of the issues of some scans, in one call or in batches. */
async function setStatus({ base, scans }: BulkTarget, [from, to]: readonly [string, string], isInBatches: boolean) {
  const total = { changed: 0, undo: null as string | null }
  let size = firstBatchSize
  for (let next: string | null | undefined; next !== null;) {
    const batch = { size, ...(next !== undefined && { after: next, undo: total.undo }) }
    const startedAt = performance.now()
    const reply: BulkReply = await call(base, 'PATCH', '/bulk/issues', {
      // A filter names at most 500 scans; the maximum of issues takes all of them.
      filters: { ...(scans.length <= 500 && { scanId: scans.map(({ id }) => id) }), status: [from] },
      selected: { selectAllMode: true },
      fieldsToUpdate: { status: to },
      ...(isInBatches && { batch }),
    })
    size = computeNextBatchSize(size, performance.now() - startedAt)
    total.changed += reply.changed
    total.undo = reply.undo
    next = reply.next
  }
  return total
}

async function undoIssues(base: string, undo: string | null, inBatches: boolean): Promise<number> {
  let restoredCount = 0
  for (let remaining = 1; remaining > 0;) {
    const reply: UndoReply = await call(base, 'POST', '/bulk/issues/undo', { undo, inBatches })
    restoredCount += reply.restored
    remaining = reply.remaining
  }
  return restoredCount
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
    await measureLine(target, { name: `undone ${way}`, goal }, () => undoIssues(base, ignored.undo, isInBatches), Number)
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

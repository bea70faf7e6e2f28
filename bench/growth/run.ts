/**
 * Cost of runs and mass actions in the database: buffers, WAL, rows and updates in place, by step.
 *
 *   npm run growth                 [--pages 500] [--problems 20] [--runs 6] [--changed 0.02]
 *
 * The clock is simulated: one run a day, the last one yesterday. A page is analyzed again after 30 days of reuse, as by default.
 * Beyond the runs that are measured one by one, unchanged pages are copied from the previous run, which stores the same rows.
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Finding, PageOutcome } from '../../packages/engine/src/outcome.ts'
import { buildScanBody, openTestApi, type TestApi } from '../../packages/server/test/api.ts'
import { buildCompleted, buildFinding } from '../../packages/server/test/run.ts'
import { findDueRuns, sweepScan, clearContents } from '../../packages/server/src/monitor/run/retention/store.ts'
import { recordRun } from './record-run.ts'

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '500' },
    problems: { type: 'string', default: '20' },
    runs: { type: 'string', default: '6' },
    analyze: { type: 'boolean', default: false },
    changed: { type: 'string', default: '0.02' },
  },
})
const pageCount = Number(options.pages)
const problemCount = Number(options.problems)
const runCount = Number(options.runs)
const changedShare = Number(options.changed)
/** Runs that are measured one by one. */
const maxSingleRuns = 6
const reuseDays = 30

type Figures = { buffers: number; walBytes: number; hotUpdates: number; updates: number; inserts: number }

/** Figures of the whole database so far. Other connections report theirs within a second of their last statement. */
async function readFigures({ db }: TestApi): Promise<Figures> {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const { rows } = await sql<Figures>`
    select (select blks_hit + blks_read from pg_stat_database where datname = current_database())::float8 as buffers,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
      sum(n_tup_hot_upd)::float8 as "hotUpdates", sum(n_tup_upd)::float8 as updates, sum(n_tup_ins)::float8 as inserts
    from pg_stat_user_tables`.execute(db)
  return rows[0]!
}

const printed: Record<string, unknown>[] = []
async function measure<T>(api: TestApi, step: string, work: () => Promise<T>): Promise<T> {
  const firstFigures = await readFigures(api)
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const lastFigures = await readFigures(api)
  printed.push({
    step,
    seconds: Number(seconds.toFixed(2)),
    buffers: lastFigures.buffers - firstFigures.buffers,
    'WAL MB': Number(((lastFigures.walBytes - firstFigures.walBytes) / 1e6).toFixed(1)),
    'rows inserted': lastFigures.inserts - firstFigures.inserts,
    updates: lastFigures.updates - firstFigures.updates,
    'of these in place': lastFigures.hotUpdates - firstFigures.hotUpdates,
  })
  console.table(printed.slice(-1))
  return result
}

/** Megabytes of the tables with their indexes, of those with at least a tenth of one, and of the whole database beyond an empty one. */
async function readSizes({ db }: TestApi, emptyBytes: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'monitor'::regnamespace and pg_total_relation_size(oid) > 1e5 order by 2 desc`.execute(
    db,
  )
  const tables = Object.fromEntries(rows.map(({ name, bytes }) => [name, Number((bytes / 1e6).toFixed(2))]))
  return { ...tables, everything: Number((((await readDatabaseBytes(db)) - emptyBytes) / 1e6).toFixed(2)) }
}

const readDatabaseBytes = async (db: TestApi['db']): Promise<number> =>
  (await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(db)).rows[0]!.bytes

/** Outcome of a page in a run: one that changed has one problem more for each change. */
function buildOutcome(page: number, changes: number, isUnchanged: boolean): PageOutcome {
  const findings: Finding[] = Array.from({ length: problemCount }, (_, number) =>
    buildFinding(`main>p:${number}`, { html: `<img src="${page}-${number}">`, elementPattern: `p${number % 5}` }),
  )
  if (changes > 0) findings[0] = buildFinding(`main>h1:${changes}`, { html: `<img src="${page}-new-${changes}">` })
  return {
    ...buildCompleted(isUnchanged ? [] : findings, `<p>${page} ${changes}</p>`),
    fingerprint: `${page}-${changes}`,
    unchanged: isUnchanged,
  } as PageOutcome
}

const api = await openTestApi()
const emptyBytes = await readDatabaseBytes(api.db)
/** Records a run of the scan, with the pages that changed since the last one. */
async function recordGrowingRun(
  scanId: string,
  changes: readonly number[],
  isReusable: (page: number) => boolean,
  isCopying = false,
) {
  const run = await recordRun(
    api,
    scanId,
    pageCount,
    (page) => buildOutcome(page, changes[page]!, isReusable(page)),
    (page) => isCopying && isReusable(page),
  )
  const age = sql`make_interval(days => ${runCount + 4 - run.number}::int)`
  await sql`update run set queued_at = queued_at - ${age}, started_at = started_at - ${age}, ended_at = ended_at - ${age}
    where id = ${run.id}`.execute(api.db)
  return run
}
try {
  const scanId = ((await api.call('POST', '/scans', { body: buildScanBody('Growth') })).body as { id: string }).id
  const changes = Array.from({ length: pageCount }, () => 0)
  const runs = [await measure(api, 'first run', () => recordGrowingRun(scanId, changes, () => false))]
  runs.push(await measure(api, 'unchanged run, analyzed again', () => recordGrowingRun(scanId, changes, () => false)))
  runs.push(await measure(api, 'unchanged run, reused', () => recordGrowingRun(scanId, changes, () => true)))
  const singleRuns = Math.min(runCount, maxSingleRuns)
  const recordChangedRun = (number: number) => {
    const changedPages = new Set(
      Array.from({ length: Math.ceil(pageCount * changedShare) }, (_, index) => (number * 17 + index * 31) % pageCount),
    )
    for (const page of changedPages) changes[page]! += 1
    const isDue = (page: number) => page % reuseDays === number % reuseDays
    const isReusable = (page: number) => !changedPages.has(page) && !isDue(page)
    return recordGrowingRun(scanId, changes, isReusable, number >= singleRuns)
  }
  for (let number = 0; number < singleRuns; number++)
    runs.push(await measure(api, `run with ${changedShare * 100} % changed`, () => recordChangedRun(number)))
  if (runCount > singleRuns)
    await measure(api, `${runCount - singleRuns} more of them`, async () => {
      for (let number = singleRuns; number < runCount; number++) {
        runs.push(await recordChangedRun(number))
        // In the days between two runs, autovacuum reaches all tables; in these seconds, it does not.
        if (number % 10 === 0) await sql`vacuum`.execute(api.db)
      }
    })
  // An autovacuum comes within a minute; without one, the planner knows nothing of the new rows.
  if (options.analyze) await sql`analyze`.execute(api.db)
  console.table(await readSizes(api, emptyBytes))
  await measure(api, 'choose runs to delete', () => findDueRuns(api, 'delete', { days: 2, keepRuns: 2, limit: 100 }))
  await measure(api, 'clear contents of a run', () => clearContents(api, runs[0]!.id))
  await measure(api, 'sweep the scan', () => sweepScan(api, scanId))
  const admin = await api.token('runner', ['access', 'admin'])
  const { body: list } = await api.call('GET', `/issues?scanId=${scanId}&size=1`, { token: admin })
  const { totalElements } = (list as { page: { totalElements: number } }).page
  for (const status of ['fixed', 'open'])
    await measure(api, `${totalElements} issues ${status}`, async () => {
      const { status: code, body } = await api.call('PATCH', '/bulk/issues', {
        token: admin,
        body: { filters: { scanId: [scanId] }, selected: { selectAllMode: true }, fieldsToUpdate: { status } },
      })
      if (code !== 200) throw new Error(JSON.stringify(body))
    })
  await measure(api, 'delete the scan', async () => {
    await sql`delete from scan where id = ${scanId}`.execute(api.db)
  })
  console.table(printed)
} finally {
  await api.close()
}

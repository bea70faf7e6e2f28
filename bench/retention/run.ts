/**
 * Bytes that retention frees: those of the database and of stored contents after each of its steps, after a vacuum, after as many runs
 * again (several times: does the size level off?), after `reindex concurrently`, and after `vacuum full`.
 *
 *   npm run retention              [--pages 200] [--problems 20] [--runs 12] [--cycles 4]
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { sweepObjects } from '../../packages/server/src/monitor/page/object/service.ts'
import { removeOldData, type Retention } from '../../packages/server/src/monitor/run/retention/service.ts'
import { buildScanBody, openTestApi } from '../../packages/server/test/api.ts'
import { buildCompleted, buildFinding } from '../../packages/server/test/run.ts'
import { recordRun } from '../growth/record-run.ts'

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '200' },
    problems: { type: 'string', default: '20' },
    runs: { type: 'string', default: '12' },
    cycles: { type: 'string', default: '4' },
  },
})
const pageCount = Number(options.pages)
const problemCount = Number(options.problems)
const runCount = Number(options.runs)

const folder = mkdtempSync(join(tmpdir(), 'clearway-retention-'))
const api = await openTestApi({ environment: { CLEARWAY_OBJECTS: 'folder', CLEARWAY_OBJECTS_FOLDER: join(folder, 'objects') } })

/** Bytes of all files below the folder of objects. */
const measureObjects = (): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

type Sizes = { database: number; tables: number; indexes: number; free: number; dead: number }
/** Bytes of the database, and those within its tables that new rows can use. */
async function readSizes(): Promise<Sizes> {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const { rows } = await sql<Sizes>`
    with relation as (select oid from pg_class where relkind in ('r', 't', 'm') and relpages > 0)
    select pg_database_size(current_database())::float8 as database,
      (select sum(pg_table_size(oid))::float8 from pg_class where relkind = 'r') as tables,
      (select sum(pg_indexes_size(oid))::float8 from pg_class where relkind = 'r') as indexes,
      (select coalesce(sum(avail), 0)::float8 from relation, lateral public.pg_freespace(relation.oid)) as free,
      (select sum(n_dead_tup)::float8 from pg_stat_user_tables) as dead`.execute(api.db)
  return rows[0]!
}

const printed: Record<string, string | number>[] = []
const toMegabytes = (bytes: number): number => Number((bytes / 1e6).toFixed(1))
async function printSizes(step: string): Promise<void> {
  const sizes = await readSizes()
  printed.push({
    step,
    'database MB': toMegabytes(sizes.database),
    'tables MB': toMegabytes(sizes.tables),
    'indexes MB': toMegabytes(sizes.indexes),
    'free in tables MB': toMegabytes(sizes.free),
    'dead rows': sizes.dead,
    'objects MB': toMegabytes(measureObjects()),
  })
  console.table(printed.slice(-1))
}

/** A page that changes in each run: its source is stored again, and one of its problems is new. */
function buildOutcome(runNumber: number, page: number): PageOutcome {
  const findings = Array.from({ length: problemCount }, (_, number) =>
    buildFinding(number === 0 ? `main>h1:${runNumber}` : `main>p:${number}`, { html: `<img src="${page}-${number}">` }),
  )
  // Text that compresses to about a half, as that of pages.
  return buildCompleted(findings, `<p>${randomBytes(8000).toString('hex')}</p>`)
}

/** The sweep of objects, which is due once a day, and leaves those of the last day: they may belong to pages in progress. */
async function sweepNow(): Promise<void> {
  await sql`update object_store set swept_at = null`.execute(api.db)
  await sweepObjects(api, 0)
}
const vacuum = async (isFull: boolean) => void (await sql.raw(`vacuum (${isFull ? 'full, ' : ''}analyze)`).execute(api.db))

try {
  await sql`create extension if not exists pg_freespacemap schema public`.execute(api.db)
  const { id: scanId } = (await api.call('POST', '/scans', { body: buildScanBody('Retention') })).body as { id: string }
  await printSizes('empty')
  const recordRuns = async () => {
    for (let number = 0; number < runCount; number++) {
      await recordRun(api, scanId, pageCount, (page) => buildOutcome(number, page))
      await sql`update run set ended_at = ended_at - interval '10 days', started_at = started_at - interval '10 days',
        queued_at = queued_at - interval '10 days' where ended_at is not null`.execute(api.db)
    }
  }
  await recordRuns()
  await printSizes(`${runCount} runs of ${pageCount} pages`)
  const none: Retention = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 2, linkRuns: 3 }
  const steps = [
    { step: 'contents removed after 25 days', retention: { contentDays: 25 } },
    { step: 'runs archived after 25 days', retention: { archiveDays: 25 } },
    { step: 'runs deleted after 25 days', retention: { deleteDays: 25 } },
  ]
  for (const { step, retention } of steps) {
    await removeOldData(api, { ...none, ...retention })
    await sweepNow()
    await printSizes(step)
  }
  await vacuum(false)
  await printSizes('vacuum')
  for (let cycle = 2; cycle <= Number(options.cycles); cycle++) {
    await recordRuns()
    await printSizes(`${runCount} runs again`)
    await removeOldData(api, { ...none, contentDays: 25, archiveDays: 25, deleteDays: 25 })
    await sweepNow()
    await vacuum(false)
    await printSizes('retention and vacuum again')
  }
  await sql`reindex schema concurrently monitor`.execute(api.db)
  await printSizes('reindex concurrently')
  await vacuum(true)
  await printSizes('vacuum full')
  console.table(printed)
} finally {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
}

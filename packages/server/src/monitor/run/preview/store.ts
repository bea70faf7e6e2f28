import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { afterAllRuns, selectPreviousRunId } from '../table.ts'
import type { TestedPages } from './model.ts'

/** Reads the pages that the newest run with results tested. Null for a scan without one, and for more than `maxUrls` pages. */
export async function findTestedPages(db: MonitorDb, scanId: string, maxUrls: number): Promise<TestedPages | null> {
  const { rows: pageRows } = await sql<{ number: number; url: string | null }>`
    select run.number, p.url from run left join page p on p.run_id = run.id and p.status = 'completed' and p.source = 'automated'
      and (p.found_on is null or p.found_on ~ '^https?://')
    where run.id = ${selectPreviousRunId({ scanId, number: afterAllRuns })} order by p.id limit ${maxUrls + 1}`.execute(db)
  const [firstRow] = pageRows
  return !firstRow || pageRows.length > maxUrls
    ? null
    : { number: firstRow.number, urls: pageRows.flatMap(({ url }) => url ?? []) }
}

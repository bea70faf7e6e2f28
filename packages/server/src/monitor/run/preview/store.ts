import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { runStatus } from '../table.ts'
import type { TestedPages } from './model.ts'

/** Reads the pages that the newest run with results tested. Null for a scan without one, and for more than `maxUrls` pages. */
export async function findTestedPages(db: MonitorDb, scanId: string, maxUrls: number): Promise<TestedPages | null> {
  const lastRun = await db
    .selectFrom('run')
    .select(['id', 'number'])
    .where('scan_id', '=', scanId)
    .where(sql<boolean>`status in ${runStatus.withResults}`)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!lastRun) return null
  const pages = await db
    .selectFrom('page')
    .select('url')
    .where('run_id', '=', lastRun.id)
    .where('status', '=', 'completed')
    .where('source', '=', 'automated')
    .where((eb) => eb.or([eb('found_on', 'is', null), eb('found_on', '~', '^https?://')]))
    .orderBy('id')
    .limit(maxUrls + 1)
    .execute()
  return pages.length > maxUrls ? null : { number: lastRun.number, urls: pages.map(({ url }) => url) }
}

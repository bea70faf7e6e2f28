import type { NewEntry } from '@clearway/engine/frontier.ts'
import { sql } from 'kysely'
import { hashOf } from '../../kit/hash.ts'
import type { MonitorDb } from '../database.ts'

/** Links of one page that are kept; a page of thousands is an index. */
const mostLinks = 2000
const mostNamed = 20

/** The first eight bytes of a key's hash, as the database counts. */
const markOf = (hash: Buffer): string => hash.readBigInt64BE(0).toString()

/** Records what a page leads to, one row a page. */
export async function insertLinks(
  db: MonitorDb,
  runId: string,
  url: string,
  found: readonly NewEntry[],
): Promise<void> {
  if (found.length === 0) return
  const targets = [...new Set(found.slice(0, mostLinks).map(({ key }) => markOf(hashOf(key))))]
  await sql`insert into page_link (run_id, url, targets) values (${runId}, ${url}, ${targets}::bigint[])`.execute(
    db,
  )
}

/** The pages of a run that lead to a key, in the order in which they were visited: the first twenty, and their number. */
export async function referrersOf(
  { db }: { db: MonitorDb },
  runId: string,
  keyHash: Buffer,
): Promise<{ first: string[]; count: number }> {
  const { rows } = await sql<{ url: string; count: number }>`
    select url, count(*) over ()::int as count from page_link
    where run_id = ${runId} and targets @> array[${markOf(keyHash)}::bigint]
    order by id limit ${mostNamed}`.execute(db)
  return { first: rows.map(({ url }) => url), count: rows[0]?.count ?? 0 }
}

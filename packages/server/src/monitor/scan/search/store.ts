import { mostFound, type SearchResult } from '@clearway/contract/monitor/scan/search/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { tookTooLong } from '../../../kit/large-read.ts'
import { containing } from '../../../kit/paging.ts'
import { buildPersonName, roleHolders } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'

type Db = { db: MonitorDb }
type Visible = RawBuilder<{ scan_id: string; rank: number }>
type Rows<K extends keyof SearchResult> = SearchResult[K] extends (infer Row)[] ? Row : never

/** Names that begin with it come first. */
const nearest = (column: string, text: string) =>
  sql`order by ${sql.ref(column)} not ilike ${containing(text).slice(1)}, lower(${sql.ref(column)})`

/** Scans by their name or one of their start URLs. */
export async function scansLike({ db }: Db, visible: Visible, text: string): Promise<Rows<'scans'>[]> {
  const like = containing(text)
  const { rows } = await sql<Rows<'scans'>>`
    select s.id, s.name, s.urls[1] as url from ${visible} v join scan s on s.id = v.scan_id
    where s.name ilike ${like} or exists (select from unnest(s.urls) url where url ilike ${like})
    ${nearest('s.name', text)} limit ${mostFound}`.execute(db)
  return rows
}

/** How long pages are looked through: no index finds a part of a URL, and there may be a million. */
const pageMs = 400
/** How many such searches a process does at once: they take long, and others need its connections. */
const pageSearches = 2
let going = 0

/**
 * Pages by a part of their URL or title, the first ones that are met. Null when none were met in time, or too many search.
 * @param runs `runsInView` of the pages' store
 */
export async function pagesLike(
  { db }: Db,
  runs: RawBuilder<unknown>,
  text: string,
): Promise<Rows<'pages'>[] | null> {
  if (going >= pageSearches) return null
  const like = containing(text)
  going++
  try {
    return await inTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${String(pageMs)}, true)`.execute(trx)
      const { rows } = await sql<Rows<'pages'>>`
        select p.id, p.url, p.title, r.scan_id as "scanId", r.scan_name as "scanName", r.number as "runNumber"
        from ${runs} r cross join lateral (
          select id, url, title from page where run_id = r.run_id and status = 'completed'
            and (url ilike ${like} or title ilike ${like}) limit ${mostFound}) p
        limit ${mostFound}`.execute(trx)
      return rows
    })
  } catch (error) {
    if (tookTooLong(error)) return null
    throw error
  } finally {
    going--
  }
}

/** Rules by their name or what they say, in English; there are some two hundred. */
export async function rulesLike({ db }: Db, text: string): Promise<Rows<'rules'>[]> {
  const like = containing(text)
  const { rows } = await sql<Rows<'rules'>>`
    select * from (select distinct on (name) name as rule, help from rule
      where name ilike ${like} or help ilike ${like} order by name, id desc) t
    ${nearest('rule', text)} limit ${mostFound}`.execute(db)
  return rows
}

/** People by their name, who have a role on one of these scans. */
export async function peopleLike({ db }: Db, allowed: Visible, text: string): Promise<Rows<'people'>[]> {
  const { rows } = await sql<Rows<'people'>>`
    select * from (select p.id, ${buildPersonName('p')} as name from person p
      where p.username ilike ${containing(text)} or ${buildPersonName('p')} ilike ${containing(text)}) t
    where exists (select from ${roleHolders} h join ${allowed} v on v.scan_id = h.scan_id where h.person_id = t.id)
    ${nearest('name', text)} limit ${mostFound}`.execute(db)
  return rows
}

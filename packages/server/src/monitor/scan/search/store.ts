import { maxSearchResults, type SearchResult } from '@clearway/contract/monitor/scan/search/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { isStatementTimeout } from '../../../kit/large-read.ts'
import { buildContainsPattern, buildUrlSearch } from '../../../kit/paging.ts'
import { buildPersonName, buildShownUsername, roleHolders } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { commonHits, limitToPageText } from '../../page/version/table.ts'

type DatabaseDeps = { db: MonitorDb }
type VisibleScans = RawBuilder<{ scan_id: string; rank: number }>
type ResultRow<K extends keyof SearchResult> = SearchResult[K] extends (infer Row)[] ? Row : never

/** Orders names that start with the text first. */
const orderByPrefix = (columnName: string, searchText: string) =>
  sql`order by ${sql.ref(columnName)} not ilike ${buildContainsPattern(searchText).slice(1)}, lower(${sql.ref(columnName)})`

export async function searchScans(
  { db }: DatabaseDeps,
  visible: VisibleScans,
  searchText: string,
): Promise<ResultRow<'scans'>[]> {
  const searchPattern = buildContainsPattern(searchText)
  const { rows: scanRows } = await sql<ResultRow<'scans'>>`
    select s.id, s.name, s.urls[1] as url from ${visible} v join scan s on s.id = v.scan_id
    where s.name ilike ${searchPattern} or exists (select from unnest(s.urls) url where ${buildUrlSearch(sql`url`, searchText)})
    ${orderByPrefix('s.name', searchText)} limit ${maxSearchResults}`.execute(db)
  return scanRows
}

/** Time limit of a page search: texts of less than three letters have no index, and there may be a million pages. */
const pageSearchTimeoutMs = 400
/** Maximum number of concurrent page searches of a process, since they block its connections for long. */
const maxConcurrentSearches = 2
let activeSearches = 0

/**
 * Some pages by parts of their URL or title. Null after the timeout, or when too many searches are in progress.
 * @param runs `runsInView` of the pages' store
 */
export async function searchPages(
  { db }: DatabaseDeps,
  runs: RawBuilder<{ run_id: string }>,
  searchText: string,
): Promise<ResultRow<'pages'>[] | null> {
  if (activeSearches >= maxConcurrentSearches) return null
  const searchPattern = buildContainsPattern(searchText)
  activeSearches++
  try {
    return await inTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${String(pageSearchTimeoutMs)}, true)`.execute(trx)
      const { rows: pageRows } = await sql<ResultRow<'pages'>>`
        select p.id, p.url, p.title, r.scan_id as "scanId", r.scan_name as "scanName", r.number as "runNumber"
        from ${limitToPageText(runs, searchText, commonHits)} r cross join lateral (
          select id, url, title from page where run_id = r.run_id and status = 'completed'
            and (${buildUrlSearch(sql`url`, searchText)} or title ilike ${searchPattern}) limit ${maxSearchResults}) p
        limit ${maxSearchResults}`.execute(trx)
      return pageRows
    })
  } catch (error) {
    if (isStatementTimeout(error)) return null
    throw error
  } finally {
    activeSearches--
  }
}

/** Rules by parts of their English name or help; there are some two hundred. */
export async function searchRules({ db }: DatabaseDeps, searchText: string): Promise<ResultRow<'rules'>[]> {
  const searchPattern = buildContainsPattern(searchText)
  const { rows: ruleRows } = await sql<ResultRow<'rules'>>`
    select * from (select distinct on (name) name as rule, help from rule
      where name ilike ${searchPattern} or help ilike ${searchPattern} order by name, id desc) t
    ${orderByPrefix('rule', searchText)} limit ${maxSearchResults}`.execute(db)
  return ruleRows
}

/** People by parts of their name, who have a role on one of these scans. */
export async function searchPeople(
  { db }: DatabaseDeps,
  allowedScans: VisibleScans,
  searchText: string,
): Promise<ResultRow<'people'>[]> {
  const { rows: personRows } = await sql<ResultRow<'people'>>`
    select * from (select p.id, ${buildPersonName('p')} as name from person p
      where ${buildShownUsername('p')} ilike ${buildContainsPattern(searchText)} or ${buildPersonName('p')} ilike ${buildContainsPattern(searchText)}) t
    where exists (select from ${roleHolders} h join ${allowedScans} v on v.scan_id = h.scan_id where h.person_id = t.id)
    ${orderByPrefix('name', searchText)} limit ${maxSearchResults}`.execute(db)
  return personRows
}

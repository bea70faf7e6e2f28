import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { type InsertObject, type RawBuilder, sql, type UpdateObject } from 'kysely'
import { buildContainsPattern, buildUrlSearch } from '../../../kit/paging.ts'
import { toStoredJson } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import type { PageTables, PageVersion } from '../table.ts'

/** Values of a version; the others are as for a page that was not visited. */
export type VersionValues = Partial<PageVersion> & Pick<PageVersion, 'url' | 'depth'>
/** Values of a page of a run; `notices` may be empty. */
export type RunPageValues = Omit<InsertObject<PageTables, 'run_page'>, 'version_id' | 'notices'> & { notices?: PageNotice[] }

/** Minimum length of a text that an index finds. */
const minIndexedLength = 3
/** A search that ends early looks for a text with so many hits in all scans: finding the hits would take longer. */
export const commonHits = 1000

/** The versions of pages whose URL contains a text. An index finds them. */
export const selectUrlHits = (searchText: string) =>
  sql`select v.scan_id from page_version v where ${buildUrlSearch(sql`v.url`, searchText)}`
/**
 * The runs of the scans in which an index finds a text, or all runs for a text that is short, or common in a search that ends early.
 * @param hits a statement for the rows with the text, as (scan_id). Materialized: a planner that expects many of them would
 *   otherwise read the table up to the limit, without the index
 * @param isAlways condition for a text for which all runs are searched
 * @param maxHits number of hits of a common text; null where all hits are read anyway
 */
export const limitToHits = <Run extends RawBuilder<unknown>>(
  runs: Run,
  searchText: string,
  hits: RawBuilder<unknown>,
  isAlways: RawBuilder<unknown> = sql`false`,
  maxHits: number | null = null,
): Run =>
  searchText.length < minIndexedLength
    ? runs
    : (sql`(with hit as materialized (${hits}),
        hit_scan as (select count(*) as hits, array_agg(distinct scan_id) as ids from (select scan_id from hit limit ${maxHits}::int) h)
        select r.* from ${runs} r, hit_scan where r.scan_id = any(hit_scan.ids) or hit_scan.hits = ${maxHits}::int or ${isAlways})` as Run)

/** The runs that may have a page with a text in its URL or title: a search over all scans reads no others. */
export const limitToPageText = (
  runs: RawBuilder<{ run_id: string }>,
  searchText: string,
  maxHits: number | null = null,
): RawBuilder<{ run_id: string }> =>
  limitToHits(
    runs,
    searchText,
    sql`${selectUrlHits(searchText)} union all
      select v.scan_id from page_version v where v.title ilike ${buildContainsPattern(searchText)}`,
    sql`false`,
    maxHits,
  )

const toHex = (hash: Buffer): string => String.raw`\x${hash.toString('hex')}`
const toJson = ({ content_hash = null, views = [], ...values }: VersionValues): string =>
  toStoredJson({
    source: 'automated',
    ...values,
    content_hash: content_hash && toHex(content_hash),
    views: views.map(toHex),
  })

/** Finds or stores a version. The caller holds the evidence lock of the scan: no sweep removes it before a page refers to it. */
async function storeVersion(db: MonitorDb, scanId: string, version: VersionValues): Promise<string> {
  const values = toJson(version)
  const { rows: putRows } = await sql<{ hash: Buffer; id: string | null }>`
    select put.hash, stored.id
    from (select page_version_hash(v) as hash from jsonb_populate_record(null::page_version, ${values}::jsonb) v) put
    left join page_version stored on stored.scan_id = ${scanId} and stored.hash = put.hash`.execute(db)
  const { hash, id: foundId } = putRows[0]!
  if (foundId !== null) return foundId
  const { rows: insertedRows } = await sql<{ id: string }>`
    insert into page_version overriding user value
    select v.* from jsonb_populate_record(null::page_version, ${values}::jsonb || jsonb_build_object('scan_id', ${scanId}::uuid, 'hash', ${hash}::bytea)) v
    on conflict (scan_id, hash) do nothing returning id`.execute(db)
  if (insertedRows[0]) return insertedRows[0].id
  // Another transaction has stored it since; a new statement sees it.
  const { id } = await db
    .selectFrom('page_version')
    .select('id')
    .where('scan_id', '=', scanId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return id
}

/** Counts of issues, of which most are none. */
const counters = ['critical', 'serious', 'moderate', 'minor', 'needs_review', 'fixed', 'not_rechecked', 'not_stored'] as const
const listCounts = (page: RunPageValues) =>
  Object.fromEntries(counters.map((name) => [name, page[name] === 0 ? null : page[name]]))

/**
 * The columns of pages by which lists filter, sort and sum, for the pages of many runs: versions are joined, and not looked up column
 * by column. Left, so that a list without their columns does not read them.
 */
export const buildVersionedPages = (
  pages: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(select p.id, p.run_id, p.key_hash, p.status, p.health, p.failure, p.exclusion,
    ${sql.join(counters.map((name) => sql`coalesce(p.${sql.ref(name)}, 0) as ${sql.ref(name)}`))},
    p.analysed_at, p.duration_ms, v.url, v.title, v.source, v.depth, v.http_status, v.template
  from ${pages} p left join page_version v on v.id = p.version_id)`
export const versionedPages = buildVersionedPages(sql`run_page`)

/** The pages of some runs, given as (run_id), read run by run: a planner that expects many would read those of all runs. */
export const selectPagesOfRuns = (runs: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select p.* from run_page p where p.run_id = any(array(select r.run_id from ${runs} r)) offset 0)`

/** Checks whether an index finds the pages of a search over all scans, so that their versions are found first. */
export const isFoundByIndex = ({ search, scanId }: { search?: string | undefined; scanId: readonly string[] }): boolean =>
  search !== undefined && search.length >= minIndexedLength && scanId.length === 0

/** Parts of a `with` clause: pages of some runs with a text in their URL or title, as `hit_page`, with the columns of `run_page`. */
export const buildPageHits = (runs: RawBuilder<unknown>, searchText: string): RawBuilder<unknown> => sql`
  page_text as materialized (select v.id, v.scan_id from page_version v
    where ${buildUrlSearch(sql`v.url`, searchText)} or v.title ilike ${buildContainsPattern(searchText)}),
  hit_page as materialized (select p.* from ${selectPagesOfRuns(
    sql`(select r.run_id from ${runs} r where r.scan_id in (select scan_id from page_text))`,
  )} p where p.version_id in (select id from page_text))`

/** No notices are stored as null. */
const dropEmpty = (notices: PageNotice[] = []): PageNotice[] | null => (notices.length > 0 ? notices : null)

/** Stores a page of a run. The caller holds the evidence lock of the scan. */
export async function insertPage(db: MonitorDb, scanId: string, page: RunPageValues, version: VersionValues): Promise<void> {
  const versionId = await storeVersion(db, scanId, version)
  await db
    .insertInto('run_page')
    .values({ ...page, ...listCounts(page), notices: dropEmpty(page.notices), version_id: versionId })
    .execute()
}

/** Replaces values of a page of a run and of its version. The caller holds the evidence lock of the scan. */
export async function updatePage(
  db: MonitorDb,
  { id, scanId }: { id: string; scanId: string },
  page: UpdateObject<PageTables, 'run_page'> & { notices: PageNotice[] },
  version: Partial<VersionValues>,
): Promise<void> {
  const foundVersion = await db
    .selectFrom('page')
    .select(['url', 'source', 'found_on', 'depth'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const versionId = await storeVersion(db, scanId, { ...foundVersion, ...version })
  await db
    .updateTable('run_page')
    .set({ ...page, notices: dropEmpty(page.notices), version_id: versionId })
    .where('id', '=', id)
    .execute()
}

/** Deletes versions of a scan that no page refers to any more. The caller holds the evidence lock of the scan, exclusively. */
export async function deleteUnusedVersions(db: MonitorDb, scanId: string): Promise<void> {
  await sql`delete from page_version where id in (
    select id from page_version where scan_id = ${scanId}
    except select p.version_id from run r join run_page p on p.run_id = r.id where r.scan_id = ${scanId})`.execute(db)
}

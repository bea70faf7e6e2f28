import { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import {
  comparedWallNotices,
  computeContainment,
  findRepeatedPages,
  isUnlikeLastTime,
  lastingWallNotices,
  minProvingShare,
  minRepeatedUrls,
  type RepeatablePage,
  unconfirmedNotice,
  type WallNotice,
} from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { type RawBuilder, sql } from 'kysely'
import { parseStoredOrNull } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../../issue/model.ts'
import { isWalled } from '../../page/table.ts'

type ComparedPage = Pick<StoredPage, 'scanId' | 'runId' | 'runNumber' | 'keyHash'>

/**
 * Evidence of the last visit of a page that no wall disturbed, up to a run. However many runs met a wall since, it stays the
 * measure until a person accepts the page; an unconfirmed disappearance is the measure of the next run. The inner
 * limit keeps the order of the runs: one index look-up each.
 */
const selectLastEvidence = (page: { scanId: RawBuilder<unknown>; keyHash: RawBuilder<unknown>; runNumber: number }) => sql`
  (select visit.evidence from run earlier cross join lateral (
      select p.evidence from page p where p.run_id = earlier.id and p.key_hash = ${page.keyHash} and p.status = 'completed'
        and p.evidence is not null and not p.notices && ${[...lastingWallNotices]}::text[]
        and (earlier.number < ${page.runNumber}::int or not ${isWalled('p')}) limit 1) visit
    where earlier.scan_id = ${page.scanId} and earlier.number <= ${page.runNumber}::int
    order by earlier.number desc limit 1)`

/** The last evidence of a page, up to this run; null for none. */
async function findLastEvidence(db: MonitorDb, { scanId, keyHash, runNumber }: ComparedPage): Promise<PageEvidence | null> {
  const lastEvidence = selectLastEvidence({ scanId: sql`${scanId}::uuid`, keyHash: sql`${keyHash}`, runNumber })
  const { rows: evidenceRows } = await sql<{ evidence: unknown }>`select ${lastEvidence} as evidence`.execute(db)
  return parseStoredOrNull(PageEvidence, evidenceRows[0]?.evidence)
}

/** Keys of URLs of this run that redirect to a start page. */
async function listRedirectSources(db: MonitorDb, runId: string, targetUrls: readonly string[]): Promise<Buffer[]> {
  const { rows: sourceRows } = await sql<{ key_hash: Buffer }>`select key_hash from page
    where run_id = ${runId} and exclusion = 'redirect' and depth = 0 and leads_to = any(${[...targetUrls]}::text[])
    limit 10`.execute(db)
  return sourceRows.map(({ key_hash }) => key_hash)
}

/**
 * Compares a page with its last whole visit, which may show a wall. The target of a start URL that redirects is compared
 * with what this URL showed before.
 * @returns the walls, the evidence to store, and the share of the words of that visit that are still there
 */
export async function compareWithLastVisit(
  db: MonitorDb,
  page: ComparedPage,
  outcome: PageOutcome,
  { url, depth }: { url: string; depth: number },
): Promise<{ walls: WallNotice[]; evidence: PageEvidence | null; retained: number | null }> {
  if (outcome.kind !== 'completed' || !outcome.evidence) return { walls: [], evidence: null, retained: null }
  const lastEvidence = await findLastEvidence(db, page)
  const comparedEvidence = [lastEvidence]
  if (!lastEvidence && depth === 0)
    for (const keyHash of await listRedirectSources(db, page.runId, [url, outcome.finalUrl]))
      comparedEvidence.push(await findLastEvidence(db, { ...page, keyHash }))
  const { evidence } = outcome
  const isUnlike = comparedEvidence.some((previous) => previous && isUnlikeLastTime(evidence, previous))
  const retained = lastEvidence && Math.round(computeContainment(lastEvidence.words, evidence.words) * 100) / 100
  return { walls: isUnlike ? ['unlike-last-time'] : [], evidence: { ...evidence, retained }, retained }
}

/** Returns true if a page that is visited again still lacks what it had before most issues of its run disappeared. */
export async function isStillDisappeared(db: MonitorDb, pageId: string, retained: number | null): Promise<boolean> {
  if (retained !== null && retained >= minProvingShare) return false
  const { rows: pageRows } = await sql`select 1 from page
    where id = ${pageId} and ${unconfirmedNotice} = any(notices)`.execute(db)
  return pageRows.length > 0
}

/** Completed pages of a run whose text is on several pages. */
async function listRepeatablePages(db: MonitorDb, runId: string): Promise<(RepeatablePage & { id: string })[]> {
  const { rows: pageRows } = await sql<RepeatablePage & { id: string }>`
    select * from (select id, url, canonical, evidence ->> 'textHash' as "textHash", (evidence ->> 'textLength')::int as "textLength",
        count(*) over (partition by evidence ->> 'textHash') as copies
      from page where run_id = ${runId} and status = 'completed' and evidence ->> 'textHash' is not null
        and coalesce(found_on, '') not like 'script:%') counted
    where copies >= ${minRepeatedUrls}`.execute(db)
  return pageRows
}

/**
 * Ids of pages of a run that show the same text on several URLs. A page that showed this text at its last whole visit has no other
 * content.
 */
export async function listRepeatedPageIds(
  db: MonitorDb,
  { runId, number }: { runId: string; number: number },
  completedCount: number,
): Promise<string[]> {
  const repeatedPages = findRepeatedPages(await listRepeatablePages(db, runId), completedCount)
  if (repeatedPages.length === 0) return []
  const lastEvidence = selectLastEvidence({ scanId: sql`page.scan_id`, keyHash: sql`page.key_hash`, runNumber: number - 1 })
  const { rows } = await sql<{ id: string }>`
    select id from page where run_id = ${runId} and id = any(${repeatedPages.map(({ id }) => id)}::uuid[])
      and ${lastEvidence} ->> 'textHash' is distinct from evidence ->> 'textHash'`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Marks the pages of a run that show the same text on several URLs: they have no health.
 * @returns true if there are any, so that the run has to be counted again
 */
export async function markRepeatedPages(
  db: MonitorDb,
  run: { runId: string; number: number },
  completedCount: number,
): Promise<boolean> {
  const pageIds = await listRepeatedPageIds(db, run, completedCount)
  if (pageIds.length === 0) return false
  const notice: WallNotice = 'same-as-other-pages'
  await sql`update run_page set notices = array_append(notices, ${notice}), health = null
    where run_id = ${run.runId} and id = any(${pageIds}::uuid[])`.execute(db)
  return true
}

/** Returns true if a page of the run has a wall that was concluded from other visits. */
export async function hasComparedWalls(db: MonitorDb, runId: string): Promise<boolean> {
  const { rows: pageRows } = await sql`select 1 from page
    where run_id = ${runId} and status = 'completed' and notices && ${[...comparedWallNotices]}::text[] limit 1`.execute(db)
  return pageRows.length > 0
}

/**
 * Removes the notices of walls that were concluded from other visits, for a run whose pages a person accepts.
 * @returns the ids of these pages
 */
export async function acceptComparedPages(db: MonitorDb, runId: string): Promise<string[]> {
  const compared = [...comparedWallNotices]
  const { rows: pageRows } = await sql<{ id: string }>`update run_page
    set notices = (select array_agg(notice) from unnest(notices) notice where notice <> all(${compared}::text[]))
    where run_id = ${runId} and notices && ${compared}::text[] returning id`.execute(db)
  return pageRows.map(({ id }) => id)
}

/** Returns true if a page that is visited again shows the same text as other pages of its run, and not as the last time. */
export async function isRepeatedInRun(
  db: MonitorDb,
  storedPage: StoredPage,
  url: string,
  { evidence, signature }: Extract<PageOutcome, { kind: 'completed' }>,
): Promise<boolean> {
  const { id, runId } = storedPage
  if (!evidence || evidence.textHash === null) return false
  if ((await findLastEvidence(db, storedPage))?.textHash === evidence.textHash) return false
  const { rows: pageRows } = await sql<RepeatablePage & { completed: number }>`
    select p.url, p.canonical, p.evidence ->> 'textHash' as "textHash", (p.evidence ->> 'textLength')::int as "textLength", run.completed
    from page p join run on run.id = p.run_id where p.run_id = ${runId} and p.status = 'completed' and p.id <> ${id}
      and p.evidence ->> 'textHash' = ${evidence.textHash} limit 1000`.execute(db)
  const { textHash, textLength } = evidence
  const visitedPage: RepeatablePage = { url, textHash, textLength, canonical: signature?.canonical ?? null }
  return findRepeatedPages([visitedPage, ...pageRows], pageRows[0]?.completed ?? 1).length > 0
}

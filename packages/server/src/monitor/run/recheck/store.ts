import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../../issue/model.ts'
import { blobHash } from '../../page/model.ts'
import { tagsOf } from '../../ruleset/model.ts'
import { lockRun } from '../frontier/store.ts'
import { cleanText, type RecordDeps, limitFindings, type StoreFindings } from '../outcome/store.ts'
import { prepareBlobs, storeBlobs, getViews } from '../blob/store.ts'
import type { RunTables } from '../table.ts'
import { isPresent } from '../../issue/table.ts'
import { planSettings } from '../store.ts'
import { namesEvidence } from '../../page/table.ts'

type Db = { db: MonitorDb }
export type RecheckRow = Selectable<RunTables['recheck']> & { status: string }

/** Pages that a run opened by itself: not uploaded ones, not states of a script, not URLs that were excluded. */
const visitedByRun = sql`p.source = 'automated' and p.status in ('completed', 'failed') and p.url ~ '^https?://'
  and coalesce(p.found_on, '') not like 'script:%'`

export async function findRecheck({ db }: Db, pageId: string): Promise<RecheckRow | null> {
  const { rows } = await sql<RecheckRow>`select r.*, p.status from recheck r join page p on p.id = r.page_id
    where r.page_id = ${pageId}`.execute(db)
  return rows[0] ?? null
}

/** Puts a page on the list, unless it is there already; what came of an earlier re-check is forgotten. */
export async function insertRecheck(
  { db }: Db,
  pageId: string,
  personId: string,
): Promise<{ runId: string } | 'run-active' | 'not-recheckable'> {
  const { rows } = await sql<{ run_id: string; active: boolean; fit: boolean }>`
    select p.run_id, exists (select from run a where a.scan_id = p.scan_id and a.ended_at is null) as active,
      (${visitedByRun} and s.last_run_id = p.run_id and run.archived_at is null) as fit
    from page p join run on run.id = p.run_id join scan s on s.id = p.scan_id where p.id = ${pageId}`.execute(
    db,
  )
  const [page] = rows
  if (!page) return 'not-recheckable'
  if (page.active) return 'run-active'
  if (!page.fit) return 'not-recheckable'
  await sql`insert into recheck (page_id, run_id, state, requested_by)
    values (${pageId}, ${page.run_id}, 'waiting', ${personId})
    on conflict (page_id) do update set state = 'waiting', requested_by = excluded.requested_by, requested_at = now(),
      automatic = false, token = null, lease_until = null, attempts = 0, ended_at = null, failure = null, detail = null,
      issues = null
    where recheck.state not in ('waiting', 'working')`.execute(db)
  // What waits for the product's sake comes sooner when somebody asks for it.
  await sql`update recheck set automatic = false, requested_by = ${personId}
    where page_id = ${pageId} and automatic and state in ('waiting', 'working')`.execute(db)
  return { runId: page.run_id }
}

/** A re-check in work: whose page it is, and what the run worked by. `token` fences, as a claim's does. */
export type RecheckClaim = {
  page_id: string
  token: string
  attempts: number
  url: string
  key_hash: Buffer
  run_id: string
  scan_id: string
  number: number
  /** `ScanSettings` of the run. */
  settings: unknown
}

export const recheckLeaseSeconds = 60

/** The re-check that waits longest, people's first, or whose worker was lost; null when there is none. */
export async function claimRecheck({ db }: Db): Promise<RecheckClaim | null> {
  const { rows } = await sql<RecheckClaim>`
    with next as (select page_id from recheck
        where state in ('waiting', 'working') and (state = 'waiting' or lease_until < now())
        order by automatic, requested_at limit 1 for update skip locked),
      mine as (update recheck r set state = 'working', token = ${newId()}, attempts = r.attempts + 1,
        lease_until = now() + make_interval(secs => ${recheckLeaseSeconds}::int)
        from next where next.page_id = r.page_id returning r.*)
    select mine.page_id, mine.token, mine.attempts, p.url, p.key_hash, p.run_id, p.scan_id, run.number, plan.settings
    from mine join page p on p.id = mine.page_id join run on run.id = p.run_id join run_plan plan on plan.run_id = run.id`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function renewRecheck({ db }: Db, { page_id, token }: RecheckClaim): Promise<void> {
  await sql`update recheck set lease_until = now() + make_interval(secs => ${recheckLeaseSeconds}::int)
    where page_id = ${page_id} and token = ${token}`.execute(db)
}

/** Gives a re-check back that nobody could work on to its end. */
export async function releaseRecheck({ db }: Db, { page_id, token }: RecheckClaim): Promise<void> {
  await sql`update recheck set state = 'waiting', token = null, lease_until = null, attempts = attempts - 1
    where page_id = ${page_id} and token = ${token}`.execute(db)
}

/** The issues' side of a re-check, in the same transaction. */
export type RecheckIssues = {
  storeFindings: StoreFindings
  /** Sets what the run saw of the page aside, as the table `rechecked`. */
  setAside: (db: MonitorDb, page: StoredPage) => Promise<void>
  /** Decides about what was set aside; answers how many are new, back, fixed, still there. */
  recordRechecked: (
    db: MonitorDb,
    page: StoredPage,
    how: { tags: readonly string[]; notices: readonly string[] },
  ) => Promise<number[]>
  recountPages: (db: MonitorDb, touched: RawBuilder<unknown>) => Promise<void>
  recountRuns: (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>
}

type Completed = Extract<PageOutcome, { kind: 'completed' }>

async function replacePage(
  db: MonitorDb,
  claim: RecheckClaim,
  outcome: Completed,
  { notStored, notices }: { notStored: number; notices: PageNotice[] },
) {
  await db
    .updateTable('page')
    .set({
      final_url: outcome.finalUrl,
      title: cleanText(outcome.title),
      status: 'completed',
      failure: null,
      detail: cleanText(outcome.detail ?? null),
      http_status: outcome.httpStatus,
      mime_type: outcome.mimeType,
      duration_ms: Math.round(outcome.durationMs),
      notices,
      not_stored: notStored,
      content_hash: outcome.content === null ? null : blobHash(claim.scan_id, outcome.content),
      views: getViews(outcome).map((view) => blobHash(claim.scan_id, view)),
      analysed_at: sql<Date>`now()`,
      fingerprint: outcome.fingerprint ?? null,
      carried_from: null,
    })
    .where('id', '=', claim.page_id)
    .execute()
}

/** Locks the scan against new runs; false when one has begun since, or the re-check is not ours any more. */
async function isCurrent(db: MonitorDb, claim: RecheckClaim): Promise<boolean> {
  const { rows } = await sql`select 1 from scan where id = ${claim.scan_id} and deleted_at is null
    and last_run_id = ${claim.run_id} for share`.execute(db)
  const mine = await sql`select 1 from recheck r join page p on p.id = r.page_id
    where r.page_id = ${claim.page_id} and r.token = ${claim.token} for update of r`.execute(db)
  return rows.length > 0 && mine.rows.length > 0
}

/**
 * Puts what a re-check found in the place of what its run had found on the page, and counts the page again, and the run
 * where that is due. Once, all or nothing.
 * @returns false when a newer run has begun meanwhile: nothing was recorded
 */
export async function storeRechecked(
  deps: Db & RecheckIssues & Pick<RecordDeps, 'issuesPerPage' | 'objects'>,
  claim: RecheckClaim,
  outcome: Completed,
): Promise<boolean> {
  const stored = limitFindings(deps, outcome)
  const blobs = await prepareBlobs({ ...deps, scanId: claim.scan_id }, [
    { outcome, findings: stored.findings },
  ])
  return inTransaction(deps.db, async (trx) => {
    await namesEvidence(claim.scan_id).execute(trx)
    if (!(await isCurrent(trx, claim))) return false
    const page: StoredPage = {
      id: claim.page_id,
      runId: claim.run_id,
      scanId: claim.scan_id,
      runNumber: claim.number,
      keyHash: claim.key_hash,
    }
    await storeBlobs(trx, claim.scan_id, blobs)
    await deps.storeFindings(trx, page, stored.findings, () => deps.setAside(trx, page))
    await replacePage(trx, claim, outcome, stored)
    const tags = tagsOf(planSettings(claim.run_id, claim.settings).ruleSet)
    const issues = await deps.recordRechecked(trx, page, { tags, notices: stored.notices })
    await lockRun(trx, claim.run_id)
    await deps.recountPages(
      trx,
      sql`(select ${claim.run_id}::uuid as run_id, ${claim.page_id}::uuid as page_id)`,
    )
    await sql`update run set rechecked = rechecked + 1 where id = ${claim.run_id}`.execute(trx)
    const ended = await sql<{ automatic: boolean }>`
      update recheck set state = 'done', issues = ${issues}::int[], ended_at = now(), token = null
      where page_id = ${claim.page_id} returning automatic`.execute(trx)
    await countDue({ ...deps, db: trx }, { runId: claim.run_id, automatic: ended.rows[0]!.automatic })
    return true
  })
}

/**
 * Ends a re-check that changed nothing: the page did not complete, or a newer run has begun. Others of the run may have waited
 * for it to be counted.
 * @returns which runs were counted
 */
export async function endRecheck(
  deps: Db & Pick<RecheckIssues, 'recountRuns'>,
  { page_id, token, run_id }: RecheckClaim,
  end: { state: 'failed' | 'stale'; failure: string | null; detail: string | null },
): Promise<string[]> {
  return inTransaction(deps.db, async (trx) => {
    const { rows } = await sql<{ automatic: boolean }>`
      update recheck set state = ${end.state}, failure = ${end.failure}, detail = ${cleanText(end.detail)},
      ended_at = now(), token = null where page_id = ${page_id} and token = ${token} returning automatic`.execute(
      trx,
    )
    const [ended] = rows
    if (!ended) return []
    // Of two that end at the same time the second one sees the first.
    await lockRun(trx, run_id)
    return countDue({ ...deps, db: trx }, { runId: run_id, automatic: ended.automatic })
  })
}

/** Into so many parts the pages of a run are divided that are analysed again one after the other: it is counted after each. */
const steps = 20

/**
 * Counts runs whose pages were analysed again: at the end, and in steps until then. To count is a look at the whole run, so
 * that one for each of its pages would be quadratic.
 * @param only one run, of which a re-check has ended. One that somebody asked for does not wait for the product's own. Left out: all
 * that nobody else changes just now; they come again.
 * @returns which were counted
 */
export async function countDue(
  deps: Db & Pick<RecheckIssues, 'recountRuns'>,
  only?: { runId: string; automatic: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from run where rechecked > 0 and archived_at is null ${only ? sql`and id = ${only.runId}` : sql``}
      and (rechecked * ${steps}::int >= completed or not exists (select from recheck r
        where r.run_id = run.id and r.state in ('waiting', 'working') and (${only?.automatic ?? true} or not r.automatic)))
    order by id for no key update ${only ? sql`` : sql`skip locked`}`.execute(deps.db)
  for (const { id } of rows) {
    await deps.recountRuns(deps.db, sql`(select ${id}::uuid as run_id)`)
    await sql`update run set rechecked = 0,
      total_issues = (select count(*)::int from finding f where f.run_id = run.id and ${isPresent('f')}),
      carried = (select count(*)::int from page p where p.run_id = run.id and p.carried_from is not null)
      where id = ${id}`.execute(deps.db)
  }
  return rows.map(({ id }) => id)
}

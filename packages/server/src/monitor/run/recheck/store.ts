import { maxRecheckedPages } from '@clearway/contract/monitor/run/recheck/schema.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { unconfirmedNotice } from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { toStoredJson } from '../../../kit/stored.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../../issue/model.ts'
import { blobHash } from '../../page/model.ts'
import { listRuleTags } from '../../ruleset/model.ts'
import { lockRun } from '../frontier/store.ts'
import { cleanText, getContentColumns, type RecordDeps, limitFindings, type StoreFindings } from '../outcome/store.ts'
import { prepareBlobs, storeBlobs, getViews } from '../blob/store.ts'
import type { RunTables } from '../table.ts'
import { isPresent } from '../../issue/table.ts'
import { parsePlanSettings } from '../store.ts'
import { updatePage } from '../../page/version/table.ts'
import { isBannerPage, isUnproved, isWalled, lockEvidenceShared } from '../../page/table.ts'
import { updateWallEnding } from '../finish/store.ts'
import { findSharedTitle } from '../title/store.ts'
import { compareWithLastVisit, isRepeatedInRun, isStillDisappeared } from '../wall/store.ts'

type DatabaseDeps = { db: MonitorDb }
export type RecheckRow = Selectable<RunTables['recheck']> & { status: string }

/** Pages that a run visited itself: not uploads, states of a script, banners, or excluded URLs. */
const isVisitedByRun = sql`p.source = 'automated' and p.status in ('completed', 'failed') and p.url ~ '^https?://'
  and coalesce(p.found_on, '') not like 'script:%' and not ${isBannerPage('p')}`

export async function findRecheck({ db }: DatabaseDeps, pageId: string): Promise<RecheckRow | null> {
  const { rows: recheckRows } = await sql<RecheckRow>`select r.*, p.status from recheck r join page p on p.id = r.page_id
    where r.page_id = ${pageId}`.execute(db)
  return recheckRows[0] ?? null
}

/** Requests a re-check again that has ended. */
const repeatEnded = sql`on conflict (page_id) do update set state = 'waiting', requested_by = excluded.requested_by,
    requested_at = now(), automatic = false, token = null, lease_until = null, attempts = 0, ended_at = null, failure = null,
    detail = null, issues = null
  where recheck.state not in ('waiting', 'working')`

/** Requests re-checks of the newest run's pages that were not seen, not proved signed in, or have issues not tested again. */
export async function insertDoubtfulRechecks(
  { db }: DatabaseDeps,
  { scanId, number }: { scanId: string; number: number },
  personId: string,
): Promise<{ runId: string; pages: number } | 'run-active' | 'not-recheckable'> {
  const { rows: runRows } = await sql<{ id: string; active: boolean; fit: boolean }>`
    select run.id, exists (select from run a where a.scan_id = s.id and a.ended_at is null) as active,
      (s.last_run_id = run.id and run.archived_at is null) as fit
    from run join scan s on s.id = run.scan_id where s.id = ${scanId} and run.number = ${number}::int`.execute(db)
  const [runRow] = runRows
  if (!runRow) return 'not-recheckable'
  if (runRow.active) return 'run-active'
  if (!runRow.fit) return 'not-recheckable'
  const { rows: pageRows } = await sql`insert into recheck (page_id, run_id, state, requested_by)
    select p.id, p.run_id, 'waiting', ${personId} from page p
    where p.run_id = ${runRow.id} and ${isVisitedByRun} and (p.not_rechecked > 0 or ${isWalled('p')} or ${isUnproved('p')})
    order by p.depth, p.id limit ${maxRecheckedPages} ${repeatEnded} returning 1`.execute(db)
  return { runId: runRow.id, pages: pageRows.length }
}

/** Requests a re-check of a page, unless already requested; overwrites the result of an earlier one. */
export async function insertRecheck(
  { db }: DatabaseDeps,
  pageId: string,
  personId: string,
): Promise<{ runId: string } | 'run-active' | 'not-recheckable'> {
  const { rows: pageRows } = await sql<{ run_id: string; active: boolean; fit: boolean }>`
    select p.run_id, exists (select from run a where a.scan_id = p.scan_id and a.ended_at is null) as active,
      (${isVisitedByRun} and s.last_run_id = p.run_id and run.archived_at is null) as fit
    from page p join run on run.id = p.run_id join scan s on s.id = p.scan_id where p.id = ${pageId}`.execute(db)
  const [pageRow] = pageRows
  if (!pageRow) return 'not-recheckable'
  if (pageRow.active) return 'run-active'
  if (!pageRow.fit) return 'not-recheckable'
  await sql`insert into recheck (page_id, run_id, state, requested_by)
    values (${pageId}, ${pageRow.run_id}, 'waiting', ${personId}) ${repeatEnded}`.execute(db)
  // A user's request raises the priority of an automatic re-check.
  await sql`update recheck set automatic = false, requested_by = ${personId}
    where page_id = ${pageId} and automatic and state in ('waiting', 'working')`.execute(db)
  return { runId: pageRow.run_id }
}

/** A claimed re-check: its page and the run's settings. `token` fences like that of a page claim. */
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

/** Claims the longest waiting re-check, users' first, or one whose worker was lost; null for none. */
export async function claimRecheck({ db }: DatabaseDeps): Promise<RecheckClaim | null> {
  const { rows: claimRows } = await sql<RecheckClaim>`
    with next as (select page_id from recheck
        where state in ('waiting', 'working') and (state = 'waiting' or lease_until < now())
        order by automatic, requested_at limit 1 for update skip locked),
      mine as (update recheck r set state = 'working', token = ${createId()}, attempts = r.attempts + 1,
        lease_until = now() + make_interval(secs => ${recheckLeaseSeconds}::int)
        from next where next.page_id = r.page_id returning r.*)
    select mine.page_id, mine.token, mine.attempts, p.url, p.key_hash, p.run_id, p.scan_id, run.number, plan.settings
    from mine join page p on p.id = mine.page_id join run on run.id = p.run_id join run_plan plan on plan.run_id = run.id`.execute(
    db,
  )
  return claimRows[0] ?? null
}

export async function renewRecheck({ db }: DatabaseDeps, { page_id, token }: RecheckClaim): Promise<void> {
  await sql`update recheck set lease_until = now() + make_interval(secs => ${recheckLeaseSeconds}::int)
    where page_id = ${page_id} and token = ${token}`.execute(db)
}

export async function releaseRecheck({ db }: DatabaseDeps, { page_id, token }: RecheckClaim): Promise<void> {
  await sql`update recheck set state = 'waiting', token = null, lease_until = null, attempts = attempts - 1
    where page_id = ${page_id} and token = ${token}`.execute(db)
}

/** Functions of the issue noun for a re-check, in the same transaction. */
export type RecheckIssues = {
  storeFindings: StoreFindings
  /** Copies the run's findings of the page to the table `rechecked`. */
  setAside: (db: MonitorDb, page: StoredPage) => Promise<void>
  /** Updates these findings; returns the counts of new, back, fixed, still present, not rechecked and ignored issues. */
  recordRechecked: (
    db: MonitorDb,
    page: StoredPage,
    analysis: { tags: readonly string[]; notices: readonly PageNotice[] },
  ) => Promise<number[]>
  recountPages: (db: MonitorDb, touched: RawBuilder<unknown>) => Promise<void>
  recountRuns: (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>
}

type CompletedOutcome = Extract<PageOutcome, { kind: 'completed' }>

async function replacePage(
  db: MonitorDb,
  claim: RecheckClaim,
  outcome: CompletedOutcome,
  { notStored, notices, evidence }: { notStored: number; notices: PageNotice[]; evidence: PageEvidence | null },
) {
  await updatePage(
    db,
    { id: claim.page_id, scanId: claim.scan_id },
    {
      status: 'completed',
      failure: null,
      detail: cleanText(outcome.detail ?? null),
      duration_ms: Math.round(outcome.durationMs),
      notices,
      not_stored: notStored,
      analysed_at: sql<Date>`now()`,
      carried_from: null,
      requests: outcome.requests ? toStoredJson(outcome.requests) : null,
    },
    {
      final_url: outcome.finalUrl,
      title: outcome.title,
      http_status: outcome.httpStatus,
      mime_type: outcome.mimeType,
      content_hash: outcome.content === null ? null : blobHash(claim.scan_id, outcome.content),
      ...getContentColumns(outcome),
      views: getViews(outcome).map((view) => blobHash(claim.scan_id, view)),
      fingerprint: outcome.fingerprint ?? null,
      evidence,
      signed_in: outcome.isProved ?? null,
      driven: outcome.driven ?? null,
    },
  )
}

/** Locks the scan against new runs; false when a newer run has begun, or when the claim was lost. */
async function isClaimCurrent(db: MonitorDb, claim: RecheckClaim): Promise<boolean> {
  const { rows: scanRows } = await sql`select 1 from scan where id = ${claim.scan_id} and deleted_at is null
    and last_run_id = ${claim.run_id} for share`.execute(db)
  const ownRecheck = await sql`select 1 from recheck r join page p on p.id = r.page_id
    where r.page_id = ${claim.page_id} and r.token = ${claim.token} for update of r`.execute(db)
  return scanRows.length > 0 && ownRecheck.rows.length > 0
}

/**
 * Replaces the run's findings of a page by those of a re-check, and recounts the page, and the run when due: all or nothing.
 * @returns false when a newer run has begun and nothing was recorded
 */
export async function storeRecheckResult(
  deps: DatabaseDeps & RecheckIssues & Pick<RecordDeps, 'issuesPerPage' | 'objects'>,
  claim: RecheckClaim,
  outcome: CompletedOutcome,
): Promise<boolean> {
  const storableResult = limitFindings(deps, outcome)
  const preparedBlobs = await prepareBlobs({ ...deps, scanId: claim.scan_id }, [{ outcome, findings: storableResult.findings }])
  return inTransaction(deps.db, async (trx) => {
    await lockEvidenceShared(claim.scan_id).execute(trx)
    if (!(await isClaimCurrent(trx, claim))) return false
    const storedPage: StoredPage = {
      id: claim.page_id,
      runId: claim.run_id,
      scanId: claim.scan_id,
      runNumber: claim.number,
      keyHash: claim.key_hash,
    }
    await storeBlobs(trx, claim.scan_id, preparedBlobs)
    const { ruleSet } = parsePlanSettings(claim.run_id, claim.settings)
    const findings = [...storableResult.findings, ...(await findSharedTitle(trx, storedPage, outcome, ruleSet))]
    await deps.storeFindings(trx, storedPage, findings, { onMatched: () => deps.setAside(trx, storedPage), isWhole: true })
    const lastVisit = await compareWithLastVisit(trx, storedPage, outcome, { url: claim.url, depth: 1 })
    const isRepeated = await isRepeatedInRun(trx, storedPage, claim.url, outcome)
    const isDisappeared = await isStillDisappeared(trx, claim.page_id, lastVisit.retained)
    const notices: PageNotice[] = [
      ...storableResult.notices,
      ...lastVisit.walls,
      ...(isRepeated ? (['same-as-other-pages'] as const) : []),
      ...(isDisappeared ? [unconfirmedNotice] : []),
    ]
    await replacePage(trx, claim, outcome, { ...storableResult, notices, evidence: lastVisit.evidence })
    const ruleTags = listRuleTags(ruleSet)
    const issueCounts = await deps.recordRechecked(trx, storedPage, { tags: ruleTags, notices })
    await lockRun(trx, claim.run_id)
    await deps.recountPages(trx, sql`(select ${claim.run_id}::uuid as run_id, ${claim.page_id}::uuid as page_id)`)
    await sql`update run set rechecked = rechecked + 1 where id = ${claim.run_id}`.execute(trx)
    const endedResult = await sql<{ automatic: boolean }>`
      update recheck set state = 'done', issues = ${issueCounts}::int[], ended_at = now(), token = null
      where page_id = ${claim.page_id} returning automatic`.execute(trx)
    await recountDueRuns({ ...deps, db: trx }, { runId: claim.run_id, automatic: endedResult.rows[0]!.automatic })
    return true
  })
}

/** Ends a re-check that changed nothing. The run's recount may have waited for it; returns ids of the recounted runs. */
export async function endRecheck(
  deps: DatabaseDeps & Pick<RecheckIssues, 'recountRuns'>,
  { page_id, token, run_id }: RecheckClaim,
  end: { state: 'failed' | 'stale'; failure: string | null; detail: string | null },
): Promise<string[]> {
  return inTransaction(deps.db, async (trx) => {
    const { rows: endedRows } = await sql<{ automatic: boolean }>`
      update recheck set state = ${end.state}, failure = ${end.failure}, detail = ${cleanText(end.detail)},
      ended_at = now(), token = null where page_id = ${page_id} and token = ${token} returning automatic`.execute(trx)
    const [endedRow] = endedRows
    if (!endedRow) return []
    // The lock ensures that the second of two concurrent ends sees the first.
    await lockRun(trx, run_id)
    return recountDueRuns({ ...deps, db: trx }, { runId: run_id, automatic: endedRow.automatic })
  })
}

/** Number of steps in which a run is recounted while many of its pages are re-checked. */
const recountSteps = 20

/**
 * Recounts runs with re-checked pages at the end, and in steps before: one recount for each page would be quadratic.
 * @param only one run, of which a re-check has ended; a user's re-check does not wait for automatic ones. By default all unlocked
 * runs; locked ones are counted next time.
 * @returns ids of the recounted runs
 */
export async function recountDueRuns(
  deps: DatabaseDeps & Pick<RecheckIssues, 'recountRuns'>,
  endedRecheck?: { runId: string; automatic: boolean },
): Promise<string[]> {
  const { rows: runRows } = await sql<{ id: string }>`
    select id from run where rechecked > 0 and archived_at is null ${endedRecheck ? sql`and id = ${endedRecheck.runId}` : sql``}
      and (rechecked * ${recountSteps}::int >= completed or not exists (select from recheck r
        where r.run_id = run.id and r.state in ('waiting', 'working') and (${endedRecheck?.automatic ?? true} or not r.automatic)))
    order by id for no key update ${endedRecheck ? sql`` : sql`skip locked`}`.execute(deps.db)
  for (const { id } of runRows) {
    await deps.recountRuns(deps.db, sql`(select ${id}::uuid as run_id)`)
    await updateWallEnding(deps.db, id)
    await sql`update run set rechecked = 0,
      total_issues = (select count(*)::int from finding f where f.run_id = run.id and ${isPresent('f')}),
      carried = (select count(*)::int from page p where p.run_id = run.id and p.carried_from is not null)
      where id = ${id}`.execute(deps.db)
  }
  return runRows.map(({ id }) => id)
}

import { tryAcquireLockSql } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { isStartProblem, forwardingReasons, startProblemOf, type StartPage } from '@clearway/contract/monitor/run/model.ts'
import type * as z from 'zod/mini'
import type { RunProblem, RunStatus } from '@clearway/contract/monitor/run/schema.ts'
import type { UnconfirmedChange } from '@clearway/contract/monitor/run/unconfirmed/schema.ts'
import { hasMetMostPages } from '@clearway/contract/monitor/page/proof/model.ts'
import { lastingWallNotices } from '@clearway/contract/monitor/page/wall/model.ts'
import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { parseStored } from '../../../kit/stored.ts'
import { listRuleTags } from '../../ruleset/model.ts'
import { entryState, selectBaselineRunId } from '../table.ts'
import { joinAliases, type RemoveFromRun } from '../alias/store.ts'
import type { StoreFindings } from '../outcome/store.ts'
import { recheckCarriedPages } from '../reuse/store.ts'
import { countContents, isBannerPage, isProvenGone, lockEvidenceShared } from '../../page/table.ts'
import { isUnchecked } from '../../issue/table.ts'
import { storeSample } from '../sample/store.ts'
import { storeSharedTitles } from '../title/store.ts'
import { acceptComparedPages, hasComparedWalls, markRepeatedPages } from '../wall/store.ts'

type RunProblemName = z.output<typeof RunProblem>
/** Reason for the end of a run: no URLs are left, a user cancelled it, or it cannot continue. */
export type RunEnd = { kind: 'drained' } | { kind: 'cancelled' } | { kind: 'problem'; problem: RunProblemName; detail: string }

/** Updates the issues that a run did not find, in the same transaction; implemented by the issue noun. */
export type RecordLifecycle = (
  db: MonitorDb,
  run: {
    runId: string
    scanId: string
    number: number
    tags: readonly string[]
    isClear: boolean
    isConfirmed?: boolean
    areTitlesCompared?: boolean
  },
) => Promise<UnconfirmedChange | null>

const isExcluded = (alias: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${alias}.state = ${entryState.excluded} or (${alias}.state = ${entryState.done} and ${alias}.exclusion is not null))`

/** Updates counts of runs, given as (run_id), in the same transaction; implemented by the issue noun. */
export type CountRuns = (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>

/**
 * Updates the counters derived from the frontier; called at most once a second, and at the end.
 * @param pageLimit for an active run: known pages up to it are not reached yet, those beyond it are over the limit
 */
export async function refreshRunCounts(
  db: MonitorDb,
  runId: string,
  pageLimit: number | null = null,
): Promise<{ countMs: number }> {
  const startedAt = performance.now()
  const counts = await countFrontier(db, runId)
  const countMs = Math.round(performance.now() - startedAt)
  // Pages are compared at the end alone.
  const contentCount =
    pageLimit === null ? sql`(select ${countContents('p')} from page p where p.run_id = run.id)` : sql`run.completed`
  const notReached = sql`greatest(0, least(${counts.left}::int, ${pageLimit}::int + run.extra_pages - run.completed - run.failed))`
  await sql`
    update run set found = ${counts.found}::int, excluded = ${counts.excluded}::int, other_domain = ${counts.other}::int,
      not_reached = ${notReached}, over_limit = ${counts.over}::int + ${counts.left}::int - ${notReached},
      unique_pages = ${contentCount}
    where run.id = ${runId} and run.ended_at is null`.execute(db)
  return { countMs }
}

type FrontierCounts = Record<'found' | 'excluded' | 'over' | 'other' | 'left', number>

/** Counts the URLs of a run by state. Apart from the update, which may wait for the run's row. */
async function countFrontier(db: MonitorDb, runId: string): Promise<FrontierCounts> {
  const frontierAlias = sql`f`
  const { rows: countRows } = await sql<FrontierCounts>`
    select count(*)::int as found,
      count(*) filter (where ${isExcluded(frontierAlias)} and f.exclusion not in ('other-domain', 'over-limit'))::int as excluded,
      count(*) filter (where ${isExcluded(frontierAlias)} and f.exclusion = 'over-limit')::int as over,
      count(*) filter (where ${isExcluded(frontierAlias)} and f.exclusion = 'other-domain')::int as other,
      count(*) filter (where f.state in (${entryState.waiting}, ${entryState.claimed}))::int as left
    from frontier f where f.run_id = ${runId}`.execute(db)
  return countRows[0]!
}

/**
 * Updates the counts of a run, unless another process is doing so: the result is the same.
 * @returns the milliseconds that counting took, without waiting for the run's row; null if another process is counting
 */
export const tryRefreshRunCounts = (
  db: MonitorDb,
  runId: string,
  pageLimit: number | null,
): Promise<{ countMs: number } | null> =>
  inTransaction(db, async (trx) => {
    const { rows: lockRows } = await sql<{ mine: boolean }>`select ${tryAcquireLockSql(`tally ${runId}`)} as mine`.execute(trx)
    return lockRows[0]!.mine ? refreshRunCounts(trx, runId, pageLimit) : null
  })

type OpenRunRow = {
  scan_id: string
  number: number
  completed: number
  failed: number
  proved: number
  unproved: number
  rule_set: unknown
}

async function lockOpenRun(db: MonitorDb, runId: string): Promise<OpenRunRow | null> {
  const { rows: runRows } = await sql<OpenRunRow>`
    select run.scan_id, run.number, run.completed, run.failed, run.proved, run.unproved, plan.settings->'ruleSet' as rule_set
    from run join run_plan plan on plan.run_id = run.id
    where run.id = ${runId} and run.ended_at is null for update of run`.execute(db)
  return runRows[0] ?? null
}

/** Records URLs that were found but not visited, including those beyond the page limit. */
async function recordUnvisited(db: MonitorDb, runId: string, scanId: string, isDrained: boolean): Promise<void> {
  if (isDrained)
    await sql`update frontier set state = ${entryState.excluded}, exclusion = 'over-limit' where run_id = ${runId} and state = ${entryState.waiting}`.execute(
      db,
    )
  const unvisited = sql`(
    select f.*, page_version_hash(v) as hash from frontier f cross join lateral jsonb_populate_record(null::page_version,
      jsonb_build_object('url', f.url, 'source', 'automated', 'found_on', f.found_on, 'depth', f.depth, 'views', '{}')) v
    where f.run_id = ${runId} and f.state = ${entryState.excluded})`
  await sql`insert into page_version (scan_id, hash, url, found_on, depth)
    select ${scanId}::uuid, hash, url, found_on, depth from ${unvisited} u order by wave, parent_place, link_place
    on conflict do nothing`.execute(db)
  await sql`
    insert into run_page (id, run_id, version_id, key_hash, status, exclusion, detail, attempts)
    select new_id(), ${runId}::uuid, v.id, u.key_hash,
      case u.exclusion when 'other-domain' then 'otherDomainIgnored' else 'excluded' end, u.exclusion, u.detail, 0
    from ${unvisited} u join page_version v on v.scan_id = ${scanId}::uuid and v.hash = u.hash
    order by u.wave, u.parent_place, u.link_place on conflict do nothing`.execute(db)
}

/** The reason why no page was completed, derived from the start pages; after a restart the scan cannot report it. */
async function findStartProblem(db: MonitorDb, runId: string): Promise<{ problem: RunProblemName; detail: string }> {
  const { rows: startPageRows } = await sql<StartPage>`
    select url, detail, coalesce(failure, exclusion) as reason,
      case when failure is null then 'excluded' else 'failed' end as kind
    from page where run_id = ${runId} and depth = 0 and (exclusion is null or exclusion <> all(${[...forwardingReasons]}))
    order by failure nulls last limit 1000`.execute(db)
  return startProblemOf(startPageRows)
}

type NumberedRun = { runId: string; scanId: string; number: number }

/** Returns true if the run met most pages that its baseline completed: analyzed them, or got proof that they are gone. */
async function hasMetPreviousPages(db: MonitorDb, run: NumberedRun): Promise<boolean> {
  const { rows: countRows } = await sql<{ previous: number; met: number }>`
    select count(*)::int as previous, count(p.id)::int as met
    from page before left join page p on p.run_id = ${run.runId} and p.key_hash = before.key_hash
      and (p.status = 'completed' or ${isProvenGone('p')})
    where before.status = 'completed' and before.source = 'automated' and before.run_id = ${selectBaselineRunId(run)}`.execute(db)
  const { met: metCount, previous: previousCount } = countRows[0]!
  return hasMetMostPages(metCount, previousCount)
}

/** Returns true if the run visited every URL that it found, and met most pages of its baseline. Other pages are then gone. */
async function hasReachedEveryPage(db: MonitorDb, run: NumberedRun): Promise<boolean> {
  const { rows: pageRows } = await sql`select 1 from page where run_id = ${run.runId} and exclusion = 'over-limit'
    union all select 1 from run where id = ${run.runId} and not_reached > 0 limit 1`.execute(db)
  return pageRows.length === 0 && (await hasMetPreviousPages(db, run))
}

type RunEnding = { status: RunStatus; partial: boolean; problem: RunProblemName | null; detail: string | null }

/** The problem of a run that did not see the content of a start page, or of most pages; null for others. */
async function findWallProblem(db: MonitorDb, runId: string): Promise<Pick<RunEnding, 'problem' | 'detail'> | null> {
  const { rows: pageRows } = await sql<{ url: string; depth: number; notices: string[]; walled: number; completed: number }>`
    select url, depth, notices, count(*) over ()::int as walled,
      (select count(*)::int from page c where run_id = ${runId} and status = 'completed' and not ${isBannerPage('c')}) as completed
    from page p where run_id = ${runId} and status = 'completed' and notices && ${[...lastingWallNotices]}::text[] order by depth, analysed_at limit 1`.execute(
    db,
  )
  const [firstPage] = pageRows
  if (!firstPage || (firstPage.depth > 0 && firstPage.walled * 2 <= firstPage.completed)) return null
  if (firstPage.depth === 0 && firstPage.notices.includes('asks-for-password'))
    return { problem: 'leads-to-sign-in', detail: firstPage.url }
  return { problem: 'wall', detail: `${firstPage.url}: ${firstPage.walled} of ${firstPage.completed} pages` }
}

/** The problem of a run with pages that were not proved to be shown to the signed-in user; null for others. */
const findSignInProblem = ({
  proved,
  unproved,
}: Pick<OpenRunRow, 'proved' | 'unproved'>): Pick<RunEnding, 'problem' | 'detail'> | null =>
  unproved === 0 ? null : { problem: 'not-signed-in', detail: `${proved} of ${proved + unproved} pages are proved signed in` }

/** Updates the ending of a run with re-checked pages: its walls may be gone, its pages proved, its issues tested again. */
export async function updateWallEnding(db: MonitorDb, runId: string): Promise<void> {
  const { rows: runRows } = await sql<Pick<OpenRunRow, 'proved' | 'unproved'>>`select proved, unproved from run
    where id = ${runId} and problem in ('wall', 'not-signed-in')`.execute(db)
  if (runRows[0]) {
    const ownProblem = (await findWallProblem(db, runId)) ?? findSignInProblem(runRows[0])
    await sql`update run set problem = ${ownProblem?.problem ?? null}, problem_detail = ${ownProblem?.detail ?? null},
      partial = ${ownProblem !== null} where id = ${runId}`.execute(db)
  }
  await sql`update run set unconfirmed = null where id = ${runId} and unconfirmed is not null
    and not exists (select from finding f where f.run_id = ${runId} and ${isUnchecked('f')})`.execute(db)
}

async function determineEnding(db: MonitorDb, runId: string, run: OpenRunRow, end: RunEnd): Promise<RunEnding> {
  if (end.kind === 'cancelled') return { status: 'cancelled', partial: run.completed > 0, problem: null, detail: null }
  // A worker's problem with start pages counts only while no other worker has completed one.
  const givenProblem = end.kind === 'problem' ? { problem: end.problem, detail: end.detail } : null
  if (run.completed === 0) {
    const { problem: startProblem, detail: problemDetail } = givenProblem ?? (await findStartProblem(db, runId))
    return { status: 'failed', partial: false, problem: startProblem, detail: problemDetail }
  }
  if (!givenProblem || isStartProblem(givenProblem.problem)) {
    const ownProblem = (await findWallProblem(db, runId)) ?? findSignInProblem(run)
    return { status: 'completed', partial: ownProblem !== null, ...(ownProblem ?? { problem: null, detail: null }) }
  }
  return { status: 'completed', partial: true, ...givenProblem }
}

/** Functions of the issue noun for the end of a run. */
type EndDeps = {
  db: MonitorDb
  recordLifecycle: RecordLifecycle
  storeFindings: StoreFindings
  removeFromRun: RemoveFromRun
  updateLastRun: CountRuns
  recountPages: CountRuns
  recountRunPages: CountRuns
  countForLists: CountRuns
  recordChanges: CountRuns
}

/**
 * Stores the findings of titles that pages share, and counts the run again if there are any.
 * @returns false if there were too many to store all
 */
async function compareTitles(
  deps: Pick<EndDeps, 'db' | 'storeFindings' | 'recountPages' | 'recountRunPages'>,
  run: NumberedRun,
  ruleSet: RuleSet,
): Promise<boolean> {
  const { pageIds, isComplete } = await storeSharedTitles(deps, run, ruleSet)
  if (pageIds.length > 0) {
    await deps.recountPages(deps.db, sql`(select ${run.runId}::uuid as run_id, unnest(${pageIds}::uuid[]) as page_id)`)
    await deps.recountRunPages(deps.db, sql`(select ${run.runId}::uuid as run_id)`)
    await sql`update run set total_issues = total_issues + ${pageIds.length}::int where id = ${run.runId}`.execute(deps.db)
  }
  return isComplete
}

/**
 * Ends a run exactly once: records unvisited URLs, counts, fixed issues and changes. Results in progress are then refused.
 * @returns false when the run had already ended, or when a drained run still has pages in progress
 */
export async function endRun(deps: EndDeps, runId: string, end: RunEnd): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    // Carried findings of the previous run keep their evidence and pictures.
    await lockEvidenceShared(sql<string>`(select scan_id::text from run where id = ${runId})`).execute(trx)
    const openRun = await lockOpenRun(trx, runId)
    if (!openRun) return false
    if (end.kind === 'drained') {
      const { rows: claimedRows } =
        await sql`select 1 from frontier where run_id = ${runId} and state = ${entryState.claimed} limit 1`.execute(trx)
      if (claimedRows.length > 0) return false
    }
    const isDrained = end.kind === 'drained' || (end.kind === 'problem' && openRun.completed === 0 && openRun.failed > 0)
    await recordUnvisited(trx, runId, openRun.scan_id, isDrained)
    const { scan_id: scanId, number } = openRun
    const hasWalls = await markRepeatedPages(trx, { runId, number }, openRun.completed)
    const hasAliases = await joinAliases({ ...deps, db: trx }, { runId, scanId, number })
    await refreshRunCounts(trx, runId)
    if (hasWalls || hasAliases) await deps.recountRunPages(trx, sql`(select ${runId}::uuid as run_id)`)
    const ruleSet = parseStored(RuleSet, openRun.rule_set, `The plan of the run ${runId}`)
    const areTitlesStored = await compareTitles({ ...deps, db: trx }, { runId, scanId, number }, ruleSet)
    const runEnding = await determineEnding(trx, runId, openRun, end)
    const isClear =
      runEnding.status === 'completed' && !runEnding.partial && (await hasReachedEveryPage(trx, { runId, scanId, number }))
    const unconfirmedChange =
      openRun.completed > 0 &&
      (await deps.recordLifecycle(trx, {
        runId,
        scanId: openRun.scan_id,
        number: openRun.number,
        tags: listRuleTags(ruleSet),
        isClear,
        areTitlesCompared: isClear && areTitlesStored,
      }))
    if (unconfirmedChange) await deps.recountRunPages(trx, sql`(select ${runId}::uuid as run_id)`)
    await sql`update run set status = ${runEnding.status}, partial = ${runEnding.partial}, problem = ${runEnding.problem},
      problem_detail = ${runEnding.detail?.slice(0, 2000) ?? null},
      unconfirmed = ${unconfirmedChange ? JSON.stringify(unconfirmedChange) : null}::jsonb, ended_at = now(),
      started_at = coalesce(started_at, now()) where id = ${runId}`.execute(trx)
    await deps.countForLists(trx, sql`(select ${runId}::uuid as run_id)`)
    if (runEnding.status === 'completed') {
      await deps.recordChanges(trx, sql`(select ${runId}::uuid as run_id)`)
      await sql`update scan set last_completed_run_id = ${runId} where id = ${openRun.scan_id}`.execute(trx)
    }
    await storeSample(trx, runId)
    await sql`delete from frontier where run_id = ${runId}`.execute(trx)
    await sql`delete from run_session where run_id = ${runId}`.execute(trx)
    await recheckCarriedPages(trx, runId)
    // This row triggers notifications, so it is written exactly once, at the end of the run.
    await sql`insert into ended_run (run_id) values (${runId})`.execute(trx)
    return true
  })
}

type AcceptedRunRow = OpenRunRow & {
  id: string
  partial: boolean
  problem: RunProblemName | null
  status: RunStatus
  isUnconfirmed: boolean
}

/** Locks the scan against new runs, then its newest run, in the order of a deletion; no active one. Null for an older run. */
async function lockNewestRun(db: MonitorDb, scanId: string, number: number): Promise<AcceptedRunRow | 'run-active' | null> {
  await sql`select from scan where id = ${scanId} for no key update`.execute(db)
  const { rows: newestRows } = await sql<{ number: number; isEnded: boolean }>`
    select number, ended_at is not null as "isEnded" from run where scan_id = ${scanId} order by number desc limit 1`.execute(db)
  if (newestRows[0]?.isEnded === false) return 'run-active'
  if (newestRows[0]?.number !== number) return null
  const { rows: runRows } = await sql<AcceptedRunRow>`
    select run.id, run.scan_id, run.number, run.completed, run.failed, run.proved, run.unproved, run.partial, run.problem, run.status,
      run.unconfirmed is not null as "isUnconfirmed", plan.settings->'ruleSet' as rule_set
    from run join run_plan plan on plan.run_id = run.id
    where run.scan_id = ${scanId} and run.number = ${number}::int for no key update of run`.execute(db)
  return runRows[0] ?? null
}

/** Returns true if there is something to accept: a disappearance to confirm, or a wall concluded from other visits. */
async function hasAcceptablePages(db: MonitorDb, run: AcceptedRunRow): Promise<boolean> {
  if (run.status !== 'completed') return false
  return run.isUnconfirmed || (await hasComparedWalls(db, run.id))
}

/** Accepts the pages of the newest run: they have a health again, and missing issues are fixed. Own walls of a page stay. */
export async function acceptRunPages(
  deps: Omit<EndDeps, 'storeFindings' | 'removeFromRun' | 'updateLastRun'>,
  { scanId, number }: { scanId: string; number: number },
): Promise<'accepted' | 'run-active' | 'edit-conflict'> {
  return inTransaction(deps.db, async (trx) => {
    await lockEvidenceShared(scanId).execute(trx)
    const newestRun = await lockNewestRun(trx, scanId, number)
    if (newestRun === null) return 'edit-conflict'
    if (newestRun === 'run-active') return 'run-active'
    if (!(await hasAcceptablePages(trx, newestRun))) return 'accepted'
    const runId = newestRun.id
    const touchedRun = sql`(select ${runId}::uuid as run_id)`
    const pageIds = await acceptComparedPages(trx, runId)
    await deps.recountPages(trx, sql`(select ${runId}::uuid as run_id, unnest(${pageIds}::uuid[]) as page_id)`)
    await deps.recountRunPages(trx, touchedRun)
    const wallProblem = await findWallProblem(trx, runId)
    const isWallGone = newestRun.problem === 'wall' && wallProblem === null
    await deps.recordLifecycle(trx, {
      runId,
      scanId,
      number,
      tags: listRuleTags(parseStored(RuleSet, newestRun.rule_set, `The plan of the run ${runId}`)),
      isClear:
        (!newestRun.partial || isWallGone) &&
        wallProblem === null &&
        findSignInProblem(newestRun) === null &&
        (await hasReachedEveryPage(trx, { runId, scanId, number })),
      isConfirmed: true,
    })
    await sql`update run set unconfirmed = null where id = ${runId}`.execute(trx)
    await updateWallEnding(trx, runId)
    await deps.countForLists(trx, touchedRun)
    await deps.recordChanges(trx, touchedRun)
    return 'accepted'
  })
}

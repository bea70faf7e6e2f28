import { inTransaction } from '../../../kit/database.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { summarizeVisit } from '@clearway/contract/monitor/run/visit/model.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import type { Claim, FrontierState, NewEntry } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { type RawBuilder, sql } from 'kysely'
import { acquireLockSql, acquireAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { computeHash } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import { openNextWave, type VisitLog } from '../batch/store.ts'
import { entryState, entryStates, maxSilenceSeconds } from '../table.ts'

/** The frontier of one run as seen by one worker. */
export type FrontierDeps = {
  db: MonitorDb
  runId: string
  worker: string
  pageLimit: number
  /** Breadth-first by default. */
  order?: CrawlOrder
  /** Visits that the representative order has read; by default, it reads all of them for each batch. */
  visitLog?: VisitLog
  /** Maximum concurrent pages per host over all processes; no limit by default. */
  pagesAtOnce?: number
  /** The same limit for a worker that has a host to itself: additional pages open while its other pages only wait. */
  pagesAlone?: number
  /** Minimum time between two visits to one host over all processes. */
  gapMs?: number
}

/**
 * Number of lost workers after which a URL is given up. After the first loss the URL may merely have been in progress next
 * to the culprit; from then on it is tried alone.
 */
export const maxWorkerLosses = 3

/** Pages of a run in the limit: banners are completed without a health or a wall, and take no page of it. */
const countedPages = sql`failed + walled + health_critical + health_serious + health_moderate + health_good`

/** `maxCounted`: page limit of the run, raised by the number of joined pages. */
type RunLock = { wave: number; counted: number; maxCounted: number; ended: boolean; cancelled: boolean }
const selectMaxCounted = (pageLimit: number) => sql`${pageLimit}::int + extra_pages`

/**
 * Lock name that serializes claims and counts of a run. Transactions wait on an advisory lock: a lock on the run's row would
 * wake all of them at each change, only to fetch the newest version and wait again. The holder blocks all other
 * transactions of the run, so it should execute as few statements as possible after this.
 */
const buildLockName = (runId: string): string => `run ${runId}`

/** SQL of that lock, for a statement without prior work. */
export const lockFor = (runId: string): RawBuilder<unknown> => acquireLockSql(buildLockName(runId))

/** Locks the run against concurrent claims, counts and changes of its row until the transaction ends. */
export async function lockRun(db: MonitorDb, runId: string, pageLimit = 0): Promise<RunLock | null> {
  await acquireAdvisoryLock(db, buildLockName(runId))
  const { rows: runRows } = await sql<RunLock>`
    select wave, ${countedPages} as counted, ${selectMaxCounted(pageLimit)} as "maxCounted", ended_at is not null as ended, cancelled
    from run where id = ${runId} for no key update`.execute(db)
  return runRows[0] ?? null
}

/**
 * Adds URLs to the next wave, which does not begin while a page of the current one is in progress: no process claims added or
 * changed entries before they are committed. This relies on two invariants: a page first records its own entry in the same
 * transaction, and its row is stored before its links, so that the end of the run waits for it. Among several entries with one key, the
 * first in the order of parents and links wins, in any order of arrival. A page that was too deep one way may be near enough
 * another way. Entries that can no longer change are not locked, so claims do not wait for them.
 */
export async function insertEntries(
  db: MonitorDb,
  runId: string,
  entries: readonly NewEntry[],
  parentPosition: number,
): Promise<void> {
  const frontierRows = entries.map((entry, index) => ({
    key_hash: computeHash(entry.key).toString('hex'),
    state: entryStates.indexOf(entry.exclusion === null ? 'waiting' : 'excluded'),
    wave: entry.wave,
    link_place: index,
    depth: entry.depth,
    exclusion: entry.exclusion,
    url: entry.url,
    visit_url: entry.visitUrl ?? null,
    key: entry.key,
    found_on: entry.foundOn,
    host: getAuthority(entry.url),
    chain: entry.chain ?? 0,
    detail: entry.detail ?? null,
    bucket: entry.bucket ?? null,
    rank: entry.rank ?? 0,
  }))
  // All transactions lock keys in the same order, so pages with the same links wait for each other without deadlocks.
  frontierRows.sort((a, b) => (a.key_hash < b.key_hash ? -1 : a.key_hash > b.key_hash ? 1 : a.link_place - b.link_place))
  for (let startIndex = 0; startIndex < frontierRows.length; startIndex += 1000) {
    const rowChunk = frontierRows.slice(startIndex, startIndex + 1000)
    await sql`
      insert into frontier as f
        (run_id, key_hash, state, wave, parent_place, link_place, depth, exclusion, url, visit_url, key, found_on, host, chain, detail,
        bucket, rank)
      select ${runId}, decode(e.key_hash, 'hex'), e.state, e.wave, ${parentPosition}::int, e.link_place, e.depth, e.exclusion,
        e.url, e.visit_url, e.key, e.found_on, e.host, e.chain, e.detail, e.bucket, e.rank
      from (select distinct on (key_hash) * from jsonb_to_recordset(${JSON.stringify(rowChunk)}::jsonb) as r
        (key_hash text, state int, wave int, link_place int, depth int, exclusion text, url text, visit_url text, key text,
         found_on text, host text, chain int, detail text, bucket text, rank int) order by key_hash, link_place) e
      where not exists (select from frontier f where f.run_id = ${runId} and f.key_hash = decode(e.key_hash, 'hex')
        and not ((f.state = ${entryState.excluded} and f.exclusion = 'too-deep')
          or (f.state in (${entryState.waiting}, ${entryState.excluded}) and f.place is null and f.wave = e.wave)))
      order by decode(e.key_hash, 'hex')
      on conflict (run_id, key_hash) do update set
        state = excluded.state, wave = excluded.wave, parent_place = excluded.parent_place,
        link_place = excluded.link_place, depth = excluded.depth, exclusion = excluded.exclusion,
        url = excluded.url, visit_url = excluded.visit_url, found_on = excluded.found_on, chain = excluded.chain, detail = excluded.detail,
        bucket = excluded.bucket, rank = excluded.rank, place = null
      where (f.state = ${entryState.excluded} and f.exclusion = 'too-deep' and excluded.exclusion is null)
         or (f.state in (${entryState.waiting}, ${entryState.excluded}) and f.place is null and f.wave = excluded.wave
             and (excluded.parent_place, excluded.link_place) < (f.parent_place, f.link_place)
             and not (f.exclusion is null and excluded.exclusion is not distinct from 'too-deep'))`.execute(db)
  }
}

/** `host:port`, the key of rate limits; empty for an invalid URL. */
function getAuthority(urlText: string): string {
  const parsedUrl = URL.parse(urlText)
  return parsedUrl?.host ? authorityOf(parsedUrl) : ''
}

/** Adds the start entries, unless other workers have already started the run. */
export async function seedEntries(deps: FrontierDeps, entries: readonly NewEntry[]): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const lockedRun = await lockRun(trx, deps.runId)
    if (!lockedRun || lockedRun.ended || lockedRun.wave >= 0) return
    await insertEntries(trx, deps.runId, entries, 0)
    // Opened at once, so that a second process does not seed again.
    await openNextWave(trx, deps)
  })
}

/** A claimed frontier entry. */
export type ClaimedRow = {
  id: number
  url: string
  visit_url: string | null
  key: string
  depth: number
  wave: number
  found_on: string | null
  chain: number
  attempt: number
  token: string
}

const toClaim = ({ id, url, visit_url: visitUrl, key, depth, wave, chain, attempt, token, found_on }: ClaimedRow): Claim => ({
  id: String(id),
  url,
  ...(visitUrl === null ? {} : { visitUrl }),
  key,
  depth,
  wave,
  chain,
  attempt,
  token,
  foundOn: found_on,
  exclusion: null,
})

/** Renews leases; returns the tokens of lost ones. */
export async function renewLeases(deps: FrontierDeps, claims: readonly Claim[]): Promise<string[]> {
  const claimTokens = claims.map(({ token }) => token)
  const { rows: renewedRows } = await sql<{ token: string }>`
    update frontier set lease_until = now() + make_interval(secs => ${maxSilenceSeconds.pages})
    where run_id = ${deps.runId} and state = ${entryState.claimed} and token = any(${claimTokens}::uuid[])
      and exists (select from run where id = ${deps.runId} and ended_at is null and not cancelled)
    returning token`.execute(deps.db)
  const renewedTokens = new Set(renewedRows.map(({ token }) => token))
  return claimTokens.filter((token) => !renewedTokens.has(token))
}

const isOwnClaim = (deps: FrontierDeps, claim: Claim): RawBuilder<boolean> =>
  sql`run_id = ${deps.runId} and id = ${Number(claim.id)} and state = ${entryState.claimed} and token = ${claim.token}::uuid`

/** Releases an entry. Without blame the attempt is not counted. */
export async function releaseEntry(
  deps: FrontierDeps,
  claim: Claim,
  { blame, notBeforeMs: delayMs = 0 }: { blame: boolean; notBeforeMs?: number },
): Promise<void> {
  await sql`
    update frontier set state = ${entryState.waiting}, token = null, worker = null, lease_until = null,
      attempt = attempt - ${blame ? 0 : 1}::int,
      not_before = case when ${delayMs}::int > 0 then now() + make_interval(secs => ${delayMs / 1000}) end
    where ${isOwnClaim(deps, claim)}`.execute(deps.db)
}

/** Completes the entry of a claim, in the transaction that stores its result; returns its position, or null for a lost lease. */
export async function recordEntry(
  deps: FrontierDeps,
  { claim, outcome, links }: { claim: Claim; outcome: PageOutcome; links: readonly NewEntry[] },
): Promise<{ place: number; attempt: number; keyHash: Buffer } | null> {
  const visit = deps.order === 'representative' ? JSON.stringify(summarizeVisit(claim, outcome, links)) : null
  const { rows: entryRows } = await sql<{ place: number; attempt: number; keyHash: Buffer }>`
    update frontier set state = ${entryState.done}, token = null, lease_until = null,
      exclusion = ${outcome.kind === 'excluded' ? outcome.reason : null}, visit = ${visit}::jsonb
    where ${isOwnClaim(deps, claim)}
    returning place, attempt, key_hash as "keyHash"`.execute(deps.db)
  return entryRows[0] ?? null
}

export async function readFrontierState(deps: FrontierDeps): Promise<FrontierState> {
  const { rows: runRows } = await sql<RunLock>`
    select wave, ${countedPages} as counted, ${selectMaxCounted(deps.pageLimit)} as "maxCounted", ended_at is not null as ended, cancelled
    from run where id = ${deps.runId}`.execute(deps.db)
  const runState = runRows[0]
  if (!runState || runState.ended || runState.cancelled) return 'stopped'
  const entryResult = await sql<{ working: boolean; waiting: boolean }>`select
    exists (select from frontier where run_id = ${deps.runId} and state = ${entryState.claimed}) as working,
    exists (select from frontier where run_id = ${deps.runId} and state = ${entryState.waiting}) as waiting`.execute(deps.db)
  const { working: hasClaimed, waiting: hasWaiting } = entryResult.rows[0]!
  return !hasClaimed && (!hasWaiting || runState.counted >= runState.maxCounted) ? 'drained' : 'open'
}

/**
 * Releases leases of dead workers: expired leases, and those of ended processes of this machine.
 * @returns workers that held them, and entries that lost too many workers: the caller records them as failed
 */
export async function releaseDeadLeases(
  { db }: { db: MonitorDb },
  deadWorkerIds: readonly string[],
): Promise<{ workers: string[]; pages: number; abandoned: { runId: string; claim: Claim }[] }> {
  const { rows: releasedRows } = await sql<ClaimedRow & { run_id: string; losses: number; lost: string | null }>`
    with dead as (select id, worker from frontier where state = ${entryState.claimed}
                    and (lease_until < now() or worker = any(${[...deadWorkerIds]}::uuid[])) for update skip locked)
    update frontier f set state = case when losses + 1 >= ${maxWorkerLosses} then ${entryState.claimed} else ${entryState.waiting} end,
      losses = losses + 1, worker = null, attempt = attempt - (losses + 1 < ${maxWorkerLosses})::int,
      token = case when losses + 1 >= ${maxWorkerLosses} then gen_random_uuid() end,
      lease_until = case when losses + 1 >= ${maxWorkerLosses} then now() + make_interval(secs => ${maxSilenceSeconds.pages}) end
    from dead where f.id = dead.id
    returning f.id, f.run_id, f.url, f.visit_url, f.key, f.depth, f.wave, f.found_on, f.chain, f.attempt, f.token, f.losses, dead.worker as lost`.execute(
    db,
  )
  const abandonedRows = releasedRows.filter(({ losses }) => losses >= maxWorkerLosses)
  return {
    workers: [...new Set(releasedRows.flatMap(({ lost }) => lost ?? []))],
    pages: releasedRows.length,
    abandoned: abandonedRows.map((row) => ({ runId: row.run_id, claim: toClaim(row) })),
  }
}

/** Conditions for entries `f` of the table `run`: in progress; waiting in its current wave. */
const isClaimed = sql`f.run_id = run.id and f.state = ${entryState.claimed}`
const isWaitingInWave = sql`f.run_id = run.id and f.state = ${entryState.waiting} and f.wave = run.wave and f.place is not null`

/** The state of a run at the time of a claim. */
type ClaimState = RunLock & {
  working: number
  resting: number
  /** `waiting`: entries of the wave wait. `suspect`: one of them was in progress when a worker was lost. */
  waiting: boolean
  suspect: boolean
  /** Claims of this worker in all its runs. */
  held: number
  heldSuspects: number
}

/** Waits for the run's lock, then until the run is not ending: `kept` has its id. Other changes of its row do not block. */
const lockRunRow = (runId: string): RawBuilder<unknown> => sql`with turn as materialized (select ${lockFor(runId)}),
    kept as materialized (select run.id from turn, run where run.id = ${runId} for key share of run)`

/**
 * Locks the run and this worker's claims in its other runs: an entry tried alone must be alone in the whole process. First waits
 * for a run that is ending, so that the worker's other runs can continue.
 */
async function lockForClaim({ runId, worker, pageLimit }: FrontierDeps, trx: MonitorDb): Promise<ClaimState | null> {
  await sql`${lockRunRow(runId)}
    select ${acquireLockSql(`claims of ${worker}`)} from kept`.execute(trx)
  const isOwnClaim = sql`f.state = ${entryState.claimed} and f.worker = ${worker}`
  const { rows: stateRows } =
    await sql<ClaimState>`select wave, ${countedPages} as counted, ${selectMaxCounted(pageLimit)} as "maxCounted", ended_at is not null as ended, cancelled,
    (select count(*)::int from frontier f where ${isClaimed}) as working,
    (select count(*)::int from frontier f where f.run_id = run.id and f.state = ${entryState.waiting} and f.not_before is not null
       and f.not_before > now()) as resting,
    exists (select from frontier f where ${isWaitingInWave}) as waiting,
    exists (select from frontier f where ${isWaitingInWave} and f.losses > 0) as suspect,
    (select count(*)::int from frontier f where ${isOwnClaim}) as held,
    (select count(*)::int from frontier f where ${isOwnClaim} and f.losses > 0) as "heldSuspects"
    from run where id = ${runId}`.execute(trx)
  return stateRows[0] ?? null
}

/** Numbers of waiting entries to check for available hosts: a small number is nearly always enough. */
const searchHorizons = [60, 2000]
const unlimitedPages = 1_000_000

/** The next entries of available hosts; for hosts with a gap, one entry each, since its visit closes the host again. */
const selectNextEntries = (
  { pagesAtOnce = unlimitedPages, pagesAlone = pagesAtOnce, ...deps }: FrontierDeps,
  wave: number,
  maxEntries: number,
  horizon: number,
  isSuspect: boolean,
): RawBuilder<unknown> => sql`
  select id, host, gap from (
    select w.id, w.host, w.place, greatest(coalesce(p.gap_ms, 0), ${Math.round(deps.gapMs ?? 0)}::int) as gap,
      row_number() over (partition by w.host order by w.place) as nth, coalesce(b.room, ${pagesAlone}::int) as room
    from (select id, host, place from frontier
          where run_id = ${deps.runId} and state = ${entryState.waiting} and wave = ${wave} and place is not null
            and ${isSuspect ? sql`losses > 0` : sql`losses = 0`} and (not_before is null or not_before <= now()) order by place limit ${horizon + maxEntries}) w
    left join host_pace p on p.run_id = ${deps.runId} and p.host = w.host
    left join (select host, case when bool_and(worker is not distinct from ${deps.worker}) then ${pagesAlone}::int else ${pagesAtOnce}::int end - count(*) as room
      from frontier where run_id = ${deps.runId} and state = ${entryState.claimed} group by host) b
      on b.host = w.host
    where p.next_at is null or p.next_at <= now()) open
  where nth <= open.room and (gap = 0 or nth = 1)
  order by place limit ${maxEntries}`

/** Claims entries of a wave for this worker. Entries leave the waiting state only under the run's lock, so none is claimed twice. */
async function claimNextEntries(
  deps: FrontierDeps,
  trx: MonitorDb,
  wave: number,
  maxEntries: number,
  isSuspect: boolean,
): Promise<(ClaimedRow & { place: number })[]> {
  for (const horizon of searchHorizons) {
    const { rows: claimedRows } = await sql<ClaimedRow & { place: number }>`
      with next as materialized (${selectNextEntries(deps, wave, maxEntries, horizon, isSuspect)}),
      closed as (
        insert into host_pace as p (run_id, host, next_at, gap_ms)
        select ${deps.runId}, host, now() + gap * interval '1 millisecond', 0 from next where gap > 0
        on conflict (run_id, host) do update set next_at = excluded.next_at)
      update frontier f set state = ${entryState.claimed}, attempt = attempt + 1, token = gen_random_uuid(), worker = ${deps.worker},
        lease_until = now() + make_interval(secs => ${maxSilenceSeconds.pages}), not_before = null
      from next where f.id = next.id
      returning f.id, f.url, f.visit_url, f.key, f.depth, f.wave, f.found_on, f.chain, f.attempt, f.token, f.place`.execute(trx)
    if (claimedRows.length > 0) return claimedRows.sort((a, b) => a.place - b.place)
  }
  return []
}

/** Claims up to `maxClaims` entries of the current wave for this worker. Null when its entries are all done. */
async function claimInWave(deps: FrontierDeps, maxClaims: number, hasExtraPages: boolean): Promise<Claim[] | null> {
  return inTransaction(deps.db, async (trx) => {
    const claimState = await lockForClaim(deps, trx)
    if (!claimState || claimState.ended || claimState.cancelled || claimState.heldSuspects > 0) return []
    // Delayed entries keep their position below the page limit: later pages must not take it.
    const availableCount = Math.min(
      maxClaims,
      claimState.maxCounted - claimState.counted - claimState.working - claimState.resting,
    )
    if (availableCount <= 0) return []
    if (!claimState.waiting) return claimState.working > 0 ? [] : null
    const suspectRows =
      claimState.suspect && claimState.held === 0 ? await claimNextEntries(deps, trx, claimState.wave, 1, true) : []
    const mayOpenMore = hasExtraPages && claimState.held === claimState.working
    const claimDeps = mayOpenMore ? deps : { ...deps, pagesAlone: deps.pagesAtOnce ?? unlimitedPages }
    const claimedRows =
      suspectRows.length > 0 ? suspectRows : await claimNextEntries(claimDeps, trx, claimState.wave, availableCount, false)
    return claimedRows.map((row) => toClaim(row))
  })
}

/**
 * Opens the next wave, unless it is already open or the run is over. Locks the run but not the worker's claims: opening a wave
 * of a hundred thousand URLs takes seconds, during which the worker's other runs continue.
 * @returns false when there is no other wave
 */
const openWaveIfDone = (deps: FrontierDeps): Promise<boolean> =>
  inTransaction(deps.db, async (trx) => {
    const { runId } = deps
    await sql`${lockRunRow(runId)} select from kept`.execute(trx)
    const { rows: waveRows } = await sql<{ isOver: boolean; isOpen: boolean }>`
      select ended_at is not null or cancelled as "isOver",
        exists (select from frontier f where ${isClaimed}) or exists (select from frontier f where ${isWaitingInWave}) as "isOpen"
      from run where id = ${runId}`.execute(trx)
    if (!waveRows[0] || waveRows[0].isOver) return false
    return waveRows[0].isOpen || openNextWave(trx, deps)
  })

/** Claims up to `maxClaims` entries of the current wave for this worker; opens the next wave when this one is done. */
export async function claimEntries(deps: FrontierDeps, maxClaims: number, hasExtraPages: boolean): Promise<Claim[]> {
  const currentClaims = await claimInWave(deps, maxClaims, hasExtraPages)
  if (currentClaims !== null) return currentClaims
  return (await openWaveIfDone(deps)) ? ((await claimInWave(deps, maxClaims, hasExtraPages)) ?? []) : []
}

/** URLs to which start URLs redirected; asked for once per process and redirect. */
export async function listStartTargets({ db, runId }: FrontierDeps): Promise<string[]> {
  const { rows: targetRows } = await sql<{ url: string }>`
    select url from frontier
    where run_id = ${runId} and found_on is null and depth = 0 and wave > 0 and exclusion is null limit 10000`.execute(db)
  return targetRows.map(({ url }) => url)
}

/** Counts one more PDF of the run; false when `limit` is reached. */
export async function admitPdf({ db, runId }: FrontierDeps, limit: number): Promise<boolean> {
  const { rows: updatedRows } = await sql`
    update run set pdfs = pdfs + 1 where id = ${runId} and pdfs < ${limit} returning pdfs`.execute(db)
  return updatedRows.length > 0
}

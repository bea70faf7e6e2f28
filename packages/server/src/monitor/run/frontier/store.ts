import { inTransaction } from '../../../kit/database.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import type { Claim, FrontierState, NewEntry } from '@clearway/engine/frontier.ts'
import { type RawBuilder, sql } from 'kysely'
import { advisoryLock, takeAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { hashOf } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import { entryState, entryStates, silenceSeconds } from '../table.ts'

/** One run's URLs, as one worker sees them. */
export type FrontierDeps = {
  db: MonitorDb
  runId: string
  worker: string
  pageLimit: number
  /** Pages of one host in work at once, over all processes; left out: no limit. */
  pagesAtOnce?: number
  /** The same for a worker that has a host to itself: it opens those beyond while others of its pages only wait. */
  pagesAlone?: number
  /** Least time between two visits to one host, over all processes. */
  gapMs?: number
}

/**
 * Workers that one URL may take down before it is given up. The first time it may merely have been in work beside the one
 * that did; from then on it is tried alone.
 */
export const lossesAllowed = 3

type RunLock = { wave: number; counted: number; ended: boolean; cancelled: boolean }

/**
 * Claims and counts of a run happen one after another. Waiting transactions are admitted one at a time: with the lock of the run's
 * row, each change of it would wake all of them, to look for its newest version and wait again. The one that is admitted makes all
 * others of the run wait, so it should execute as few statements after this as possible.
 */
const inTurn = (runId: string): string => `run ${runId}`

/** SQL of that turn, for a statement that has nothing to do before. */
export const turnOf = (runId: string): RawBuilder<unknown> => advisoryLock(inTurn(runId))

/** Lets nobody else count or claim in a run, nor change its row, until the transaction ends. */
export async function lockRun(db: MonitorDb, runId: string): Promise<RunLock | null> {
  await takeAdvisoryLock(db, inTurn(runId))
  const { rows } = await sql<RunLock>`
    select wave, completed + failed as counted, ended_at is not null as ended, cancelled
    from run where id = ${runId} for no key update`.execute(db)
  return rows[0] ?? null
}

/**
 * Adds URLs to the next wave, which does not begin while a page of this one is in work: so nobody claims what is added or changed
 * here until it is committed. That relies on two things: a page records its own entry first of all, in the same transaction, and
 * its row is stored before its links, so that the end of the run waits for it. Of several that lead to one key, the first in the
 * order of parents and links is kept, whichever arrives first; a page that was too deep one way may be near enough another. What
 * can no more be changed is not even locked: claims wait for none of it.
 */
export async function insertEntries(
  db: MonitorDb,
  runId: string,
  entries: readonly NewEntry[],
  parentPosition: number,
): Promise<void> {
  const all = entries.map((entry, index) => ({
    key_hash: hashOf(entry.key).toString('hex'),
    state: entryStates.indexOf(entry.exclusion === null ? 'waiting' : 'excluded'),
    wave: entry.wave,
    link_place: index,
    depth: entry.depth,
    exclusion: entry.exclusion,
    url: entry.url,
    key: entry.key,
    found_on: entry.foundOn,
    host: hostOf(entry.url),
    chain: entry.chain ?? 0,
    detail: entry.detail ?? null,
  }))
  // Everybody locks keys in one order, from the first to the last: pages that bring the same ones wait, and never for each other.
  all.sort((a, b) =>
    a.key_hash < b.key_hash ? -1 : a.key_hash > b.key_hash ? 1 : a.link_place - b.link_place,
  )
  for (let from = 0; from < all.length; from += 1000) {
    const rows = all.slice(from, from + 1000)
    await sql`
      insert into frontier as f
        (run_id, key_hash, state, wave, parent_place, link_place, depth, exclusion, url, key, found_on, host, chain, detail)
      select ${runId}, decode(e.key_hash, 'hex'), e.state, e.wave, ${parentPosition}::int, e.link_place, e.depth, e.exclusion,
        e.url, e.key, e.found_on, e.host, e.chain, e.detail
      from (select distinct on (key_hash) * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
        (key_hash text, state int, wave int, link_place int, depth int, exclusion text, url text, key text,
         found_on text, host text, chain int, detail text) order by key_hash, link_place) e
      where not exists (select from frontier f where f.run_id = ${runId} and f.key_hash = decode(e.key_hash, 'hex')
        and not ((f.state = ${entryState.excluded} and f.exclusion = 'too-deep')
          or (f.state in (${entryState.waiting}, ${entryState.excluded}) and f.place is null and f.wave = e.wave)))
      order by decode(e.key_hash, 'hex')
      on conflict (run_id, key_hash) do update set
        state = excluded.state, wave = excluded.wave, parent_place = excluded.parent_place,
        link_place = excluded.link_place, depth = excluded.depth, exclusion = excluded.exclusion,
        url = excluded.url, found_on = excluded.found_on, chain = excluded.chain, detail = excluded.detail, place = null
      where (f.state = ${entryState.excluded} and f.exclusion = 'too-deep' and excluded.exclusion is null)
         or (f.state in (${entryState.waiting}, ${entryState.excluded}) and f.place is null and f.wave = excluded.wave
             and (excluded.parent_place, excluded.link_place) < (f.parent_place, f.link_place)
             and not (f.exclusion is null and excluded.exclusion is not distinct from 'too-deep'))`.execute(
      db,
    )
  }
}

/** `host:port`, by which the pace is kept; empty for what is no URL. */
function hostOf(text: string): string {
  const url = URL.parse(text)
  return url?.host ? authorityOf(url) : ''
}

/** Adds the start entries; of a run that others work on already, nothing changes. */
export async function seedEntries(deps: FrontierDeps, entries: readonly NewEntry[]): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const run = await lockRun(trx, deps.runId)
    if (!run || run.ended || run.wave >= 0) return
    await insertEntries(trx, deps.runId, entries, 0)
    // Recorded at once, so that a second process does not seed again.
    await openNextWave(trx, deps.runId)
  })
}

/** Gives the entries of the next wave their positions and moves the run on to it. Null when there is none. */
async function openNextWave(db: MonitorDb, runId: string): Promise<number | null> {
  const { rows } = await sql<{ wave: number }>`
    with next as (select min(wave) as wave from frontier where run_id = ${runId} and state = ${entryState.waiting}),
    placed as (
      update frontier f set place = o.place
      from (select id, row_number() over (order by parent_place, link_place) as place
            from frontier, next where run_id = ${runId} and state = ${entryState.waiting} and frontier.wave = next.wave) o
      where f.id = o.id returning f.id)
    update run set wave = next.wave from next
    where run.id = ${runId} and next.wave is not null and (select count(*) from placed) > 0
    returning run.wave`.execute(db)
  return rows[0]?.wave ?? null
}

/** An entry as a claim takes it. */
export type ClaimedRow = {
  id: number
  url: string
  key: string
  depth: number
  wave: number
  found_on: string | null
  chain: number
  attempt: number
  token: string
}

const claimOf = ({ id, url, key, depth, wave, chain, attempt, token, found_on }: ClaimedRow): Claim => ({
  id: String(id),
  url,
  key,
  depth,
  wave,
  chain,
  attempt,
  token,
  foundOn: found_on,
  exclusion: null,
})

/** Lengthens leases; answers the tokens that are lost. */
export async function renewLeases(deps: FrontierDeps, claims: readonly Claim[]): Promise<string[]> {
  const tokens = claims.map(({ token }) => token)
  const { rows } = await sql<{ token: string }>`
    update frontier set lease_until = now() + make_interval(secs => ${silenceSeconds.pages})
    where run_id = ${deps.runId} and state = ${entryState.claimed} and token = any(${tokens}::uuid[])
      and exists (select from run where id = ${deps.runId} and ended_at is null and not cancelled)
    returning token`.execute(deps.db)
  const held = new Set(rows.map(({ token }) => token))
  return tokens.filter((token) => !held.has(token))
}

const own = (deps: FrontierDeps, claim: Claim): RawBuilder<boolean> =>
  sql`run_id = ${deps.runId} and id = ${Number(claim.id)} and state = ${entryState.claimed} and token = ${claim.token}::uuid`

/** Gives an entry back. Without blame the attempt does not count. */
export async function releaseEntry(
  deps: FrontierDeps,
  claim: Claim,
  { blame, notBeforeMs: rest = 0 }: { blame: boolean; notBeforeMs?: number },
): Promise<void> {
  await sql`
    update frontier set state = ${entryState.waiting}, token = null, worker = null, lease_until = null,
      attempt = attempt - ${blame ? 0 : 1}::int,
      not_before = case when ${rest}::int > 0 then now() + make_interval(secs => ${rest / 1000}) end
    where ${own(deps, claim)}`.execute(deps.db)
}

/** Takes the entry from the claim for good, inside the transaction that stores its result; its place, or null when the lease was lost. */
export async function recordEntry(
  deps: FrontierDeps,
  claim: Claim,
  exclusion: string | null,
): Promise<{ place: number; attempt: number; keyHash: Buffer } | null> {
  const { rows } = await sql<{ place: number; attempt: number; keyHash: Buffer }>`
    update frontier set state = ${entryState.done}, token = null, lease_until = null, exclusion = ${exclusion}
    where ${own(deps, claim)}
    returning place, attempt, key_hash as "keyHash"`.execute(deps.db)
  return rows[0] ?? null
}

export async function frontierState(deps: FrontierDeps): Promise<FrontierState> {
  const { rows } = await sql<{ ended: boolean; cancelled: boolean; counted: number; wave: number }>`
    select ended_at is not null as ended, cancelled, completed + failed as counted, wave
    from run where id = ${deps.runId}`.execute(deps.db)
  const run = rows[0]
  if (!run || run.ended || run.cancelled) return 'stopped'
  const left = await sql<{ working: boolean; waiting: boolean }>`select
    exists (select from frontier where run_id = ${deps.runId} and state = ${entryState.claimed}) as working,
    exists (select from frontier where run_id = ${deps.runId} and state = ${entryState.waiting}) as waiting`.execute(
    deps.db,
  )
  const { working, waiting } = left.rows[0]!
  return !working && (!waiting || run.counted >= deps.pageLimit) ? 'drained' : 'open'
}

/**
 * Takes entries back from workers that are gone: whose lease ran out, or that were on this machine and whose process has
 * ended (`dead`). Answers those that took too many workers down; the caller records them as failed.
 */
export async function sweepLeases(
  { db }: { db: MonitorDb },
  dead: readonly string[],
): Promise<{ runId: string; claim: Claim }[]> {
  const { rows } = await sql<ClaimedRow & { run_id: string; losses: number }>`
    update frontier f set state = case when losses + 1 >= ${lossesAllowed} then ${entryState.claimed} else ${entryState.waiting} end,
      losses = losses + 1, worker = null, attempt = attempt - (losses + 1 < ${lossesAllowed})::int,
      token = case when losses + 1 >= ${lossesAllowed} then gen_random_uuid() end,
      lease_until = case when losses + 1 >= ${lossesAllowed} then now() + make_interval(secs => ${silenceSeconds.pages}) end
    where id in (select id from frontier where state = ${entryState.claimed}
                   and (lease_until < now() or worker = any(${[...dead]}::uuid[])) for update skip locked)
    returning f.id, f.run_id, f.url, f.key, f.depth, f.wave, f.found_on, f.chain, f.attempt, f.token, f.losses`.execute(
    db,
  )
  return rows
    .filter(({ losses }) => losses >= lossesAllowed)
    .map((row) => ({ runId: row.run_id, claim: claimOf(row) }))
}

/** The entries `f` of a run that are in work; those of its wave, of the table `run`, that wait. */
const inWork = sql`f.run_id = run.id and f.state = ${entryState.claimed}`
const inWaveWaiting = sql`f.run_id = run.id and f.state = ${entryState.waiting} and f.wave = run.wave and f.place is not null`

/** A run as a claim of a worker finds it. */
type Load = RunLock & {
  working: number
  resting: number
  /** Whether entries of the wave wait, and one that was in work when a worker was lost. */
  waiting: boolean
  suspect: boolean
  /** What this worker has in work in all its runs. */
  held: number
  heldSuspects: number
}

/** Waits for a run's turn, then until the run is not being ended: `kept` has its id. Whoever else changes its row is not waited for. */
const runInTurn = (
  runId: string,
): RawBuilder<unknown> => sql`with turn as materialized (select ${turnOf(runId)}),
    kept as materialized (select run.id from turn, run where run.id = ${runId} for key share of run)`

/**
 * Has a run to itself, and whatever this worker does in its others: what is tried alone is alone in the whole process. A run that
 * is being ended is waited for before that, so that the worker's other runs go on.
 */
async function lookAlone({ runId, worker }: FrontierDeps, trx: MonitorDb): Promise<Load | null> {
  await sql`${runInTurn(runId)}
    select ${advisoryLock(`claims of ${worker}`)} from kept`.execute(trx)
  const own = sql`f.state = ${entryState.claimed} and f.worker = ${worker}`
  const { rows } =
    await sql<Load>`select wave, completed + failed as counted, ended_at is not null as ended, cancelled,
    (select count(*)::int from frontier f where ${inWork}) as working,
    (select count(*)::int from frontier f where f.run_id = run.id and f.state = ${entryState.waiting} and f.not_before is not null
       and f.not_before > now()) as resting,
    exists (select from frontier f where ${inWaveWaiting}) as waiting,
    exists (select from frontier f where ${inWaveWaiting} and f.losses > 0) as suspect,
    (select count(*)::int from frontier f where ${own}) as held,
    (select count(*)::int from frontier f where ${own} and f.losses > 0) as "heldSuspects"
    from run where id = ${runId}`.execute(trx)
  return rows[0] ?? null
}

/** So many in their order are looked at for those whose host may be visited now: few first, for that is nearly always enough. */
const horizons = [60, 2000]
const noLimit = 1_000_000

/** The next entries whose hosts have room and are not closed; for hosts with a gap, one each, which closes them again. */
const nextEntries = (
  { pagesAtOnce = noLimit, pagesAlone = pagesAtOnce, ...deps }: FrontierDeps,
  wave: number,
  room: number,
  horizon: number,
  suspect: boolean,
): RawBuilder<unknown> => sql`
  select id, host, gap from (
    select w.id, w.host, w.place, greatest(coalesce(p.gap_ms, 0), ${Math.round(deps.gapMs ?? 0)}::int) as gap,
      row_number() over (partition by w.host order by w.place) as nth, coalesce(b.room, ${pagesAlone}::int) as room
    from (select id, host, place from frontier
          where run_id = ${deps.runId} and state = ${entryState.waiting} and wave = ${wave} and place is not null
            and ${suspect ? sql`losses > 0` : sql`losses = 0`} and (not_before is null or not_before <= now()) order by place limit ${horizon + room}) w
    left join host_pace p on p.run_id = ${deps.runId} and p.host = w.host
    left join (select host, case when bool_and(worker is not distinct from ${deps.worker}) then ${pagesAlone}::int else ${pagesAtOnce}::int end - count(*) as room
      from frontier where run_id = ${deps.runId} and state = ${entryState.claimed} group by host) b
      on b.host = w.host
    where p.next_at is null or p.next_at <= now()) open
  where nth <= open.room and (gap = 0 or nth = 1)
  order by place limit ${room}`

/** Takes entries of a wave for this worker. They leave the waiting state in the run's turn only, so none is taken twice. */
async function takeEntries(
  deps: FrontierDeps,
  trx: MonitorDb,
  wave: number,
  room: number,
  suspect: boolean,
): Promise<(ClaimedRow & { place: number })[]> {
  for (const horizon of horizons) {
    const { rows } = await sql<ClaimedRow & { place: number }>`
      with next as materialized (${nextEntries(deps, wave, room, horizon, suspect)}),
      closed as (
        insert into host_pace as p (run_id, host, next_at, gap_ms)
        select ${deps.runId}, host, now() + gap * interval '1 millisecond', 0 from next where gap > 0
        on conflict (run_id, host) do update set next_at = excluded.next_at)
      update frontier f set state = ${entryState.claimed}, attempt = attempt + 1, token = gen_random_uuid(), worker = ${deps.worker},
        lease_until = now() + make_interval(secs => ${silenceSeconds.pages}), not_before = null
      from next where f.id = next.id
      returning f.id, f.url, f.key, f.depth, f.wave, f.found_on, f.chain, f.attempt, f.token, f.place`.execute(
      trx,
    )
    if (rows.length > 0) return rows.sort((a, b) => a.place - b.place)
  }
  return []
}

/** Takes up to `n` entries of the current wave for this worker. Null when nothing of the wave waits or is in work any more. */
async function claimOfWave(deps: FrontierDeps, n: number): Promise<Claim[] | null> {
  return inTransaction(deps.db, async (trx) => {
    const run = await lookAlone(deps, trx)
    if (!run || run.ended || run.cancelled || run.heldSuspects > 0) return []
    // What rests before another attempt keeps its place below the limit: a page behind it must not take it.
    const room = Math.min(n, deps.pageLimit - run.counted - run.working - run.resting)
    if (room <= 0) return []
    if (!run.waiting) return run.working > 0 ? [] : null
    const suspects = run.suspect && run.held === 0 ? await takeEntries(deps, trx, run.wave, 1, true) : []
    const own = run.held === run.working ? deps : { ...deps, pagesAlone: deps.pagesAtOnce ?? noLimit }
    const rows = suspects.length > 0 ? suspects : await takeEntries(own, trx, run.wave, room, false)
    return rows.map((row) => claimOf(row))
  })
}

/**
 * Opens the next wave unless somebody else has, or the run is over. It has the run to itself, but not what its worker claims: a wave
 * of a hundred thousand URLs takes seconds, and the worker's other runs go on meanwhile.
 * @returns false when there is no other wave
 */
const moveOn = ({ db, runId }: FrontierDeps): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await sql`${runInTurn(runId)} select from kept`.execute(trx)
    const { rows } = await sql<{ isOver: boolean; isOpen: boolean }>`
      select ended_at is not null or cancelled as "isOver",
        exists (select from frontier f where ${inWork}) or exists (select from frontier f where ${inWaveWaiting}) as "isOpen"
      from run where id = ${runId}`.execute(trx)
    if (!rows[0] || rows[0].isOver) return false
    return rows[0].isOpen || (await openNextWave(trx, runId)) !== null
  })

/** Takes up to `n` entries of the current wave for this worker; moves on to the next wave when this one is done. */
export async function claimEntries(deps: FrontierDeps, n: number): Promise<Claim[]> {
  const claims = await claimOfWave(deps, n)
  if (claims !== null) return claims
  return (await moveOn(deps)) ? ((await claimOfWave(deps, n)) ?? []) : []
}

const withinHour = (ms: number): number => Math.round(Math.min(3_600_000, Math.max(0, ms)))

/** Closes a host for a while and sets the gap between visits to it, for every process that shares the run. */
export async function slowHost(
  { db, runId }: FrontierDeps,
  host: string,
  pace: { untilMs: number; gapMs: number },
): Promise<void> {
  await sql`
    insert into host_pace as p (run_id, host, next_at, gap_ms)
    values (${runId}, ${host}, now() + make_interval(secs => ${withinHour(pace.untilMs) / 1000}), ${withinHour(pace.gapMs)})
    on conflict (run_id, host) do update set
      next_at = greatest(p.next_at, excluded.next_at), gap_ms = excluded.gap_ms`.execute(db)
}

/** Counts one more PDF of the run; false when it has had `limit` of them. */
export async function admitPdf({ db, runId }: FrontierDeps, limit: number): Promise<boolean> {
  const { rows } = await sql`
    update run set pdfs = pdfs + 1 where id = ${runId} and pdfs < ${limit} returning pdfs`.execute(db)
  return rows.length > 0
}

import type { Claim } from '@clearway/engine/frontier.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import {
  claimOf,
  type ClaimedRow,
  type FrontierDeps,
  leaseSeconds,
  lockRun,
  openNextWave,
} from './store-frontier.ts'

type Load = { working: number; resting: number; waiting: boolean }

async function loadOf(db: MonitorDb, runId: string, wave: number): Promise<Load> {
  const { rows } = await sql<Load>`select
    (select count(*)::int from frontier where run_id = ${runId} and state = 1) as working,
    (select count(*)::int from frontier where run_id = ${runId} and state = 0 and not_before is not null
       and not_before > now()) as resting,
    exists (select from frontier where run_id = ${runId} and state = 0 and wave = ${wave} and place is not null) as waiting
  `.execute(db)
  return rows[0]!
}

/** So many in their order are looked at for those whose host may be visited now: few first, for that is nearly always enough. */
const horizons = [60, 2000]

/** The next entries whose hosts have room and are not closed; for hosts with a gap, one each, which closes them again. */
const nextEntries = (
  deps: FrontierDeps,
  wave: number,
  room: number,
  horizon: number,
): RawBuilder<unknown> => sql`
  select id, host, gap from (
    select w.id, w.host, w.place, greatest(coalesce(p.gap_ms, 0), ${Math.round(deps.gapMs ?? 0)}::int) as gap,
      row_number() over (partition by w.host order by w.place) as nth, coalesce(b.busy, 0) as busy
    from (select id, host, place from frontier
          where run_id = ${deps.runId} and state = 0 and wave = ${wave} and place is not null
            and (not_before is null or not_before <= now()) order by place limit ${horizon + room}) w
    left join host_pace p on p.run_id = ${deps.runId} and p.host = w.host
    left join (select host, count(*) as busy from frontier where run_id = ${deps.runId} and state = 1 group by host) b
      on b.host = w.host
    where p.next_at is null or p.next_at <= now()) open
  where nth + busy <= ${deps.pagesAtOnce ?? 1_000_000}::int and (gap = 0 or nth = 1)
  order by place limit ${room}`

/** Takes entries of a wave for this worker. They leave the waiting state under the run's lock only, so none is taken twice. */
async function takeEntries(
  deps: FrontierDeps,
  trx: MonitorDb,
  wave: number,
  room: number,
): Promise<(ClaimedRow & { place: number })[]> {
  for (const horizon of horizons) {
    const { rows } = await sql<ClaimedRow & { place: number }>`
      with next as materialized (${nextEntries(deps, wave, room, horizon)}),
      closed as (
        insert into host_pace as p (run_id, host, next_at, gap_ms)
        select ${deps.runId}, host, now() + gap * interval '1 millisecond', 0 from next where gap > 0
        on conflict (run_id, host) do update set next_at = excluded.next_at)
      update frontier f set state = 1, attempt = attempt + 1, token = gen_random_uuid(), worker = ${deps.worker},
        lease_until = now() + make_interval(secs => ${leaseSeconds}), not_before = null
      from next where f.id = next.id
      returning f.id, f.url, f.key, f.depth, f.wave, f.found_on, f.chain, f.attempt, f.token, f.place`.execute(
      trx,
    )
    if (rows.length > 0) return rows.sort((a, b) => a.place - b.place)
  }
  return []
}

/** Takes up to `n` entries of the current wave for this worker; moves on to the next wave when this one is done. */
export async function claimEntries(deps: FrontierDeps, n: number): Promise<Claim[]> {
  const { db, runId } = deps
  return db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, runId)
    if (!run || run.ended || run.cancelled) return []
    let { wave } = run
    const load = await loadOf(trx, runId, wave)
    // What rests before another attempt keeps its place below the limit: a page behind it must not take it.
    const room = Math.min(n, deps.pageLimit - run.counted - load.working - load.resting)
    if (room <= 0) return []
    if (!load.waiting) {
      if (load.working > 0 || !(await openNextWave(trx, runId))) return []
      wave = (await lockRun(trx, runId))!.wave
    }
    const rows = await takeEntries(deps, trx, wave, room)
    return rows.map((row) => claimOf(row))
  })
}

import { tryAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import {
  isStartProblem,
  leadsElsewhere,
  startProblemOf,
  type StartPage,
} from '@clearway/contract/monitor/run/model.ts'
import type * as z from 'zod/mini'
import type { RunProblem, RunStatus } from '@clearway/contract/monitor/run/schema.ts'
import { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { readStored } from '../../../kit/stored.ts'
import { tagsOf } from '../../ruleset/model.ts'
import { entryState } from '../table.ts'
import { analyseCarried } from '../reuse/store.ts'
import { namesEvidence } from '../../page/table.ts'

type Problem = z.output<typeof RunProblem>
/** Why a run ends: nothing is left, somebody cancelled it, or it cannot go on. */
export type RunEnd =
  { kind: 'drained' } | { kind: 'cancelled' } | { kind: 'problem'; problem: Problem; detail: string }

/** How the issues' side decides about what a run did not find, in the same transaction. */
export type RecordLifecycle = (
  db: MonitorDb,
  run: { runId: string; scanId: string; number: number; tags: readonly string[]; whole: boolean },
) => Promise<void>

const excludedHere = (alias: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${alias}.state = ${entryState.excluded} or (${alias}.state = ${entryState.done} and ${alias}.exclusion is not null))`

/** How the issues' side counts in runs, as (run_id), in the same transaction. */
export type CountRuns = (db: MonitorDb, runs: RawBuilder<unknown>) => Promise<void>

/**
 * Brings the counters up to date that follow from the URLs; called once a second at most, and at the end.
 * @param pageLimit while a run goes on: no more URLs than it allows count as not reached yet
 */
export async function refreshTally(
  db: MonitorDb,
  runId: string,
  pageLimit: number | null = null,
): Promise<void> {
  const f = sql`f`
  await sql`
    update run set found = t.found, excluded = t.excluded, other_domain = t.other,
      not_reached = greatest(0, least(t.left, ${pageLimit}::int - run.completed - run.failed)),
      unique_pages = run.completed + run.failed
    from (select count(*)::int as found,
        count(*) filter (where ${excludedHere(f)} and f.exclusion <> 'other-domain')::int as excluded,
        count(*) filter (where ${excludedHere(f)} and f.exclusion = 'other-domain')::int as other,
        count(*) filter (where f.state in (${entryState.waiting}, ${entryState.claimed}))::int as left
      from frontier f where f.run_id = ${runId}) t
    where run.id = ${runId} and run.ended_at is null`.execute(db)
}

/** Brings the counts of a run up to date, unless another process is about it: all see the same run. @returns false then */
export const refreshTallyAlone = (db: MonitorDb, runId: string, pageLimit: number | null): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const { rows } = await sql<{
      mine: boolean
    }>`select ${tryAdvisoryLock(`tally ${runId}`)} as mine`.execute(trx)
    if (!rows[0]!.mine) return false
    await refreshTally(trx, runId, pageLimit)
    return true
  })

type Open = {
  scan_id: string
  number: number
  completed: number
  failed: number
  rule_set: unknown
}

/** Locks a run that has not ended; null when somebody ended it before. */
async function openRun(db: MonitorDb, runId: string): Promise<Open | null> {
  const { rows } = await sql<Open>`
    select run.scan_id, run.number, run.completed, run.failed, plan.settings->'ruleSet' as rule_set
    from run join run_plan plan on plan.run_id = run.id
    where run.id = ${runId} and run.ended_at is null for update of run`.execute(db)
  return rows[0] ?? null
}

/** Records the URLs that were only met, and what the page limit left over. */
async function recordRest(db: MonitorDb, runId: string, scanId: string, drained: boolean): Promise<void> {
  if (drained)
    await sql`update frontier set state = ${entryState.excluded}, exclusion = 'over-limit' where run_id = ${runId} and state = ${entryState.waiting}`.execute(
      db,
    )
  await sql`
    insert into page (id, run_id, scan_id, key_hash, url, status, exclusion, detail, found_on, depth, attempts)
    select new_id(), ${runId}::uuid, ${scanId}::uuid, key_hash, url,
      case exclusion when 'other-domain' then 'otherDomainIgnored' else 'excluded' end, exclusion, detail, found_on, depth, 0
    from frontier where run_id = ${runId} and state = ${entryState.excluded}
    order by wave, parent_place, link_place on conflict do nothing`.execute(db)
}

/** Why nothing was completed, from the start pages: what the scan itself could not say after a restart. */
async function startProblem(db: MonitorDb, runId: string): Promise<{ problem: Problem; detail: string }> {
  const { rows } = await sql<StartPage>`
    select url, detail, coalesce(failure, exclusion) as reason,
      case when failure is null then 'excluded' else 'failed' end as kind
    from page where run_id = ${runId} and depth = 0 and (exclusion is null or exclusion <> all(${[...leadsElsewhere]}))
    order by failure nulls last limit 1000`.execute(db)
  return startProblemOf(rows)
}

type Ending = { status: RunStatus; partial: boolean; problem: Problem | null; detail: string | null }

async function endingOf(db: MonitorDb, runId: string, run: Open, end: RunEnd): Promise<Ending> {
  if (end.kind === 'cancelled')
    return { status: 'cancelled', partial: run.completed > 0, problem: null, detail: null }
  // What a worker says of start pages counts only while no other has completed one.
  const given = end.kind === 'problem' ? { problem: end.problem, detail: end.detail } : null
  if (run.completed === 0) {
    const { problem, detail } = given ?? (await startProblem(db, runId))
    return { status: 'failed', partial: false, problem, detail }
  }
  if (!given || isStartProblem(given.problem))
    return { status: 'completed', partial: false, problem: null, detail: null }
  return { status: 'completed', partial: true, ...given }
}

/**
 * Ends a run, exactly once however many workers see its end: rest, counts, what was fixed, what changed. The URLs
 * are cleared away; what is still in work elsewhere can no longer be recorded.
 * @returns false when it had ended before, or when a drained one has pages in work after all
 */
export async function endRun(
  deps: { db: MonitorDb; recordLifecycle: RecordLifecycle; countGroups: CountRuns; recordChanges: CountRuns },
  runId: string,
  end: RunEnd,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    // What is carried over from the run before keeps its texts and pictures.
    await namesEvidence(sql<string>`(select scan_id::text from run where id = ${runId})`).execute(trx)
    const run = await openRun(trx, runId)
    if (!run) return false
    if (end.kind === 'drained') {
      const { rows } =
        await sql`select 1 from frontier where run_id = ${runId} and state = ${entryState.claimed} limit 1`.execute(
          trx,
        )
      if (rows.length > 0) return false
    }
    const drained =
      end.kind === 'drained' || (end.kind === 'problem' && run.completed === 0 && run.failed > 0)
    const limited = await sql<{ left: boolean }>`select exists
      (select from frontier where run_id = ${runId} and state in (${entryState.waiting}, ${entryState.claimed})) as left`.execute(
      trx,
    )
    await recordRest(trx, runId, run.scan_id, drained)
    await refreshTally(trx, runId)
    const ending = await endingOf(trx, runId, run, end)
    if (run.completed > 0)
      await deps.recordLifecycle(trx, {
        runId,
        scanId: run.scan_id,
        number: run.number,
        tags: tagsOf(readStored(RuleSet, run.rule_set, `The plan of the run ${runId}`)),
        whole: ending.status === 'completed' && !ending.partial && !limited.rows[0]?.left,
      })
    await sql`update run set status = ${ending.status}, partial = ${ending.partial}, problem = ${ending.problem},
      problem_detail = ${ending.detail?.slice(0, 2000) ?? null}, ended_at = now(),
      started_at = coalesce(started_at, now()) where id = ${runId}`.execute(trx)
    await deps.countGroups(trx, sql`(select ${runId}::uuid as run_id)`)
    if (ending.status === 'completed') {
      await deps.recordChanges(trx, sql`(select ${runId}::uuid as run_id)`)
      await sql`update scan set last_completed_run_id = ${runId} where id = ${run.scan_id}`.execute(trx)
    }
    await sql`delete from frontier where run_id = ${runId}`.execute(trx)
    await analyseCarried(trx, runId)
    // Notifications are sent because of this row: it is written when the run ended, and only then.
    await sql`insert into ended_run (run_id) values (${runId})`.execute(trx)
    return true
  })
}

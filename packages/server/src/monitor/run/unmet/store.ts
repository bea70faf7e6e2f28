import type { NewEntry, UnmetPage } from '@clearway/engine/frontier.ts'
import { previousShare } from '@clearway/contract/monitor/run/order/model.ts'
import { sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import { type FrontierDeps, insertEntries, lockRun } from '../frontier/store.ts'
import { isWalled } from '../../page/table.ts'
import { entryState, selectBaselineRunId, selectPreviousRunId } from '../table.ts'

type UnmetDeps = FrontierDeps & { scanId: string; runNumber: number }

/**
 * Pages that the last whole run completed and this one has not met, in the order of that run. Start URLs, states of scripts and
 * banners have no link that leads to them. None while entries wait: beyond the page limit, no page is proven gone. None behind a
 * wall at a start page: it would be met again.
 */
export async function listUnmetPages({ db, runId, scanId, runNumber, pageLimit }: UnmetDeps): Promise<UnmetPage[]> {
  const { rows: pageRows } = await sql<UnmetPage>`
    select p.url, p.depth, p.found_on as "foundOn" from page p
    where p.run_id = ${selectBaselineRunId({ scanId, number: runNumber })} and p.status = 'completed' and p.source = 'automated'
      and p.found_on ~ '^https?://'
      and not exists (select from frontier f where f.run_id = ${runId} and f.state = ${entryState.waiting})
      and not exists (select from frontier f where f.run_id = ${runId} and f.key_hash = p.key_hash)
      and not exists (select from page walled where walled.run_id = ${runId} and walled.depth = 0 and ${isWalled('walled')})
    order by p.id limit ${pageLimit}`.execute(db)
  return pageRows
}

type PreviousPages = Pick<UnmetDeps, 'db' | 'scanId' | 'runNumber' | 'pageLimit'> & { seed: string }

/**
 * Pages of the last run before `runNumber` that a limited run tests again, to compare results. Beyond their share, the last hashes
 * with `seed` rotate out.
 */
export async function listPreviousPages({ db, seed, scanId, runNumber, pageLimit }: PreviousPages): Promise<UnmetPage[]> {
  const { rows: pageRows } = await sql<UnmetPage>`
    select p.url, p.depth, p.found_on as "foundOn" from page p
    where p.run_id = ${selectPreviousRunId({ scanId, number: runNumber })} and p.status = 'completed' and p.source = 'automated'
      and p.found_on ~ '^https?://'
    order by md5(${seed}::text || encode(p.key_hash, 'hex')) limit ${Math.floor(pageLimit * previousShare)}`.execute(db)
  return pageRows
}

/** Adds these pages as the next wave of a run. */
export async function addUnmetPages(deps: UnmetDeps, entries: readonly NewEntry[]): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const lockedRun = await lockRun(trx, deps.runId)
    if (!lockedRun || lockedRun.ended || lockedRun.cancelled) return
    const nextWave = entries.map((entry) => ({ ...entry, wave: lockedRun.wave + 1 }))
    await insertEntries(trx, deps.runId, nextWave, 0)
  })
}

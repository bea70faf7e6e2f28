import { sql } from 'kysely'
import { getExtraPages } from '@clearway/contract/monitor/page/alias/model.ts'
import type { FrontierState } from '@clearway/engine/frontier.ts'
import { inTransaction } from '../../../kit/database.ts'
import { countAliases } from '../alias/store.ts'
import { lockRun, readFrontierState } from '../frontier/store.ts'
import type { RecordDeps } from '../outcome/store.ts'
import { entryState } from '../table.ts'

/** Lets a run at its limit visit pages in place of joined ones. Depends on recorded pages alone, for any number of workers. */
const extendLimit = (deps: RecordDeps): Promise<void> =>
  inTransaction(deps.db, async (trx) => {
    const { runId, scanId, runNumber: number, pageLimit } = deps
    const lockedRun = await lockRun(trx, runId, pageLimit)
    if (!lockedRun || lockedRun.ended || lockedRun.cancelled || lockedRun.counted < lockedRun.maxCounted) return
    const { rows: claimedRows } = await sql`
      select 1 from frontier where run_id = ${runId} and state = ${entryState.claimed} limit 1`.execute(trx)
    if (claimedRows.length > 0) return
    const extraPages = getExtraPages(await countAliases(trx, { runId, scanId, number }), pageLimit)
    await sql`update run set extra_pages = ${extraPages}::int where id = ${runId} and extra_pages < ${extraPages}::int`.execute(
      trx,
    )
  })

/** State of a run. One that reached its page limit is drained only if no joined page makes room for another. */
export async function readLimitedState(deps: RecordDeps): Promise<FrontierState> {
  const state = await readFrontierState(deps)
  if (state !== 'drained') return state
  await extendLimit(deps)
  return readFrontierState(deps)
}

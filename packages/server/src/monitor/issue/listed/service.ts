import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { countGroups } from '../recount/store.ts'
import { findUnlistedRuns, lockRun, selectRun } from './store.ts'

/** Maximum number of runs that a round counts. */
const maxRunsPerRound = 1000

/** Counts what lists over all scans show of runs that carry no counts, each in its own transaction. */
export async function countUnlistedRuns({ db }: { db: MonitorDb }): Promise<void> {
  for (const { id, scanId } of await findUnlistedRuns(db, maxRunsPerRound))
    await inTransaction(db, async (trx) => {
      await lockEvidenceExclusive(scanId).execute(trx)
      await lockRun(trx, id)
      await countGroups(trx, selectRun(id))
    })
}

import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { countForLists } from '../recount/store.ts'
import { findUnlistedRuns, lockUnlistedRun, selectRun } from './store.ts'

/**
 * Counts what lists over all scans show of runs that carry no counts, each in its own transaction.
 * @throws the first error, after all other runs were counted
 */
export async function countUnlistedRuns({ db }: { db: MonitorDb }): Promise<void> {
  const errors: unknown[] = []
  for (const { id, scanId } of await findUnlistedRuns(db))
    await inTransaction(db, async (trx) => {
      await lockEvidenceExclusive(scanId).execute(trx)
      if (await lockUnlistedRun(trx, id)) await countForLists(trx, selectRun(id))
    }).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

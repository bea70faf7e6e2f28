import type { rollupApi } from '@clearway/contract/monitor/scan/rollup/api.ts'
import type { Caller, Handlers } from '../../../kit/http/answer.ts'
import { preferReplica } from '../../../kit/large-read.ts'
import type { MonitorDb } from '../../database.ts'
import { changesFor, groupsFor, rulesFor, templatesFor, trendFor } from './service.ts'

type Summed<Query, Answer> = (deps: { db: MonitorDb }, caller: Caller, query: Query) => Promise<Answer>

/** Many scans summed up, over HTTP. */
export function rollupHandlers(deps: { db: MonitorDb }): Handlers<typeof rollupApi> {
  const summed =
    <Query, Answer>(sum: Summed<Query, Answer>) =>
    ({ query }: { query: Query }, { caller }: { caller: Caller | null }) =>
      preferReplica(deps.db, (db) => sum({ db }, caller!, query))
  return {
    rollupTrend: summed(trendFor),
    rollupRules: summed(rulesFor),
    rollupTemplates: summed(templatesFor),
    rollupGroups: summed(groupsFor),
    rollupChanges: summed(changesFor),
  }
}

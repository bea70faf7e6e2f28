import type { rollupApi } from '@clearway/contract/monitor/scan/rollup/api.ts'
import type { Caller, Handlers } from '../../../kit/http/answer.ts'
import { preferReplica } from '../../../kit/large-read.ts'
import type { MonitorDb } from '../../database.ts'
import { getChanges, getGroups, getRules, getTemplates, getTrend } from './service.ts'

type RollupQuery<Query, Answer> = (deps: { db: MonitorDb }, caller: Caller, query: Query) => Promise<Answer>

export function rollupHandlers(deps: { db: MonitorDb }): Handlers<typeof rollupApi> {
  const createHandler =
    <Query, Answer>(runQuery: RollupQuery<Query, Answer>) =>
    ({ query }: { query: Query }, { caller }: { caller: Caller | null }) =>
      preferReplica(deps.db, (db) => runQuery({ db }, caller!, query))
  return {
    rollupTrend: createHandler(getTrend),
    rollupRules: createHandler(getRules),
    rollupTemplates: createHandler(getTemplates),
    rollupGroups: createHandler(getGroups),
    rollupChanges: createHandler(getChanges),
  }
}

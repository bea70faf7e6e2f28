import type { rollupApi } from '@clearway/contract/monitor/scan/rollup/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { changesFor, groupsFor, rulesFor, templatesFor, trendFor } from './service.ts'

/** Many scans summed up, over HTTP. */
export const rollupHandlers = (deps: { db: MonitorDb }): Handlers<typeof rollupApi> => ({
  rollupTrend: ({ query }, { caller }) => trendFor(deps, caller!, query),
  rollupRules: ({ query }, { caller }) => rulesFor(deps, caller!, query),
  rollupTemplates: ({ query }, { caller }) => templatesFor(deps, caller!, query),
  rollupGroups: ({ query }, { caller }) => groupsFor(deps, caller!, query),
  rollupChanges: ({ query }, { caller }) => changesFor(deps, caller!, query),
})

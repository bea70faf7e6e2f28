import type { recheckApi } from '@clearway/contract/monitor/run/recheck/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { type RecheckDeps, recheckFor, requestRecheck } from './service.ts'

/** Re-checks of pages over HTTP. */
export const recheckHandlers = (deps: RecheckDeps): Handlers<typeof recheckApi> => ({
  recheckPage: ({ params }, { caller }) => requestRecheck(deps, caller!, params.id),
  readRecheck: ({ params }) => recheckFor(deps, params.id),
})

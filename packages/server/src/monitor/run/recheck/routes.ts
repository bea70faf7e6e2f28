import type { recheckApi } from '@clearway/contract/monitor/run/recheck/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { type RecheckDeps, getRecheck, requestDoubtfulRechecks, requestRecheck } from './service.ts'

export const recheckHandlers = (deps: RecheckDeps): Handlers<typeof recheckApi> => ({
  recheckPage: ({ params }, { caller }) => requestRecheck(deps, caller!, params.id),
  recheckDoubtfulPages: ({ params }, { caller }) => requestDoubtfulRechecks(deps, caller!, params),
  readRecheck: ({ params }) => getRecheck(deps, params.id),
})

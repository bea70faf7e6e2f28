import type { runApi } from '@clearway/contract/monitor/run/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  cancelRun,
  eventsFor,
  issueOverviewFor,
  overviewFor,
  pageOverviewFor,
  type RunDeps,
  runPagesFor,
  runsFor,
  startRun,
  statsFor,
  violationPagesFor,
  violationsFor,
} from './service.ts'

/** Runs over HTTP. */
export const runHandlers = (deps: RunDeps): Handlers<typeof runApi> => ({
  startRun: ({ params }) => startRun(deps, params.id),
  cancelRun: ({ params }) => cancelRun(deps, params.id),
  listRuns: ({ params, query }) => runsFor(deps, params.id, query),
  runOverview: ({ params }) => overviewFor(deps, params),
  runIssueOverview: ({ params }) => issueOverviewFor(deps, params),
  runPageOverview: ({ params }) => pageOverviewFor(deps, params),
  runStats: ({ params }) => statsFor(deps, params),
  runViolations: ({ params, query }) => violationsFor(deps, params, query),
  runViolationPages: ({ params, query }) => violationPagesFor(deps, params, query),
  runPages: ({ params, query }, { caller }) => runPagesFor(deps, caller!, params, query),
  runEvents: ({ params }) => eventsFor(deps, params),
})

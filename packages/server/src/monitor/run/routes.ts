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
import {
  getCommonIssues,
  getComparedIssues,
  getComparedPages,
  compareRuns,
  getRuleset,
  getScanTrend,
  getSelectors,
  getViolationGroups,
} from './compare/service.ts'
import { type ReportDeps, reportFor } from './report/service.ts'
import { type UploadDeps, uploadFor } from './upload/service.ts'

/** Runs over HTTP. */
export const runHandlers = (deps: RunDeps & UploadDeps & ReportDeps): Handlers<typeof runApi> => ({
  startRun: ({ params }, { caller }) => startRun(deps, caller!, params.id),
  cancelRun: ({ params }) => cancelRun(deps, params.id),
  listRuns: ({ params, query }) => runsFor(deps, params.id, query),
  runOverview: ({ params }, { caller }) => overviewFor(deps, params, caller!.guestOf === undefined),
  runIssueOverview: ({ params }) => issueOverviewFor(deps, params),
  runPageOverview: ({ params }) => pageOverviewFor(deps, params),
  runStats: ({ params }) => statsFor(deps, params),
  runViolations: ({ params, query }) => violationsFor(deps, params, query),
  runViolationPages: ({ params, query }) => violationPagesFor(deps, params, query),
  runPages: ({ params, query }, { caller }) => runPagesFor(deps, caller!, params, query),
  runCommonIssues: ({ params, query }) => getCommonIssues(deps, params, query),
  runViolationGroups: ({ params, query }) => getViolationGroups(deps, params, query),
  runSelectors: ({ params, query }) => getSelectors(deps, params, query),
  compareRuns: ({ params }) => compareRuns(deps, params),
  comparedIssues: ({ params, query }) => getComparedIssues(deps, params, query),
  comparedPages: ({ params, query }) => getComparedPages(deps, params, query),
  scanTrend: ({ params, query }) => getScanTrend(deps, params.id, query.size),
  scanRuleset: ({ params }) => getRuleset(deps, params.id),
  updateReport: ({ params }) => reportFor(deps, params),
  uploadIssues: ({ params }, { caller, upload }) => uploadFor(deps, caller!, params, upload.files),
  runEvents: ({ params }) => eventsFor(deps, params),
})

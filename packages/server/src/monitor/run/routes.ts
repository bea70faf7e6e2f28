import type { runApi } from '@clearway/contract/monitor/run/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  acceptNewestRun,
  cancelRun,
  streamRunEvents,
  getIssueOverview,
  getRunOverview,
  getPageOverview,
  type RunDeps,
  getRunPages,
  listScanRuns,
  startRun,
  getRunStats,
  getViolationPages,
  getViolations,
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
import { getLeftOut } from './left-out/service.ts'
import { getParameterProposals } from './parameter/service.ts'
import { type ReportDeps, sendReport } from './report/service.ts'
import { type UploadDeps, uploadResults } from './upload/service.ts'

export const runHandlers = (deps: RunDeps & UploadDeps & ReportDeps): Handlers<typeof runApi> => ({
  startRun: ({ params }, { caller }) => startRun(deps, caller!, params.id),
  cancelRun: ({ params }) => cancelRun(deps, params.id),
  acceptRun: ({ params }) => acceptNewestRun(deps, params),
  listRuns: ({ params, query }) => listScanRuns(deps, params.id, query),
  runOverview: ({ params }, { subject }) => getRunOverview(deps, params, subject!.role),
  runIssueOverview: ({ params }) => getIssueOverview(deps, params),
  runPageOverview: ({ params }) => getPageOverview(deps, params),
  runLeftOut: ({ params }) => getLeftOut(deps, params),
  runParameters: ({ params }) => getParameterProposals(deps, params),
  runStats: ({ params }) => getRunStats(deps, params),
  runViolations: ({ params, query }) => getViolations(deps, params, query),
  runViolationPages: ({ params, query }) => getViolationPages(deps, params, query),
  runPages: ({ params, query }, { caller }) => getRunPages(deps, caller!, params, query),
  runCommonIssues: ({ params, query }) => getCommonIssues(deps, params, query),
  runViolationGroups: ({ params, query }) => getViolationGroups(deps, params, query),
  runSelectors: ({ params, query }) => getSelectors(deps, params, query),
  compareRuns: ({ params }) => compareRuns(deps, params),
  comparedIssues: ({ params, query }) => getComparedIssues(deps, params, query),
  comparedPages: ({ params, query }) => getComparedPages(deps, params, query),
  scanTrend: ({ params, query }) => getScanTrend(deps, params.id, query.size),
  scanRuleset: ({ params }) => getRuleset(deps, params.id),
  updateReport: ({ params }) => sendReport(deps, params),
  uploadIssues: ({ params }, { caller, upload }) => uploadResults(deps, caller!, params, upload.files),
  runEvents: ({ params }) => streamRunEvents(deps, params),
})

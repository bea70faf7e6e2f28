import { defineEndpoints } from '../../../kit/endpoint.ts'
import { issueApi } from '../../issue/api.ts'
import { issueBulkApi } from '../../issue/bulk/api.ts'
import { pageApi } from '../../page/api.ts'
import { runApi } from '../../run/api.ts'
import { branchApi } from '../../run/branch/api.ts'
import { scanApi } from '../../scan/api.ts'
import { scanBulkApi } from '../../scan/bulk/api.ts'

/**
 * The public API for other programs, below `/monitor-public-api/v1`: reading, starting runs, and storing results of gates. Callers send
 * `X-API-Key`. The endpoints are those of the product; within v1, they are only added to.
 */
export const publicApi = defineEndpoints({
  listScans: scanApi.listScans,
  readScan: scanApi.readScan,
  fetchScanScores: scanBulkApi.fetchScanScores,
  startRun: runApi.startRun,
  cancelRun: runApi.cancelRun,
  listRuns: runApi.listRuns,
  runOverview: runApi.runOverview,
  runIssueOverview: runApi.runIssueOverview,
  runPageOverview: runApi.runPageOverview,
  runViolations: runApi.runViolations,
  runViolationGroups: runApi.runViolationGroups,
  runCommonIssues: runApi.runCommonIssues,
  compareRuns: runApi.compareRuns,
  scanTrend: runApi.scanTrend,
  scanRuleset: runApi.scanRuleset,
  createBranchRun: branchApi.createBranchRun,
  listBranchRuns: branchApi.listBranchRuns,
  readBranchRun: branchApi.readBranchRun,
  listIssues: issueApi.listIssues,
  readIssue: issueApi.readIssue,
  exportIssuesJson: issueBulkApi.exportIssuesJson,
  listPages: pageApi.listPages,
  readPage: pageApi.readPage,
})

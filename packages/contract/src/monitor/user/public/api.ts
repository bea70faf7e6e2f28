import { defineEndpoints } from '../../../kit/endpoint.ts'
import { accessApi } from '../../access/api.ts'
import { groupApi } from '../../group/api.ts'
import { issueApi } from '../../issue/api.ts'
import { issueBulkApi } from '../../issue/bulk/api.ts'
import { pageApi } from '../../page/api.ts'
import { presetApi } from '../../preset/api.ts'
import { runApi } from '../../run/api.ts'
import { branchApi } from '../../run/branch/api.ts'
import { scanApi } from '../../scan/api.ts'
import { scanBulkApi } from '../../scan/bulk/api.ts'

/**
 * The public API for other programs, below `/monitor-public-api/v1`, by the scope that a key (`X-API-Key`) needs. Endpoints are
 * those of the product, only added to within v1. Calls that create keys, share links or webhooks need a person.
 */
export const publicApiByScope = {
  read: defineEndpoints({
    listScans: scanApi.listScans,
    readScan: scanApi.readScan,
    readScanSettings: scanApi.readScanSettings,
    readScanAccess: accessApi.readScanAccess,
    fetchScanScores: scanBulkApi.fetchScanScores,
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
    listBranchRuns: branchApi.listBranchRuns,
    readBranchRun: branchApi.readBranchRun,
    listIssues: issueApi.listIssues,
    readIssue: issueApi.readIssue,
    exportIssuesJson: issueBulkApi.exportIssuesJson,
    listPages: pageApi.listPages,
    readPage: pageApi.readPage,
    listGroups: groupApi.listGroups,
    listGroupScans: groupApi.listGroupScans,
    listGroupableTeams: groupApi.listGroupableTeams,
    listPresets: presetApi.listPresets,
    readPresetSettings: presetApi.readPresetSettings,
  }),
  run: defineEndpoints({
    startRun: runApi.startRun,
    cancelRun: runApi.cancelRun,
    createBranchRun: branchApi.createBranchRun,
  }),
  manage: defineEndpoints({
    createScan: scanApi.createScan,
    updateScan: scanApi.updateScan,
    deleteScan: scanApi.deleteScan,
    updateScanAccess: accessApi.updateScanAccess,
    createGroup: groupApi.createGroup,
    updateGroup: groupApi.updateGroup,
    deleteGroup: groupApi.deleteGroup,
    createPreset: presetApi.createPreset,
    updatePreset: presetApi.updatePreset,
    deletePreset: presetApi.deletePreset,
    assignPreset: presetApi.assignPreset,
    removePreset: presetApi.removePreset,
  }),
}

export const publicApi = { ...publicApiByScope.read, ...publicApiByScope.run, ...publicApiByScope.manage }

import type { scanApi } from '@clearway/contract/monitor/scan/api.ts'
import type { scanBulkApi } from '@clearway/contract/monitor/scan/bulk/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createScan,
  declineDriving,
  deleteScan,
  forgetSignOut,
  setFavoriteScan,
  type ScanDeps,
  getScan,
  listScanNames,
  listVisibleScans,
  getSettings,
  updateScan,
  validateName,
} from './service.ts'
import {
  listActivity,
  describeScans,
  exportScans,
  setFavoriteScans,
  patchScans,
  listScansWithPresets,
  removeScans,
  listScores,
  startScans,
  tagScans,
  listTags,
} from './bulk/service.ts'

/** HTTP handlers for scans. The guard ensures that each call has a caller. */
export const scanHandlers = (deps: ScanDeps): Handlers<typeof scanApi> => ({
  listScans: ({ query }, { caller }) => listVisibleScans(deps, caller!, query),
  listScanNames: (_call, { caller }) => listScanNames(deps, caller!),
  createScan: ({ body }, { caller, authorization }) => createScan(deps, { caller: caller!, authorization }, body),
  validateScan: ({ body }) => validateName(deps, body.name, body.scanId),
  readScan: ({ params }, { caller }) => getScan(deps, caller!, params.id),
  readScanSettings: ({ params }, { caller, subject }) => getSettings(deps, params.id, caller!, subject!.role),
  updateScan: ({ params, body }, { caller, authorization }) =>
    updateScan(deps, { caller: caller!, authorization }, params.id, body),
  deleteScan: ({ params }) => deleteScan(deps, params.id),
  forgetSignOut: ({ params, query }) => forgetSignOut(deps, params.id, query.pattern),
  declineDriving: ({ params }) => declineDriving(deps, params.id),
  favoriteScan: ({ params, query }, { caller }) => setFavoriteScan(deps, caller!, params.id, query.status),
})

export const scanBulkHandlers = (deps: ScanDeps): Handlers<typeof scanBulkApi> => ({
  fetchScanScores: ({ query }, { caller }) => listScores(deps, caller!, query.scanId),
  scanActivity: ({ query }, { caller }) => listActivity(deps, caller!, query),
  scansWithPresets: ({ query }, { caller }) => listScansWithPresets(deps, caller!, query),
  selectedScans: ({ body }, { caller }) => describeScans(deps, caller!, body),
  updateScans: ({ body }, { caller }) => patchScans(deps, caller!, body),
  tagScans: ({ body }, { caller }) => tagScans(deps, caller!, body),
  listScanTags: (_call, { caller }) => listTags(deps, caller!),
  startScans: ({ body }, { caller }) => startScans(deps, caller!, body),
  configureScans: ({ body }, { caller }) => setFavoriteScans(deps, caller!, body),
  deleteScans: ({ body }, { caller }) => removeScans(deps, caller!, body),
  exportScansCsv: ({ body }, { caller }) => exportScans(deps, caller!, body),
})

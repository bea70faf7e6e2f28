import type { scanApi } from '@clearway/contract/monitor/scan/api.ts'
import type { scanBulkApi } from '@clearway/contract/monitor/scan/bulk/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createScan,
  deleteScan,
  favorite,
  type ScanDeps,
  scanFor,
  scanNamesFor,
  scansFor,
  settingsFor,
  updateScan,
  validateName,
} from './service.ts'
import {
  activityFor,
  describeScans,
  exportScans,
  favorites,
  patchScans,
  presetsFor,
  removeScans,
  scoresFor,
  startScans,
  tagScans,
  tagsFor,
} from './bulk/service.ts'

/** Scans over HTTP. The guard has let in nobody without a caller. */
export const scanHandlers = (deps: ScanDeps): Handlers<typeof scanApi> => ({
  listScans: ({ query }, { caller }) => scansFor(deps, caller!, query),
  listScanNames: (_call, { caller }) => scanNamesFor(deps, caller!),
  createScan: ({ body }, { caller, authorization }) =>
    createScan(deps, { caller: caller!, authorization }, body),
  validateScan: ({ body }) => validateName(deps, body.name, body.scanId),
  readScan: ({ params }, { caller }) => scanFor(deps, caller!, params.id),
  readScanSettings: ({ params }, { caller, subject }) => settingsFor(deps, params.id, caller!, subject!.role),
  updateScan: ({ params, body }, { caller, authorization }) =>
    updateScan(deps, { caller: caller!, authorization }, params.id, body),
  deleteScan: ({ params }) => deleteScan(deps, params.id),
  favoriteScan: ({ params, query }, { caller }) => favorite(deps, caller!, params.id, query.status),
})

/** Calls on many scans over HTTP. */
export const scanBulkHandlers = (deps: ScanDeps): Handlers<typeof scanBulkApi> => ({
  fetchScanScores: ({ query }, { caller }) => scoresFor(deps, caller!, query.scanId),
  scanActivity: ({ query }, { caller }) => activityFor(deps, caller!, query),
  scansWithPresets: ({ query }, { caller }) => presetsFor(deps, caller!, query),
  selectedScans: ({ body }, { caller }) => describeScans(deps, caller!, body),
  updateScans: ({ body }, { caller }) => patchScans(deps, caller!, body),
  tagScans: ({ body }, { caller }) => tagScans(deps, caller!, body),
  listScanTags: (_call, { caller }) => tagsFor(deps, caller!),
  startScans: ({ body }, { caller }) => startScans(deps, caller!, body),
  configureScans: ({ body }, { caller }) => favorites(deps, caller!, body),
  deleteScans: ({ body }, { caller }) => removeScans(deps, caller!, body),
  exportScansCsv: ({ body }, { caller }) => exportScans(deps, caller!, body),
})

import type { scanApi } from '@clearway/contract/monitor/scan/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createScan,
  deleteScan,
  favorite,
  type ScanDeps,
  scanFor,
  scansFor,
  settingsFor,
  updateScan,
  validateName,
} from './service.ts'

/** Scans over HTTP. The guard has let in nobody without a caller. */
export const scanHandlers = (deps: ScanDeps): Handlers<typeof scanApi> => ({
  listScans: ({ query }, { caller }) => scansFor(deps, caller!, query),
  createScan: ({ body }, { caller }) => createScan(deps, caller!, body),
  validateScan: ({ body }) => validateName(deps, body.name, body.scanId),
  readScan: ({ params }, { caller }) => scanFor(deps, caller!, params.id),
  readScanSettings: ({ params }) => settingsFor(deps, params.id),
  updateScan: ({ params, body }) => updateScan(deps, params.id, body),
  deleteScan: ({ params }) => deleteScan(deps, params.id),
  favoriteScan: ({ params, query }, { caller }) => favorite(deps, caller!, params.id, query.status),
})

import type { presetApi } from '@clearway/contract/monitor/preset/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createPreset,
  deletePreset,
  getPresetSettings,
  listPresetSummaries,
  updatePreset,
  validatePresetName,
} from './service.ts'
import { assignPreset, type PresetRoutesDeps, removePresetFromScan } from './assignment/service.ts'

export const presetHandlers = (deps: PresetRoutesDeps): Handlers<typeof presetApi> => ({
  listPresets: ({ query }, { caller }) => listPresetSummaries(deps, caller!, query),
  readPresetSettings: ({ params }) => getPresetSettings(deps, params.id),
  createPreset: ({ body }) => createPreset(deps, body),
  updatePreset: ({ params, body }) => updatePreset(deps, params.id, body),
  deletePreset: ({ params }) => deletePreset(deps, params.id),
  validatePreset: ({ body }) => validatePresetName(deps, body.name, body.presetId),
  assignPreset: ({ params, query }, { caller }) => assignPreset(deps, caller!, params.id, query.presetId),
  removePreset: ({ params, query }, { caller }) => removePresetFromScan(deps, caller!, params.id, query.presetId),
})

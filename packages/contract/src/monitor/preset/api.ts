import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { PresetId, ScanId } from '../../kit/id.ts'
import { createPageSchema } from '../../kit/paging.ts'
import { StoredScanSettings, Validation } from '../scan/schema.ts'
import { Preset, PresetListQuery, PresetSettings, PresetUpdate, StoredPreset } from './schema.ts'

const presetParams = z.object({ id: PresetId })
const scanParams = z.object({ id: ScanId })

export const presetApi = defineEndpoints({
  listPresets: {
    method: 'GET',
    path: '/presets',
    permission: 'user',
    summary: 'Presets, to choose from',
    query: PresetListQuery,
    reply: createPageSchema(Preset),
  },
  readPresetSettings: {
    method: 'GET',
    path: '/presets/{id}/settings',
    permission: 'user',
    summary: 'One preset',
    params: presetParams,
    reply: StoredPreset,
    asStored: true,
  },
  createPreset: {
    method: 'POST',
    path: '/presets',
    permission: 'admin',
    summary: 'Creates a preset',
    body: PresetSettings,
    reply: StoredPreset,
    status: 201,
    problems: ['name-taken'],
  },
  updatePreset: {
    method: 'PUT',
    path: '/presets/{id}',
    permission: 'admin',
    summary: 'Changes a preset; its scans follow in the settings that it locks',
    params: presetParams,
    body: PresetUpdate,
    reply: StoredPreset,
    problems: ['name-taken', 'edit-conflict'],
  },
  deletePreset: {
    method: 'DELETE',
    path: '/presets/{id}',
    permission: 'admin',
    summary: 'Deletes a preset; its scans keep their settings',
    params: presetParams,
    reply: { empty: true },
    status: 204,
  },
  validatePreset: {
    method: 'POST',
    path: '/presets/validate',
    permission: 'admin',
    summary: 'Whether a name is free',
    body: z.strictObject({ name: z.string().check(z.maxLength(10_000)), presetId: z.optional(PresetId) }),
    reply: Validation,
  },
  assignPreset: {
    method: 'POST',
    path: '/scans/{id}/preset',
    permission: 'scan.manage',
    summary: 'Assigns a preset to a scan, whose settings follow it from now on',
    params: scanParams,
    query: z.object({ presetId: PresetId }),
    reply: StoredScanSettings,
    asStored: true,
    problems: ['locked-by-preset'],
  },
  removePreset: {
    method: 'DELETE',
    path: '/scans/{id}/preset',
    permission: 'scan.manage',
    summary: 'Removes the preset from a scan, which keeps its settings',
    params: scanParams,
    query: z.object({ presetId: z.optional(PresetId) }),
    reply: StoredScanSettings,
    asStored: true,
    problems: ['locked-by-preset'],
  },
})

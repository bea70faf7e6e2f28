import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScriptBody } from '@clearway/contract/monitor/script/schema.ts'
import type * as z from 'zod/mini'
import type { Config } from '../config.ts'
import type { Freshness } from '../kit/http/register.ts'
import { listPresetSecrets } from '../monitor/preset/model.ts'
import { listScanSecrets, type SecretField, listVariableSecrets } from '../monitor/session/model.ts'

const hasNewSecret = (fields: readonly SecretField[]): boolean => fields.some(({ value }) => value !== null)

/** Calls that grant access or export data and need a recent sign-in, so that an unattended browser cannot be abused. */
export const getFreshness = (config: Pick<Config, 'CLEARWAY_CONFIRM_MINUTES'>): Freshness => ({
  withinMs: config.CLEARWAY_CONFIRM_MINUTES * 60_000,
  calls: {
    createApiKey: true,
    createPublicToken: true,
    createWebhook: true,
    updateWebhook: true,
    createScan: (body: ScanSettings) => hasNewSecret(listScanSecrets(body)),
    updateScan: ({ settings }: { settings: ScanSettings }) => hasNewSecret(listScanSecrets(settings)),
    createPreset: (body: PresetSettings) => hasNewSecret(listPresetSecrets('', body)),
    updatePreset: ({ settings }: { settings: PresetSettings }) => hasNewSecret(listPresetSecrets('', settings)),
    createScript: (body: z.output<typeof ScriptBody>) => hasNewSecret(listVariableSecrets('', body.variables)),
    updateScript: ({ settings }: { settings: z.output<typeof ScriptBody> }) =>
      hasNewSecret(listVariableSecrets('', settings.variables)),
  },
})

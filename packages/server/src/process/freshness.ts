import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScriptBody } from '@clearway/contract/monitor/script/schema.ts'
import type * as z from 'zod/mini'
import type { Config } from '../config.ts'
import type { Freshness } from '../kit/http/register.ts'
import { listPresetSecrets } from '../monitor/preset/model.ts'
import { scanSecrets, type SecretField, variableSecrets } from '../monitor/session/model.ts'

const hasSecret = (fields: readonly SecretField[]): boolean => fields.some(({ value }) => value !== null)

/** What lets others in, or leads data out: whoever found an open browser does not do it in somebody's name. */
export const freshnessOf = (config: Pick<Config, 'CLEARWAY_CONFIRM_MINUTES'>): Freshness => ({
  withinMs: config.CLEARWAY_CONFIRM_MINUTES * 60_000,
  calls: {
    createApiKey: true,
    createPublicToken: true,
    createWebhook: true,
    updateWebhook: true,
    createScan: (body: ScanSettings) => hasSecret(scanSecrets(body)),
    updateScan: ({ settings }: { settings: ScanSettings }) => hasSecret(scanSecrets(settings)),
    createPreset: (body: PresetSettings) => hasSecret(listPresetSecrets('', body)),
    updatePreset: ({ settings }: { settings: PresetSettings }) => hasSecret(listPresetSecrets('', settings)),
    createScript: (body: z.output<typeof ScriptBody>) => hasSecret(variableSecrets('', body.variables)),
    updateScript: ({ settings }: { settings: z.output<typeof ScriptBody> }) =>
      hasSecret(variableSecrets('', settings.variables)),
  },
})

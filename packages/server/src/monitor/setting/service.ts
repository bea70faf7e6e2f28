import {
  defaultQuotas,
  type QuotaBody,
  type QuotaSettings,
  type QuotaUse,
  type RetentionBody,
  type RetentionSettings,
  type StoredQuotas,
  type StoredRetention,
  type StoredSystemSettings,
  type SystemSettingsBody,
} from '@clearway/contract/monitor/setting/schema.ts'
import { refuse, type Refusal } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { computeSettingVersion } from './model.ts'
import { readQuotas, countDailyUse, readQuotaUse, writeQuotas } from './quota/store.ts'
import { readRetention, readSettings, withSettingsLock, writeRetention, writeSettings } from './store.ts'

export type SettingDeps = { db: MonitorDb }
type SettingValues = Readonly<Record<string, boolean | number>>

const withVersion = <T extends SettingValues>(settings: T) => ({ ...settings, version: computeSettingVersion(settings) })

/** Stores settings, unless they changed since the known version. */
const updateIfUnchanged = <T extends SettingValues>(
  deps: SettingDeps,
  knownVersion: number | undefined,
  readCurrent: (deps: SettingDeps) => Promise<T>,
  writeNew: (deps: SettingDeps) => Promise<void>,
): Promise<(T & { version: number }) | Refusal> =>
  withSettingsLock(deps, async (lockedDeps) => {
    if (knownVersion !== undefined && computeSettingVersion(await readCurrent(lockedDeps)) !== knownVersion)
      return refuse('edit-conflict', { detail: 'The settings were changed since you opened them. Load them again.' })
    await writeNew(lockedDeps)
    return withVersion(await readCurrent(lockedDeps))
  })

/** Permissions of roles other than admin to create scans. The guard reads the same rows. */
export const getSystemSettings = async (deps: SettingDeps): Promise<StoredSystemSettings> => withVersion(await readSettings(deps))

export const updateSystemSettings = (
  deps: SettingDeps,
  { version, ...settings }: SystemSettingsBody,
): Promise<StoredSystemSettings | Refusal> =>
  updateIfUnchanged(deps, version, readSettings, (lockedDeps) => writeSettings(lockedDeps, settings))

/** Retention of runs: an administrator's setting, or else the configured default. */
export const readCurrentRetention = async (deps: SettingDeps, configured: RetentionSettings): Promise<RetentionSettings> =>
  (await readRetention(deps)) ?? configured

export const getStoredRetention = async (deps: SettingDeps, configured: RetentionSettings): Promise<StoredRetention> =>
  withVersion(await readCurrentRetention(deps, configured))

export const updateRetention = (
  deps: SettingDeps,
  configured: RetentionSettings,
  { version, ...settings }: RetentionBody,
): Promise<StoredRetention | Refusal> =>
  updateIfUnchanged(
    deps,
    version,
    (lockedDeps) => readCurrentRetention(lockedDeps, configured),
    (lockedDeps) => writeRetention(lockedDeps, settings),
  )

export const readCurrentQuotas = async (deps: SettingDeps): Promise<QuotaSettings> => (await readQuotas(deps)) ?? defaultQuotas

export const getStoredQuotas = async (deps: SettingDeps): Promise<StoredQuotas> => withVersion(await readCurrentQuotas(deps))

export const getQuotaUse = (deps: SettingDeps): Promise<QuotaUse> => readQuotaUse(deps)

export const updateQuotas = (deps: SettingDeps, { version, ...settings }: QuotaBody): Promise<StoredQuotas | Refusal> =>
  updateIfUnchanged(deps, version, readCurrentQuotas, (lockedDeps) => writeQuotas(lockedDeps, settings))

/** Counts an upload today; refused when the person has reached the limit. */
export async function countUpload(deps: SettingDeps, personId: string): Promise<Refusal | null> {
  const { uploads: maxUploads } = await readCurrentQuotas(deps)
  if (await countDailyUse(deps, personId, 'upload', maxUploads)) return null
  return refuse('quota-uploads', {
    detail: `One person can upload results at most ${maxUploads} times a day.`,
  })
}

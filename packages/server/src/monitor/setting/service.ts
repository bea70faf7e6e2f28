import {
  defaultQuotas,
  type QuotaBody,
  type QuotaSettings,
  type RetentionBody,
  type RetentionSettings,
  type StoredQuotas,
  type StoredRetention,
  type StoredSystemSettings,
  type SystemSettingsBody,
} from '@clearway/contract/monitor/setting/schema.ts'
import { refuse, type Refusal } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { settingVersion } from './model.ts'
import { readQuotas, takeDaily, writeQuotas } from './quota/store.ts'
import { readRetention, readSettings, settingsAlone, writeRetention, writeSettings } from './store.ts'

export type SettingDeps = { db: MonitorDb }
type Said = Readonly<Record<string, boolean | number>>

const withVersion = <T extends Said>(settings: T) => ({ ...settings, version: settingVersion(settings) })

/** Stores settings, unless they are others than the ones of the version that is known. */
const change = <T extends Said>(
  deps: SettingDeps,
  known: number | undefined,
  read: (deps: SettingDeps) => Promise<T>,
  write: (deps: SettingDeps) => Promise<void>,
): Promise<(T & { version: number }) | Refusal> =>
  settingsAlone(deps, async (alone) => {
    if (known !== undefined && settingVersion(await read(alone)) !== known)
      return refuse('edit-conflict', {
        detail: 'The settings were changed since you opened them. Load them again.',
      })
    await write(alone)
    return withVersion(await read(alone))
  })

/** Who besides admins may create scans. The guard reads the same rows. */
export const systemSettings = async (deps: SettingDeps): Promise<StoredSystemSettings> =>
  withVersion(await readSettings(deps))

export const updateSystemSettings = (
  deps: SettingDeps,
  { version, ...settings }: SystemSettingsBody,
): Promise<StoredSystemSettings | Refusal> =>
  change(deps, version, readSettings, (alone) => writeSettings(alone, settings))

/** How long runs keep what they found: as an administrator set it, else as the server was started. */
export const retentionNow = async (
  deps: SettingDeps,
  started: RetentionSettings,
): Promise<RetentionSettings> => (await readRetention(deps)) ?? started

export const storedRetention = async (
  deps: SettingDeps,
  started: RetentionSettings,
): Promise<StoredRetention> => withVersion(await retentionNow(deps, started))

export const updateRetention = (
  deps: SettingDeps,
  started: RetentionSettings,
  { version, ...settings }: RetentionBody,
): Promise<StoredRetention | Refusal> =>
  change(
    deps,
    version,
    (alone) => retentionNow(alone, started),
    (alone) => writeRetention(alone, settings),
  )

/** The quotas of each person. */
export const quotasNow = async (deps: SettingDeps): Promise<QuotaSettings> =>
  (await readQuotas(deps)) ?? defaultQuotas

export const storedQuotas = async (deps: SettingDeps): Promise<StoredQuotas> =>
  withVersion(await quotasNow(deps))

export const updateQuotas = (
  deps: SettingDeps,
  { version, ...settings }: QuotaBody,
): Promise<StoredQuotas | Refusal> =>
  change(deps, version, quotasNow, (alone) => writeQuotas(alone, settings))

/** Counts an upload of today; a refusal for whoever has reached the limit. */
export async function takeUpload(deps: SettingDeps, personId: string): Promise<Refusal | null> {
  const { uploads } = await quotasNow(deps)
  if (await takeDaily(deps, personId, 'upload', uploads)) return null
  return refuse('quota-uploads', { detail: `One person uploads results ${uploads} times a day at most.` })
}

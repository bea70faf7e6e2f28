import type { RetentionSettings, SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import type { MonitorDb } from '../database.ts'
import { readRetention, readSettings, writeRetention, writeSettings } from './store.ts'

export type SettingDeps = { db: MonitorDb }

/** Who besides admins may create scans. The guard reads the same rows. */
export const systemSettings = (deps: SettingDeps): Promise<SystemSettings> => readSettings(deps)

export async function updateSystemSettings(
  deps: SettingDeps,
  settings: SystemSettings,
): Promise<SystemSettings> {
  await writeSettings(deps, settings)
  return readSettings(deps)
}

/** How long runs keep what they found: as an administrator set it, else as the server was started. */
export const retentionNow = async (
  deps: SettingDeps,
  started: RetentionSettings,
): Promise<RetentionSettings> => (await readRetention(deps)) ?? started

export async function updateRetention(
  deps: SettingDeps,
  settings: RetentionSettings,
): Promise<RetentionSettings> {
  await writeRetention(deps, settings)
  return settings
}

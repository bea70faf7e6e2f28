import type { SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import type { MonitorDb } from '../database.ts'
import { readSettings, writeSettings } from './store.ts'

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

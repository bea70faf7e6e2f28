import { inTransaction } from '../../kit/database.ts'
import { RetentionSettings, type SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { parseStored } from '../../kit/stored.ts'
import type { MonitorDb } from '../database.ts'

type DatabaseDeps = { db: MonitorDb }
const retentionName = 'retention'
const StoredSwitch = z.object({ on: z.boolean() })

/** Runs `work` in a transaction that locks the settings against other writers. */
export const withSettingsLock = <T>({ db }: DatabaseDeps, work: (lockedDeps: DatabaseDeps) => Promise<T>): Promise<T> =>
  inTransaction(db, async (trx) => {
    await sql`lock table system_setting in share row exclusive mode`.execute(trx)
    return work({ db: trx })
  })

/** Switches of the permissions page; each is on by default. */
export async function readSettings({ db }: DatabaseDeps): Promise<SystemSettings> {
  const settingRows = await db.selectFrom('system_setting').selectAll().execute()
  const isSwitchOn = (name: keyof SystemSettings) => {
    const settingRow = settingRows.find((each) => each.name === name)
    return settingRow ? parseStored(StoredSwitch, settingRow.value, `The setting ${name}`).on : true
  }
  return {
    allowScanMembersToCreateScans: isSwitchOn('allowScanMembersToCreateScans'),
    allowScanViewersToCreateScans: isSwitchOn('allowScanViewersToCreateScans'),
  }
}

export async function writeSettings({ db }: DatabaseDeps, settings: SystemSettings): Promise<void> {
  const settingRows = Object.entries(settings).map(([name, isOn]) => ({ name, value: JSON.stringify({ on: isOn }) }))
  await db
    .insertInto('system_setting')
    .values(settingRows)
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') })))
    .execute()
}

export async function readRetention({ db }: DatabaseDeps): Promise<RetentionSettings | null> {
  const retentionRow = await db.selectFrom('system_setting').select('value').where('name', '=', retentionName).executeTakeFirst()
  return retentionRow ? parseStored(RetentionSettings, retentionRow.value, `The setting ${retentionName}`) : null
}

export async function writeRetention({ db }: DatabaseDeps, settings: RetentionSettings): Promise<void> {
  await sql`insert into system_setting (name, value) values (${retentionName}, ${JSON.stringify(settings)})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

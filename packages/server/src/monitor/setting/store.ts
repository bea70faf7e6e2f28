import { inTransaction } from '../../kit/database.ts'
import { RetentionSettings, type SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { readStored } from '../../kit/stored.ts'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
const retentionName = 'retention'
const Switch = z.object({ on: z.boolean() })

/** Runs in a transaction that no other one writes settings beside. */
export const settingsAlone = <T>({ db }: Db, work: (alone: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (trx) => {
    await sql`lock table system_setting in share row exclusive mode`.execute(trx)
    return work({ db: trx })
  })

/** The switches of the permissions page; each is on until somebody turns it off. */
export async function readSettings({ db }: Db): Promise<SystemSettings> {
  const rows = await db.selectFrom('system_setting').selectAll().execute()
  const isOn = (name: keyof SystemSettings) => {
    const row = rows.find((each) => each.name === name)
    return row ? readStored(Switch, row.value, `The setting ${name}`).on : true
  }
  return {
    allowScanMembersToCreateScans: isOn('allowScanMembersToCreateScans'),
    allowScanViewersToCreateScans: isOn('allowScanViewersToCreateScans'),
  }
}

export async function writeSettings({ db }: Db, settings: SystemSettings): Promise<void> {
  const rows = Object.entries(settings).map(([name, on]) => ({ name, value: JSON.stringify({ on }) }))
  await db
    .insertInto('system_setting')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
    )
    .execute()
}

/** How long runs keep what they found, as an administrator set it; null until one did. */
export async function readRetention({ db }: Db): Promise<RetentionSettings | null> {
  const row = await db
    .selectFrom('system_setting')
    .select('value')
    .where('name', '=', retentionName)
    .executeTakeFirst()
  return row ? readStored(RetentionSettings, row.value, `The setting ${retentionName}`) : null
}

export async function writeRetention({ db }: Db, settings: RetentionSettings): Promise<void> {
  await sql`insert into system_setting (name, value) values (${retentionName}, ${JSON.stringify(settings)})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

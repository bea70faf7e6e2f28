import type { SystemSettings } from '@clearway/contract/monitor/setting/schema.ts'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }

/** The switches of the permissions page; each is on until somebody turns it off. */
export async function readSettings({ db }: Db): Promise<SystemSettings> {
  const rows = await db.selectFrom('system_setting').selectAll().execute()
  const isOn = (name: keyof SystemSettings) => rows.find((row) => row.name === name)?.value.on ?? true
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

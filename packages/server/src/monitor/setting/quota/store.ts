import { defaultQuotas, QuotaSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { readStored } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'

type Db = { db: MonitorDb }
const quotaName = 'quotas'
/** A process of a later version may have set more: that is none of ours. */
const Stored = z.object(QuotaSettings.shape)

/** The quotas that an administrator set; null until one did. */
export async function readQuotas({ db }: Db): Promise<QuotaSettings | null> {
  const { rows } = await sql<{ value: object }>`
    select value from system_setting where name = ${quotaName}`.execute(db)
  // One that came after they were set has its default.
  return rows[0]
    ? readStored(Stored, { ...defaultQuotas, ...rows[0].value }, `The setting ${quotaName}`)
    : null
}

export async function writeQuotas({ db }: Db, settings: QuotaSettings): Promise<void> {
  await sql`insert into system_setting (name, value) values (${quotaName}, ${JSON.stringify(settings)})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

/** Counts one more use of today; false when there have been `most`. */
export async function takeDaily(
  { db }: Db,
  personId: string,
  kind: 'upload',
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into daily_use as u (person_id, kind, day, count) values (${personId}, ${kind}, current_date, 1)
    on conflict (person_id, kind) do update set day = current_date,
      count = case when u.day = current_date then u.count + 1 else 1 end
    where u.day <> current_date or u.count < ${most} returning 1`.execute(db)
  return rows.length > 0
}

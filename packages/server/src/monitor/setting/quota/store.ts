import { defaultQuotas, QuotaSettings } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { parseStored } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'

type DatabaseDeps = { db: MonitorDb }
const quotaName = 'quotas'
/** Ignores quotas set by processes of a later version. */
const StoredQuotaSettings = z.object(QuotaSettings.shape)

export async function readQuotas({ db }: DatabaseDeps): Promise<QuotaSettings | null> {
  const { rows: quotaRows } = await sql<{ value: object }>`
    select value from system_setting where name = ${quotaName}`.execute(db)
  // Quotas added later have their default.
  return quotaRows[0]
    ? parseStored(StoredQuotaSettings, { ...defaultQuotas, ...quotaRows[0].value }, `The setting ${quotaName}`)
    : null
}

export async function writeQuotas({ db }: DatabaseDeps, settings: QuotaSettings): Promise<void> {
  await sql`insert into system_setting (name, value) values (${quotaName}, ${JSON.stringify(settings)})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

/** Counts one more use today; false when the limit is reached. */
export async function countDailyUse(
  { db }: DatabaseDeps,
  personId: string,
  useKind: 'upload',
  maxUses: number,
): Promise<boolean> {
  const { rows: updatedRows } = await sql`
    insert into daily_use as u (person_id, kind, day, count) values (${personId}, ${useKind}, current_date, 1)
    on conflict (person_id, kind) do update set day = current_date,
      count = case when u.day = current_date then u.count + 1 else 1 end
    where u.day <> current_date or u.count < ${maxUses} returning 1`.execute(db)
  return updatedRows.length > 0
}

import { defaultQuotas, QuotaSettings, type QuotaUse } from '@clearway/contract/monitor/setting/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { parseStored } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'
import { buildPersonName } from '../../access/table.ts'

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

/** Row with the highest `count` of a query of (holder, count), with the name of the holder. */
const selectHighest = (counts: RawBuilder<unknown>, holderName: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('count', c.count, 'name', ${holderName}) from (${counts}) c where c.count > 0 order by c.count desc, c.holder limit 1)`
const personName = sql`(select ${buildPersonName('p')} from person p where p.id = c.holder)`

/** Reads the highest use of each quota: by person, for receivers by scan. */
export async function readQuotaUse({ db }: DatabaseDeps): Promise<QuotaUse> {
  const { rows: useRows } = await sql<QuotaUse>`select
    ${selectHighest(sql`select owner_id as holder, count(*)::int from scan where deleted_at is null group by 1`, personName)} as scans,
    ${selectHighest(sql`select started_by as holder, count(*)::int from run where ended_at is null and started_by is not null group by 1`, personName)} as runs,
    ${selectHighest(sql`select person_id as holder, count from daily_use where kind = 'upload' and day = current_date`, personName)} as uploads,
    ${selectHighest(
      sql`select name as holder, jsonb_array_length(settings->'notification'->'specificUsers') as count from scan where deleted_at is null`,
      sql`c.holder`,
    )} as receivers,
    ${selectHighest(sql`select author_id as holder, count(*)::int from view group by 1`, personName)} as views`.execute(db)
  return useRows[0]!
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

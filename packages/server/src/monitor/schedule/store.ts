import type { Recurrence } from '@clearway/contract/monitor/schedule/schema.ts'
import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { ScheduleTables } from './table.ts'

type Db = { db: MonitorDb }
export type ScheduleRow = Selectable<ScheduleTables['schedule']>

export async function scheduleOf({ db }: Db, scanId: string): Promise<ScheduleRow | null> {
  return (
    (await db.selectFrom('schedule').selectAll().where('scan_id', '=', scanId).executeTakeFirst()) ?? null
  )
}

/** Sets when a scan runs by itself; counting begins anew. */
export async function putSchedule(
  db: MonitorDb,
  scanId: string,
  schedule: { recurrence: Recurrence; nextRunAt: Date | null },
): Promise<void> {
  const row = {
    recurrence: JSON.stringify(schedule.recurrence),
    started: 0,
    next_run_at: schedule.nextRunAt,
    last_started_at: null,
  }
  await db
    .insertInto('schedule')
    .values({ scan_id: scanId, ...row })
    .onConflict((conflict) => conflict.column('scan_id').doUpdateSet(row))
    .execute()
}

export async function dropSchedule(db: MonitorDb, scanId: string): Promise<void> {
  await db.deleteFrom('schedule').where('scan_id', '=', scanId).execute()
}

type Done = { started: number; nextRunAt: Date | null; lastStartedAt: Date | null }

/**
 * Takes one schedule that is due and does its work in the same transaction: what `work` starts and when it is due next are
 * written together, or not at all. Schedules that another process has in hand are passed over.
 * @returns false when none is due
 */
export async function takeDue(
  { db }: Db,
  now: Date,
  work: (trx: MonitorDb, row: ScheduleRow) => Promise<Done>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<ScheduleRow>`select * from schedule where next_run_at <= ${now}
      order by next_run_at limit 1 for update skip locked`.execute(trx)
    const row = rows[0]
    if (!row) return false
    const done = await work(trx, row)
    await trx
      .updateTable('schedule')
      .set({ started: done.started, next_run_at: done.nextRunAt, last_started_at: done.lastStartedAt })
      .where('scan_id', '=', row.scan_id)
      .execute()
    return true
  })
}

import { inTransaction } from '../../kit/database.ts'
import { type Recurrence, Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { ScheduleTables } from './table.ts'
import { readStored, StoredDataError } from '../../kit/stored.ts'

type Db = { db: MonitorDb }
type Row = Selectable<ScheduleTables['schedule']>
export type ScheduleRow = Omit<Row, 'recurrence'> & { recurrence: Recurrence }

const read = (row: Row): ScheduleRow => {
  const where = `The schedule of the scan ${row.scan_id}`
  const recurrence = readStored(Schedule, row.recurrence, where)
  if (recurrence.frequency === 'manual') throw new StoredDataError(`${where} says that it has none`)
  return { ...row, recurrence }
}

export async function scheduleOf({ db }: Db, scanId: string): Promise<ScheduleRow | null> {
  const row = await db.selectFrom('schedule').selectAll().where('scan_id', '=', scanId).executeTakeFirst()
  return row ? read(row) : null
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

const afterFailureMs = 5 * 60_000
type Done = { started: number; nextRunAt: Date | null; lastStartedAt: Date | null }

/**
 * Takes one schedule that is due and does its work in the same transaction: what `work` starts and when it is due next are
 * written together, or not at all. Schedules that another process has in hand are passed over; one whose work fails waits
 * a few minutes, so that the others get their turn.
 * @returns false when none is due
 */
export async function takeDue(
  { db }: Db,
  now: Date,
  work: (trx: MonitorDb, row: ScheduleRow) => Promise<Done>,
): Promise<boolean> {
  let taken: string | null = null
  const take = async (trx: MonitorDb): Promise<boolean> => {
    const { rows } = await sql<Row>`select * from schedule where next_run_at <= ${now}
      order by next_run_at limit 1 for update skip locked`.execute(trx)
    const row = rows[0]
    if (!row) return false
    taken = row.scan_id
    const done = await work(trx, read(row))
    await trx
      .updateTable('schedule')
      .set({ started: done.started, next_run_at: done.nextRunAt, last_started_at: done.lastStartedAt })
      .where('scan_id', '=', row.scan_id)
      .execute()
    return true
  }
  try {
    return await inTransaction(db, take)
  } catch (error) {
    if (taken !== null)
      await sql`update schedule set next_run_at = ${new Date(now.getTime() + afterFailureMs)}
        where scan_id = ${taken} and next_run_at <= ${now}`.execute(db)
    throw error
  }
}

/** The moment by the clock that all processes share. */
export async function databaseTime({ db }: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return rows[0]!.now
}

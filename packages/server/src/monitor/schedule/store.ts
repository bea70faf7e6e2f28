import { inTransaction } from '../../kit/database.ts'
import { type Recurrence, Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { ScheduleTables } from './table.ts'
import { parseStored, StoredDataError } from '../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }
type RawScheduleRow = Selectable<ScheduleTables['schedule']>
export type ScheduleRow = Omit<RawScheduleRow, 'recurrence'> & { recurrence: Recurrence }

const parseScheduleRow = (row: RawScheduleRow): ScheduleRow => {
  const rowDescription = `The schedule of the scan ${row.scan_id}`
  const storedSchedule = parseStored(Schedule, row.recurrence, rowDescription)
  if (storedSchedule.frequency === 'manual') throw new StoredDataError(`${rowDescription} has no recurrence`)
  return { ...row, recurrence: storedSchedule }
}

export async function findSchedule({ db }: DatabaseDeps, scanId: string): Promise<ScheduleRow | null> {
  const scheduleRow = await db.selectFrom('schedule').selectAll().where('scan_id', '=', scanId).executeTakeFirst()
  return scheduleRow ? parseScheduleRow(scheduleRow) : null
}

export async function upsertSchedule(
  db: MonitorDb,
  scanId: string,
  schedule: { recurrence: Recurrence; nextRunAt: Date | null },
): Promise<void> {
  const scheduleColumns = {
    recurrence: JSON.stringify(schedule.recurrence),
    started: 0,
    next_run_at: schedule.nextRunAt,
    last_started_at: null,
  }
  await db
    .insertInto('schedule')
    .values({ scan_id: scanId, ...scheduleColumns })
    .onConflict((conflict) => conflict.column('scan_id').doUpdateSet(scheduleColumns))
    .execute()
}

export async function deleteSchedule(db: MonitorDb, scanId: string): Promise<void> {
  await db.deleteFrom('schedule').where('scan_id', '=', scanId).execute()
}

const failureDelayMs = 5 * 60_000
type ScheduleState = { started: number; nextRunAt: Date | null; lastStartedAt: Date | null }

/**
 * Processes one due schedule with the run of `work`, all or nothing. Skips locked ones; after an error, one waits some minutes.
 * @returns false when none is due
 */
export async function processDueSchedule(
  { db }: DatabaseDeps,
  currentTime: Date,
  work: (trx: MonitorDb, row: ScheduleRow) => Promise<ScheduleState>,
): Promise<boolean> {
  let takenScanId: string | null = null
  const takeNext = async (trx: MonitorDb): Promise<boolean> => {
    const { rows: dueRows } = await sql<RawScheduleRow>`select * from schedule where next_run_at <= ${currentTime}
      order by next_run_at limit 1 for update skip locked`.execute(trx)
    const dueRow = dueRows[0]
    if (!dueRow) return false
    takenScanId = dueRow.scan_id
    const newState = await work(trx, parseScheduleRow(dueRow))
    await trx
      .updateTable('schedule')
      .set({ started: newState.started, next_run_at: newState.nextRunAt, last_started_at: newState.lastStartedAt })
      .where('scan_id', '=', dueRow.scan_id)
      .execute()
    return true
  }
  try {
    return await inTransaction(db, takeNext)
  } catch (error) {
    if (takenScanId !== null)
      await sql`update schedule set next_run_at = ${new Date(currentTime.getTime() + failureDelayMs)}
        where scan_id = ${takenScanId} and next_run_at <= ${currentTime}`.execute(db)
    throw error
  }
}

export async function readDatabaseTime({ db }: DatabaseDeps): Promise<Date> {
  const { rows: timeRows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return timeRows[0]!.now
}

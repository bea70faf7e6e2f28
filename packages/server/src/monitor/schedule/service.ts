import { isDeepStrictEqual } from 'node:util'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { refuse } from '../../kit/http/answer.ts'
import type { LogFunction } from '../../kit/log.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import type { MonitorDb } from '../database.ts'
import { insertRunWithin } from '../run/queue/store.ts'
import { listStartsAfter, countRemainingStarts } from './model.ts'
import { readDatabaseTime, deleteSchedule, upsertSchedule, findSchedule, type ScheduleRow, processDueSchedule } from './store.ts'
import { processAll } from '../../kit/scheduled-job.ts'

export type ScheduleDeps = { db: MonitorDb }

const threeDaysMs = 3 * 24 * 3_600_000
/** Delay of a due run while the previous run of its scan is active. */
const activeRunDelayMs = 60_000

function createPreview(schedule: Schedule, startedCount: number, size: number) {
  const currentTime = new Date()
  const toIsoTimes = (starts: Date[]) => starts.map((at) => at.toISOString())
  return {
    next3Days: toIsoTimes(
      listStartsAfter(schedule, currentTime, {
        count: 500,
        started: startedCount,
        until: new Date(currentTime.getTime() + threeDaysMs),
      }),
    ),
    next: toIsoTimes(listStartsAfter(schedule, currentTime, { count: size, started: startedCount })),
    left: countRemainingStarts(schedule, startedCount),
  }
}

export function previewSchedule(schedule: Schedule) {
  const fieldErrors = findScheduleErrors('schedule', schedule, new Date())
  return fieldErrors.length > 0 ? refuse('validation-failed', { errors: fieldErrors }) : createPreview(schedule, 0, 3)
}

export async function previewScanSchedule(deps: ScheduleDeps, scanId: string, size: number) {
  const scheduleRow = await findSchedule(deps, scanId)
  return createPreview(scheduleRow?.recurrence ?? { frequency: 'manual' }, scheduleRow?.started ?? 0, size)
}

/** Stores the schedule of a scan in the transaction of its save. An unchanged schedule keeps its count. */
export async function saveSchedule(
  trx: MonitorDb,
  scanId: string,
  schedule: Schedule,
  previousSchedule: Schedule | null,
): Promise<void> {
  if (schedule.frequency === 'manual') return deleteSchedule(trx, scanId)
  if (previousSchedule && isDeepStrictEqual(schedule, previousSchedule)) return undefined
  const [nextRunAt = null] = listStartsAfter(schedule, new Date(), { count: 1, started: 0 })
  return upsertSchedule(trx, scanId, { recurrence: schedule, nextRunAt })
}

/** Starts a due schedule: a single run for any number of missed starts. */
async function startScheduledRun(trx: MonitorDb, scheduleRow: ScheduleRow, currentTime: Date, onRun: (runId: string) => void) {
  const unchangedState = { started: scheduleRow.started, lastStartedAt: scheduleRow.last_started_at }
  const insertedRun = await insertRunWithin(trx, scheduleRow.scan_id, scheduleRow.recurrence.timeoutMs)
  if (insertedRun === 'not-found') return { ...unchangedState, nextRunAt: null }
  if (insertedRun === 'run-active') return { ...unchangedState, nextRunAt: new Date(currentTime.getTime() + activeRunDelayMs) }
  onRun(insertedRun.id)
  const startedCount = scheduleRow.started + 1
  const [nextRunAt = null] = listStartsAfter(scheduleRow.recurrence, currentTime, { count: 1, started: startedCount })
  return { started: startedCount, nextRunAt, lastStartedAt: currentTime }
}

/**
 * Starts due runs, each by one of any number of schedulers. Starts missed during a downtime lead to a single run.
 * @param referenceTime defaults to the clock of the database, which all schedulers share
 * @returns ids of the started runs
 * @throws the error of a failed run, after all others were processed
 */
export async function startDueRuns(
  deps: ScheduleDeps & { pubSub: PubSub; log?: LogFunction },
  referenceTime?: Date,
): Promise<string[]> {
  const currentTime = referenceTime ?? (await readDatabaseTime(deps))
  const startedRunIds: string[] = []
  try {
    await processAll(async () => {
      let startedRunId: string | null = null
      const hasProcessed = await processDueSchedule(deps, currentTime, (trx, row) => {
        // Discards the run of an attempt that was rolled back and retried.
        startedRunId = null
        return startScheduledRun(trx, row, currentTime, (insertedId) => (startedRunId = insertedId))
      })
      if (startedRunId !== null) startedRunIds.push(startedRunId)
      return hasProcessed
    })
  } finally {
    // Started runs are published even after an error.
    for (const runId of startedRunIds) {
      deps.log?.('info', 'schedule fired', { run: runId })
      await deps.pubSub.publish({ kind: 'queued', runId })
    }
  }
  return startedRunIds
}

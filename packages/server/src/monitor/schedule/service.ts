import { isDeepStrictEqual } from 'node:util'
import { scheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { refuse } from '../../kit/http/answer.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import type { MonitorDb } from '../database.ts'
import { insertRunWithin } from '../run/queue/store.ts'
import { startsAfter, startsLeft } from './model.ts'
import { databaseTime, dropSchedule, putSchedule, scheduleOf, type ScheduleRow, takeDue } from './store.ts'
import { eachOnce } from '../../kit/scheduled-job.ts'

export type ScheduleDeps = { db: MonitorDb }

const threeDaysMs = 3 * 24 * 3_600_000
/** A scan that still runs when its next run is due: that one waits, and is looked at again this much later. */
const waitMs = 60_000

function preview(schedule: Schedule, started: number, size: number) {
  const now = new Date()
  const iso = (starts: Date[]) => starts.map((at) => at.toISOString())
  return {
    next3Days: iso(
      startsAfter(schedule, now, { count: 500, started, until: new Date(now.getTime() + threeDaysMs) }),
    ),
    next: iso(startsAfter(schedule, now, { count: size, started })),
    left: startsLeft(schedule, started),
  }
}

/** When a schedule that is not stored yet would start runs. */
export function previewSchedule(schedule: Schedule) {
  const errors = scheduleErrors('schedule', schedule, new Date())
  return errors.length > 0 ? refuse('validation-failed', { errors }) : preview(schedule, 0, 3)
}

/** When the stored schedule of a scan starts runs; none where there is none. */
export async function previewOfScan(deps: ScheduleDeps, scanId: string, size: number) {
  const row = await scheduleOf(deps, scanId)
  return preview(row?.recurrence ?? { frequency: 'manual' }, row?.started ?? 0, size)
}

/** Sets the schedule of a scan that is saved, in that transaction. One that did not change goes on counting. */
export async function keepSchedule(
  trx: MonitorDb,
  scanId: string,
  schedule: Schedule,
  before: Schedule | null,
): Promise<void> {
  if (schedule.frequency === 'manual') return dropSchedule(trx, scanId)
  if (before && isDeepStrictEqual(schedule, before)) return undefined
  const [nextRunAt = null] = startsAfter(schedule, new Date(), { count: 1, started: 0 })
  return putSchedule(trx, scanId, { recurrence: schedule, nextRunAt })
}

/** What becomes of a schedule that is due: one run, however many starts were missed. */
async function start(trx: MonitorDb, row: ScheduleRow, now: Date, onRun: (runId: string) => void) {
  const keep = { started: row.started, lastStartedAt: row.last_started_at }
  const run = await insertRunWithin(trx, row.scan_id, row.recurrence.timeoutMs)
  if (run === 'not-found') return { ...keep, nextRunAt: null }
  if (run === 'run-active') return { ...keep, nextRunAt: new Date(now.getTime() + waitMs) }
  onRun(run.id)
  const started = row.started + 1
  const [nextRunAt = null] = startsAfter(row.recurrence, now, { count: 1, started })
  return { started, nextRunAt, lastStartedAt: now }
}

/**
 * Starts what is due. Any number of schedulers may do so at once: each due run is started by one of them, and one that was
 * missed while none ran is started once.
 * @param at the moment; left out, that of the database, whose clock all schedulers share
 * @returns the runs that were started
 * @throws what went wrong with one, after all others had their turn
 */
export async function startDueRuns(deps: ScheduleDeps & { pubSub: PubSub }, at?: Date): Promise<string[]> {
  const now = at ?? (await databaseTime(deps))
  const runs: string[] = []
  try {
    await eachOnce(async () => {
      let run: string | null = null
      const taken = await takeDue(deps, now, (trx, row) => {
        // What an attempt that lost to another transaction began is not there.
        run = null
        return start(trx, row, now, (id) => (run = id))
      })
      if (run !== null) runs.push(run)
      return taken
    })
  } finally {
    // What was started is started, whatever became of the others.
    for (const runId of runs) await deps.pubSub.publish({ kind: 'queued', runId })
  }
  return runs
}

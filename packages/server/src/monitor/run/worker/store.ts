import { sql } from 'kysely'
import { createId } from '../../../kit/id.ts'
import { isRunning, type ProcessIdentity } from '../../../kit/running-process.ts'
import type { MonitorDb } from '../../database.ts'
import { maxSilenceSeconds } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }

/** Registers a worker with a unique id. Removes and returns dead workers of this machine, to release their claims. */
export async function registerWorker(
  { db }: DatabaseDeps,
  processIdentity: ProcessIdentity,
): Promise<{ id: string; dead: string[] }> {
  const knownWorkers = await db
    .selectFrom('worker')
    .select(['id', 'pid', 'began'])
    .where('host', '=', processIdentity.machine)
    .execute()
  const deadWorkerIds = knownWorkers
    .filter(({ pid, began }) => isRunning({ pid, began, machine: processIdentity.machine }) === false)
    .map(({ id }) => id)
  const workerId = createId()
  await recordHeartbeat({ db }, { ...processIdentity, id: workerId, browser: null, browser_source: null, problem: null })
  if (deadWorkerIds.length > 0) await db.deleteFrom('worker').where('id', 'in', deadWorkerIds).execute()
  return { id: workerId, dead: deadWorkerIds }
}

export type WorkerHeartbeat = ProcessIdentity & {
  id: string
  browser: string | null
  browser_source: string | null
  problem: string | null
}

/** Records a worker's heartbeat and browser by the database's clock, and registers the worker again if it was removed. */
export async function recordHeartbeat({ db }: DatabaseDeps, worker: WorkerHeartbeat): Promise<void> {
  const { machine, ...workerRow } = worker
  const { browser: browserVersion, browser_source: browserSource, problem: browserProblem } = worker
  await db
    .insertInto('worker')
    .values({ ...workerRow, host: machine })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        browser: browserVersion,
        browser_source: browserSource,
        problem: browserProblem,
        beat_at: sql<Date>`now()`,
      }),
    )
    .execute()
  await sql`delete from worker where beat_at < now() - make_interval(secs => ${maxSilenceSeconds.knownWorker})`.execute(db)
}

/** Checks whether another live worker has a browser. */
export async function hasOtherBrowser({ db }: DatabaseDeps, workerId: string): Promise<boolean> {
  const { rows: workerRows } = await sql`select 1 from worker where id <> ${workerId} and browser is not null and problem is null
    and beat_at > now() - make_interval(secs => ${maxSilenceSeconds.worker}) limit 1`.execute(db)
  return workerRows.length > 0
}

export async function unregisterWorker({ db }: DatabaseDeps, workerId: string): Promise<void> {
  await db.deleteFrom('worker').where('id', '=', workerId).execute()
}

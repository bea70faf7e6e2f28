import { sql } from 'kysely'
import { acquireAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { type PreviewKind, maxSilenceSeconds } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }

/** Time after which a task without a worker counts as unserved. */
const maxUnservedSeconds = 30
const toInterval = (count: number) => sql`make_interval(secs => ${count}::int)`

/** Number of tasks that a person waits for. Automatic URL checks are counted separately. */
async function countTasks({ db }: DatabaseDeps, personId: string, isAutomatic: boolean): Promise<number> {
  const { rows: countRows } = await sql<{ count: number }>`select count(*)::int as count from preview_task
    where person_id = ${personId} and watched_until > now() and (kind = 'reach') = ${isAutomatic}`.execute(db)
  return countRows[0]!.count
}

/** Stores a task; false when its person already waits for `by.maxTasks` of them. */
export const insertTask = (
  { db }: DatabaseDeps,
  task: { id: string; kind: PreviewKind; sealed: Buffer },
  by: { personId: string; maxTasks: number },
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await acquireAdvisoryLock(trx, `quota ${by.personId}`)
    if ((await countTasks({ db: trx }, by.personId, task.kind === 'reach')) >= by.maxTasks) return false
    await sql`insert into preview_task (id, kind, person_id, sealed, watched_until)
      values (${task.id}, ${task.kind}, ${by.personId}, ${task.sealed}, now() + ${toInterval(maxSilenceSeconds.watcher)})`.execute(
      trx,
    )
    return true
  })

export type WatchedTask = { lost: boolean; unserved: boolean }

/** Renews the watch on a task; returns its state, or null when it is gone. */
export async function watchTask({ db }: DatabaseDeps, taskId: string): Promise<WatchedTask | null> {
  const { rows: taskRows } = await sql<WatchedTask>`
    update preview_task set watched_until = now() + ${toInterval(maxSilenceSeconds.watcher)} where id = ${taskId}
    returning coalesce(lease_until < now(), false) as lost,
      token is null and created_at < now() - ${toInterval(maxUnservedSeconds)} as unserved`.execute(db)
  return taskRows[0] ?? null
}

/** Events after a number, in small chunks since an event may contain a picture. */
export async function listEventsAfter(
  { db }: DatabaseDeps,
  taskId: string,
  afterNumber: number,
): Promise<{ number: number; sealed: Buffer }[]> {
  return db
    .selectFrom('preview_event')
    .select(['number', 'sealed'])
    .where('task_id', '=', taskId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(50)
    .execute()
}

export async function deleteTask({ db }: DatabaseDeps, taskId: string): Promise<void> {
  await db.deleteFrom('preview_task').where('id', '=', taskId).execute()
}

/** Deletes tasks whose watcher disappeared. */
export async function deleteUnwatchedTasks({ db }: DatabaseDeps): Promise<void> {
  await sql`delete from preview_task where watched_until < now()`.execute(db)
}

export type TaskClaim = { id: string; kind: PreviewKind; sealed: Buffer; token: string }

/** Claims the longest waiting watched task of these kinds, preferring people with the fewest tasks in progress; null for none. */
export async function claimTask({ db }: DatabaseDeps, kinds: readonly PreviewKind[]): Promise<TaskClaim | null> {
  const { rows: claimRows } = await sql<TaskClaim>`
    update preview_task t set token = ${createId()}, lease_until = now() + ${toInterval(maxSilenceSeconds.task)}
    where t.id = (select id from preview_task where token is null and watched_until > now()
      and kind = any(${[...kinds]}::text[])
      order by (select count(*) from preview_task o where o.person_id = preview_task.person_id and o.token is not null),
        created_at
      limit 1 for update skip locked)
    returning t.id, t.kind, t.sealed, t.token`.execute(db)
  return claimRows[0] ?? null
}

type ClaimedTask = Pick<TaskClaim, 'id' | 'token'>

/** Renews the lease of a task; false when no client watches it. */
export async function renewTask({ db }: DatabaseDeps, { id, token }: ClaimedTask): Promise<boolean> {
  const { rows: renewedRows } = await sql`update preview_task set lease_until = now() + ${toInterval(maxSilenceSeconds.task)}
    where id = ${id} and token = ${token} and watched_until > now() returning 1`.execute(db)
  return renewedRows.length > 0
}

/** Stores events, unless the task is gone. */
export async function insertEvents(
  { db }: DatabaseDeps,
  { id, token }: ClaimedTask,
  events: readonly { number: number; sealed: Buffer }[],
): Promise<void> {
  await sql`insert into preview_event (task_id, number, sealed)
    select t.id, e.number, e.sealed
    from (select id from preview_task where id = ${id} and token = ${token} for share) t,
      unnest(${events.map(({ number }) => number)}::int[], ${events.map(({ sealed }) => sealed)}::bytea[]) as e (number, sealed)`.execute(
    db,
  )
}

export type LiveWorker = { browser: string | null; problem: string | null }

/** Workers with a recent heartbeat. A worker that has just started knows neither browser nor problem. */
export async function listLiveWorkers({ db }: DatabaseDeps): Promise<LiveWorker[]> {
  return db
    .selectFrom('worker')
    .select(['browser', 'problem'])
    .where('beat_at', '>', sql<Date>`now() - ${toInterval(maxSilenceSeconds.worker)}`)
    .execute()
}

import { sql } from 'kysely'
import { takeAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { type PreviewKind, silenceSeconds } from '../table.ts'

type Db = { db: MonitorDb }

/** A task that no worker takes within this time finds none. */
const waitSeconds = 30
const seconds = (count: number) => sql`make_interval(secs => ${count}::int)`

/** Tasks for which somebody waits. What is asked unbidden is counted by itself. */
async function countTasks({ db }: Db, personId: string, isUnbidden: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from preview_task
    where person_id = ${personId} and watched_until > now() and (kind = 'reach') = ${isUnbidden}`.execute(db)
  return rows[0]!.count
}

/** Stores a task, unless its person waits for `by.most` of them already: then false. */
export const insertTask = (
  { db }: Db,
  task: { id: string; kind: PreviewKind; sealed: Buffer },
  by: { personId: string; most: number },
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await takeAdvisoryLock(trx, `quota ${by.personId}`)
    if ((await countTasks({ db: trx }, by.personId, task.kind === 'reach')) >= by.most) return false
    await sql`insert into preview_task (id, kind, person_id, sealed, watched_until)
      values (${task.id}, ${task.kind}, ${by.personId}, ${task.sealed}, now() + ${seconds(silenceSeconds.watcher)})`.execute(
      trx,
    )
    return true
  })

export type WatchedTask = { lost: boolean; unserved: boolean }

/** Says that somebody still watches; answers how the task fares, null when it is gone. */
export async function watchTask({ db }: Db, id: string): Promise<WatchedTask | null> {
  const { rows } = await sql<WatchedTask>`
    update preview_task set watched_until = now() + ${seconds(silenceSeconds.watcher)} where id = ${id}
    returning coalesce(lease_until < now(), false) as lost,
      token is null and created_at < now() - ${seconds(waitSeconds)} as unserved`.execute(db)
  return rows[0] ?? null
}

/** Events after a number, a few at a time: one may be a picture. */
export async function eventsAfter(
  { db }: Db,
  id: string,
  after: number,
): Promise<{ number: number; sealed: Buffer }[]> {
  return db
    .selectFrom('preview_event')
    .select(['number', 'sealed'])
    .where('task_id', '=', id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(50)
    .execute()
}

/** Forgets a task with all that was asked and answered. */
export async function deleteTask({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('preview_task').where('id', '=', id).execute()
}

/** Tasks whose watcher ended without a word. */
export async function deleteUnwatched({ db }: Db): Promise<void> {
  await sql`delete from preview_task where watched_until < now()`.execute(db)
}

export type TaskClaim = { id: string; kind: PreviewKind; sealed: Buffer; token: string }

/**
 * The task of these kinds that waits longest and is watched, of those for whom the fewest are in work; null when there is
 * none.
 */
export async function claimTask({ db }: Db, kinds: readonly PreviewKind[]): Promise<TaskClaim | null> {
  const { rows } = await sql<TaskClaim>`
    update preview_task t set token = ${newId()}, lease_until = now() + ${seconds(silenceSeconds.task)}
    where t.id = (select id from preview_task where token is null and watched_until > now()
      and kind = any(${[...kinds]}::text[])
      order by (select count(*) from preview_task o where o.person_id = preview_task.person_id and o.token is not null),
        created_at
      limit 1 for update skip locked)
    returning t.id, t.kind, t.sealed, t.token`.execute(db)
  return rows[0] ?? null
}

type Held = Pick<TaskClaim, 'id' | 'token'>

/** Says that the worker lives; false when nobody watches any more. */
export async function renewTask({ db }: Db, { id, token }: Held): Promise<boolean> {
  const { rows } = await sql`update preview_task set lease_until = now() + ${seconds(silenceSeconds.task)}
    where id = ${id} and token = ${token} and watched_until > now() returning 1`.execute(db)
  return rows.length > 0
}

/** Writes answers, unless the task is gone. */
export async function insertEvents(
  { db }: Db,
  { id, token }: Held,
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

/** The workers that have reported lately. One that has just begun knows neither browser nor problem. */
export async function liveWorkers({ db }: Db): Promise<LiveWorker[]> {
  return db
    .selectFrom('worker')
    .select(['browser', 'problem'])
    .where('beat_at', '>', sql<Date>`now() - ${seconds(silenceSeconds.worker)}`)
    .execute()
}

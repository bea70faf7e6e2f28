import { sql } from 'kysely'
import { newId } from '../../../kit/id.ts'
import { isRunning, type ProcessIdentity } from '../../../kit/running-process.ts'
import type { MonitorDb } from '../../database.ts'
import { silenceSeconds } from '../table.ts'

type Db = { db: MonitorDb }

/**
 * A new worker's id, of its own for the process's life. Dead ones that this process can look for are answered and struck
 * out, so that their claims can be taken back at once.
 */
export async function signOn({ db }: Db, self: ProcessIdentity): Promise<{ id: string; dead: string[] }> {
  const known = await db
    .selectFrom('worker')
    .select(['id', 'pid', 'began'])
    .where('host', '=', self.machine)
    .execute()
  const dead = known
    .filter(({ pid, began }) => isRunning({ pid, began, machine: self.machine }) === false)
    .map(({ id }) => id)
  const id = newId()
  await beat({ db }, { ...self, id, browser: null, browser_source: null, problem: null })
  if (dead.length > 0) await db.deleteFrom('worker').where('id', 'in', dead).execute()
  return { id, dead }
}

/** What a worker says of itself. */
export type WorkerBeat = ProcessIdentity & {
  id: string
  browser: string | null
  browser_source: string | null
  problem: string | null
}

/**
 * Records that a worker lives and what it has; the health call reads it. By the database's clock, and also when somebody
 * struck it out meanwhile.
 */
export async function beat({ db }: Db, worker: WorkerBeat): Promise<void> {
  const { machine, ...row } = worker
  const { browser, browser_source, problem } = worker
  await db
    .insertInto('worker')
    .values({ ...row, host: machine })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ browser, browser_source, problem, beat_at: sql<Date>`now()` }),
    )
    .execute()
  await sql`delete from worker where beat_at < now() - interval '10 minutes'`.execute(db)
}

/** Whether another worker that lives has a browser. */
export async function othersHaveBrowser({ db }: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from worker where id <> ${id} and browser is not null and problem is null
    and beat_at > now() - make_interval(secs => ${silenceSeconds.worker}) limit 1`.execute(db)
  return rows.length > 0
}

export async function signOff({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('worker').where('id', '=', id).execute()
}

import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

/** A worker that has been heard of within this time is alive. */
const silenceSeconds = 90

export type Vitals = {
  version: string
  waitingRuns: number
  activeRuns: number
  workers: { browser: string | null; browserSource: string | null; problem: string | null }[]
}

/** What the database tells of the system. Rejects when it does not answer. */
export async function readVitals({ db }: { db: MonitorDb }): Promise<Vitals> {
  const { rows } = await sql<Omit<Vitals, 'workers'>>`
    select current_setting('server_version') as version,
      count(*) filter (where status in ('initial', 'queued'))::int as "waitingRuns",
      count(*) filter (where status in ('starting', 'running', 'retrying'))::int as "activeRuns"
    from run where ended_at is null`.execute(db)
  const workers = await db
    .selectFrom('worker')
    .select(['browser', 'browser_source as browserSource', 'problem'])
    .where('beat_at', '>', sql<Date>`now() - make_interval(secs => ${silenceSeconds})`)
    .execute()
  return { ...rows[0]!, workers }
}

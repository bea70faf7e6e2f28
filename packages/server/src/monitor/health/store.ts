import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import { silenceSeconds } from '../run/table.ts'

export type Vitals = {
  version: string
  waitingRuns: number
  activeRuns: number
  /** Of the run that has waited longest, 0 for none. */
  oldestWaitSeconds: number
  /** Schedules that have been due for five minutes and more, of scans that no run keeps busy. */
  lateSchedules: number
  lastMail: { error: boolean } | null
  workers: {
    id: string
    host: string
    pid: number
    began: string
    startedAt: Date
    browser: string | null
    browserSource: string | null
    problem: string | null
  }[]
}

/** What the database says about the system. Rejects when it does not answer. */
export async function readVitals({ db }: { db: MonitorDb }): Promise<Vitals> {
  const { rows } = await sql<Omit<Vitals, 'workers'>>`
    select current_setting('server_version') as version,
      count(*) filter (where status in ('initial', 'queued'))::int as "waitingRuns",
      count(*) filter (where status in ('starting', 'running', 'retrying'))::int as "activeRuns",
      coalesce(extract(epoch from now() - min(queued_at) filter (where status in ('initial', 'queued'))), 0)::float8
        as "oldestWaitSeconds",
      (select count(*)::int from schedule s where s.next_run_at < now() - interval '5 minutes'
        and not exists (select from run r where r.scan_id = s.scan_id and r.ended_at is null)) as "lateSchedules",
      (select jsonb_build_object('error', d.last_error is not null) from delivery d
        where d.kind = 'mail' and d.attempts > 0 order by d.created_at desc limit 1) as "lastMail"
    from run where ended_at is null`.execute(db)
  const workers = await db
    .selectFrom('worker')
    .select(['id', 'host', 'pid', 'began', 'started_at as startedAt'])
    .select(['browser', 'browser_source as browserSource', 'problem'])
    .where('beat_at', '>', sql<Date>`now() - make_interval(secs => ${silenceSeconds.listedWorker})`)
    .orderBy('id')
    .execute()
  return { ...rows[0]!, workers }
}

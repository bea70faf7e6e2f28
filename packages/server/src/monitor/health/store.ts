import { sql } from 'kysely'
import { serviceSchemas } from '../../kit/database.ts'
import type { MonitorDb } from '../database.ts'
import { runStatus, maxSilenceSeconds } from '../run/table.ts'

export type Vitals = {
  version: string
  waitingRuns: number
  activeRuns: number
  /** Waiting time of the oldest queued run, 0 for none. */
  oldestWaitSeconds: number
  /** Schedules overdue by at least five minutes whose scan has no active run. */
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

/** Reads the health indicators of the database. Rejects when the database is unavailable. */
export async function readVitals({ db }: { db: MonitorDb }): Promise<Vitals> {
  const { rows: vitalRows } = await sql<Omit<Vitals, 'workers'>>`
    select current_setting('server_version') as version,
      count(*) filter (where status in ${runStatus.waiting})::int as "waitingRuns",
      count(*) filter (where status in ${runStatus.started})::int as "activeRuns",
      coalesce(extract(epoch from now() - min(queued_at) filter (where status in ${runStatus.waiting})), 0)::float8
        as "oldestWaitSeconds",
      (select count(*)::int from schedule s where s.next_run_at < now() - interval '5 minutes'
        and not exists (select from run r where r.scan_id = s.scan_id and r.ended_at is null)) as "lateSchedules",
      (select jsonb_build_object('error', d.last_error is not null) from delivery d
        where d.kind = 'mail' and d.attempts > 0 order by d.created_at desc limit 1) as "lastMail"
    from run where ended_at is null`.execute(db)
  const liveWorkers = await db
    .selectFrom('worker')
    .select(['id', 'host', 'pid', 'began', 'started_at as startedAt'])
    .select(['browser', 'browser_source as browserSource', 'problem'])
    .where('beat_at', '>', sql<Date>`now() - make_interval(secs => ${maxSilenceSeconds.listedWorker})`)
    .orderBy('id')
    .execute()
  return { ...vitalRows[0]!, workers: liveWorkers }
}

export type SystemFigures = {
  /** Discovered pages without a result, in all queued and active runs. */
  waitingPages: number
  waitingDeliveries: number
  /** Delay of the most overdue message; 0 for none. */
  oldestDeliverySeconds: number
  databaseBytes: number
  /** Workers that did not sign off, and have been silent for up to half an hour. */
  silentWorkers: number
  /** Time of the database, in seconds since 1970. */
  databaseTime: number
  deadTuples: { schema: string; table: string; count: number }[]
}

export type TableSize = { table: string; bytes: number; rows: number }

/** Reads the sizes of all tables with their indexes, largest first. Row counts are estimates of the planner. */
export async function readTableSizes({ db }: { db: MonitorDb }): Promise<TableSize[]> {
  const { rows: tableSizes } = await sql<TableSize>`
    select schemaname || '.' || relname as table, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as rows
    from pg_stat_user_tables where schemaname = any(${[...serviceSchemas]}) order by 2 desc`.execute(db)
  return tableSizes
}

/** Numbers of runs that ended within a week, by their end. */
export async function readRecentEnds({
  db,
}: {
  db: MonitorDb
}): Promise<{ status: string; problem: string | null; count: number }[]> {
  return db
    .selectFrom('run')
    .select(['status', 'problem'])
    .select(sql<number>`count(*)::int`.as('count'))
    .where('ended_at', '>', sql<Date>`now() - interval '7 days'`)
    .groupBy(['status', 'problem'])
    .execute()
}

/** Reads the metrics. Rejects when the database is unavailable. */
export async function readFigures({ db }: { db: MonitorDb }): Promise<SystemFigures> {
  const { rows: figureRows } = await sql<Omit<SystemFigures, 'deadTuples'>>`
    select (select coalesce(sum(greatest(not_reached, 1)), 0)::int from run where ended_at is null) as "waitingPages",
      count(*)::int as "waitingDeliveries",
      greatest(coalesce(extract(epoch from now() - min(next_at)), 0), 0)::float8 as "oldestDeliverySeconds",
      pg_database_size(current_database()) as "databaseBytes",
      (select count(*)::int from worker where beat_at between now() - make_interval(secs => ${maxSilenceSeconds.knownWorker})
        and now() - make_interval(secs => ${maxSilenceSeconds.listedWorker})) as "silentWorkers",
      extract(epoch from clock_timestamp())::float8 as "databaseTime"
    from delivery where state = 'waiting'`.execute(db)
  const deadTupleResult = await sql<SystemFigures['deadTuples'][number]>`
    select schemaname as schema, relname as table, n_dead_tup as count from pg_stat_user_tables
    where schemaname = any(${[...serviceSchemas]})`.execute(db)
  return { ...figureRows[0]!, deadTuples: deadTupleResult.rows }
}

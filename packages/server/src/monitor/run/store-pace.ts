import { sql } from 'kysely'
import type { FrontierDeps } from './store-frontier.ts'

const longestMs = 3_600_000
const bounded = (ms: number): number => Math.round(Math.min(longestMs, Math.max(0, ms)))

/** Closes a host for a while and sets the gap between visits to it, for every process that shares the run. */
export async function slowHost(
  { db, runId }: FrontierDeps,
  host: string,
  pace: { untilMs: number; gapMs: number },
): Promise<void> {
  await sql`
    insert into host_pace as p (run_id, host, next_at, gap_ms)
    values (${runId}, ${host}, now() + make_interval(secs => ${bounded(pace.untilMs) / 1000}), ${bounded(pace.gapMs)})
    on conflict (run_id, host) do update set
      next_at = greatest(p.next_at, excluded.next_at), gap_ms = excluded.gap_ms`.execute(db)
}

/** Counts one more PDF of the run; false when it has had `limit` of them. */
export async function admitPdf({ db, runId }: FrontierDeps, limit: number): Promise<boolean> {
  const { rows } = await sql`
    update run set pdfs = pdfs + 1 where id = ${runId} and pdfs < ${limit} returning pdfs`.execute(db)
  return rows.length > 0
}

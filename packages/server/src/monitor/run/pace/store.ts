import { sql } from 'kysely'
import type { FrontierDeps } from '../frontier/store.ts'

const clampToHour = (ms: number): number => Math.round(Math.min(3_600_000, Math.max(0, ms)))

/** Pauses a host and sets the gap between visits to it, for all processes of the run. */
export async function slowHost(
  { db, runId }: FrontierDeps,
  host: string,
  pace: { untilMs: number; gapMs: number },
): Promise<void> {
  await sql`
    insert into host_pace as p (run_id, host, next_at, gap_ms)
    values (${runId}, ${host}, now() + make_interval(secs => ${clampToHour(pace.untilMs) / 1000}), ${clampToHour(pace.gapMs)})
    on conflict (run_id, host) do update set
      next_at = greatest(p.next_at, excluded.next_at), gap_ms = excluded.gap_ms`.execute(db)
}

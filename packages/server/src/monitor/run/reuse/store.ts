import type { Claim } from '@clearway/engine/frontier.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { hashOf } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import type { PageTables } from '../../page/table.ts'

type Run = { scanId: string; runNumber: number }

export type PageBefore = Selectable<PageTables['page']> & { number: number }

/** The newest run of the scan before this one that still has its pages. */
const runBefore = ({ scanId, runNumber }: Run): RawBuilder<{ id: string; number: number }> => sql`
  (select id, number from run where scan_id = ${scanId} and number < ${runNumber}::int and ended_at is not null
     and archived_at is null order by number desc limit 1)`

/** Pages that were analysed, and that their fingerprints recognise. */
const recognised = sql`p.status = 'completed' and p.source = 'automated' and p.fingerprint is not null`

/** Tells claims the fingerprints of their pages, where these were analysed within `days` and the scan relies on them. */
export async function withKnownPrints(
  { db, ...run }: Run & { db: MonitorDb },
  days: number,
  claims: readonly Claim[],
): Promise<Claim[]> {
  const keys = claims.map(({ key }) => hashOf(key))
  const { rows } = await sql<{ key: string; fingerprint: string }>`
    select encode(p.key_hash, 'hex') as key, p.fingerprint
    from ${runBefore(run)} before join page p on p.run_id = before.id
    where p.key_hash = any(${keys}::bytea[]) and ${recognised}
      and p.analysed_at > now() - make_interval(days => ${days}::int)
      and exists (select from scan where id = ${run.scanId} and reuse_stopped_in is null)`.execute(db)
  const known = new Map(rows.map(({ key, fingerprint }) => [key, fingerprint]))
  return claims.map((claim, n) => ({ ...claim, knownPrint: known.get(keys[n]!.toString('hex')) ?? null }))
}

/** A page as the run before has it; null when it was removed meanwhile. */
export async function pageBefore(db: MonitorDb, run: Run, keyHash: Buffer): Promise<PageBefore | null> {
  const { rows } = await sql<PageBefore>`
    select p.*, before.number from ${runBefore(run)} before join page p on p.run_id = before.id
    where p.key_hash = ${keyHash} and ${recognised}`.execute(db)
  return rows[0] ?? null
}

/**
 * Puts what an ended run has carried over on the list of pages to analyse again, where an audit has shown that its scan cannot
 * rely on that. On behalf of the scan's owner: nobody else has asked for it. What people ask for comes first.
 */
export async function analyseCarried(db: MonitorDb, runId: string): Promise<void> {
  await sql`insert into recheck (page_id, run_id, state, automatic, requested_by)
    select p.id, run.id, 'waiting', true, scan.owner_id
    from run join page p on p.run_id = run.id join scan on scan.id = run.scan_id
    where run.id = ${runId} and run.reuse_fault is not null and p.carried_from is not null
    on conflict (page_id) do nothing`.execute(db)
}

/** From here on everything of the scan is analysed: an unchanged page had other findings. */
export async function stopReuse(db: MonitorDb, { scanId, runNumber }: Run, url: string): Promise<void> {
  await sql`update run set reuse_fault = coalesce(reuse_fault, ${url})
    where scan_id = ${scanId} and number = ${runNumber}::int`.execute(db)
  await sql`update scan set reuse_stopped_in = coalesce(reuse_stopped_in, ${runNumber}::int) where id = ${scanId}`.execute(
    db,
  )
}

import type { Claim } from '@clearway/engine/frontier.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { computeHash } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import { blankClearedContents, type PageTables } from '../../page/table.ts'

type ScanRun = { scanId: string; runNumber: number }

export type PreviousPageRow = Selectable<PageTables['page']> & { number: number; is_cleared: boolean }

/** The newest previous run of the scan that still has its pages. */
const selectPreviousRun = ({
  scanId,
  runNumber,
}: ScanRun): RawBuilder<{ id: string; number: number; is_cleared: boolean }> => sql`
  (select id, number, contents_cleared_at is not null as is_cleared from run where scan_id = ${scanId} and number < ${runNumber}::int and ended_at is not null
     and archived_at is null order by number desc limit 1)`

/** Condition for analyzed pages with a fingerprint. */
const isRecognizable = sql`p.status = 'completed' and p.source = 'automated' and p.fingerprint is not null`

/** Adds known fingerprints to claims, for pages analyzed within `days`, if reuse is active for the scan. */
export async function addKnownPrints(
  { db, ...run }: ScanRun & { db: MonitorDb },
  maxAgeDays: number,
  claims: readonly Claim[],
): Promise<Claim[]> {
  const keyHashes = claims.map(({ key }) => computeHash(key))
  const { rows: printRows } = await sql<{ key: string; fingerprint: string }>`
    select encode(p.key_hash, 'hex') as key, p.fingerprint
    from ${selectPreviousRun(run)} before join page p on p.run_id = before.id
    where p.key_hash = any(${keyHashes}::bytea[]) and ${isRecognizable}
      and p.analysed_at > now() - make_interval(days => ${maxAgeDays}::int)
      and exists (select from scan where id = ${run.scanId} and reuse_stopped_in is null)`.execute(db)
  const printsByKey = new Map(printRows.map(({ key, fingerprint }) => [key, fingerprint]))
  return claims.map((claim, claimIndex) => ({
    ...claim,
    knownPrint: printsByKey.get(keyHashes[claimIndex]!.toString('hex')) ?? null,
  }))
}

/** The previous run's version of a page; null if removed since. */
export async function findPreviousPage(db: MonitorDb, run: ScanRun, keyHash: Buffer): Promise<PreviousPageRow | null> {
  const { rows: pageRows } = await sql<PreviousPageRow>`
    select p.*, before.number, before.is_cleared from ${selectPreviousRun(run)} before join page p on p.run_id = before.id
    where p.key_hash = ${keyHash} and ${isRecognizable}`.execute(db)
  return pageRows[0] ? blankClearedContents(pageRows[0]) : null
}

/** Requests re-checks of the pages that an ended run carried over, after a fault in reuse: for the owner, with low priority. */
export async function recheckCarriedPages(db: MonitorDb, runId: string): Promise<void> {
  await sql`insert into recheck (page_id, run_id, state, automatic, requested_by)
    select p.id, run.id, 'waiting', true, scan.owner_id
    from run join page p on p.run_id = run.id join scan on scan.id = run.scan_id
    where run.id = ${runId} and run.reuse_fault is not null and p.carried_from is not null
    on conflict (page_id) do nothing`.execute(db)
}

/** Stops reuse for the scan, because an unchanged page had other findings. */
export async function stopReuse(db: MonitorDb, { scanId, runNumber }: ScanRun, faultUrl: string): Promise<void> {
  await sql`update run set reuse_fault = coalesce(reuse_fault, ${faultUrl})
    where scan_id = ${scanId} and number = ${runNumber}::int`.execute(db)
  await sql`update scan set reuse_stopped_in = coalesce(reuse_stopped_in, ${runNumber}::int) where id = ${scanId}`.execute(db)
}

import { BranchRun, type BranchRunBody } from '@clearway/contract/monitor/run/branch/schema.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { buildContainsPattern, buildLimitClause } from '../../../kit/paging.ts'
import { parseStored } from '../../../kit/stored.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'

type DatabaseDeps = { db: MonitorDb }
export type BranchRunPath = { id: string; branchRun: string }

const uploadColumns = { branch: true, commit: true, buildUrl: true, result: true } as const
const StoredReport = z.omit(BranchRun, { ...uploadColumns, id: true, uploadedAt: true, uploadedBy: true, scanName: true })
const StoredSummary = z.pick(StoredReport, { axeRelease: true, baselineAxe: true, failOn: true, totals: true })

type BranchRunRow = Pick<BranchRunBody, keyof typeof uploadColumns> & {
  id: string
  report: unknown
  uploadedBy: string
  uploaderName: string | null
  uploadedAt: Date
}

const selectBranchRun = sql`select b.id, b.branch, b.commit, b.build_url as "buildUrl", b.result, b.uploaded_by as "uploadedBy",
  b.uploaded_at as "uploadedAt", ${buildPersonName('p')} as "uploaderName"`
const fromBranchRun = sql`from branch_run b left join person p on p.id = b.uploaded_by`

const presentRow = (row: BranchRunRow) => ({
  id: row.id,
  branch: row.branch,
  commit: row.commit,
  buildUrl: row.buildUrl,
  result: row.result,
  uploadedAt: row.uploadedAt.toISOString(),
  uploadedBy: { id: row.uploadedBy, name: row.uploaderName },
})

export async function insertBranchRun(
  { db }: DatabaseDeps,
  upload: { id: string; scanId: string; uploadedBy: string },
  { branch, commit, buildUrl, result, ...report }: BranchRunBody,
): Promise<void> {
  await db
    .insertInto('branch_run')
    .values({
      id: upload.id,
      scan_id: upload.scanId,
      uploaded_by: upload.uploadedBy,
      branch,
      commit,
      build_url: buildUrl,
      result,
      report: JSON.stringify(report),
    })
    .execute()
}

/** One page of the results of a scan, the newest first. */
export async function listBranchRuns(
  { db }: DatabaseDeps,
  scanId: string,
  query: { page: number; size: number; search?: string | undefined },
) {
  const condition = sql`b.scan_id = ${scanId}
    and (${query.search ?? ''} = '' or b.branch ilike ${buildContainsPattern(query.search ?? '')})`
  const { rows: countRows } = await sql<{ total: number }>`
    select count(*)::int as total from branch_run b where ${condition}`.execute(db)
  // A report has up to 16 MB: only those of the page are read, each once.
  const { rows } = await sql<BranchRunRow>`${selectBranchRun}, to_jsonb(summary) as report
    from (select * from branch_run b where ${condition} order by b.uploaded_at desc, b.id desc ${buildLimitClause(query)}) b
    cross join lateral jsonb_to_record(b.report)
      as summary ("axeRelease" text, "baselineAxe" text, "failOn" text, totals jsonb)
    left join person p on p.id = b.uploaded_by order by b.uploaded_at desc, b.id desc`.execute(db)
  const summaries = rows.map((row) => ({ ...presentRow(row), ...parseStored(StoredSummary, row.report, `branch_run ${row.id}`) }))
  return { summaries, total: countRows[0]!.total }
}

export async function readBranchRun({ db }: DatabaseDeps, { id, branchRun }: BranchRunPath) {
  const { rows } = await sql<BranchRunRow & { scanName: string }>`${selectBranchRun}, b.report, s.name as "scanName"
    ${fromBranchRun} join scan s on s.id = b.scan_id where b.scan_id = ${id} and b.id = ${branchRun}`.execute(db)
  const [row] = rows
  return row
    ? { ...presentRow(row), ...parseStored(StoredReport, row.report, `branch_run ${row.id}`), scanName: row.scanName }
    : null
}

/** False for an unknown result. */
export async function deleteBranchRun({ db }: DatabaseDeps, { id, branchRun }: BranchRunPath): Promise<boolean> {
  const deleted = await sql`delete from branch_run where scan_id = ${id} and id = ${branchRun}`.execute(db)
  return Number(deleted.numAffectedRows ?? 0) > 0
}

/** Results kept of each branch and each scan, and the days for which they are kept. */
const keptCounts = { perBranch: 20, perScan: 1000 } as const
const maxAgeDays = 90
const maxDeletedAtOnce = 1000

/**
 * Deletes results that are older than the runs of a scan may be, and all but the newest of each branch and each scan.
 * @param deleteDays days after which whole runs are deleted; 0 keeps them
 */
export async function deleteOldBranchRuns({ db }: DatabaseDeps, deleteDays: number): Promise<void> {
  const days = deleteDays === 0 ? maxAgeDays : Math.min(deleteDays, maxAgeDays)
  await sql`delete from branch_run where id in (
    select id from (select id, uploaded_at,
        row_number() over (partition by scan_id, branch order by uploaded_at desc, id desc) as of_branch,
        row_number() over (partition by scan_id order by uploaded_at desc, id desc) as of_scan from branch_run) b
    where uploaded_at < now() - make_interval(days => ${days}::int)
      or of_branch > ${keptCounts.perBranch}::int or of_scan > ${keptCounts.perScan}::int
    limit ${maxDeletedAtOnce}::int)`.execute(db)
}

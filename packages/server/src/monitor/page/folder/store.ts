import type { PageFolderQuery } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { buildLimitClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { buildConditions } from '../store.ts'
import { buildScoreOf, healthLiterals } from '../table.ts'

export type FolderRow = {
  path: string | null
  pages: number
  score: number | null
  critical: number
  serious: number
  moderate: number
  minor: number
  needs_review: number
  hasFolders: boolean
}

const sumColumn = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::int as ${sql.ref(column)}`

/** Folders directly below a folder, or the sites, with the matching pages. Pages of the folder itself are one row, the first. */
export async function listFolders(
  { db }: { db: MonitorDb },
  runs: RawBuilder<{ run_id: string }>,
  query: z.output<typeof PageFolderQuery>,
): Promise<{ rows: FolderRow[]; total: number }> {
  const { parent } = query
  const nextFolder = parent === '' ? sql`substring(address from '^[^:/]+://[^/]+/')` : sql`substring(rest from '^[^/]+/')`
  const { rows: folderRows } = await sql<FolderRow & { total: number }>`
    with listed as (
      select p.health, p.critical, p.serious, p.moderate, p.minor, p.needs_review,
        split_part(split_part(p.url, '#', 1), '?', 1) as address
      from ${runs} r join page p on p.run_id = r.run_id where ${buildConditions(query)}),
    below as (select *, substr(address, length(${parent}::text) + 1) as rest from listed where starts_with(address, ${parent}::text)),
    placed as (select *, ${parent}::text || ${nextFolder} as path from below)
    select path, count(*)::int as pages,
      ${buildScoreOf((health) => sql`count(*) filter (where health = ${healthLiterals[health]})`)} as score,
      ${sumColumn('critical')}, ${sumColumn('serious')}, ${sumColumn('moderate')}, ${sumColumn('minor')}, ${sumColumn('needs_review')},
      path is not null and bool_or(position('/' in substr(address, length(path) + 1)) > 0) as "hasFolders",
      count(*) over ()::int as total
    from placed group by path order by path nulls first ${buildLimitClause(query)}`.execute(db)
  return { rows: folderRows.map(({ total: _total, ...folderRow }) => folderRow), total: folderRows[0]?.total ?? 0 }
}

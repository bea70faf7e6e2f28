import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { isJoined } from '../../page/table.ts'
import type { ParameterPage } from './model.ts'

/** Bounds the work on a site whose pages all have parameters. */
const maxPages = 5000

/** Reads the tested pages of a run whose URLs have parameters, and those at the same paths without. */
export async function listParameterPages(db: MonitorDb, runId: string): Promise<ParameterPage[]> {
  const { rows } = await sql<ParameterPage>`
    with tested as (
      select url, content_key as content from page p
      where run_id = ${runId} and content_key is not null and (health is not null or ${isJoined('p')})
    ), varied as (select * from tested where url like '%?%' order by url limit ${maxPages})
    select url, content from varied
    union
    select url, content from tested where url in (select split_part(url, '?', 1) from varied)`.execute(db)
  return rows
}

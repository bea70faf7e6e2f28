import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { visibleScans } from '../src/monitor/access/store.ts'
import { buildConditions, buildFromClause, listRulesInView, listTagsInView } from '../src/monitor/issue/filter/store.ts'
import { runsInView } from '../src/monitor/page/store.ts'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

const api = useTestApi()
const copiedCount = 2000
beforeAll(() => recordRun(api, undefined, { page: buildCompleted([buildFinding('image')], 'page') }))

/** Repeats the only issue of the database with its finding; all copies were changed long ago. */
async function copyIssue(): Promise<void> {
  await sql`insert into issue select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
      'updated_at', now() - interval '90 days', 'identity_hash', '\\x' || encode(sha256(n::text::bytea), 'hex')))).*
    from issue i, generate_series(1, ${copiedCount}::int) n`.execute(api.db)
  await sql`insert into finding_span select (jsonb_populate_record(s, jsonb_build_object('issue_id', i.id))).*
    from finding_span s, issue i where i.id <> s.issue_id`.execute(api.db)
  for (const table of ['issue', 'finding_span']) await sql`vacuum analyze ${sql.table(table)}`.execute(api.db)
}

it(
  'reads only changed issues, not every finding of the runs, for a program that copies issues',
  { timeout: 60_000 },
  async () => {
    await copyIssue()
    const query = z.parse(IssueListQuery, { cursor: '', updatedSince: new Date(Date.now() - 3_600_000).toISOString() })
    const runs = runsInView(visibleScans({ id: 'admin', role: 'admin' }), query)
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`explain (analyze, buffers, format json)
    select f.run_id, f.issue_id ${buildFromClause(runs, query)} where ${buildConditions(query, { severity: false })}
    order by f.issue_id limit 500`.execute(api.db)
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'] as [{ Plan: Record<string, number> }]
    expect(plan['Actual Rows']).toBe(1)
    // Starting with the findings: 6,000, three for each issue. The versions of PostgreSQL differ by a few.
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(500)
  },
)

it('offers rules and tags of ended runs without reading their findings', async () => {
  const query = { search: undefined, page: 0, size: 50 }
  const runs = runsInView(visibleScans({ id: 'admin', role: 'admin' }), z.parse(IssueListQuery, {}))
  const replies = await api.db.transaction().execute(async (trx) => {
    const countReads = async () => {
      const { rows } = await sql<{ reads: number }>`
        select sum(seq_scan + idx_scan) as reads from pg_stat_xact_user_tables where relname in ('finding_open', 'finding_past')`.execute(
        trx,
      )
      return rows[0]!.reads
    }
    const readsBefore = await countReads()
    const rules = await listRulesInView({ db: trx }, runs, query)
    const tags = await listTagsInView({ db: trx }, runs, undefined)
    return { rules: rules.total, hasTags: tags.length > 0, reads: (await countReads()) - readsBefore }
  })
  expect(replies).toEqual({ rules: 1, hasTags: true, reads: 0 })
})

import { sql } from 'kysely'
import { containing, limits } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { IgnoreScope } from '@clearway/contract/monitor/issue/schema.ts'
import type { Runs } from './store-filter.ts'
import { recount } from './store-lifecycle.ts'

type Db = { db: MonitorDb }

/** What is there in the runs in view, by rule: (name, help, tags, issues). */
const byRule = (runs: Runs) => sql`
  select rule.name as rule, rule.help, rule.tags, t.issues from (
    select max(rule.id) as id, sum(n.issues)::int as issues
    from (select f.rule_id, count(*) as issues from ${runs} r join finding f on f.run_id = r.run_id
          where f.change <= 2 group by f.rule_id) n join rule on rule.id = n.rule_id group by rule.name) t
  join rule on rule.id = t.id`

/** Rules with findings in the runs in view, the commonest first. */
export async function rulesInView(
  { db }: Db,
  runs: Runs,
  query: { search?: string | undefined; page: number; size: number },
) {
  const text = query.search && containing(query.search)
  const { rows } = await sql<{ rule: string; help: string; tags: string[]; issues: number; count: number }>`
    select t.*, count(*) over () as count from (${byRule(runs)}) t
    where ${text ? sql`rule ilike ${text} or help ilike ${text}` : sql`true`}
    order by issues desc, rule ${limits(query)}`.execute(db)
  return { rows: rows.map(({ count: _count, ...row }) => row), total: rows[0]?.count ?? 0 }
}

/** Tags of rules, labels and components of what is there in the runs in view. */
export async function tagsInView({ db }: Db, runs: Runs, search: string | undefined) {
  const { rows } = await sql<{ tag: string; kind: 'tag' | 'label' | 'component'; issues: number }>`
    with seen as (select i.labels, i.component from ${runs} r join issue i on i.scan_id = r.scan_id
      where i.presence in (0, 3) and (i.labels <> '{}' or i.component is not null))
    select * from (
      select tag, 'tag' as kind, sum(issues)::int as issues from (${byRule(runs)}) t, unnest(t.tags) tag group by tag
      union all
      select label, 'label', count(*)::int from seen, unnest(labels) label group by label
      union all
      select component, 'component', count(*)::int from seen where component is not null group by component) t
    where ${search ? sql`tag ilike ${containing(search)}` : sql`true`}
    order by kind, issues desc, tag limit 1000`.execute(db)
  return rows
}

export type IgnoreRow = {
  id: string
  scope: IgnoreScope
  rule: string
  reason: string
  author_id: string
  author: string | null
  created_at: Date
  issues: number
}

/** Ignores of a scan that reach further than one issue, newest first. */
export async function listIgnores({ db }: Db, scanId: string): Promise<IgnoreRow[]> {
  const { rows } = await sql<IgnoreRow>`
    select n.id, n.scope, n.rule, n.reason, n.author_id, n.created_at,
      coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.username) as author,
      (select count(*)::int from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id) as issues
    from issue_ignore n left join person p on p.id = n.author_id
    where n.scan_id = ${scanId} and n.scope <> 'issue' order by n.id desc limit 1000`.execute(db)
  return rows
}

/** Ends an ignore of a scan: what it covered is open again. False when there is no such one. */
export async function deleteIgnore({ db }: Db, scanId: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const gone =
      await sql`delete from issue_ignore where id = ${id} and scan_id = ${scanId} returning id`.execute(trx)
    if (gone.rows.length === 0) return false
    await sql`create temporary table reopened on commit drop as
      select i.id as issue_id, f.run_id, f.page_id from issue i
      join lateral (select f.run_id, f.page_id from finding f where f.issue_id = i.id order by f.run_id desc limit 1) f
        on true
      where i.scan_id = ${scanId} and i.ignore_id = ${id} and i.status = 3`.execute(trx)
    await sql`select 1 from run where id in (select run_id from reopened) order by id for no key update`.execute(
      trx,
    )
    await sql`update issue set status = 1, ignore_id = null, version = version + 1
      where id in (select issue_id from reopened)`.execute(trx)
    await sql`update finding f set status = 1 from reopened o
      where f.run_id = o.run_id and f.issue_id = o.issue_id`.execute(trx)
    await recount(trx, sql`reopened`)
    return true
  })
}

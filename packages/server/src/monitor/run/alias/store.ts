import { type Alias, type AliasCandidate, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { isPresent } from '../../issue/table.ts'
import { isJoined } from '../../page/table.ts'
import { entryState, selectBaselineRunId } from '../table.ts'

type CandidateRow = AliasCandidate & { id: string }

/** Tested pages of a run with the same content and title as another one. States that a script reached are pages of their own. */
async function listCandidates(db: MonitorDb, run: { runId: string; scanId: string; number: number }): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    with alike as (select * from (
      select id, run_id, key_hash, url, coalesce(title, '') as title, content_key, canonical, found_on,
        count(*) over (partition by content_key, title) as copies
      from page where run_id = ${run.runId} and status = 'completed' and source = 'automated' and content_key is not null
        and health is not null and coalesce(found_on, '') not like 'script:%' and url not like 'script:%') counted
      where copies > 1)
    select alike.id, alike.url, alike.title, alike.content_key as content, alike.canonical, alike.found_on is null as "isNamed",
      exists (select from page before where before.run_id = ${selectBaselineRunId(run)} and before.key_hash = alike.key_hash
        and before.status = 'completed') as "wasTested",
      (select md5(coalesce(string_agg(concat_ws(' ', f.rule_id, f.severity, f.status, e.selector), chr(10)
          order by f.rule_id, f.severity, f.status, e.selector), ''))
        from finding f join evidence e on e.hash = f.evidence where f.run_id = alike.run_id and f.page_id = alike.id) as findings
    from alike`.execute(db)
  return rows
}

/** Removes the findings of joined pages, given in the table `joined_page`: the page that stands for each has the same ones. */
async function removeFindings(db: MonitorDb, runId: string): Promise<void> {
  await sql`create temporary table left_issue (issue_id uuid) on commit drop`.execute(db)
  await sql`with gone as (delete from finding f using joined_page j where f.page_id = j.id and f.run_id = ${runId} returning f.issue_id)
    insert into left_issue select distinct issue_id from gone`.execute(db)
  await sql`delete from issue i using left_issue l where l.issue_id = i.id
    and not exists (select from finding f where f.issue_id = i.id)`.execute(db)
  await sql`update issue i set last_run = t.number from (
      select l.issue_id, max(run.number) as number from left_issue l join finding f on f.issue_id = l.issue_id
      join run on run.id = f.run_id where ${isPresent('f')} group by l.issue_id) t
    where i.id = t.issue_id`.execute(db)
  await sql`update run set total_issues = (select count(*)::int from finding f where f.run_id = ${runId} and ${isPresent('f')})
    where id = ${runId}`.execute(db)
}

/** Records pages as further addresses of others, with the reason; they no longer count. */
async function storeAliases(db: MonitorDb, runId: string, aliases: readonly Alias<CandidateRow>[]): Promise<void> {
  const rows = aliases.map(({ page, target, reason }) => ({ id: page.id, target: target.url, reason }))
  await sql`create temporary table joined_page on commit drop as
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j (id uuid, target text, reason text)`.execute(db)
  await removeFindings(db, runId)
  await sql`
    update page set status = 'excluded', exclusion = 'duplicate', leads_to = j.target, detail = j.reason, health = null,
      notices = '{}', critical = 0, serious = 0, moderate = 0, minor = 0, needs_review = 0, not_stored = 0
    from joined_page j where page.id = j.id and page.run_id = ${runId}`.execute(db)
  await sql`
    update frontier f set exclusion = 'duplicate' from page p join joined_page j on j.id = p.id
    where f.run_id = ${runId} and f.key_hash = p.key_hash and f.state = ${entryState.done}`.execute(db)
}

/**
 * Joins the pages of a run that are the same under several addresses, when its last page is recorded.
 * @returns true if there are any, so that the run has to be counted again
 */
export async function joinAliases(db: MonitorDb, run: { runId: string; scanId: string; number: number }): Promise<boolean> {
  const aliases = findAliases(await listCandidates(db, run))
  if (aliases.length > 0) await storeAliases(db, run.runId, aliases)
  return aliases.length > 0
}

const maxListedAliases = 20

/** Other addresses of a page in its run: the first of them with the ids of their pages, and their number. */
export async function listAliases(
  db: MonitorDb,
  page: { run_id: string; url: string },
): Promise<{ first: string[]; pages: PageId[]; count: number }> {
  const { rows } = await sql<{ url: string; id: PageId; count: number }>`
    select url, id, count(*) over ()::int as count from page p
    where run_id = ${page.run_id} and exclusion = 'duplicate' and md5(leads_to) = md5(${page.url}) and leads_to = ${page.url}
      and ${isJoined('p')} order by length(url), url
    limit ${maxListedAliases}`.execute(db)
  return { first: rows.map(({ url }) => url), pages: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 }
}

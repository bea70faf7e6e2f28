import { type Alias, type AliasCandidate, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import type { PageId } from '@clearway/contract/kit/id.ts'
import { maxStandInLength, maxStandInLinks, minProvingShare } from '@clearway/contract/monitor/page/wall/model.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { isEdited, isPresent, selectDriveLevel, setUpdatedNow, storedLiterals } from '../../issue/table.ts'
import { isJoined } from '../../page/table.ts'
import { entryState, selectBaselineRunId } from '../table.ts'
import { listRepeatedPageIds } from '../wall/store.ts'

type CandidateRow = AliasCandidate & { id: string }
/** Removes what a run saw of issues, given as (issue_id), in the same transaction; implemented by the issue noun. */
export type RemoveFromRun = (db: MonitorDb, run: { scanId: string; number: number }, issues: RawBuilder<unknown>) => Promise<void>

type AliasDeps = {
  db: MonitorDb
  removeFromRun: RemoveFromRun
  /** Sets the last run that found issues, given as (issue_id). */
  updateLastRun: (db: MonitorDb, issues: RawBuilder<unknown>) => Promise<void>
}
type AliasRun = { runId: string; scanId: string; number: number }

/** Change of the last finding of the issue `i` in previous runs; the first one of a stretch in which it stayed. */
const selectLastChange = (number: number) => sql`(select last.change from finding_span last
  where last.issue_id = i.id and last.scan_id = i.scan_id and last.first_run < ${number}::int order by last.until_run desc limit 1)`

/**
 * Pages whose content and issues were seen: signed in if the scan is, with all findings stored, and with most words of their
 * last visit. Others may be a wall in front of different pages, whose issues did not disappear.
 */
const isWholeVisit = sql`(health is not null and not_stored = 0 and signed_in is distinct from false
  and coalesce((evidence ->> 'retained')::real >= ${minProvingShare}::real, true))`

/** Condition for pages in `alike` with an issue `i` of the run that fulfils a condition. */
const hasIssues = (condition: RawBuilder<unknown>) => sql`exists (select from finding f join issue i on i.id = f.issue_id
  where f.run_id = alike.run_id and f.page_key = alike.key_hash and ${isPresent('f')} and ${condition})`

/** Equal for pages with the same findings that fulfil a condition; empty without any. */
const hashFindings = (columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  coalesce((select md5(string_agg(concat_ws(' ', ${columns}), chr(10) order by ${columns}))
    from finding f join evidence e on e.hash = f.evidence
    where f.run_id = alike.run_id and f.page_key = alike.key_hash and ${isPresent('f')} and ${condition}), '')`

/** Tested pages of a run with the same content and title as another one. States that a script reached are pages of their own. */
async function listCandidates(db: MonitorDb, run: AliasRun): Promise<CandidateRow[]> {
  const foundColumns = sql`f.rule_id, f.severity, e.selector`
  const { rows } = await sql<CandidateRow>`
    with alike as (select * from (
      select id, run_id, key_hash, url, coalesce(title, '') as title, content_key, canonical, found_on, evidence, driven,
        count(*) over (partition by content_key, title) as copies
      from page where run_id = ${run.runId} and status = 'completed' and source = 'automated' and content_key is not null
        and coalesce(found_on, '') not like 'script:%' and url not like 'script:%' and ${isWholeVisit}) counted
      where copies > 1)
    select alike.id, alike.url, alike.title, alike.content_key as content, alike.canonical, alike.found_on is null as "isNamed",
      exists (select from page before where before.run_id = ${selectBaselineRunId(run)} and before.key_hash = alike.key_hash
        and before.status = 'completed') as "wasTested",
      ${hashFindings(foundColumns, sql`f.drive_level is null`)} as findings,
      ${hashFindings(foundColumns, sql`f.drive_level is not null`)} as "drivenFindings",
      ${selectDriveLevel('alike')} as "driveLevel",
      ${hashFindings(sql`f.rule_id, e.selector, f.status`, sql`f.status <> ${storedLiterals.status.open}`)} as decisions,
      ${hasIssues(sql`i.first_run < ${run.number}::int and ${selectLastChange(run.number)} is distinct from ${storedLiterals.change['page-gone']}`)} as "hasKnownIssues",
      coalesce(alike.evidence ->> 'retained' is null and (alike.evidence ->> 'textLength')::int <= ${maxStandInLength}::int
        and (alike.evidence ->> 'links')::int <= ${maxStandInLinks}::int
        and not ${hasIssues(sql`true`)}, false) as "isStandIn"
    from alike where not ${hasIssues(sql`i.first_run = ${run.number}::int and ${isEdited}`)}`.execute(db)
  return rows
}

/**
 * Removes the findings of joined pages, given in the table `joined_page`: the page that stands for each has the same ones. Their
 * issues are again as previous runs left them.
 */
async function removeFindings(deps: AliasDeps, run: AliasRun): Promise<void> {
  const { db } = deps
  await sql`create temporary table left_issue on commit drop as
    select distinct on (f.issue_id) f.issue_id, f.change from joined_page j join page p on p.id = j.id
      join finding f on f.run_id = p.run_id and f.page_key = p.key_hash
    where f.run_id = ${run.runId} order by f.issue_id, f.change desc`.execute(db)
  await deps.removeFromRun(db, run, sql`left_issue`)
  await sql`delete from issue i using left_issue l where l.issue_id = i.id and not ${isEdited}
    and not exists (select from finding_span s where s.issue_id = i.id)`.execute(db)
  await deps.updateLastRun(db, sql`left_issue`)
  const { change, presence, status } = storedLiterals
  await sql`update issue i set
      status = case when l.change = ${change.back} and i.status = ${status.open} then ${status.fixed} else i.status end,
      version = i.version + (l.change = ${change.back} and i.status = ${status.open})::int, ${setUpdatedNow},
      presence = case ${selectLastChange(run.number)} when ${change.fixed} then ${presence.fixed}
        when ${change['page-gone']} then ${presence.gone} else i.presence end,
      fixed_in_run = case when l.change = ${change.back} then (select max(s.first_run) from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id and s.change = ${change.fixed}) else i.fixed_in_run end
    from left_issue l where l.issue_id = i.id
      and (l.change = ${change.back} or ${selectLastChange(run.number)} = ${change['page-gone']})`.execute(db)
  await sql`update run set total_issues = (select count(*)::int from finding f where f.run_id = ${run.runId} and ${isPresent('f')})
    where id = ${run.runId}`.execute(db)
}

/** Records pages as further addresses of others, with the reason; they no longer count. */
async function storeAliases(deps: AliasDeps, run: AliasRun, aliases: readonly Alias<CandidateRow>[]): Promise<void> {
  const { db } = deps
  const { runId } = run
  const rows = aliases.map(({ page, target, reason }) => ({ id: page.id, target: target.url, reason }))
  await sql`create temporary table joined_page on commit drop as
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j (id uuid, target text, reason text)`.execute(db)
  await removeFindings(deps, run)
  await sql`
    update run_page page set status = 'excluded', exclusion = 'duplicate', leads_to = j.target, detail = j.reason, health = null,
      notices = null, critical = 0, serious = 0, moderate = 0, minor = 0, needs_review = 0, not_stored = 0
    from joined_page j where page.id = j.id and page.run_id = ${runId}`.execute(db)
  await sql`
    update frontier f set exclusion = 'duplicate' from page p join joined_page j on j.id = p.id
    where f.run_id = ${runId} and f.key_hash = p.key_hash and f.state = ${entryState.done}`.execute(db)
}

/**
 * Joins the pages of a run that are the same under several addresses, when its last page is recorded.
 * @returns true if there are any, so that the run has to be counted again
 */
export async function joinAliases(deps: AliasDeps, run: AliasRun): Promise<boolean> {
  const aliases = findAliases(await listCandidates(deps.db, run))
  if (aliases.length > 0) await storeAliases(deps, run, aliases)
  return aliases.length > 0
}

/** Number of pages of a run in progress that would be joined if it ended now: those with the text of others are walls then. */
export async function countAliases(db: MonitorDb, run: AliasRun): Promise<number> {
  const { rows } = await sql<{ completed: number }>`select completed from run where id = ${run.runId}`.execute(db)
  const repeatedIds = new Set(await listRepeatedPageIds(db, run, rows[0]?.completed ?? 0))
  return findAliases((await listCandidates(db, run)).filter(({ id }) => !repeatedIds.has(id))).length
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

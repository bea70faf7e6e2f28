import { frameSeparator } from '@clearway/contract/monitor/issue/model.ts'
import {
  goneExclusionsOfClearRuns,
  presenceOnlyNotices,
  untestedFrameNotices,
} from '@clearway/contract/monitor/page/proof/model.ts'
import { siteRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import {
  type ChangedPage,
  findDisappearedPages,
  isMassDisappearance,
  minProvingShare,
  unconfirmedNotice,
} from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageId } from '@clearway/contract/kit/id.ts'
import type { UnconfirmedChange } from '@clearway/contract/monitor/run/unconfirmed/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../model.ts'
import { isBannerPage, isJoined, isProvenGone, isWalled } from '../../page/table.ts'
import { selectBaselineRunId, selectPreviousRunId } from '../../run/table.ts'
import { isIgnored, isPresent, isCountedUnchecked, isUndriven, setUpdatedNow, storedLiterals, storedPicture } from '../table.ts'
import { selectNewestRun, writeSpans } from '../span/store.ts'

const { 'not-rechecked': notRechecked, 'page-gone': pageGone } = storedLiterals.change

/** Condition for a page, with notices, that proves an issue fixed that is missing on it. */
const provesAbsence = (notices: RawBuilder<unknown>) => sql`(not ${notices} && ${[...presenceOnlyNotices]}::text[]
  and (not ${notices} && ${[...untestedFrameNotices]}::text[]
    or (i.element_key <> '' and position(${frameSeparator} in split_part(i.element_key, e'\t', 1)) = 0)))`

/** States of a script that failed in this run: it may not have reached them. */
const isStateOfFailedScript = sql`exists (select from page s where s.run_id = plan.run_id and s.url = seen.found_on
  and s.url like 'script:%' and s.status = 'failed')`

/** Pages found on a page whose content was not seen: its links were not seen either. */
const isFoundOnWalledPage = (runId: string) => sql`coalesce(seen.found_on in (select walled.url from page walled
  where walled.run_id = ${runId} and ${isWalled('walled')}), false)`

/** Settings that affect how a page looks; a difference means that a missing issue is not proven fixed. */
const hasSameView = sql`(${sql.join(
  ['{advanced,windowWidth}', '{advanced,windowHeight}', '{session}', '{advanced,userAgent}'].map(
    (path) => sql`before.settings #> ${sql.lit(path)} is not distinct from plan.settings #> ${sql.lit(path)}`,
  ),
  sql` and `,
)} and ${sql.join(
  // Plans older than these settings did not close banners.
  Object.entries({ closeBanners: 'false', acceptBanners: 'false', bannerSelectors: '[]' }).map(([name, oldDefault]) => {
    const path = sql.lit(`{advanced,${name}}`)
    const value = sql`${sql.lit(oldDefault)}::jsonb`
    return sql`coalesce(before.settings #> ${path}, ${value}) = coalesce(plan.settings #> ${path}, ${value})`
  }),
  sql` and `,
)})`

/**
 * A banner that a run did not meet may have failed to load, or a visitor who signs in answered it before. It is gone if two
 * whole runs in a row looked for it on pages of its site.
 */
const isBannerGone = (run: { runId: string; scanId: string; number: number }) => sql`coalesce(${hasSameView}
  and plan.settings #>> '{advanced,closeBanners}' = 'true' and plan.settings #>> '{session,connection}' is null
  and plan.settings #>> '{session,mark}' is null
  and exists (select from page whole where whole.run_id = ${run.runId} and whole.status = 'completed'
    and not whole.notices && ${[...presenceOnlyNotices, ...untestedFrameNotices]}::text[] and not ${isBannerPage('whole')}
    and starts_with(whole.url, substring(seen.url from '^https?://[^/?#]+') || '/'))
  and exists (select from finding missed join run previous on previous.id = missed.run_id
    where missed.issue_id = i.id and missed.run_id = ${selectPreviousRunId(run)} and missed.change = ${notRechecked}
      and not previous.partial), false)`

export type LifecycleRun = {
  runId: string
  scanId: string
  number: number
  tags: readonly string[]
  /** The run reached every page, most pages of its baseline and most content, so that pages it did not meet are gone. */
  isClear: boolean
  /** A person confirmed that the issues disappeared. */
  isConfirmed?: boolean
  /** The titles of all pages were compared. Otherwise a shared title is fixed only if it changed. */
  areTitlesCompared?: boolean
}

/**
 * Condition for an issue that its page did not test again: it was not driven as far, or its title is the same and was not
 * compared with those of all pages.
 */
const isUntested = ({
  areTitlesCompared = false,
}: LifecycleRun) => sql`(${isUndriven('f', 'p')} or (not ${areTitlesCompared}::boolean
  and rule.name = any(${[...siteRules]}::text[]) and p.evidence ->> 'title' is not distinct from seen.evidence ->> 'title'))`

/** Marks the pages of a run whose issues disappeared, given by a condition: until it is confirmed, they have no health. */
async function markDisappearedPages(db: MonitorDb, runId: string, condition: RawBuilder<unknown>): Promise<void> {
  await sql`update run_page set notices = array_append(notices, ${unconfirmedNotice}), health = null
    where run_id = ${runId} and id in (select id from page where run_id = ${runId} and status = 'completed' and not ${isWalled('page')}
      and ${condition})`.execute(db)
}

const isClosing = sql`change in (${storedLiterals.change.fixed}, ${pageGone})`

/** Ids of pages that would close issues, although what they showed disappeared. */
async function listDisappearedPageIds(db: MonitorDb, run: LifecycleRun): Promise<PageId[]> {
  const { rows: changedPages } = await sql<ChangedPage & { id: PageId }>`
    select id, page.evidence, last_page.evidence as previous,
      coalesce((page.evidence ->> 'retained')::real < ${minProvingShare}::real, false) as "hasLostWords"
    from page cross join lateral (select evidence from page before
        where before.run_id in (${selectBaselineRunId(run)}, ${selectPreviousRunId(run)}) and before.key_hash = page.key_hash
          and before.status = 'completed' and before.evidence is not null order by before.run_id desc limit 1) last_page
    where run_id = ${run.runId} and status = 'completed' and (page.evidence ->> 'retained') is not null
      and id in (select page_id from absent_issue where (is_doubtful or is_shortened) and ${isClosing})`.execute(db)
  return findDisappearedPages(changedPages).map(({ id }) => id)
}

/** Number of open issues that a run would close on doubtful pages, and of all known ones; whether it would close any on changed pages. */
async function countDoubtful(
  db: MonitorDb,
  run: LifecycleRun,
): Promise<{ doubtful: number; known: number; hasChanged: boolean }> {
  const isOpen = sql`status = ${storedLiterals.status.open}`
  const { rows } = await sql<{ doubtful: number; known: number; hasChanged: boolean }>`
    select count(*) filter (where is_doubtful and ${isClosing})::int as doubtful,
      coalesce(bool_or((is_doubtful or is_shortened) and ${isClosing}), false) as "hasChanged",
      count(*)::int + (select count(*)::int from finding where run_id = ${run.runId} and change = ${storedLiterals.change.still}) as known
    from absent_issue where ${isOpen}`.execute(db)
  return rows[0]!
}

/**
 * Closes nothing on doubtful pages if most issues would disappear at once, and nothing on pages whose content disappeared. The
 * next run compares these pages with this one: if they are the same, it closes the issues.
 */
async function holdBackDoubtful(db: MonitorDb, run: LifecycleRun): Promise<UnconfirmedChange | null> {
  const { doubtful: doubtfulCount, known: knownCount, hasChanged: hasChangedPages } = await countDoubtful(db, run)
  const isMass = isMassDisappearance(doubtfulCount, knownCount)
  const disappearedIds = hasChangedPages ? await listDisappearedPageIds(db, run) : []
  if (!isMass && disappearedIds.length === 0) return null
  const isHeldBack = sql`${isClosing} and (page_id = any(${disappearedIds}::uuid[]) or (is_doubtful and ${isMass}::boolean))`
  const doubtfulPages = sql`(select page_id from absent_issue where ${isHeldBack})`
  const { rows: pageRows } = await sql<{ url: string; id: PageId; previousId: PageId | null }>`
    select url, id, (select id from page before where before.run_id in (${selectBaselineRunId(run)}, ${selectPreviousRunId(run)})
        and before.key_hash = page.key_hash and before.status = 'completed' order by before.run_id desc limit 1) as "previousId"
    from page where run_id = ${run.runId}
      and id in ${doubtfulPages} order by analysed_at limit 1`.execute(db)
  const hasChanged = isMass ? sql`(evidence ->> 'retained')::real < ${minProvingShare}::real` : sql`false`
  await markDisappearedPages(db, run.runId, sql`(id in ${doubtfulPages} or ${hasChanged})`)
  const { rows: heldRows } = await sql<{ isOpen: boolean }>`update absent_issue set change = ${notRechecked}
    where ${isHeldBack} returning status = ${storedLiterals.status.open} as "isOpen"`.execute(db)
  const [firstPage] = pageRows
  return {
    issues: heldRows.filter(({ isOpen }) => isOpen).length,
    sinceUrl: firstPage?.url ?? null,
    pageId: firstPage?.id ?? null,
    previousPageId: firstPage?.previousId ?? null,
  }
}

/** Puts the issues of a scan that a run did not find into the table `absent_issue` of this transaction, each with its change. */
async function createAbsentTable(db: MonitorDb, run: LifecycleRun): Promise<void> {
  await sql`
    create temporary table absent_issue on commit drop as
      select i.id, i.status, i.group_id, i.page_key, f.rule_id, f.severity, f.impact, f.evidence,
        ${storedPicture('last')} as picture, f.picture_box, f.drive_level, f.states, coalesce(p.id, seen.id, f.last_page_id) as page_id,
        case when ${isPresent('f')} then seen.id else coalesce(f.last_page_id, seen.id) end as last_page_id, p.id is not null as has_page,
        case when ${isPresent('f')} then last.number end as last_run, last.ended_at as last_seen_at,
        case
          -- Runs do not visit uploaded pages.
          when seen.source = 'uploaded' then ${notRechecked}
          when p.status = 'completed' and ${isUntested(run)} then ${notRechecked}
          when p.status = 'completed' and (before.run_id is null or not ${hasSameView}) then ${notRechecked}
          when p.status = 'completed' and ${provesAbsence(sql`p.notices`)} and rule.tags && ${[...run.tags]}::text[] then ${storedLiterals.change.fixed}
          when p.status = 'completed' then ${notRechecked}
          when ${isProvenGone('p')} then ${pageGone}
          when ${run.isClear} and p.exclusion = any(${[...goneExclusionsOfClearRuns]}::text[]) then ${pageGone}
          when p.id is null and ${isBannerPage('seen')} and not (${run.isClear} and ${isBannerGone(run)}) then ${notRechecked}
          when ${run.isClear} and p.id is null and not ${isStateOfFailedScript} and not ${isFoundOnWalledPage(run.runId)} then ${pageGone}
          else ${notRechecked}
        end as change,
        -- A page that was compared before, and now is not, proves as little as one that lost its words.
        (p.status = 'completed' and case when p.evidence ->> 'retained' is null then last_page.evidence is not null
          else (p.evidence ->> 'retained')::real < ${minProvingShare}::real end)
          or (p.status is distinct from 'completed' and last_page.status = 'completed' and (p.id is null or not ${isJoined('p')})) as is_doubtful,
        coalesce(p.status = 'completed' and (p.evidence ->> 'textLength')::int * 2 <= (last_page.evidence ->> 'textLength')::int, false) as is_shortened
      from issue i
      join lateral (select * from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id and s.first_run <= ${run.number}::int
        order by s.until_run desc limit 1) f on true
      left join lateral ${selectNewestRun('f')} last on true
      join rule on rule.id = f.rule_id
      -- The last run that found it.
      left join run r on r.scan_id = i.scan_id and r.number = case when ${isPresent('f')} then last.number else i.last_run end
      left join run_plan before on before.run_id = r.id
      join run_plan plan on plan.run_id = ${run.runId}
      left join page on_last on (${isPresent('f')} or f.last_page_id is null) and on_last.run_id = last.id and on_last.key_hash = f.page_key
      left join page seen on seen.id = coalesce(on_last.id, f.last_page_id)
      left join page p on p.run_id = ${run.runId} and p.key_hash = i.page_key
      left join lateral (select status, evidence from page
        where run_id in (${selectBaselineRunId(run)}, ${selectPreviousRunId(run)}) and key_hash = i.page_key and status = 'completed'
        order by run_id desc limit 1) last_page on true
      where i.scan_id = ${run.scanId} and i.presence in (${storedLiterals.presence.there}, ${storedLiterals.presence.unchecked})
        -- Read once: without statistics of a first run, a planner would look for each issue among all findings.
        and i.id not in (select f.issue_id from finding f where f.run_id = ${run.runId} and ${isPresent('f')})`.execute(db)
}

/** Updates the issues in `absent_issue`, and stores what the run saw of them. */
async function storeAbsent(db: MonitorDb, run: LifecycleRun): Promise<void> {
  await sql`
    with updated as (
      update issue i set presence = case absent.change when ${storedLiterals.change.fixed} then ${storedLiterals.presence.fixed}
          when ${pageGone} then ${storedLiterals.presence.gone} else ${storedLiterals.presence.unchecked} end,
        status = case when absent.change = ${storedLiterals.change.fixed} and i.status = ${storedLiterals.status.open} then ${storedLiterals.status.fixed} else i.status end,
        fixed_in_run = case when absent.change = ${storedLiterals.change.fixed} then ${run.number}::int else i.fixed_in_run end,
        last_run = coalesce(absent.last_run, i.last_run),
        last_seen_at = case when absent.last_run is null then i.last_seen_at else greatest(i.last_seen_at, absent.last_seen_at) end,
        version = i.version + (absent.change = ${storedLiterals.change.fixed})::int, ${setUpdatedNow}
      from absent_issue absent where absent.id = i.id
        and not (absent.change = ${notRechecked} and i.presence = ${storedLiterals.presence.unchecked})
      returning i.id, i.status),
    ${writeSpans(
      sql`(select absent.id as issue_id, ${run.scanId}::uuid as scan_id, ${run.number}::int as number, absent.change, absent.page_key,
        case when absent.change = ${notRechecked} or not absent.has_page then absent.last_page_id end as last_page_id, absent.group_id, absent.rule_id, absent.severity, absent.impact,
        coalesce(updated.status, absent.status) as status, absent.evidence, absent.picture, absent.picture_box, absent.drive_level,
        absent.states
      from absent_issue absent left join updated on updated.id = absent.id)`,
    )}
    select 1`.execute(db)
}

/**
 * Updates the issues of a scan that this run did not find. Fixed and page gone require proof
 * (`contract/monitor/page/proof`); everything else was not rechecked. Each issue gets a finding in this run, so that the
 * run's list can show it.
 * @returns the disappearance that a later run has to confirm; null for none
 */
export async function recordLifecycle(db: MonitorDb, run: LifecycleRun): Promise<UnconfirmedChange | null> {
  await createAbsentTable(db, run)
  const unconfirmed = run.isConfirmed ? null : await holdBackDoubtful(db, run)
  await storeAbsent(db, run)
  await sql`update run set judged = true where id = ${run.runId} and not judged`.execute(db)
  await sql`
    update run_page page set fixed = t.fixed, not_rechecked = t.not_rechecked
    from (select page_key, count(*) filter (where change = ${storedLiterals.change.fixed})::int as fixed,
        count(*) filter (where ${isCountedUnchecked()})::int as not_rechecked
      from finding where run_id = ${run.runId} and change in (${storedLiterals.change.fixed}, ${notRechecked}) group by page_key) t
    where page.run_id = ${run.runId} and page.key_hash = t.page_key`.execute(db)
  return unconfirmed
}

/** Copies a run's findings of a page to the table `rechecked` of this transaction. Locks the issues. */
export async function copyToRechecked(db: MonitorDb, page: StoredPage): Promise<void> {
  const isOnPage = sql`f.run_id = ${page.runId} and f.page_key = ${page.keyHash}`
  await sql`select 1 from issue i where i.id in (select f.issue_id from finding f where ${isOnPage})
    order by i.id for update`.execute(db)
  await sql`create temporary table rechecked on commit drop as select f.* from finding f where ${isOnPage}`.execute(db)
}

/**
 * Updates the issues that a re-check was made for. A present issue keeps its change of the run (new, back). A missing
 * one is fixed when the page was completely analyzed with the rule enabled; otherwise it stays as it was.
 * @returns the counts of new, back, fixed, still present, not rechecked and ignored issues
 */
export async function recordRecheck(
  db: MonitorDb,
  page: StoredPage,
  { tags, notices }: { tags: readonly string[]; notices: readonly PageNotice[] },
): Promise<number[]> {
  const isComplete = provesAbsence(sql`${[...notices]}::text[]`)
  const isStillOpen = sql`f.status = ${storedLiterals.status.open}`
  const countResult = await sql<{ fresh: number; back: number; still: number; ignored: number }>`
    select count(*) filter (where ${isStillOpen} and f.change = ${storedLiterals.change.new} and r.issue_id is null)::int as fresh,
      count(*) filter (where ${isStillOpen} and f.change = ${storedLiterals.change.back} and r.change is distinct from f.change)::int as back,
      count(*) filter (where ${isStillOpen} and (f.change = ${storedLiterals.change.still} or r.change = f.change))::int as still,
      count(*) filter (where ${isIgnored('f')})::int as ignored
    from finding f left join rechecked r on r.issue_id = f.issue_id
    where f.run_id = ${page.runId} and f.page_key = ${page.keyHash}`.execute(db)
  const { rows: absentRows } = await sql<{ fixed: number; notRechecked: number }>`
    with absent as (
      select r.*, case when r.change = ${storedLiterals.change.fixed} then r.change
        when ${isComplete} and not ${isUndriven('r', 'p')} and rule.tags && ${[...tags]}::text[]
          and (${isPresent('r')} or (before.run_id is not null and ${hasSameView})) then ${storedLiterals.change.fixed} else r.change end as now
      from rechecked r join issue i on i.id = r.issue_id join rule on rule.id = r.rule_id
      join run_plan plan on plan.run_id = ${page.runId}
      left join page p on p.run_id = ${page.runId} and p.id = ${page.id}
      left join run seen on seen.scan_id = i.scan_id and seen.number = i.last_run
      left join run_plan before on before.run_id = seen.id
      where not exists (select from finding f where f.run_id = ${page.runId} and f.issue_id = r.issue_id and ${isPresent('f')})),
    updated as (
      update issue i set presence = ${storedLiterals.presence.fixed}, status = case when i.status = ${storedLiterals.status.open} then ${storedLiterals.status.fixed} else i.status end,
        fixed_in_run = ${page.runNumber}::int, version = i.version + 1, ${setUpdatedNow},
        last_run = case when ${isPresent('absent')} then ${page.runNumber}::int else i.last_run end
      from absent where absent.issue_id = i.id and absent.now = ${storedLiterals.change.fixed} and absent.change <> ${storedLiterals.change.fixed} returning i.id, i.status),
    ${writeSpans(
      sql`(select a.issue_id, a.scan_id, ${page.runNumber}::int as number, a.now as change, a.page_key, null::uuid as last_page_id, a.group_id,
        a.rule_id, a.severity, a.impact, coalesce(updated.status, a.status) as status, a.evidence, a.picture, a.picture_box,
        a.drive_level, a.states
      from absent a left join updated on updated.id = a.issue_id where ${isPresent('a')} or a.now <> a.change)`,
    )}
    select (select count(*)::int from updated) as fixed,
      (select count(*)::int from absent where status = ${storedLiterals.status.open}
        and now not in (${storedLiterals.change.fixed}, ${pageGone})) as "notRechecked"`.execute(db)
  const { fresh: newCount, back: backCount, still: stillCount, ignored: ignoredCount } = countResult.rows[0]!
  const { fixed: fixedCount, notRechecked: notRecheckedCount } = absentRows[0]!
  return [newCount, backCount, fixedCount, stillCount, notRecheckedCount, ignoredCount]
}

/** Counts the fixed issues of each run on pages with notices that prove presence only. */
export async function selectUnprovenFixes(
  db: MonitorDb,
): Promise<{ scan: string; number: number; issues: number; pages: number; firstUrl: string }[]> {
  const { rows: runRows } = await sql<{ scan: string; number: number; issues: number; pages: number; firstUrl: string }>`
    select scan.name as scan, run.number, count(*)::int as issues, count(distinct p.id)::int as pages, min(p.url) as "firstUrl"
    from page p join finding f on f.run_id = p.run_id and f.page_key = p.key_hash and f.change = ${storedLiterals.change.fixed}
      join run on run.id = p.run_id join scan on scan.id = run.scan_id
      join issue i on i.id = f.issue_id
    where p.status = 'completed' and not ${provesAbsence(sql`p.notices`)} and scan.deleted_at is null
    group by scan.name, run.id, run.number order by scan.name, run.number`.execute(db)
  return runRows
}

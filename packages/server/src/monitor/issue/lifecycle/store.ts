import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { type StoredPage, impacts, selectorOf, severities, severityNumber, statusNumber } from '../model.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { hashOf } from '../../../kit/hash.ts'
import { newId } from '../../../kit/id.ts'
import { blobHash } from '../../page/model.ts'
import { recordChanges } from '../change/store.ts'
import { currentRule, identityOf, type KnownIssue, matchIssues, namesOfRule } from '../match/model.ts'
import { isOpen, isPresent, stored } from '../table.ts'
import { healths } from '../../page/model.ts'
import { health, scoreOfPages } from '../../page/table.ts'

const { 'not-rechecked': notRechecked, 'page-gone': pageGone } = stored.change

/** Notices of a page that was not analysed to its end: what is not found on it is not proven fixed. */
const incomplete = ['not-fully-loaded', 'issue-limit-reached', 'frame-not-tested']
/** A page of the run before that ended so has left the scan. */
const goneBecause = [
  'other-domain',
  'outside-folder',
  'too-deep',
  'redirect',
  'duplicate',
  'mime-type',
  'scheme',
]

/** Settings by which a page looks as it does: an issue that was seen under others is not proven fixed. */
const sameView = sql`(${sql.join(
  ['{advanced,windowWidth}', '{advanced,windowHeight}', '{session}', '{advanced,userAgent}'].map(
    (path) => sql`before.settings #> ${sql.lit(path)} is not distinct from plan.settings #> ${sql.lit(path)}`,
  ),
  sql` and `,
)})`

/**
 * Decides about the issues of a scan that this run did not find: fixed needs a page that was analysed to its end with
 * the rule on; a page that is not there any more is gone; everything else was not re-checked. Each gets a row in this
 * run, so that the run's list can say so.
 * @param run.whole whether the run reached everything, so that a page it did not meet is gone
 */
export async function recordLifecycle(
  db: MonitorDb,
  run: { runId: string; scanId: string; number: number; tags: readonly string[]; whole: boolean },
): Promise<void> {
  await sql`
    with absent as (
      select i.id, i.status, i.group_id, f.rule_id, f.severity, f.impact, f.evidence, f.picture, f.picture_box,
        coalesce(p.id, f.page_id) as page_id,
        case
          -- What people uploaded is not looked at by runs.
          when seen.source = 'uploaded' then ${notRechecked}
          when p.status = 'completed' and (before.run_id is null or not ${sameView}) then ${notRechecked}
          when p.status = 'completed' and not p.notices && ${incomplete}::text[] and rule.tags && ${[...run.tags]}::text[] then ${stored.change.fixed}
          when p.status = 'completed' then ${notRechecked}
          when p.failure = 'http-404' or p.exclusion = any(${goneBecause}::text[]) then ${pageGone}
          when p.id is null and ${run.whole} then ${pageGone}
          else ${notRechecked}
        end as change
      from issue i
      join lateral (select * from finding where issue_id = i.id order by run_id desc limit 1) f on true
      join rule on rule.id = f.rule_id
      left join run r on r.scan_id = i.scan_id and r.number = i.last_run
      left join run_plan before on before.run_id = r.id
      join run_plan plan on plan.run_id = ${run.runId}
      left join page seen on seen.id = f.page_id
      left join page p on p.run_id = ${run.runId} and p.key_hash = i.page_key
      where i.scan_id = ${run.scanId} and i.presence in (${stored.presence.there}, ${stored.presence.unchecked}) and i.last_run < ${run.number}::int),
    updated as (
      update issue i set presence = case absent.change when ${stored.change.fixed} then ${stored.presence.fixed}
          when ${pageGone} then ${stored.presence.gone} else ${stored.presence.unchecked} end,
        status = case when absent.change = ${stored.change.fixed} and i.status = ${stored.status.open} then ${stored.status.fixed} else i.status end,
        fixed_in_run = case when absent.change = ${stored.change.fixed} then ${run.number}::int else i.fixed_in_run end,
        version = i.version + (absent.change = ${stored.change.fixed})::int
      from absent where absent.id = i.id returning i.id, i.status)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${run.runId}::uuid, absent.id, absent.page_id, absent.group_id, absent.rule_id, absent.severity, absent.impact,
      updated.status, absent.change, absent.evidence, absent.picture, absent.picture_box
    from absent join updated on updated.id = absent.id`.execute(db)
  await sql`
    update page set fixed = t.fixed
    from (select page_id, count(*)::int as fixed from finding where run_id = ${run.runId} and change = ${stored.change.fixed} group by page_id) t
    where page.id = t.page_id and page.run_id = ${run.runId}`.execute(db)
}

/** Counts again what hangs on the status of findings: the pages of `touched` (run_id, page_id), and their runs' totals and scores. */
export async function recount(db: MonitorDb, touched: RawBuilder<unknown>): Promise<void> {
  await recountPages(db, touched)
  await recountRuns(db, sql`(select distinct run_id from ${touched} t)`)
}

/**
 * Counts the pages of `touched` (run_id, page_id) again, by their findings. A page of an older run, on which something was not found again, keeps what it had. That the runs are named as
 * an array lets many pages be counted by one look at each run, instead of one at each page.
 */
export async function recountPages(db: MonitorDb, touched: RawBuilder<unknown>): Promise<void> {
  const bySeverity = sql.join(
    severities.map(
      (name, index) =>
        sql`count(*) filter (where f.severity = ${stored.severity[name]} and ${isOpen('f')})::int as ${sql.raw(`s${index}`)}`,
    ),
  )
  await sql`
    update page set critical = t.s0, serious = t.s1, moderate = t.s2, minor = t.s3, needs_review = t.s4, fixed = t.fixed,
      health = case when page.status <> 'completed' then null when t.s0 > 0 then ${health.critical}
        when t.s1 > 0 then ${health.serious} when t.s2 > 0 then ${health.moderate} else ${health.good} end
    from (select p.id, ${bySeverity}, count(*) filter (where f.change = ${stored.change.fixed})::int as fixed
      from (select distinct run_id, page_id from ${touched} t) u
      join page p on p.id = u.page_id and p.run_id = u.run_id
      left join finding f on f.page_id = p.id and f.run_id = u.run_id
        and f.run_id = any(array(select distinct run_id from ${touched} t)) group by p.id) t
    where page.id = t.id`.execute(db)
}

/** Sums runs, as (run_id), up from their pages, and says anew what changed in them. */
export async function recountRuns(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const byHealth = sql.join(
    healths.map(
      (name, index) => sql`count(*) filter (where health = ${health[name]})::int as ${sql.raw(`h${index}`)}`,
    ),
  )
  await sql`
    update run set critical = t.critical, serious = t.serious, moderate = t.moderate, minor = t.minor,
      needs_review = t.review, health_critical = t.h0, health_serious = t.h1, health_moderate = t.h2, health_good = t.h3,
      completed = t.completed, failed = t.failed, unique_pages = t.completed + t.failed,
      score = ${scoreOfPages({ critical: sql`t.h0`, serious: sql`t.h1`, moderate: sql`t.h2`, good: sql`t.h3` })}
    from (select u.run_id, coalesce(sum(critical), 0)::int as critical, coalesce(sum(serious), 0)::int as serious,
        coalesce(sum(moderate), 0)::int as moderate, coalesce(sum(minor), 0)::int as minor,
        coalesce(sum(needs_review), 0)::int as review,
        ${byHealth},
        count(*) filter (where p.status = 'completed')::int as completed,
        count(*) filter (where p.status = 'failed')::int as failed
      from ${runs} u left join page p on p.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id`.execute(db)
  await countGroups(db, runs)
  await recordChanges(db, runs)
}

/** Counts the groups of open issues of runs, as (run_id), by their worst severity: what grouped lists page by. */
export async function countGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const bySeverity = severities.map(
    (name) => sql`count(*) filter (where g.worst = ${stored.severity[name]})::int`,
  )
  await sql`
    update run set open_groups = t.groups from (
      select u.run_id, array[${sql.join(bySeverity)}] as groups from ${runs} u left join (
        select f.run_id, f.group_id, min(f.severity) as worst from finding f
        where f.run_id = any(array(select run_id from ${runs} w)) and ${isOpen('f')} group by f.run_id, f.group_id
      ) g on g.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id and run.ended_at is not null`.execute(db)
}

/** Sets aside what a run said of a page, as the table `rechecked` of this transaction. Issues are locked before findings. */
export async function setAside(db: MonitorDb, page: StoredPage): Promise<void> {
  const here = sql`f.run_id = ${page.runId} and f.page_id = ${page.id}`
  await sql`select 1 from issue i where i.id in (select f.issue_id from finding f where ${here})
    order by i.id for update`.execute(db)
  await sql`create temporary table rechecked (like finding) on commit drop`.execute(db)
  await sql`with gone as (delete from finding f where ${here} returning f.*)
    insert into rechecked select * from gone`.execute(db)
}

/**
 * Decides about the issues that a re-check was made for. One that is there keeps what the run said of it (new, back);
 * one that is not is fixed when the page was analysed to its end with its rule on, and stays as it was when that proves
 * nothing.
 * @returns how many are new, back, fixed, and still there
 */
export async function recordRechecked(
  db: MonitorDb,
  page: StoredPage,
  { tags, notices }: { tags: readonly string[]; notices: readonly string[] },
): Promise<number[]> {
  const whole = !notices.some((notice) => incomplete.includes(notice))
  const counted = await sql<{ fresh: number; back: number; still: number }>`
    select count(*) filter (where f.change = ${stored.change.new} and r.issue_id is null)::int as fresh,
      count(*) filter (where f.change = ${stored.change.back})::int as back,
      count(*) filter (where f.change = ${stored.change.still} or (f.change = ${stored.change.new} and r.issue_id is not null))::int as still
    from finding f left join rechecked r on r.issue_id = f.issue_id
    where f.run_id = ${page.runId} and f.page_id = ${page.id}`.execute(db)
  await sql`update finding f set change = r.change from rechecked r
    where f.run_id = ${page.runId} and f.issue_id = r.issue_id and f.change = ${stored.change.still} and r.change in (${stored.change.new}, ${stored.change.back})`.execute(
    db,
  )
  const { rows } = await sql<{ fixed: number }>`
    with absent as (
      select r.*, case when r.change = ${stored.change.fixed} then r.change
        when ${whole} and rule.tags && ${[...tags]}::text[]
          and (${isPresent('r')} or (before.run_id is not null and ${sameView})) then ${stored.change.fixed} else r.change end as now
      from rechecked r join issue i on i.id = r.issue_id join rule on rule.id = r.rule_id
      join run_plan plan on plan.run_id = ${page.runId}
      left join run seen on seen.scan_id = i.scan_id and seen.number = i.last_run
      left join run_plan before on before.run_id = seen.id
      where not exists (select from finding f where f.run_id = ${page.runId} and f.issue_id = r.issue_id)),
    updated as (
      update issue i set presence = ${stored.presence.fixed}, status = case when i.status = ${stored.status.open} then ${stored.status.fixed} else i.status end,
        fixed_in_run = ${page.runNumber}::int, version = i.version + 1
      from absent where absent.issue_id = i.id and absent.now = ${stored.change.fixed} and absent.change <> ${stored.change.fixed} returning i.id, i.status),
    kept as (
      insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
        picture, picture_box)
      select a.run_id, a.issue_id, a.page_id, a.group_id, a.rule_id, a.severity, a.impact,
        coalesce(updated.status, a.status), a.now, a.evidence, a.picture, a.picture_box
      from absent a left join updated on updated.id = a.issue_id)
    select count(*)::int as fixed from updated`.execute(db)
  const { fresh, back, still } = counted.rows[0]!
  return [fresh, back, rows[0]!.fixed, still]
}

const hex = (buffer: Buffer) => buffer.toString('hex')
/** PostgreSQL takes neither NUL nor half of a surrogate pair in a text; both are escaped in JSON. */
const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\\u(?:0000|d[89a-f][\da-f]{2})/g, String.raw`\ufffd`)

/** Rules by what they say; ids are given once and kept. */
async function ruleIds(db: MonitorDb, findings: readonly Finding[]): Promise<Map<string, number>> {
  const rules = new Map<string, unknown>()
  for (const { rule, help, description, helpUrl, tags } of findings)
    rules.set(ruleKey({ rule, help, description, helpUrl, tags }), { rule, help, description, helpUrl, tags })
  const rows = [...rules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rule]) => ({ key, ...(rule as object) }))
  await sql`
    insert into rule (hash, name, help, description, help_url, tags)
    select decode(key, 'hex'), rule, help, description, "helpUrl", tags
    from jsonb_to_recordset(${json(rows)}::jsonb) as r
      (key text, rule text, help text, description text, "helpUrl" text, tags text[])
    on conflict do nothing`.execute(db)
  const known = await sql<{ id: number; key: string }>`
    select id, encode(hash, 'hex') as key from rule
    where hash = any(${rows.map(({ key }) => Buffer.from(key, 'hex'))}::bytea[])`.execute(db)
  return new Map(known.rows.map(({ id, key }) => [key, id]))
}
const ruleKey = (rule: Pick<Finding, 'rule' | 'help' | 'description' | 'helpUrl' | 'tags'>): string =>
  hex(hashOf(rule.rule, rule.help, rule.description, rule.helpUrl, ...rule.tags))

/** The issues known on a page for some rules, each with the markup of its newest finding. Nobody else stores this page meanwhile. */
async function knownIssues(db: MonitorDb, page: StoredPage, rules: readonly string[]): Promise<KnownIssue[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${page.scanId}:${hex(page.keyHash)}`}, 0))`.execute(
    db,
  )
  const names = [...new Set(rules.flatMap((rule) => namesOfRule(currentRule(rule))))]
  const { rows } = await sql<KnownIssue>`
    select i.id, encode(i.identity_hash, 'hex') as identity, i.rule, i.element_key as "elementKey",
      coalesce(e.html, '') as html, i.status = ${stored.status.ignored} as ignored, i.presence <> ${stored.presence.fixed} as present
    from issue i
    left join run r on r.scan_id = i.scan_id and r.number = i.last_run
    left join finding f on f.run_id = r.id and f.issue_id = i.id
    left join evidence e on e.hash = f.evidence
    where i.scan_id = ${page.scanId} and i.page_key = ${page.keyHash} and i.rule = any(${names}::text[])`.execute(
    db,
  )
  return rows
}

/** What the statements below work on: one row for each finding, ready for `jsonb_to_recordset`. */
async function prepare(
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  rules: Map<string, number>,
) {
  const seen = new Set<string>()
  // One element and rule is one issue; a second row of the same would be the engine's slip, not a second problem.
  const distinct = findings
    .map((finding) => ({ finding, identity: identityOf(page, finding) }))
    .filter(({ identity }) => !seen.has(identity) && seen.add(identity))
  const known = await knownIssues(db, page, [...new Set(distinct.map(({ finding }) => finding.rule))])
  const matches = matchIssues(
    known,
    distinct.map(({ finding: { rule, elementKey, ordinal, html }, identity }) => ({
      identity,
      rule,
      elementKey,
      ordinal,
      html,
    })),
  )
  return distinct.map(({ finding, identity }, place) => {
    const { target, html, fix, picture } = finding
    const match = matches[place] ?? null
    return {
      identity,
      issue_id: match?.id ?? newId(),
      known: match !== null,
      matched_by: match?.by ?? 'key',
      sure: match?.sure ?? true,
      group_id: newId(),
      pattern: hex(hashOf('v1', finding.rule, finding.elementPattern)),
      rule: finding.rule,
      rule_id: rules.get(ruleKey(finding))!,
      element_key: finding.elementKey.slice(0, 2000),
      component: finding.component ?? null,
      severity: severityNumber(finding.severity),
      impact: finding.impact === null ? null : impacts.indexOf(finding.impact),
      evidence: hex(hashOf(page.scanId, json(target), html, json(fix))),
      selector: selectorOf(target),
      target,
      html,
      fix,
      picture: picture && hex(blobHash(page.scanId, picture.image)),
      box: picture && [picture.box.x, picture.box.y, picture.box.width, picture.box.height],
    }
  })
}

const shape =
  sql.raw(`(identity text, issue_id uuid, known boolean, matched_by text, sure boolean, group_id uuid, pattern text,
  rule text, rule_id int, element_key text, component text, severity int, impact int, evidence text, selector text,
  target jsonb, html text, fix jsonb, picture text, box real[])`)

/**
 * Stores the findings of a page and finds out which issues they are: known ones stay themselves, others are new, and
 * what was fixed is back. New ones come under the ignores that cover them. Their pictures are stored by the caller.
 * @param matched called when the findings are matched to issues, before anything is written of them
 * @returns open findings by severity, and all of them
 */
export async function storeFindings(
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  matched: () => Promise<void> = () => Promise.resolve(),
): Promise<{ open: number[]; total: number }> {
  const rules = await ruleIds(db, findings)
  const rows = json(await prepare(db, page, findings, rules))
  await matched()
  const input = sql`jsonb_to_recordset(${rows}::jsonb) as r ${shape}`
  await sql`insert into evidence (hash, scan_id, selector, target, html, fix)
    select distinct on (evidence) decode(evidence, 'hex'), ${page.scanId}::uuid, selector, target, html, fix
    from ${input} order by evidence on conflict do nothing`.execute(db)
  await sql`insert into issue_group (id, scan_id, pattern_hash, rule)
    select distinct on (pattern) group_id, ${page.scanId}::uuid, decode(pattern, 'hex'), rule
    from ${input} order by pattern on conflict do nothing`.execute(db)
  const stored = await storeIssues(db, page, input)
  const open = severities.map(
    (_name, index) =>
      stored.filter((row) => row.severity === index && row.status === statusNumber('open')).length,
  )
  return { open, total: stored.length }
}

/** A finding opens an issue that was fixed, and one that was ignored when it may be another element. */
const reopened = sql`(i.status = ${stored.status.fixed} or (i.status = ${stored.status.ignored} and not input.sure))`

/** Writes issues and findings of a page in one statement. */
async function storeIssues(db: MonitorDb, page: StoredPage, input: RawBuilder<unknown>) {
  // `old` is read before anything is written: it shows whether the issue was fixed until now.
  const { rows } = await sql<{ severity: number; status: number }>`
    with input as (select r.*, g.id as real_group from ${input}
      join issue_group g on g.scan_id = ${page.scanId} and g.pattern_hash = decode(r.pattern, 'hex')),
    old as (select i.id, i.status from issue i join input on i.id = input.issue_id and input.known),
    covered as (
      select distinct on (input.issue_id) input.issue_id, n.id as ignore_id from input
      join issue_ignore n on n.scan_id = ${page.scanId} and n.rule = input.rule and (n.scope = 'rule'
        or (n.scope = 'rule-on-page' and n.page_key = ${page.keyHash})
        or (n.scope = 'group' and n.group_id = input.real_group))
      where not input.known order by input.issue_id, n.id),
    made as (
      insert into issue (id, scan_id, identity_hash, group_id, page_key, rule, element_key, component, matched_by,
        first_run, last_run, first_seen_at, last_seen_at, status, ignore_id, severity)
      select input.issue_id, ${page.scanId}::uuid, decode(identity, 'hex'), real_group, ${page.keyHash}, rule, element_key,
        component, case when covered.ignore_id is null then 'key' else 'group' end, ${page.runNumber}::int,
        ${page.runNumber}::int, now(), now(), case when covered.ignore_id is null then ${stored.status.open} else ${stored.status.ignored} end, covered.ignore_id, input.severity
      from input left join covered on covered.issue_id = input.issue_id where not known
      returning id, status, marked),
    kept as (
      update issue i set identity_hash = decode(input.identity, 'hex'), element_key = input.element_key,
        group_id = input.real_group, rule = input.rule, component = input.component, matched_by = input.matched_by,
        last_run = greatest(i.last_run, ${page.runNumber}::int), last_seen_at = now(), presence = ${stored.presence.there},
        severity = case when i.marked and input.severity = ${stored.severity.review} then coalesce(input.impact, ${stored.severity.moderate}) else input.severity end,
        status = case when ${reopened} then ${stored.status.open} else i.status end,
        ignore_id = case when input.sure then i.ignore_id end,
        fixed_in_run = case when i.status = ${stored.status.fixed} then null else i.fixed_in_run end,
        version = i.version + ${reopened}::int
      from input where input.known and i.id = input.issue_id
      returning i.id, i.status, i.marked),
    issues as (select * from made union all select * from kept)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${page.runId}::uuid, issues.id, ${page.id}::uuid, input.real_group, input.rule_id,
      case when issues.marked and input.severity = ${stored.severity.review} then coalesce(input.impact, ${stored.severity.moderate}) else input.severity end,
      input.impact, issues.status, case when old.id is null then ${stored.change.new}
        when old.status = ${stored.status.fixed} then ${stored.change.back} else ${stored.change.still} end,
      decode(input.evidence, 'hex'), decode(input.picture, 'hex'), input.box
    from input join issues on issues.id = input.issue_id left join old on old.id = issues.id
    returning severity, status`.execute(db)
  return rows
}

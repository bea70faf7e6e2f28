import { selectorOf } from '@clearway/contract/monitor/issue/model.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { type StoredPage, impacts, severities, severityNumber, statusNumber } from '../model.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { hashOf } from '../../../kit/hash.ts'
import { newId } from '../../../kit/id.ts'
import { blobHash } from '../../page/model.ts'
import { currentRule, identityOf, type KnownIssue, matchIssues, namesOfRule } from '../match/model.ts'
import { stored } from '../table.ts'

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

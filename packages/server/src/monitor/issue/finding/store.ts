import { getCurrentRule, listRuleNames, matchIssues } from '@clearway/contract/monitor/issue/match/model.ts'
import { computeDriveLevel } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { KnownIssue } from '@clearway/contract/monitor/issue/match-candidate/model.ts'
import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { type StoredPage, countOpen, impacts, getSeverityNumber } from '../model.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { computeHash } from '../../../kit/hash.ts'
import { createId } from '../../../kit/id.ts'
import { toStoredJson } from '../../../kit/stored.ts'
import { blobHash } from '../../page/model.ts'
import { computeIdentity, computePreviousIdentities } from '../identity/model.ts'
import { noIssues, removeFromRun, selectAbsent, writeSpans } from '../span/store.ts'
import { countedSeverity, driveLevels, isInForce, isPresent, storedLiterals } from '../table.ts'

const toHex = (buffer: Buffer) => buffer.toString('hex')
/** Ids of rules by their content; an id never changes. */
async function findOrCreateRuleIds(db: MonitorDb, findings: readonly Finding[]): Promise<Map<string, number>> {
  const rulesByKey = new Map<string, unknown>()
  for (const { rule, help, description, helpUrl, tags } of findings)
    rulesByKey.set(computeRuleKey({ rule, help, description, helpUrl, tags }), { rule, help, description, helpUrl, tags })
  const ruleRows = [...rulesByKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, rule]) => ({ key, ...(rule as object) }))
  await sql`
    insert into rule (hash, name, help, description, help_url, tags)
    select decode(key, 'hex'), rule, help, description, "helpUrl", tags
    from jsonb_to_recordset(${toStoredJson(ruleRows)}::jsonb) as r
      (key text, rule text, help text, description text, "helpUrl" text, tags text[])
    on conflict do nothing`.execute(db)
  const knownRules = await sql<{ id: number; key: string }>`
    select id, encode(hash, 'hex') as key from rule
    where hash = any(${ruleRows.map(({ key }) => Buffer.from(key, 'hex'))}::bytea[])`.execute(db)
  return new Map(knownRules.rows.map(({ id, key }) => [key, id]))
}
const computeRuleKey = (rule: Pick<Finding, 'rule' | 'help' | 'description' | 'helpUrl' | 'tags'>): string =>
  toHex(computeHash(rule.rule, rule.help, rule.description, rule.helpUrl, ...rule.tags))

const lockPage = (page: StoredPage) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${page.scanId}:${toHex(page.keyHash)}`}, 0))`

/** Known issues of a page for some rules, each with the HTML of its newest finding. Locks the page. */
async function findKnownIssues(db: MonitorDb, page: StoredPage, ruleNames: readonly string[]): Promise<KnownIssue[]> {
  await lockPage(page).execute(db)
  const allRuleNames = [...new Set(ruleNames.flatMap((rule) => listRuleNames(getCurrentRule(rule))))]
  const { rows: knownIssueRows } = await sql<KnownIssue>`
    select i.id, encode(i.identity_hash, 'hex') as identity, i.rule, i.element_key as "elementKey",
      coalesce(e.html, '') as html, i.status = ${storedLiterals.status.ignored} or i.marked is not null as ignored, i.presence <> ${storedLiterals.presence.fixed} as present
    from issue i
    left join lateral (select s.evidence from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id
      order by ${isPresent('s')} desc, s.until_run desc limit 1) f on true
    left join evidence e on e.hash = f.evidence
    where i.scan_id = ${page.scanId} and i.page_key = ${page.keyHash} and i.rule = any(${allRuleNames}::text[])`.execute(db)
  return knownIssueRows
}

/** Input of the statements below: one row for each finding, ready for `jsonb_to_recordset`. */
async function prepareRows(db: MonitorDb, page: StoredPage, findings: readonly Finding[], ruleIdsByKey: Map<string, number>) {
  const seenIdentities = new Set<string>()
  // An element and a rule make one issue; a second row of the same pair would be an engine bug, not a second problem.
  const distinctFindings = findings
    .map((finding) => ({ finding, identity: computeIdentity(page, finding) }))
    .filter(({ identity }) => !seenIdentities.has(identity) && seenIdentities.add(identity))
  const knownIssues = await findKnownIssues(db, page, [...new Set(distinctFindings.map(({ finding }) => finding.rule))])
  const previousIdentities = computePreviousIdentities(
    page,
    distinctFindings.map(({ finding }) => finding),
  )
  const issueMatches = matchIssues(
    knownIssues,
    distinctFindings.map(({ finding: { rule, elementKey, previousKey, ordinal, html }, identity }, index) => ({
      identity,
      rule,
      elementKey,
      ordinal,
      html,
      ...(previousKey !== undefined && { previous: { identity: previousIdentities[index]!, elementKey: previousKey } }),
    })),
  )
  return distinctFindings.map(({ finding, identity }, position) => {
    const { target, html, fix, picture } = finding
    const issueMatch = issueMatches[position] ?? null
    return {
      identity,
      issue_id: issueMatch?.id ?? createId(),
      known: issueMatch !== null,
      matched_by: issueMatch?.by ?? 'key',
      sure: issueMatch?.sure ?? true,
      group_id: createId(),
      pattern: toHex(computeHash('v1', finding.rule, finding.elementPattern)),
      rule: finding.rule,
      rule_id: ruleIdsByKey.get(computeRuleKey(finding))!,
      element_key: finding.elementKey.slice(0, 2000),
      component: finding.component ?? null,
      severity: getSeverityNumber(finding.severity),
      impact: finding.impact === null ? null : impacts.indexOf(finding.impact),
      evidence: toHex(computeHash(page.scanId, toStoredJson(target), html, toStoredJson(fix))),
      selector: formatSelector(target),
      target,
      html,
      fix,
      drive_level:
        finding.engine === 'driven' ? driveLevels.indexOf(computeDriveLevel(finding.rule, finding.states ?? [])) : null,
      states: finding.states ?? null,
      picture: picture && toHex(blobHash(page.scanId, picture.image)),
      box: picture && [picture.box.x, picture.box.y, picture.box.width, picture.box.height],
    }
  })
}

const recordColumns =
  sql.raw(`(identity text, issue_id uuid, known boolean, matched_by text, sure boolean, group_id uuid, pattern text,
  rule text, rule_id int, element_key text, component text, severity int, impact int, evidence text, selector text,
  target jsonb, html text, fix jsonb, picture text, box real[], drive_level int, states text[])`)

/**
 * Stores the findings of a page and matches them to issues: known issues keep their identity, others are new, and fixed
 * ones are back. Ignores apply to new issues that they cover. The caller stores the pictures.
 * @param options.onMatched called after matching, before any finding is written
 * @param options.isWhole the findings are all of the page; otherwise others that the run has of it stay
 * @returns open findings by severity, and the total
 */
export async function storeFindings(
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  { onMatched, isWhole }: { onMatched?: () => Promise<void>; isWhole: boolean } = { isWhole: true },
): Promise<{ open: number[]; total: number }> {
  if (findings.length === 0) {
    await lockPage(page).execute(db)
    await onMatched?.()
    if (isWhole) await removeFromRun(db, { scanId: page.scanId, number: page.runNumber }, selectAbsent(page, noIssues))
    return countOpen([])
  }
  const ruleIdsByKey = await findOrCreateRuleIds(db, findings)
  const rowsJson = toStoredJson(await prepareRows(db, page, findings, ruleIdsByKey))
  await onMatched?.()
  const inputRecords = sql`jsonb_to_recordset(${rowsJson}::jsonb) as r ${recordColumns}`
  await sql`insert into evidence (hash, scan_id, selector, target, html, fix)
    select distinct on (evidence) decode(evidence, 'hex'), ${page.scanId}::uuid, selector, target, html, fix
    from ${inputRecords} order by evidence on conflict do nothing`.execute(db)
  await sql`insert into issue_group (id, scan_id, pattern_hash, rule)
    select distinct on (pattern) group_id, ${page.scanId}::uuid, decode(pattern, 'hex'), rule
    from ${inputRecords} order by pattern on conflict do nothing`.execute(db)
  return countOpen(await writeIssues(db, page, inputRecords, isWhole))
}

/** An ignore of more than the issue covers it, whichever element it is. */
const isCovered = sql`exists (select from issue_ignore n where n.id = i.ignore_id and ${isInForce('n')}
  and (n.scope in ('rule', 'rule-on-page') or (n.scope = 'group' and n.group_id = input.real_group)))`
/** The engine is certain now about a result that a person answered. */
const isDecidedNow = sql`(i.review is not null and input.severity < ${storedLiterals.severity.review})`
/** A finding reopens a fixed issue, and an ignored or dismissed one when it may be another element; it still names its ignore. */
const isReopened = sql`(i.status = ${storedLiterals.status.fixed}
  or (i.status = ${storedLiterals.status.none} and ${isDecidedNow}) or (not input.sure and ((i.status = ${storedLiterals.status.ignored} and not ${isCovered}) or i.marked is false)))`
/** A verdict on another element is none on this one. */
const keptVerdict = sql`(i.marked and input.sure)`

/** Columns of a known issue `i` after its finding `input`. Issues that stay as they are, are not written. */
const keptColumns = new Map<string, RawBuilder<unknown>>(
  Object.entries({
    identity_hash: sql`decode(input.identity, 'hex')`,
    element_key: sql`input.element_key`,
    group_id: sql`input.real_group`,
    rule: sql`input.rule`,
    component: sql`input.component`,
    matched_by: sql`input.matched_by`,
    presence: sql`${storedLiterals.presence.there}::smallint`,
    severity: countedSeverity(keptVerdict, 'input'),
    status: sql`(case when ${isReopened} then ${storedLiterals.status.open} else i.status end)::smallint`,
    marked: sql`case when input.sure and not ${isDecidedNow} then i.marked end`,
    review: sql`case when input.sure and not ${isDecidedNow} then i.review end`,
    fixed_in_run: sql`case when i.status = ${storedLiterals.status.fixed} then null else i.fixed_in_run end`,
  }),
)
const keptNames = [...keptColumns.keys()]
const selectKeptColumns = sql.join([...keptColumns].map(([name, value]) => sql`${value} as ${sql.ref(`kept_${name}`)}`))
const setKeptColumns = sql.join(keptNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(`next.kept_${name}`)}`))
/** Kept columns that users see. */
const visibleNames = ['component', 'presence', 'severity', 'status', 'marked', 'review']
const joinNames = (prefix: string, names = keptNames) => sql.join(names.map((name) => sql.ref(`${prefix}${name}`)))

/**
 * Writes the issues and findings of a page in one statement.
 * @param isWhole the findings are all of the page: issues of earlier runs that are not among them are not in this run
 */
async function writeIssues(db: MonitorDb, page: StoredPage, inputRecords: RawBuilder<unknown>, isWhole: boolean) {
  const { rows: findingRows } = await sql<{ severity: number; status: number }>`
    with input as materialized (select r.*, g.id as real_group from ${inputRecords}
      join issue_group g on g.scan_id = ${page.scanId} and g.pattern_hash = decode(r.pattern, 'hex')),
    covered as (
      select distinct on (input.issue_id) input.issue_id, n.id as ignore_id from input
      join issue_ignore n on n.scan_id = ${page.scanId} and n.rule = input.rule and ${isInForce('n')} and (n.scope = 'rule'
        or (n.scope = 'rule-on-page' and n.page_key = ${page.keyHash})
        or (n.scope = 'group' and n.group_id = input.real_group))
      where not input.known order by input.issue_id, n.id),
    made as (
      insert into issue (id, scan_id, identity_hash, group_id, page_key, rule, element_key, component, matched_by,
        first_run, last_run, first_seen_at, last_seen_at, status, ignore_id, severity)
      select input.issue_id, ${page.scanId}::uuid, decode(identity, 'hex'), real_group, ${page.keyHash}, rule, element_key,
        component, case when covered.ignore_id is null then 'key' else 'group' end, ${page.runNumber}::int,
        ${page.runNumber}::int, now(), now(), case when covered.ignore_id is null then ${storedLiterals.status.open} else ${storedLiterals.status.ignored} end, covered.ignore_id, input.severity
      from input left join covered on covered.issue_id = input.issue_id where not known
      returning id, status),
    -- Read before any write, so it shows whether the issue was fixed until now.
    next as materialized (
      select i.id, i.status as old_status, ${isReopened} as is_reopened, ${selectKeptColumns}
      from input join issue i on i.id = input.issue_id where input.known),
    kept as (
      update issue i set ${setKeptColumns}, last_run = greatest(i.last_run, ${page.runNumber}::int), last_seen_at = now(),
        version = i.version + next.is_reopened::int,
        updated_at = case when (${joinNames('i.', visibleNames)}) is distinct from (${joinNames('next.kept_', visibleNames)})
          then clock_timestamp() else i.updated_at end
      from next where i.id = next.id and (${joinNames('i.')}) is distinct from (${joinNames('next.kept_')})),
    issues as (
      select id, status, null::boolean as marked, ${storedLiterals.change.new} as change from made
      union all select id, kept_status, kept_marked, case when old_status = ${storedLiterals.status.fixed} then ${storedLiterals.change.back} else ${storedLiterals.change.still} end from next),
    found as materialized (
      select issues.id as issue_id, ${page.scanId}::uuid as scan_id, ${page.runNumber}::int as number, issues.change,
        ${page.keyHash}::bytea as page_key, null::uuid as last_page_id, input.real_group as group_id, input.rule_id,
        ${countedSeverity(sql`issues.marked`, 'input')} as severity,
        input.impact::smallint as impact, issues.status::smallint as status, decode(input.evidence, 'hex') as evidence,
        decode(input.picture, 'hex') as picture, input.box as picture_box, input.drive_level::smallint as drive_level, input.states
      from input join issues on issues.id = input.issue_id),
    ${writeSpans(sql`found`, isWhole ? selectAbsent(page, sql`found`) : noIssues)}
    select severity, status from found`.execute(db)
  return findingRows
}

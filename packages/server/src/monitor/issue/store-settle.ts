import type { Finding } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { hashOf } from '../../kit/hash.ts'
import { newId } from '../../kit/id.ts'
import type { MonitorDb } from '../database.ts'
import { impacts, selectorOf, severities, severityNumber, type StoredPage } from './model.ts'

const hex = (buffer: Buffer) => buffer.toString('hex')
/** PostgreSQL takes no NUL in a text. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0000', '\\ufffd')

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

/** What the statements below work on: one row for each finding, ready for `jsonb_to_recordset`. */
function prepare(page: StoredPage, findings: readonly Finding[], rules: Map<string, number>) {
  const seen = new Set<string>()
  return findings.flatMap((finding, index) => {
    // One element and rule is one issue; a second row of the same would be the engine's slip, not a second problem.
    const identity = hex(hashOf('v1', page.keyHash, '', finding.rule, finding.elementKey, finding.ordinal))
    if (seen.has(identity)) return []
    seen.add(identity)
    const { target, html, fix, picture } = finding
    return [
      {
        place: index,
        identity,
        issue_id: newId(),
        group_id: newId(),
        pattern: hex(hashOf('v1', finding.rule, finding.elementPattern)),
        rule: finding.rule,
        rule_id: rules.get(ruleKey(finding))!,
        severity: severityNumber(finding.severity),
        impact: finding.impact === null ? null : impacts.indexOf(finding.impact),
        evidence: hex(hashOf(page.scanId, json(target), html, json(fix))),
        selector: selectorOf(target),
        target,
        html,
        fix,
        picture: picture && hex(hashOf(page.scanId, picture.image)),
        box: picture && [picture.box.x, picture.box.y, picture.box.width, picture.box.height],
      },
    ]
  })
}

async function storePictures(db: MonitorDb, page: StoredPage, findings: readonly Finding[]): Promise<void> {
  const pictures = new Map<string, { hash: Buffer; mimeType: string; image: Uint8Array }>()
  for (const { picture } of findings) {
    if (!picture) continue
    const hash = hashOf(page.scanId, picture.image)
    pictures.set(hex(hash), { hash, mimeType: picture.mimeType, image: picture.image })
  }
  // In the order of their keys, as everywhere: two transactions must not wait for each other.
  for (const [, { hash, mimeType, image }] of [...pictures].sort(([a], [b]) => (a < b ? -1 : 1)))
    await db
      .insertInto('blob')
      .values({ hash, scan_id: page.scanId, media_type: mimeType, encoding: null, bytes: Buffer.from(image) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const shape =
  sql.raw(`(place int, identity text, issue_id uuid, group_id uuid, pattern text, rule text, rule_id int,
  severity int, impact int, evidence text, selector text, target jsonb, html text, fix jsonb, picture text, box real[])`)

/**
 * Stores the findings of a page and finds out which issues they are: known ones stay themselves, others are new, and
 * what was fixed is back.
 * @returns open findings by severity, and all of them
 */
export async function storeFindings(
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
): Promise<{ open: number[]; total: number }> {
  const rules = await ruleIds(db, findings)
  await storePictures(db, page, findings)
  const rows = json(prepare(page, findings, rules))
  const input = sql`jsonb_to_recordset(${rows}::jsonb) as r ${shape}`
  await sql`insert into evidence (hash, scan_id, selector, target, html, fix)
    select distinct on (evidence) decode(evidence, 'hex'), ${page.scanId}::uuid, selector, target, html, fix
    from ${input} order by evidence on conflict do nothing`.execute(db)
  await sql`insert into issue_group (id, scan_id, pattern_hash, rule)
    select distinct on (pattern) group_id, ${page.scanId}::uuid, decode(pattern, 'hex'), rule
    from ${input} order by pattern on conflict do nothing`.execute(db)
  // `old` is read before the upsert writes: it tells whether the issue was fixed until now.
  const { rows: stored } = await sql<{ severity: number; status: number }>`
    with input as (select r.*, g.id as real_group from ${input}
      join issue_group g on g.scan_id = ${page.scanId} and g.pattern_hash = decode(r.pattern, 'hex')),
    old as (select i.identity_hash, i.status, i.presence from issue i
      join input on i.scan_id = ${page.scanId} and i.identity_hash = decode(input.identity, 'hex')),
    known as (
      insert into issue as i (id, scan_id, identity_hash, group_id, page_key, rule, first_run, last_run,
        first_seen_at, last_seen_at)
      select issue_id, ${page.scanId}::uuid, decode(identity, 'hex'), real_group, ${page.keyHash}, rule,
        ${page.runNumber}::int, ${page.runNumber}::int, now(), now()
      from input order by identity
      on conflict (scan_id, identity_hash) do update set
        last_run = excluded.last_run, last_seen_at = now(), group_id = excluded.group_id, presence = 0,
        status = case when i.status = 2 then 1 else i.status end,
        fixed_in_run = case when i.status = 2 then null else i.fixed_in_run end,
        version = i.version + case when i.status = 2 then 1 else 0 end
      returning id, identity_hash, status)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${page.runId}::uuid, known.id, ${page.id}::uuid, input.real_group, input.rule_id, input.severity, input.impact,
      known.status, case when old.identity_hash is null then 0 when old.status = 2 then 2 else 1 end,
      decode(input.evidence, 'hex'), decode(input.picture, 'hex'), input.box
    from input
    join known on known.identity_hash = decode(input.identity, 'hex')
    left join old on old.identity_hash = known.identity_hash
    returning severity, status`.execute(db)
  const open = severities.map(
    (_name, index) => stored.filter((row) => row.severity === index && row.status <= 1).length,
  )
  return { open, total: stored.length }
}

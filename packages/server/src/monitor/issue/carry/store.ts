import type { Finding } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { identityOf } from '../match/model.ts'
import { impacts, severities, type StoredPage, statusNumber } from '../model.ts'
import { isPresent, stored } from '../table.ts'

/** A page as a run before has stored it. */
export type PageBefore = { id: string; run_id: string }

/**
 * Gives a page what was found on it by a run before, as if it had been found again: an issue that was fixed since is back.
 * @returns open findings by severity, and all of them
 */
export async function carryFindings(
  db: MonitorDb,
  page: StoredPage,
  before: PageBefore,
): Promise<{ open: number[]; total: number }> {
  const fixed = sql`i.status = ${stored.status.fixed}`
  const { rows } = await sql<{ severity: number; status: number }>`
    with source as (
      select f.*, ${fixed} as was_fixed, i.marked from finding f join issue i on i.id = f.issue_id
      where f.run_id = ${before.run_id} and f.page_id = ${before.id} and ${isPresent('f')}),
    kept as (
      update issue i set last_run = greatest(i.last_run, ${page.runNumber}::int), last_seen_at = now(),
        presence = ${stored.presence.there}, status = case when ${fixed} then ${stored.status.open} else i.status end,
        fixed_in_run = case when ${fixed} then null else i.fixed_in_run end, version = i.version + (${fixed})::int
      from source where i.id = source.issue_id returning i.id, i.status)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${page.runId}::uuid, kept.id, ${page.id}::uuid, source.group_id, source.rule_id,
      case when marked and source.severity = ${stored.severity.review} then coalesce(source.impact, ${stored.severity.moderate}) else source.severity end,
      source.impact, kept.status, case when was_fixed then ${stored.change.back} else ${stored.change.still} end,
      source.evidence, source.picture, source.picture_box
    from source join kept on kept.id = source.issue_id
    returning severity, status`.execute(db)
  const open = severities.map(
    (_name, index) =>
      rows.filter(({ severity, status }) => severity === index && status === statusNumber('open')).length,
  )
  return { open, total: rows.length }
}

/** Whether findings are those that a run before has stored of the page. Asked before they are stored themselves. */
export async function sameFindings(
  db: MonitorDb,
  page: StoredPage,
  before: PageBefore,
  findings: readonly Finding[],
): Promise<boolean> {
  const { rows } = await sql<{ identity: string; impact: number | null }>`
    select encode(i.identity_hash, 'hex') as identity, f.impact from finding f join issue i on i.id = f.issue_id
    where f.run_id = ${before.run_id} and f.page_id = ${before.id} and ${isPresent('f')}`.execute(db)
  const named = (identity: string, impact: number | null) => `${identity} ${impact}`
  const then = new Set(rows.map(({ identity, impact }) => named(identity, impact)))
  const now = new Set(
    findings.map((finding) =>
      named(identityOf(page, finding), finding.impact === null ? null : impacts.indexOf(finding.impact)),
    ),
  )
  return then.size === now.size && [...now].every((one) => then.has(one))
}

import { siteRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { computeIdentity } from '../identity/model.ts'
import { countOpen, impacts, type StoredPage } from '../model.ts'
import { isStored, selectAbsent, writeSpans } from '../span/store.ts'
import { countedSeverity, isPresent, setUpdatedNow, storedLiterals, storedPicture } from '../table.ts'

/** Condition for findings of rules that the end of each run tests again, by comparing its pages. The alias `i` is the issue. */
const isOfSite = sql`(i.rule = any(${[...siteRules]}::text[]))`

export type PreviousPage = { run_id: string; key_hash: Buffer }

/**
 * Copies a previous run's findings to an unchanged page, as if they were found again: an issue fixed since is back.
 * @returns open findings by severity, and the total
 */
export async function carryFindings(
  db: MonitorDb,
  page: StoredPage,
  previousPage: PreviousPage,
): Promise<{ open: number[]; total: number }> {
  const isFixedCondition = sql`i.status = ${storedLiterals.status.fixed}`
  const foundParts = sql`
    source as materialized (
      select f.*, ${storedPicture('run')} as stored_picture, ${isFixedCondition} as was_fixed, i.marked,
        ${isFixedCondition} or i.presence <> ${storedLiterals.presence.there} as is_changed,
        case when ${isFixedCondition} then ${storedLiterals.status.open} else i.status end::smallint as kept_status
      from finding f join issue i on i.id = f.issue_id join run on run.id = f.run_id
      where f.run_id = ${previousPage.run_id} and f.page_key = ${previousPage.key_hash} and ${isPresent('f')} and not ${isOfSite}),
    found as materialized (
      select issue_id, ${page.scanId}::uuid as scan_id, ${page.runNumber}::int as number,
        case when was_fixed then ${storedLiterals.change.back} else ${storedLiterals.change.still} end as change,
        ${page.keyHash}::bytea as page_key, null::uuid as last_page_id, group_id, rule_id,
        ${countedSeverity(sql`marked`, 'source')} as severity,
        impact, kept_status as status, evidence, stored_picture as picture, picture_box, drive_level, states, is_changed
      from source)`
  // Mostly, nothing has to be written. Planning the statement that writes takes most of the time of an unchanged page.
  const { rows: storedRows } = await sql<{ severity: number; status: number; isStored: boolean }>`
    with ${foundParts}
    select severity, status, not is_changed and ${isStored('found')} as "isStored" from found
    union all select 0, 0, false where exists (select from ${selectAbsent(page, sql`found`)} absent)`.execute(db)
  if (storedRows.every((row) => row.isStored)) return countOpen(storedRows)
  const { rows: findingRows } = await sql<{ severity: number; status: number }>`
    with ${foundParts},
    kept as (
      update issue i set last_run = greatest(i.last_run, ${page.runNumber}::int), last_seen_at = now(),
        presence = ${storedLiterals.presence.there}, status = source.kept_status,
        fixed_in_run = case when was_fixed then null else i.fixed_in_run end, version = i.version + was_fixed::int,
        ${setUpdatedNow}
      from source where i.id = source.issue_id and source.is_changed),
    ${writeSpans(sql`found`, selectAbsent(page, sql`found`))}
    select severity, status from found`.execute(db)
  return countOpen(findingRows)
}

/** Checks that findings equal the stored ones, before new ones are stored. Driven ones depend on other pages: not compared. */
export async function hasSameFindings(
  db: MonitorDb,
  page: StoredPage,
  previousPage: PreviousPage,
  findings: readonly Finding[],
): Promise<boolean> {
  const { rows: previousRows } = await sql<{ identity: string; impact: number | null }>`
    select encode(i.identity_hash, 'hex') as identity, f.impact from finding f join issue i on i.id = f.issue_id
    where f.run_id = ${previousPage.run_id} and f.page_key = ${previousPage.key_hash} and ${isPresent('f')} and f.drive_level is null`.execute(
    db,
  )
  const toFindingKey = (identity: string, impact: number | null) => `${identity} ${impact}`
  const previousKeys = new Set(previousRows.map(({ identity, impact }) => toFindingKey(identity, impact)))
  const currentKeys = new Set(
    findings.flatMap((finding) =>
      finding.engine === 'driven'
        ? []
        : toFindingKey(computeIdentity(page, finding), finding.impact === null ? null : impacts.indexOf(finding.impact)),
    ),
  )
  return previousKeys.size === currentKeys.size && [...currentKeys].every((one) => previousKeys.has(one))
}

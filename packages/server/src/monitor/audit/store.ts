import type { AuditEntry, AuditFilter } from '@clearway/contract/monitor/audit/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { streamRows } from '../../kit/large-read.ts'
import { joinConditions, buildLimitClause } from '../../kit/paging.ts'
import { buildPersonName } from '../access/table.ts'
import type { MonitorDb } from '../database.ts'

type DatabaseDeps = { db: MonitorDb }
type AuditEntryFilter = z.output<typeof AuditFilter>

type AuditedFields = Readonly<Record<string, unknown>>
export type NewAuditEntry = Pick<AuditEntry, 'action' | 'noun' | 'subject' | 'actor' | 'address' | 'requestId'> & {
  scanId?: string
  before?: AuditedFields | null
  after?: AuditedFields | null
}

/** Records an event that no table of ours contains. */
export async function insertEntry(db: MonitorDb, entry: NewAuditEntry): Promise<void> {
  const { requestId, scanId, before: fieldsBefore, after: fieldsAfter, ...otherValues } = entry
  const toNullableJson = (fields: AuditedFields | null | undefined) => (fields ? JSON.stringify(fields) : null)
  await db
    .insertInto('audit')
    .values({
      ...otherValues,
      request_id: requestId,
      scan_id: scanId ?? null,
      before: toNullableJson(fieldsBefore),
      after: toNullableJson(fieldsAfter),
    })
    .execute()
}

const buildEntryFilter = (filter: AuditEntryFilter): RawBuilder<boolean> =>
  joinConditions([
    sql`a.number is not null`,
    filter.noun !== undefined && sql`a.noun = ${filter.noun}`,
    filter.action !== undefined && sql`a.action = ${filter.action}`,
    filter.actor !== undefined &&
      sql`(a.actor = ${filter.actor} or exists (select from person p where p.id = a.actor and lower(p.username) = lower(${filter.actor})))`,
    filter.scanId !== undefined && sql`a.scan_id = ${filter.scanId}`,
    filter.from !== undefined && sql`a.at >= ${filter.from}::timestamptz`,
    filter.until !== undefined && sql`a.at < ${filter.until}::timestamptz`,
  ])

export type AuditRow = Omit<AuditEntry, 'at' | 'hash'> & { at: Date; hash: Buffer }
const entryColumns = sql`a.number, a.at, a.actor, ${buildPersonName('p')} as "actorName", a.address, a.request_id as "requestId",
  a.key_id as "keyId", a.key_name as "keyName",  a.action, a.noun, a.subject, a.scan_id as "scanId", a.before, a.after, a.hash`
const entriesFromClause = (filter: AuditEntryFilter) =>
  sql`from audit a left join person p on p.id = a.actor where ${buildEntryFilter(filter)}`

/** The log itself has no names of rules, and one entry for all decisions of a request. They may be gone. */
const decidedRules = sql`array(select distinct n.rule from issue_ignore subject join issue_ignore n on n.scan_id = subject.scan_id
  and n.created_at = subject.created_at and n.scope = subject.scope
  where subject.id = a.subject::uuid and n.rule <> '' order by 1 limit 3)`

export async function listEntries(
  { db }: DatabaseDeps,
  query: AuditEntryFilter & { page: number; size: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const { rows: auditRows } = await sql<AuditRow>`
    select ${entryColumns}, case when a.noun = 'ignore' then ${decidedRules} else '{}' end as rules
    ${entriesFromClause(query)} order by a.number desc ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*)::int as total ${entriesFromClause(query)}`.execute(db)
  return { rows: auditRows, total: countResult.rows[0]!.total }
}

/** All matching entries, oldest first. */
export const streamEntries = ({ db }: DatabaseDeps, filter: AuditEntryFilter): AsyncIterable<readonly AuditRow[]> =>
  streamRows(db, sql<AuditRow>`select ${entryColumns} ${entriesFromClause(filter)} order by a.number`)

export type ChainLink = { number: number; text: string; previous: Buffer; hash: Buffer }

/** The chain, oldest first; each entry with the text that was hashed. */
export const streamChain = ({ db }: DatabaseDeps): AsyncIterable<readonly ChainLink[]> =>
  streamRows(
    db,
    sql<ChainLink>`select number, audit_text(audit) as text, previous, hash from audit
      where number is not null order by number`,
  )

export const readChainEnd = ({ db }: DatabaseDeps): Promise<{ number: number; hash: Buffer; seal: Buffer | null }> =>
  db.selectFrom('audit_chain').select(['number', 'hash', 'seal']).executeTakeFirstOrThrow()

/**
 * The hash of an entry; null without it. The entry after a deleted one still names its hash, unless that is deleted, too.
 */
export async function findLinkHash({ db }: DatabaseDeps, number: number): Promise<Buffer | null> {
  const { rows: linkRows } = await sql<{ hash: Buffer | null }>`
    select coalesce((select hash from audit where number = ${number}),
      (select previous from audit where number = ${number + 1})) as hash`.execute(db)
  return linkRows[0]?.hash ?? null
}

/** Replaces the seal, unless another process has done so since `before` was read. */
export async function replaceSeal(
  { db }: DatabaseDeps,
  { before: previousSeal, after: newSeal }: { before: Buffer | null; after: Buffer | null },
): Promise<void> {
  await sql`update audit_chain set seal = ${newSeal} where seal is not distinct from ${previousSeal}`.execute(db)
}

/** Deletes entries older than `days`, oldest first, so that the remaining ones still form a chain. */
export async function dropOldEntries({ db }: DatabaseDeps, days: number): Promise<void> {
  await sql`delete from audit where number < coalesce(
    (select min(number) from audit where at >= now() - make_interval(days => ${days}::int)),
    (select number + 1 from audit_chain))`.execute(db)
}

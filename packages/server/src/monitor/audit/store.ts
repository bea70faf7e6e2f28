import type { AuditEntry, AuditFilter } from '@clearway/contract/monitor/audit/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { streamRows } from '../../kit/large-read.ts'
import { allOf, limits } from '../../kit/paging.ts'
import { personName } from '../access/table.ts'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
type Filter = z.output<typeof AuditFilter>

type Fields = Readonly<Record<string, unknown>>
export type NewEntry = Pick<AuditEntry, 'action' | 'noun' | 'subject' | 'actor' | 'address' | 'requestId'> & {
  before?: Fields | null
  after?: Fields | null
}

/** Records what no table of ours shows. */
export async function insertEntry(db: MonitorDb, entry: NewEntry): Promise<void> {
  const { requestId, before, after, ...rest } = entry
  const json = (fields: Fields | null | undefined) => (fields ? JSON.stringify(fields) : null)
  await db
    .insertInto('audit')
    .values({ ...rest, request_id: requestId, before: json(before), after: json(after) })
    .execute()
}

const matching = (filter: Filter): RawBuilder<boolean> =>
  allOf([
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
const columns = sql`a.number, a.at, a.actor, ${personName('p')} as "actorName", a.address, a.request_id as "requestId",
  a.action, a.noun, a.subject, a.scan_id as "scanId", a.before, a.after, a.hash`
const entries = (filter: Filter) =>
  sql`from audit a left join person p on p.id = a.actor where ${matching(filter)}`

/** One page of the entries, newest first. */
export async function listEntries(
  { db }: Db,
  query: Filter & { page: number; size: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const { rows } = await sql<AuditRow>`
    select ${columns} ${entries(query)} order by a.number desc ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${entries(query)}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

/** All of them, oldest first. */
export const streamEntries = ({ db }: Db, filter: Filter): AsyncIterable<readonly AuditRow[]> =>
  streamRows(db, sql<AuditRow>`select ${columns} ${entries(filter)} order by a.number`)

export type Link = { number: number; text: string; previous: Buffer; hash: Buffer }

/** The chain, oldest first: each entry as it was hashed. */
export const streamChain = ({ db }: Db): AsyncIterable<readonly Link[]> =>
  streamRows(
    db,
    sql<Link>`select number, audit_text(audit) as text, previous, hash from audit
      where number is not null order by number`,
  )

export const chainEnd = ({ db }: Db): Promise<{ number: number; hash: Buffer }> =>
  db.selectFrom('audit_chain').select(['number', 'hash']).executeTakeFirstOrThrow()

/** Forgets entries that are older than so many days, from the oldest on: the rest is a chain still. */
export async function dropOldEntries({ db }: Db, days: number): Promise<void> {
  await sql`delete from audit where number < coalesce(
    (select min(number) from audit where at >= now() - make_interval(days => ${days}::int)),
    (select number + 1 from audit_chain))`.execute(db)
}

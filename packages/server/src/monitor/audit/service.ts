import { createHash } from 'node:crypto'
import type { AuditFilter, AuditQuery } from '@clearway/contract/monitor/audit/schema.ts'
import type * as z from 'zod/mini'
import { csvStream, mapRows } from '../../kit/csv/write.ts'
import type { BlobAnswer } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import {
  type AuditRow,
  chainEnd,
  dropOldEntries,
  insertEntry,
  listEntries,
  type NewEntry,
  streamChain,
  streamEntries,
} from './store.ts'

type Deps = { db: MonitorDb }
type Filter = z.output<typeof AuditFilter>

const shown = (row: AuditRow) => ({ ...row, at: row.at.toISOString(), hash: row.hash.toString('hex') })

export async function auditPage(deps: Deps, query: z.output<typeof AuditQuery>) {
  const { rows, total } = await listEntries(deps, query)
  return pageReply(rows.map(shown), total, query)
}

const file = (end: string, type: string, bytes: BlobAnswer['bytes']): BlobAnswer => ({
  bytes,
  type,
  headers: { 'content-disposition': `attachment; filename="audit.${end}"` },
})

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
const columns: readonly [string, (entry: ReturnType<typeof shown>) => string | number | null][] = [
  ['Number', ({ number }) => number],
  ['At', ({ at }) => at],
  ['Person', ({ actorName, actor }) => actorName ?? actor],
  ['Person id', ({ actor }) => actor],
  ['Address', ({ address }) => address],
  ['Action', ({ action }) => action],
  ['About', ({ noun }) => noun],
  ['Id', ({ subject }) => subject],
  ['Scan id', ({ scanId }) => scanId],
  ['Before', ({ before }) => json(before)],
  ['After', ({ after }) => json(after)],
  ['Request id', ({ requestId }) => requestId],
  ['Hash', ({ hash }) => hash],
]

export const auditCsv = (deps: Deps, filter: Filter): BlobAnswer =>
  file(
    'csv',
    'text/csv; charset=utf-8',
    csvStream(
      columns.map(([name]) => name),
      mapRows(streamEntries(deps, filter), (row) => {
        const entry = shown(row)
        return columns.map(([, cell]) => cell(entry))
      }),
    ),
  )

async function* lines(deps: Deps, filter: Filter): AsyncGenerator<string> {
  for await (const rows of streamEntries(deps, filter))
    yield rows.map((row) => `${JSON.stringify(shown(row))}\n`).join('')
}

export const auditLines = (deps: Deps, filter: Filter): BlobAnswer =>
  file('jsonl', 'application/jsonl; charset=utf-8', lines(deps, filter))

/** Records what another service reports: who signed in, who was refused. */
export const recordEntry = (deps: Deps, entry: NewEntry): Promise<void> => insertEntry(deps.db, entry)

export type Verified =
  | { kind: 'whole'; entries: number; first: number; last: number; hash: string }
  | { kind: 'broken'; number: number; why: string }

/** Follows the chain from its oldest entry: what was changed, removed or put between shows. */
export async function verifyAudit(deps: Deps): Promise<Verified> {
  let entries = 0
  let first = 0
  let last: { number: number; hash: Buffer } | null = null
  const broken = (number: number, why: string): Verified => ({ kind: 'broken', number, why })
  // First: what is written meanwhile is behind it.
  const end = await chainEnd(deps)
  for await (const portion of streamChain(deps))
    for (const link of portion) {
      if (link.number > end.number) continue
      if (last && link.number !== last.number + 1) return broken(last.number + 1, 'is missing')
      if (last && !link.previous.equals(last.hash))
        return broken(link.number, 'does not follow from the one before')
      const hash = createHash('sha256').update(link.previous).update(link.text).digest()
      if (!hash.equals(link.hash)) return broken(link.number, 'was changed')
      if (!last) first = link.number
      last = { number: link.number, hash: link.hash }
      entries++
    }
  if (end.number > 0 && entries > 0 && last && (last.number !== end.number || !last.hash.equals(end.hash)))
    return broken(last.number + 1, 'is missing at the end')
  return { kind: 'whole', entries, first, last: last?.number ?? end.number, hash: end.hash.toString('hex') }
}

export const forgetOldEntries = (deps: Deps, days: number): Promise<void> =>
  days === 0 ? Promise.resolve() : dropOldEntries(deps, days)

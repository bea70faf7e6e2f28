import { createHash } from 'node:crypto'
import type { AuditFilter, AuditQuery } from '@clearway/contract/monitor/audit/schema.ts'
import type * as z from 'zod/mini'
import { streamCsv, mapRows } from '../../kit/csv/write.ts'
import type { BlobReply } from '../../kit/http/answer.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import {
  type AuditRow,
  readChainEnd,
  dropOldEntries,
  insertEntry,
  listEntries,
  type NewAuditEntry,
  streamChain,
  streamEntries,
} from './store.ts'

type AuditDeps = { db: MonitorDb }
type AuditEntryFilter = z.output<typeof AuditFilter>

const toAuditReply = (row: AuditRow) => ({ ...row, at: row.at.toISOString(), hash: row.hash.toString('hex') })

export async function getAuditPage(deps: AuditDeps, query: z.output<typeof AuditQuery>) {
  const { rows: auditRows, total: totalEntries } = await listEntries(deps, query)
  return buildPageReply(auditRows.map(toAuditReply), totalEntries, query)
}

const createAttachment = (extension: string, type: string, bytes: BlobReply['bytes']): BlobReply => ({
  bytes,
  type,
  headers: { 'content-disposition': `attachment; filename="audit.${extension}"` },
})

const toNullableJson = (value: unknown) => (value === null ? null : JSON.stringify(value))
const exportColumns: readonly [string, (entry: ReturnType<typeof toAuditReply>) => string | number | null][] = [
  ['Number', ({ number }) => number],
  ['At', ({ at }) => at],
  ['Person', ({ actorName, actor }) => actorName ?? actor],
  ['Person id', ({ actor }) => actor],
  ['Address', ({ address }) => address],
  ['Action', ({ action }) => action],
  ['About', ({ noun }) => noun],
  ['Id', ({ subject }) => subject],
  ['Scan id', ({ scanId }) => scanId],
  ['Before', ({ before }) => toNullableJson(before)],
  ['After', ({ after }) => toNullableJson(after)],
  ['Request id', ({ requestId }) => requestId],
  ['Hash', ({ hash }) => hash],
  ['API key', ({ keyName }) => keyName],
  ['API key id', ({ keyId }) => keyId],
]

export const exportAuditCsv = (deps: AuditDeps, filter: AuditEntryFilter): BlobReply =>
  createAttachment(
    'csv',
    'text/csv; charset=utf-8',
    streamCsv(
      exportColumns.map(([name]) => name),
      mapRows(streamEntries(deps, filter), (row) => {
        const auditEntry = toAuditReply(row)
        return exportColumns.map(([, cell]) => cell(auditEntry))
      }),
    ),
  )

async function* streamAuditLines(deps: AuditDeps, filter: AuditEntryFilter): AsyncGenerator<string> {
  for await (const auditRows of streamEntries(deps, filter))
    yield auditRows.map((row) => `${JSON.stringify(toAuditReply(row))}\n`).join('')
}

export const exportAuditLines = (deps: AuditDeps, filter: AuditEntryFilter): BlobReply =>
  createAttachment('jsonl', 'application/jsonl; charset=utf-8', streamAuditLines(deps, filter))

/** Records an event of another service, such as a successful or refused sign-in. */
export const recordAuditEntry = (deps: AuditDeps, entry: NewAuditEntry): Promise<void> => insertEntry(deps.db, entry)

export type AuditVerification =
  | { kind: 'whole'; entries: number; first: number; last: number; hash: string }
  | { kind: 'broken'; number: number; why: string }

/** An entry whose hash is known from outside of the chain, in hex. */
type RequiredHead = { number: number; hash: string }

/** The fault of a link that differs from what is known of it; null for none. */
function findKnownFault(requiredHeads: readonly RequiredHead[], link: { number: number; hash: Buffer }): string | null {
  const differs = requiredHeads.some(({ number, hash }) => number === link.number && hash !== link.hash.toString('hex'))
  return differs ? 'was changed, or one before it: it is not what was sealed' : null
}

/**
 * Verifies the chain from its oldest entry: detects changed, removed and inserted entries.
 * @param requiredHeads entries that the log must contain
 */
export async function verifyAudit(deps: AuditDeps, requiredHeads: readonly RequiredHead[] = []): Promise<AuditVerification> {
  let entryCount = 0
  let firstNumber = 0
  let previousLink: { number: number; hash: Buffer } | null = null
  const createBrokenResult = (number: number, why: string): AuditVerification => ({ kind: 'broken', number, why })
  // Read before the stream, so that entries written during the check come after it.
  const finalLink = await readChainEnd(deps)
  for await (const linkChunk of streamChain(deps))
    for (const chainLink of linkChunk) {
      if (chainLink.number > finalLink.number) continue
      if (previousLink && chainLink.number !== previousLink.number + 1)
        return createBrokenResult(previousLink.number + 1, 'is missing')
      if (previousLink && !chainLink.previous.equals(previousLink.hash))
        return createBrokenResult(chainLink.number, 'does not follow from the previous entry')
      const expectedHash = createHash('sha256').update(chainLink.previous).update(chainLink.text).digest()
      if (!expectedHash.equals(chainLink.hash)) return createBrokenResult(chainLink.number, 'was changed')
      const knownFault = findKnownFault(requiredHeads, chainLink)
      if (knownFault !== null) return createBrokenResult(chainLink.number, knownFault)
      if (!previousLink) firstNumber = chainLink.number
      previousLink = { number: chainLink.number, hash: chainLink.hash }
      entryCount++
    }
  if (
    finalLink.number > 0 &&
    entryCount > 0 &&
    previousLink &&
    (previousLink.number !== finalLink.number || !previousLink.hash.equals(finalLink.hash))
  )
    return createBrokenResult(previousLink.number + 1, 'is missing at the end')
  // Also for a log whose entries were all deleted.
  const endFault = findKnownFault(requiredHeads, finalLink)
  if (endFault !== null) return createBrokenResult(finalLink.number, endFault)
  if (requiredHeads.some(({ number }) => number > finalLink.number))
    return createBrokenResult(finalLink.number + 1, 'is missing at the end')
  return {
    kind: 'whole',
    entries: entryCount,
    first: firstNumber,
    last: previousLink?.number ?? finalLink.number,
    hash: finalLink.hash.toString('hex'),
  }
}

export const deleteOldEntries = (deps: AuditDeps, days: number): Promise<void> =>
  days === 0 ? Promise.resolve() : dropOldEntries(deps, days)

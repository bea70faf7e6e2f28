import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { eachOf } from '../../../kit/object-store/store.ts'
import type { MonitorDb } from '../../database.ts'
import { blobHash } from '../../page/model.ts'
import { inRow, type Objects, type StoredBytes } from '../../page/object/model.ts'

/** A page's document, or of a script that failed the picture of that moment; null when nothing is kept. */
export const contentOf = (outcome: PageOutcome): string | Uint8Array | null =>
  outcome.kind === 'completed'
    ? outcome.content
    : outcome.kind === 'failed'
      ? (outcome.screenshot ?? null)
      : null

export const viewsOf = (outcome: PageOutcome): readonly Uint8Array[] =>
  outcome.kind === 'completed' ? (outcome.views ?? []) : []

/** What findings are shown on: the photographs of their page, pages of a PDF, or photographs of another page of the run. */
const typeOf = (image: Uint8Array): string => (image[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** Bytes that a page names, and where they are kept already; null when the database knew them. */
type PreparedBlob = {
  hash: Buffer
  content: string | Uint8Array
  kept: StoredBytes | null
}
const compress = promisify(zstdCompress)
const stored = async (content: string | Uint8Array): Promise<Uint8Array> =>
  typeof content === 'string' ? compress(Buffer.from(content)) : content

/** What a page names by hash is written four at a time. */
const keptAtOnce = 4

async function knownBlobs(db: MonitorDb, blobs: readonly PreparedBlob[]): Promise<Set<string>> {
  if (blobs.length === 0) return new Set()
  const hashes = blobs.map(({ hash }) => hash)
  const rows = await db.selectFrom('blob').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

/**
 * Brings the bytes that pages and their findings name by hash to where they are kept, those that are not there yet. Before
 * the transaction that names them: it must not wait for a store. What nobody comes to name is swept.
 */
export async function prepareBlobs(
  deps: { db: MonitorDb; scanId: string; objects?: Pick<Objects, 'keep'> | undefined },
  outcomes: readonly { outcome: PageOutcome; findings: readonly Finding[] }[],
): Promise<PreparedBlob[]> {
  const { scanId, objects } = deps
  const wanted = new Map<string, PreparedBlob>()
  for (const { outcome, findings } of outcomes)
    for (const content of [
      contentOf(outcome),
      ...viewsOf(outcome),
      ...findings.map(({ picture }) => picture?.image ?? null),
    ]) {
      if (content === null) continue
      const hash = blobHash(scanId, content)
      wanted.set(hash.toString('hex'), { hash, content, kept: null })
    }
  // In the order of their hashes: two transactions must not wait for each other.
  const all = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, blob]) => blob)
  const known = await knownBlobs(deps.db, all)
  const fresh = all.filter(({ hash }) => !known.has(hash.toString('hex')))
  await eachOf(fresh, keptAtOnce, async (blob) => {
    const bytes = await stored(blob.content)
    blob.kept = objects ? await objects.keep(scanId, blob.hash, bytes) : inRow(bytes)
  })
  return all
}

/** Records what was prepared, but for what is there already. What was swept meanwhile goes into the row. */
export async function storeBlobs(
  db: MonitorDb,
  scanId: string,
  blobs: readonly PreparedBlob[],
): Promise<void> {
  const known = await knownBlobs(db, blobs)
  for (const { hash, content, kept } of blobs) {
    if (known.has(hash.toString('hex'))) continue
    const kind =
      typeof content === 'string'
        ? { media_type: 'text/html', encoding: 'zstd' }
        : { media_type: typeOf(content), encoding: null }
    await db
      .insertInto('blob')
      .values({ hash, scan_id: scanId, ...kind, ...(kept ?? inRow(await stored(content))) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { forEachConcurrently } from '../../../kit/object-store/store.ts'
import type { MonitorDb } from '../../database.ts'
import { blobHash } from '../../page/model.ts'
import { toRowBytes, type Objects, type StoredBytes } from '../../page/object/model.ts'

/** A page's document, or a screenshot of the moment at which a script failed; null for none. */
export const getContent = (outcome: PageOutcome): string | Uint8Array | null =>
  outcome.kind === 'completed' ? outcome.content : outcome.kind === 'failed' ? (outcome.screenshot ?? null) : null

export const getViews = (outcome: PageOutcome): readonly Uint8Array[] =>
  outcome.kind === 'completed' ? (outcome.views ?? []) : []

/** Media type of an image: photographs of a page or pages of a PDF, on which findings are shown. */
const getMediaType = (image: Uint8Array): string => (image[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** Bytes that a page references by hash, and their stored form; null when the database already had them. */
type PreparedBlob = {
  hash: Buffer
  content: string | Uint8Array
  storedForm: StoredBytes | null
}
const compressZstd = promisify(zstdCompress)
const toStoredBytes = async (content: string | Uint8Array): Promise<Uint8Array> =>
  typeof content === 'string' ? compressZstd(Buffer.from(content)) : content

/** Maximum number of blobs to store concurrently. */
const maxConcurrentWrites = 4

async function findKnownBlobs(db: MonitorDb, blobs: readonly PreparedBlob[]): Promise<Set<string>> {
  if (blobs.length === 0) return new Set()
  const blobHashes = blobs.map(({ hash }) => hash)
  const blobRows = await db.selectFrom('blob').select('hash').where('hash', 'in', blobHashes).execute()
  return new Set(blobRows.map(({ hash }) => hash.toString('hex')))
}

/** Stores the bytes that pages and findings reference by hash. Runs before the transaction, which must not wait for a store. */
export async function prepareBlobs(
  deps: { db: MonitorDb; scanId: string; objects?: Pick<Objects, 'keep'> | undefined },
  outcomes: readonly { outcome: PageOutcome; findings: readonly Finding[] }[],
): Promise<PreparedBlob[]> {
  const { scanId, objects } = deps
  const blobsByHash = new Map<string, PreparedBlob>()
  for (const { outcome, findings } of outcomes)
    for (const content of [getContent(outcome), ...getViews(outcome), ...findings.map(({ picture }) => picture?.image ?? null)]) {
      if (content === null) continue
      const contentHash = blobHash(scanId, content)
      blobsByHash.set(contentHash.toString('hex'), { hash: contentHash, content, storedForm: null })
    }
  // Sorted by hash, so that two transactions never wait for each other.
  const sortedBlobs = [...blobsByHash].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, blob]) => blob)
  const knownHashes = await findKnownBlobs(deps.db, sortedBlobs)
  const newBlobs = sortedBlobs.filter(({ hash }) => !knownHashes.has(hash.toString('hex')))
  await forEachConcurrently(newBlobs, maxConcurrentWrites, async (blob) => {
    const storedBytes = await toStoredBytes(blob.content)
    blob.storedForm = objects ? await objects.keep(scanId, blob.hash, storedBytes) : toRowBytes(storedBytes)
  })
  return sortedBlobs
}

/** Records prepared blobs that are not yet known. Bytes that were swept since preparation go into the row. */
export async function storeBlobs(db: MonitorDb, scanId: string, blobs: readonly PreparedBlob[]): Promise<void> {
  const knownHashes = await findKnownBlobs(db, blobs)
  for (const { hash, content, storedForm } of blobs) {
    if (knownHashes.has(hash.toString('hex'))) continue
    const blobFormat =
      typeof content === 'string'
        ? { media_type: 'text/html', encoding: 'zstd' }
        : { media_type: getMediaType(content), encoding: null }
    await db
      .insertInto('blob')
      .values({ hash, scan_id: scanId, ...blobFormat, ...(storedForm ?? toRowBytes(await toStoredBytes(content))) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

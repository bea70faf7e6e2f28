import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { zstdCompressSync } from 'node:zlib'
import type { MonitorDb } from '../database.ts'
import { blobHash } from '../page/model.ts'

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

/**
 * Keeps the bytes that pages and their findings name by hash, those that are not there yet. In the order of their hashes:
 * two transactions must not wait for each other.
 */
export async function storeBlobs(
  db: MonitorDb,
  scanId: string,
  outcomes: readonly { outcome: PageOutcome; findings: readonly Finding[] }[],
): Promise<void> {
  const wanted = new Map<string, { hash: Buffer; content: string | Uint8Array }>()
  for (const { outcome, findings } of outcomes)
    for (const content of [
      contentOf(outcome),
      ...viewsOf(outcome),
      ...findings.map(({ picture }) => picture?.image ?? null),
    ]) {
      if (content === null) continue
      const hash = blobHash(scanId, content)
      wanted.set(hash.toString('hex'), { hash, content })
    }
  const all = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, blob]) => blob)
  if (all.length === 0) return
  const hashes = all.map(({ hash }) => hash)
  const there = await db.selectFrom('blob').select('hash').where('hash', 'in', hashes).execute()
  const known = new Set(there.map(({ hash }) => hash.toString('hex')))
  for (const { hash, content } of all) {
    if (known.has(hash.toString('hex'))) continue
    const kept =
      typeof content === 'string'
        ? { media_type: 'text/html', encoding: 'zstd', bytes: zstdCompressSync(Buffer.from(content)) }
        : { media_type: typeOf(content), encoding: null, bytes: Buffer.from(content) }
    await db
      .insertInto('blob')
      .values({ hash, scan_id: scanId, ...kept })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

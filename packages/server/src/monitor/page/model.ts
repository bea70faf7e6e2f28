import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { computeHash } from '../../kit/hash.ts'
import { defineStoredWords } from '../../kit/stored-word.ts'
import { severities } from '../issue/model.ts'

const hashesByContent = new WeakMap<Uint8Array, { scanId: string; hash: Buffer }>()

/** Hash by which bytes or a text of a scan are stored. Many findings share a picture, so each is hashed only once. */
export function blobHash(scanId: string, content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return computeHash(scanId, content)
  const cachedHash = hashesByContent.get(content)
  if (cachedHash?.scanId === scanId) return cachedHash.hash
  const contentHash = computeHash(scanId, content)
  hashesByContent.set(content, { scanId, hash: contentHash })
  return contentHash
}

/** Stored by index. The first three correspond to the severities of the same index. Never reorder. */
export const healths = defineStoredWords<Health>()(['critical', 'serious', 'moderate', 'good'])

/** The stored health of an analyzed page. @param openCounts its open issues by severity */
export const computeHealthNumber = (openCounts: readonly number[]): number =>
  healths.indexOf(computeHealth(severities.filter((_, index) => (openCounts[index] ?? 0) > 0)))

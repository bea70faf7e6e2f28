import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import { hashOf } from '../../kit/hash.ts'
import { severities } from '../issue/model.ts'

const known = new WeakMap<Uint8Array, { scanId: string; hash: Buffer }>()

/** The name under which bytes or a text of a scan are stored. Pictures are shared by many findings: each is hashed once. */
export function blobHash(scanId: string, content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return hashOf(scanId, content)
  const before = known.get(content)
  if (before?.scanId === scanId) return before.hash
  const hash = hashOf(scanId, content)
  known.set(content, { scanId, hash })
  return hash
}

/** As they are stored: by index. The first three are the severities of the same index. Never reorder. */
export const healths = ['critical', 'serious', 'moderate', 'good'] as const satisfies readonly Health[]

/** The stored health of an analysed page. @param open its open issues by severity */
export const healthNumber = (open: readonly number[]): number =>
  healths.indexOf(healthOf(severities.filter((_, index) => (open[index] ?? 0) > 0)))

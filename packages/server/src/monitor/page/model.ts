import { hashOf } from '../../kit/hash.ts'

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

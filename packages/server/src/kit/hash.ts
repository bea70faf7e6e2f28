import { createHash } from 'node:crypto'

/** The first 16 bytes of SHA-256 over parts that cannot run into each other: enough to distinguish texts for good. */
export function hashOf(...parts: readonly (string | Uint8Array | number)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = typeof part === 'object' ? part : Buffer.from(String(part))
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest().subarray(0, 16)
}

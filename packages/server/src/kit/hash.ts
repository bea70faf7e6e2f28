import { createHash } from 'node:crypto'

/** The first 16 bytes of SHA-256 over length-prefixed parts: enough to distinguish texts reliably. */
export function computeHash(...parts: readonly (string | Uint8Array | number)[]): Buffer {
  const sha256 = createHash('sha256')
  for (const part of parts) {
    const partBytes = typeof part === 'object' ? part : Buffer.from(String(part))
    sha256.update(`${partBytes.length}:`).update(partBytes)
  }
  return sha256.digest().subarray(0, 16)
}

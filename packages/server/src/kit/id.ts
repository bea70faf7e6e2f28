import { randomBytes } from 'node:crypto'

/** Creation time of an id, in ms. */
const getCreationTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Creates an id that sorts after another one, even if the clock has been set back since. */
export const createIdAfter = (previousId: string | null): string =>
  createId(Math.max(Date.now(), previousId === null ? 0 : getCreationTime(previousId) + 1))

/** Creates a UUIDv7: opaque, and sorted by creation time. PostgreSQL 15 cannot create them. @source RFC 9562, 5.7 */
export function createId(timestampMs = Date.now()): string {
  const idBytes = randomBytes(16)
  idBytes.writeUIntBE(timestampMs, 0, 6)
  idBytes[6] = 0x70 | (idBytes[6]! & 0x0f)
  idBytes[8] = 0x80 | (idBytes[8]! & 0x3f)
  const hexDigits = idBytes.toString('hex')
  return [
    hexDigits.slice(0, 8),
    hexDigits.slice(8, 12),
    hexDigits.slice(12, 16),
    hexDigits.slice(16, 20),
    hexDigits.slice(20),
  ].join('-')
}

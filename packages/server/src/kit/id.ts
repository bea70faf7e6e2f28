import { randomBytes } from 'node:crypto'

/** When an id was made, ms. */
const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** An id that comes after another one, also where the clock has been set back since. */
export const newIdAfter = (other: string | null): string =>
  newId(Math.max(Date.now(), other === null ? 0 : madeAt(other) + 1))

/**
 * A UUIDv7: opaque, and in the order of making. Made here because PostgreSQL 15 cannot.
 * @source RFC 9562, 5.7
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

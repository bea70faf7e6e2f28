import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000
const digits = 6
/** Steps that a clock may be off, each way. */
const drift = 1

/** Base32 as authenticator apps take it. @source RFC 4648, 6 */
export function base32(bytes: Uint8Array): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      text += alphabet[(value >>> (bits - 5)) & 31]
      bits -= 5
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

function bytesOf(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const sign of text) {
    value = (value << 5) | alphabet.indexOf(sign)
    bits += 5
    if (bits < 8) continue
    bytes.push((value >>> (bits - 8)) & 255)
    bits -= 8
    value &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** A secret for an authenticator app: 160 bits. */
export const newTotpSecret = (): string => base32(randomBytes(20))

/** What the QR code says. @param account whose it is; @param issuer the product */
export function totpUri(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** The code of one time step. @source RFC 6238, RFC 4226 */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const value = hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

/** The step whose code it is, among those around now; null for none. A step that was used is for the caller to refuse. */
export function totpStep(secret: string, code: string, now = Date.now()): number | null {
  const typed = Buffer.from(code)
  if (typed.length !== digits) return null
  const current = Math.floor(now / stepMs)
  let found: number | null = null
  for (let step = current - drift; step <= current + drift; step++)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), typed)) found = step
  return found
}

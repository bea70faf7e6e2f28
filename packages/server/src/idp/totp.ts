import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const timeStepMs = 30_000
const digitCount = 6
/** Tolerated clock drift in steps, in each direction. */
const maxDriftSteps = 1

/** Encodes base32 for authenticator apps. @source RFC 4648, 6 */
export function encodeBase32(bytes: Uint8Array): string {
  let bitCount = 0
  let bitBuffer = 0
  let encodedText = ''
  for (const byte of bytes) {
    bitBuffer = (bitBuffer << 8) | byte
    bitCount += 8
    while (bitCount >= 5) {
      encodedText += base32Alphabet[(bitBuffer >>> (bitCount - 5)) & 31]
      bitCount -= 5
    }
    bitBuffer &= (1 << bitCount) - 1
  }
  return bitCount > 0 ? encodedText + base32Alphabet[(bitBuffer << (5 - bitCount)) & 31] : encodedText
}

function decodeBase32(encodedText: string): Buffer {
  const decodedBytes: number[] = []
  let bitCount = 0
  let bitBuffer = 0
  for (const character of encodedText) {
    bitBuffer = (bitBuffer << 5) | base32Alphabet.indexOf(character)
    bitCount += 5
    if (bitCount < 8) continue
    decodedBytes.push((bitBuffer >>> (bitCount - 8)) & 255)
    bitCount -= 8
    bitBuffer &= (1 << bitCount) - 1
  }
  return Buffer.from(decodedBytes)
}

/** Creates a secret of 160 bits for an authenticator app. */
export const createTotpSecret = (): string => encodeBase32(randomBytes(20))

/** The content of the QR code. @param account the owner's name; @param issuer the product */
export function buildTotpUri(secret: string, account: string, issuer: string): string {
  const accountLabel = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${accountLabel}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** Computes the code of one time step. @source RFC 6238, RFC 4226 */
export function computeTotpCode(secret: string, timeStep: number): string {
  const counterBytes = Buffer.alloc(8)
  counterBytes.writeBigUInt64BE(BigInt(timeStep))
  const hmacBytes = createHmac('sha1', decodeBase32(secret)).update(counterBytes).digest()
  const truncatedHash = hmacBytes.readUInt32BE(hmacBytes[19]! & 15) & 0x7fffffff
  return String(truncatedHash % 10 ** digitCount).padStart(digitCount, '0')
}

/** The time step of a code, among those around `now`; null for a wrong code. Callers must refuse used steps. */
export function totpStep(secret: string, code: string, now = Date.now()): number | null {
  const enteredCode = Buffer.from(code)
  if (enteredCode.length !== digitCount) return null
  const currentStep = Math.floor(now / timeStepMs)
  let matchingStep: number | null = null
  for (let timeStep = currentStep - maxDriftSteps; timeStep <= currentStep + maxDriftSteps; timeStep++)
    if (timingSafeEqual(Buffer.from(computeTotpCode(secret, timeStep)), enteredCode)) matchingStep = timeStep
  return matchingStep
}

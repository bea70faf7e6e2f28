import { createHash, randomBytes } from 'node:crypto'
import { encodeBase32 } from '../totp.ts'

const recoveryCodeCount = 10
/** A plain hash suffices for 80 random bits. Hyphens and letter case are ignored. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest()

export function createRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, () =>
    encodeBase32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
  return { codes: recoveryCodes, hashes: recoveryCodes.map(hashRecoveryCode) }
}

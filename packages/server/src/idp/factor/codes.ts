import { createHash, randomBytes } from 'node:crypto'
import { base32 } from '../totp.ts'

const codesMade = 10
/** 80 random bits, so a plain hash tells nothing of them. People may leave out the hyphens, and write small. */
export const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest()

/** Recovery codes, and what is stored of them. */
export function newCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: codesMade }, () =>
    base32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
  return { codes, hashes: codes.map(hashOf) }
}

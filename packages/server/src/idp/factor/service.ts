import { createHash, randomBytes } from 'node:crypto'
import { renderSVG } from 'uqr'
import type { Sealed } from '../store.ts'
import { forgetTries, takeTry } from '../store.ts'
import { base32, newTotpSecret, totpStep, totpUri } from '../totp.ts'
import { factorsOf, keepCodes, keepTotp, resealTotp, takeCode, takeStep } from './store.ts'

const codesMade = 10
const contextOf = (id: string) => `totp ${id}`
/** 80 random bits, so a plain hash tells nothing of them. People may leave out the hyphens, and write small. */
const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest()

function newCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: codesMade }, () =>
    base32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
  return { codes, hashes: codes.map(hashOf) }
}

/** A secret for an authenticator app, with what its camera reads. Nothing is stored until a code proves it. */
export function offerTotp(account: string, product: string) {
  const secret = newTotpSecret()
  const uri = totpUri(secret, account, product)
  return { secret, uri, picture: pictureOf(uri) }
}

/** A QR code as an SVG. */
export const pictureOf = (text: string): string => renderSVG(text, { border: 2 })

const secretPattern = /^[A-Z2-7]{32}$/

/** Sets an authenticator app up, once a code of it is right. @returns the recovery codes, or null for a wrong code */
export async function setUpTotp(
  deps: Sealed,
  id: string,
  given: { secret: string; code: string },
): Promise<string[] | null> {
  const step = secretPattern.test(given.secret)
    ? totpStep(given.secret, given.code.replaceAll(' ', ''))
    : null
  if (step === null) return null
  const { codes, hashes } = newCodes()
  await keepTotp(deps, id, { sealed: deps.seal.close(given.secret, contextOf(id)), step, hashes })
  return codes
}

export async function renewCodes(deps: Sealed, id: string): Promise<string[]> {
  const { codes, hashes } = newCodes()
  await keepCodes(deps, id, hashes)
  return codes
}

export type SecondTry = 'right' | 'wrong' | { waitMinutes: number }

/** Checks a code of the authenticator app, or a recovery code. Each is good once; guessing is slowed down by account. */
export async function checkSecond(deps: Sealed, id: string, typed: string): Promise<SecondTry> {
  const subject = `second ${id}`
  const wait = await takeTry(deps, subject)
  if (wait > 0) return { waitMinutes: Math.ceil(wait / 60) }
  const code = typed.replaceAll(' ', '').slice(0, 100)
  const { totp } = await factorsOf(deps, id)
  const secret = totp && deps.seal.open(totp, contextOf(id))
  const step = secret ? totpStep(secret, code) : null
  // A secret that an older key sealed is sealed anew when it is used.
  const renewed = totp && deps.seal.renewed(totp, contextOf(id))
  if (renewed) await resealTotp(deps, id, renewed)
  const isRight = step !== null ? await takeStep(deps, id, step) : await takeCode(deps, id, hashOf(code))
  if (!isRight) return 'wrong'
  await forgetTries(deps, subject, subject)
  return 'right'
}

import { renderSVG } from 'uqr'
import type { Sealed } from '../store.ts'
import { countTry, forgetTries, takeTry } from '../store.ts'
import { throttle } from '../throttle.ts'
import { newTotpSecret, totpStep, totpUri } from '../totp.ts'
import { hashOf, newCodes } from './codes.ts'
import { factorsOf, keepCodes, keepTotp, resealTotp, takeCode, takeStep } from './store.ts'

const contextOf = (id: string) => `totp ${id}`

/** A secret for an authenticator app, with what its camera reads. Nothing is stored until a code proves it. */
export function offerTotp(account: string, product: string) {
  const secret = newTotpSecret()
  const uri = totpUri(secret, account, product)
  return { secret, uri, picture: pictureOf(uri) }
}

/** A QR code as an SVG. */
export const pictureOf = (text: string): string => renderSVG(text, { border: 2 })

/** Whether a text can be a secret that we offered: nothing else is shown or stored. */
export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text)

type Given = { secret: string; code: string }
const stepOf = ({ secret, code }: Given): number | null =>
  isTotpSecret(secret) ? totpStep(secret, code.replaceAll(' ', '')) : null

/** Whether a code is of an app with that secret. */
export const provesTotp = (given: Given): boolean => stepOf(given) !== null

/**
 * Sets an authenticator app up, once a code of it is right.
 * @param given `epoch` of the person at the proof of identity, where that was in an earlier step
 * @returns the recovery codes, or null for a wrong code, and for a step that was ended meanwhile
 */
export async function setUpTotp(
  deps: Sealed,
  id: string,
  given: Given & { epoch?: number },
): Promise<string[] | null> {
  const step = stepOf(given)
  if (step === null) return null
  const { codes, hashes } = newCodes()
  const sealed = deps.seal.close(given.secret, contextOf(id))
  return (await keepTotp(deps, id, { sealed, step, hashes, epoch: given.epoch })) ? codes : null
}

export async function renewCodes(deps: Sealed, id: string): Promise<string[]> {
  const { codes, hashes } = newCodes()
  await keepCodes(deps, id, hashes)
  return codes
}

export type SecondTry = 'right' | 'wrong' | { waitMinutes: number } | { limit: 'reached' | 'over' }

/**
 * Checks a code of the authenticator app, or a recovery code. Each is good once; guessing is slowed down by account, and over
 * for a day after so many. `reached` is said once.
 * @param device on which the owner gave a code before: it has a count of its own, and no guess from elsewhere locks it out
 */
export async function checkSecond(
  deps: Sealed,
  id: string,
  typed: string,
  device: string | null,
): Promise<SecondTry> {
  const subject = `second ${id}${device === null ? '' : ` ${device}`}`
  const wait = await takeTry(deps, subject)
  if (wait > 0) return { waitMinutes: Math.ceil(wait / 60) }
  const ofDay = `codes ${subject}`
  const tries = await countTry(deps, ofDay, 24 * 60)
  if (tries > throttle.codesADay) return { limit: tries === throttle.codesADay + 1 ? 'reached' : 'over' }
  const code = typed.replaceAll(' ', '').slice(0, 100)
  const { totp } = await factorsOf(deps, id)
  const secret = totp && deps.seal.open(totp, contextOf(id))
  const step = secret ? totpStep(secret, code) : null
  // A secret that an older key sealed is sealed anew when it is used.
  const renewed = totp && deps.seal.renewed(totp, contextOf(id))
  if (renewed) await resealTotp(deps, id, renewed)
  const isRight = step !== null ? await takeStep(deps, id, step) : await takeCode(deps, id, hashOf(code))
  if (!isRight) return 'wrong'
  for (const counted of [subject, ofDay]) await forgetTries(deps, counted, counted)
  return 'right'
}

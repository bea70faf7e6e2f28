import { renderSVG } from 'uqr'
import { type SealedDeps, countAttempt, clearAttempts, claimAttempt } from '../store.ts'
import { throttle } from '../throttle.ts'
import { createTotpSecret, totpStep, buildTotpUri } from '../totp.ts'
import { hashRecoveryCode, createRecoveryCodes } from './codes.ts'
import { readSecondFactors, saveRecoveryCodes, saveTotp, resealTotp, useRecoveryCode, useTotpStep } from './store.ts'

const buildTotpContext = (id: string) => `totp ${id}`

/** A secret for an authenticator app, with its QR code. Nothing is stored until a code proves it. */
export function createTotpOffer(accountName: string, productName: string) {
  const totpSecret = createTotpSecret()
  const otpauthUri = buildTotpUri(totpSecret, accountName, productName)
  return { secret: totpSecret, uri: otpauthUri, picture: renderQrCode(otpauthUri) }
}

export const renderQrCode = (text: string): string => renderSVG(text, { border: 2 })

/** True if the text can be a secret that we offered: nothing else is shown or stored. */
export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text)

type TotpProof = { secret: string; code: string }
const findTotpStep = ({ secret, code }: TotpProof): number | null =>
  isTotpSecret(secret) ? totpStep(secret, code.replaceAll(' ', '')) : null

export const isValidTotpProof = (totpProof: TotpProof): boolean => findTotpStep(totpProof) !== null

/**
 * Sets up an authenticator app after a valid code.
 * @param totpProof `epoch` is the person's at the proof of identity, if that was an earlier step
 * @returns the recovery codes; null for a wrong code, or if sessions have ended since the earlier step
 */
export async function setUpTotp(
  deps: SealedDeps,
  id: string,
  totpProof: TotpProof & { epoch?: number },
): Promise<string[] | null> {
  const timeStep = findTotpStep(totpProof)
  if (timeStep === null) return null
  const { codes: recoveryCodes, hashes: codeHashes } = createRecoveryCodes()
  const sealedSecret = deps.seal.close(totpProof.secret, buildTotpContext(id))
  return (await saveTotp(deps, id, { sealed: sealedSecret, step: timeStep, hashes: codeHashes, epoch: totpProof.epoch }))
    ? recoveryCodes
    : null
}

export async function renewRecoveryCodes(deps: SealedDeps, id: string): Promise<string[]> {
  const { codes: recoveryCodes, hashes: codeHashes } = createRecoveryCodes()
  await saveRecoveryCodes(deps, id, codeHashes)
  return recoveryCodes
}

export type SecondFactorResult = 'right' | 'wrong' | { waitMinutes: number } | { limit: 'reached' | 'over' }

/**
 * Checks a code of the authenticator app, or a recovery code. Each code works once. Guessing is throttled per account, and
 * blocked for a day after a maximum; `reached` is returned once.
 * @param device a device on which the owner gave a code before: separate counters prevent lock-outs by guesses elsewhere
 */
export async function checkSecondFactor(
  deps: SealedDeps,
  id: string,
  enteredCode: string,
  device: string | null,
): Promise<SecondFactorResult> {
  const throttleKey = `second ${id}${device === null ? '' : ` ${device}`}`
  const waitSeconds = await claimAttempt(deps, throttleKey)
  if (waitSeconds > 0) return { waitMinutes: Math.ceil(waitSeconds / 60) }
  const dailyKey = `codes ${throttleKey}`
  const triesToday = await countAttempt(deps, dailyKey, 24 * 60)
  if (triesToday > throttle.maxCodesPerDay) return { limit: triesToday === throttle.maxCodesPerDay + 1 ? 'reached' : 'over' }
  const normalizedCode = enteredCode.replaceAll(' ', '').slice(0, 100)
  const { totp: sealedTotp } = await readSecondFactors(deps, id)
  const totpSecret = sealedTotp && deps.seal.open(sealedTotp, buildTotpContext(id))
  const timeStep = totpSecret ? totpStep(totpSecret, normalizedCode) : null
  // A secret that an older key sealed is resealed on use.
  const resealedSecret = sealedTotp && deps.seal.renewed(sealedTotp, buildTotpContext(id))
  if (resealedSecret) await resealTotp(deps, id, resealedSecret)
  const isRight =
    timeStep !== null ? await useTotpStep(deps, id, timeStep) : await useRecoveryCode(deps, id, hashRecoveryCode(normalizedCode))
  if (!isRight) return 'wrong'
  for (const counterKey of [throttleKey, dailyKey]) await clearAttempts(deps, counterKey, counterKey)
  return 'right'
}

import {
  type Confirmation,
  type NewPasskey,
  type OwnAccount,
  passwordLengthLimits,
} from '@clearway/contract/account/member/provider/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { type Refusal, refuse } from '../../kit/http/answer.ts'
import { inTransaction } from '../../kit/database.ts'
import { type AccountDeps, requiresSecondFactor, reportCodeGuessing } from '../account/service.ts'
import { findAccount, findUsedEmails } from '../account/store.ts'
import { checkSecondFactor, createTotpOffer, isValidTotpProof, renewRecoveryCodes, setUpTotp } from '../factor/service.ts'
import { addPasskey, requestPasskeyOptions, createPasskeyOptions, type RelyingParty, verifyPasskey } from '../factor/passkey.ts'
import { removeFactor, readSecondFactors, hasSecondFactor, listPasskeys } from '../factor/store.ts'
import { buildLinkLetter } from '../letter.ts'
import { assertHashingCapacity, hashPassword, verifyPassword } from '../password.ts'
import { findPasswordFault } from '../password-rule.ts'
import { createTicket, takeTicket } from '../ticket/store.ts'
import {
  countAttempt,
  endSessions,
  findPerson,
  clearAttempts,
  type Person,
  type SealedDeps,
  setPassword,
  claimAttempt,
} from '../store.ts'
import { listSessions, endSession, saveName } from './store.ts'

export type OwnDeps = AccountDeps & SealedDeps & { party: RelyingParty | null }

const refuseField = (fieldPath: string, code: FieldError['code'], params: FieldError['params'] = {}) =>
  refuse('validation-failed', { errors: [{ path: fieldPath, code, params }] })

/** Returns the person if the passkey or password is right. Guessing is throttled per account. */
async function confirmIdentity(deps: OwnDeps, id: string, confirmation: Confirmation): Promise<Person | Refusal> {
  const { password, passkey } = confirmation
  if (passkey) return (await verifyPasskey(deps, passkey, id)) ?? refuseField('passkey', 'wrong-passkey')
  if (password === undefined) return refuseField('password', 'required')
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const throttleKey = `confirm ${id}`
  assertHashingCapacity()
  if ((await claimAttempt(deps, throttleKey)) > 0) return refuse('too-many-requests')
  if (!(await verifyPassword(password, person.password))) return refuseField('password', 'wrong-password')
  await clearAttempts(deps, throttleKey, throttleKey)
  return person
}
const isPerson = (value: Person | Refusal): value is Person => 'username' in value

/** Requires the second factor before factors change: a leaked password must not suffice. A passkey has proved both already. */
async function requireSecondFactor(deps: OwnDeps, id: string, { second, passkey }: Confirmation): Promise<Refusal | null> {
  if (passkey || !hasSecondFactor(await readSecondFactors(deps, id))) return null
  if (second === undefined) return refuseField('second', 'required')
  const attemptResult = await checkSecondFactor(deps, id, second, 'signed in')
  if (attemptResult === 'right') return null
  if (typeof attemptResult === 'object' && 'limit' in attemptResult && attemptResult.limit === 'reached')
    await reportCodeGuessing(deps, id)
  return attemptResult === 'wrong' ? refuseField('second', 'wrong-code') : refuse('too-many-requests')
}

export async function getOwnAccount(deps: OwnDeps, id: string, currentSessionId: string): Promise<OwnAccount | Refusal> {
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const [secondFactors, passkeys, sessions] = await Promise.all([
    readSecondFactors(deps, id),
    listPasskeys(deps, id),
    listSessions(deps, id, currentSessionId),
  ])
  const { username, firstName, lastName, email } = person
  return {
    id,
    username,
    firstName,
    lastName,
    email,
    hasTotp: secondFactors.totp !== null,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
    })),
    canChangeEmail: deps.sendMail !== null,
    canUsePasskeys: deps.party !== null,
    recoveryCodes: secondFactors.codes,
    needsSecond: requiresSecondFactor(deps, person),
    sessions,
  }
}

export async function changeOwnName(
  deps: OwnDeps,
  id: string,
  names: { firstName: string; lastName: string },
): Promise<void | Refusal> {
  if (!names.firstName && !names.lastName) return refuseField('firstName', 'required')
  await saveName(deps, id, names)
  const changedAccount = await findAccount(deps, id)
  if (changedAccount) await deps.onAccount({ kind: 'kept', account: changedAccount })
}

/** Maximum number of email links that an account may request per hour, so that none can flood a stranger's mailbox. */
const maxEmailLinksPerHour = 5

/** Mails a confirmation link to the new address. Nothing changes until it is followed. */
export async function requestEmailChange(
  deps: OwnDeps,
  id: string,
  emailChange: Confirmation & { email: string },
): Promise<void | Refusal> {
  if (!deps.sendMail) return refuse('not-found')
  const confirmedPerson = await confirmIdentity(deps, id, emailChange)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  const { email: newEmail } = emailChange
  const fieldErrors = [{ path: 'email', code: 'name-taken' as const, params: { value: newEmail } }]
  // Limits requests, which would otherwise reveal who has an account.
  if ((await countAttempt(deps, `email ${id}`, 60)) > maxEmailLinksPerHour) return refuse('too-many-requests')
  // Retryable checks come first, because a code works only once.
  if (newEmail === confirmedPerson.email || (await findUsedEmails(deps, [newEmail], id)).size > 0)
    return refuse('name-taken', { errors: fieldErrors })
  const secondFactorRefusal = await requireSecondFactor(deps, id, emailChange)
  if (secondFactorRefusal) return secondFactorRefusal
  const { token: ticketToken, expiresAt } = await inTransaction(deps.db, (trx) =>
    createTicket(trx, { kind: 'email', personId: id, email: newEmail, epoch: confirmedPerson.epoch }),
  )
  await deps.onAccount({ kind: 'email-asked', id })
  const { product, mailLanguage } = deps
  const confirmationLink = deps.buildLink('email', ticketToken)
  const name = confirmedPerson.username
  const letter = buildLinkLetter({
    kind: 'email',
    receiver: newEmail,
    product,
    link: confirmationLink,
    expiresAt,
    language: mailLanguage,
    name,
  })
  try {
    await deps.sendMail(letter)
  } catch (error) {
    deps.log(`mail to ${id}: ${error instanceof Error ? error.message : String(error)}`)
    await takeTicket(deps, ['email'], ticketToken)
    return refuseField('email', 'not-sent')
  }
}

export async function changeOwnPassword(
  deps: OwnDeps,
  id: string,
  passwordChange: { password: string; newPassword: string },
): Promise<void | Refusal> {
  const confirmedPerson = await confirmIdentity(deps, id, passwordChange)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  const { username, email, firstName, lastName } = confirmedPerson
  const fault = findPasswordFault(passwordChange.newPassword, [username, email, firstName, lastName])
  if (fault) return refuseField('newPassword', fault, passwordLengthLimits)
  await setPassword(deps, id, await hashPassword(passwordChange.newPassword))
  await deps.onAccount({ kind: 'password-set', id })
}

export async function endOwnSessions(deps: OwnDeps, id: string): Promise<void> {
  await endSessions(deps.db, id)
  await deps.onAccount({ kind: 'sessions-ended', id })
}

export async function endOwnSession(deps: OwnDeps, id: string, sessionId: string): Promise<void | Refusal> {
  if (!(await endSession(deps, id, sessionId))) return refuse('not-found')
  await deps.onAccount({ kind: 'sessions-ended', id })
}

export async function offerOwnTotp(deps: OwnDeps, id: string) {
  const person = await findPerson(deps, id)
  return person ? createTotpOffer(person.email ?? person.username, deps.product) : refuse('not-found')
}

export async function setUpOwnTotp(
  deps: OwnDeps,
  id: string,
  totpSetup: Confirmation & { secret: string; code: string },
): Promise<{ codes: string[] } | Refusal> {
  const confirmedPerson = await confirmIdentity(deps, id, totpSetup)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  // Retryable checks come first, because a code works only once.
  if (!isValidTotpProof(totpSetup)) return refuseField('code', 'wrong-code')
  const secondFactorRefusal = await requireSecondFactor(deps, id, totpSetup)
  if (secondFactorRefusal) return secondFactorRefusal
  const recoveryCodes = await setUpTotp(deps, id, totpSetup)
  if (!recoveryCodes) return refuseField('code', 'wrong-code')
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes: recoveryCodes }
}

export async function removeOwnFactor(
  deps: OwnDeps,
  id: string,
  factor: Parameters<typeof removeFactor>[2],
  confirmation: Confirmation,
): Promise<void | Refusal> {
  const confirmedPerson = await confirmIdentity(deps, id, confirmation)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  const secondFactorRefusal = await requireSecondFactor(deps, id, confirmation)
  if (secondFactorRefusal) return secondFactorRefusal
  const removeResult = await removeFactor(deps, id, factor, requiresSecondFactor(deps, confirmedPerson))
  if (removeResult === 'none') return refuse('not-found')
  if (removeResult === 'last') return refuse('last-factor')
  await deps.onAccount({ kind: 'second-factor-changed', id })
}

type PasskeyDeps = OwnDeps & { party: RelyingParty }
const supportsPasskeys = (deps: OwnDeps): deps is PasskeyDeps => deps.party !== null

export async function requestOwnPasskeyOptions(deps: OwnDeps, id: string) {
  return supportsPasskeys(deps) ? { ...(await requestPasskeyOptions(deps, id)) } : refuse('not-found')
}

export async function createOwnPasskeyOptions(deps: OwnDeps, id: string, confirmation: Confirmation) {
  if (!supportsPasskeys(deps)) return refuse('not-found')
  const confirmedPerson = await confirmIdentity(deps, id, confirmation)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  const secondFactorRefusal = await requireSecondFactor(deps, id, confirmation)
  return secondFactorRefusal ?? { ...(await createPasskeyOptions(deps, confirmedPerson)) }
}

export async function addOwnPasskey(
  deps: OwnDeps,
  id: string,
  newPasskey: { name: string; passkey: NewPasskey },
): Promise<{ codes: string[] } | Refusal> {
  const recoveryCodes = supportsPasskeys(deps) ? await addPasskey(deps, id, newPasskey) : null
  if (!recoveryCodes) return refuseField('passkey', 'wrong-passkey')
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes: recoveryCodes }
}

export async function renewOwnRecoveryCodes(
  deps: OwnDeps,
  id: string,
  confirmation: Confirmation,
): Promise<{ codes: string[] } | Refusal> {
  const confirmedPerson = await confirmIdentity(deps, id, confirmation)
  if (!isPerson(confirmedPerson)) return confirmedPerson
  if (!hasSecondFactor(await readSecondFactors(deps, id))) return refuse('not-found')
  const secondFactorRefusal = await requireSecondFactor(deps, id, confirmation)
  if (secondFactorRefusal) return secondFactorRefusal
  const recoveryCodes = await renewRecoveryCodes(deps, id)
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes: recoveryCodes }
}

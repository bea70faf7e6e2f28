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
import { checkPassword, hashPassword } from '../password.ts'
import { passwordFault } from '../password-rule.ts'
import { putTicket, takeTicket } from '../ticket/store.ts'
import {
  countTry,
  endSessions,
  findPerson,
  forgetTries,
  type Person,
  type Sealed,
  setPassword,
  takeTry,
} from '../store.ts'
import { devicesOf, endSession, keepName } from './store.ts'

export type OwnDeps = AccountDeps & Sealed & { party: RelyingParty | null }

const faulty = (path: string, code: FieldError['code'], params: FieldError['params'] = {}) =>
  refuse('validation-failed', { errors: [{ path, code, params }] })

/** The person, when the passkey or password is right. Guessing is slowed down by account. */
async function confirmed(deps: OwnDeps, id: string, given: Confirmation): Promise<Person | Refusal> {
  const { password, passkey } = given
  if (passkey) return (await verifyPasskey(deps, passkey, id)) ?? faulty('passkey', 'wrong-passkey')
  if (password === undefined) return faulty('password', 'required')
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const subject = `confirm ${id}`
  if ((await takeTry(deps, subject)) > 0) return refuse('too-many-requests')
  if (!(await checkPassword(password, person.password))) return faulty('password', 'wrong-password')
  await forgetTries(deps, subject, subject)
  return person
}
const isPerson = (value: Person | Refusal): value is Person => 'username' in value

/**
 * Whoever has a second factor shows it before one is added, replaced or removed: a password that was found out is not enough.
 * After `confirmed`: a passkey has shown both.
 */
async function secondShown(
  deps: OwnDeps,
  id: string,
  { second, passkey }: Confirmation,
): Promise<Refusal | null> {
  if (passkey || !hasSecondFactor(await readSecondFactors(deps, id))) return null
  if (second === undefined) return faulty('second', 'required')
  const tried = await checkSecondFactor(deps, id, second, 'signed in')
  if (tried === 'right') return null
  if (typeof tried === 'object' && 'limit' in tried && tried.limit === 'reached')
    await reportCodeGuessing(deps, id)
  return tried === 'wrong' ? faulty('second', 'wrong-code') : refuse('too-many-requests')
}

export async function ownAccount(deps: OwnDeps, id: string, session: string): Promise<OwnAccount | Refusal> {
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const [factors, keys, sessions] = await Promise.all([
    readSecondFactors(deps, id),
    listPasskeys(deps, id),
    devicesOf(deps, id, session),
  ])
  const { username, firstName, lastName, email } = person
  return {
    id,
    username,
    firstName,
    lastName,
    email,
    hasTotp: factors.totp !== null,
    passkeys: keys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
    })),
    canChangeEmail: deps.sendMail !== null,
    canUsePasskeys: deps.party !== null,
    recoveryCodes: factors.codes,
    needsSecond: requiresSecondFactor(deps, person),
    sessions,
  }
}

export async function changeName(
  deps: OwnDeps,
  id: string,
  names: { firstName: string; lastName: string },
): Promise<void | Refusal> {
  if (!names.firstName && !names.lastName) return faulty('firstName', 'required')
  await keepName(deps, id, names)
  const account = await findAccount(deps, id)
  if (account) await deps.onAccount({ kind: 'kept', account })
}

/** Links to other addresses that one account may ask for in an hour: none is a way to fill a stranger's letter box. */
const mostEmailsAnHour = 5

/** Mails a link to another address. Until it is followed, all stays as it is. */
export async function askForEmail(
  deps: OwnDeps,
  id: string,
  given: Confirmation & { email: string },
): Promise<void | Refusal> {
  if (!deps.sendMail) return refuse('not-found')
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  const { email } = given
  const errors = [{ path: 'email', code: 'name-taken' as const, params: { value: email } }]
  // Repeated questions must not reveal who has an account.
  if ((await countTry(deps, `email ${id}`, 60)) > mostEmailsAnHour) return refuse('too-many-requests')
  // First what can be tried again: a code is good once.
  if (email === person.email || (await findUsedEmails(deps, [email], id)).size > 0)
    return refuse('name-taken', { errors })
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const { token, expiresAt } = await inTransaction(deps.db, (trx) =>
    putTicket(trx, { kind: 'email', personId: id, email, epoch: person.epoch }),
  )
  await deps.onAccount({ kind: 'email-asked', id })
  const { product, mailLanguage } = deps
  const link = deps.buildLink('email', token)
  const name = person.username
  const letter = buildLinkLetter({
    kind: 'email',
    receiver: email,
    product,
    link,
    expiresAt,
    language: mailLanguage,
    name,
  })
  try {
    await deps.sendMail(letter)
  } catch (error) {
    deps.log(`mail to ${id}: ${error instanceof Error ? error.message : String(error)}`)
    await takeTicket(deps, ['email'], token)
    return faulty('email', 'not-sent')
  }
}

export async function changePassword(
  deps: OwnDeps,
  id: string,
  given: { password: string; newPassword: string },
): Promise<void | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  const { username, email, firstName, lastName } = person
  const fault = passwordFault(given.newPassword, [username, email, firstName, lastName])
  if (fault) return faulty('newPassword', fault, passwordLengthLimits)
  await setPassword(deps, id, await hashPassword(given.newPassword))
  await deps.onAccount({ kind: 'password-set', id })
}

export async function endOwnSessions(deps: OwnDeps, id: string): Promise<void> {
  await endSessions(deps.db, id)
  await deps.onAccount({ kind: 'sessions-ended', id })
}

export async function endOwnSession(deps: OwnDeps, id: string, session: string): Promise<void | Refusal> {
  if (!(await endSession(deps, id, session))) return refuse('not-found')
  await deps.onAccount({ kind: 'sessions-ended', id })
}

export async function offerOwnTotp(deps: OwnDeps, id: string) {
  const person = await findPerson(deps, id)
  return person ? createTotpOffer(person.email ?? person.username, deps.product) : refuse('not-found')
}

export async function setUpOwnTotp(
  deps: OwnDeps,
  id: string,
  given: Confirmation & { secret: string; code: string },
): Promise<{ codes: string[] } | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  // First what can be tried again: the code of before is good once.
  if (!isValidTotpProof(given)) return faulty('code', 'wrong-code')
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const codes = await setUpTotp(deps, id, given)
  if (!codes) return faulty('code', 'wrong-code')
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes }
}

/** Takes a second factor off. */
export async function removeOwnFactor(
  deps: OwnDeps,
  id: string,
  factor: Parameters<typeof removeFactor>[2],
  given: Confirmation,
): Promise<void | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const became = await removeFactor(deps, id, factor, requiresSecondFactor(deps, person))
  if (became === 'none') return refuse('not-found')
  if (became === 'last') return refuse('last-factor')
  await deps.onAccount({ kind: 'second-factor-changed', id })
}

type WithParty = OwnDeps & { party: RelyingParty }
const makesPasskeys = (deps: OwnDeps): deps is WithParty => deps.party !== null

export async function askForOwnPasskey(deps: OwnDeps, id: string) {
  return makesPasskeys(deps) ? { ...(await requestPasskeyOptions(deps, id)) } : refuse('not-found')
}

export async function offerOwnPasskey(deps: OwnDeps, id: string, given: Confirmation) {
  if (!makesPasskeys(deps)) return refuse('not-found')
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  const refused = await secondShown(deps, id, given)
  return refused ?? { ...(await createPasskeyOptions(deps, person)) }
}

export async function addOwnPasskey(
  deps: OwnDeps,
  id: string,
  given: { name: string; passkey: NewPasskey },
): Promise<{ codes: string[] } | Refusal> {
  const codes = makesPasskeys(deps) ? await addPasskey(deps, id, given) : null
  if (!codes) return faulty('passkey', 'wrong-passkey')
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes }
}

export async function renewOwnCodes(
  deps: OwnDeps,
  id: string,
  given: Confirmation,
): Promise<{ codes: string[] } | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  if (!hasSecondFactor(await readSecondFactors(deps, id))) return refuse('not-found')
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const codes = await renewRecoveryCodes(deps, id)
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes }
}

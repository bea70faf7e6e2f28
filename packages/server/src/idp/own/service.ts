import { type OwnAccount, passwordLength } from '@clearway/contract/account/member/provider/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { type Refusal, refuse } from '../../kit/http/answer.ts'
import { type AccountDeps, needsSecond, tellOfGuessing } from '../account/service.ts'
import { findAccount } from '../account/store.ts'
import { checkSecond, offerTotp, provesTotp, renewCodes, setUpTotp } from '../factor/service.ts'
import { dropTotp, factorsOf } from '../factor/store.ts'
import { checkPassword, hashPassword } from '../password.ts'
import { passwordFault } from '../password-rule.ts'
import {
  endSessions,
  findPerson,
  forgetTries,
  type Person,
  type Sealed,
  setPassword,
  takeTry,
} from '../store.ts'
import { devicesOf, endSession, keepName } from './store.ts'

export type OwnDeps = AccountDeps & Sealed

const faulty = (path: string, code: FieldError['code'], params: FieldError['params'] = {}) =>
  refuse('validation-failed', { errors: [{ path, code, params }] })

type Confirmation = { password: string; second?: string | undefined }

/** Whose password it is, when it is right. Guessing is slowed down by account. */
async function confirmed(deps: OwnDeps, id: string, { password }: Confirmation): Promise<Person | Refusal> {
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const subject = `confirm ${id}`
  if ((await takeTry(deps, subject)) > 0) return refuse('too-many-requests')
  if (!(await checkPassword(password, person.password))) return faulty('password', 'wrong-password')
  await forgetTries(deps, subject, subject)
  return person
}
const isPerson = (value: Person | Refusal): value is Person => 'username' in value

/** Whoever has a second factor shows it before it is replaced or removed: a password that was found out is not enough. */
async function secondShown(deps: OwnDeps, id: string, { second }: Confirmation): Promise<Refusal | null> {
  if ((await factorsOf(deps, id)).totp === null) return null
  if (second === undefined) return faulty('second', 'required')
  const tried = await checkSecond(deps, id, second, 'signed in')
  if (tried === 'right') return null
  if (typeof tried === 'object' && 'limit' in tried && tried.limit === 'reached')
    await tellOfGuessing(deps, id)
  return tried === 'wrong' ? faulty('second', 'wrong-code') : refuse('too-many-requests')
}

export async function ownAccount(deps: OwnDeps, id: string, session: string): Promise<OwnAccount | Refusal> {
  const person = await findPerson(deps, id)
  if (!person) return refuse('not-found')
  const [factors, sessions] = await Promise.all([factorsOf(deps, id), devicesOf(deps, id, session)])
  const { username, firstName, lastName, email } = person
  return {
    id,
    username,
    firstName,
    lastName,
    email,
    hasTotp: factors.totp !== null,
    recoveryCodes: factors.codes,
    needsSecond: needsSecond(deps, person),
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

export async function changePassword(
  deps: OwnDeps,
  id: string,
  given: { password: string; newPassword: string },
): Promise<void | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  const { username, email, firstName, lastName } = person
  const fault = passwordFault(given.newPassword, [username, email, firstName, lastName])
  if (fault) return faulty('newPassword', fault, passwordLength)
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
  return person ? offerTotp(person.email ?? person.username, deps.product) : refuse('not-found')
}

export async function setUpOwnTotp(
  deps: OwnDeps,
  id: string,
  given: Confirmation & { secret: string; code: string },
): Promise<{ codes: string[] } | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  // First what can be tried again: the code of before is good once.
  if (!provesTotp(given)) return faulty('code', 'wrong-code')
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const codes = await setUpTotp(deps, id, given)
  if (!codes) return faulty('code', 'wrong-code')
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes }
}

export async function removeOwnTotp(deps: OwnDeps, id: string, given: Confirmation): Promise<void | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  if (needsSecond(deps, person)) return refuse('access-denied')
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  await dropTotp(deps, id)
  await deps.onAccount({ kind: 'second-factor-changed', id })
}

export async function renewOwnCodes(
  deps: OwnDeps,
  id: string,
  given: Confirmation,
): Promise<{ codes: string[] } | Refusal> {
  const person = await confirmed(deps, id, given)
  if (!isPerson(person)) return person
  if ((await factorsOf(deps, id)).totp === null) return refuse('not-found')
  const refused = await secondShown(deps, id, given)
  if (refused) return refused
  const codes = await renewCodes(deps, id)
  await deps.onAccount({ kind: 'second-factor-changed', id })
  return { codes }
}

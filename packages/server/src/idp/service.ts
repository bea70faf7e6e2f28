import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { Kysely } from 'kysely'
import { newId } from '../kit/id.ts'
import { checkPassword, hashPassword } from './password.ts'
import { type PasswordFault, passwordFault } from './password-rule.ts'
import { addPerson, countTry, findByName, forgetTries, type Person, setPassword, takeTry } from './store.ts'
import type { IdpTables } from './table.ts'
import { throttle } from './throttle.ts'

type Deps = { db: Kysely<IdpTables> }

export type SignIn =
  /** The person as they were when the password was checked. */
  | { kind: 'in'; person: Person }
  | { kind: 'missing'; username: string }
  /** `id` of whom that name belongs to, if it does to anybody. */
  | { kind: 'wrong'; username: string; id: string | null }
  | { kind: 'too-many'; username: string; minutes: number }

/**
 * Checks a name and a password, unless too many were tried: `throttle.ts` says how many.
 */
export async function signIn(
  deps: Deps,
  tried: { username: string; password: string; address: string },
): Promise<SignIn> {
  const { username, password } = tried
  if (!username || !password || username.length > 255 || password.length > 500)
    return { kind: 'missing', username: username.slice(0, 255) }
  const address = getNetwork(tried.address)
  const pair = `${address} ${username.toLowerCase()}`
  const byAddress = `address:${address}`
  const { networkTries, networkMinutes } = throttle
  const tries = await countTry(deps, byAddress, networkMinutes)
  if (tries > networkTries) return { kind: 'too-many', username, minutes: networkMinutes }
  const wait = await takeTry(deps, pair)
  if (wait > 0) return { kind: 'too-many', username, minutes: Math.ceil(wait / 60) }
  const person = await findByName(deps, username)
  const isRight = await checkPassword(password, person?.password ?? null)
  // A deactivated account is no answer of its own: whoever guesses learns nothing.
  if (!isRight || !person || person.deactivatedAt) {
    return { kind: 'wrong', username, id: person?.id ?? null }
  }
  await forgetTries(deps, pair, byAddress)
  return { kind: 'in', person }
}

export type NewPerson = {
  username: string
  password: string
  roles: readonly string[]
  firstName?: string
  lastName?: string
  email?: string | null
}

/** Adds somebody who can sign in; false when the name is taken. */
export async function addUser(deps: Deps, person: NewPerson): Promise<boolean> {
  return addPerson(deps, {
    id: newId(),
    username: person.username,
    firstName: person.firstName ?? '',
    lastName: person.lastName ?? '',
    email: person.email ?? null,
    roles: [...person.roles],
    password: await hashPassword(person.password),
  })
}

/**
 * Makes sure that `admin` has a password: that of the settings, where there is none. One that was set since stays, whatever
 * the settings go on saying.
 * @returns what is wrong with the password, when it would be set
 */
export async function ensureAdmin(deps: Deps, password: string): Promise<PasswordFault | null> {
  const username = 'admin'
  const known = await findByName(deps, username)
  if (known && known.password !== '') return null
  const fault = passwordFault(password, [username])
  if (fault) return fault
  if (known) await setPassword(deps, known.id, await hashPassword(password))
  else await addUser(deps, { username, password, roles: ['access', 'admin'] })
  return null
}

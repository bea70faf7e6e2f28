import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { Kysely } from 'kysely'
import { createId } from '../kit/id.ts'
import { assertHashingCapacity, hashPassword, verifyPassword } from './password.ts'
import { type PasswordFault, findPasswordFault } from './password-rule.ts'
import { addPerson, countAttempt, findPersonByName, clearAttempts, type Person, setPassword, claimAttempt } from './store.ts'
import type { IdpTables } from './table.ts'
import { findDeviceId } from './device/model.ts'
import { throttle } from './throttle.ts'

type ServiceDeps = { db: Kysely<IdpTables> }
type SignInDeps = ServiceDeps & Parameters<typeof findDeviceId>[0]

export type SignInResult =
  /** The person at the time of the password check. */
  | { kind: 'in'; person: Person }
  | { kind: 'missing'; username: string }
  /** `id` is the owner of the name, or null. */
  | { kind: 'wrong'; username: string; id: string | null }
  | { kind: 'too-many'; username: string; minutes: number }

/**
 * Checks a username and a password within the limits of `throttle.ts`. A device with an earlier sign-in has its own count.
 * @throws QueueFullError before the attempt is counted, if too many passwords wait
 */
export async function checkSignIn(
  deps: SignInDeps,
  credentials: { username: string; password: string; address: string; deviceCookie: string },
): Promise<SignInResult> {
  const { username, password } = credentials
  if (!username || !password || username.length > 255 || password.length > 500)
    return { kind: 'missing', username: username.slice(0, 255) }
  assertHashingCapacity()
  const namedPerson = await findPersonByName(deps, username)
  const deviceId = namedPerson && findDeviceId(deps, 'password', namedPerson.id, credentials.deviceCookie)
  const networkAddress = getNetwork(credentials.address)
  const throttleKey = `${deviceId === null ? networkAddress : `device:${deviceId}`} ${username.toLowerCase()}`
  const networkKey = `address:${networkAddress}`
  const { maxNetworkTries, networkWindowMinutes } = throttle
  const networkTryCount = deviceId === null ? await countAttempt(deps, networkKey, networkWindowMinutes) : 0
  if (networkTryCount > maxNetworkTries) return { kind: 'too-many', username, minutes: networkWindowMinutes }
  const waitSeconds = await claimAttempt(deps, throttleKey)
  if (waitSeconds > 0) return { kind: 'too-many', username, minutes: Math.ceil(waitSeconds / 60) }
  const isPasswordCorrect = await verifyPassword(password, namedPerson?.password ?? null)
  // A deactivated account is not distinguished, so that guessing reveals nothing.
  if (!isPasswordCorrect || !namedPerson || namedPerson.deactivatedAt) {
    return { kind: 'wrong', username, id: namedPerson?.id ?? null }
  }
  await clearAttempts(deps, throttleKey, networkKey)
  return { kind: 'in', person: namedPerson }
}

export type NewUser = {
  username: string
  password: string
  roles: readonly string[]
  firstName?: string
  lastName?: string
  email?: string | null
}

/** Adds a person who can sign in; false if the name is already in use. */
export async function addUser(deps: ServiceDeps, newUser: NewUser): Promise<boolean> {
  return addPerson(deps, {
    id: createId(),
    username: newUser.username,
    firstName: newUser.firstName ?? '',
    lastName: newUser.lastName ?? '',
    email: newUser.email ?? null,
    roles: [...newUser.roles],
    password: await hashPassword(newUser.password),
  })
}

/**
 * Sets the configured password of `admin` if there is none. A password that was set later stays.
 * @returns the fault of the configured password, if it was to be set
 */
export async function ensureAdmin(deps: ServiceDeps, password: string): Promise<PasswordFault | null> {
  const username = 'admin'
  const existingAdmin = await findPersonByName(deps, username)
  if (existingAdmin && existingAdmin.password !== '') return null
  const fault = findPasswordFault(password, [username])
  if (fault) return fault
  if (existingAdmin) await setPassword(deps, existingAdmin.id, await hashPassword(password))
  else await addUser(deps, { username, password, roles: ['access', 'admin'] })
  return null
}

import { EmailAddress } from '@clearway/contract/account/member/provider/schema.ts'
import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import * as z from 'zod/mini'
import { type Actor, runAsActor } from '../../kit/actor.ts'
import { inTransaction, isUniqueViolation } from '../../kit/database.ts'
import { createId } from '../../kit/id.ts'
import { type AccountDeps, sendAccountLink, sendWarning } from '../account/service.ts'
import { findAccount, hasAdmin, saveEmail, saveOwnDetails, findUsedEmails } from '../account/store.ts'
import { hashPassword } from '../password.ts'
import { type PasswordFault, findPasswordFault } from '../password-rule.ts'
import { addPerson, countAttempt, findPersonByName, findPerson, lockPerson, type Person } from '../store.ts'
import { deleteTickets, issueTicket, createTicket, readTicket, takeTicket } from './store.ts'

const passwordKinds = ['setup', 'invite', 'reset'] as const
export type PasswordKind = (typeof passwordKinds)[number]

export type WelcomeDetails = {
  kind: PasswordKind
  /** The account's owner; null for the first administrator's setup. */
  person: { id: string; username: string; firstName: string; lastName: string; email: string | null } | null
}

/** The details behind a link; null if it no longer works. */
export async function findWelcome(deps: AccountDeps, token: string): Promise<WelcomeDetails | null> {
  const passwordTicket = await readTicket(deps, passwordKinds, token)
  if (!passwordTicket) return null
  const passwordKind = passwordTicket.kind as PasswordKind
  if (passwordTicket.personId === null)
    return passwordKind === 'setup' && !(await hasAdmin(deps)) ? { kind: passwordKind, person: null } : null
  const ticketOwner = await findPerson(deps, passwordTicket.personId)
  return ticketOwner && !ticketOwner.deactivatedAt ? { kind: passwordKind, person: ticketOwner } : null
}

export type EnteredValues = { firstName: string; lastName: string; email: string; password: string }
export type EntryFault = 'required' | 'bad-email' | 'email-taken' | PasswordFault
export type EntryFaults = Partial<Record<keyof EnteredValues, EntryFault>>

function findEntryFaults(welcomeDetails: WelcomeDetails, enteredValues: EnteredValues): EntryFaults {
  const entryFaults: EntryFaults = {}
  if (welcomeDetails.kind !== 'reset')
    for (const fieldName of ['firstName', 'lastName'] as const) if (!enteredValues[fieldName]) entryFaults[fieldName] = 'required'
  if (welcomeDetails.kind === 'setup' && !z.safeParse(EmailAddress, enteredValues.email).success)
    entryFaults.email = enteredValues.email ? 'bad-email' : 'required'
  const knownPerson = welcomeDetails.person ?? { username: '', firstName: '', lastName: '', email: null }
  const newNames = [knownPerson.username, knownPerson.email, enteredValues.email, enteredValues.firstName, enteredValues.lastName]
  const allNames = welcomeDetails.kind === 'reset' ? [...newNames, knownPerson.firstName, knownPerson.lastName] : newNames
  const fault = enteredValues.password ? findPasswordFault(enteredValues.password, allNames) : 'required'
  if (fault) entryFaults.password = fault
  return entryFaults
}

/** Creates the first administrator; null if the address has been taken since. */
async function createFirstAdmin(
  trx: AccountDeps['db'],
  { email, firstName, lastName }: EnteredValues,
  password: string,
): Promise<string | null> {
  const personId = createId()
  const firstAdmin = { id: personId, username: email, email, firstName, lastName, roles: getRoleClaims('admin'), password }
  if (!(await addPerson({ db: trx }, firstAdmin))) return null
  await deleteTickets({ db: trx }, 'setup')
  return personId
}

/** Sentinel that rolls the transaction back, so that the link stays valid. */
const emailTakenError = new Error('email taken')

/** Uses the link and stores the entered values, or does neither. Null if the link no longer works. */
const storeEnteredValues = (
  deps: AccountDeps,
  { token, welcome, entered }: { token: string; welcome: WelcomeDetails; entered: EnteredValues & { hash: string } },
): Promise<{ id: string; pass: string } | 'email-taken' | null> =>
  inTransaction(deps.db, async (trx) => {
    if (!(await takeTicket({ db: trx }, passwordKinds, token))) return null
    const { person } = welcome
    const personId = person ? person.id : await createFirstAdmin(trx, entered, entered.hash)
    if (personId === null) throw emailTakenError
    if (person) {
      const { firstName, lastName } = welcome.kind === 'invite' ? entered : person
      await saveOwnDetails(trx, personId, { firstName, lastName, password: entered.hash })
    }
    return { id: personId, pass: (await createTicket(trx, { kind: 'pass', personId })).token }
  }).catch((error: unknown) => {
    if (error === emailTakenError) return 'email-taken' as const
    throw error
  })

/**
 * Handles the form behind a link. The link is used only if all fields are valid.
 * @returns a pass for the following sign-in, or the faults; null if the link no longer works
 */
export async function submitWelcomeForm(
  deps: AccountDeps,
  { token, entered, from }: { token: string; entered: EnteredValues; from: Omit<Actor, 'id'> },
): Promise<{ pass: string } | { faults: EntryFaults } | null> {
  const welcomeDetails = await findWelcome(deps, token)
  if (!welcomeDetails) return null
  const entryFaults = findEntryFaults(welcomeDetails, entered)
  if (welcomeDetails.kind === 'setup' && (await findUsedEmails(deps, [entered.email])).size > 0) entryFaults.email = 'email-taken'
  if (Object.keys(entryFaults).length > 0) return { faults: entryFaults }
  const passwordHash = await hashPassword(entered.password)
  const storeResult = await storeEnteredValues(deps, {
    token,
    welcome: welcomeDetails,
    entered: { ...entered, hash: passwordHash },
  })
  if (storeResult === null) return null
  if (storeResult === 'email-taken') return { faults: { email: 'email-taken' } }
  const storedAccount = await findAccount(deps, storeResult.id)
  await runAsActor({ ...from, id: storeResult.id }, async () => {
    if (storedAccount) await deps.onAccount({ kind: 'kept', account: storedAccount })
    await deps.onAccount({ kind: welcomeDetails.kind === 'setup' ? 'first-admin-made' : 'password-set', id: storeResult.id })
  })
  return { pass: storeResult.pass }
}

/** The change that an email link confirms; null if the link no longer works. */
export async function findEmailChange(deps: AccountDeps, token: string): Promise<{ name: string; email: string } | null> {
  const emailTicket = await readTicket(deps, ['email'], token)
  const ticketOwner = emailTicket?.personId ? await findPerson(deps, emailTicket.personId) : null
  return ticketOwner && emailTicket?.email && canChangeEmail(ticketOwner, emailTicket)
    ? { name: ticketOwner.username, email: emailTicket.email }
    : null
}

/** False if the person was signed out or deactivated since the request, which must then be repeated. */
const canChangeEmail = (person: Person, ticket: { epoch: number | null }): boolean =>
  !person.deactivatedAt && ticket.epoch === person.epoch

/** Confirms the new address of an account: all sessions and earlier links end, and the previous address is notified. */
export async function confirmEmail(
  deps: AccountDeps,
  token: string,
  requestOrigin: Omit<Actor, 'id'>,
): Promise<'changed' | 'gone' | 'taken'> {
  const changeResult = await inTransaction(deps.db, async (trx) => {
    const emailTicket = await takeTicket({ db: trx }, ['email'], token)
    if (!emailTicket?.personId || emailTicket.email === null) return 'gone' as const
    await lockPerson(trx, emailTicket.personId)
    const previousPerson = await findPerson({ db: trx }, emailTicket.personId)
    if (!previousPerson || !canChangeEmail(previousPerson, emailTicket)) return 'gone' as const
    await saveEmail(trx, previousPerson, emailTicket.email)
    return { before: previousPerson, to: emailTicket.email }
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'person_email') || isUniqueViolation(error, 'person_username')) return 'taken' as const
    throw error
  })
  if (typeof changeResult === 'string') return changeResult
  const { before: previousPerson, to: newEmail } = changeResult
  const { id, email, username } = previousPerson
  // Sent first: the previous address must be notified even if a later step fails.
  if (email !== null && email.toLowerCase() !== newEmail.toLowerCase())
    sendWarning(deps, id, { kind: 'email-changed', receiver: email, name: username })
  const changedAccount = await findAccount(deps, id)
  await runAsActor({ ...requestOrigin, id }, async () => {
    await deps.onAccount({ kind: 'email-changed', id })
    if (changedAccount) await deps.onAccount({ kind: 'kept', account: changedAccount })
  })
  return 'changed'
}

/** A link that creates the first administrator; null if an administrator can already sign in. */
export async function createSetupLink(deps: AccountDeps): Promise<string | null> {
  if (await hasAdmin(deps)) return null
  return deps.buildLink('welcome', (await issueTicket(deps, 'setup', null)).token)
}

/** Maximum number of reset links per hour, by name and by network. */
const maxLinksPerHour = { name: 5, network: 50 }

/** Mails a link for a forgotten password. Neither the reply nor its timing reveals the result. */
export async function sendForgottenPasswordLink(
  deps: AccountDeps,
  resetRequest: { username: string; network: string; language: Language },
): Promise<void> {
  const attemptCounts = await Promise.all([
    countAttempt(deps, `forgot name:${resetRequest.username.toLowerCase()}`, 60),
    countAttempt(deps, `forgot network:${resetRequest.network}`, 60),
  ])
  if (attemptCounts[0] > maxLinksPerHour.name || attemptCounts[1] > maxLinksPerHour.network) return
  const sendLinkIfKnown = async () => {
    const namedPerson = await findPersonByName(deps, resetRequest.username)
    if (!namedPerson || namedPerson.deactivatedAt || namedPerson.email === null || !deps.sendMail) return
    const personAccount = await findAccount(deps, namedPerson.id)
    if (personAccount) await sendAccountLink(deps, personAccount, resetRequest.language)
  }
  void sendLinkIfKnown().catch((error: unknown) => deps.log(`forgotten password: ${String(error)}`))
}

import { EmailAddress } from '@clearway/contract/account/member/provider/schema.ts'
import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import * as z from 'zod/mini'
import { type Actor, actingAs } from '../../kit/actor.ts'
import { inTransaction, isTaken } from '../../kit/database.ts'
import { newId } from '../../kit/id.ts'
import { type AccountDeps, sendAccountLink, sendWarning } from '../account/service.ts'
import { findAccount, hasAdmin, saveEmail, saveOwnDetails, findUsedEmails } from '../account/store.ts'
import { hashPassword } from '../password.ts'
import { type PasswordFault, passwordFault } from '../password-rule.ts'
import { addPerson, countTry, findByName, findPerson, lockPerson, type Person } from '../store.ts'
import { dropTickets, issueTicket, putTicket, readTicket, takeTicket } from './store.ts'

/** What a link to set a password is for. */
const passwordKinds = ['setup', 'invite', 'reset'] as const
export type PasswordKind = (typeof passwordKinds)[number]

export type Welcome = {
  kind: PasswordKind
  /** Whose account it is; null where the first is to be made. */
  person: { id: string; username: string; firstName: string; lastName: string; email: string | null } | null
}

/** What a link leads to; null when it no longer works. */
export async function welcomeOf(deps: AccountDeps, token: string): Promise<Welcome | null> {
  const ticket = await readTicket(deps, passwordKinds, token)
  if (!ticket) return null
  const kind = ticket.kind as PasswordKind
  if (ticket.personId === null)
    return kind === 'setup' && !(await hasAdmin(deps)) ? { kind, person: null } : null
  const person = await findPerson(deps, ticket.personId)
  return person && !person.deactivatedAt ? { kind, person } : null
}

export type Entered = { firstName: string; lastName: string; email: string; password: string }
export type EntryFault = 'required' | 'bad-email' | 'email-taken' | PasswordFault
export type Faults = Partial<Record<keyof Entered, EntryFault>>

function faultsIn(welcome: Welcome, entered: Entered): Faults {
  const faults: Faults = {}
  if (welcome.kind !== 'reset')
    for (const name of ['firstName', 'lastName'] as const) if (!entered[name]) faults[name] = 'required'
  if (welcome.kind === 'setup' && !z.safeParse(EmailAddress, entered.email).success)
    faults.email = entered.email ? 'bad-email' : 'required'
  const known = welcome.person ?? { username: '', firstName: '', lastName: '', email: null }
  const names = [known.username, known.email, entered.email, entered.firstName, entered.lastName]
  const own = welcome.kind === 'reset' ? [...names, known.firstName, known.lastName] : names
  const fault = entered.password ? passwordFault(entered.password, own) : 'required'
  if (fault) faults.password = fault
  return faults
}

/** Makes the first administrator; null when somebody has taken that address meanwhile. */
async function setUp(
  trx: AccountDeps['db'],
  { email, firstName, lastName }: Entered,
  password: string,
): Promise<string | null> {
  const id = newId()
  const person = { id, username: email, email, firstName, lastName, roles: getRoleClaims('admin'), password }
  if (!(await addPerson({ db: trx }, person))) return null
  await dropTickets({ db: trx }, 'setup')
  return id
}

/** Takes the transaction back: the link stays as good as it was. */
const emailTaken = new Error('email taken')

/** Uses the link up and keeps what was entered, or does neither. Null when the link no longer works. */
const keepEntered = (
  deps: AccountDeps,
  { token, welcome, entered }: { token: string; welcome: Welcome; entered: Entered & { hash: string } },
): Promise<{ id: string; pass: string } | 'email-taken' | null> =>
  inTransaction(deps.db, async (trx) => {
    if (!(await takeTicket({ db: trx }, passwordKinds, token))) return null
    const { person } = welcome
    const id = person ? person.id : await setUp(trx, entered, entered.hash)
    if (id === null) throw emailTaken
    if (person) {
      const { firstName, lastName } = welcome.kind === 'invite' ? entered : person
      await saveOwnDetails(trx, id, { firstName, lastName, password: entered.hash })
    }
    return { id, pass: (await putTicket(trx, { kind: 'pass', personId: id })).token }
  }).catch((error: unknown) => {
    if (error === emailTaken) return 'email-taken' as const
    throw error
  })

/**
 * Takes what somebody entered on the page of a link. The link is used up only when all of it is right.
 * @returns a pass for the sign-in that follows, what is wrong, or null when the link no longer works
 */
export async function enter(
  deps: AccountDeps,
  { token, entered, from }: { token: string; entered: Entered; from: Omit<Actor, 'id'> },
): Promise<{ pass: string } | { faults: Faults } | null> {
  const welcome = await welcomeOf(deps, token)
  if (!welcome) return null
  const faults = faultsIn(welcome, entered)
  if (welcome.kind === 'setup' && (await findUsedEmails(deps, [entered.email])).size > 0)
    faults.email = 'email-taken'
  if (Object.keys(faults).length > 0) return { faults }
  const hash = await hashPassword(entered.password)
  const kept = await keepEntered(deps, { token, welcome, entered: { ...entered, hash } })
  if (kept === null) return null
  if (kept === 'email-taken') return { faults: { email: 'email-taken' } }
  const account = await findAccount(deps, kept.id)
  await actingAs({ ...from, id: kept.id }, async () => {
    if (account) await deps.onAccount({ kind: 'kept', account })
    await deps.onAccount({
      kind: welcome.kind === 'setup' ? 'first-admin-made' : 'password-set',
      id: kept.id,
    })
  })
  return { pass: kept.pass }
}

/** What a link to a new address changes; null when it no longer works. */
export async function newEmailOf(
  deps: AccountDeps,
  token: string,
): Promise<{ name: string; email: string } | null> {
  const ticket = await readTicket(deps, ['email'], token)
  const person = ticket?.personId ? await findPerson(deps, ticket.personId) : null
  return person && ticket?.email && mayMove(person, ticket)
    ? { name: person.username, email: ticket.email }
    : null
}

/** Whoever was signed out or deactivated since they asked has to ask again. */
const mayMove = (person: Person, ticket: { epoch: number | null }): boolean =>
  !person.deactivatedAt && ticket.epoch === person.epoch

/**
 * Makes the address that a link was sent to that of the account. All sessions end, and the address of before is notified: links
 * that went there are good no more.
 */
export async function confirmEmail(
  deps: AccountDeps,
  token: string,
  from: Omit<Actor, 'id'>,
): Promise<'changed' | 'gone' | 'taken'> {
  const changed = await inTransaction(deps.db, async (trx) => {
    const ticket = await takeTicket({ db: trx }, ['email'], token)
    if (!ticket?.personId || ticket.email === null) return 'gone' as const
    await lockPerson(trx, ticket.personId)
    const before = await findPerson({ db: trx }, ticket.personId)
    if (!before || !mayMove(before, ticket)) return 'gone' as const
    await saveEmail(trx, before, ticket.email)
    return { before, to: ticket.email }
  }).catch((error: unknown) => {
    if (isTaken(error, 'person_email') || isTaken(error, 'person_username')) return 'taken' as const
    throw error
  })
  if (typeof changed === 'string') return changed
  const { before, to } = changed
  const { id, email, username } = before
  // First of all: whatever fails below, whose address it was is notified.
  if (email !== null && email.toLowerCase() !== to.toLowerCase())
    sendWarning(deps, id, { kind: 'email-changed', receiver: email, name: username })
  const account = await findAccount(deps, id)
  await actingAs({ ...from, id }, async () => {
    await deps.onAccount({ kind: 'email-changed', id })
    if (account) await deps.onAccount({ kind: 'kept', account })
  })
  return 'changed'
}

/** A link that makes the first administrator; null when there is one who can sign in. */
export async function setupLink(deps: AccountDeps): Promise<string | null> {
  if (await hasAdmin(deps)) return null
  return deps.buildLink('welcome', (await issueTicket(deps, 'setup', null)).token)
}

/** Links that may be asked for one name, and from one network, in an hour. */
const most = { name: 5, network: 50 }

/** Mails a link to somebody who forgot their password. The answer tells nothing of it, not even by how long it takes. */
export async function forgot(
  deps: AccountDeps,
  asked: { username: string; network: string; language: Language },
): Promise<void> {
  const tries = await Promise.all([
    countTry(deps, `forgot name:${asked.username.toLowerCase()}`, 60),
    countTry(deps, `forgot network:${asked.network}`, 60),
  ])
  if (tries[0] > most.name || tries[1] > most.network) return
  const work = async () => {
    const person = await findByName(deps, asked.username)
    if (!person || person.deactivatedAt || person.email === null || !deps.sendMail) return
    const account = await findAccount(deps, person.id)
    if (account) await sendAccountLink(deps, account, asked.language)
  }
  void work().catch((error: unknown) => deps.log(`forgotten password: ${String(error)}`))
}

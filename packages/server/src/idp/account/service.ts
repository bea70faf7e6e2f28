import type {
  Account,
  AccountImportFault,
  AccountImportReply,
  Issued,
} from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { getRoleClaims, roles } from '@clearway/contract/kit/permission.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { Kysely } from 'kysely'
import { inThread } from '../../kit/thread-pool.ts'
import { type Refusal, refuse } from '../../kit/http/answer.ts'
import { newId } from '../../kit/id.ts'
import type { Letter } from '../../kit/mail.ts'
import { pageReply } from '../../kit/paging.ts'
import { dropFactors } from '../factor/store.ts'
import { linkLetter, warningLetter } from '../letter.ts'
import { addPerson, endSessions, findPerson } from '../store.ts'
import type { IdpTables } from '../table.ts'
import { issueTicket } from '../ticket/store.ts'
import { readAccounts } from './import.ts'
import {
  type Changed,
  deactivate,
  findAccount,
  keepRole,
  listAccounts,
  reactivate,
  removeAccount,
  takenEmails,
} from './store.ts'

/** What became of an account: for the audit log, and for whoever keeps a copy. */
export type AccountEvent =
  | { kind: 'kept'; account: Account }
  | { kind: 'deleted'; id: string }
  | {
      kind:
        | 'link-made'
        | 'first-admin-made'
        | 'sessions-ended'
        | 'password-set'
        | 'email-asked'
        | 'email-changed'
        | 'second-factor-changed'
        | 'second-factor-removed'
        | 'codes-guessed'
      id: string
    }

export type AccountDeps = {
  db: Kysely<IdpTables>
  /** Where the links lead: the page on which a password is set, or on which an address is confirmed. */
  linkTo: (page: 'welcome' | 'email', token: string) => string
  product: string
  /** Null where no mail server is set. */
  sendMail: ((letter: Letter) => Promise<void>) | null
  mailLanguage: Language
  /** Whether administrators need a second factor. */
  adminsNeedSecond: boolean
  /** Called after a change is stored. */
  onAccount: (event: AccountEvent) => Promise<void>
  log: (message: string) => void
}

/** Whether somebody's roles need a second factor. */
export const needsSecond = (
  deps: Pick<AccountDeps, 'adminsNeedSecond'>,
  person: { roles: readonly string[] },
): boolean => deps.adminsNeedSecond && person.roles.includes(roles.admin.claim)

export async function accountsFor(deps: AccountDeps, query: { page: number; size: number }) {
  const { rows, total } = await listAccounts(deps, query)
  return pageReply(rows, total, query)
}

/** Makes a link for somebody, and mails it where that can be done. One that did not go out is answered instead. */
export async function sendLink(
  deps: AccountDeps,
  account: Pick<Account, 'id' | 'state'>,
  language: Language = deps.mailLanguage,
): Promise<Issued> {
  const { id } = account
  const kind = account.state === 'invited' ? 'invite' : 'reset'
  const { token, expiresAt } = await issueTicket(deps, kind, id)
  // Read once the link is there: a change of address after that ends the link, so none goes to the old address.
  const email = (await findPerson(deps, id))?.email ?? null
  const link = deps.linkTo('welcome', token)
  const answer = { id, email, expiresAt: expiresAt.toISOString() }
  await deps.onAccount({ kind: 'link-made', id })
  if (!deps.sendMail || email === null) return { ...answer, link }
  const letter = linkLetter({ kind, receiver: email, product: deps.product, link, expiresAt, language })
  try {
    await deps.sendMail(letter)
    return { ...answer, link: null }
  } catch (error) {
    deps.log(`mail to ${id}: ${error instanceof Error ? error.message : String(error)}`)
    return { ...answer, link }
  }
}

type Invited = { email: string; role: MemberRole; firstName?: string; lastName?: string }

/** Makes an account without a password; null when somebody has that address. */
async function addInvited(deps: AccountDeps, invited: Invited): Promise<Account | null> {
  const id = newId()
  const { email, role, firstName = '', lastName = '' } = invited
  const person = { id, username: email, firstName, lastName, email, roles: getRoleClaims(role), password: '' }
  if (!(await addPerson(deps, person))) return null
  const account = (await findAccount(deps, id))!
  await deps.onAccount({ kind: 'kept', account })
  return account
}

export async function invite(deps: AccountDeps, invited: Invited): Promise<Issued | Refusal> {
  const taken = await takenEmails(deps, [invited.email])
  const account = taken.size > 0 ? null : await addInvited(deps, invited)
  const errors = [{ path: 'email', code: 'name-taken' as const, params: { value: invited.email } }]
  return account ? sendLink(deps, account) : refuse('name-taken', { errors })
}

const reader = new URL('./import.ts', import.meta.url).href

/** Invites everybody in a CSV file, or nobody when one of them cannot be. With `check` it only says which. */
export async function importAccounts(
  deps: AccountDeps,
  file: { content: string; check: boolean },
): Promise<AccountImportReply> {
  const { accounts, errors } = await inThread(readAccounts, reader, file.content)
  const taken = await takenEmails(
    deps,
    accounts.map(({ email }) => email),
  )
  const found = accounts.filter(({ email }) => taken.has(email.toLowerCase()))
  const faults = [
    ...errors,
    ...found.map(({ line, email }): AccountImportFault => ({ line, code: 'email-taken', value: email })),
  ].sort((a, b) => a.line - b.line)
  if (faults.length > 0) return { success: false, errors: faults.slice(0, 1000) }
  const lines = accounts.map(({ line, email, role }) => ({ line, email, role }))
  const invited: Issued[] = []
  // A mail server that fails once is not waited for a thousand times.
  let mailing = deps
  if (!file.check)
    for (const one of accounts) {
      const account = await addInvited(deps, one)
      // Somebody who got an account since is left alone.
      if (!account) continue
      const issued = await sendLink(mailing, account)
      invited.push(issued)
      if (issued.link !== null) mailing = { ...deps, sendMail: null }
    }
  return { success: true, lines, invited }
}

/** Notifies of a changed account; refuses what could not be. */
async function notified(deps: AccountDeps, id: string, changed: Changed): Promise<Account | Refusal> {
  if (changed !== 'changed') return refuse(changed)
  const account = await findAccount(deps, id)
  if (!account) return refuse('not-found')
  await deps.onAccount({ kind: 'kept', account })
  return account
}

/** Changes a role. One that needs a second factor ends the sessions that were begun without having to show one. */
export async function changeRole(deps: AccountDeps, id: string, role: MemberRole) {
  const before = await findPerson(deps, id)
  if (!before) return refuse('not-found')
  const signOut = needsSecond(deps, { roles: getRoleClaims(role) }) && !needsSecond(deps, before)
  return notified(deps, id, await keepRole(deps, id, { role, signOut }))
}

export const deactivateAccount = async (deps: AccountDeps, id: string) =>
  notified(deps, id, await deactivate(deps, id))

export const reactivateAccount = async (deps: AccountDeps, id: string) =>
  notified(deps, id, (await reactivate(deps, id)) ? 'changed' : 'not-found')

export async function deleteAccount(deps: AccountDeps, id: string): Promise<void | Refusal> {
  const removed = await removeAccount(deps, id)
  if (removed !== 'changed') return refuse(removed)
  await deps.onAccount({ kind: 'deleted', id })
}

export async function resetAccount(deps: AccountDeps, id: string): Promise<Issued | Refusal> {
  const account = await findAccount(deps, id)
  if (!account) return refuse('not-found')
  return sendLink(deps, account)
}

/** Removes the second factor that somebody has lost. One's own is removed by showing it. */
export async function removeSecondFactor(
  deps: AccountDeps,
  id: string,
  callerId: string,
): Promise<Account | Refusal> {
  if (id === callerId) return refuse('access-denied')
  if (!(await dropFactors(deps, id))) return refuse('not-found')
  await deps.onAccount({ kind: 'second-factor-removed', id })
  return notified(deps, id, 'changed')
}

/** Mails a warning to somebody. How the mail server is must not show in how long a form takes: nobody waits for it. */
export function warn(
  deps: AccountDeps,
  id: string,
  warning: Pick<Parameters<typeof warningLetter>[0], 'kind' | 'receiver' | 'name'>,
): void {
  const { product, mailLanguage } = deps
  void deps
    .sendMail?.(warningLetter({ ...warning, product, language: mailLanguage }))
    .catch((error: unknown) => deps.log(`mail to ${id}: ${String(error)}`))
}

/** Records that codes of somebody's second factor were guessed until none is taken any more, and mails the owner. */
export async function notifyOfGuessing(deps: AccountDeps, id: string): Promise<void> {
  await deps.onAccount({ kind: 'codes-guessed', id })
  const email = (await findAccount(deps, id))?.email
  if (email) warn(deps, id, { kind: 'guessed', receiver: email })
}

export async function endAllSessions(deps: AccountDeps, id: string): Promise<void | Refusal> {
  if (!(await findAccount(deps, id))) return refuse('not-found')
  await endSessions(deps.db, id)
  await deps.onAccount({ kind: 'sessions-ended', id })
}

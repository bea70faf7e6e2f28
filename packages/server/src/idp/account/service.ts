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
import { runInThread } from '../../kit/thread-pool.ts'
import { type Refusal, refuse } from '../../kit/http/answer.ts'
import { createId } from '../../kit/id.ts'
import type { Letter } from '../../kit/mail.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { removeAllFactors } from '../factor/store.ts'
import { buildLinkLetter, buildWarningLetter } from '../letter.ts'
import { addPerson, endSessions, findPerson } from '../store.ts'
import type { IdpTables } from '../table.ts'
import { issueTicket } from '../ticket/store.ts'
import { parseAccounts } from './import.ts'
import {
  type AccountChangeResult,
  deactivatePerson,
  findAccount,
  saveRole,
  listAccounts,
  reactivatePerson,
  removeAccount,
  findUsedEmails,
} from './store.ts'

/** A change of an account: for the audit log and for copies of the accounts. */
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
  /** Builds the URL of the page on which a password is set or an address is confirmed. */
  buildLink: (page: 'welcome' | 'email', token: string) => string
  product: string
  /** Null if no mail server is configured. */
  sendMail: ((letter: Letter) => Promise<void>) | null
  mailLanguage: Language
  adminsRequireSecondFactor: boolean
  onAccount: (event: AccountEvent) => Promise<void>
  log: (message: string) => void
}

export const requiresSecondFactor = (
  deps: Pick<AccountDeps, 'adminsRequireSecondFactor'>,
  person: { roles: readonly string[] },
): boolean => deps.adminsRequireSecondFactor && person.roles.includes(roles.admin.claim)

export async function getAccountsPage(deps: AccountDeps, query: { page: number; size: number }) {
  const { rows: accountRows, total: totalAccounts } = await listAccounts(deps, query)
  return buildPageReply(accountRows, totalAccounts, query)
}

/** Creates a link and mails it if possible. A link that was not mailed is returned instead. */
export async function sendAccountLink(
  deps: AccountDeps,
  account: Pick<Account, 'id' | 'state'>,
  language: Language = deps.mailLanguage,
): Promise<Issued> {
  const { id } = account
  const linkKind = account.state === 'invited' ? 'invite' : 'reset'
  const { token: ticketToken, expiresAt } = await issueTicket(deps, linkKind, id)
  // Read after the link is created: a later change of address ends the link, so none goes to the old address.
  const receiverEmail = (await findPerson(deps, id))?.email ?? null
  const accountLink = deps.buildLink('welcome', ticketToken)
  const issuedLink = { id, email: receiverEmail, expiresAt: expiresAt.toISOString() }
  await deps.onAccount({ kind: 'link-made', id })
  if (!deps.sendMail || receiverEmail === null) return { ...issuedLink, link: accountLink }
  const accountLetter = buildLinkLetter({
    kind: linkKind,
    receiver: receiverEmail,
    product: deps.product,
    link: accountLink,
    expiresAt,
    language,
  })
  try {
    await deps.sendMail(accountLetter)
    return { ...issuedLink, link: null }
  } catch (error) {
    deps.log(`mail to ${id}: ${error instanceof Error ? error.message : String(error)}`)
    return { ...issuedLink, link: accountLink }
  }
}

type InvitedPerson = { email: string; role: MemberRole; firstName?: string; lastName?: string }

/** Creates an account without a password; null if the address is already in use. */
async function addInvitedAccount(deps: AccountDeps, invitedPerson: InvitedPerson): Promise<Account | null> {
  const personId = createId()
  const { email, role, firstName = '', lastName = '' } = invitedPerson
  const newPerson = { id: personId, username: email, firstName, lastName, email, roles: getRoleClaims(role), password: '' }
  if (!(await addPerson(deps, newPerson))) return null
  const createdAccount = (await findAccount(deps, personId))!
  await deps.onAccount({ kind: 'kept', account: createdAccount })
  return createdAccount
}

export async function inviteAccount(deps: AccountDeps, invitedPerson: InvitedPerson): Promise<Issued | Refusal> {
  const usedEmails = await findUsedEmails(deps, [invitedPerson.email])
  const createdAccount = usedEmails.size > 0 ? null : await addInvitedAccount(deps, invitedPerson)
  const fieldErrors = [{ path: 'email', code: 'name-taken' as const, params: { value: invitedPerson.email } }]
  return createdAccount ? sendAccountLink(deps, createdAccount) : refuse('name-taken', { errors: fieldErrors })
}

const importModuleUrl = new URL('./import.ts', import.meta.url).href

/** Invites all people of a CSV file, or none if one of them cannot be invited. With `check` it only reports the faults. */
export async function importAccounts(
  deps: AccountDeps,
  importFile: { content: string; check: boolean },
): Promise<AccountImportReply> {
  const { accounts: importedAccounts, errors: parseFaults } = await runInThread(
    parseAccounts,
    importModuleUrl,
    importFile.content,
  )
  const usedEmails = await findUsedEmails(
    deps,
    importedAccounts.map(({ email }) => email),
  )
  const alreadyUsedAccounts = importedAccounts.filter(({ email }) => usedEmails.has(email.toLowerCase()))
  const importFaults = [
    ...parseFaults,
    ...alreadyUsedAccounts.map(({ line, email }): AccountImportFault => ({ line, code: 'email-taken', value: email })),
  ].sort((a, b) => a.line - b.line)
  if (importFaults.length > 0) return { success: false, errors: importFaults.slice(0, 1000) }
  const importedLines = importedAccounts.map(({ line, email, role }) => ({ line, email, role }))
  const invitedAccounts: Issued[] = []
  // After the first failure no mail is sent: waiting for the mail server a thousand times would take too long.
  let mailingDeps = deps
  if (!importFile.check)
    for (const importedAccount of importedAccounts) {
      const createdAccount = await addInvitedAccount(deps, importedAccount)
      // Skips people who got an account since the check.
      if (!createdAccount) continue
      const issuedLink = await sendAccountLink(mailingDeps, createdAccount)
      invitedAccounts.push(issuedLink)
      if (issuedLink.link !== null) mailingDeps = { ...deps, sendMail: null }
    }
  return { success: true, lines: importedLines, invited: invitedAccounts }
}

/** Reports a changed account, or refuses if the change failed. */
async function reportChange(deps: AccountDeps, id: string, changeResult: AccountChangeResult): Promise<Account | Refusal> {
  if (changeResult !== 'changed') return refuse(changeResult)
  const changedAccount = await findAccount(deps, id)
  if (!changedAccount) return refuse('not-found')
  await deps.onAccount({ kind: 'kept', account: changedAccount })
  return changedAccount
}

/** Changes a role. If only the new role requires a second factor, sessions that began without one end. */
export async function changeRole(deps: AccountDeps, id: string, role: MemberRole) {
  const previousPerson = await findPerson(deps, id)
  if (!previousPerson) return refuse('not-found')
  const shouldSignOut = requiresSecondFactor(deps, { roles: getRoleClaims(role) }) && !requiresSecondFactor(deps, previousPerson)
  return reportChange(deps, id, await saveRole(deps, id, { role, signOut: shouldSignOut }))
}

export const deactivateAccount = async (deps: AccountDeps, id: string) => reportChange(deps, id, await deactivatePerson(deps, id))

export const reactivateAccount = async (deps: AccountDeps, id: string) =>
  reportChange(deps, id, (await reactivatePerson(deps, id)) ? 'changed' : 'not-found')

export async function deleteAccount(deps: AccountDeps, id: string): Promise<void | Refusal> {
  const removeResult = await removeAccount(deps, id)
  if (removeResult !== 'changed') return refuse(removeResult)
  await deps.onAccount({ kind: 'deleted', id })
}

export async function resetAccount(deps: AccountDeps, id: string): Promise<Issued | Refusal> {
  const existingAccount = await findAccount(deps, id)
  if (!existingAccount) return refuse('not-found')
  return sendAccountLink(deps, existingAccount)
}

/** Removes a second factor that the owner has lost. Callers cannot remove their own this way: that requires proof. */
export async function removeSecondFactor(deps: AccountDeps, id: string, callerId: string): Promise<Account | Refusal> {
  if (id === callerId) return refuse('access-denied')
  if (!(await removeAllFactors(deps, id))) return refuse('not-found')
  await deps.onAccount({ kind: 'second-factor-removed', id })
  return reportChange(deps, id, 'changed')
}

/** Mails a warning without waiting for it: response times must not reveal the state of the mail server. */
export function sendWarning(
  deps: AccountDeps,
  id: string,
  warning: Pick<Parameters<typeof buildWarningLetter>[0], 'kind' | 'receiver' | 'name'>,
): void {
  const { product, mailLanguage } = deps
  void deps
    .sendMail?.(buildWarningLetter({ ...warning, product, language: mailLanguage }))
    .catch((error: unknown) => deps.log(`mail to ${id}: ${String(error)}`))
}

/** Records that the code limit was reached by guessing, and warns the owner by mail. */
export async function reportCodeGuessing(deps: AccountDeps, id: string): Promise<void> {
  await deps.onAccount({ kind: 'codes-guessed', id })
  const ownerEmail = (await findAccount(deps, id))?.email
  if (ownerEmail) sendWarning(deps, id, { kind: 'guessed', receiver: ownerEmail })
}

export async function endAllSessions(deps: AccountDeps, id: string): Promise<void | Refusal> {
  if (!(await findAccount(deps, id))) return refuse('not-found')
  await endSessions(deps.db, id)
  await deps.onAccount({ kind: 'sessions-ended', id })
}

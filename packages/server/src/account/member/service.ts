import { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { Directory, Member, PersonListQuery } from '@clearway/contract/account/member/schema.ts'
import { createPageSchema } from '@clearway/contract/kit/paging.ts'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import type { Caller } from '../../kit/http/answer.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'
import { recordAgreement, storeAccounts, listMembers, listPeople, recordMember } from './store.ts'

export type MemberDeps = {
  db: AccountDb
  terms: { version: string }
  directory: DirectoryDeps['directory']
  /** Called with the person and the version of the terms that they agreed to. */
  onAgreed: (personId: string, version: string) => Promise<void>
}

/** People are managed by the embedded provider at `providerUrl`, or by an external one at `manageUrl`. */
export type DirectoryDeps = {
  db: AccountDb
  directory: { providerUrl: string | null; manageUrl: string | null }
  log: (message: string) => void
}

export const getDirectory = ({ directory }: DirectoryDeps): Directory => ({
  embedded: directory.providerUrl !== null,
  manageUrl: directory.manageUrl,
})

const providerTimeoutMs = 10_000

/** Copies the accounts of the embedded provider, as the caller; if it is unavailable, the previous copy stays. */
async function copyAccounts(deps: DirectoryDeps, authorization: string): Promise<void> {
  const { providerUrl } = deps.directory
  if (providerUrl === null) return
  try {
    const accountsReply = await fetch(`${providerUrl}/accounts?size=0`, {
      headers: { authorization },
      signal: AbortSignal.timeout(providerTimeoutMs),
    })
    if (!accountsReply.ok) throw new Error(`it answers ${accountsReply.status}`)
    await storeAccounts(deps, z.parse(createPageSchema(Account), await accountsReply.json()).content)
  } catch (error) {
    deps.log(`identity provider, accounts: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export async function getPeoplePage(deps: DirectoryDeps, query: z.output<typeof PersonListQuery>, authorization: string) {
  await copyAccounts(deps, authorization)
  const { rows: people, total: totalPeople } = await listPeople(deps, query)
  return buildPageReply(people, totalPeople, query)
}

/** Returns the caller's account and creates it on the first call. A new version of the terms requires a new agreement. */
export async function getAccount(deps: Omit<MemberDeps, 'onAgreed'>, caller: Caller): Promise<Member> {
  const { id, username, firstName, lastName, email } = caller
  const callerProfile = { id, username, firstName, lastName, email }
  // Guests have no account.
  const memberRole = systemRoles.find((systemRole) => systemRole === caller.role) ?? 'outsider'
  const { agreedAt, agreedVersion, teams } = await recordMember(deps, {
    ...callerProfile,
    role: memberRole,
    isManaged: deps.directory.providerUrl !== null,
  })
  const isAgreementCurrent = agreedVersion === deps.terms.version
  return { ...callerProfile, agreedAt: isAgreementCurrent ? (agreedAt?.toISOString() ?? null) : null, teams }
}

export async function getMembersPage(deps: MemberDeps, query: { page: number; size: number; search?: string | undefined }) {
  const { rows: memberRows, total: totalMembers } = await listMembers(deps, query)
  return buildPageReply(memberRows, totalMembers, query)
}

export async function agreeToTerms(deps: MemberDeps, caller: Caller): Promise<void> {
  await getAccount(deps, caller)
  await recordAgreement(deps, caller.id, deps.terms.version)
  await deps.onAgreed(caller.id, deps.terms.version)
}

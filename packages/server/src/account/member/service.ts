import { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { Directory, Member, PersonListQuery } from '@clearway/contract/account/member/schema.ts'
import { createPageSchema } from '@clearway/contract/kit/paging.ts'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import type { Caller } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'
import { agree, keepAccounts, listMembers, listPeople, meet } from './store.ts'

export type MemberDeps = {
  db: AccountDb
  terms: { version: string }
  directory: DirectoryDeps['directory']
  /** Called with who agreed to which terms. */
  onAgreed: (personId: string, version: string) => Promise<void>
}

/** Who manages the people: the embedded provider at `providerUrl`, or another, at `manageUrl`. */
export type DirectoryDeps = {
  db: AccountDb
  directory: { providerUrl: string | null; manageUrl: string | null }
  log: (message: string) => void
}

export const directoryOf = ({ directory }: DirectoryDeps): Directory => ({
  embedded: directory.providerUrl !== null,
  manageUrl: directory.manageUrl,
})

const timeoutMs = 10_000

/** Copies the accounts of the embedded provider, in the name of whoever asks. While it is away the copy stays. */
async function copyAccounts(deps: DirectoryDeps, authorization: string): Promise<void> {
  const { providerUrl } = deps.directory
  if (providerUrl === null) return
  try {
    const reply = await fetch(`${providerUrl}/accounts?size=0`, {
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!reply.ok) throw new Error(`it answers ${reply.status}`)
    await keepAccounts(deps, z.parse(createPageSchema(Account), await reply.json()).content)
  } catch (error) {
    deps.log(`identity provider, accounts: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export async function peopleFor(
  deps: DirectoryDeps,
  query: z.output<typeof PersonListQuery>,
  authorization: string,
) {
  await copyAccounts(deps, authorization)
  const { rows, total } = await listPeople(deps, query)
  return pageReply(rows, total, query)
}

/** The caller's account; it is made at the first call. Terms of another version want a new agreement. */
export async function accountOf(deps: Omit<MemberDeps, 'onAgreed'>, caller: Caller): Promise<Member> {
  const { id, username, firstName, lastName, email } = caller
  const known = { id, username, firstName, lastName, email }
  // Guests have no account.
  const role = systemRoles.find((one) => one === caller.role) ?? 'outsider'
  const { agreedAt, agreedVersion, teams } = await meet(deps, {
    ...known,
    role,
    isManaged: deps.directory.providerUrl !== null,
  })
  const valid = agreedVersion === deps.terms.version
  return { ...known, agreedAt: valid ? (agreedAt?.toISOString() ?? null) : null, teams }
}

export async function membersFor(
  deps: MemberDeps,
  query: { page: number; size: number; search?: string | undefined },
) {
  const { rows, total } = await listMembers(deps, query)
  return pageReply(rows, total, query)
}

/** Agrees to the terms as they are now. */
export async function agreeToTerms(deps: MemberDeps, caller: Caller): Promise<void> {
  await accountOf(deps, caller)
  await agree(deps, caller.id, deps.terms.version)
  await deps.onAgreed(caller.id, deps.terms.version)
}

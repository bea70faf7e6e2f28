import type { Member } from '@clearway/contract/account/member/schema.ts'
import type { Caller } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'
import { agree, listMembers, meet } from './store.ts'

export type MemberDeps = {
  db: AccountDb
  terms: { version: string }
  /** Called with who agreed to which terms. */
  onAgreed: (personId: string, version: string) => Promise<void>
}

/** The caller's account; it is made when he first comes. Terms of another version want a new agreement. */
export async function accountOf(deps: Omit<MemberDeps, 'onAgreed'>, caller: Caller): Promise<Member> {
  const { id, username, firstName, lastName, email } = caller
  const known = { id, username, firstName, lastName, email }
  const { agreedAt, agreedVersion, teams } = await meet(deps, known)
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

import type { Member } from '@clearway/contract/account/member/schema.ts'
import type { Kysely } from 'kysely'
import type { Caller } from '../../kit/http/answer.ts'
import { meet } from './store.ts'
import type { AccountTables } from './table.ts'

export type MemberDeps = { db: Kysely<AccountTables> }

/** The caller's account; it is made when he first comes. */
export function accountOf(deps: MemberDeps, caller: Caller): Promise<Member> {
  const { id, username, firstName, lastName, email } = caller
  return meet(deps, { id, username, firstName, lastName, email })
}

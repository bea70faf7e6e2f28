import type { memberApi } from '@clearway/contract/account/member/api.ts'
import type { Kysely } from 'kysely'
import type { Handlers } from '../../kit/http/answer.ts'
import { meet } from './store.ts'
import type { AccountTables } from './table.ts'

/** Members of the account service over HTTP. */
export const memberHandlers = (deps: { db: Kysely<AccountTables> }): Handlers<typeof memberApi> => ({
  me: (_received, { caller }) => {
    const { id, username, firstName, lastName, email } = caller!
    return meet(deps, { id, username, firstName, lastName, email })
  },
})

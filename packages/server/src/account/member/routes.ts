import type { memberApi } from '@clearway/contract/account/member/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { accountOf, type MemberDeps, membersFor } from './service.ts'

/** Members of the account service over HTTP. */
export const memberHandlers = (deps: MemberDeps): Handlers<typeof memberApi> => ({
  me: (_received, { caller }) => accountOf(deps, caller!),
  listMembers: ({ query }) => membersFor(deps, query),
})

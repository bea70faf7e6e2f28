import type { memberApi } from '@clearway/contract/account/member/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  accountOf,
  type DirectoryDeps,
  directoryOf,
  type MemberDeps,
  membersFor,
  peopleFor,
} from './service.ts'

/** Members of the account service over HTTP. */
export const memberHandlers = (deps: MemberDeps & DirectoryDeps): Handlers<typeof memberApi> => ({
  me: (_received, { caller }) => accountOf(deps, caller!),
  listMembers: ({ query }) => membersFor(deps, query),
  listPeople: ({ query }, { authorization }) => peopleFor(deps, query, authorization),
  readDirectory: () => Promise.resolve(directoryOf(deps)),
})

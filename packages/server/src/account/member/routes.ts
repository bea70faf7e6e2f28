import type { memberApi } from '@clearway/contract/account/member/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { getAccount, type DirectoryDeps, getDirectory, type MemberDeps, getMembersPage, getPeoplePage } from './service.ts'

export const memberHandlers = (deps: MemberDeps & DirectoryDeps): Handlers<typeof memberApi> => ({
  me: (_received, { caller }) => getAccount(deps, caller!),
  listMembers: ({ query }) => getMembersPage(deps, query),
  listPeople: ({ query }, { authorization }) => getPeoplePage(deps, query, authorization),
  readDirectory: () => Promise.resolve(getDirectory(deps)),
})

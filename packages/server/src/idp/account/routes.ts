import type { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  type AccountDeps,
  getAccountsPage,
  changeRole,
  deactivateAccount,
  deleteAccount,
  endAllSessions,
  removeSecondFactor,
  importAccounts,
  inviteAccount,
  reactivateAccount,
  resetAccount,
} from './service.ts'

type AccountApi = Pick<
  typeof providerApi,
  | 'listAccounts'
  | 'inviteAccount'
  | 'importAccounts'
  | 'updateAccount'
  | 'deactivateAccount'
  | 'reactivateAccount'
  | 'deleteAccount'
  | 'resetAccount'
  | 'endAccountSessions'
  | 'removeAccountSecondFactor'
>

export const accountHandlers = (deps: AccountDeps): Handlers<AccountApi> => ({
  listAccounts: ({ query }) => getAccountsPage(deps, query),
  inviteAccount: ({ body }) => inviteAccount(deps, body),
  importAccounts: ({ body }) => importAccounts(deps, body),
  updateAccount: ({ params, body }) => changeRole(deps, params.id, body.role),
  deactivateAccount: ({ params }) => deactivateAccount(deps, params.id),
  reactivateAccount: ({ params }) => reactivateAccount(deps, params.id),
  deleteAccount: ({ params }) => deleteAccount(deps, params.id),
  resetAccount: ({ params }) => resetAccount(deps, params.id),
  removeAccountSecondFactor: ({ params }, { caller }) => removeSecondFactor(deps, params.id, caller!.id),
  endAccountSessions: ({ params }) => endAllSessions(deps, params.id),
})

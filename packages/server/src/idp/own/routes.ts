import type { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  changeName,
  changePassword,
  endOwnSession,
  endOwnSessions,
  offerOwnTotp,
  ownAccount,
  type OwnDeps,
  removeOwnTotp,
  renewOwnCodes,
  setUpOwnTotp,
} from './service.ts'

type OwnApi = Pick<
  typeof providerApi,
  | 'readOwnAccount'
  | 'updateOwnName'
  | 'changeOwnPassword'
  | 'endOwnSessions'
  | 'endOwnSession'
  | 'offerTotp'
  | 'setUpTotp'
  | 'removeTotp'
  | 'renewRecoveryCodes'
>

/** What people do with their own account, over HTTP. */
export const ownHandlers = (deps: OwnDeps): Handlers<OwnApi> => ({
  readOwnAccount: (_received, { caller }) => ownAccount(deps, caller!.id, caller!.session ?? ''),
  updateOwnName: ({ body }, { caller }) => changeName(deps, caller!.id, body),
  changeOwnPassword: ({ body }, { caller }) => changePassword(deps, caller!.id, body),
  endOwnSessions: (_received, { caller }) => endOwnSessions(deps, caller!.id),
  endOwnSession: ({ params }, { caller }) => endOwnSession(deps, caller!.id, params.id),
  offerTotp: (_received, { caller }) => offerOwnTotp(deps, caller!.id),
  setUpTotp: ({ body }, { caller }) => setUpOwnTotp(deps, caller!.id, body),
  removeTotp: ({ body }, { caller }) => removeOwnTotp(deps, caller!.id, body),
  renewRecoveryCodes: ({ body }, { caller }) => renewOwnCodes(deps, caller!.id, body),
})

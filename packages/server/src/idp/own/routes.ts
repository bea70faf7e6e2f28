import type { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  addOwnPasskey,
  requestEmailChange,
  requestOwnPasskeyOptions,
  changeOwnName,
  changeOwnPassword,
  endOwnSession,
  endOwnSessions,
  createOwnPasskeyOptions,
  offerOwnTotp,
  getOwnAccount,
  type OwnDeps,
  removeOwnFactor,
  renewOwnRecoveryCodes,
  setUpOwnTotp,
} from './service.ts'

type OwnApi = Pick<
  typeof providerApi,
  | 'readOwnAccount'
  | 'updateOwnName'
  | 'changeOwnEmail'
  | 'changeOwnPassword'
  | 'endOwnSessions'
  | 'endOwnSession'
  | 'offerTotp'
  | 'setUpTotp'
  | 'removeTotp'
  | 'renewRecoveryCodes'
  | 'askForPasskey'
  | 'offerPasskey'
  | 'addPasskey'
  | 'removePasskey'
>

export const ownHandlers = (deps: OwnDeps): Handlers<OwnApi> => ({
  readOwnAccount: (_received, { caller }) => getOwnAccount(deps, caller!.id, caller!.session ?? ''),
  updateOwnName: ({ body }, { caller }) => changeOwnName(deps, caller!.id, body),
  changeOwnEmail: ({ body }, { caller }) => requestEmailChange(deps, caller!.id, body),
  changeOwnPassword: ({ body }, { caller }) => changeOwnPassword(deps, caller!.id, body),
  endOwnSessions: (_received, { caller }) => endOwnSessions(deps, caller!.id),
  endOwnSession: ({ params }, { caller }) => endOwnSession(deps, caller!.id, params.id),
  offerTotp: (_received, { caller }) => offerOwnTotp(deps, caller!.id),
  setUpTotp: ({ body }, { caller }) => setUpOwnTotp(deps, caller!.id, body),
  removeTotp: ({ body }, { caller }) => removeOwnFactor(deps, caller!.id, { kind: 'totp' }, body),
  askForPasskey: (_received, { caller }) => requestOwnPasskeyOptions(deps, caller!.id),
  offerPasskey: ({ body }, { caller }) => createOwnPasskeyOptions(deps, caller!.id, body),
  addPasskey: ({ body }, { caller }) => addOwnPasskey(deps, caller!.id, body),
  removePasskey: ({ params, body }, { caller }) => removeOwnFactor(deps, caller!.id, { kind: 'passkey', id: params.id }, body),
  renewRecoveryCodes: ({ body }, { caller }) => renewOwnRecoveryCodes(deps, caller!.id, body),
})

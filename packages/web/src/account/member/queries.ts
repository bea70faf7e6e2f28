import { accountApi } from '@clearway/contract/account/api.ts'
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type {
  AccountImportBody,
  Confirmation,
  NewPasskey,
} from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { createClient } from '../../kit/client/client.ts'
import { paged } from '../../kit/list/search.ts'
import type { Session } from '../../monitor/user/model.ts'
import { useSession } from '../../monitor/user/model.ts'
import type { PeopleSearch } from './model.ts'
import { showPasskey } from './model-passkey.ts'

type Sorted = 'name' | 'email' | 'role' | 'state' | 'seenAt'

/** The calls of the account service. */
export const accountsOf = ({ deps, config }: Session) =>
  createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl })

/** The calls of the embedded identity provider. */
const providerOf = ({ deps, config }: Session) =>
  createClient(providerApi, { ...deps, baseUrl: `${config.keycloakUrl}/realms/${config.realmId}` })

/** One page of the list of people. */
export const peopleQuery = (session: Session, search: PeopleSearch) =>
  queryOptions({
    queryKey: ['people', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, order] = search.sort.split(',') as [Sorted, 'asc' | 'desc']
      const query = { ...paged(search), search: search.q || undefined, sortBy, order }
      return accountsOf(session).listPeople({ query: { ...query, state: search.state || undefined } }, signal)
    },
    placeholderData: keepPreviousData,
  })

/** Who manages the people. */
export const directoryQuery = (session: Session) =>
  queryOptions({
    queryKey: ['people', 'directory'],
    queryFn: ({ signal }) => accountsOf(session).readDirectory({}, signal),
    staleTime: Infinity,
  })

export const personActions = [
  'deactivate',
  'reactivate',
  'delete',
  'end-sessions',
  'remove-second-factor',
] as const
/** What is asked back before it is done to somebody. */
export type PersonAction = (typeof personActions)[number]

/** What administrators do with people; each refreshes the list. */
export function usePeopleActions() {
  const session = useSession()
  const provider = providerOf(session)
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['people', 'list'] })
  const calls: Record<PersonAction, (id: string) => Promise<unknown>> = {
    deactivate: (id) => provider.deactivateAccount({ params: { id } }),
    reactivate: (id) => provider.reactivateAccount({ params: { id } }),
    delete: (id) => provider.deleteAccount({ params: { id } }),
    'end-sessions': (id) => provider.endAccountSessions({ params: { id } }),
    'remove-second-factor': (id) => provider.removeAccountSecondFactor({ params: { id } }),
  }
  return {
    invite: useMutation({
      mutationFn: (body: { email: string; role: MemberRole }) => provider.inviteAccount({ body }),
      onSuccess,
    }),
    changeRole: useMutation({
      mutationFn: ({ id, role }: { id: string; role: MemberRole }) =>
        provider.updateAccount({ params: { id }, body: { role } }),
      onSuccess,
    }),
    makeLink: useMutation({
      mutationFn: (id: string) => provider.resetAccount({ params: { id } }),
      onSuccess,
    }),
    act: useMutation({
      mutationFn: ({ id, action }: { id: string; action: PersonAction }) => calls[action](id),
      onSuccess,
    }),
    upload: useMutation({
      mutationFn: (body: z.input<typeof AccountImportBody>) => provider.importAccounts({ body }),
      onSuccess,
    }),
  }
}

/** One's own account at the embedded identity provider. */
export const ownAccountQuery = (session: Session) =>
  queryOptions({
    queryKey: ['own-account'],
    queryFn: ({ signal }) => providerOf(session).readOwnAccount({}, signal),
  })

/** What people do with their own account. */
export function useOwnActions() {
  const provider = providerOf(useSession())
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['own-account'] })
  return {
    rename: useMutation({
      mutationFn: (body: { firstName: string; lastName: string }) => provider.updateOwnName({ body }),
      onSuccess,
    }),
    askForEmail: useMutation({
      mutationFn: (body: Confirmation & { email: string }) => provider.changeOwnEmail({ body }),
    }),
    // All sessions end with these, this one too: there is nothing to refresh.
    changePassword: useMutation({
      mutationFn: (body: { password: string; newPassword: string }) => provider.changeOwnPassword({ body }),
    }),
    endAll: useMutation({ mutationFn: () => provider.endOwnSessions({}) }),
    endOne: useMutation({
      mutationFn: (id: string) => provider.endOwnSession({ params: { id } }),
      onSuccess,
    }),
    offer: useMutation({ mutationFn: () => provider.offerTotp({}) }),
    setUp: useMutation({
      mutationFn: (body: Confirmation & { secret: string; code: string }) => provider.setUpTotp({ body }),
      onSuccess,
    }),
    turnOff: useMutation({ mutationFn: (body: Confirmation) => provider.removeTotp({ body }), onSuccess }),
    renewCodes: useMutation({
      mutationFn: (body: Confirmation) => provider.renewRecoveryCodes({ body }),
      onSuccess,
    }),
    /** Asks the browser for a passkey of this account: it confirms in the place of password and code. */
    showPasskey: useMutation({ mutationFn: async () => showPasskey(await provider.askForPasskey({})) }),
    offerPasskey: useMutation({ mutationFn: (body: Confirmation) => provider.offerPasskey({ body }) }),
    addPasskey: useMutation({
      mutationFn: (body: { name: string; passkey: NewPasskey }) => provider.addPasskey({ body }),
      onSuccess,
    }),
    removePasskey: useMutation({
      mutationFn: ({ id, given }: { id: string; given: Confirmation }) =>
        provider.removePasskey({ params: { id }, body: given }),
      onSuccess,
    }),
  }
}

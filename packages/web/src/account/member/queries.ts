import { accountApi } from '@clearway/contract/account/api.ts'
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import type { AccountImportBody, Confirmation, NewPasskey } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { createClient } from '../../kit/client/client.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type Session, useSession } from '../../monitor/user/model.ts'
import type { PeopleSearch } from './model.ts'
import { promptPasskey } from './model-passkey.ts'

type PeopleSortField = 'name' | 'email' | 'role' | 'state' | 'seenAt'

export const getAccountClient = ({ deps, config }: Session) =>
  createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl })

const getProviderClient = ({ deps, config }: Session) =>
  createClient(providerApi, { ...deps, baseUrl: `${config.keycloakUrl}/realms/${config.realmId}` })

export const peopleQuery = (session: Session, search: PeopleSearch) =>
  queryOptions({
    queryKey: ['people', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, sortOrder] = search.sort.split(',') as [PeopleSortField, 'asc' | 'desc']
      const listParams = { ...toServerPaging(search), search: search.q || undefined, sortBy, order: sortOrder }
      return getAccountClient(session).listPeople({ query: { ...listParams, state: search.state || undefined } }, signal)
    },
    placeholderData: keepPreviousData,
  })

/** Loads the directory that manages the people. */
export const directoryQuery = (session: Session) =>
  queryOptions({
    queryKey: ['people', 'directory'],
    queryFn: ({ signal }) => getAccountClient(session).readDirectory({}, signal),
    staleTime: Infinity,
  })

export const personActions = ['deactivate', 'reactivate', 'delete', 'end-sessions', 'remove-second-factor'] as const
/** An action that requires a confirmation. */
export type PersonAction = (typeof personActions)[number]

export function usePeopleActions() {
  const userSession = useSession()
  const providerClient = getProviderClient(userSession)
  const queryClient = useQueryClient()
  const refreshPeople = () => queryClient.invalidateQueries({ queryKey: ['people', 'list'] })
  const actionCalls: Record<PersonAction, (id: string) => Promise<unknown>> = {
    deactivate: (id) => providerClient.deactivateAccount({ params: { id } }),
    reactivate: (id) => providerClient.reactivateAccount({ params: { id } }),
    delete: (id) => providerClient.deleteAccount({ params: { id } }),
    'end-sessions': (id) => providerClient.endAccountSessions({ params: { id } }),
    'remove-second-factor': (id) => providerClient.removeAccountSecondFactor({ params: { id } }),
  }
  return {
    invitePerson: useMutation({
      mutationFn: (body: { email: string; role: MemberRole }) => providerClient.inviteAccount({ body }),
      onSuccess: refreshPeople,
    }),
    changeRole: useMutation({
      mutationFn: ({ id, role }: { id: string; role: MemberRole }) =>
        providerClient.updateAccount({ params: { id }, body: { role } }),
      onSuccess: refreshPeople,
    }),
    createLink: useMutation({
      mutationFn: (id: string) => providerClient.resetAccount({ params: { id } }),
      onSuccess: refreshPeople,
    }),
    runAction: useMutation({
      mutationFn: ({ id, action }: { id: string; action: PersonAction }) => actionCalls[action](id),
      onSuccess: refreshPeople,
    }),
    uploadPeople: useMutation({
      mutationFn: (body: z.input<typeof AccountImportBody>) => providerClient.importAccounts({ body }),
      onSuccess: refreshPeople,
    }),
  }
}

export const ownAccountQuery = (session: Session) =>
  queryOptions({ queryKey: ['own-account'], queryFn: ({ signal }) => getProviderClient(session).readOwnAccount({}, signal) })

export function useOwnActions() {
  const providerClient = getProviderClient(useSession())
  const queryClient = useQueryClient()
  const refreshAccount = () => queryClient.invalidateQueries({ queryKey: ['own-account'] })
  return {
    saveName: useMutation({
      mutationFn: (body: { firstName: string; lastName: string }) => providerClient.updateOwnName({ body }),
      onSuccess: refreshAccount,
    }),
    requestEmailChange: useMutation({
      mutationFn: (body: Confirmation & { email: string }) => providerClient.changeOwnEmail({ body }),
    }),
    // These end all sessions including this one, so there is nothing to refresh.
    changePassword: useMutation({
      mutationFn: (body: { password: string; newPassword: string }) => providerClient.changeOwnPassword({ body }),
    }),
    endAllSessions: useMutation({ mutationFn: () => providerClient.endOwnSessions({}) }),
    endSession: useMutation({
      mutationFn: (id: string) => providerClient.endOwnSession({ params: { id } }),
      onSuccess: refreshAccount,
    }),
    totpOffer: useMutation({ mutationFn: () => providerClient.offerTotp({}) }),
    setUpTotp: useMutation({
      mutationFn: (body: Confirmation & { secret: string; code: string }) => providerClient.setUpTotp({ body }),
      onSuccess: refreshAccount,
    }),
    turnOffTotp: useMutation({
      mutationFn: (body: Confirmation) => providerClient.removeTotp({ body }),
      onSuccess: refreshAccount,
    }),
    renewRecoveryCodes: useMutation({
      mutationFn: (body: Confirmation) => providerClient.renewRecoveryCodes({ body }),
      onSuccess: refreshAccount,
    }),
    /** Prompts the browser for a passkey of this account, which confirms instead of password and code. */
    promptPasskey: useMutation({ mutationFn: async () => promptPasskey(await providerClient.askForPasskey({})) }),
    requestOptions: useMutation({ mutationFn: (body: Confirmation) => providerClient.offerPasskey({ body }) }),
    savePasskey: useMutation({
      mutationFn: (body: { name: string; passkey: NewPasskey }) => providerClient.addPasskey({ body }),
      onSuccess: refreshAccount,
    }),
    removePasskey: useMutation({
      mutationFn: ({ id, confirmation }: { id: string; confirmation: Confirmation }) =>
        providerClient.removePasskey({ params: { id }, body: confirmation }),
      onSuccess: refreshAccount,
    }),
  }
}

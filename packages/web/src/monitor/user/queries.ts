import { accountApi } from '@clearway/contract/account/api.ts'
import type { UserId } from '@clearway/contract/kit/id.ts'
import type { NewApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import type { OwnSettings } from '@clearway/contract/monitor/user/schema.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/fetch-all-pages.ts'
import { createClient } from '../../kit/client/client.ts'
import { type MonitorApi, type Session, useSession } from './model.ts'

/** Loads people who have signed in, for selection; labeled by name, or by username. */
export async function fetchMembersByName({ deps, config }: Session, signal: AbortSignal) {
  const accountClient = createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl })
  const allMembers = await fetchAllPages((paging) => accountClient.listMembers({ query: paging }, signal))
  return allMembers.map(({ id, username, firstName, lastName }) => ({
    id: id as UserId,
    name: firstName || lastName ? `${firstName} ${lastName}`.trim() + ` (${username})` : username,
  }))
}

export const ownSettingsQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['own-settings'], queryFn: ({ signal }) => apiClient.readOwnSettings({}, signal) })

export function useSaveOwnSettings() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: OwnSettings) => apiClient.updateOwnSettings({ body }),
    onSuccess: (storedSettings) => queryClient.setQueryData(ownSettingsQuery(apiClient).queryKey, storedSettings),
  })
}

export const apiKeysQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['api-keys'], queryFn: ({ signal }) => apiClient.listApiKeys({}, signal) })

export function useApiKeyActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] })
  return {
    createMutation: useMutation({
      mutationFn: (body: z.input<typeof NewApiKey>) => apiClient.createApiKey({ body }),
      onSuccess: refreshKeys,
    }),
    revokeMutation: useMutation({
      mutationFn: (id: string) => apiClient.deleteApiKey({ params: { id } }),
      onSuccess: refreshKeys,
    }),
  }
}

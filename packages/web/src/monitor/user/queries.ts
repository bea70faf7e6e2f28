import { accountApi } from '@clearway/contract/account/api.ts'
import type { UserId } from '@clearway/contract/kit/id.ts'
import type { NewApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import type { OwnSettings } from '@clearway/contract/monitor/user/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/every-page.ts'
import { createClient } from '../../kit/client/client.ts'
import type { MonitorApi, Session } from './model.ts'
import { useSession } from './model.ts'

/** People who have signed in once, to choose from: by their name, else by their user name. */
export async function membersByName({ deps, config }: Session, signal: AbortSignal) {
  const account = createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl })
  const people = await fetchAllPages((paging) => account.listMembers({ query: paging }, signal))
  return people.map(({ id, username, firstName, lastName }) => ({
    id: id as UserId,
    name: firstName || lastName ? `${firstName} ${lastName}`.trim() + ` (${username})` : username,
  }))
}

/** What one has set for oneself. */
export const ownSettingsQuery = (api: MonitorApi) =>
  queryOptions({ queryKey: ['own-settings'], queryFn: ({ signal }) => api.readOwnSettings({}, signal) })

export function useSaveOwnSettings() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: OwnSettings) => api.updateOwnSettings({ body }),
    onSuccess: (stored) => client.setQueryData(ownSettingsQuery(api).queryKey, stored),
  })
}

/** One's own keys of the public API. */
export const apiKeysQuery = (api: MonitorApi) =>
  queryOptions({ queryKey: ['api-keys'], queryFn: ({ signal }) => api.listApiKeys({}, signal) })

/** Makes and ends keys. */
export function useApiKeyActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['api-keys'] })
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof NewApiKey>) => api.createApiKey({ body }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.deleteApiKey({ params: { id } }), onSuccess }),
  }
}

import type { NewApiKey } from '@clearway/contract/monitor/user/key/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { MonitorApi } from './model.ts'
import { useSession } from './model.ts'

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

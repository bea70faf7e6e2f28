import { isUserActive } from '../../kit/client/use-user-activity.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { WebhookBody, WebhookId } from '@clearway/contract/monitor/notification/schema.ts'
import type { ReadEntries } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { InboxSearch } from './model.ts'

type WebhookIdentifier = z.output<typeof WebhookId>

const countStaleMs = 60_000
/**
 * Loads the number of unread inbox entries. Refetched on user actions only: polling would extend the session of inactive users.
 */
export const unreadQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['inbox', 'unread'],
    queryFn: ({ signal }) => apiClient.countInbox({}, signal),
    staleTime: countStaleMs,
    refetchOnWindowFocus: isUserActive,
  })

export const inboxQuery = (apiClient: MonitorApi, { page, size, unread }: InboxSearch) =>
  queryOptions({
    queryKey: ['inbox', 'list', page, size, unread],
    queryFn: ({ signal }) =>
      apiClient.listInbox({ query: { ...toServerPaging({ page, size }), ...(unread && { unread: true }) } }, signal),
    placeholderData: keepPreviousData,
  })

/** Marks entries as read: the given ones, or all up to one. */
export function useReadInbox() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (readEntries: z.input<typeof ReadEntries>) => apiClient.readInbox({ body: readEntries }),
    onSuccess: (count) => {
      queryClient.setQueryData(unreadQuery(apiClient).queryKey, count)
      return queryClient.invalidateQueries({ queryKey: ['inbox', 'list'] })
    },
  })
}

export const webhooksQuery = (apiClient: MonitorApi, id: ScanId) =>
  queryOptions({ queryKey: ['webhooks', id], queryFn: ({ signal }) => apiClient.listWebhooks({ params: { id } }, signal) })

const maxVisibleDeliveries = 25
export const deliveriesQuery = (apiClient: MonitorApi, id: ScanId, webhook: WebhookIdentifier) =>
  queryOptions({
    queryKey: ['webhooks', id, webhook, 'deliveries'],
    queryFn: ({ signal }) => apiClient.listDeliveries({ params: { id, webhook }, query: { size: maxVisibleDeliveries } }, signal),
    refetchInterval: ({ state: { data } }) => (data?.content.some(({ status }) => status === 'waiting') ? 2000 : false),
  })

export function useWebhookActions(id: ScanId) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks', id] })
  return {
    createMutation: useMutation({
      mutationFn: (body: z.input<typeof WebhookBody>) => apiClient.createWebhook({ params: { id }, body }),
      onSuccess: refreshWebhooks,
    }),
    changeMutation: useMutation({
      mutationFn: ({ webhook, body }: { webhook: WebhookIdentifier; body: z.input<typeof WebhookBody> }) =>
        apiClient.updateWebhook({ params: { id, webhook }, body }),
      onSuccess: refreshWebhooks,
    }),
    testMutation: useMutation({
      mutationFn: (webhook: WebhookIdentifier) => apiClient.testWebhook({ params: { id, webhook } }),
      onSuccess: refreshWebhooks,
    }),
    deleteMutation: useMutation({
      mutationFn: (webhook: WebhookIdentifier) => apiClient.deleteWebhook({ params: { id, webhook } }),
      onSuccess: refreshWebhooks,
    }),
  }
}

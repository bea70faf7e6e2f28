import { isUserActive } from '../../kit/client/use-user-activity.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { WebhookBody, WebhookId } from '@clearway/contract/monitor/notification/schema.ts'
import type { ReadEntries } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { InboxSearch, WebhookSearch } from './model.ts'

type WebhookIdentifier = z.output<typeof WebhookId>
type WebhookPath = { id: ScanId; webhook: WebhookIdentifier }

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

/** Milliseconds between two readings of a list with deliveries that wait. */
const waitingPollMs = 5000
export const webhookListQuery = (apiClient: MonitorApi, search: WebhookSearch) =>
  queryOptions({
    queryKey: ['webhooks', 'list', search],
    queryFn: ({ signal }) => apiClient.listAllWebhooks({ query: toServerPaging(search) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.content.some(({ lastDelivery }) => lastDelivery?.status === 'waiting') ? waitingPollMs : false,
  })

/** One webhook with its whole URL; null if it does not exist. */
export const webhookQuery = (apiClient: MonitorApi, id: ScanId, webhook: WebhookIdentifier) =>
  queryOptions({
    queryKey: ['webhooks', id, webhook],
    queryFn: async ({ signal }) =>
      (await apiClient.listWebhooks({ params: { id } }, signal)).find((candidate) => candidate.id === webhook) ?? null,
  })

const maxVisibleDeliveries = 25
export const deliveriesQuery = (apiClient: MonitorApi, id: ScanId, webhook: WebhookIdentifier) =>
  queryOptions({
    queryKey: ['webhooks', id, webhook, 'deliveries'],
    queryFn: ({ signal }) => apiClient.listDeliveries({ params: { id, webhook }, query: { size: maxVisibleDeliveries } }, signal),
    refetchInterval: ({ state: { data } }) => (data?.content.some(({ status }) => status === 'waiting') ? 2000 : false),
  })

export function useWebhookActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  return {
    createMutation: useMutation({
      mutationFn: ({ scanId: id, body }: { scanId: ScanId; body: z.input<typeof WebhookBody> }) =>
        apiClient.createWebhook({ params: { id }, body }),
      onSuccess: refreshWebhooks,
    }),
    changeMutation: useMutation({
      mutationFn: ({ path, body }: { path: WebhookPath; body: z.input<typeof WebhookBody> }) =>
        apiClient.updateWebhook({ params: path, body }),
      onSuccess: refreshWebhooks,
    }),
    testMutation: useMutation({
      mutationFn: (path: WebhookPath) => apiClient.testWebhook({ params: path }),
      onSuccess: refreshWebhooks,
    }),
    // Its screen would load it again.
    deleteMutation: useMutation({
      mutationFn: (path: WebhookPath) => apiClient.deleteWebhook({ params: path }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] }),
    }),
  }
}

import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { WebhookBody, WebhookId } from '@clearway/contract/monitor/notification/schema.ts'
import type { ReadEntries } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { InboxSearch } from './model.ts'

type Id = z.output<typeof WebhookId>

const countedMs = 60_000
/**
 * How many entries of the inbox are unread. It is asked for by what people do, never by a clock: each call keeps the session, and
 * nobody would be signed out who has gone.
 */
export const unreadQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['inbox', 'unread'],
    queryFn: ({ signal }) => api.countInbox({}, signal),
    staleTime: countedMs,
    refetchOnWindowFocus: true,
  })

/** One page of one's inbox. */
export const inboxQuery = (api: MonitorApi, { page, size, unread }: InboxSearch) =>
  queryOptions({
    queryKey: ['inbox', 'list', page, size, unread],
    queryFn: ({ signal }) =>
      api.listInbox({ query: { ...toServerPaging({ page, size }), ...(unread && { unread: true }) } }, signal),
    placeholderData: keepPreviousData,
  })

/** Marks entries as read: the given ones, or all up to one. */
export function useReadInbox() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: z.input<typeof ReadEntries>) => api.readInbox({ body: which }),
    onSuccess: (count) => {
      client.setQueryData(unreadQuery(api).queryKey, count)
      return client.invalidateQueries({ queryKey: ['inbox', 'list'] })
    },
  })
}

/** Webhooks of a scan. */
export const webhooksQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.listWebhooks({ params: { id } }, signal),
  })

const shownDeliveries = 25
/** The latest deliveries of a webhook. */
export const deliveriesQuery = (api: MonitorApi, id: ScanId, webhook: Id) =>
  queryOptions({
    queryKey: ['webhooks', id, webhook, 'deliveries'],
    queryFn: ({ signal }) =>
      api.listDeliveries({ params: { id, webhook }, query: { size: shownDeliveries } }, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.content.some(({ status }) => status === 'waiting') ? 2000 : false,
  })

/** Adds, changes, tries and deletes webhooks of one scan. */
export function useWebhookActions(id: ScanId) {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['webhooks', id] })
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof WebhookBody>) => api.createWebhook({ params: { id }, body }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ webhook, body }: { webhook: Id; body: z.input<typeof WebhookBody> }) =>
        api.updateWebhook({ params: { id, webhook }, body }),
      onSuccess,
    }),
    test: useMutation({
      mutationFn: (webhook: Id) => api.testWebhook({ params: { id, webhook } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (webhook: Id) => api.deleteWebhook({ params: { id, webhook } }),
      onSuccess,
    }),
  }
}

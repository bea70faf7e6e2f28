import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { WebhookBody, WebhookId } from '@clearway/contract/monitor/notification/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'

type Id = z.output<typeof WebhookId>

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

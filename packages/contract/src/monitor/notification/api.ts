import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { pageOf, paging } from '../../kit/paging.ts'
import { Delivery, NewWebhook, Webhook, WebhookBody, WebhookId } from './schema.ts'

const scan = z.object({ id: ScanId })
const one = z.object({ id: ScanId, webhook: WebhookId })
const manage = { permission: 'scan.manage' } as const

export const notificationApi = define({
  listWebhooks: {
    ...manage,
    method: 'GET',
    path: '/scans/{id}/webhooks',
    summary: 'Webhooks of a scan',
    params: scan,
    reply: z.array(Webhook),
  },
  createWebhook: {
    ...manage,
    method: 'POST',
    path: '/scans/{id}/webhooks',
    summary: 'Adds a webhook; the reply contains its signing secret, once',
    params: scan,
    body: WebhookBody,
    reply: NewWebhook,
    status: 201,
  },
  updateWebhook: {
    ...manage,
    method: 'PUT',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Changes the URL or the events of a webhook',
    params: one,
    body: WebhookBody,
    reply: Webhook,
  },
  deleteWebhook: {
    ...manage,
    method: 'DELETE',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Removes a webhook',
    params: one,
    reply: { empty: true },
    status: 204,
  },
  testWebhook: {
    ...manage,
    method: 'POST',
    path: '/scans/{id}/webhooks/{webhook}/test',
    summary: 'Sends a test message to a webhook',
    params: one,
    reply: Delivery,
    status: 202,
  },
  listDeliveries: {
    ...manage,
    method: 'GET',
    path: '/scans/{id}/webhooks/{webhook}/deliveries',
    summary: 'Deliveries to a webhook, newest first',
    params: one,
    query: z.object(paging),
    reply: pageOf(Delivery),
  },
})

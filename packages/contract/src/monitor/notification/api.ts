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
    summary: 'URLs that are notified of the runs of a scan',
    params: scan,
    reply: z.array(Webhook),
  },
  createWebhook: {
    ...manage,
    method: 'POST',
    path: '/scans/{id}/webhooks',
    summary: 'Adds an address; the reply holds the secret of its signatures, once',
    params: scan,
    body: WebhookBody,
    reply: NewWebhook,
    status: 201,
  },
  updateWebhook: {
    ...manage,
    method: 'PUT',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Changes a URL or of what it is notified',
    params: one,
    body: WebhookBody,
    reply: Webhook,
  },
  deleteWebhook: {
    ...manage,
    method: 'DELETE',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Removes a URL',
    params: one,
    reply: { empty: true },
    status: 204,
  },
  testWebhook: {
    ...manage,
    method: 'POST',
    path: '/scans/{id}/webhooks/{webhook}/test',
    summary: 'Sends a test message to an address',
    params: one,
    reply: Delivery,
    status: 202,
  },
  listDeliveries: {
    ...manage,
    method: 'GET',
    path: '/scans/{id}/webhooks/{webhook}/deliveries',
    summary: 'Messages to a URL, newest first',
    params: one,
    query: z.object(paging),
    reply: pageOf(Delivery),
  },
})

import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { createPageSchema, pagingQuery } from '../../kit/paging.ts'
import { Delivery, ListedWebhook, NewWebhook, Webhook, WebhookBody, WebhookId } from './schema.ts'

const scanParams = z.object({ id: ScanId })
const webhookParams = z.object({ id: ScanId, webhook: WebhookId })
const manageEndpoint = { permission: 'scan.manage' } as const

export const notificationApi = defineEndpoints({
  listAllWebhooks: {
    permission: 'user',
    method: 'GET',
    path: '/webhooks',
    summary: 'Webhooks of all scans that you may edit, by scan, with their last delivery',
    query: z.object(pagingQuery),
    reply: createPageSchema(ListedWebhook),
  },
  listWebhooks: {
    ...manageEndpoint,
    method: 'GET',
    path: '/scans/{id}/webhooks',
    summary: 'Webhooks of a scan',
    params: scanParams,
    reply: z.array(Webhook),
  },
  createWebhook: {
    ...manageEndpoint,
    method: 'POST',
    path: '/scans/{id}/webhooks',
    summary: 'Adds a webhook; the reply contains its signing secret, once',
    params: scanParams,
    body: WebhookBody,
    reply: NewWebhook,
    status: 201,
  },
  updateWebhook: {
    ...manageEndpoint,
    method: 'PUT',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Changes the URL or the events of a webhook',
    params: webhookParams,
    body: WebhookBody,
    reply: Webhook,
  },
  deleteWebhook: {
    ...manageEndpoint,
    method: 'DELETE',
    path: '/scans/{id}/webhooks/{webhook}',
    summary: 'Removes a webhook',
    params: webhookParams,
    reply: { empty: true },
    status: 204,
  },
  testWebhook: {
    ...manageEndpoint,
    method: 'POST',
    path: '/scans/{id}/webhooks/{webhook}/test',
    summary: 'Sends a test message to a webhook',
    params: webhookParams,
    reply: Delivery,
    status: 202,
  },
  listDeliveries: {
    ...manageEndpoint,
    method: 'GET',
    path: '/scans/{id}/webhooks/{webhook}/deliveries',
    summary: 'Deliveries to a webhook, newest first',
    params: webhookParams,
    query: z.object(pagingQuery),
    reply: createPageSchema(Delivery),
  },
})

import type { notificationApi } from '@clearway/contract/monitor/notification/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  deliveriesFor,
  testWebhook,
  type WebhookDeps,
  webhooksFor,
} from './webhook/service.ts'

/** Webhooks over HTTP. */
export const notificationHandlers = (deps: WebhookDeps): Handlers<typeof notificationApi> => ({
  listWebhooks: ({ params }) => webhooksFor(deps, params.id),
  createWebhook: ({ params, body }) => createWebhook(deps, params.id, body),
  updateWebhook: ({ params, body }) => changeWebhook(deps, params, body),
  deleteWebhook: ({ params }) => deleteWebhook(deps, params),
  testWebhook: ({ params }) => testWebhook(deps, params),
  listDeliveries: ({ params, query }) => deliveriesFor(deps, params, query),
})

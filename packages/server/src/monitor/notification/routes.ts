import type { notificationApi } from '@clearway/contract/monitor/notification/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listManagedWebhooks,
  listWebhookDeliveries,
  testWebhook,
  type WebhookDeps,
  listScanWebhooks,
} from './webhook/service.ts'

export const notificationHandlers = (deps: WebhookDeps): Handlers<typeof notificationApi> => ({
  listAllWebhooks: ({ query }, { caller }) => listManagedWebhooks(deps, caller!, query),
  listWebhooks: ({ params }) => listScanWebhooks(deps, params.id),
  createWebhook: ({ params, body }) => createWebhook(deps, params.id, body),
  updateWebhook: ({ params, body }) => changeWebhook(deps, params, body),
  deleteWebhook: ({ params }) => deleteWebhook(deps, params),
  testWebhook: ({ params }) => testWebhook(deps, params),
  listDeliveries: ({ params, query }) => listWebhookDeliveries(deps, params, query),
})

import { randomBytes } from 'node:crypto'
import type { WebhookBody } from '@clearway/contract/monitor/notification/schema.ts'
import { findUrlFault } from '@clearway/contract/monitor/scan/model.ts'
import type * as z from 'zod/mini'
import { type Refusal, refuse } from '../../../kit/http/answer.ts'
import { createId } from '../../../kit/id.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan } from '../../scan/store.ts'
import { listDeliveries, type DeliveryRow, insertDeliveries, type WebhookDelivery } from '../store.ts'
import {
  listAllWebhooks,
  findWebhook,
  insertWebhook,
  removeWebhook,
  replaceWebhookSecret,
  updateWebhook,
  type WebhookRow,
  listWebhooks,
} from './store.ts'

export type WebhookDeps = { db: MonitorDb; seal: Seal; publicUrl: string }
type WebhookValues = z.output<typeof WebhookBody>

const maxWebhooks = 20
const getSealContext = (webhookId: string) => `webhook ${webhookId}`

const toWebhookReply = ({ id, url, events, active, created_at }: WebhookRow) => ({
  id,
  url,
  events,
  active,
  createdAt: created_at.toISOString(),
})

/** Refuses an invalid URL. Its address is checked while connecting, since names may resolve differently later. */
function checkUrl(urlText: string): Refusal | null {
  const faultCode = findUrlFault(urlText)
  return faultCode && refuse('validation-failed', { errors: [{ path: 'url', code: faultCode, params: {} }] })
}

export const listScanWebhooks = async (deps: WebhookDeps, scanId: string) =>
  (await listWebhooks(deps.db, scanId)).map(toWebhookReply)

/** Adds a webhook. Its signing secret is only returned here. */
export async function createWebhook(deps: WebhookDeps, scanId: string, body: WebhookValues) {
  const refusal = checkUrl(body.url)
  if (refusal) return refusal
  if ((await listWebhooks(deps.db, scanId)).length >= maxWebhooks)
    return refuse('validation-failed', { errors: [{ path: 'url', code: 'too-big', params: { max: maxWebhooks } }] })
  const webhookId = createId()
  const signingSecret = randomBytes(24).toString('base64url')
  const webhookRow = await insertWebhook(deps, {
    id: webhookId,
    scan_id: scanId,
    ...body,
    secret: deps.seal.close(signingSecret, getSealContext(webhookId)),
  })
  return { ...toWebhookReply(webhookRow), secret: signingSecret }
}

export async function changeWebhook(deps: WebhookDeps, webhookPath: { id: string; webhook: string }, body: WebhookValues) {
  const refusal = checkUrl(body.url)
  if (refusal) return refusal
  const webhookRow = await updateWebhook(deps, webhookPath.id, webhookPath.webhook, body)
  return webhookRow ? toWebhookReply(webhookRow) : refuse('not-found')
}

export async function deleteWebhook(deps: WebhookDeps, webhookPath: { id: string; webhook: string }): Promise<void | Refusal> {
  return (await removeWebhook(deps, webhookPath.id, webhookPath.webhook)) ? undefined : refuse('not-found')
}

const toDeliveryReply = (deliveryRow: WebhookDelivery) => ({
  id: deliveryRow.id,
  event: deliveryRow.event,
  runNumber: deliveryRow.run_number,
  status: deliveryRow.state,
  attempts: deliveryRow.attempts,
  lastStatus: deliveryRow.last_status,
  lastError: deliveryRow.last_error,
  createdAt: deliveryRow.created_at.toISOString(),
  nextAt: deliveryRow.next_at?.toISOString() ?? null,
  deliveredAt: deliveryRow.delivered_at?.toISOString() ?? null,
})

export async function listWebhookDeliveries(
  deps: WebhookDeps,
  webhookPath: { id: string; webhook: string },
  query: { page: number; size: number },
) {
  if (!(await findWebhook(deps, webhookPath.id, webhookPath.webhook))) return refuse('not-found')
  const { rows: deliveryRows, total: totalDeliveries } = await listDeliveries(deps, webhookPath.webhook, query)
  return buildPageReply(deliveryRows.map(toDeliveryReply), totalDeliveries, query)
}

/** Queues a test message, delivered like any other. */
export async function testWebhook(deps: WebhookDeps, webhookPath: { id: string; webhook: string }) {
  const [webhookRow, testedScan] = await Promise.all([
    findWebhook(deps, webhookPath.id, webhookPath.webhook),
    findScan(deps, webhookPath.id),
  ])
  if (!webhookRow || !testedScan) return refuse('not-found')
  const scanUrl = `${deps.publicUrl}/monitor/scans/${webhookPath.id}`
  const testPayload = { event: 'test' as const, scanId: webhookPath.id, scanName: testedScan.name, run: null, url: scanUrl }
  const testMessage = { kind: 'webhook' as const, scanId: webhookPath.id, webhookId: webhookRow.id, runNumber: null }
  await insertDeliveries(deps.db, [{ ...testMessage, receiver: webhookRow.url, payload: testPayload }])
  const { rows: deliveryRows } = await listDeliveries(deps, webhookRow.id, { page: 0, size: 1 })
  return toDeliveryReply(deliveryRows[0]!)
}

/** Reseals secrets that an older key sealed. */
export async function resealWebhooks(deps: Pick<WebhookDeps, 'db' | 'seal'>): Promise<void> {
  for (const { id, secret } of await listAllWebhooks(deps)) {
    const resealedSecret = deps.seal.renewed(secret, getSealContext(id))
    if (resealedSecret) await replaceWebhookSecret(deps, id, resealedSecret)
  }
}

/** URL and signing secret of a message; null when the webhook is deleted or inactive, or its secret cannot be decrypted. */
export async function findWebhookTarget(
  deps: WebhookDeps,
  delivery: Pick<DeliveryRow, 'scan_id' | 'webhook_id'>,
): Promise<{ url: string; secret: string } | null> {
  const webhookRow = await findWebhook(deps, delivery.scan_id, delivery.webhook_id ?? '')
  const signingSecret = webhookRow?.active ? deps.seal.open(webhookRow.secret, getSealContext(webhookRow.id)) : null
  return webhookRow && signingSecret !== null ? { url: webhookRow.url, secret: signingSecret } : null
}

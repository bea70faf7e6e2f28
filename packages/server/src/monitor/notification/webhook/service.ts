import { randomBytes } from 'node:crypto'
import type { WebhookBody } from '@clearway/contract/monitor/notification/schema.ts'
import { urlFault } from '@clearway/contract/monitor/scan/model.ts'
import type * as z from 'zod/mini'
import { type Refusal, refuse } from '../../../kit/http/answer.ts'
import { newId } from '../../../kit/id.ts'
import { pageReply } from '../../../kit/paging.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan } from '../../scan/store.ts'
import { deliveriesOf, type DeliveryRow, insertDeliveries, type WebhookDelivery } from '../store.ts'
import {
  allWebhooks,
  findWebhook,
  insertWebhook,
  removeWebhook,
  replaceWebhookSecret,
  updateWebhook,
  type WebhookRow,
  webhooksOf,
} from './store.ts'

export type WebhookDeps = { db: MonitorDb; seal: Seal; publicUrl: string }
type Body = z.output<typeof WebhookBody>

const mostWebhooks = 20
const contextOf = (id: string) => `webhook ${id}`

const webhookOf = ({ id, url, events, active, created_at }: WebhookRow) => ({
  id,
  url,
  events,
  active,
  createdAt: created_at.toISOString(),
})

/** What is wrong with a URL. Which network it may lead to is judged when it is dialled: names change. */
function urlRefusal(text: string): Refusal | null {
  const code = urlFault(text)
  return code && refuse('validation-failed', { errors: [{ path: 'url', code, params: {} }] })
}

export const webhooksFor = async (deps: WebhookDeps, scanId: string) =>
  (await webhooksOf(deps.db, scanId)).map(webhookOf)

/** Adds a URL. The secret of its signatures is answered now and never again. */
export async function createWebhook(deps: WebhookDeps, scanId: string, body: Body) {
  const refused = urlRefusal(body.url)
  if (refused) return refused
  if ((await webhooksOf(deps.db, scanId)).length >= mostWebhooks)
    return refuse('validation-failed', {
      errors: [{ path: 'url', code: 'too-big', params: { max: mostWebhooks } }],
    })
  const id = newId()
  const secret = randomBytes(24).toString('base64url')
  const row = await insertWebhook(deps, {
    id,
    scan_id: scanId,
    ...body,
    secret: deps.seal.close(secret, contextOf(id)),
  })
  return { ...webhookOf(row), secret }
}

export async function changeWebhook(deps: WebhookDeps, at: { id: string; webhook: string }, body: Body) {
  const refused = urlRefusal(body.url)
  if (refused) return refused
  const row = await updateWebhook(deps, at.id, at.webhook, body)
  return row ? webhookOf(row) : refuse('not-found')
}

export async function deleteWebhook(
  deps: WebhookDeps,
  at: { id: string; webhook: string },
): Promise<void | Refusal> {
  return (await removeWebhook(deps, at.id, at.webhook)) ? undefined : refuse('not-found')
}

const deliveryOf = (row: WebhookDelivery) => ({
  id: row.id,
  event: row.event,
  runNumber: row.run_number,
  status: row.state,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
  nextAt: row.next_at?.toISOString() ?? null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
})

export async function deliveriesFor(
  deps: WebhookDeps,
  at: { id: string; webhook: string },
  query: { page: number; size: number },
) {
  if (!(await findWebhook(deps, at.id, at.webhook))) return refuse('not-found')
  const { rows, total } = await deliveriesOf(deps, at.webhook, query)
  return pageReply(rows.map(deliveryOf), total, query)
}

/** Writes a test message, which goes out like any other. */
export async function testWebhook(deps: WebhookDeps, at: { id: string; webhook: string }) {
  const [hook, scan] = await Promise.all([findWebhook(deps, at.id, at.webhook), findScan(deps, at.id)])
  if (!hook || !scan) return refuse('not-found')
  const url = `${deps.publicUrl}/monitor/scans/${at.id}`
  const payload = { event: 'test' as const, scanId: at.id, scanName: scan.name, run: null, url }
  const message = { kind: 'webhook' as const, scanId: at.id, webhookId: hook.id, runNumber: null }
  await insertDeliveries(deps.db, [{ ...message, receiver: hook.url, payload }])
  const { rows } = await deliveriesOf(deps, hook.id, { page: 0, size: 1 })
  return deliveryOf(rows[0]!)
}

/** Seals anew the secrets that an older key has sealed. */
export async function renewWebhooks(deps: Pick<WebhookDeps, 'db' | 'seal'>): Promise<void> {
  for (const { id, secret } of await allWebhooks(deps)) {
    const renewed = deps.seal.renewed(secret, contextOf(id))
    if (renewed) await replaceWebhookSecret(deps, id, renewed)
  }
}

/** Where a message goes and what it is signed with; null when the URL is gone or off, or the key does not open the secret. */
export async function webhookTarget(
  deps: WebhookDeps,
  delivery: Pick<DeliveryRow, 'scan_id' | 'webhook_id'>,
): Promise<{ url: string; secret: string } | null> {
  const hook = await findWebhook(deps, delivery.scan_id, delivery.webhook_id ?? '')
  const secret = hook?.active ? deps.seal.open(hook.secret, contextOf(hook.id)) : null
  return hook && secret !== null ? { url: hook.url, secret } : null
}

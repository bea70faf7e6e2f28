import { randomBytes } from 'node:crypto'
import type { WebhookBody } from '@clearway/contract/monitor/notification/schema.ts'
import { findUrlFault } from '@clearway/contract/monitor/scan/model.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { createId } from '../../../kit/id.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import type { Seal } from '../../../kit/seal.ts'
import { allowedScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan } from '../../scan/store.ts'
import { listDeliveries, type DeliveryRow, insertDeliveries, type WebhookDelivery } from '../store.ts'
import {
  listSealedWebhooks,
  findWebhook,
  insertWebhook,
  removeWebhook,
  replaceSealed,
  updateWebhook,
  type ListedWebhookRow,
  type WebhookRow,
  listWebhooks,
  listWebhooksOf,
} from './store.ts'

export type WebhookDeps = { db: MonitorDb; seal: Seal; publicUrl: string }
type WebhookValues = z.output<typeof WebhookBody>

const maxWebhooks = 20
const getSealContext = (webhookId: string) => `webhook ${webhookId}`

const getUrlContext = (webhookId: string) => `url of webhook ${webhookId}`

/** URLs of older versions are plain text; sealed values begin with another byte. */
const isPlainUrl = (storedUrl: Buffer): boolean => storedUrl.subarray(0, 4).toString('latin1').toLowerCase() === 'http'

/** The URL of a webhook; null if it cannot be decrypted. */
const openUrl = (seal: Seal, { id, url }: Pick<WebhookRow, 'id' | 'url'>): string | null =>
  isPlainUrl(url) ? url.toString('utf8') : seal.open(url, getUrlContext(id))

const toWebhookReply = ({ seal }: WebhookDeps, { id, url, events, active, created_at }: WebhookRow) => ({
  id,
  url: openUrl(seal, { id, url }) ?? '',
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
  (await listWebhooks(deps.db, scanId)).map((row) => toWebhookReply(deps, row))

/** Origin of a URL; an ellipsis stands for the rest, which may contain a token. Empty for a URL that cannot be read. */
function toAddress(url: string | null): string {
  const parsedUrl = url === null ? null : URL.parse(url)
  if (!parsedUrl) return ''
  const { origin, pathname, search } = parsedUrl
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}

const toListedWebhook = ({ seal }: WebhookDeps, row: ListedWebhookRow) => ({
  id: row.id,
  scanId: row.scan_id as ScanId,
  scanName: row.scan_name,
  address: toAddress(openUrl(seal, row)),
  events: row.events,
  active: row.active,
  createdAt: row.created_at.toISOString(),
  lastDelivery: row.last_delivery && {
    status: row.last_delivery.state,
    lastStatus: row.last_delivery.last_status,
    lastError: row.last_delivery.last_error,
    createdAt: row.last_delivery.created_at.toISOString(),
    nextAt: row.last_delivery.next_at?.toISOString() ?? null,
  },
})

export async function listManagedWebhooks(deps: WebhookDeps, caller: Caller, query: { page: number; size: number }) {
  const { rows: webhookRows, total } = await listWebhooksOf(deps.db, allowedScans(caller, 'scan.manage'), query)
  return buildPageReply(
    webhookRows.map((row) => toListedWebhook(deps, row)),
    total,
    query,
  )
}

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
    url: deps.seal.close(body.url, getUrlContext(webhookId)),
    secret: deps.seal.close(signingSecret, getSealContext(webhookId)),
  })
  return { ...toWebhookReply(deps, webhookRow), secret: signingSecret }
}

export async function changeWebhook(deps: WebhookDeps, webhookPath: { id: string; webhook: string }, body: WebhookValues) {
  const refusal = checkUrl(body.url)
  if (refusal) return refusal
  const sealedUrl = deps.seal.close(body.url, getUrlContext(webhookPath.webhook))
  const webhookRow = await updateWebhook(deps, webhookPath.id, webhookPath.webhook, { ...body, url: sealedUrl })
  return webhookRow ? toWebhookReply(deps, webhookRow) : refuse('not-found')
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
  await insertDeliveries(deps.db, [{ ...testMessage, receiver: webhookRow.id, payload: testPayload }])
  const { rows: deliveryRows } = await listDeliveries(deps, webhookRow.id, { page: 0, size: 1 })
  return toDeliveryReply(deliveryRows[0]!)
}

/** Reseals URLs and secrets that an older key sealed, and seals URLs that an older version stored as plain text. */
export async function resealWebhooks(deps: Pick<WebhookDeps, 'db' | 'seal'>): Promise<void> {
  for (const webhookRow of await listSealedWebhooks(deps)) {
    const { id, url, secret } = webhookRow
    const resealedSecret = deps.seal.renewed(secret, getSealContext(id))
    const resealedUrl = isPlainUrl(url)
      ? deps.seal.close(url.toString('utf8'), getUrlContext(id))
      : deps.seal.renewed(url, getUrlContext(id))
    if (resealedSecret || resealedUrl)
      await replaceSealed(deps, webhookRow, { url: resealedUrl ?? url, secret: resealedSecret ?? secret })
  }
}

/** URL and signing secret of a message; null when the webhook is deleted or inactive, or its secret cannot be decrypted. */
export async function findWebhookTarget(
  deps: WebhookDeps,
  delivery: Pick<DeliveryRow, 'scan_id' | 'webhook_id'>,
): Promise<{ url: string; secret: string } | null> {
  const webhookRow = await findWebhook(deps, delivery.scan_id, delivery.webhook_id ?? '')
  const signingSecret = webhookRow?.active ? deps.seal.open(webhookRow.secret, getSealContext(webhookRow.id)) : null
  const webhookUrl = webhookRow && openUrl(deps.seal, webhookRow)
  return webhookUrl && signingSecret !== null ? { url: webhookUrl, secret: signingSecret } : null
}

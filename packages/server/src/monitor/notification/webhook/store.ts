import { type RawBuilder, type Selectable, sql } from 'kysely'
import { buildLimitClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import type { WebhookDelivery } from '../store.ts'
import type { NotificationTables } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }
export type WebhookRow = Selectable<NotificationTables['webhook']>
type WebhookColumns = Pick<WebhookRow, 'url' | 'events' | 'active'>

export const listWebhooks = (db: MonitorDb, scanId: string): Promise<WebhookRow[]> =>
  db.selectFrom('webhook').selectAll().where('scan_id', '=', scanId).orderBy('id').execute()

export async function findWebhook({ db }: DatabaseDeps, scanId: string, webhookId: string): Promise<WebhookRow | null> {
  const webhookQuery = db.selectFrom('webhook').selectAll().where('id', '=', webhookId).where('scan_id', '=', scanId)
  return (await webhookQuery.executeTakeFirst()) ?? null
}

export const insertWebhook = (
  { db }: DatabaseDeps,
  webhook: WebhookColumns & { id: string; scan_id: string; secret: Buffer },
): Promise<WebhookRow> => db.insertInto('webhook').values(webhook).returningAll().executeTakeFirstOrThrow()

export async function updateWebhook(
  { db }: DatabaseDeps,
  scanId: string,
  webhookId: string,
  values: WebhookColumns,
): Promise<WebhookRow | null> {
  const updateQuery = db.updateTable('webhook').set(values).where('id', '=', webhookId).where('scan_id', '=', scanId)
  return (await updateQuery.returningAll().executeTakeFirst()) ?? null
}

export async function removeWebhook({ db }: DatabaseDeps, scanId: string, webhookId: string): Promise<boolean> {
  const deleteQuery = db.deleteFrom('webhook').where('id', '=', webhookId).where('scan_id', '=', scanId)
  return (await deleteQuery.executeTakeFirst()).numDeletedRows > 0n
}

export const listSealedWebhooks = ({ db }: DatabaseDeps) => db.selectFrom('webhook').select(['id', 'url', 'secret']).execute()

type LastDelivery = Pick<WebhookDelivery, 'state' | 'last_status' | 'last_error' | 'created_at' | 'next_at'>
export type ListedWebhookRow = Omit<WebhookRow, 'secret'> & { scan_name: string; last_delivery: LastDelivery | null }

/** Webhooks of the given scans by scan name, each with its newest delivery. */
export async function listWebhooksOf(
  db: MonitorDb,
  scans: RawBuilder<{ scan_id: string }>,
  query: { page: number; size: number },
): Promise<{ rows: ListedWebhookRow[]; total: number }> {
  const selectSource = sql`from webhook w join ${scans} v on v.scan_id = w.scan_id join scan s on s.id = w.scan_id`
  const { rows: webhookRows } = await sql<
    Omit<ListedWebhookRow, 'last_delivery'> &
      Omit<LastDelivery, 'state' | 'created_at'> & { state: LastDelivery['state'] | null; delivery_at: Date }
  >`
    select w.*, d.state, d.last_status, d.last_error, d.created_at as delivery_at, d.next_at
    from (select w.id, w.scan_id, w.url, w.events, w.active, w.created_at, s.name as scan_name
      ${selectSource} order by lower(s.name), s.id, w.id ${buildLimitClause(query)}) w
    left join lateral (select state, last_status, last_error, created_at, next_at from delivery
      where webhook_id = w.id order by created_at desc, id desc limit 1) d on true
    order by lower(w.scan_name), w.scan_id, w.id`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total ${selectSource}`.execute(db)
  const rows = webhookRows.map(({ state, last_status, last_error, delivery_at, next_at, ...webhookRow }) => ({
    ...webhookRow,
    last_delivery: state === null ? null : { state, last_status, last_error, created_at: delivery_at, next_at },
  }))
  return { rows, total: countResult.rows[0]?.total ?? 0 }
}

/** Stores values that were sealed again, unless they have changed since. */
export async function replaceSealed(
  { db }: DatabaseDeps,
  previous: Pick<WebhookRow, 'id' | 'url' | 'secret'>,
  values: Pick<WebhookRow, 'url' | 'secret'>,
): Promise<void> {
  const { id, url, secret } = previous
  await db.updateTable('webhook').set(values).where('id', '=', id).where('url', '=', url).where('secret', '=', secret).execute()
}

import type { Selectable } from 'kysely'
import type { MonitorDb } from '../../database.ts'
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

export const listAllWebhooks = ({ db }: DatabaseDeps) => db.selectFrom('webhook').select(['id', 'url', 'secret']).execute()

/** Stores values that were sealed again, unless they have changed since. */
export async function replaceSealed(
  { db }: DatabaseDeps,
  previous: Pick<WebhookRow, 'id' | 'url' | 'secret'>,
  values: Pick<WebhookRow, 'url' | 'secret'>,
): Promise<void> {
  const { id, url, secret } = previous
  await db.updateTable('webhook').set(values).where('id', '=', id).where('url', '=', url).where('secret', '=', secret).execute()
}

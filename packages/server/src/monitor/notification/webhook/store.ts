import type { Selectable } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { NotificationTables } from '../table.ts'

type Db = { db: MonitorDb }
export type WebhookRow = Selectable<NotificationTables['webhook']>
type Values = Pick<WebhookRow, 'url' | 'events' | 'active'>

export const webhooksOf = (db: MonitorDb, scanId: string): Promise<WebhookRow[]> =>
  db.selectFrom('webhook').selectAll().where('scan_id', '=', scanId).orderBy('id').execute()

/** A webhook of that scan; null when the scan has none with that id. */
export async function findWebhook({ db }: Db, scanId: string, id: string): Promise<WebhookRow | null> {
  const query = db.selectFrom('webhook').selectAll().where('id', '=', id).where('scan_id', '=', scanId)
  return (await query.executeTakeFirst()) ?? null
}

export const insertWebhook = (
  { db }: Db,
  webhook: Values & { id: string; scan_id: string; secret: Buffer },
): Promise<WebhookRow> => db.insertInto('webhook').values(webhook).returningAll().executeTakeFirstOrThrow()

export async function updateWebhook(
  { db }: Db,
  scanId: string,
  id: string,
  values: Values,
): Promise<WebhookRow | null> {
  const query = db.updateTable('webhook').set(values).where('id', '=', id).where('scan_id', '=', scanId)
  return (await query.returningAll().executeTakeFirst()) ?? null
}

export async function removeWebhook({ db }: Db, scanId: string, id: string): Promise<boolean> {
  const query = db.deleteFrom('webhook').where('id', '=', id).where('scan_id', '=', scanId)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export const allWebhooks = ({ db }: Db) => db.selectFrom('webhook').select(['id', 'secret']).execute()

export async function replaceWebhookSecret({ db }: Db, id: string, secret: Buffer): Promise<void> {
  await db.updateTable('webhook').set({ secret }).where('id', '=', id).execute()
}

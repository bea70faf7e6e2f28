import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { ShareTables } from './table.ts'

type Db = { db: MonitorDb }

export async function tokenOf(
  { db }: Db,
  scanId: string,
): Promise<Selectable<ShareTables['share_token']> | null> {
  return (
    (await db.selectFrom('share_token').selectAll().where('scan_id', '=', scanId).executeTakeFirst()) ?? null
  )
}

/** Puts a new token in the place of an older one, which no longer opens anything. */
export async function keepToken(
  { db }: Db,
  token: { scanId: string; hash: Buffer; createdBy: string; createdAt: Date; expiresAt: Date | null },
): Promise<void> {
  const row = {
    hash: token.hash,
    created_by: token.createdBy,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  }
  await db
    .insertInto('share_token')
    .values({ scan_id: token.scanId, ...row })
    .onConflict((conflict) => conflict.column('scan_id').doUpdateSet(row))
    .execute()
}

export async function dropToken({ db }: Db, scanId: string): Promise<void> {
  await db.deleteFrom('share_token').where('scan_id', '=', scanId).execute()
}

/** The scan that a token opens now, and until when. */
export async function scanOfToken(
  { db }: Db,
  hash: Buffer,
): Promise<{ scanId: string; expiresAt: Date | null } | null> {
  const found = await db
    .selectFrom('share_token')
    .innerJoin('scan', 'scan.id', 'share_token.scan_id')
    .select(['scan_id as scanId', 'expires_at as expiresAt'])
    .where('hash', '=', hash)
    .where('scan.deleted_at', 'is', null)
    // By the one clock that all processes share.
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()
  return found ?? null
}

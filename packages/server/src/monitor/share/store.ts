import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { ShareTables } from './table.ts'

type DatabaseDeps = { db: MonitorDb }

export async function findToken({ db }: DatabaseDeps, scanId: string): Promise<Selectable<ShareTables['share_token']> | null> {
  return (await db.selectFrom('share_token').selectAll().where('scan_id', '=', scanId).executeTakeFirst()) ?? null
}

/** Stores a new token, which invalidates the previous one. */
export async function upsertToken(
  { db }: DatabaseDeps,
  token: { scanId: string; hash: Buffer; createdBy: string; createdAt: Date; expiresAt: Date | null },
): Promise<void> {
  const tokenColumns = { hash: token.hash, created_by: token.createdBy, created_at: token.createdAt, expires_at: token.expiresAt }
  await db
    .insertInto('share_token')
    .values({ scan_id: token.scanId, ...tokenColumns })
    .onConflict((conflict) => conflict.column('scan_id').doUpdateSet(tokenColumns))
    .execute()
}

export async function deleteToken({ db }: DatabaseDeps, scanId: string): Promise<void> {
  await db.deleteFrom('share_token').where('scan_id', '=', scanId).execute()
}

/** The scan of a valid token, and the token's expiration. */
export async function findScanByToken(
  { db }: DatabaseDeps,
  tokenHash: Buffer,
): Promise<{ scanId: string; expiresAt: Date | null } | null> {
  const tokenRow = await db
    .selectFrom('share_token')
    .innerJoin('scan', 'scan.id', 'share_token.scan_id')
    .select(['scan_id as scanId', 'expires_at as expiresAt'])
    .where('hash', '=', tokenHash)
    .where('scan.deleted_at', 'is', null)
    // Uses the database's clock, which all processes share.
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()
  return tokenRow ?? null
}

import type { Generated } from 'kysely'

export type ShareTables = {
  share_token: { scan_id: string; hash: Buffer; created_by: string; created_at: Generated<Date>; expires_at: Date | null }
}

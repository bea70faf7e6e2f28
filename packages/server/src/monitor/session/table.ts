import type { ColumnType, Generated } from 'kysely'

export type SessionTables = {
  /** `owner_id` is a scan, a script or a preset. */
  secret: { owner_id: string; name: string; sealed: Buffer }
  /** One row: the fingerprint of the sealing key, which reveals nothing about the key. */
  secret_key: { id: Generated<boolean>; fingerprint: string; since: ColumnType<Date, Date | undefined, Date> }
}

import type { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import type { Generated } from 'kysely'

export type UserTables = {
  api_key: {
    id: string
    person_id: string
    name: string
    /** SHA-256 of the key; the key itself is not stored. */
    hash: Buffer
    hint: string
    scopes: ApiScope[]
    created_at: Generated<Date>
    expires_at: Date
    used_at: Date | null
  }
}

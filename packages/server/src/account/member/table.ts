import type { Generated } from 'kysely'

export type MemberTables = {
  member: {
    id: string
    username: string
    first_name: string
    last_name: string
    email: string | null
    agreed_at: Date | null
    /** Which terms he agreed to. */
    agreed_version: string | null
    created_at: Generated<Date>
    seen_at: Generated<Date>
  }
}

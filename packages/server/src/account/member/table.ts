import type { MemberRole, MemberState } from '@clearway/contract/account/member/schema.ts'
import type { Generated } from 'kysely'

export type MemberTables = {
  member: {
    id: string
    username: string
    first_name: string
    last_name: string
    email: string | null
    agreed_at: Date | null
    /** Version of the terms that the member agreed to. */
    agreed_version: string | null
    created_at: Generated<Date>
    /** Null until the first visit. */
    seen_at: Date | null
    role: Generated<MemberRole>
    state: Generated<MemberState>
    /** Null if only the provider knows. */
    two_factor: Generated<boolean | null>
    /** Copied from the embedded provider; removed when the provider no longer lists the member. */
    is_managed: Generated<boolean>
  }
}

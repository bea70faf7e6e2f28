import {
  type Role,
  type ScanRole,
  scanRoles,
  subjectRoles,
  type SystemRole,
} from '@clearway/contract/kit/permission.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'

type Moment = ColumnType<Date, Date | undefined, Date>

export type AccessTables = {
  person: {
    id: string
    username: string
    first_name: string
    last_name: string
    email: string | null
    /** What the last token said. */
    role: Generated<SystemRole>
    /** The language of the messages to the person: that of their browser. */
    language: string | null
    seen_at: Moment
    /** Since when the account is deactivated or gone: no mail goes there. */
    deactivated_at: Generated<Date | null>
    /** Whether the person wants comments that mention them by mail. */
    mention_mails: Generated<boolean>
  }
  team: {
    id: string
    name: string
    /** Since when the account service names it no more; null while it does. */
    stale_since: Date | null
  }
  team_member: { team_id: string; person_id: string }
  scan_group: { id: string; name: string; created_at: Generated<Date> }
  scan_group_admin: { group_id: string; person_id: string }
  scan_group_scan: { group_id: string; scan_id: string }
  scan_access: {
    id: string
    scan_id: string | null
    group_id: string | null
    team_id: string | null
    person_id: string | null
    role: ScanRole
  }
  system_setting: { name: string; value: ColumnType<unknown, string, string> }
}

/** The rank of a role on a scan: the lower, the more it may. */
export const rankOf = (role: Role): number => (subjectRoles as readonly Role[]).indexOf(role)
/** The same of a column that has a `ScanRole`. */
export const rankOfRole = (role: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case ${role} ${sql.join(
    scanRoles.map((one) => sql`when ${sql.lit(one)} then ${sql.lit(rankOf(one))}`),
    sql` `,
  )} end`

/** What exports, which are in English, call somebody whose account is gone. */
export const formerMember = 'Former member'

/**
 * How a person is called on screens: first and last name, else the user name; null for somebody whose account is gone. @param alias of `person` in the query
 */
export const personName = (alias = 'person'): RawBuilder<string | null> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`coalesce(nullif(trim(${column('first_name')} || ' ' || ${column('last_name')}), ''), nullif(${column('username')}, ''))`
}

/** Who has a role on a scan: in person or through a team, directly or through a group: (scan_id, person_id). */
export const roleHolders = sql`(
  select coalesce(a.scan_id, g.scan_id) as scan_id, coalesce(a.person_id, m.person_id) as person_id
  from scan_access a
  left join scan_group_scan g on g.group_id = a.group_id
  left join team_member m on m.team_id = a.team_id)`

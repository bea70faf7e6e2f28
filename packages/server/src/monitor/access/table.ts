import { type Role, type ScanRole, scanRoles, subjectRoles, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'

type TimestampColumn = ColumnType<Date, Date | undefined, Date>

export type AccessTables = {
  person: {
    id: string
    username: string
    first_name: string
    last_name: string
    email: string | null
    /** As of the last token. */
    role: Generated<SystemRole>
    /** Language of messages to the person, taken from their browser. */
    language: string | null
    seen_at: TimestampColumn
    /** Deactivation or deletion of the account; no mail is sent afterwards. */
    deactivated_at: Generated<Date | null>
    /** Enables mails for comments that mention the person. */
    mention_mails: Generated<boolean>
  }
  team: {
    id: string
    name: string
    /** Time since which the account service no longer lists the team; null while it does. */
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

/** The rank of a role on a scan; a lower rank allows more. */
export const getRoleRank = (role: Role): number => (subjectRoles as readonly Role[]).indexOf(role)
/** The same as an SQL expression for a `ScanRole` column. */
export const buildRoleRank = (role: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case ${role} ${sql.join(
    scanRoles.map((one) => sql`when ${sql.lit(one)} then ${sql.lit(getRoleRank(one))}`),
    sql` `,
  )} end`

/** Name in exports, which are in English, for a deleted account. */
export const formerMemberName = 'Former member'

/** The part of a user name that all may see: that of invited people is their email address. @param alias of `person` */
export const buildShownUsername = (alias = 'person'): RawBuilder<string> =>
  sql`split_part(${sql.ref(`${alias}.username`)}, '@', 1)`

/** Display name: first and last name, else the user name; null for a deleted account. @param alias of `person` in the query */
export const buildPersonName = (alias = 'person'): RawBuilder<string | null> => {
  const buildColumnRef = (columnName: string) => sql.ref(`${alias}.${columnName}`)
  return sql`coalesce(nullif(trim(${buildColumnRef('first_name')} || ' ' || ${buildColumnRef('last_name')}), ''), nullif(${buildShownUsername(alias)}, ''))`
}

/** Minutes for which a team stays listed after the account service stopped naming it, as by a fault. */
const staleTeamMinutes = 10
/** Teams that the account service lists, or did until some minutes ago. @param alias of `team` in the query */
export const isListedTeam = (alias = 'team'): RawBuilder<boolean> => {
  const staleSince = sql.ref(`${alias}.stale_since`)
  return sql`(${staleSince} is null or ${staleSince} > now() - make_interval(mins => ${sql.lit(staleTeamMinutes)}))`
}

/** People with a role on a scan, direct or through a team or group: (scan_id, person_id). */
export const roleHolders = sql`(
  select coalesce(a.scan_id, g.scan_id) as scan_id, coalesce(a.person_id, m.person_id) as person_id
  from scan_access a
  left join scan_group_scan g on g.group_id = a.group_id
  left join team_member m on m.team_id = a.team_id)`

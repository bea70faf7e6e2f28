import type { Generated } from 'kysely'

export type TeamTables = {
  team: { id: string; name: string; created_at: Generated<Date> }
  team_member: { team_id: string; member_id: string }
}

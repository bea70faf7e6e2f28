import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import type { ColumnType, Generated } from 'kysely'

export type ViewTables = {
  view: {
    id: string
    screen: ViewScreen
    name: string
    query: ColumnType<unknown, string, string>
    author_id: string
    team_id: string | null
    /** False with no team either: only for its author. */
    for_everybody: boolean
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
  default_view: {
    person_id: string
    screen: ViewScreen
    /** Null for a deleted view. */
    view_id: string | null
    /** The current or last name of the view. */
    name: string
  }
}

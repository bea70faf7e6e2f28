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
    /** With no team either, it is for its author alone. */
    for_everybody: boolean
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
  /** The view with which a screen opens for somebody. */
  default_view: {
    person_id: string
    screen: ViewScreen
    /** Null when it was deleted. */
    view_id: string | null
    /** What it is called, or was. */
    name: string
  }
}

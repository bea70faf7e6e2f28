import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ColumnType, Generated } from 'kysely'

export type ScriptTables = {
  script: {
    id: string
    name: string
    type: ScriptType
    shared: boolean
    content: string
    /** A list of names; values are stored in `secret`. */
    variables: ColumnType<unknown, string, string>
    version: Generated<number>
    created_by: string
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}

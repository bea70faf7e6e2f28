import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type ScriptTables = {
  script: {
    id: string
    name: string
    type: ScriptType
    shared: boolean
    content: string
    /** Names only; values are in `secret`. */
    variables: JSONColumnType<string[], string, string>
    version: Generated<number>
    created_by: string
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}

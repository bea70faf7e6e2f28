import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type PresetTables = {
  preset: {
    id: string
    name: string
    settings: JSONColumnType<PresetSettings, string, string>
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}

import type { ColumnType, Generated } from 'kysely'

export type PresetTables = {
  preset: {
    id: string
    name: string
    /** `PresetSettings` in the format at the time of saving. */
    settings: ColumnType<unknown, string, string>
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}

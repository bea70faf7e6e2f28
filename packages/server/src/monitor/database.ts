import type { Kysely } from 'kysely'
import type { AccessTables } from './access/table.ts'
import type { IssueTables } from './issue/table.ts'
import type { PageTables } from './page/table.ts'
import type { RunTables } from './run/table.ts'
import type { ScanTables } from './scan/table.ts'

/** Every table of the monitor service. */
export type MonitorTables = AccessTables & ScanTables & RunTables & PageTables & IssueTables
export type MonitorDb = Kysely<MonitorTables>

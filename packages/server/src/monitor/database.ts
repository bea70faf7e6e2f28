import type { Kysely } from 'kysely'
import type { AuditTables } from './audit/table.ts'
import type { AccessTables } from './access/table.ts'
import type { IssueTables } from './issue/table.ts'
import type { PageTables } from './page/table.ts'
import type { BranchTables } from './run/branch/table.ts'
import type { ListedTables } from './run/listed/table.ts'
import type { RunTables } from './run/table.ts'
import type { NotificationTables } from './notification/table.ts'
import type { PresetTables } from './preset/table.ts'
import type { ScheduleTables } from './schedule/table.ts'
import type { ScriptTables } from './script/table.ts'
import type { ShareTables } from './share/table.ts'
import type { SessionTables } from './session/table.ts'
import type { GoalTables } from './scan/goal/table.ts'
import type { ScanTables } from './scan/table.ts'
import type { UserTables } from './user/table.ts'
import type { ViewTables } from './view/table.ts'

export type MonitorTables = AccessTables &
  AuditTables &
  ScanTables &
  GoalTables &
  RunTables &
  BranchTables &
  ListedTables &
  PageTables &
  IssueTables &
  SessionTables &
  ShareTables &
  ScriptTables &
  ScheduleTables &
  PresetTables &
  NotificationTables &
  UserTables &
  ViewTables
export type MonitorDb = Kysely<MonitorTables>

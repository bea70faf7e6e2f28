import { accountMigrations } from './account.ts'
import { idpMigrations } from './idp.ts'
import { monitorMigrations } from './monitor.ts'

/** The migrations of each schema. */
export const allMigrations = { monitor: monitorMigrations, account: accountMigrations, idp: idpMigrations }

import { accountApi } from '@clearway/contract/account/api.ts'
import type { FastifyInstance } from 'fastify'
import { memberHandlers } from '../account/member/routes.ts'
import type { AccountTables } from '../account/member/table.ts'
import type { Config } from '../config.ts'
import { migrate, openDatabase } from '../kit/database.ts'
import { refuse } from '../kit/http/answer.ts'
import { type Guard, register } from '../kit/http/register.ts'
import { accountMigrations } from '../migrations/account.ts'

/** The embedded account service: its own tables, its own addresses, a stranger to the monitor. */
export async function startAccount(
  app: FastifyInstance,
  deps: { config: Config; databaseUrl: string; identify: Guard['identify'] },
): Promise<{ stop: () => Promise<void> }> {
  const connections = Math.min(5, deps.config.CLEARWAY_DATABASE_CONNECTIONS)
  const db = openDatabase<AccountTables>(deps.databaseUrl, { schema: 'account', connections })
  await migrate(db, 'account', accountMigrations)
  const guard: Guard = {
    identify: deps.identify,
    authorise: (_call, caller) => Promise.resolve(caller ? { subject: null } : refuse('not-signed-in')),
  }
  register(app, { table: accountApi, handlers: memberHandlers({ db }), guard })
  return { stop: () => db.destroy() }
}

import { configApi, monitorApi } from '@clearway/contract/monitor/api.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Handlers } from '../kit/http/answer.ts'
import { type Guard, register } from '../kit/http/register.ts'
import { monitorGuard } from '../monitor/access/service.ts'
import { clientConfig, limitsOf } from '../monitor/config/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { rulesetHandlers } from '../monitor/ruleset/routes.ts'
import { scanHandlers } from '../monitor/scan/routes.ts'
import { userHandlers } from '../monitor/user/routes.ts'

export type ApiDeps = {
  config: Config
  db: MonitorDb
  identify: Guard['identify']
  facts: { issuer: string; version: string; build: string }
  runsChanged: () => Promise<void>
}

/** A handler for every call of the monitor service. */
export function monitorHandlers(deps: ApiDeps): Partial<Handlers<typeof monitorApi>> {
  const limits = limitsOf(deps.config)
  return {
    ...userHandlers(deps),
    ...rulesetHandlers(),
    ...scanHandlers({ ...deps, limits }),
  }
}

/** Serves the monitor service's calls: `/config` below the origin, the rest below `/monitor-api`. */
export async function startApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const guard = monitorGuard(deps, deps.identify)
  const client = clientConfig(deps.config, deps.facts)
  register(app, { table: configApi, handlers: { readConfig: () => Promise.resolve(client) }, guard })
  await app.register(
    (own, _options, done) => {
      const handlers = monitorHandlers(deps)
      const table = Object.fromEntries(Object.entries(monitorApi).filter(([name]) => name in handlers))
      register(own, { table, handlers: handlers as never, guard })
      done()
    },
    { prefix: '/monitor-api' },
  )
}

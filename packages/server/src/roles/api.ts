import { configApi, monitorApi } from '@clearway/contract/monitor/api.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Handlers } from '../kit/http/answer.ts'
import { type Guard, register } from '../kit/http/register.ts'
import type { Live } from '../kit/live.ts'
import { apiDocsPage } from '../kit/api-docs.ts'
import { migrationState } from '../kit/database.ts'
import { openApiDocument } from '../kit/openapi.ts'
import { monitorMigrations } from '../migrations/monitor.ts'
import { monitorGuard } from '../monitor/access/service.ts'
import { clientConfig, limitsOf } from '../monitor/config/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { healthHandlers } from '../monitor/health/routes.ts'
import { issueHandlers } from '../monitor/issue/routes.ts'
import { pageHandlers } from '../monitor/page/routes.ts'
import { rulesetHandlers } from '../monitor/ruleset/routes.ts'
import { runHandlers } from '../monitor/run/routes.ts'
import { scanHandlers } from '../monitor/scan/routes.ts'
import { userHandlers } from '../monitor/user/routes.ts'

export type ApiDeps = {
  config: Config
  db: MonitorDb
  live: Live
  identify: Guard['identify']
  facts: { issuer: string; version: string; build: string }
}

/** A handler for every call of the monitor service. */
export function monitorHandlers(deps: ApiDeps): Handlers<typeof monitorApi> {
  return {
    ...healthHandlers({
      db: deps.db,
      dataFolder: deps.config.CLEARWAY_DATA,
      migrations: () => migrationState(deps.db, 'monitor', monitorMigrations),
    }),
    ...userHandlers(deps),
    ...rulesetHandlers(),
    ...scanHandlers({ ...deps, limits: limitsOf(deps.config) }),
    ...runHandlers(deps),
    ...pageHandlers(deps),
    ...issueHandlers(deps),
  }
}

/** Serves the monitor service's calls: `/config` below the origin, the rest below `/monitor-api`, with its description. */
export async function startApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const guard = monitorGuard(deps, deps.identify)
  const client = clientConfig(deps.config, deps.facts)
  register(app, { table: configApi, handlers: { readConfig: () => Promise.resolve(client) }, guard })
  await app.register(
    (own, _options, done) => {
      register(own, { table: monitorApi, handlers: monitorHandlers(deps), guard })
      const document = openApiDocument()
      const docs = apiDocsPage()
      own.get('/openapi.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(document))
      own.get('/docs', (_request, reply) =>
        reply
          .headers({ 'cache-control': 'no-cache', 'content-security-policy': docs.policy })
          .type('text/html; charset=utf-8')
          .send(docs.html),
      )
      done()
    },
    { prefix: '/monitor-api' },
  )
}

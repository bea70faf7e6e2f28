import { configApi, monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Handlers } from '../kit/http/answer.ts'
import { type Guard, register } from '../kit/http/register.ts'
import { sendProblem } from '../kit/http/problem.ts'
import type { PubSub } from '../kit/pub-sub.ts'
import { apiDocsPage } from '../kit/api-docs.ts'
import { migrationState } from '../kit/database.ts'
import type { Seal } from '../kit/seal.ts'
import type { Accounts } from '../monitor/user/account/service.ts'
import { apiDescription } from './description.ts'
import { monitorMigrations } from '../migrations/monitor.ts'
import { monitorGuard } from '../monitor/access/service.ts'
import { buildClientConfig, getLimits, getReportTarget, getRetention } from '../monitor/config/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { healthHandlers } from '../monitor/health/routes.ts'
import { issueBulkHandlers, issueHandlers } from '../monitor/issue/routes.ts'
import type { Objects } from '../monitor/page/object/model.ts'
import { pageHandlers } from '../monitor/page/routes.ts'
import { rulesetHandlers } from '../monitor/ruleset/routes.ts'
import { runHandlers } from '../monitor/run/routes.ts'
import { recheckHandlers } from '../monitor/run/recheck/routes.ts'
import { previewHandlers } from '../monitor/run/preview/routes.ts'
import { openSlots, type Previews } from '../monitor/run/preview/service.ts'
import { createWorkerKeystores, createWorkerPreviews } from '../monitor/run/task/service.ts'
import { scanBulkHandlers, scanHandlers } from '../monitor/scan/routes.ts'
import { scanDraftHandlers } from '../monitor/scan/draft/routes.ts'
import { rollupHandlers } from '../monitor/scan/rollup/routes.ts'
import { searchHandlers } from '../monitor/scan/search/routes.ts'
import { auditHandlers } from '../monitor/audit/routes.ts'
import { accessHandlers } from '../monitor/access/routes.ts'
import { groupHandlers } from '../monitor/group/routes.ts'
import { notificationHandlers } from '../monitor/notification/routes.ts'
import { inboxHandlers } from '../monitor/notification/inbox/routes.ts'
import { presetHandlers } from '../monitor/preset/routes.ts'
import { scheduleHandlers } from '../monitor/schedule/routes.ts'
import { scriptHandlers } from '../monitor/script/routes.ts'
import { sessionHandlers } from '../monitor/session/routes.ts'
import { settingHandlers } from '../monitor/setting/routes.ts'
import { shareHandlers } from '../monitor/share/routes.ts'
import { userHandlers } from '../monitor/user/routes.ts'
import { apiKeyHandlers } from '../monitor/user/key/routes.ts'
import { viewHandlers } from '../monitor/view/routes.ts'
import { startPublicApi } from './public-api.ts'
import { freshnessOf } from './freshness.ts'

export type ApiDeps = {
  /** Where people reach this server. */
  publicUrl: string
  /** False while migrations run: then everything but the health call is answered with 503. */
  isReady: () => boolean
  accounts: Accounts
  seal: Seal
  config: Config
  db: MonitorDb
  pubSub: PubSub
  objects: Objects
  identify: Guard['identify']
  facts: { issuer: string; version: string; build: string }
  /** What the supervisor says of its processes; left out, this process is the only one. */
  processes?: () => ProcessHealth[]
}

/** Previews and dry runs that one process has open: what a worker does not do at once, waits. */
const previewsAtOnce = 8
/** URLs that one process asks for while they are typed. */
const reachesAtOnce = 8

const thisServer = (): ProcessHealth[] => {
  const startedAt = new Date(performance.timeOrigin).toISOString()
  return [{ kind: 'server', id: null, pid: process.pid, status: 'UP', startedAt, restarts: null }]
}

/** A handler for every call of the monitor service. */
export function monitorHandlers(deps: ApiDeps & { previews: Previews }): Handlers<typeof monitorApi> {
  const own = { ...deps, limits: getLimits(deps.config), openKeystore: createWorkerKeystores(deps) }
  return {
    ...healthHandlers({
      db: deps.db,
      dataFolder: deps.config.CLEARWAY_DATA,
      hasMail: deps.config.CLEARWAY_SMTP_URL !== null,
      migrations: () => migrationState(deps.db, 'monitor', monitorMigrations),
      processes: deps.processes ?? thisServer,
    }),
    ...userHandlers(deps),
    ...apiKeyHandlers(deps),
    ...rulesetHandlers(),
    ...scanHandlers(own),
    ...accessHandlers(own),
    ...auditHandlers(deps),
    ...groupHandlers(own),
    ...notificationHandlers(own),
    ...inboxHandlers(deps),
    ...presetHandlers(own),
    ...scheduleHandlers(own),
    ...scriptHandlers(own),
    ...sessionHandlers(own),
    ...settingHandlers({ ...deps, retention: getRetention(deps.config) }),
    ...shareHandlers(own),
    ...scanBulkHandlers(own),
    ...scanDraftHandlers(deps),
    ...rollupHandlers(deps),
    ...searchHandlers(deps),
    ...runHandlers({ ...deps, limits: getLimits(deps.config), report: getReportTarget(deps.config) }),
    ...previewHandlers({
      ...own,
      slots: openSlots(previewsAtOnce),
      reachSlots: openSlots(reachesAtOnce),
    }),
    ...recheckHandlers(deps),
    ...pageHandlers(deps),
    ...issueHandlers(deps),
    ...issueBulkHandlers(deps),
    ...viewHandlers(deps),
  }
}

/** Serves the monitor service's calls: `/config` below the origin, the rest below `/monitor-api`, with its description. */
export async function startApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const guard = monitorGuard(deps, deps.identify)
  const client = buildClientConfig(deps.config, deps.facts)
  register(app, { table: configApi, handlers: { readConfig: () => Promise.resolve(client) }, guard })
  const handlers = monitorHandlers({ ...deps, previews: createWorkerPreviews(deps) })
  const perMinute = deps.config.CLEARWAY_PUBLIC_RATE
  await startPublicApi(app, {
    db: deps.db,
    authorise: guard.authorise,
    handlers,
    perMinute,
    isReady: deps.isReady,
  })
  await app.register(
    (own, _options, done) => {
      own.addHook('onRequest', async (request, reply) => {
        if (deps.isReady() || request.url.startsWith('/monitor-api/actuator/')) return undefined
        return sendProblem(reply.header('retry-after', '10'), request.id, 'maintenance')
      })
      register(own, {
        table: monitorApi,
        handlers,
        guard,
        limits: getLimits(deps.config),
        freshness: freshnessOf(deps.config),
      })
      const document = apiDescription()
      const docs = apiDocsPage(document)
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

import { configApi, monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Handlers } from '../kit/http/answer.ts'
import { type Guard, registerEndpoints } from '../kit/http/register.ts'
import { sendProblem } from '../kit/http/problem.ts'
import type { PubSub } from '../kit/pub-sub.ts'
import { readMigrationStates } from '../kit/database.ts'
import { loadOnce } from '../kit/load-once.ts'
import type { Seal } from '../kit/seal.ts'
import type { Accounts } from '../monitor/user/account/service.ts'
import { monitorMigrations } from '../migrations/monitor.ts'
import { monitorGuard } from '../monitor/access/service.ts'
import { buildClientConfig, getLimits, getReportTarget, getRetention } from '../monitor/config/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { healthHandlers } from '../monitor/health/routes.ts'
import { issueBulkHandlers, issueIgnoreHandlers, issueHandlers } from '../monitor/issue/routes.ts'
import type { Objects } from '../monitor/page/object/model.ts'
import { pageHandlers } from '../monitor/page/routes.ts'
import { rulesetHandlers } from '../monitor/ruleset/routes.ts'
import { runHandlers } from '../monitor/run/routes.ts'
import { branchHandlers } from '../monitor/run/branch/routes.ts'
import { recheckHandlers } from '../monitor/run/recheck/routes.ts'
import { previewHandlers } from '../monitor/run/preview/routes.ts'
import { openSlots } from '../monitor/run/preview-access/service.ts'
import { createWorkerKeystores, createWorkerPreviews, type Previews } from '../monitor/run/task-client/service.ts'
import { scanBulkHandlers, scanHandlers } from '../monitor/scan/routes.ts'
import { scanDraftHandlers } from '../monitor/scan/draft/routes.ts'
import { goalHandlers } from '../monitor/scan/goal/routes.ts'
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
import { createOutsideChecks, type OutsideChecks } from './outside.ts'
import { getFreshness } from './freshness.ts'

export type ApiDeps = {
  /** URL at which users reach this server. */
  publicUrl: string
  /** False during migrations; all calls except health are then answered with 503. */
  isReady: () => boolean
  accounts: Accounts
  seal: Seal
  config: Config
  db: MonitorDb
  pubSub: PubSub
  objects: Objects
  identify: Guard['identify']
  facts: { issuer: string; version: string; build: string }
  /** Servers outside whose state health reports. */
  outside?: OutsideChecks
  /** Processes of the supervisor; by default this process is the only one. */
  processes?: () => ProcessHealth[]
}

/** Concurrent previews and dry runs of one process; tasks beyond a worker's capacity wait. */
const maxConcurrentPreviews = 8
/** Concurrent URL checks of one process while users type. */
const maxConcurrentReaches = 8

const listThisServer = (): ProcessHealth[] => {
  const processStartedAt = new Date(performance.timeOrigin).toISOString()
  return [{ kind: 'server', id: null, pid: process.pid, status: 'UP', startedAt: processStartedAt, restarts: null }]
}

export function createMonitorHandlers(deps: ApiDeps & { previews: Previews }): Handlers<typeof monitorApi> {
  const handlerDeps = { ...deps, limits: getLimits(deps.config), openKeystore: createWorkerKeystores(deps) }
  const outside = deps.outside ?? createOutsideChecks(deps.config)
  return {
    ...healthHandlers({
      db: deps.db,
      dataFolder: deps.config.CLEARWAY_DATA,
      version: deps.facts.version,
      build: deps.facts.build,
      checkMailServer: outside.mail,
      checkIdentityProvider: outside.signIn,
      migrations: () => readMigrationStates(deps.db, 'monitor', monitorMigrations),
      processes: deps.processes ?? listThisServer,
    }),
    ...userHandlers(deps),
    ...apiKeyHandlers(deps),
    ...rulesetHandlers(),
    ...scanHandlers(handlerDeps),
    ...accessHandlers(handlerDeps),
    ...auditHandlers(deps),
    ...groupHandlers(handlerDeps),
    ...notificationHandlers(handlerDeps),
    ...inboxHandlers(deps),
    ...presetHandlers(handlerDeps),
    ...scheduleHandlers(handlerDeps),
    ...scriptHandlers(handlerDeps),
    ...sessionHandlers(handlerDeps),
    ...settingHandlers({ ...deps, retention: getRetention(deps.config) }),
    ...shareHandlers(handlerDeps),
    ...scanBulkHandlers(handlerDeps),
    ...scanDraftHandlers(deps),
    ...goalHandlers(deps),
    ...rollupHandlers(deps),
    ...searchHandlers(deps),
    ...runHandlers({ ...deps, limits: getLimits(deps.config), report: getReportTarget(deps.config) }),
    ...previewHandlers({ ...handlerDeps, slots: openSlots(maxConcurrentPreviews), reachSlots: openSlots(maxConcurrentReaches) }),
    ...recheckHandlers(deps),
    ...branchHandlers(deps),
    ...pageHandlers(deps),
    ...issueHandlers(deps),
    ...issueBulkHandlers(deps),
    ...issueIgnoreHandlers(deps),
    ...viewHandlers(deps),
  }
}

/** Serves the description of the API, as a document and as a page. It is built at the first request: it takes 10 MB. */
function serveDescription(apiScope: FastifyInstance): void {
  const loadDescription = loadOnce(async () => {
    const [{ describeApi }, { renderApiDocs }] = await Promise.all([import('./description.ts'), import('../kit/api-docs.ts')])
    const description = describeApi()
    return { json: JSON.stringify(description), page: renderApiDocs(description) }
  })
  apiScope.get('/openapi.json', async (_request, reply) => {
    const { json } = await loadDescription()
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(json)
  })
  apiScope.get('/docs', async (_request, reply) => {
    const { page } = await loadDescription()
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': page.policy })
      .type('text/html; charset=utf-8')
      .send(page.html)
  })
}

/** Serves the monitor's calls: `/config` at the root, all others below `/monitor-api`, with their API description. */
export async function startApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const apiGuard = monitorGuard(deps, deps.identify)
  const publicConfig = buildClientConfig(deps.config, deps.facts)
  registerEndpoints(app, { table: configApi, handlers: { readConfig: () => Promise.resolve(publicConfig) }, guard: apiGuard })
  const apiHandlers = createMonitorHandlers({ ...deps, previews: createWorkerPreviews(deps) })
  const callsPerMinute = deps.config.CLEARWAY_PUBLIC_RATE
  await startPublicApi(app, {
    db: deps.db,
    authorise: apiGuard.authorize,
    handlers: apiHandlers,
    perMinute: callsPerMinute,
    isReady: deps.isReady,
  })
  await app.register(
    (apiScope, _options, finishRegistration) => {
      apiScope.addHook('onRequest', async (request, reply) => {
        if (deps.isReady() || request.url.startsWith('/monitor-api/actuator/')) return undefined
        return sendProblem(reply.header('retry-after', '10'), request.id, 'maintenance')
      })
      registerEndpoints(apiScope, {
        table: monitorApi,
        handlers: apiHandlers,
        guard: apiGuard,
        limits: getLimits(deps.config),
        freshness: getFreshness(deps.config),
      })
      serveDescription(apiScope)
      finishRegistration()
    },
    { prefix: '/monitor-api' },
  )
}

import type { FastifyInstance } from 'fastify'
import { type Config, getDownloadLimits, getRateLimits, listChosenSettings } from '../config.ts'
import type { LogFunction } from '../kit/log.ts'
import { openPubSub } from '../kit/pub-sub.ts'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import { mountProbeRoutes } from '../kit/http/probe.ts'
import { refuseWhileSilent, watchDatabaseSilence } from '../kit/http/silence.ts'
import { createHttpServer } from '../kit/http/server.ts'
import { identify, createProviderKeys, type TokenRules, verifyToken } from '../kit/http/token.ts'
import { startAccount } from './account.ts'
import { type ApiDeps, startApi } from './api.ts'
import { type AuditRecord, createAuditRecorder } from './audit.ts'
import { startScheduler } from './scheduler.ts'
import { openConfiguredSeal } from './seal.ts'
import { isDatabaseReachable, openPing } from '../kit/database.ts'
import { migrateMonitor, openMonitor, openMonitorForCalls, startDatabase } from './database.ts'
import { type IdpRole, getServiceClient, startIdp, watchAccounts } from './idp.ts'
import { startMetrics } from './metrics.ts'
import { openConfiguredObjects } from './object-store.ts'
import { createOutsideChecks, logOutsideProblems } from './outside.ts'
import { holdPort } from './port.ts'
import { startTraces } from './traces.ts'
import { readProductBuild, readProductVersion } from './version.ts'
import { registerHelpRoutes, startWebBuild, registerWebRoutes } from './web.ts'
import { type Seal } from '../kit/seal.ts'
import { sealOldHeaders } from '../monitor/session/service.ts'
import { assertSecretKey } from '../monitor/session/secret-key/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { assertOwnStore } from '../monitor/page/object/service.ts'
import { measureSystem } from '../monitor/health/measure/service.ts'
import type { TeamChange } from '../account/team/service.ts'
import { openAccounts } from '../monitor/user/account/service.ts'
import type { ProviderEndpoints } from '../account/member/sign-in/service.ts'
import { realmPath } from '../idp/provider.ts'

/** Logs the start, and returns the log of the life of this process. */
function openProcessLog(log: LogFunction, config: Config, startedAt: number) {
  const { CLEARWAY_ROLES: roles } = config
  const getSeconds = () => Math.round((Date.now() - startedAt) / 100) / 10
  const settings = listChosenSettings(process.env)
  log('info', 'starting', { version: readProductVersion(), build: readProductBuild(), roles, settings })
  return {
    notePrepared: (databaseVersion: string) => log('info', 'database ready', { version: databaseVersion, seconds: getSeconds() }),
    noteReady: (url: string) => log('info', 'ready', { roles, url, seconds: getSeconds() }),
    noteStopping: () => log('info', 'stopping', { roles }),
    noteStopped: () => log('info', 'stopped', { roles }),
  }
}

/** Refuses calls while the database is silent. @returns a function that stops this */
function watchSilence(app: FastifyInstance, databaseUrl: string): () => Promise<void> {
  const { ping, end: endPing } = openPing(databaseUrl)
  refuseWhileSilent(app, watchDatabaseSilence(ping))
  return endPing
}

const openLoggedObjects = (config: Config, log: LogFunction) => openConfiguredObjects(config, (message) => log('warn', message))

/** A running process; `announcement` is printed when everything is ready. */
export type RunningServer = { url: string; announcement: string; stop: () => Promise<void> }

const wildcardHosts = new Set(['0.0.0.0', '::'])

/** The server's URL when none is configured. */
function buildLocalUrl(config: Config, port: number): string {
  const localHost = wildcardHosts.has(config.CLEARWAY_HOST) ? 'localhost' : config.CLEARWAY_HOST
  return `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}`
}

/** Stop functions, last started first. All of them run, even after an error. */
function createStopList() {
  const stopFunctions: (() => Promise<void> | void)[] = []
  return {
    add: (stop: () => Promise<void> | void) => void stopFunctions.unshift(stop),
    run: async () => {
      for (const stop of stopFunctions.splice(0)) await Promise.resolve(stop()).catch(() => undefined)
    },
  }
}

function createTokenRules(config: Config, facts: { issuer: string; localUrl: string; embedded: boolean }): TokenRules {
  // The embedded provider is in this process, so its keys are fetched locally, regardless of its public URL.
  const localJwksUrl = facts.embedded ? `${facts.localUrl}${realmPath}/protocol/openid-connect/certs` : null
  return {
    issuer: facts.issuer,
    audience: config.CLEARWAY_OIDC_AUDIENCE,
    algorithms: config.CLEARWAY_OIDC_ALGORITHMS,
    roleClaim: config.CLEARWAY_OIDC_ROLE_CLAIM,
    // The embedded provider uses our role names.
    roleMap: facts.embedded ? [] : config.CLEARWAY_OIDC_ROLE_MAP,
    resource: config.CLEARWAY_OIDC_RESOURCE,
    keys: createProviderKeys({ issuer: facts.issuer, jwksUrl: config.CLEARWAY_OIDC_JWKS_URL ?? localJwksUrl }),
  }
}

/** Endpoints for the sign-in on pages of the account service; an external provider publishes its own. */
function createProviderLookup(facts: { issuer: string; localUrl: string; embedded: boolean }): () => Promise<ProviderEndpoints> {
  const protocolPath = '/protocol/openid-connect'
  const embeddedProvider: ProviderEndpoints = {
    authorize: `${facts.issuer}${protocolPath}/auth`,
    token: `${facts.localUrl}${realmPath}${protocolPath}/token`,
  }
  if (facts.embedded) return () => Promise.resolve(embeddedProvider)
  return async () => {
    const timeoutSignal = AbortSignal.timeout(10_000)
    const response = await fetch(`${facts.issuer}/.well-known/openid-configuration`, { signal: timeoutSignal })
    const providerMetadata = (await response.json()) as { authorization_endpoint: string; token_endpoint: string }
    return { authorize: providerMetadata.authorization_endpoint, token: providerMetadata.token_endpoint }
  }
}

/** The account service with the product's own client; for an external provider the client is configured. */
function openConfiguredAccounts(config: Config, facts: ServerFacts, deps: { db: MonitorDb; seal: Seal; log: LogFunction }) {
  const hasClient = config.CLEARWAY_OIDC_ISSUER === null || config.CLEARWAY_SERVICE_SECRET !== null
  const getProvider = createProviderLookup(facts)
  const getTokenUrl = async () => (await getProvider()).token
  const serviceClient = hasClient ? { ...getServiceClient(config, deps.seal), tokenUrl: getTokenUrl } : null
  return openAccounts({ ...deps, accountUrl: getAccountUrl(config, facts), service: serviceClient })
}

function buildAnnouncement(config: Config, url: string, setupUrl: string | null, startedAt: number): string {
  const elapsedSeconds = (Date.now() - startedAt) / 1000
  const elapsedText = `(after ${elapsedSeconds.toFixed(1)} s). Ctrl-C stops it.`
  const hasWeb = config.CLEARWAY_ROLES.includes('api')
  const readyText = hasWeb ? `Clearway is ready at ${url}/monitor` : `Clearway is ready as ${config.CLEARWAY_ROLES.join(', ')}`
  return [`${readyText} ${elapsedText}`, ...(setupUrl ? [`Create the first administrator: ${setupUrl}`] : [])].join('\n')
}

/** Directory of people: the embedded provider in any process, or an external one. */
function getDirectory(config: Config, facts: { localUrl: string; publicUrl: string; embedded: boolean }) {
  const externalIssuer = config.CLEARWAY_OIDC_ISSUER
  if (externalIssuer !== null) return { providerUrl: null, manageUrl: config.CLEARWAY_OIDC_MANAGE_URL ?? externalIssuer }
  return { providerUrl: (facts.embedded ? facts.localUrl : facts.publicUrl) + realmPath, manageUrl: null }
}

type StopList = ReturnType<typeof createStopList>
type ServerFacts = { issuer: string; localUrl: string; publicUrl: string; embedded: boolean; databaseUrl: string }

/** Checks whether the embedded account service is in this process. */
const hasEmbeddedAccounts = (config: Config): boolean =>
  config.CLEARWAY_ROLES.includes('account') && config.CLEARWAY_ACCOUNT_URL === null

/** URL of the account service, for the monitor. */
const getAccountUrl = (config: Config, facts: Pick<ServerFacts, 'localUrl' | 'publicUrl'>): string =>
  (config.CLEARWAY_ACCOUNT_URL ?? (hasEmbeddedAccounts(config) ? facts.localUrl : facts.publicUrl)).replace(/(?<!\/)\/+$/, '')

/** Starts the identity provider and the account service, if embedded. */
async function startServices(
  app: FastifyInstance,
  config: Config,
  facts: ServerFacts & { seal: Seal; record: AuditRecord; log: LogFunction; forgetTeams: () => void },
  stops: StopList,
) {
  const { databaseUrl, publicUrl, embedded: isEmbedded } = facts
  // The rules need the provider's account check, and the provider needs the rules to identify callers.
  const verificationRules = createTokenRules(config, facts)
  const identifyCaller = (request: Parameters<typeof identify>[1]) => identify(verificationRules, request)
  const { onSignIn, onAccount } = facts.record
  const idpRole: IdpRole | null = isEmbedded
    ? await startIdp(app, {
        config,
        databaseUrl,
        publicUrl,
        seal: facts.seal,
        onSignIn,
        onAccount,
        identify: identifyCaller,
        log: (message) => facts.log('warn', message),
      })
    : null
  const isProviderEmbedded = config.CLEARWAY_OIDC_ISSUER === null
  const acceptsTokens = config.CLEARWAY_ROLES.includes('api') || hasEmbeddedAccounts(config)
  const accountJudge = idpRole ?? (isProviderEmbedded && acceptsTokens ? await watchAccounts(config, facts) : null)
  if (accountJudge) {
    stops.add(accountJudge.stop)
    verificationRules.isCurrent = accountJudge.isCurrent
  }
  if (hasEmbeddedAccounts(config)) {
    const verifyAccessToken = (token: string) => verifyToken(verificationRules, token)
    const { onAgreed, onTeam } = facts.record
    const accountDeps = {
      config,
      databaseUrl,
      publicUrl,
      identify: identifyCaller,
      verify: verifyAccessToken,
      provider: createProviderLookup(facts),
      directory: getDirectory(config, facts),
      log: (message: string) => facts.log('warn', message),
      onTeams: (change: TeamChange) => {
        facts.forgetTeams()
        return onTeam(change)
      },
      onAgreed,
    }
    stops.add((await startAccount(app, accountDeps)).stop)
  }
  return { idp: idpRole, who: identifyCaller }
}

function createServerOptions(config: Config, { issuer, publicUrl }: ServerFacts) {
  const connectOrigins = [issuer, config.CLEARWAY_ACCOUNT_URL ?? publicUrl].map((url) => new URL(url).origin)
  return {
    logLevel: config.CLEARWAY_LOG_LEVEL,
    connect: connectOrigins,
    trustProxy: config.CLEARWAY_TRUST_PROXY,
    rates: getRateLimits(config),
    downloads: getDownloadLimits(config),
    https: publicUrl.startsWith('https://'),
  }
}

/** Checks whether a process writes, reads or removes pictures. */
const usesObjectStore = (config: Config): boolean =>
  config.CLEARWAY_ROLES.some((role) => role === 'api' || role === 'worker' || role === 'scheduler')

/** Serves the monitor's calls with connections of their own, the help, and the web application. */
async function startApiRole(
  app: FastifyInstance,
  { issuer, ...deps }: Omit<ApiDeps, 'facts' | 'processes'> & { issuer: string; log: LogFunction },
  options: {
    databaseUrl: string
    listProcesses: ApiDeps['processes'] | undefined
    webBuild: ReturnType<typeof startWebBuild> | null
  },
  stops: StopList,
): Promise<void> {
  const callDb = openMonitorForCalls(deps.config, options.databaseUrl, (message) => deps.log('warn', message))
  stops.add(() => callDb.destroy())
  const outside = createOutsideChecks(deps.config)
  void logOutsideProblems(outside, deps.log)
  await startApi(app, {
    ...deps,
    db: callDb,
    outside,
    facts: { issuer, version: readProductVersion(), build: readProductBuild() },
    ...(options.listProcesses && { processes: options.listProcesses }),
  })
  registerHelpRoutes(app)
  if (options.webBuild) await registerWebRoutes(app, { state: options.webBuild.state, publicUrl: deps.publicUrl })
}

/** Migrates the database of the monitor, and checks that its secrets and objects belong to this process. */
async function prepareMonitor(config: Config, deps: Parameters<typeof startScheduler>[0]): Promise<void> {
  await migrateMonitor(deps.db)
  await assertSecretKey(deps)
  await sealOldHeaders(deps)
  if (usesObjectStore(config)) await assertOwnStore(deps)
}

/** Starts background work on the migrated database. @returns whether that can be done at the moment */
async function startBackground(
  config: Config,
  deps: Parameters<typeof startScheduler>[0],
  stops: StopList,
): Promise<() => Promise<boolean>> {
  const enabledRoles = new Set(config.CLEARWAY_ROLES)
  // Other processes never load the engine.
  const worker = enabledRoles.has('worker') ? await (await import('./worker.ts')).startWorkerRole(deps) : null
  if (worker) stops.add(worker.stop)
  if (enabledRoles.has('scheduler')) {
    stops.add((await startScheduler(deps)).stop)
    stops.add(measureSystem(deps))
  }
  return worker ? worker.hasBrowser : () => Promise.resolve(true)
}

/** URLs of this process and of its provider. */
function createServerFacts(config: Config, port: number, databaseUrl: string): ServerFacts {
  const localHost = wildcardHosts.has(config.CLEARWAY_HOST) ? '127.0.0.1' : config.CLEARWAY_HOST
  const publicUrl = config.CLEARWAY_PUBLIC_URL ?? buildLocalUrl(config, port)
  const externalIssuer = config.CLEARWAY_OIDC_ISSUER
  return {
    issuer: externalIssuer ?? publicUrl + realmPath,
    localUrl: buildLocalUrl({ ...config, CLEARWAY_HOST: localHost }, port),
    publicUrl,
    embedded: externalIssuer === null && config.CLEARWAY_ROLES.includes('idp'),
    databaseUrl,
  }
}

/** Waits for the build of the web application, and reports a failure. */
async function waitForWebBuild(web: ReturnType<typeof startWebBuild> | null): Promise<void> {
  await web?.done
  const buildState = web?.state()
  if (buildState?.kind === 'failed')
    console.error(`The web application could not be built; the API works.\n${buildState.message}`)
}

/**
 * Starts the configured roles in this process. Listens before migrations; calls are then answered with 503.
 * @param options.listens false for a worker next to a server, which uses the port
 * @param options.processes processes of the supervisor, if there is one
 * @param options.began time at which the start began, if earlier than this process
 * @returns the URL and a stop function, which releases work before it closes the database
 */
export async function serve(
  config: Config,
  options: { listens?: boolean; began?: number; processes?: () => ProcessHealth[] } = {},
): Promise<RunningServer> {
  const { listens: shouldListen = true, began: startedAt = Date.now() - performance.now() } = options
  const stopFunctions = createStopList()
  try {
    const heldPort = shouldListen ? await holdPort(config) : null
    for (const start of [startMetrics, startTraces]) stopFunctions.add((await start(config)).stop)
    const hasApiRole = config.CLEARWAY_ROLES.includes('api')
    const webBuild = hasApiRole && config.CLEARWAY_WEB ? startWebBuild() : null
    if (webBuild) stopFunctions.add(webBuild.stop)
    const runningDatabase = await startDatabase(config)
    stopFunctions.add(runningDatabase.stop)
    const monitorDb = openMonitor(config, runningDatabase.url)
    stopFunctions.add(() => monitorDb.destroy())
    const serverFacts = createServerFacts(config, heldPort?.number ?? config.CLEARWAY_PORT, runningDatabase.url)
    const { issuer, publicUrl } = serverFacts
    const app: FastifyInstance = await createHttpServer(createServerOptions(config, serverFacts))
    const log: LogFunction = (level, message, fields = {}) => app.log[level](fields, message)
    const processLog = openProcessLog(log, config, startedAt)
    stopFunctions.add(processLog.noteStopped)
    stopFunctions.add(watchSilence(app, runningDatabase.url))
    const pubSub = await openPubSub(runningDatabase.url, (message) => log('warn', message))
    stopFunctions.add(pubSub.stop)
    const seal = openConfiguredSeal(config)
    const accounts = openConfiguredAccounts(config, serverFacts, { db: monitorDb, seal, log })
    const monitorDeps = { config, db: monitorDb, pubSub, seal, publicUrl, log, accounts, objects: openLoggedObjects(config, log) }
    const record = createAuditRecorder(monitorDb, log)
    const { idp: idpRole, who: identifyCaller } = await startServices(
      app,
      config,
      { ...serverFacts, seal, record, log, forgetTeams: accounts.forget },
      stopFunctions,
    )
    let isReady = false
    let canWork = () => Promise.resolve(false)
    mountProbeRoutes(app, async () => (await canWork()) && (await isDatabaseReachable(monitorDb)))
    if (hasApiRole)
      await startApiRole(
        app,
        { ...monitorDeps, identify: identifyCaller, issuer, isReady: () => isReady },
        { listProcesses: options.processes, webBuild, databaseUrl: runningDatabase.url },
        stopFunctions,
      )
    if (heldPort) await heldPort.listen(app)
    stopFunctions.add(() => app.close())
    await prepareMonitor(config, monitorDeps)
    processLog.notePrepared(runningDatabase.version)
    isReady = true
    canWork = await startBackground(config, monitorDeps, stopFunctions)
    // Announced only when users can open the web application.
    await waitForWebBuild(webBuild)
    const announcement = buildAnnouncement(config, publicUrl, idpRole?.setup ?? null, startedAt)
    processLog.noteReady(publicUrl)
    return { url: publicUrl, announcement, stop: () => (processLog.noteStopping(), stopFunctions.run()) }
  } catch (error) {
    await stopFunctions.run()
    throw error
  }
}

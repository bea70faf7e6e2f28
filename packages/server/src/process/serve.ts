import type { FastifyInstance } from 'fastify'
import { type Config, getDownloadLimits, getRateLimits, listChosenSettings } from '../config.ts'
import { type LogFunction, writeLogLine } from '../kit/log.ts'
import { createStopList, type StopList } from '../kit/stop-list.ts'
import { openPubSub } from '../kit/pub-sub.ts'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import { mountProbeRoutes } from '../kit/http/probe.ts'
import { refuseWhileSilent, watchDatabaseSilence } from '../kit/http/silence.ts'
import { createHttpServer } from '../kit/http/server.ts'
import type { SchedulerDeps } from './scheduler.ts'
import { openConfiguredSeal } from './seal.ts'
import { isDatabaseReachable, openPing } from '../kit/database.ts'
import { migrateMonitor, openMonitor, startDatabase } from './database.ts'
import { startMetrics } from './metrics.ts'
import { openConfiguredObjects } from './object-store.ts'
import { holdPort } from './port.ts'
import { createServerFacts, type ServerFacts } from './server-facts.ts'
import { startTraces } from './traces.ts'
import { readProductBuild, readProductVersion } from './version.ts'
import type { WebBuild } from './web.ts'
import { sealOldHeaders } from '../monitor/session/service.ts'
import { assertSecretKey } from '../monitor/session/secret-key/service.ts'
import { assertOwnStore } from '../monitor/page/object/service.ts'

/** Logs the start, and returns the log of the life of this process. */
function openProcessLog(log: LogFunction, config: Config, startedAt: number) {
  const { CLEARWAY_ROLES: roles } = config
  const getSeconds = () => Math.round((Date.now() - startedAt) / 100) / 10
  const settings = listChosenSettings(process.env)
  log('info', 'starting', { version: readProductVersion(), build: readProductBuild(), roles, settings })
  return {
    notePrepared: (databaseVersion: string) => log('info', 'database ready', { version: databaseVersion, seconds: getSeconds() }),
    noteReady: (url: string) => log('info', 'ready', { roles, url, seconds: getSeconds() }),
    noteStopping: (reason: string) => log('info', 'stopping', { roles, reason }),
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
export type RunningServer = { url: string; announcement: string; stop: StopFunction }
/** @param reason for the log */
export type StopFunction = (reason?: string) => Promise<void>

function buildAnnouncement(config: Config, url: string, setupUrl: string | null, startedAt: number): string {
  const elapsedSeconds = (Date.now() - startedAt) / 1000
  const elapsedText = `(after ${elapsedSeconds.toFixed(1)} s). Ctrl-C stops it.`
  const hasWeb = config.CLEARWAY_ROLES.includes('api')
  const readyText = hasWeb ? `Clearway is ready at ${url}/monitor` : `Clearway is ready as ${config.CLEARWAY_ROLES.join(', ')}`
  return [`${readyText} ${elapsedText}`, ...(setupUrl ? [`Create the first administrator: ${setupUrl}`] : [])].join('\n')
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

type BackgroundDeps = Omit<SchedulerDeps, 'accounts'>

/** Options of a process that has a supervisor. */
type SupervisedOptions = {
  /** All processes of the supervisor. */
  processes?: () => ProcessHealth[]
  /** Called after each long time without work that follows some work, if this process is a worker. */
  onIdle?: () => void
}

/** Migrates the database of the monitor, and checks that its secrets and objects belong to this process. */
async function prepareMonitor(config: Config, deps: BackgroundDeps): Promise<void> {
  await migrateMonitor(deps.db, deps.log)
  await assertSecretKey(deps)
  await sealOldHeaders(deps)
  if (usesObjectStore(config)) await assertOwnStore(deps)
}

/** Starts background work on the migrated database. @returns whether that can be done at the moment */
async function startBackground(
  config: Config,
  deps: BackgroundDeps,
  { accounts, onIdle }: SupervisedOptions & { accounts: SchedulerDeps['accounts'] | null },
  stops: StopList,
): Promise<() => Promise<boolean>> {
  const enabledRoles = new Set(config.CLEARWAY_ROLES)
  // Other processes never load the engine.
  const worker = enabledRoles.has('worker') ? await (await import('./worker.ts')).startWorkerRole(deps, onIdle) : null
  if (worker) stops.add(worker.stop)
  if (enabledRoles.has('scheduler') && accounts) {
    const [{ startScheduler }, { measureSystem }] = await Promise.all([
      import('./scheduler.ts'),
      import('../monitor/health/measure/service.ts'),
    ])
    stops.add((await startScheduler({ ...deps, accounts })).stop)
    stops.add(measureSystem(deps))
  }
  return worker ? worker.hasBrowser : () => Promise.resolve(true)
}

/** Waits for the build of the web application, and reports a failure. */
async function waitForWebBuild(web: { state: () => WebBuild; done: Promise<void> } | null, log: LogFunction): Promise<void> {
  await web?.done
  const buildState = web?.state()
  if (buildState?.kind === 'failed') log('error', `The web application could not be built; the API works: ${buildState.message}`)
}

/**
 * Starts the configured roles in this process. Listens before migrations; calls are then answered with 503.
 * @param options.listens false for a worker next to a server, which uses the port
 * @param options.began time at which the start began, if earlier than this process
 * @returns the URL and a stop function, which releases work before it closes the database
 */
export async function serve(
  config: Config,
  options: { listens?: boolean; began?: number } & SupervisedOptions = {},
): Promise<RunningServer> {
  const { listens: shouldListen = true, began: startedAt = Date.now() - performance.now() } = options
  const stopFunctions = createStopList()
  try {
    const heldPort = shouldListen ? await holdPort(config) : null
    for (const start of [startMetrics, startTraces]) stopFunctions.add((await start(config)).stop)
    const hasApiRole = config.CLEARWAY_ROLES.includes('api')
    const isServer = config.CLEARWAY_ROLES.some((role) => role !== 'worker')
    const webBuild = hasApiRole && config.CLEARWAY_WEB ? (await import('./web.ts')).startWebBuild() : null
    if (webBuild) stopFunctions.add(webBuild.stop)
    const runningDatabase = await startDatabase(config, (message) => writeLogLine('warn', message))
    stopFunctions.add(runningDatabase.stop)
    const monitorDb = openMonitor(config, runningDatabase.url)
    stopFunctions.add(() => monitorDb.destroy())
    const serverFacts = createServerFacts(config, heldPort?.number ?? config.CLEARWAY_PORT, runningDatabase.url)
    const { publicUrl } = serverFacts
    const app: FastifyInstance = await createHttpServer(createServerOptions(config, serverFacts))
    const log: LogFunction = (level, message, fields = {}) => app.log[level](fields, message)
    const processLog = openProcessLog(log, config, startedAt)
    stopFunctions.add(processLog.noteStopped)
    if (isServer) stopFunctions.add(watchSilence(app, runningDatabase.url))
    const pubSub = await openPubSub(runningDatabase.url, (message) => log('warn', message))
    stopFunctions.add(pubSub.stop)
    const seal = openConfiguredSeal(config)
    const monitorDeps = { config, db: monitorDb, pubSub, seal, publicUrl, log, objects: openLoggedObjects(config, log) }
    let isReady = false
    let canWork = () => Promise.resolve(false)
    const server = isServer
      ? await (
          await import('./server-roles.ts')
        ).startServerRoles(
          app,
          { ...monitorDeps, isReady: () => isReady },
          { serverFacts, listProcesses: options.processes, getWebState: webBuild?.state ?? null },
          stopFunctions,
        )
      : null
    mountProbeRoutes(app, async () => (await canWork()) && (await isDatabaseReachable(monitorDb)))
    if (heldPort) await heldPort.listen(app)
    stopFunctions.add(() => app.close())
    await prepareMonitor(config, monitorDeps)
    processLog.notePrepared(runningDatabase.version)
    isReady = true
    canWork = await startBackground(config, monitorDeps, { ...options, accounts: server?.accounts ?? null }, stopFunctions)
    // Announced only when users can open the web application.
    await waitForWebBuild(webBuild, log)
    const announcement = buildAnnouncement(config, publicUrl, server?.setupUrl ?? null, startedAt)
    processLog.noteReady(publicUrl)
    return { url: publicUrl, announcement, stop: (reason = 'stopped') => (processLog.noteStopping(reason), stopFunctions.run()) }
  } catch (error) {
    await stopFunctions.run()
    throw error
  }
}

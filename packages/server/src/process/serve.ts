import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { type Config, downloadsOf, ratesOf } from '../config.ts'
import { openPubSub } from '../kit/pub-sub.ts'
import { registry } from '../kit/metrics/registry.ts'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import { probeRoutes } from '../kit/http/probe.ts'
import { openServer } from '../kit/http/server.ts'
import { identify, providerKeys, type TokenRules, verifyToken } from '../kit/http/token.ts'
import { startAccount } from './account.ts'
import { type ApiDeps, startApi } from './api.ts'
import { startScheduler } from './scheduler.ts'
import { answers } from '../kit/database.ts'
import { migrateMonitor, openMonitor, openMonitorForCalls, startDatabase } from './database.ts'
import { type IdpRole, serviceClientOf, startIdp, watchAccounts } from './idp.ts'
import { startMetrics } from './metrics.ts'
import { objectsOf } from './object-store.ts'
import { takePort } from './port.ts'
import { startTraces } from './traces.ts'
import { productVersion } from './version.ts'
import { helpRoutes, prepareWeb, webRoutes } from './web.ts'
import { openSeal, type Seal } from '../kit/seal.ts'
import { sealOldHeaders } from '../monitor/session/service.ts'
import { checkSecretKey } from '../monitor/session/secret-key/service.ts'
import { recordAuditEntry } from '../monitor/audit/service.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { checkStore } from '../monitor/page/object/service.ts'
import { measureSystem } from '../monitor/health/measure/service.ts'
import type { TeamChange } from '../account/team/service.ts'
import type { AccountEvent } from '../idp/account/service.ts'
import type { SignInTry } from '../idp/sign-in/routes.ts'
import { actorNow } from '../kit/actor.ts'
import { forgetAccount, keepAccount } from '../monitor/user/person/service.ts'
import { openAccounts } from '../monitor/user/account/service.ts'
import type { Provider } from '../account/member/sign-in/service.ts'
import { realmPath } from '../idp/provider.ts'

/** `announcement` is printed when all is ready. */
export type Serving = { url: string; announcement: string; stop: () => Promise<void> }

const wildcards = new Set(['0.0.0.0', '::'])

/** The address that people use, when the settings name none. */
function ownUrl(config: Config, port: number): string {
  const host = wildcards.has(config.CLEARWAY_HOST) ? 'localhost' : config.CLEARWAY_HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Things to end, last started first. Each is tried, whatever becomes of the others. */
function stopList() {
  const list: (() => Promise<void> | void)[] = []
  return {
    add: (stop: () => Promise<void> | void) => void list.unshift(stop),
    run: async () => {
      for (const stop of list.splice(0)) await Promise.resolve(stop()).catch(() => undefined)
    },
  }
}

function tokenRules(
  config: Config,
  facts: { issuer: string; localUrl: string; embedded: boolean },
): TokenRules {
  // The embedded provider is in this process: its keys are asked for here, whatever its public address is.
  const local = facts.embedded ? `${facts.localUrl}${realmPath}/protocol/openid-connect/certs` : null
  return {
    issuer: facts.issuer,
    audience: config.CLEARWAY_OIDC_AUDIENCE,
    algorithms: config.CLEARWAY_OIDC_ALGORITHMS,
    roleClaim: config.CLEARWAY_OIDC_ROLE_CLAIM,
    // The embedded provider names the roles themselves.
    roleMap: facts.embedded ? [] : config.CLEARWAY_OIDC_ROLE_MAP,
    resource: config.CLEARWAY_OIDC_RESOURCE,
    keys: providerKeys({ issuer: facts.issuer, jwksUrl: config.CLEARWAY_OIDC_JWKS_URL ?? local }),
  }
}

/** Where the pages of the account service send people to sign in; an external provider says so itself. */
function providerOf(facts: { issuer: string; localUrl: string; embedded: boolean }): () => Promise<Provider> {
  const protocol = '/protocol/openid-connect'
  const embedded: Provider = {
    authorize: `${facts.issuer}${protocol}/auth`,
    token: `${facts.localUrl}${realmPath}${protocol}/token`,
  }
  if (facts.embedded) return () => Promise.resolve(embedded)
  return async () => {
    const signal = AbortSignal.timeout(10_000)
    const reply = await fetch(`${facts.issuer}/.well-known/openid-configuration`, { signal })
    const found = (await reply.json()) as { authorization_endpoint: string; token_endpoint: string }
    return { authorize: found.authorization_endpoint, token: found.token_endpoint }
  }
}

/** The account service, and the product's own client to ask it as: another provider's is named by the settings. */
function accountsOf(config: Config, facts: Facts, deps: { db: MonitorDb; seal: Seal; log: Log }) {
  const hasClient = config.CLEARWAY_OIDC_ISSUER === null || config.CLEARWAY_SERVICE_SECRET !== null
  const provider = providerOf(facts)
  const tokenUrl = async () => (await provider()).token
  const service = hasClient ? { ...serviceClientOf(config, deps.seal), tokenUrl } : null
  return openAccounts({ ...deps, accountUrl: accountUrlOf(config, facts), service })
}

function announce(config: Config, url: string, setup: string | null, began: number): string {
  const seconds = (Date.now() - began) / 1000
  const after = `(after ${seconds.toFixed(1)} s). Ctrl-C stops it.`
  const hasWeb = config.CLEARWAY_ROLES.includes('api')
  const what = hasWeb
    ? `Clearway is ready at ${url}/monitor`
    : `Clearway is ready as ${config.CLEARWAY_ROLES.join(', ')}`
  return [`${what} ${after}`, ...(setup ? [`Create the first administrator: ${setup}`] : [])].join('\n')
}

/** Who manages the people: the embedded provider, wherever it runs, or another one. */
function directoryOf(config: Config, facts: { localUrl: string; publicUrl: string; embedded: boolean }) {
  const external = config.CLEARWAY_OIDC_ISSUER
  if (external !== null) return { providerUrl: null, manageUrl: config.CLEARWAY_OIDC_MANAGE_URL ?? external }
  return { providerUrl: (facts.embedded ? facts.localUrl : facts.publicUrl) + realmPath, manageUrl: null }
}

type Log = (level: 'info' | 'warn' | 'error', message: string) => void
type Stops = ReturnType<typeof stopList>
type Facts = { issuer: string; localUrl: string; publicUrl: string; embedded: boolean; databaseUrl: string }

const signIns = new Counter({
  name: 'clearway_sign_ins_total',
  help: 'Tries to sign in at the embedded identity provider, by what came of them.',
  labelNames: ['result'],
  registers: [registry],
})

for (const result of ['in', 'missing', 'wrong', 'too-many'] as const) signIns.inc({ result }, 0)

type AuditRecord = ReturnType<typeof auditRecord>

/** What the other services report is recorded beside the changes of the monitor. A record that fails keeps nobody out. */
function auditRecord(db: MonitorDb, log: Log) {
  const record = (entry: Parameters<typeof recordAuditEntry>[1]) =>
    recordAuditEntry({ db }, entry).catch((error: unknown) => log('error', `record: ${String(error)}`))
  /** Whose call it is, else whose doing. */
  const caller = (otherwise: string | null) => {
    const actor = actorNow()
    return {
      actor: actor ? actor.id : otherwise,
      address: actor?.address ?? null,
      requestId: actor?.request ?? null,
    }
  }
  return {
    onSignIn: ({ result, personId, address, requestId }: SignInTry) => {
      signIns.inc({ result })
      return record({
        action: result === 'in' ? 'signed-in' : 'refused',
        noun: 'sign-in',
        subject: personId ?? 'unknown',
        actor: result === 'in' ? personId : null,
        address,
        requestId,
        ...(result !== 'in' && { after: { reason: result } }),
      })
    },
    onAgreed: (personId: string, version: string) => {
      const nothing = { address: null, requestId: null }
      return record({ action: 'agreed', noun: 'terms', subject: version, actor: personId, ...nothing })
    },
    /** Keys and mails follow their owner's account. Records the changes that no table of the monitor shows. */
    onAccount: async (event: AccountEvent): Promise<void> => {
      if (event.kind === 'kept') return keepAccount({ db }, event.account)
      if (event.kind === 'deleted') return forgetAccount({ db }, event.id)
      const after = { account: event.kind }
      // Without a call it is the person's own doing; a form says whether it is known whose.
      await record({ action: 'changed', noun: 'person', subject: event.id, ...caller(event.id), after })
    },
    onTeam: ({ id, before, after }: TeamChange): Promise<void> => {
      const action = before === null ? 'created' : after === null ? 'deleted' : 'changed'
      return record({ action, noun: 'team', subject: id, ...caller(null), before, after })
    },
  }
}

/** Whether the embedded account service is in this process. */
const hasAccounts = (config: Config): boolean =>
  config.CLEARWAY_ROLES.includes('account') && config.CLEARWAY_ACCOUNT_URL === null

/** Where the monitor asks about people and teams. */
const accountUrlOf = (config: Config, facts: Pick<Facts, 'localUrl' | 'publicUrl'>): string =>
  (config.CLEARWAY_ACCOUNT_URL ?? (hasAccounts(config) ? facts.localUrl : facts.publicUrl)).replace(
    /(?<!\/)\/+$/,
    '',
  )

/** Identity provider and account service, where they are embedded. */
async function startServices(
  app: FastifyInstance,
  config: Config,
  facts: Facts & { seal: Seal; record: AuditRecord; log: Log; forgetTeams: () => void },
  stops: Stops,
) {
  const { databaseUrl, publicUrl, embedded } = facts
  // The rules ask the provider whether an account is as it was; it asks by them who calls.
  const rules = tokenRules(config, facts)
  const who = (request: Parameters<typeof identify>[1]) => identify(rules, request)
  const { onSignIn, onAccount } = facts.record
  const idp: IdpRole | null = embedded
    ? await startIdp(app, {
        config,
        databaseUrl,
        publicUrl,
        seal: facts.seal,
        onSignIn,
        onAccount,
        identify: who,
        log: (message) => facts.log('warn', message),
      })
    : null
  const hasProvider = config.CLEARWAY_OIDC_ISSUER === null
  const takesTokens = config.CLEARWAY_ROLES.includes('api') || hasAccounts(config)
  const judge = idp ?? (hasProvider && takesTokens ? await watchAccounts(config, facts) : null)
  if (judge) {
    stops.add(judge.stop)
    rules.isCurrent = judge.isCurrent
  }
  if (hasAccounts(config)) {
    const verify = (token: string) => verifyToken(rules, token)
    const { onAgreed, onTeam } = facts.record
    const own = {
      config,
      databaseUrl,
      publicUrl,
      identify: who,
      verify,
      provider: providerOf(facts),
      directory: directoryOf(config, facts),
      log: (message: string) => facts.log('warn', message),
      onTeams: (change: TeamChange) => {
        facts.forgetTeams()
        return onTeam(change)
      },
      onAgreed,
    }
    stops.add((await startAccount(app, own)).stop)
  }
  return { idp, who }
}

function serverOptions(config: Config, { issuer, publicUrl }: Facts) {
  const connect = [issuer, config.CLEARWAY_ACCOUNT_URL ?? publicUrl].map((url) => new URL(url).origin)
  return {
    logLevel: config.CLEARWAY_LOG_LEVEL,
    connect,
    trustProxy: config.CLEARWAY_TRUST_PROXY,
    rates: ratesOf(config),
    downloads: downloadsOf(config),
    https: publicUrl.startsWith('https://'),
  }
}

const sealOf = (config: Config): Seal =>
  openSeal({
    setting: config.CLEARWAY_SECRET_KEY,
    old: config.CLEARWAY_SECRET_KEY_OLD,
    folder: config.CLEARWAY_DATA,
  })

/** Whether a process writes, reads or removes pictures. */
const keepsBytes = (config: Config): boolean =>
  config.CLEARWAY_ROLES.some((role) => role === 'api' || role === 'worker' || role === 'scheduler')

type CallDeps = Omit<ApiDeps, 'facts'> & { issuer: string }

/** The monitor's calls, with what they need to know about this product and its people. */
function startCalls(app: FastifyInstance, { issuer, ...deps }: CallDeps): Promise<void> {
  const facts = { issuer, version: productVersion(), build: productVersion() }
  return startApi(app, { ...deps, facts })
}

/** What works in the background, once the database is up to date. */
async function startBackground(config: Config, deps: Parameters<typeof startScheduler>[0], stops: Stops) {
  const roles = new Set(config.CLEARWAY_ROLES)
  // Others never load the engine.
  if (roles.has('worker')) stops.add((await (await import('./worker.ts')).startWorkerRole(deps)).stop)
  if (!roles.has('scheduler')) return
  stops.add((await startScheduler(deps)).stop)
  stops.add(measureSystem(deps))
}

/** Where this process and its provider are. */
function factsOf(config: Config, port: number, databaseUrl: string): Facts {
  const localHost = wildcards.has(config.CLEARWAY_HOST) ? '127.0.0.1' : config.CLEARWAY_HOST
  const publicUrl = config.CLEARWAY_PUBLIC_URL ?? ownUrl(config, port)
  const external = config.CLEARWAY_OIDC_ISSUER
  return {
    issuer: external ?? publicUrl + realmPath,
    localUrl: ownUrl({ ...config, CLEARWAY_HOST: localHost }, port),
    publicUrl,
    embedded: external === null && config.CLEARWAY_ROLES.includes('idp'),
    databaseUrl,
  }
}

/** Waits until the web application is built, or says why it cannot be. */
async function webBuilt(web: ReturnType<typeof prepareWeb> | null): Promise<void> {
  await web?.done
  const built = web?.state()
  if (built?.kind === 'failed')
    console.error(`The web application could not be built; the API works.\n${built.message}`)
}

/**
 * Starts the roles of the settings in this process. It listens before it migrates: requests meanwhile are answered with 503.
 * @param options.listens false for a worker beside a server, which has the port
 * @param options.processes what the supervisor says of its processes, where there is one
 * @param options.began when the start began, if not with this process
 * @returns the address, and how to stop everything: work is given back, then the database ends
 */
export async function serve(
  config: Config,
  options: { listens?: boolean; began?: number; processes?: () => ProcessHealth[] } = {},
): Promise<Serving> {
  const { listens = true, began = Date.now() - performance.now() } = options
  const stops = stopList()
  try {
    const port = listens ? await takePort(config) : config.CLEARWAY_PORT
    for (const start of [startMetrics, startTraces]) stops.add((await start(config)).stop)
    const isApi = config.CLEARWAY_ROLES.includes('api')
    const web = isApi && config.CLEARWAY_WEB ? prepareWeb() : null
    if (web) stops.add(web.stop)
    const database = await startDatabase(config)
    stops.add(database.stop)
    const db = openMonitor(config, database.url)
    stops.add(() => db.destroy())
    const facts = factsOf(config, port, database.url)
    const { issuer, publicUrl } = facts
    const app: FastifyInstance = await openServer(serverOptions(config, facts))
    const log: Log = (level, message) => app.log[level](message)
    const pubSub = await openPubSub(database.url, (message) => log('warn', message))
    stops.add(pubSub.stop)
    const seal = sealOf(config)
    const accounts = accountsOf(config, facts, { db, seal, log })
    const objects = objectsOf(config, (message) => log('warn', message))
    const deps = { config, db, pubSub, seal, publicUrl, log, accounts, objects }
    const { idp, who } = await startServices(
      app,
      config,
      { ...facts, seal, record: auditRecord(db, log), log, forgetTeams: accounts.forget },
      stops,
    )
    let [ready, works] = [false, false]
    probeRoutes(app, async () => works && (await answers(db)))
    if (isApi) {
      const calls = openMonitorForCalls(config, database.url, (message) => log('warn', message))
      stops.add(() => calls.destroy())
      const { processes } = options
      const own = { ...deps, db: calls, identify: who, issuer, ...(processes && { processes }) }
      await startCalls(app, { ...own, isReady: () => ready })
      helpRoutes(app)
      if (web) await webRoutes(app, { state: web.state, publicUrl })
    }
    if (listens) await app.listen({ port, host: config.CLEARWAY_HOST })
    stops.add(() => app.close())
    await migrateMonitor(db)
    await checkSecretKey(deps)
    await sealOldHeaders(deps)
    if (keepsBytes(config)) await checkStore(deps)
    ready = true
    await startBackground(config, deps, stops)
    works = true
    // Ready is when people can use it.
    await webBuilt(web)
    const announcement = announce(config, publicUrl, idp?.setup ?? null, began)
    return { url: publicUrl, announcement, stop: stops.run }
  } catch (error) {
    await stops.run()
    throw error
  }
}

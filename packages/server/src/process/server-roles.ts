import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { identify, createProviderKeys, type TokenRules, verifyToken } from '../kit/http/token.ts'
import type { LogFunction } from '../kit/log.ts'
import type { StopList } from '../kit/stop-list.ts'
import type { Seal } from '../kit/seal.ts'
import type { TeamChange } from '../account/team/service.ts'
import type { ProviderEndpoints } from '../account/member/sign-in/service.ts'
import { realmPath } from '../idp/realm.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { openAccounts } from '../monitor/user/account/service.ts'
import { startAccount } from './account.ts'
import { type ApiDeps, startApi } from './api.ts'
import { type AuditRecord, createAuditRecorder } from './audit-recorder.ts'
import { openMonitorForCalls } from './database.ts'
import { type IdpRole, getServiceClient, startIdp, watchAccounts } from './idp.ts'
import { createOutsideChecks, logOutsideProblems } from './outside.ts'
import type { ServerFacts } from './server-facts.ts'
import { readProductBuild, readProductVersion } from './version.ts'
import { registerHelpRoutes, registerWebRoutes, type WebBuild } from './web.ts'

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

/** Directory of people: the embedded provider in any process, or an external one. */
function getDirectory(config: Config, facts: { localUrl: string; publicUrl: string; embedded: boolean }) {
  const externalIssuer = config.CLEARWAY_OIDC_ISSUER
  if (externalIssuer !== null) return { providerUrl: null, manageUrl: config.CLEARWAY_OIDC_MANAGE_URL ?? externalIssuer }
  return { providerUrl: (facts.embedded ? facts.localUrl : facts.publicUrl) + realmPath, manageUrl: null }
}

/** Checks whether the embedded account service is in this process. */
const hasEmbeddedAccounts = (config: Config): boolean =>
  config.CLEARWAY_ROLES.includes('account') && config.CLEARWAY_ACCOUNT_URL === null

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
        log: facts.log,
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
      log: facts.log,
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

/** Serves the monitor's calls with connections of their own, the help, and the web application. */
async function startApiRole(
  app: FastifyInstance,
  { issuer, ...deps }: Omit<ApiDeps, 'facts' | 'processes'> & { issuer: string; log: LogFunction },
  options: {
    databaseUrl: string
    listProcesses: ApiDeps['processes'] | undefined
    getWebState: (() => WebBuild) | null
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
  if (options.getWebState) await registerWebRoutes(app, { state: options.getWebState, publicUrl: deps.publicUrl })
}

/**
 * Starts the roles of a server, except the scheduler. A process with the role of a worker alone does not load this module.
 * @returns the accounts for the scheduler, and the link for creating the first administrator
 */
export async function startServerRoles(
  app: FastifyInstance,
  deps: Omit<ApiDeps, 'facts' | 'processes' | 'accounts' | 'identify' | 'outside'> & { log: LogFunction },
  options: { serverFacts: ServerFacts; listProcesses: ApiDeps['processes'] | undefined; getWebState: (() => WebBuild) | null },
  stops: StopList,
) {
  const { config, log, seal, db } = deps
  const { serverFacts } = options
  const accounts = openConfiguredAccounts(config, serverFacts, { db, seal, log })
  const record = createAuditRecorder(db, log)
  const serviceFacts = { ...serverFacts, seal, record, log, forgetTeams: accounts.forget }
  const { idp: idpRole, who: identifyCaller } = await startServices(app, config, serviceFacts, stops)
  if (config.CLEARWAY_ROLES.includes('api'))
    await startApiRole(
      app,
      { ...deps, accounts, identify: identifyCaller, issuer: serverFacts.issuer },
      { listProcesses: options.listProcesses, getWebState: options.getWebState, databaseUrl: serverFacts.databaseUrl },
      stops,
    )
  return { accounts, setupUrl: idpRole?.setup ?? null }
}

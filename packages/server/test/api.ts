import type { FastifyInstance, InjectOptions } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, getDownloadLimits, getRateLimits, readConfig } from '../src/config.ts'
import { createHttpServer } from '../src/kit/http/server.ts'
import { identify, type TokenRules, verifyToken } from '../src/kit/http/token.ts'
import { type PubSub, openPubSub } from '../src/kit/pub-sub.ts'
import { afterAll, beforeAll } from 'vitest'
import type { TestDatabase } from './database.ts'
import { openMigratedDatabase } from './migrated-database.ts'
import type { MonitorDb } from '../src/monitor/database.ts'
import { openSeal, type Seal } from '../src/kit/seal.ts'
import { assertOwnStore, type OpenObjects } from '../src/monitor/page/object/service.ts'
import type { TeamChange } from '../src/account/team/service.ts'
import { openAccounts } from '../src/monitor/user/account/service.ts'
import { startAccount } from '../src/process/account.ts'
import { startApi } from '../src/process/api.ts'
import { migrateMonitor, openMonitorForCalls } from '../src/process/database.ts'
import { openConfiguredObjects } from '../src/process/object-store.ts'
import { startWorkerRole } from '../src/process/worker.ts'

const issuer = 'https://id.example.org/realms/test'
const publicUrl = 'https://clearway.example.org'

export type TestApi = {
  app: FastifyInstance
  config: Config
  db: MonitorDb
  pubSub: PubSub
  seal: Seal
  objects: OpenObjects
  /** Creates a real signed token. `claims` override the default claims. */
  token: (user: string, roles?: readonly string[], claims?: Record<string, unknown>) => Promise<string>
  /** Calls the API below `/monitor-api`, as a user with access unless a token is given; null for none. */
  call: (
    method: InjectOptions['method'] & string,
    path: string,
    options?: { token?: string | null; body?: unknown; guest?: string },
  ) => Promise<{ status: number; body: never; type: string }>
  /** Calls the embedded account service over HTTP. */
  account: (
    method: InjectOptions['method'] & string,
    path: string,
    options?: { token?: string | null; body?: unknown },
  ) => Promise<{ status: number; body: never }>
  /** URL of the account service. */
  accountUrl: string
  /** Team changes announced by the account service. */
  teamChanges: TeamChange[]
  /** Clears the monitor's cache of the account service. */
  forgetAccounts: () => void
  close: () => Promise<void>
}

/** Creates a provider with local keys: its validation rules, and a function that signs tokens. */
async function createTestProvider(config: Config): Promise<{ rules: TokenRules; token: TestApi['token'] }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const rules: TokenRules = {
    issuer,
    audience: config.CLEARWAY_OIDC_AUDIENCE,
    algorithms: config.CLEARWAY_OIDC_ALGORITHMS,
    roleClaim: config.CLEARWAY_OIDC_ROLE_CLAIM,
    roleMap: config.CLEARWAY_OIDC_ROLE_MAP,
    resource: config.CLEARWAY_OIDC_RESOURCE,
    keys: createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'a' }] }),
  }
  const signToken: TestApi['token'] = (user, roles = ['access'], claims = {}) =>
    new SignJWT({
      preferred_username: user,
      given_name: user,
      family_name: 'Test',
      resource_access: { clearway: { roles } },
      aud: 'clearway-api',
      iss: issuer,
      sub: user,
      exp: Math.floor(Date.now() / 1000) + 600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'a' })
      .sign(privateKey)
  return { rules, token: signToken }
}

/** Tests send requests faster than people do. */
const rates = { CLEARWAY_RATE_PERSON: '1000000', CLEARWAY_RATE_NETWORK: '1000000' }

type Options = { token?: string | null; body?: unknown; guest?: string }

async function sendRequest(
  app: FastifyInstance,
  method: string,
  url: string,
  { bearer, guest, body: payload }: { bearer: string | null; guest: string | undefined; body: unknown },
) {
  const reply = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(guest !== undefined && { 'x-guest-token': guest }),
    },
    ...(payload !== undefined && { payload: payload as object }),
  })
  const type = reply.headers['content-type'] ?? ''
  const body = (/[/+]json(;|$)/.test(type) ? reply.json() : reply.body) as never
  return { status: reply.statusCode, body, type }
}

type ApiOptions = { environment?: Record<string, string>; worker?: boolean; database?: TestDatabase; isReady?: () => boolean }

const getServerOptions = (config: Config) => ({
  logLevel: 'silent',
  connect: [],
  rates: getRateLimits(config),
  downloads: getDownloadLimits(config),
})

const identifyBy = (rules: TokenRules) => (request: Parameters<typeof identify>[1]) => identify(rules, request)

/** Starts the embedded account service at a separate URL. */
async function openAccountService(config: Config, rules: TokenRules, token: TestApi['token']) {
  const app = await createHttpServer(getServerOptions(config))
  // The provider's token endpoint, with a single client: the product itself.
  await app.register((scope, _options, registered) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, parsed) => parsed(null))
    scope.post('/token', async () => ({ access_token: await token('product', ['service']), expires_in: 600 }))
    registered()
  })
  const teamChanges: TeamChange[] = []
  const role = await startAccount(app, {
    config,
    databaseUrl: config.DATABASE_URL!,
    publicUrl,
    identify: identifyBy(rules),
    verify: (bearer) => verifyToken(rules, bearer),
    provider: () => Promise.reject(new Error('nobody signs in here')),
    onAgreed: () => Promise.resolve(),
    directory: { providerUrl: null, manageUrl: 'https://id.example.org/admin' },
    log: () => undefined,
    onTeams: async (change) => void teamChanges.push(change),
  })
  const closeService = async () => {
    await app.close()
    await role.stop()
  }
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), teamChanges, close: closeService }
}

/** The product's own client, which gets its tokens from the account service's URL. */
const createServiceClient = (url: string) => ({
  id: 'product',
  secret: 'secret',
  tokenUrl: () => Promise.resolve(`${url}/token`),
})

/**
 * Starts the real API on a real database, with tokens of a provider with local keys.
 * @param options.environment additional settings besides the test's database and data folder
 * @param options.worker starts a worker, too, for calls that depend on one
 * @param options.database an existing database; default: an empty one
 * @param options.isReady returns false while migrations are reported as running
 */
export async function openTestApi(options: ApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await openMigratedDatabase())
  const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-api-'))
  const environment = { DATABASE_URL: database.url, CLEARWAY_DATA: dataFolder, ...rates, ...options.environment }
  const config = readConfig(environment) as Config
  const db = openMonitorForCalls(config, database.url)
  await migrateMonitor(db)
  const pubSub = await openPubSub(database.url, () => undefined)
  const { rules, token } = await createTestProvider(config)
  const account = await openAccountService(config, rules, token)
  const app = await createHttpServer(getServerOptions(config))
  const facts = { issuer, version: '0', build: '0' }
  const accounts = openAccounts({ db, accountUrl: account.url, service: createServiceClient(account.url), log: () => undefined })
  const seal = openSeal({ setting: config.CLEARWAY_SECRET_KEY, folder: dataFolder })
  const isReady = options.isReady ?? (() => true)
  const objects = openConfiguredObjects(config, () => undefined)
  await assertOwnStore({ db, objects })
  const deps = { config, db, pubSub, accounts, seal, objects, isReady }
  await startApi(app, { ...deps, identify: identifyBy(rules), facts, publicUrl })
  await app.ready()
  const worker = options.worker ? await startWorkerRole({ config, db, pubSub, seal, objects, log: () => undefined }) : null
  const toRequest = async ({ token: bearerToken, guest, body }: Options) => {
    const usual = guest === undefined ? await token('someone') : null
    return { bearer: bearerToken === undefined ? usual : bearerToken, guest, body }
  }
  const closeApi = async () => {
    await app.close()
    await worker?.stop()
    await account.close()
    await pubSub.stop()
    await db.destroy()
    await database.drop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return {
    app,
    config,
    db,
    pubSub,
    seal,
    objects,
    token,
    call: async (method, path, sending = {}) => sendRequest(app, method, `/monitor-api${path}`, await toRequest(sending)),
    account: async (method, path, sending = {}) =>
      sendRequest(account.app, method, `/axe-account${path}`, await toRequest(sending)),
    accountUrl: account.url,
    teamChanges: account.teamChanges,
    forgetAccounts: accounts.forget,
    close: closeApi,
  }
}

/** Opens a test API for the tests of a file: before the first, until after the last. */
export function useTestApi(options: Parameters<typeof openTestApi>[0] = {}): TestApi {
  const api = {} as TestApi
  beforeAll(async () => void Object.assign(api, await openTestApi(options)))
  afterAll(() => api.close())
  return api
}

/** Returns a small scan, ready to be created. */
export const buildScanBody = (name: string, extraSettings: Record<string, unknown> = {}) => ({
  name,
  urls: ['https://example.org/'],
  ...extraSettings,
})

import type { FastifyInstance, InjectOptions } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, getDownloadLimits, getRateLimits, readConfig } from '../src/config.ts'
import { openServer } from '../src/kit/http/server.ts'
import { identify, type TokenRules, verifyToken } from '../src/kit/http/token.ts'
import { type PubSub, openPubSub } from '../src/kit/pub-sub.ts'
import { afterAll, beforeAll } from 'vitest'
import { type TestDatabase, testDatabase } from './database.ts'
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
  /** A real signed token. `claims` replace what it would say. */
  token: (user: string, roles?: readonly string[], claims?: Record<string, unknown>) => Promise<string>
  /** A call below `/monitor-api`, as a user with access unless a token is given; null for none. */
  call: (
    method: InjectOptions['method'] & string,
    path: string,
    options?: { token?: string | null; body?: unknown; guest?: string },
  ) => Promise<{ status: number; body: never; type: string }>
  /** A call to the embedded account service, which is reached over HTTP. */
  account: (
    method: InjectOptions['method'] & string,
    path: string,
    options?: { token?: string | null; body?: unknown },
  ) => Promise<{ status: number; body: never }>
  /** Where the account service answers. */
  accountUrl: string
  /** What the account service has said of teams. */
  teamChanges: TeamChange[]
  /** Makes the monitor ask the account service anew. */
  forgetAccounts: () => void
  close: () => Promise<void>
}

/** A provider whose keys are here: the rules by which its tokens are judged, and how to make some. */
async function testProvider(config: Config): Promise<{ rules: TokenRules; token: TestApi['token'] }> {
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
  const token: TestApi['token'] = (user, roles = ['access'], claims = {}) =>
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
  return { rules, token }
}

/** Tests ask faster than people do. */
const rates = { CLEARWAY_RATE_PERSON: '1000000', CLEARWAY_RATE_NETWORK: '1000000' }

type Options = { token?: string | null; body?: unknown; guest?: string }

async function ask(
  to: FastifyInstance,
  method: string,
  url: string,
  { bearer, guest, body: payload }: { bearer: string | null; guest: string | undefined; body: unknown },
) {
  const reply = await to.inject({
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

type ApiOptions = {
  environment?: Record<string, string>
  worker?: boolean
  database?: TestDatabase
  isReady?: () => boolean
}

const serverOptions = (config: Config) => ({
  logLevel: 'silent',
  connect: [],
  rates: getRateLimits(config),
  downloads: getDownloadLimits(config),
})

const knownBy = (rules: TokenRules) => (request: Parameters<typeof identify>[1]) => identify(rules, request)

/** The embedded account service at a URL of its own. */
async function openAccountService(config: Config, rules: TokenRules, token: TestApi['token']) {
  const app = await openServer(serverOptions(config))
  // The provider's token endpoint, which knows one client: the product itself.
  await app.register((own, _options, done) => {
    own.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, parsed) => parsed(null))
    own.post('/token', async () => ({ access_token: await token('product', ['service']), expires_in: 600 }))
    done()
  })
  const teamChanges: TeamChange[] = []
  const role = await startAccount(app, {
    config,
    databaseUrl: config.DATABASE_URL!,
    publicUrl,
    identify: knownBy(rules),
    verify: (given) => verifyToken(rules, given),
    provider: () => Promise.reject(new Error('nobody signs in here')),
    onAgreed: () => Promise.resolve(),
    directory: { providerUrl: null, manageUrl: 'https://id.example.org/admin' },
    log: () => undefined,
    onTeams: async (change) => void teamChanges.push(change),
  })
  const close = async () => {
    await app.close()
    await role.stop()
  }
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), teamChanges, close }
}

/** The product's own client, which gets its tokens where the account service answers. */
const clientAt = (url: string) => ({
  id: 'product',
  secret: 'secret',
  tokenUrl: () => Promise.resolve(`${url}/token`),
})

/**
 * The real API on a real database, with tokens of a provider whose keys are here.
 * @param options.environment settings besides those of the test's own database and data folder
 * @param options.worker with a worker beside it, for what the API asks of one
 * @param options.database one that has something in it; left out, an empty one of its own
 * @param options.isReady false as long as migrations are said to run
 */
export async function openTestApi(options: ApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await testDatabase())
  const data = mkdtempSync(join(tmpdir(), 'clearway-api-'))
  const environment = { DATABASE_URL: database.url, CLEARWAY_DATA: data, ...rates, ...options.environment }
  const config = readConfig(environment) as Config
  const db = openMonitorForCalls(config, database.url)
  await migrateMonitor(db)
  const pubSub = await openPubSub(database.url, () => undefined)
  const { rules, token } = await testProvider(config)
  const account = await openAccountService(config, rules, token)
  const app = await openServer(serverOptions(config))
  const facts = { issuer, version: '0', build: '0' }
  const accounts = openAccounts({
    db,
    accountUrl: account.url,
    service: clientAt(account.url),
    log: () => undefined,
  })
  const seal = openSeal({ setting: config.CLEARWAY_SECRET_KEY, folder: data })
  const isReady = options.isReady ?? (() => true)
  const objects = openConfiguredObjects(config, () => undefined)
  await assertOwnStore({ db, objects })
  const deps = { config, db, pubSub, accounts, seal, objects, isReady }
  await startApi(app, { ...deps, identify: knownBy(rules), facts, publicUrl })
  await app.ready()
  const worker = options.worker
    ? await startWorkerRole({ config, db, pubSub, seal, objects, log: () => undefined })
    : null
  const sent = async ({ token: given, guest, body }: Options) => {
    const usual = guest === undefined ? await token('someone') : null
    return { bearer: given === undefined ? usual : given, guest, body }
  }
  const close = async () => {
    await app.close()
    await worker?.stop()
    await account.close()
    await pubSub.stop()
    await db.destroy()
    await database.drop()
    rmSync(data, { recursive: true, force: true })
  }
  return {
    app,
    config,
    db,
    pubSub,
    seal,
    objects,
    token,
    call: async (method, path, sending = {}) => ask(app, method, `/monitor-api${path}`, await sent(sending)),
    account: async (method, path, sending = {}) =>
      ask(account.app, method, `/axe-account${path}`, await sent(sending)),
    accountUrl: account.url,
    teamChanges: account.teamChanges,
    forgetAccounts: accounts.forget,
    close,
  }
}

/** The same for the tests of a file: opened before the first, closed after the last. */
export function apiOfFile(options: Parameters<typeof openTestApi>[0] = {}): TestApi {
  const api = {} as TestApi
  beforeAll(async () => void Object.assign(api, await openTestApi(options)))
  afterAll(() => api.close())
  return api
}

/** A small scan, ready to be created. */
export const scanBody = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  urls: ['https://example.org/'],
  ...more,
})

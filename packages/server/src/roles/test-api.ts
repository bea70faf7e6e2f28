import type { FastifyInstance, InjectOptions } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { openServer } from '../kit/http/server.ts'
import { identify, type TokenRules, verifyToken } from '../kit/http/token.ts'
import { type Live, openLive } from '../kit/live.ts'
import { testDatabase } from '../kit/test-database.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { openSeal } from '../kit/seal.ts'
import { openAccounts } from '../monitor/user/service-account.ts'
import { startAccount } from './account.ts'
import { startApi } from './api.ts'
import { openMonitorDatabase } from './database.ts'

const issuer = 'https://id.example.org/realms/test'
const publicUrl = 'https://clearway.example.org'

export type TestApi = {
  app: FastifyInstance
  config: Config
  db: MonitorDb
  live: Live
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
  close: () => Promise<void>
}

/** The real API on a real database, with tokens of a provider whose keys are here. */
export async function openTestApi(): Promise<TestApi> {
  const database = await testDatabase()
  const data = mkdtempSync(join(tmpdir(), 'clearway-api-'))
  const config = readConfig({ DATABASE_URL: database.url, CLEARWAY_DATA: data }) as Config
  const db = await openMonitorDatabase(config, database.url)
  const live = await openLive(database.url, () => undefined)
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const rules: TokenRules = {
    issuer,
    audience: config.CLEARWAY_OIDC_AUDIENCE,
    algorithms: config.CLEARWAY_OIDC_ALGORITHMS,
    roleClaim: config.CLEARWAY_OIDC_ROLE_CLAIM,
    resource: config.CLEARWAY_OIDC_RESOURCE,
    keys: createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'a' }] }),
  }
  const who = (request: Parameters<typeof identify>[1]) => identify(rules, request)
  const accountApp = await openServer({ logLevel: 'silent', connect: [] })
  const accountRole = await startAccount(accountApp, {
    config,
    databaseUrl: database.url,
    publicUrl,
    identify: who,
    verify: (token) => verifyToken(rules, token),
    provider: () => Promise.reject(new Error('nobody signs in here')),
  })
  const accountUrl = await accountApp.listen({ port: 0, host: '127.0.0.1' })
  const app = await openServer({ logLevel: 'silent', connect: [] })
  const facts = { issuer, version: '0', build: '0' }
  const accounts = openAccounts({ db, accountUrl, log: () => {} })
  const seal = openSeal({ setting: null, folder: data })
  await startApi(app, { config, db, live, identify: who, facts, publicUrl, accounts, seal })
  await app.ready()
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
  type Options = { token?: string | null; body?: unknown; guest?: string }
  const ask = async (to: FastifyInstance, method: string, url: string, options: Options) => {
    const without = options.guest === undefined ? await token('someone') : null
    const bearer = options.token === undefined ? without : options.token
    const reply = await to.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(options.guest !== undefined && { 'x-guest-token': options.guest }),
      },
      ...(options.body !== undefined && { payload: options.body as object }),
    })
    const type = reply.headers['content-type'] ?? ''
    const body = (type.includes('json') ? reply.json() : reply.body) as never
    return { status: reply.statusCode, body, type }
  }
  const call: TestApi['call'] = (method, path, options = {}) =>
    ask(app, method, `/monitor-api${path}`, options)
  const account: TestApi['account'] = (method, path, options = {}) =>
    ask(accountApp, method, `/axe-account${path}`, options)
  const close = async () => {
    await app.close()
    await accountApp.close()
    await accountRole.stop()
    await live.stop()
    await db.destroy()
    await database.drop()
    rmSync(data, { recursive: true, force: true })
  }
  return { app, config, db, live, token, call, account, close }
}

/** A small scan, ready to be created. */
export const scanBody = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  urls: ['https://example.org/'],
  ...more,
})

import type { FastifyInstance, InjectOptions } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { openServer } from '../kit/http/server.ts'
import { identify, type TokenRules } from '../kit/http/token.ts'
import { type Live, openLive } from '../kit/live.ts'
import { testDatabase } from '../kit/test-database.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { startApi } from './api.ts'
import { openMonitorDatabase } from './database.ts'

const issuer = 'https://id.example.org/realms/test'

export type TestApi = {
  app: FastifyInstance
  db: MonitorDb
  live: Live
  /** A real signed token. `claims` replace what it would say. */
  token: (user: string, roles?: readonly string[], claims?: Record<string, unknown>) => Promise<string>
  /** A call below `/monitor-api`, as a user with access unless a token is given; null for none. */
  call: (
    method: InjectOptions['method'] & string,
    path: string,
    options?: { token?: string | null; body?: unknown },
  ) => Promise<{ status: number; body: never; type: string }>
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
  const app = await openServer({ logLevel: 'silent', connect: [] })
  const facts = { issuer, version: '0', build: '0' }
  await startApi(app, { config, db, live, identify: (request) => identify(rules, request), facts })
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
  const call: TestApi['call'] = async (method, path, options = {}) => {
    const bearer = options.token === undefined ? await token('someone') : options.token
    const reply = await app.inject({
      method: method as 'GET',
      url: `/monitor-api${path}`,
      headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
      ...(options.body !== undefined && { payload: options.body as object }),
    })
    const type = reply.headers['content-type'] ?? ''
    const body = (type.includes('json') ? reply.json() : reply.body) as never
    return { status: reply.statusCode, body, type }
  }
  const close = async () => {
    await app.close()
    await live.stop()
    await db.destroy()
    await database.drop()
    rmSync(data, { recursive: true, force: true })
  }
  return { app, db, live, token, call, close }
}

/** A small scan, ready to be created. */
export const scanBody = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  urls: ['https://example.org/'],
  ...more,
})

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Config, readConfig } from '../src/config.ts'
import { serve, type RunningServer } from '../src/process/serve.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** The password of `admin` in these tests. */
export const adminPassword = 'correct horse battery'

/** Where a product answers. */
type Origin = Pick<RunningServer, 'url'>

/** A browser's memory: cookies by name. Paths do not matter here. */
export type Browser = (url: string, init?: RequestInit) => Promise<Response>

export type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  refresh_expires_in: number
}

const verifier = randomBytes(32).toString('base64url')
export const challenge = createHash('sha256').update(verifier).digest('base64url')
export const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

/** A server with the embedded identity provider, and people who sign in at it without a browser. */
export type SignInServer = {
  server: RunningServer
  database: TestDatabase
  protocol: () => string
  callback: () => string
  browser: () => Browser
  /** Follows redirects until one leaves for the application, or a page answers. */
  follow: (go: Browser, first: Response) => Promise<Response>
  authorize: (go: Browser, redirect?: string, more?: Record<string, string>) => Promise<Response>
  signIn: (go: Browser, username: string, password: string) => Promise<Response>
  exchange: (fields: Record<string, string>) => Promise<Tokens>
  tokensFor: (done: Response) => Promise<Tokens>
  /** An access token, by name and password. */
  tokenBy: (username: string, password: string) => Promise<string>
  /** A call with a token, below the origin. */
  call: (
    method: string,
    path: string,
    token: string,
    body?: unknown,
  ) => Promise<{ status: number; body: never }>
}

function browserOf(server: Origin): Browser {
  const cookies = new Map<string, string>()
  return async (url, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(new URL(url, server.url), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), cookie },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      if (value) cookies.set(pair.slice(0, at), value)
      else cookies.delete(pair.slice(0, at))
    }
    return reply
  }
}

const protocolOf = (server: Origin) => `${server.url}/realms/clearway/protocol/openid-connect`
const callbackOf = (server: Origin) => `${server.url}/monitor/sso/callback`

async function follow(server: Origin, go: Browser, first: Response): Promise<Response> {
  let reply = first
  while (reply.status >= 300 && reply.status < 400) {
    const to = reply.headers.get('location')!
    if (to.startsWith(`${server.url}/monitor`)) return reply
    reply = await go(to)
  }
  return reply
}

function authorize(
  server: Origin,
  go: Browser,
  redirect: string,
  more: Record<string, string> = {},
): Promise<Response> {
  const query = new URLSearchParams({
    client_id: 'clearway-web',
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...more,
  })
  return go(`${protocolOf(server)}/auth?${String(query)}`)
}

async function signInAt(server: Origin, go: Browser, username: string, password: string) {
  const first = await authorize(server, go, callbackOf(server))
  const page = first.headers.get('location')!
  const shown = await go(page)
  if (shown.status !== 200) throw new Error(`The form answers ${shown.status}`)
  return follow(server, go, await go(page, form({ username, password })))
}

async function call(server: Origin, method: string, path: string, token: string, body?: unknown) {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: (/^[{[]/.test(text) ? JSON.parse(text) : text) as never }
}

/** Signs people in at a product, wherever it runs. */
export function callsOf(server: Origin): Omit<SignInServer, 'server' | 'database'> {
  const exchange = async (fields: Record<string, string>): Promise<Tokens> => {
    const reply = await fetch(`${protocolOf(server)}/token`, form({ client_id: 'clearway-web', ...fields }))
    if (reply.status !== 200) throw new Error(await reply.text())
    return (await reply.json()) as Tokens
  }
  const tokensFor = (done: Response): Promise<Tokens> => {
    const code = new URL(done.headers.get('location')!).searchParams.get('code')!
    const redirect_uri = callbackOf(server)
    return exchange({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier })
  }
  const browser = () => browserOf(server)
  return {
    protocol: () => protocolOf(server),
    callback: () => callbackOf(server),
    browser,
    follow: (go, first) => follow(server, go, first),
    authorize: (go, redirect = callbackOf(server), more = {}) => authorize(server, go, redirect, more),
    signIn: (go, username, password) => signInAt(server, go, username, password),
    exchange,
    tokensFor,
    tokenBy: async (username, password) =>
      (await tokensFor(await signInAt(server, browser(), username, password))).access_token,
    call: (...given) => call(server, ...given),
  }
}

/** For the tests of a file: started before the first, stopped after the last. */
export function signInOfFile(environment: Record<string, string> = {}): SignInServer {
  const all = {} as SignInServer
  let data: string
  beforeAll(async () => {
    const database = await createTestDatabase()
    data = mkdtempSync(join(tmpdir(), 'clearway-idp-'))
    const config = readConfig({
      DATABASE_URL: database.url,
      CLEARWAY_DATA: data,
      CLEARWAY_PORT: '0',
      CLEARWAY_ROLES: 'api,account,idp',
      CLEARWAY_SESSION_MINUTES: '30',
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      ...environment,
    }) as Config
    const server = await serve(config)
    Object.assign(all, { server, database, ...callsOf(server) })
  })
  afterAll(async () => {
    await all.server.stop()
    await all.database.drop()
    rmSync(data, { recursive: true, force: true })
  })
  return all
}

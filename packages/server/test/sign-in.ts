import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Config, readConfig } from '../src/config.ts'
import { lowerHashingWork } from '../src/idp/password.ts'
import { serve, type RunningServer } from '../src/process/serve.ts'
import type { TestDatabase } from './database.ts'
import { openMigratedDatabase } from './migrated-database.ts'

/** Password of `admin` in these tests. */
export const adminPassword = 'correct horse battery'

/** Origin of a product. */
type Origin = Pick<RunningServer, 'url'>

/** A browser's cookies by name. Paths do not matter here. */
export type Browser = (url: string, init?: RequestInit) => Promise<Response>

export type Tokens = { access_token: string; refresh_token: string; id_token: string; refresh_expires_in: number }

export const verifier = randomBytes(32).toString('base64url')
export const challenge = createHash('sha256').update(verifier).digest('base64url')
export const buildForm = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })

/** A server with the embedded identity provider, and users who sign in without a browser. */
export type SignInServer = {
  server: RunningServer
  database: TestDatabase
  protocol: () => string
  callback: () => string
  browser: () => Browser
  /** Follows redirects until one leaves for the application, or a page responds. */
  follow: (go: Browser, first: Response) => Promise<Response>
  authorize: (go: Browser, redirect?: string, more?: Record<string, string>) => Promise<Response>
  signIn: (go: Browser, username: string, password: string) => Promise<Response>
  exchange: (fields: Record<string, string>) => Promise<Tokens>
  tokensFor: (done: Response) => Promise<Tokens>
  /** Returns an access token, by name and password. */
  tokenBy: (username: string, password: string) => Promise<string>
  /** Calls with a token, below the origin. */
  call: (method: string, path: string, token: string, body?: unknown) => Promise<{ status: number; body: never }>
}

function createBrowser(server: Origin): Browser {
  const cookies = new Map<string, string>()
  return async (url, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(new URL(url, server.url), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), cookie },
    })
    for (const cookieLine of reply.headers.getSetCookie()) {
      const [pair = ''] = cookieLine.split(';')
      const separatorIndex = pair.indexOf('=')
      const cookieValue = pair.slice(separatorIndex + 1)
      if (cookieValue) cookies.set(pair.slice(0, separatorIndex), cookieValue)
      else cookies.delete(pair.slice(0, separatorIndex))
    }
    return reply
  }
}

const getProtocolUrl = (server: Origin) => `${server.url}/realms/clearway/protocol/openid-connect`
const getCallbackUrl = (server: Origin) => `${server.url}/monitor/sso/callback`

async function followRedirects(server: Origin, browser: Browser, firstResponse: Response): Promise<Response> {
  let reply = firstResponse
  while (reply.status >= 300 && reply.status < 400) {
    const location = reply.headers.get('location')!
    if (location.startsWith(`${server.url}/monitor`)) return reply
    reply = await browser(location)
  }
  return reply
}

function requestAuthorization(
  server: Origin,
  browser: Browser,
  redirect: string,
  extraParameters: Record<string, string> = {},
): Promise<Response> {
  const query = new URLSearchParams({
    client_id: 'clearway-web',
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...extraParameters,
  })
  return browser(`${getProtocolUrl(server)}/auth?${String(query)}`)
}

async function submitSignIn(server: Origin, browser: Browser, username: string, password: string) {
  const authorization = await requestAuthorization(server, browser, getCallbackUrl(server))
  const page = authorization.headers.get('location')!
  const formPage = await browser(page)
  if (formPage.status !== 200) throw new Error(`The form answers ${formPage.status}`)
  return followRedirects(server, browser, await browser(page, buildForm({ username, password })))
}

async function callApi(server: Origin, method: string, path: string, token: string, body?: unknown) {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const replyText = await reply.text()
  return { status: reply.status, body: (/^[{[]/.test(replyText) ? JSON.parse(replyText) : replyText) as never }
}

/** Returns calls that sign users in at a product, wherever it runs. */
export function createSignInCalls(server: Origin): Omit<SignInServer, 'server' | 'database'> {
  const exchangeFields = async (fields: Record<string, string>): Promise<Tokens> => {
    const reply = await fetch(`${getProtocolUrl(server)}/token`, buildForm({ client_id: 'clearway-web', ...fields }))
    if (reply.status !== 200) throw new Error(await reply.text())
    return (await reply.json()) as Tokens
  }
  const fetchTokens = (redirected: Response): Promise<Tokens> => {
    const code = new URL(redirected.headers.get('location')!).searchParams.get('code')!
    const redirect_uri = getCallbackUrl(server)
    return exchangeFields({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier })
  }
  const openBrowser = () => createBrowser(server)
  return {
    protocol: () => getProtocolUrl(server),
    callback: () => getCallbackUrl(server),
    browser: openBrowser,
    follow: (go, first) => followRedirects(server, go, first),
    authorize: (go, redirect = getCallbackUrl(server), more = {}) => requestAuthorization(server, go, redirect, more),
    signIn: (go, username, password) => submitSignIn(server, go, username, password),
    exchange: exchangeFields,
    tokensFor: fetchTokens,
    tokenBy: async (username, password) =>
      (await fetchTokens(await submitSignIn(server, openBrowser(), username, password))).access_token,
    call: (...callArguments) => callApi(server, ...callArguments),
  }
}

/**
 * Opens a sign-in server for the tests of a file: started before the first, stopped after the last.
 * @param hashingWork `low` saves a quarter of a second of a core for each password
 */
export function useSignInServer(
  environment: Record<string, string> = {},
  { hashingWork = 'low' }: { hashingWork?: 'low' | 'production' } = {},
): SignInServer {
  const signInServer = {} as SignInServer
  let dataFolder: string
  let restoreHashingWork = () => {}
  beforeAll(async () => {
    if (hashingWork === 'low') restoreHashingWork = lowerHashingWork()
    const database = await openMigratedDatabase()
    dataFolder = mkdtempSync(join(tmpdir(), 'clearway-idp-'))
    const config = readConfig({
      DATABASE_URL: database.url,
      CLEARWAY_DATA: dataFolder,
      CLEARWAY_PORT: '0',
      CLEARWAY_ROLES: 'api,account,idp',
      CLEARWAY_SESSION_MINUTES: '30',
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      ...environment,
    }) as Config
    const server = await serve(config)
    Object.assign(signInServer, { server, database, ...createSignInCalls(server) })
  })
  afterAll(async () => {
    restoreHashingWork()
    await signInServer.server.stop()
    await signInServer.database.drop()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  return signInServer
}

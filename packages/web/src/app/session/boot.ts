import { accountApi } from '@clearway/contract/account/api.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { SystemHealth } from '@clearway/contract/monitor/health/schema.ts'
import type { ClientDeps } from '../../kit/client/client.ts'
import { ApiError, createClient } from '../../kit/client/client.ts'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'
import type { Session } from '../../monitor/user/model.ts'
import type { Auth } from './auth.ts'
import { callbackPath, createAuth, hasActiveSession, signedOutPath } from './auth.ts'
import { askToConfirm } from './confirmation.ts'
import { forgetGuestToken, takeGuestToken } from './guest.ts'

/** The help, which everybody may read. */
const docsPath = '/monitor/docs'

/** How the start can end. */
export type Start =
  | { kind: 'config-failed'; error: unknown }
  | { kind: 'maintenance'; config: Config }
  | { kind: 'insecure'; config: Config }
  | { kind: 'auth-failed'; config: Config; error: unknown; login: () => void }
  | { kind: 'signed-out'; config: Config; login: () => void }
  | { kind: 'leaving'; config: Config }
  | { kind: 'unauthorized'; config: Config; logout: () => void }
  | { kind: 'docs'; config: Config; login: () => void }
  | { kind: 'guest-refused'; config: Config; login: () => void }
  | { kind: 'ready'; session: Session; auth: Auth }

async function readJson<T>(url: string): Promise<{ status: number; body: T }> {
  const response = await fetch(url, { headers: { Accept: 'application/json' } })
  return { status: response.status, body: (await response.json()) as T }
}

/**
 * Configuration, state of the system, sign-in, permissions, in this order. Every way in which it
 * can end is a value.
 */
export async function start(): Promise<Start> {
  let config: Config
  try {
    const { status, body } = await readJson<Config>('/config')
    if (status !== 200) throw new ApiError(status, null)
    config = body
  } catch (error) {
    return { kind: 'config-failed', error }
  }
  if (await underMaintenance(config)) return { kind: 'maintenance', config }
  if (!isSecureContext) return { kind: 'insecure', config }
  return signIn(config, createAuth(config))
}

/** Asked once after every change of version. A failed answer means maintenance. */
async function underMaintenance(config: Config): Promise<boolean> {
  const version = `${config.version}+${config.build}`
  if (readStoredValue('current-version') === version) return false
  try {
    // A system that is down answers 503 with the same body.
    const { body } = await readJson<SystemHealth>(`${config.apiUrl || '/monitor-api'}/actuator/health/system`)
    if (body.details.migrations.status !== 'COMPLETE') return true
    if (body.status === 'UP') writeStoredValue('current-version', version)
    return false
  } catch {
    return true
  }
}

async function signIn(config: Config, auth: Auth): Promise<Start> {
  const home = '/monitor/scans'
  const login = (to = home) => void auth.login(to)
  try {
    if (location.pathname === signedOutPath) return { kind: 'signed-out', config, login: () => login() }
    if (location.pathname === callbackPath) history.replaceState(null, '', await auth.completeLogin())
    else if (!(await auth.restore())) {
      const guestToken = takeGuestToken()
      if (guestToken !== null && !hasActiveSession()) return await enterAsGuest(config, auth, guestToken)
      const here = location.pathname + location.search
      if (here.startsWith(docsPath)) return { kind: 'docs', config, login: () => login(here) }
      await auth.login(here)
      return { kind: 'leaving', config }
    }
    return await enter(config, auth)
  } catch (error) {
    return { kind: 'auth-failed', config, error, login: () => login() }
  }
}

/** A link to a shared scan opens it without anybody signing in. */
async function enterAsGuest(config: Config, auth: Auth, guestToken: string): Promise<Start> {
  const deps: ClientDeps = { baseUrl: config.apiUrl, realm: config.realmId, getToken: auth.token, guestToken }
  const api = createClient(monitorApi, deps)
  const leave = () => {
    forgetGuestToken()
    location.reload()
  }
  const login = () => {
    forgetGuestToken()
    void auth.login('/monitor/scans')
  }
  try {
    const [permissions, scans] = await Promise.all([
      api.userPermissions({}),
      api.listScans({ query: { size: 1 } }),
    ])
    const guestScan = scans.content[0]?.id
    const session = { config, api, deps, permissions, member: null, logout: leave, login }
    if (guestScan) return { kind: 'ready', auth, session: { ...session, guestScan } }
    return { kind: 'ready', auth, session }
  } catch (error) {
    forgetGuestToken()
    if (error instanceof ApiError && (error.status === 401 || error.status === 404))
      return { kind: 'guest-refused', config, login }
    throw error
  }
}

async function enter(config: Config, auth: Auth): Promise<Start> {
  const realm = config.realmId
  const deps: ClientDeps = { baseUrl: config.apiUrl, realm, getToken: auth.token, reauthenticate: askToConfirm }
  const api = createClient(monitorApi, deps)
  const account = createClient(accountApi, { baseUrl: config.axeAccountUrl, realm, getToken: auth.token })
  try {
    // The first list waits for its view: asked beside what it waits for anyway.
    const [permissions, member, defaultViews] = await Promise.all([
      api.userPermissions({}),
      account.me({}).catch(() => null),
      api.listDefaultViews({}).catch(() => null),
    ])
    const leave = () => void auth.logout()
    const session = { config, api, deps, permissions, member, logout: leave }
    return { kind: 'ready', auth, session: { ...session, ...(defaultViews && { defaultViews }) } }
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === 'no-access')
      return { kind: 'unauthorized', config, logout: () => void auth.logout() }
    if (error instanceof ApiError && error.status === 401) {
      await auth.login(location.pathname + location.search)
      return { kind: 'leaving', config }
    }
    throw error
  }
}

import { accountApi } from '@clearway/contract/account/api.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { SystemHealth } from '@clearway/contract/monitor/health/schema.ts'
import { type ClientDeps, ApiError, createClient } from '../../kit/client/client.ts'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'
import type { Session } from '../../monitor/user/model.ts'
import { type AuthClient, callbackPath, createAuthClient, hasActiveSession, signedOutPath } from './auth.ts'
import { requestConfirmation } from './confirmation.ts'
import { forgetGuestToken, takeGuestToken } from './guest.ts'

const docsPath = '/monitor/docs'

export type StartResult =
  | { kind: 'config-failed'; error: unknown }
  | { kind: 'maintenance'; config: Config }
  | { kind: 'insecure'; config: Config }
  | { kind: 'auth-failed'; config: Config; error: unknown; login: () => void }
  | { kind: 'signed-out'; config: Config; login: () => void }
  | { kind: 'leaving'; config: Config }
  | { kind: 'unauthorized'; config: Config; logout: () => void }
  | { kind: 'docs'; config: Config; login: () => void }
  | { kind: 'guest-refused'; config: Config; login: () => void }
  | { kind: 'ready'; session: Session; auth: AuthClient }

async function fetchJson<T>(url: string): Promise<{ status: number; body: T }> {
  const jsonResponse = await fetch(url, { headers: { Accept: 'application/json' } })
  return { status: jsonResponse.status, body: (await jsonResponse.json()) as T }
}

/** Loads configuration, health, sign-in and permissions, in this order. Every possible result is a return value. */
export async function startApp(): Promise<StartResult> {
  let appConfig: Config
  try {
    const { status: httpStatus, body: configBody } = await fetchJson<Config>('/config')
    if (httpStatus !== 200) throw new ApiError(httpStatus, null)
    appConfig = configBody
  } catch (error) {
    return { kind: 'config-failed', error }
  }
  if (await isUnderMaintenance(appConfig)) return { kind: 'maintenance', config: appConfig }
  if (!isSecureContext) return { kind: 'insecure', config: appConfig }
  return signIn(appConfig, createAuthClient(appConfig))
}

/** Checked once after each version change. A failed request counts as maintenance. */
async function isUnderMaintenance(appConfig: Config): Promise<boolean> {
  const currentVersion = `${appConfig.version}+${appConfig.build}`
  if (readStoredValue('current-version') === currentVersion) return false
  try {
    // A system that is down returns 503 with the same body.
    const { body: healthBody } = await fetchJson<SystemHealth>(`${appConfig.apiUrl || '/monitor-api'}/actuator/health/system`)
    if (healthBody.details.migrations.status !== 'COMPLETE') return true
    if (healthBody.status !== 'DOWN') writeStoredValue('current-version', currentVersion)
    return false
  } catch {
    return true
  }
}

async function signIn(appConfig: Config, auth: AuthClient): Promise<StartResult> {
  const homePath = '/monitor/scans'
  const startLogin = (returnTo = homePath) => void auth.login(returnTo)
  try {
    if (location.pathname === signedOutPath) return { kind: 'signed-out', config: appConfig, login: () => startLogin() }
    if (location.pathname === callbackPath) history.replaceState(null, '', await auth.completeLogin())
    else if (!(await auth.restoreSession())) {
      const guestToken = takeGuestToken()
      if (guestToken !== null && !hasActiveSession()) return await enterAsGuest(appConfig, auth, guestToken)
      const currentPath = location.pathname + location.search
      if (currentPath.startsWith(docsPath)) return { kind: 'docs', config: appConfig, login: () => startLogin(currentPath) }
      await auth.login(currentPath)
      return { kind: 'leaving', config: appConfig }
    }
    return await enterAsUser(appConfig, auth)
  } catch (error) {
    return { kind: 'auth-failed', config: appConfig, error, login: () => startLogin() }
  }
}

/** Opens a shared scan by its link, without sign-in. */
async function enterAsGuest(appConfig: Config, auth: AuthClient, guestToken: string): Promise<StartResult> {
  const clientDeps: ClientDeps = { baseUrl: appConfig.apiUrl, realm: appConfig.realmId, getToken: auth.getToken, guestToken }
  const apiClient = createClient(monitorApi, clientDeps)
  const leaveScan = () => {
    forgetGuestToken()
    location.reload()
  }
  const startLogin = () => {
    forgetGuestToken()
    void auth.login('/monitor/scans')
  }
  try {
    const [permissions, guestScans] = await Promise.all([
      apiClient.userPermissions({}),
      apiClient.listScans({ query: { size: 1 } }),
    ])
    const guestScan = guestScans.content[0]?.id
    const guestSession = {
      config: appConfig,
      api: apiClient,
      deps: clientDeps,
      permissions,
      member: null,
      logout: leaveScan,
      login: startLogin,
    }
    if (guestScan) return { kind: 'ready', auth, session: { ...guestSession, guestScan } }
    return { kind: 'ready', auth, session: guestSession }
  } catch (error) {
    forgetGuestToken()
    if (error instanceof ApiError && (error.status === 401 || error.status === 404))
      return { kind: 'guest-refused', config: appConfig, login: startLogin }
    throw error
  }
}

async function enterAsUser(appConfig: Config, auth: AuthClient): Promise<StartResult> {
  const realmId = appConfig.realmId
  const clientDeps: ClientDeps = {
    baseUrl: appConfig.apiUrl,
    realm: realmId,
    getToken: auth.getToken,
    reauthenticate: requestConfirmation,
  }
  const apiClient = createClient(monitorApi, clientDeps)
  const accountClient = createClient(accountApi, { baseUrl: appConfig.axeAccountUrl, realm: realmId, getToken: auth.getToken })
  try {
    // The first list needs its default view, so both load in parallel.
    const [permissions, member, defaultViews] = await Promise.all([
      apiClient.userPermissions({}),
      accountClient.me({}).catch(() => null),
      apiClient.listDefaultViews({}).catch(() => null),
    ])
    const startLogout = () => void auth.logout()
    const userSession = { config: appConfig, api: apiClient, deps: clientDeps, permissions, member, logout: startLogout }
    return { kind: 'ready', auth, session: { ...userSession, ...(defaultViews && { defaultViews }) } }
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === 'no-access')
      return { kind: 'unauthorized', config: appConfig, logout: () => void auth.logout() }
    if (error instanceof ApiError && error.status === 401) {
      await auth.login(location.pathname + location.search)
      return { kind: 'leaving', config: appConfig }
    }
    throw error
  }
}

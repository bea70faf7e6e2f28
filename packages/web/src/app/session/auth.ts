import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import { type RefreshState, type SigninResponse, type UserProfile, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

/** Redirect path after sign-in at the identity provider. */
export const callbackPath = '/monitor/sso/callback'
export const signedOutPath = '/monitor/sso/logout'
const activeSessionKey = 'active-session'
/** Returns true if the user is signed in in any tab. A shared link then opens with that account. */
export const hasActiveSession = (): boolean => Number(readStoredValue(activeSessionKey) ?? 0) > Date.now()
/** Tokens that expire in less than this many milliseconds are refreshed before use. */
const refreshMarginMs = 90_000
/** Tokens live as long as the tab and survive a reload. */
const tokenStorageKey = 'monitor.tokens'
const oidcScope = 'openid profile email'

const TokenSet = z.object({
  access: z.string(),
  expiresAt: z.number(),
  refresh: z.optional(z.string()),
  id: z.optional(z.string()),
  /** The refresh token was sent, and no answer was stored: the provider may have accepted it, which it does once. */
  isRenewing: z.optional(z.boolean()),
  profile: z.custom<UserProfile>((profile) => z.safeParse(ProfileSchema, profile).success),
})
type TokenSet = z.output<typeof TokenSet>
const ProfileSchema = z.object({ sub: z.string() })
/**
 * Parses stored tokens. Returns null if this version cannot read them, or if the page was left during a renewal. The sign-in is then
 * repeated, which asks nothing of a user with a session at the provider.
 */
export function parseStoredTokens(storedText: string | null): TokenSet | null {
  try {
    const parsedTokens = z.safeParse(TokenSet, JSON.parse(storedText ?? 'null'))
    return parsedTokens.success && !parsedTokens.data.isRenewing ? parsedTokens.data : null
  } catch {
    return null
  }
}
export type SessionExtension = { kind: 'extended'; minutes: number } | { kind: 'no-gain' } | { kind: 'failed' }
export type AuthClient = {
  /** Returns a token valid for at least 90 s, refreshed if necessary; null if the user is not signed in. */
  getToken: () => Promise<string | null>
  /** Time in epoch milliseconds at which the session ends unless it is refreshed; null if unknown. */
  getSessionEnd: () => number | null
  /** Refreshes the session and returns the number of minutes gained. */
  extendSession: () => Promise<SessionExtension>
  /** Redirects to the provider's sign-in; `returnTo` is the path to return to. */
  login: (returnTo: string) => Promise<void>
  /** Re-authenticates the same user in a pop-up. Must be called from a click handler; otherwise the browser blocks the pop-up. */
  reauthenticate: () => Promise<'done' | 'other' | 'blocked'>
  /** Completes a sign-in and returns the path to continue at. @throws if the provider refused */
  completeLogin: () => Promise<string>
  /** Restores the session of the tab. Returns true if the user is signed in. */
  restoreSession: () => Promise<boolean>
  logout: () => Promise<void>
}

/** Marks the sign-in of a pop-up, which only forwards the provider's response to its opener. */
const reauthenticationMarker = 'clearway-sign-in-again'

/** Resolves to the response URL of the sign-in with the given state. */
const waitForResponse = (stateId: string): Promise<string> =>
  new Promise((resolve) => {
    const responseChannel = new BroadcastChannel(reauthenticationMarker)
    responseChannel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || getStateParam(data) !== `${stateId};${reauthenticationMarker}`) return
      responseChannel.close()
      resolve(data)
    })
  })

/** Signs in in a pop-up, independent of the provider's current session. Returns the reason on failure. */
async function signInInPopup(
  oidcClient: OidcClient,
  expectedSubject: string | undefined,
): Promise<SigninResponse | 'blocked' | 'other'> {
  const popupWindow = window.open('', reauthenticationMarker, 'popup,width=520,height=760')
  if (!popupWindow) return 'blocked'
  const signInRequest = await oidcClient.createSigninRequest({
    prompt: 'login',
    url_state: reauthenticationMarker,
    ui_locales: document.documentElement.lang,
  })
  const responsePromise = waitForResponse(signInRequest.state.id)
  popupWindow.location.href = signInRequest.url
  const signInResponse = await oidcClient.processSigninResponse(await responsePromise)
  return signInResponse.profile.sub === expectedSubject ? signInResponse : 'other'
}

const getStateParam = (url: string): string => new URL(url).searchParams.get('state') ?? ''

/** In the pop-up of a re-authentication: forwards the provider's response and closes. Returns false in other windows. */
export function forwardResponse(): boolean {
  if (location.pathname !== callbackPath || !getStateParam(location.href).endsWith(`;${reauthenticationMarker}`)) return false
  const responseChannel = new BroadcastChannel(reauthenticationMarker)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  responseChannel.postMessage(location.href)
  responseChannel.close()
  window.close()
  return true
}

/** Stores the tokens of this tab across reloads. Refreshes them one at a time, for this tab and duplicates of it. */
function createTokenStore(oidcClient: OidcClient) {
  let currentTokens: TokenSet | null = null
  let pendingRefresh: Promise<TokenSet | null> | null = null
  const storeTokens = (newTokens: TokenSet | null): TokenSet | null => {
    currentTokens = newTokens
    if (newTokens) sessionStorage.setItem(tokenStorageKey, JSON.stringify(newTokens))
    else sessionStorage.removeItem(tokenStorageKey)
    return newTokens
  }
  const duplicateTabs = new BroadcastChannel('clearway-tokens')
  duplicateTabs.addEventListener('message', ({ data }: MessageEvent<{ usedToken: string; newTokens: TokenSet }>) => {
    if (currentTokens?.refresh === data.usedToken) storeTokens(data.newTokens)
  })
  const renewTokens = async (oldTokens: TokenSet | null): Promise<TokenSet | null> => {
    if (!oldTokens?.refresh) return null
    const refreshState: RefreshState = {
      refresh_token: oldTokens.refresh,
      ...(oldTokens.id ? { id_token: oldTokens.id } : {}),
      session_state: null,
      scope: oidcScope,
      profile: oldTokens.profile,
    }
    sessionStorage.setItem(tokenStorageKey, JSON.stringify({ ...oldTokens, isRenewing: true }))
    const newTokens = toTokenSet(await oidcClient.useRefreshToken({ state: refreshState, timeoutInSeconds: 20 }), oldTokens)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    duplicateTabs.postMessage({ usedToken: oldTokens.refresh, newTokens })
    return storeTokens(newTokens)
  }
  return {
    keep: storeTokens,
    getTokens: () => currentTokens,
    // A rotated refresh token is valid once, so concurrent callers share one refresh.
    refreshTokens: () => (pendingRefresh ??= renewTokens(currentTokens).finally(() => (pendingRefresh = null))),
    loadTokens: () => (currentTokens = parseStoredTokens(sessionStorage.getItem(tokenStorageKey))),
  }
}

/** Creates the OpenID Connect client (authorization code with PKCE) for the configured provider. */
export function createAuthClient(appConfig: Config): AuthClient {
  const oidcClient = new OidcClient({
    authority: `${appConfig.keycloakUrl}/realms/${appConfig.realmId}`,
    client_id: appConfig.publicClientId,
    redirect_uri: location.origin + callbackPath,
    post_logout_redirect_uri: location.origin + signedOutPath,
    scope: oidcScope,
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
  })
  const { keep: storeTokens, getTokens, refreshTokens, loadTokens } = createTokenStore(oidcClient)
  const getSessionEnd = () => getTokenExpiry(getTokens()?.refresh)
  const isValidFor = (durationMs: number) => (getTokens()?.expiresAt ?? 0) - Date.now() > durationMs
  /** Publishes the end of the session to other tabs. */
  const publishSession = () =>
    writeStoredValue(activeSessionKey, getTokens() ? String(getSessionEnd() ?? getTokens()!.expiresAt) : null)
  return {
    getSessionEnd,
    getToken: async () => {
      if (getTokens() && !isValidFor(refreshMarginMs)) await refreshTokens().then(publishSession, () => null)
      return getTokens()?.access ?? null
    },
    extendSession: async () => {
      const previousEnd = getSessionEnd() ?? 0
      if (!(await refreshTokens().catch(() => null))) return { kind: 'failed' }
      publishSession()
      const minutesGained = Math.round(((getSessionEnd() ?? 0) - previousEnd) / 60_000)
      return minutesGained > 0 ? { kind: 'extended', minutes: minutesGained } : { kind: 'no-gain' }
    },
    login: async (returnTo) => {
      storeTokens(null)
      const signInRequest = await oidcClient.createSigninRequest({ state: returnTo, ui_locales: document.documentElement.lang })
      location.assign(signInRequest.url)
    },
    reauthenticate: async () => {
      const signInResponse = await signInInPopup(oidcClient, getTokens()?.profile.sub)
      if (typeof signInResponse === 'string') return signInResponse
      storeTokens(toTokenSet(signInResponse, getTokens()))
      publishSession()
      return 'done'
    },
    completeLogin: async () => {
      const signInResponse = await oidcClient.processSigninResponse(location.href)
      storeTokens(toTokenSet(signInResponse, null))
      publishSession()
      const { userState: returnPath } = signInResponse
      return typeof returnPath === 'string' && returnPath.startsWith('/monitor/') ? returnPath : '/monitor/scans'
    },
    restoreSession: async () => {
      if (loadTokens() && !isValidFor(0)) await refreshTokens().catch(() => storeTokens(null))
      return isValidFor(0)
    },
    logout: async () => {
      const idToken = getTokens()?.id
      storeTokens(null)
      publishSession()
      location.assign((await oidcClient.createSignoutRequest(idToken ? { id_token_hint: idToken } : {})).url)
    },
  }
}

const toTokenSet = (response: SigninResponse, oldTokens: TokenSet | null): TokenSet => ({
  access: response.access_token,
  expiresAt: (response.expires_at ?? 0) * 1000,
  refresh: response.refresh_token ?? oldTokens?.refresh,
  id: response.id_token ?? oldTokens?.id,
  profile: response.profile ?? oldTokens?.profile,
})

/** Returns the expiry of a JWT in epoch milliseconds; null for an opaque token. */
function getTokenExpiry(token: string | undefined): number | null {
  const encodedPayload = token?.split('.')[1]
  if (!encodedPayload) return null
  try {
    const { exp: expirySeconds } = JSON.parse(atob(encodedPayload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number }
    return expirySeconds ? expirySeconds * 1000 : null
  } catch {
    return null
  }
}

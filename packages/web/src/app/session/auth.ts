import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import type { RefreshState, SigninResponse, UserProfile } from 'oidc-client-ts'
import { OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

/** Where the identity provider sends people back to. */
export const callbackPath = '/monitor/sso/callback'
export const signedOutPath = '/monitor/sso/logout'
const activeKey = 'active-session'
/** Whether somebody is signed in at the identity provider, in whichever tab: a shared link then opens as theirs. */
export const hasActiveSession = (): boolean => Number(readStoredValue(activeKey) ?? 0) > Date.now()
/** A token with less to live than this is refreshed before it is used, ms. */
const margin = 90_000
/** Tokens live as long as the tab; a reload keeps them. */
const tokenKey = 'monitor.tokens'
const scope = 'openid profile email'

const Tokens = z.object({
  access: z.string(),
  expiresAt: z.number(),
  refresh: z.optional(z.string()),
  id: z.optional(z.string()),
  profile: z.custom<UserProfile>((read) => z.safeParse(Person, read).success),
})
type Tokens = z.output<typeof Tokens>
const Person = z.object({ sub: z.string() })
/** Tokens as a tab has stored them; null for what this version cannot use: the person signs in anew. */
export function tokensFrom(text: string | null): Tokens | null {
  try {
    const read = z.safeParse(Tokens, JSON.parse(text ?? 'null'))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
export type Extension = { kind: 'extended'; minutes: number } | { kind: 'no-gain' } | { kind: 'failed' }
export type Auth = {
  /** A token with at least 90 s to live; null when nobody is signed in. Refreshes it when it must. */
  token: () => Promise<string | null>
  /** When the session ends unless something refreshes it, ms since 1970; null when the provider does not say. */
  endsAt: () => number | null
  /** Refreshes the session and says by how much it became longer. */
  extend: () => Promise<Extension>
  /** Leaves for the provider's sign-in; `returnTo` is the path to come back to. */
  login: (returnTo: string) => Promise<void>
  /** Has the same person sign in once more, in a window of its own. Call it from a press of a button: else no window opens. */
  again: () => Promise<'done' | 'other' | 'blocked'>
  /** Completes a sign-in; answers the path to go on to. Throws when the provider refused. */
  completeLogin: () => Promise<string>
  /** Whether somebody is signed in. */
  restore: () => Promise<boolean>
  /** Leaves for the provider's logout. */
  logout: () => Promise<void>
}

/** Marks a sign-in in a window of its own: by this the window knows that it has only to hand over what it was answered. */
const again = 'clearway-sign-in-again'

/** The answer to one such sign-in, whenever it comes. */
const handedOver = (stateId: string): Promise<string> =>
  new Promise((done) => {
    const channel = new BroadcastChannel(again)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || stateOf(data) !== `${stateId};${again}`) return
      channel.close()
      done(data)
    })
  })

/** Signs in in a window of its own, whoever is signed in at the provider; or what was in the way. */
async function signInInWindow(
  client: OidcClient,
  person: string | undefined,
): Promise<SigninResponse | 'blocked' | 'other'> {
  const opened = window.open('', again, 'popup,width=520,height=760')
  if (!opened) return 'blocked'
  const request = await client.createSigninRequest({
    prompt: 'login',
    url_state: again,
    ui_locales: document.documentElement.lang,
  })
  const answer = handedOver(request.state.id)
  opened.location.href = request.url
  const response = await client.processSigninResponse(await answer)
  return response.profile.sub === person ? response : 'other'
}

const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? ''

/** In the window of a sign-in again: hands over what the provider answered, and closes. Whether this is such a window. */
export function handOver(): boolean {
  if (location.pathname !== callbackPath || !stateOf(location.href).endsWith(`;${again}`)) return false
  const channel = new BroadcastChannel(again)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  channel.postMessage(location.href)
  channel.close()
  window.close()
  return true
}

/** The tokens of this tab, kept over a reload, and their one refresh at a time. */
function keepTokens(client: OidcClient) {
  let tokens: Tokens | null = null
  let refreshing: Promise<Tokens | null> | null = null
  const keep = (next: Tokens | null): Tokens | null => {
    tokens = next
    if (next) sessionStorage.setItem(tokenKey, JSON.stringify(next))
    else sessionStorage.removeItem(tokenKey)
    return next
  }
  const renew = async (old: Tokens | null): Promise<Tokens | null> => {
    if (!old?.refresh) return null
    const state: RefreshState = {
      refresh_token: old.refresh,
      ...(old.id ? { id_token: old.id } : {}),
      session_state: null,
      scope,
      profile: old.profile,
    }
    return keep(tokensOf(await client.useRefreshToken({ state, timeoutInSeconds: 20 }), old))
  }
  return {
    keep,
    now: () => tokens,
    // A rotated refresh token is good for one use: callers that come together share it.
    refresh: () => (refreshing ??= renew(tokens).finally(() => (refreshing = null))),
    load: () => (tokens = tokensFrom(sessionStorage.getItem(tokenKey))),
  }
}

/** Sign-in by OpenID Connect (authorization code with PKCE) at the provider that the configuration names. */
export function createAuth(config: Config): Auth {
  const client = new OidcClient({
    authority: `${config.keycloakUrl}/realms/${config.realmId}`,
    client_id: config.publicClientId,
    redirect_uri: location.origin + callbackPath,
    post_logout_redirect_uri: location.origin + signedOutPath,
    scope,
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
  })
  const { keep, now, refresh, load } = keepTokens(client)
  const endsAt = () => expiryOf(now()?.refresh)
  const lives = (ms: number) => (now()?.expiresAt ?? 0) - Date.now() > ms
  /** Publishes to other tabs until when somebody is signed in. */
  const flag = () => writeStoredValue(activeKey, now() ? String(endsAt() ?? now()!.expiresAt) : null)
  return {
    endsAt,
    token: async () => {
      if (now() && !lives(margin)) await refresh().then(flag, () => null)
      return now()?.access ?? null
    },
    extend: async () => {
      const before = endsAt() ?? 0
      if (!(await refresh().catch(() => null))) return { kind: 'failed' }
      flag()
      const minutes = Math.round(((endsAt() ?? 0) - before) / 60_000)
      return minutes > 0 ? { kind: 'extended', minutes } : { kind: 'no-gain' }
    },
    login: async (returnTo) => {
      keep(null)
      const request = await client.createSigninRequest({
        state: returnTo,
        ui_locales: document.documentElement.lang,
      })
      location.assign(request.url)
    },
    again: async () => {
      const response = await signInInWindow(client, now()?.profile.sub)
      if (typeof response === 'string') return response
      keep(tokensOf(response, now()))
      flag()
      return 'done'
    },
    completeLogin: async () => {
      const response = await client.processSigninResponse(location.href)
      keep(tokensOf(response, null))
      flag()
      const { userState } = response
      return typeof userState === 'string' && userState.startsWith('/monitor/') ? userState : '/monitor/scans'
    },
    restore: async () => {
      if (load() && !lives(0)) await refresh().catch(() => keep(null))
      return lives(0)
    },
    logout: async () => {
      const id = now()?.id
      keep(null)
      flag()
      location.assign((await client.createSignoutRequest(id ? { id_token_hint: id } : {})).url)
    },
  }
}

const tokensOf = (response: SigninResponse, old: Tokens | null): Tokens => ({
  access: response.access_token,
  expiresAt: (response.expires_at ?? 0) * 1000,
  refresh: response.refresh_token ?? old?.refresh,
  id: response.id_token ?? old?.id,
  profile: response.profile ?? old?.profile,
})

/** Expiry of a token that is a JWT, ms since 1970; null for one that only its provider can read. */
function expiryOf(token: string | undefined): number | null {
  const payload = token?.split('.')[1]
  if (!payload) return null
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number }
    return exp ? exp * 1000 : null
  } catch {
    return null
  }
}

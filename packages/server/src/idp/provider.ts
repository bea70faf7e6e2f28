import Provider, {
  type Account,
  type ClientMetadata,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { sessionClaim } from '../kit/http/token.ts'
import { type ServiceClient, computeServiceVersion, versionClaim, computeAccountVersion } from './account-version.ts'
import { createArtifactAdapter, hashId } from './adapter.ts'
import { saveDevice, touchDevice } from './device/store.ts'
import type { ProviderKeys } from './keys.ts'
import { errorPage, signedOutPage, signOutPage } from './page.ts'
import { wrapRefreshTokens } from './refresh-envelope.ts'
import { findPerson, type Person, type Sealed } from './store.ts'

export type IdpOptions = {
  /** Origin that browsers see, no slash at the end. */
  publicUrl: string
  productName: string
  /** Public client of the web application. */
  client: string
  /** Public client of the account service's pages. */
  accountClient: string
  /** Confidential client of the product itself. */
  service: ServiceClient
  /** Client that has the roles. */
  resource: string
  audience: string
  tokenSeconds: number
  sessionSeconds: number
}

export const realmPath = '/realms/clearway'
const accountCallback = '/axe-account/terms/callback'
const api = 'urn:clearway:api'
const protocol = '/protocol/openid-connect'
/** Where a sign-in begins, below the realm. */
export const authPath = `${protocol}/auth`

/** What a token says of a person, in Keycloak's words. */
const claimsOf = (person: Person, resource: string) => ({
  preferred_username: person.username,
  given_name: person.firstName,
  family_name: person.lastName,
  name: `${person.firstName} ${person.lastName}`.trim(),
  ...(person.email && { email: person.email, email_verified: true }),
  resource_access: { [resource]: { roles: person.roles } },
})

/** First-party: whoever signs in has agreed that the web application reads their name. */
async function grantFor(ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc
  if (!client || !session) return undefined
  const known = session.grantIdFor(client.clientId)
  const grant =
    (known && (await provider.Grant.find(known))) ||
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId! })
  grant.addOIDCScope('openid profile email')
  grant.addResourceScope(api, 'openid profile email')
  await grant.save()
  return grant
}

/** What the provider can beyond signing in: signing out, revoking, and tokens for our API as JWTs. */
function featuresOf(options: IdpOptions): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => signOutPage(ctx, form),
      postLogoutSuccessSource: (ctx) => signedOutPage(ctx, options.productName),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => api,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'openid profile email',
        audience: options.audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: options.tokenSeconds,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  }
}

/** The web application: public, with PKCE, back to its own addresses only. */
const webClient = (options: IdpOptions): ClientMetadata => ({
  client_id: options.client,
  client_name: options.productName,
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [`${options.publicUrl}/monitor`],
  post_logout_redirect_uris: [`${options.publicUrl}/monitor/sso/logout`],
})

/** The pages of the account service, which come back to one address. */
const accountClient = (options: IdpOptions): ClientMetadata => ({
  client_id: options.accountClient,
  client_name: options.productName,
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [`${options.publicUrl}${accountCallback}`],
})

/** The product itself, which reads teams of the account service when nobody is there. */
const serviceClient = ({ service }: IdpOptions): ClientMetadata => ({
  client_id: service.id,
  client_secret: service.secret,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
})

/** What the product's own token says: its one role, and which secret it was got by. */
const serviceClaims = ({ service, resource }: IdpOptions) => ({
  resource_access: { [resource]: { roles: ['service'] } },
  [versionClaim]: computeServiceVersion(service),
})

const month = 30 * 24 * 3600

/** Seconds that each thing lives. */
const lifetimes = ({ tokenSeconds, sessionSeconds }: IdpOptions): Configuration['ttl'] => ({
  AccessToken: tokenSeconds,
  AuthorizationCode: 60,
  ClientCredentials: tokenSeconds,
  IdToken: tokenSeconds,
  Interaction: 3600,
  RefreshToken: sessionSeconds,
  Session: sessionSeconds,
  Grant: Math.max(month, sessionSeconds),
})

function configuration({ db, seal }: Sealed, keys: ProviderKeys, options: IdpOptions): Configuration {
  const issuer = options.publicUrl + realmPath
  return {
    adapter: createArtifactAdapter(db, seal),
    clients: [webClient(options), accountClient(options), serviceClient(options)],
    jwks: keys.jwks as NonNullable<Configuration['jwks']>,
    cookies: { keys: keys.cookies, names: { session: 'clearway_sso', interaction: 'clearway_sign_in' } },
    scopes: ['openid', 'profile', 'email'],
    claims: {
      openid: ['sub', 'resource_access'],
      profile: ['preferred_username', 'given_name', 'family_name', 'name'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    responseTypes: ['code'],
    ttl: lifetimes(options),
    routes: {
      authorization: authPath,
      token: `${protocol}/token`,
      userinfo: `${protocol}/userinfo`,
      jwks: `${protocol}/certs`,
      end_session: `${protocol}/logout`,
      revocation: `${protocol}/revoke`,
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    loadExistingGrant: grantFor,
    extraTokenClaims: async (ctx, token) => {
      if (token.kind === 'ClientCredentials') return serviceClaims(options)
      const person =
        'accountId' in token && token.accountId ? await findPerson({ db }, token.accountId) : null
      if (!person) return undefined
      const session =
        'sessionUid' in token && typeof token.sessionUid === 'string' ? hashId(token.sessionUid) : ''
      // Not when the token was got: a refreshed one is of a sign-in long ago.
      const { AuthorizationCode: code, RefreshToken: refresh } = ctx.oidc.entities
      const signedInAt = code?.authTime ?? refresh?.authTime
      return {
        ...claimsOf(person, options.resource),
        ...(signedInAt !== undefined && { auth_time: signedInAt }),
        [versionClaim]: computeAccountVersion(person),
        [sessionClaim]: session,
      }
    },
    findAccount: async (_ctx, sub): Promise<Account | undefined> => {
      const person = await findPerson({ db }, sub)
      if (!person || person.deactivatedAt) return undefined
      return { accountId: sub, claims: () => ({ sub, ...claimsOf(person, options.resource) }) }
    },
    interactions: { url: (_ctx, interaction) => `${realmPath}/sign-in/${interaction.uid}` },
    features: featuresOf(options),
    renderError: (ctx, out, error) => errorPage(ctx, out, error, issuer),
  }
}

/** The identity provider that comes with Clearway: OpenID Connect by oidc-provider, at the addresses Keycloak has. */
export function openProvider(deps: Sealed, keys: ProviderKeys, options: IdpOptions): Provider {
  const issuer = options.publicUrl + realmPath
  const provider = new Provider(issuer, configuration(deps, keys, options))
  provider.proxy = true
  // As with Keycloak's `/monitor/*`: the web application returns to the page that asked for the sign-in.
  const inside = `${options.publicUrl}/monitor`
  const isOurs = (uri: string) => {
    const url = URL.parse(uri)
    if (uri === options.publicUrl + accountCallback) return true
    return url !== null && (url.origin + url.pathname === inside || uri.startsWith(`${inside}/`))
  }
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed: isOurs,
    postLogoutRedirectUriAllowed: isOurs,
  })
  wrapRefreshTokens(provider, { issuer, key: keys.envelope, seconds: options.sessionSeconds })
  extendSession(provider, deps, options.sessionSeconds)
  rememberDevices(provider, deps)
  return provider
}

/** Keeps with what, and from where, each session was begun, for its owner to see. */
function rememberDevices(provider: Provider, deps: Pick<Sealed, 'db'>): void {
  provider.on('authorization.success', (ctx) => {
    const { session } = ctx.oidc
    const uid = session?.uid
    if (!uid || !session.accountId) return
    const device = { agent: ctx.get('user-agent').slice(0, 500), address: ctx.ip }
    // Nobody is kept out because it could not be noted.
    void saveDevice(deps, { uid: hashId(uid), personId: session.accountId, ...device }).catch(() => undefined)
  })
}

/** People who keep working (refresh tokens) stay signed in: the session lives as long as the newest refresh token. */
function extendSession(provider: Provider, deps: Pick<Sealed, 'db'>, seconds: number): void {
  provider.use(async (ctx, next) => {
    await next()
    const uid = ctx.oidc?.entities.RotatedRefreshToken?.sessionUid
    if (!uid || ctx.status !== 200) return
    const session = await provider.Session.findByUid(uid)
    await session?.save(seconds)
    await touchDevice(deps, hashId(uid))
  })
}

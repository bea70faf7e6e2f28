import Provider, { type Account, type ClientMetadata, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { sessionClaim } from '../kit/http/token.ts'
import { type ServiceClient, computeServiceVersion, versionClaim, computeAccountVersion } from './account-version.ts'
import { createArtifactAdapter, hashId } from './adapter.ts'
import { saveDevice, touchDevice } from './device/store.ts'
import type { ProviderKeys } from './keys.ts'
import { renderErrorPage, renderSignedOutPage, renderSignOutPage } from './page.ts'
import { wrapRefreshTokens } from './refresh-envelope.ts'
import { realmPath } from './realm.ts'
import { findPerson, type Person, type SealedDeps } from './store.ts'

export type IdpOptions = {
  /** Origin that browsers use, without a trailing slash. */
  publicUrl: string
  productName: string
  /** Public client of the web application. */
  client: string
  /** Public client of the account service's pages. */
  accountClient: string
  /** Confidential client of the product itself. */
  service: ServiceClient
  /** Client that the roles belong to. */
  resource: string
  audience: string
  tokenSeconds: number
  sessionSeconds: number
}

const accountCallbackPath = '/axe-account/terms/callback'
const apiResource = 'urn:clearway:api'
const protocolPath = '/protocol/openid-connect'
/** Path at which a sign-in begins, below the realm. */
export const authPath = `${protocolPath}/auth`

/** Claims of a person, named as in Keycloak. */
const buildPersonClaims = (person: Person, resource: string) => ({
  preferred_username: person.username,
  given_name: person.firstName,
  family_name: person.lastName,
  name: `${person.firstName} ${person.lastName}`.trim(),
  ...(person.email && { email: person.email, email_verified: true }),
  resource_access: { [resource]: { roles: person.roles } },
})

async function loadOrCreateGrant(ctx: KoaContextWithOIDC) {
  const { client: oidcClient, session: oidcSession, provider } = ctx.oidc
  if (!oidcClient || !oidcSession) return undefined
  const existingGrantId = oidcSession.grantIdFor(oidcClient.clientId)
  const sessionGrant =
    (existingGrantId && (await provider.Grant.find(existingGrantId))) ||
    new provider.Grant({ clientId: oidcClient.clientId, accountId: oidcSession.accountId! })
  sessionGrant.addOIDCScope('openid profile email')
  sessionGrant.addResourceScope(apiResource, 'openid profile email')
  await sessionGrant.save()
  return sessionGrant
}

/** Features beyond sign-in: sign-out, revocation, and access tokens as JWTs for our API. */
function buildFeatures(options: IdpOptions): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => renderSignOutPage(ctx, form),
      postLogoutSuccessSource: (ctx) => renderSignedOutPage(ctx, options.productName),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => apiResource,
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

/** The web application: a public client with PKCE. Its state names the page that requested the sign-in. */
const buildWebClient = (options: IdpOptions): ClientMetadata => ({
  client_id: options.client,
  client_name: options.productName,
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [`${options.publicUrl}/monitor/sso/callback`],
  post_logout_redirect_uris: [`${options.publicUrl}/monitor/sso/logout`],
})

/** The pages of the account service, with a single redirect address. */
const buildAccountClient = (options: IdpOptions): ClientMetadata => ({
  client_id: options.accountClient,
  client_name: options.productName,
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [`${options.publicUrl}${accountCallbackPath}`],
})

/** The product itself, which reads teams of the account service in background tasks. */
const buildServiceClient = ({ service }: IdpOptions): ClientMetadata => ({
  client_id: service.id,
  client_secret: service.secret,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
})

/** Claims of the product's own token: its one role, and the version of its secret. */
const buildServiceClaims = ({ service, resource }: IdpOptions) => ({
  resource_access: { [resource]: { roles: ['service'] } },
  [versionClaim]: computeServiceVersion(service),
})

const monthSeconds = 30 * 24 * 3600

/** Lifetimes in seconds. */
const getLifetimes = ({ tokenSeconds, sessionSeconds }: IdpOptions): Configuration['ttl'] => ({
  AccessToken: tokenSeconds,
  AuthorizationCode: 60,
  ClientCredentials: tokenSeconds,
  IdToken: tokenSeconds,
  Interaction: 3600,
  RefreshToken: sessionSeconds,
  Session: sessionSeconds,
  Grant: Math.max(monthSeconds, sessionSeconds),
})

function buildConfiguration({ db, seal }: SealedDeps, providerKeys: ProviderKeys, options: IdpOptions): Configuration {
  const issuerUrl = options.publicUrl + realmPath
  return {
    adapter: createArtifactAdapter(db, seal),
    clients: [buildWebClient(options), buildAccountClient(options), buildServiceClient(options)],
    jwks: providerKeys.jwks as NonNullable<Configuration['jwks']>,
    cookies: { keys: providerKeys.cookies, names: { session: 'clearway_sso', interaction: 'clearway_sign_in' } },
    scopes: ['openid', 'profile', 'email'],
    claims: {
      openid: ['sub', 'resource_access'],
      profile: ['preferred_username', 'given_name', 'family_name', 'name'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    responseTypes: ['code'],
    ttl: getLifetimes(options),
    routes: {
      authorization: authPath,
      token: `${protocolPath}/token`,
      userinfo: `${protocolPath}/userinfo`,
      jwks: `${protocolPath}/certs`,
      end_session: `${protocolPath}/logout`,
      revocation: `${protocolPath}/revoke`,
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    loadExistingGrant: loadOrCreateGrant,
    extraTokenClaims: async (ctx, token) => {
      if (token.kind === 'ClientCredentials') return buildServiceClaims(options)
      const tokenOwner = 'accountId' in token && token.accountId ? await findPerson({ db }, token.accountId) : null
      if (!tokenOwner) return undefined
      const hashedSessionId = 'sessionUid' in token && typeof token.sessionUid === 'string' ? hashId(token.sessionUid) : ''
      // The time of the sign-in, not of the token: a refreshed token belongs to an earlier sign-in.
      const { AuthorizationCode: authorizationCode, RefreshToken: refreshToken } = ctx.oidc.entities
      const signedInAt = authorizationCode?.authTime ?? refreshToken?.authTime
      return {
        ...buildPersonClaims(tokenOwner, options.resource),
        ...(signedInAt !== undefined && { auth_time: signedInAt }),
        [versionClaim]: computeAccountVersion(tokenOwner),
        [sessionClaim]: hashedSessionId,
      }
    },
    findAccount: async (_ctx, sub): Promise<Account | undefined> => {
      const accountPerson = await findPerson({ db }, sub)
      if (!accountPerson || accountPerson.deactivatedAt) return undefined
      return { accountId: sub, claims: () => ({ sub, ...buildPersonClaims(accountPerson, options.resource) }) }
    },
    interactions: { url: (_ctx, interaction) => `${realmPath}/sign-in/${interaction.uid}` },
    features: buildFeatures(options),
    renderError: (ctx, out, error) => renderErrorPage(ctx, out, error, issuerUrl),
  }
}

/** The identity provider that comes with Clearway: OpenID Connect by oidc-provider, at the same addresses as Keycloak. */
export function createProvider(deps: SealedDeps, providerKeys: ProviderKeys, options: IdpOptions): Provider {
  const issuerUrl = options.publicUrl + realmPath
  const oidcProvider = new Provider(issuerUrl, buildConfiguration(deps, providerKeys, options))
  oidcProvider.proxy = true
  wrapRefreshTokens(oidcProvider, { issuer: issuerUrl, key: providerKeys.envelope, seconds: options.sessionSeconds })
  extendSessionOnRefresh(oidcProvider, deps, options.sessionSeconds)
  recordDevices(oidcProvider, deps)
  removeCorsHeaders(oidcProvider)
  return oidcProvider
}

/** Only pages of this origin call the provider, which would allow any origin in preflights and errors. */
function removeCorsHeaders(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith('access-control-')) ctx.remove(name)
  })
}

/** Records the browser and address of each new session, which its owner can view. */
function recordDevices(provider: Provider, deps: Pick<SealedDeps, 'db'>): void {
  provider.on('authorization.success', (ctx) => {
    const { session: oidcSession } = ctx.oidc
    const sessionUid = oidcSession?.uid
    if (!sessionUid || !oidcSession.accountId) return
    const deviceDetails = { agent: ctx.get('user-agent').slice(0, 500), address: ctx.ip }
    // A failure to record the device does not prevent the sign-in.
    void saveDevice(deps, { uid: hashId(sessionUid), personId: oidcSession.accountId, ...deviceDetails }).catch(() => undefined)
  })
}

/** Keeps people signed in while they work: the session lives as long as the newest refresh token. */
function extendSessionOnRefresh(provider: Provider, deps: Pick<SealedDeps, 'db'>, seconds: number): void {
  provider.use(async (ctx, next) => {
    await next()
    const sessionUid = ctx.oidc?.entities.RotatedRefreshToken?.sessionUid
    if (!sessionUid || ctx.status !== 200) return
    const oidcSession = await provider.Session.findByUid(sessionUid)
    await oidcSession?.save(seconds)
    await touchDevice(deps, hashId(sessionUid))
  })
}

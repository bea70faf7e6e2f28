import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import { authorizeByRole, type Guard, registerEndpoints } from '../kit/http/register.ts'
import { accountHandlers } from './account/routes.ts'
import { ownHandlers } from './own/routes.ts'
import { type SignInDeps, mountSignInRoutes } from './sign-in/routes.ts'
import { mountTicketRoutes } from './ticket/routes.ts'
import { sendProblem } from '../kit/http/problem.ts'
import { authPath, type IdpOptions, createProvider } from './provider.ts'
import { realmPath } from './realm.ts'
import type { AccountCheck } from './account-version.ts'
import type { ProviderKeys } from './keys.ts'
import { findPerson } from './store.ts'

type IdpDeps = SignInDeps & {
  options: IdpOptions
  keys: ProviderKeys
  isCurrent: AccountCheck['isCurrent']
  identify: Guard['identify']
}

/** Accepts form posts of our own pages only: another site's form could sign people in to a foreign account. */
function acceptOwnForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      // NUL is never typed, and databases cannot store it.
      const formEntries = [...new URLSearchParams(String(body))]
      done(null, new URLSearchParams(formEntries.map(([fieldName, fieldValue]) => [fieldName, fieldValue.replaceAll('\0', '')])))
    },
  )
  scope.addHook('onRequest', (request, reply, done) => {
    const isCrossSitePost = request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site'
    if (isCrossSitePost) void sendProblem(reply, request.id, 'access-denied')
    else done()
  })
}

export async function mountIdpRoutes(app: FastifyInstance, deps: IdpDeps): Promise<void> {
  const oidcProvider = createProvider(deps, deps.keys, deps.options)
  const publicUrl = new URL(deps.options.publicUrl)
  await app.register(async (scope) => {
    acceptOwnForms(scope)
    mountSignInRoutes(scope, deps, oidcProvider)
    await mountAccountRoute(scope, deps)
  })
  await app.register((scope, _options, done) => {
    acceptOwnForms(scope)
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isSignIn: true }
    })
    mountTicketRoutes(scope, { ...deps.accounts, realm: realmPath, isHttps: publicUrl.protocol === 'https:' })
    done()
  })
  await app.register(
    (scope, _options, done) => {
      const { identify } = deps
      const apiHandlers = { ...accountHandlers(deps.accounts), ...ownHandlers(deps.accounts) }
      registerEndpoints(scope, { table: providerApi, handlers: apiHandlers, guard: { identify, authorize: authorizeByRole } })
      done()
    },
    { prefix: realmPath },
  )
  await app.register((scope, _options, done) => {
    // oidc-provider parses bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    scope.all(`${realmPath}/*`, { config: { isSignIn: true } }, (request, reply) => {
      if (isTooLarge(request)) return void sendProblem(reply, request.id, 'too-large')
      reply.hijack()
      const rawRequest = request.raw as typeof request.raw & { originalUrl?: string }
      rawRequest.originalUrl = rawRequest.url!
      // The provider announces public URLs, regardless of the host name of this request.
      rawRequest.headers['x-forwarded-host'] = publicUrl.host
      rawRequest.headers['x-forwarded-proto'] = publicUrl.protocol.replace(':', '')
      rawRequest.headers['x-forwarded-for'] = request.ip
      rawRequest.url = rawRequest.url!.slice(realmPath.length)
      void oidcProvider.callback()(rawRequest, reply.raw)
    })
    done()
  })
}

/** Limits for query and body, in bytes: a started sign-in is stored, even for anonymous callers. Real ones are below 2 KB. */
const maxAuthBytes = 8 * 1024
const maxRequestBytes = 16 * 1024

function isTooLarge({ url, headers, method }: FastifyRequest): boolean {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  // A body of unknown length counts as too long.
  const bodyBytes = hasBody ? Number(headers['content-length'] ?? maxRequestBytes + 1) : 0
  const isAuthRequest = url.startsWith(`${realmPath}${authPath}`)
  return url.length + bodyBytes > (isAuthRequest ? maxAuthBytes : maxRequestBytes)
}

/** Keycloak's profile endpoint, which its client library calls. */
async function mountAccountRoute(app: FastifyInstance, deps: IdpDeps): Promise<void> {
  const publicKeys = createLocalJWKSet({
    keys: deps.keys.jwks.keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as never),
  })
  app.get(`${realmPath}/account`, async (request, reply) => {
    const bearerToken = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const verifiedToken = await jwtVerify(bearerToken ?? '', publicKeys, {
      issuer: deps.options.publicUrl + realmPath,
      audience: deps.options.audience,
      algorithms: ['RS256'],
    }).catch(() => null)
    const isTokenCurrent = verifiedToken !== null && (await deps.isCurrent(verifiedToken.payload))
    const tokenOwner = isTokenCurrent ? await findPerson(deps, verifiedToken.payload.sub ?? '') : null
    if (!tokenOwner) return reply.code(401).send({ error: 'invalid_token' })
    const { id, username, firstName, lastName, email } = tokenOwner
    return { id, username, firstName, lastName, email: email ?? undefined, emailVerified: email !== null }
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { providerApi } from '@clearway/contract/account/member/provider/api.ts'
import { authoriseByRole, type Guard, register } from '../kit/http/register.ts'
import { accountHandlers } from './account/routes.ts'
import { ownHandlers } from './own/routes.ts'
import { type SignInDeps, signInRoutes } from './sign-in/routes.ts'
import { ticketRoutes } from './ticket/routes.ts'
import { sendProblem } from '../kit/http/problem.ts'
import { authPath, type IdpOptions, openProvider, realmPath } from './provider.ts'
import type { AccountCheck } from './account-version.ts'
import type { ProviderKeys } from './keys.ts'
import { findPerson } from './store.ts'

type Deps = SignInDeps & {
  options: IdpOptions
  keys: ProviderKeys
  isCurrent: AccountCheck['isCurrent']
  /** Who calls, by the bearer token. */
  identify: Guard['identify']
}

/** Takes forms of our own pages. Sent by another site's page they would sign people in under a name that is not theirs. */
function takeForms(own: FastifyInstance): void {
  own.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      // Nobody types NUL, and no database keeps it.
      const fields = [...new URLSearchParams(String(body))]
      done(null, new URLSearchParams(fields.map(([name, value]) => [name, value.replaceAll('\0', '')])))
    },
  )
  own.addHook('onRequest', (request, reply, done) => {
    const isForeign = request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site'
    if (isForeign) void sendProblem(reply, request.id, 'access-denied')
    else done()
  })
}

/** Mounts the identity provider below `/realms/clearway`. */
export async function idpRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const provider = openProvider(deps, deps.keys, deps.options)
  const home = new URL(deps.options.publicUrl)
  await app.register(async (own) => {
    takeForms(own)
    signInRoutes(own, deps, provider)
    await accountRoute(own, deps)
  })
  await app.register((own, _options, done) => {
    takeForms(own)
    own.addHook('onRoute', (route) => {
      route.config = { ...route.config, isSignIn: true }
    })
    ticketRoutes(own, { ...deps.accounts, realm: realmPath, isHttps: home.protocol === 'https:' })
    done()
  })
  await app.register(
    (own, _options, done) => {
      const { identify } = deps
      const handlers = { ...accountHandlers(deps.accounts), ...ownHandlers(deps.accounts) }
      register(own, { table: providerApi, handlers, guard: { identify, authorise: authoriseByRole } })
      done()
    },
    { prefix: realmPath },
  )
  await app.register((own, _options, done) => {
    // oidc-provider reads bodies itself.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    own.all(`${realmPath}/*`, { config: { isSignIn: true } }, (request, reply) => {
      if (isTooLarge(request)) return void sendProblem(reply, request.id, 'too-large')
      reply.hijack()
      const raw = request.raw as typeof request.raw & { originalUrl?: string }
      raw.originalUrl = raw.url!
      // The URLs that the provider announces are the public ones, whatever name this request came by.
      raw.headers['x-forwarded-host'] = home.host
      raw.headers['x-forwarded-proto'] = home.protocol.replace(':', '')
      raw.headers['x-forwarded-for'] = request.ip
      raw.url = raw.url!.slice(realmPath.length)
      void provider.callback()(raw, reply.raw)
    })
    done()
  })
}

/** What begins a sign-in is stored until it ends, whoever asks. Bytes of query and body; real ones have under 2 KB. */
const mostAuthBytes = 8 * 1024
const mostBytes = 16 * 1024

function isTooLarge({ url, headers, method }: FastifyRequest): boolean {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  // A body of unknown length is taken for a long one.
  const body = hasBody ? Number(headers['content-length'] ?? mostBytes + 1) : 0
  const isAuth = url.startsWith(`${realmPath}${authPath}`)
  return url.length + body > (isAuth ? mostAuthBytes : mostBytes)
}

/** Keycloak's profile call, which its own client library makes. */
async function accountRoute(app: FastifyInstance, deps: Deps): Promise<void> {
  const publicKeys = createLocalJWKSet({
    keys: deps.keys.jwks.keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as never),
  })
  app.get(`${realmPath}/account`, async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const verified = await jwtVerify(token ?? '', publicKeys, {
      issuer: deps.options.publicUrl + realmPath,
      audience: deps.options.audience,
      algorithms: ['RS256'],
    }).catch(() => null)
    const isCurrent = verified !== null && (await deps.isCurrent(verified.payload))
    const person = isCurrent ? await findPerson(deps, verified.payload.sub ?? '') : null
    if (!person) return reply.code(401).send({ error: 'invalid_token' })
    const { id, username, firstName, lastName, email } = person
    return { id, username, firstName, lastName, email: email ?? undefined, emailVerified: email !== null }
  })
}

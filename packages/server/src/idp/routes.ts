import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { page, pageHeaders, type SignInState, signInPage } from './page.ts'
import { sendProblem } from '../kit/http/problem.ts'
import { authPath, type IdpOptions, openProvider, realmPath } from './provider.ts'
import { versionClaim, versionOf } from './account-version.ts'
import type { Keys } from './keys.ts'
import { findPerson, type Sealed } from './store.ts'
import { type SignIn, signIn } from './service.ts'

/** A try to sign in: whose it was, where that is known, and what came of it. */
export type SignInTry = {
  result: SignIn['kind']
  personId: string | null
  address: string
  requestId: string
}
export type OnSignIn = (event: SignInTry) => Promise<void>
type Deps = Sealed & { keys: Keys; options: IdpOptions; onSignIn: OnSignIn }

/** Mounts the identity provider below `/realms/clearway`. */
export async function idpRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const provider = openProvider(deps, deps.keys, deps.options)
  const home = new URL(deps.options.publicUrl)
  await app.register(async (own) => {
    signInRoutes(own, deps, provider)
    await accountRoute(own, deps)
  })
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

type Provider = ReturnType<typeof openProvider>

function signInRoutes(app: FastifyInstance, deps: Deps, provider: Provider): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  const path = `${realmPath}/sign-in/:uid`
  const show = (request: FastifyRequest, state: SignInState) => {
    const { title, body } = signInPage({
      product: deps.options.productName,
      action: request.url.split('?')[0]!,
      state,
    })
    return page({ title, body, formTargets: [deps.options.publicUrl] })
  }
  app.get(path, async (request, reply) => {
    // Throws for a form that has expired; the error page leads back to the start.
    await provider.interactionDetails(request.raw, reply.raw)
    const made = show(request, { kind: 'first' })
    return reply.headers(pageHeaders(made.policy)).send(made.html)
  })
  app.post(path, async (request, reply) => {
    await provider.interactionDetails(request.raw, reply.raw)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const result = await signIn(deps, {
      username: form.get('username')?.trim() ?? '',
      password: form.get('password') ?? '',
      address: request.ip,
    })
    const personId = 'id' in result ? result.id : null
    await deps.onSignIn({ result: result.kind, personId, address: request.ip, requestId: request.id })
    if (result.kind !== 'in') {
      request.log.info({ reason: result.kind }, 'sign-in refused')
      const made = show(request, result)
      const status = result.kind === 'too-many' ? 429 : 400
      return reply.code(status).headers(pageHeaders(made.policy)).send(made.html)
    }
    reply.hijack()
    await provider.interactionFinished(
      request.raw,
      reply.raw,
      { login: { accountId: result.id, amr: ['pwd'] } },
      { mergeWithLastSubmission: false },
    )
  })
  app.setErrorHandler((error, _request, reply) => {
    const gone = (error as { name?: string }).name === 'SessionNotFound'
    if (!gone) throw error
    const body = `<h1>This sign-in form has expired</h1><p><a class="button" href="/monitor">Start again</a></p>`
    const made = page({ title: 'This sign-in form has expired', body })
    return reply.code(400).headers(pageHeaders(made.policy)).send(made.html)
  })
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
    const person = verified?.payload.sub ? await findPerson(deps, verified.payload.sub) : null
    if (!person || verified?.payload[versionClaim] !== versionOf(person))
      return reply.code(401).send({ error: 'invalid_token' })
    const { id, username, firstName, lastName, email } = person
    return { id, username, firstName, lastName, email: email ?? undefined, emailVerified: email !== null }
  })
}

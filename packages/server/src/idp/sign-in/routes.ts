import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notePage, type SignInState, signInPage } from '../form.ts'
import { page, pageHeaders } from '../page.ts'
import { type IdpOptions, type openProvider, realmPath } from '../provider.ts'
import { type SignIn, signIn } from '../service.ts'
import { findPerson, type Sealed } from '../store.ts'
import { passCookie } from '../ticket/routes.ts'
import { takeTicket } from '../ticket/store.ts'
import { languageFor, wordsIn } from '../word/word.ts'

/** A try to sign in: whose it was, where that is known, and what came of it. */
export type SignInTry = {
  result: SignIn['kind']
  personId: string | null
  address: string
  requestId: string
}
export type OnSignIn = (event: SignInTry) => Promise<void>
export type SignInDeps = Sealed & { options: IdpOptions; onSignIn: OnSignIn }
type Provider = ReturnType<typeof openProvider>

/** The value of one cookie of a request. */
function cookieOf(request: FastifyRequest, name: string): string {
  const found = (request.headers.cookie ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}

/** The sign-in form, and what it leads to. */
export function signInRoutes(app: FastifyInstance, deps: SignInDeps, provider: Provider): void {
  const path = `${realmPath}/sign-in/:uid`
  const product = deps.options.productName
  // Throws for a form that has expired; the error page leads back to the start.
  const languageOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Language> => {
    const { params } = await provider.interactionDetails(request.raw, reply.raw)
    const chosen = typeof params.ui_locales === 'string' ? params.ui_locales : undefined
    return languageFor({ chosen, header: request.headers['accept-language'] })
  }
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { language: Language; state: SignInState; status: number },
  ) => {
    const { language, state } = shown
    const action = request.url.split('?')[0]!
    const forgotUrl = `${realmPath}/forgot?lang=${language}`
    const form = signInPage({ language, product, action, state, forgotUrl })
    const made = page({ language, ...form, formTargets: [deps.options.publicUrl] })
    return reply.code(shown.status).headers(pageHeaders(made.policy)).send(made.html)
  }
  const finish = async (request: FastifyRequest, reply: FastifyReply, accountId: string, amr: string[]) => {
    await deps.onSignIn({ result: 'in', personId: accountId, address: request.ip, requestId: request.id })
    reply.hijack()
    const login = { login: { accountId, amr } }
    await provider.interactionFinished(request.raw, reply.raw, login, { mergeWithLastSubmission: false })
  }
  app.get(path, async (request, reply) => {
    const language = await languageOf(request, reply)
    // Who has just set his password need not type it again.
    const pass = cookieOf(request, passCookie)
    const ticket = pass ? await takeTicket(deps, ['pass'], pass) : null
    const person = ticket?.personId ? await findPerson(deps, ticket.personId) : null
    if (person && !person.deactivatedAt) return finish(request, reply, person.id, ['pwd'])
    return show(request, reply, { language, state: { kind: 'first' }, status: 200 })
  })
  app.post(path, async (request, reply) => {
    const language = await languageOf(request, reply)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const result = await signIn(deps, {
      username: form.get('username')?.trim() ?? '',
      password: form.get('password') ?? '',
      address: request.ip,
    })
    if (result.kind === 'in') return finish(request, reply, result.id, ['pwd'])
    const personId = 'id' in result ? result.id : null
    await deps.onSignIn({ result: result.kind, personId, address: request.ip, requestId: request.id })
    request.log.info({ reason: result.kind }, 'sign-in refused')
    return show(request, reply, { language, state: result, status: result.kind === 'too-many' ? 429 : 400 })
  })
  app.setErrorHandler((error, request, reply) => {
    const gone = (error as { name?: string }).name === 'SessionNotFound'
    if (!gone) throw error
    const language = languageFor({ header: request.headers['accept-language'] })
    const words = wordsIn(language)
    const note = { title: words.expired, text: '', link: words.startAgain, href: '/monitor' }
    const made = page({ language, ...notePage({ language, product, ...note }) })
    return reply.code(400).headers(pageHeaders(made.policy)).send(made.html)
  })
}

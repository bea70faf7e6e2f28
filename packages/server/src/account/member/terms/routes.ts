import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { backTo, cookieOf } from '../model.ts'
import {
  chosenLanguage,
  termsLanguage,
  termsWords,
  failedBody,
  termsBody,
  termsPath as path,
  wholePage,
} from './model.ts'
import { agreeToTerms, type MemberDeps } from '../service.ts'
import { beginSignIn, completeSignIn, formToken, signedIn, type SignInDeps } from '../sign-in/service.ts'

type Deps = MemberDeps & {
  signIn: SignInDeps
  publicUrl: string
  productName: string
  /** The owner's text; null for our own. */
  terms: { text: string | null }
}

const sessionCookie = 'clearway_account'
const flowCookie = 'clearway_account_flow'
const languageCookie = 'clearway_account_language'

type Shown = { status: number; language: Language; title: string; body: string }

function show(reply: FastifyReply, { status, ...page }: Shown): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(wholePage({ ...page, nonce }))
}

const showFailed = (reply: FastifyReply, language: Language): FastifyReply =>
  show(reply, { status: 400, language, title: termsWords[language].failed, body: failedBody(language) })

const query = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

const languageOf = (request: FastifyRequest): Language =>
  termsLanguage({
    chosen: query(request, 'lang'),
    kept: cookieOf(request.headers.cookie, languageCookie),
    header: request.headers['accept-language'],
  })

/** The page of the terms, which signs people in by itself, keeps that they agree, and leads back. */
export function termsRoutes(app: FastifyInstance, deps: Deps): void {
  const secure = deps.publicUrl.startsWith('https:') ? '; Secure' : ''
  const keep = (reply: FastifyReply, name: string, value: string, seconds: number) =>
    reply.header(
      'set-cookie',
      `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  app.get(path, async (request, reply) => {
    const back = backTo(query(request, 'original-redirect'), deps.publicUrl)
    const language = languageOf(request)
    // Signing in leads away from here and back; the choice outlives it.
    const chosen = chosenLanguage(query(request, 'lang'))
    if (chosen) keep(reply, languageCookie, chosen, 31_536_000)
    const session = cookieOf(request.headers.cookie, sessionCookie)
    const caller = await signedIn(deps.signIn, session)
    if (caller) {
      const { productName } = deps
      const title = `${termsWords[language].title} – ${productName}`
      const { username } = caller
      const token = formToken(deps.signIn, session!)
      const body = termsBody({ language, productName, text: deps.terms.text, username, back, token })
      return show(reply, { status: 200, language, title, body })
    }
    const { url, flow } = await beginSignIn(deps.signIn, back)
    return keep(reply, flowCookie, flow, 600).redirect(url, 303)
  })
  app.get(`${path}/callback`, async (request, reply) => {
    const flow = cookieOf(request.headers.cookie, flowCookie)
    const came = { code: query(request, 'code'), state: query(request, 'state'), flow }
    const done = await completeSignIn(deps.signIn, came)
    if (!done) return showFailed(reply, languageOf(request))
    keep(reply, sessionCookie, done.session, 600)
    return reply.redirect(`${path}?original-redirect=${encodeURIComponent(done.back)}`, 303)
  })
  app.post(path, async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const session = cookieOf(request.headers.cookie, sessionCookie)
    const caller = await signedIn(deps.signIn, session)
    if (!caller || form.get('token') !== formToken(deps.signIn, session!))
      return showFailed(reply, languageOf(request))
    await agreeToTerms(deps, caller)
    return reply.redirect(backTo(form.get('original-redirect') ?? undefined, deps.publicUrl), 303)
  })
}

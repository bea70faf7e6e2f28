import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { resolveReturnUrl, readCookie } from '../model.ts'
import {
  parseLanguage,
  chooseTermsLanguage,
  termsWords,
  renderFailedBody,
  renderTermsBody,
  termsPath as path,
  renderPage,
} from './model.ts'
import { agreeToTerms, type MemberDeps } from '../service.ts'
import { beginSignIn, completeSignIn, computeFormToken, findSignedInCaller, type SignInDeps } from '../sign-in/service.ts'

type TermsDeps = MemberDeps & {
  signIn: SignInDeps
  publicUrl: string
  productName: string
  /** The owner's text; null for the default terms. */
  terms: { text: string | null }
}

const sessionCookie = 'clearway_account'
const flowCookie = 'clearway_account_flow'
const languageCookie = 'clearway_account_language'

type RenderedPage = { status: number; language: Language; title: string; body: string }

function sendPage(reply: FastifyReply, { status, ...page }: RenderedPage): FastifyReply {
  const styleNonce = randomBytes(16).toString('base64')
  const contentSecurityPolicy = `default-src 'none'; style-src 'nonce-${styleNonce}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
  return reply
    .code(status)
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(renderPage({ ...page, nonce: styleNonce }))
}

const sendSignInFailure = (reply: FastifyReply, language: Language): FastifyReply =>
  sendPage(reply, { status: 400, language, title: termsWords[language].failed, body: renderFailedBody(language) })

const readQueryParameter = (request: FastifyRequest, parameterName: string): string | undefined => {
  const parameterValue = (request.query as Record<string, unknown>)[parameterName]
  return typeof parameterValue === 'string' ? parameterValue : undefined
}

const detectLanguage = (request: FastifyRequest): Language =>
  chooseTermsLanguage({
    chosenLanguage: readQueryParameter(request, 'lang'),
    storedLanguage: readCookie(request.headers.cookie, languageCookie),
    acceptLanguage: request.headers['accept-language'],
  })

/** Routes of the terms page: signs people in, records their agreement, and redirects back. */
export function termsRoutes(app: FastifyInstance, deps: TermsDeps): void {
  const secureAttribute = deps.publicUrl.startsWith('https:') ? '; Secure' : ''
  const setCookie = (reply: FastifyReply, cookieName: string, cookieValue: string, maxAgeSeconds: number) =>
    reply.header(
      'set-cookie',
      `${cookieName}=${cookieValue}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secureAttribute}`,
    )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  app.get(path, async (request, reply) => {
    const returnUrl = resolveReturnUrl(readQueryParameter(request, 'original-redirect'), deps.publicUrl)
    const pageLanguage = detectLanguage(request)
    // The sign-in leaves this page and returns; the choice must outlive it.
    const chosen = parseLanguage(readQueryParameter(request, 'lang'))
    if (chosen) setCookie(reply, languageCookie, chosen, 31_536_000)
    const sealedSession = readCookie(request.headers.cookie, sessionCookie)
    const signedInCaller = await findSignedInCaller(deps.signIn, sealedSession)
    if (signedInCaller) {
      const { productName } = deps
      const pageTitle = `${termsWords[pageLanguage].title} – ${productName}`
      const { username } = signedInCaller
      const token = computeFormToken(deps.signIn, sealedSession!)
      const bodyHtml = renderTermsBody({
        language: pageLanguage,
        productName,
        text: deps.terms.text,
        username,
        back: returnUrl,
        token,
      })
      return sendPage(reply, { status: 200, language: pageLanguage, title: pageTitle, body: bodyHtml })
    }
    const { url: authorizeUrl, flow: sealedFlow } = await beginSignIn(deps.signIn, returnUrl)
    return setCookie(reply, flowCookie, sealedFlow, 600).redirect(authorizeUrl, 303)
  })
  app.get(`${path}/callback`, async (request, reply) => {
    const sealedFlow = readCookie(request.headers.cookie, flowCookie)
    const callbackParameters = {
      code: readQueryParameter(request, 'code'),
      state: readQueryParameter(request, 'state'),
      flow: sealedFlow,
    }
    const completedSignIn = await completeSignIn(deps.signIn, callbackParameters)
    if (!completedSignIn) return sendSignInFailure(reply, detectLanguage(request))
    setCookie(reply, sessionCookie, completedSignIn.session, 600)
    return reply.redirect(`${path}?original-redirect=${encodeURIComponent(completedSignIn.back)}`, 303)
  })
  app.post(path, async (request, reply) => {
    const formFields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const sealedSession = readCookie(request.headers.cookie, sessionCookie)
    const signedInCaller = await findSignedInCaller(deps.signIn, sealedSession)
    if (!signedInCaller || formFields.get('token') !== computeFormToken(deps.signIn, sealedSession!))
      return sendSignInFailure(reply, detectLanguage(request))
    await agreeToTerms(deps, signedInCaller)
    return reply.redirect(resolveReturnUrl(formFields.get('original-redirect') ?? undefined, deps.publicUrl), 303)
  })
}

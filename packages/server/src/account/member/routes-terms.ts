import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../kit/html.ts'
import { backTo, cookieOf } from './model.ts'
import { agreeToTerms, type MemberDeps } from './service.ts'
import { beginSignIn, completeSignIn, formToken, signedIn, type SignInDeps } from './service-sign-in.ts'

type Deps = MemberDeps & {
  signIn: SignInDeps
  publicUrl: string
  productName: string
  terms: { text: string }
}

const path = '/axe-account/terms'
const sessionCookie = 'clearway_account'
const flowCookie = 'clearway_account_flow'

const style = `:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;margin:0 auto;padding:2rem 1rem;max-width:40rem}
h1{font-size:1.6rem;line-height:1.25}button,a.button{font:inherit;font-weight:600;min-height:44px;padding:.5rem 1.25rem;border:2px solid;border-radius:6px;background:none;color:inherit}
:focus-visible{outline:3px solid;outline-offset:3px}`

function show(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
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
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head>
<body><main>${body}</main></body></html>`)
}

function termsPage(deps: Deps, options: { username: string; back: string; token: string }): string {
  const paragraphs = deps.terms.text
    .split(/\n\s*\n/)
    .map((text) => `<p>${escapeHtml(text.trim())}</p>`)
    .join('\n')
  return `<p>${escapeHtml(deps.productName)}</p><h1>Terms of use</h1>
${paragraphs}
<form method="post" action="${path}">
<input type="hidden" name="token" value="${escapeHtml(options.token)}">
<input type="hidden" name="original-redirect" value="${escapeHtml(options.back)}">
<p>You are signed in as <strong>${escapeHtml(options.username)}</strong>.</p>
<button>I agree to these terms</button></form>
<p><a href="${escapeHtml(options.back)}">Back without agreeing</a></p>`
}

const failed = `<h1>Signing in did not work</h1><p>It took too long, or it was begun in another window.</p>
<p><a class="button" href="${path}">Start again</a></p>`

/** The page of the terms, which signs people in by itself, keeps that they agree, and leads back. */
export function termsRoutes(app: FastifyInstance, deps: Deps): void {
  const secure = deps.publicUrl.startsWith('https:') ? '; Secure' : ''
  const keep = (reply: FastifyReply, name: string, value: string, seconds: number) =>
    reply.header(
      'set-cookie',
      `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    )
  const query = (request: FastifyRequest, name: string): string | undefined => {
    const value = (request.query as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : undefined
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  app.get(path, async (request, reply) => {
    const back = backTo(query(request, 'original-redirect'), deps.publicUrl)
    const session = cookieOf(request.headers.cookie, sessionCookie)
    const caller = await signedIn(deps.signIn, session)
    if (caller) {
      const token = formToken(deps.signIn, session!)
      return show(
        reply,
        200,
        `Terms of use – ${deps.productName}`,
        termsPage(deps, { ...caller, back, token }),
      )
    }
    const { url, flow } = await beginSignIn(deps.signIn, back)
    return keep(reply, flowCookie, flow, 600).redirect(url, 303)
  })
  app.get(`${path}/callback`, async (request, reply) => {
    const flow = cookieOf(request.headers.cookie, flowCookie)
    const came = { code: query(request, 'code'), state: query(request, 'state'), flow }
    const done = await completeSignIn(deps.signIn, came)
    if (!done) return show(reply, 400, 'Signing in did not work', failed)
    keep(reply, sessionCookie, done.session, 600)
    return reply.redirect(`${path}?original-redirect=${encodeURIComponent(done.back)}`, 303)
  })
  app.post(path, async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const session = cookieOf(request.headers.cookie, sessionCookie)
    const caller = await signedIn(deps.signIn, session)
    if (!caller || form.get('token') !== formToken(deps.signIn, session!))
      return show(reply, 400, 'Signing in did not work', failed)
    await agreeToTerms(deps, caller)
    return reply.redirect(backTo(form.get('original-redirect') ?? undefined, deps.publicUrl), 303)
  })
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { problemsByCode } from '@clearway/contract/kit/problem.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { databaseProblem } from '../kit/database.ts'
import { escapeHtml } from '../kit/html.ts'
import { filled } from '../kit/text.ts'
import { languageFor, wordsIn } from './word/word.ts'

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

export type Page = {
  language: Language
  title: string
  body: string
  script?: string
  formTargets?: readonly string[]
}

/** A whole page of the identity provider, with the header that forbids everything that it doesn't bring along. */
export function page(given: Page): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64')
  const script = given.script ? `<script nonce="${nonce}">${given.script}</script>` : ''
  const html = `<!doctype html>
<html lang="${given.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(given.title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body><main>${given.body}</main>${script}</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...(given.formTargets ?? [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return { html, policy }
}

/** Headers of every page here: never kept, never framed, never telling where one came from. */
export const pageHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

function answer(ctx: KoaContextWithOIDC, made: { html: string; policy: string }): void {
  ctx.set(pageHeaders(made.policy))
  ctx.body = made.html
}

/** The language that the application chose for the sign-in, else that of the browser. */
const languageOf = (ctx: KoaContextWithOIDC): Language =>
  languageFor({
    chosen: typeof ctx.oidc?.params?.ui_locales === 'string' ? ctx.oidc.params.ui_locales : undefined,
    header: ctx.get('accept-language'),
  })

/** Signing out asks nothing: the form sends itself; without scripts there is a button. */
export function signOutPage(ctx: KoaContextWithOIDC, form: string): void {
  const language = languageOf(ctx)
  const { signOut } = wordsIn(language)
  const body = `<h1>${signOut}</h1>${form}
<button type="submit" form="op.logoutForm" value="yes" name="logout">${signOut}</button>`
  const script = `const form = document.getElementById('op.logoutForm')
const yes = document.createElement('input')
yes.type = 'hidden'; yes.name = 'logout'; yes.value = 'yes'
form.append(yes); form.submit()`
  answer(ctx, page({ language, title: signOut, body, script }))
}

export function signedOutPage(ctx: KoaContextWithOIDC, product: string): void {
  const language = languageOf(ctx)
  const words = wordsIn(language)
  const back = escapeHtml(filled(words.backTo, { product }))
  const body = `<h1>${words.signedOut}</h1><p><a class="button" href="/monitor">${back}</a></p>`
  answer(ctx, page({ language, title: `${words.signedOut} – ${product}`, body }))
}

type OpenIdError = { error: string; error_description?: string | undefined }

/** Faults of the server, whose reasons the provider keeps to itself. */
const serverFaults = { 'database-unavailable': 'databaseAway', 'disk-full': 'diskFull' } as const

/**
 * What goes wrong on the way, for a person: what happened, and the way back.
 * `error` is what was thrown; `out` what the protocol says about it.
 */
export function errorPage(ctx: KoaContextWithOIDC, out: OpenIdError, error: unknown, issuer: string): void {
  const language = languageOf(ctx)
  const words = wordsIn(language)
  const fault = databaseProblem(error)
  if (fault) ctx.status = problemsByCode[fault].status
  const said = escapeHtml(out.error_description ?? out.error)
  const what = fault
    ? words[serverFaults[fault]]
    : `<span lang="en"><strong>${escapeHtml(out.error)}</strong>: ${said}</span>`
  const body = `<h1>${words.failed}</h1>
<p class="error">${what}</p>
<p>${filled(words.failedHint, { url: escapeHtml(issuer) })}</p>
<p><a class="button" href="/monitor">${words.startAgain}</a></p>`
  answer(ctx, page({ language, title: words.failed, body }))
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { problemsByCode } from '@clearway/contract/kit/problem.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { classifyDatabaseError } from '../kit/database.ts'
import { escapeHtml } from '../kit/html.ts'
import { fillPlaceholders } from '../kit/text.ts'
import { detectLanguage } from './language-choice.ts'
import { getWords } from './word/word.ts'

const pageStyles = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

export type PageContent = { language: Language; title: string; body: string; script?: string; formTargets?: readonly string[] }

/** Renders a complete page, with a content security policy that forbids everything the page does not contain. */
export function renderPage(pageContent: PageContent): { html: string; policy: string } {
  const contentNonce = randomBytes(16).toString('base64')
  const scriptTag = pageContent.script ? `<script nonce="${contentNonce}">${pageContent.script}</script>` : ''
  const documentHtml = `<!doctype html>
<html lang="${pageContent.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(pageContent.title)}</title>
<link rel="icon" href="data:,">
<style nonce="${contentNonce}">${pageStyles}</style>
</head>
<body><main>${pageContent.body}</main>${scriptTag}</body>
</html>
`
  const securityPolicy = [
    "default-src 'none'",
    `style-src 'nonce-${contentNonce}'`,
    `script-src 'nonce-${contentNonce}'`,
    "connect-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...(pageContent.formTargets ?? [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return { html: documentHtml, policy: securityPolicy }
}

/** Headers of every page: no caching, no framing, no referrer. */
export const buildPageHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

function sendPage(ctx: KoaContextWithOIDC, renderedPage: { html: string; policy: string }): void {
  ctx.set(buildPageHeaders(renderedPage.policy))
  ctx.body = renderedPage.html
}

/** The language of a page of the provider, which the application may have requested. */
function detectProviderLanguage(ctx: KoaContextWithOIDC): Language {
  const requestedLanguage = ctx.oidc?.params?.ui_locales
  return detectLanguage(ctx, typeof requestedLanguage === 'string' ? requestedLanguage : undefined)
}

/** The sign-out page needs no confirmation: the form submits itself, or by a button without scripts. */
export function renderSignOutPage(ctx: KoaContextWithOIDC, logoutForm: string): void {
  const pageLanguage = detectProviderLanguage(ctx)
  const { signOut: signOutLabel } = getWords(pageLanguage)
  const bodyHtml = `<h1>${signOutLabel}</h1>${logoutForm}
<button type="submit" form="op.logoutForm" value="yes" name="logout">${signOutLabel}</button>`
  const submitScript = `const form = document.getElementById('op.logoutForm')
const yes = document.createElement('input')
yes.type = 'hidden'; yes.name = 'logout'; yes.value = 'yes'
form.append(yes); form.submit()`
  sendPage(ctx, renderPage({ language: pageLanguage, title: signOutLabel, body: bodyHtml, script: submitScript }))
}

export function renderSignedOutPage(ctx: KoaContextWithOIDC, product: string): void {
  const pageLanguage = detectProviderLanguage(ctx)
  const languageWords = getWords(pageLanguage)
  const backLabel = escapeHtml(fillPlaceholders(languageWords.backTo, { product }))
  const bodyHtml = `<h1>${languageWords.signedOut}</h1><p><a class="button" href="/monitor">${backLabel}</a></p>`
  sendPage(ctx, renderPage({ language: pageLanguage, title: `${languageWords.signedOut} – ${product}`, body: bodyHtml }))
}

type OpenIdError = { error: string; error_description?: string | undefined }

/** Server faults, whose reasons the provider does not disclose. */
const serverFaultKeys = { 'database-unavailable': 'databaseAway', 'disk-full': 'diskFull' } as const

/** The error page: states what happened and links back to the start. `out` is the protocol's error, `error` the thrown value. */
export function renderErrorPage(ctx: KoaContextWithOIDC, out: OpenIdError, error: unknown, issuer: string): void {
  const pageLanguage = detectProviderLanguage(ctx)
  const languageWords = getWords(pageLanguage)
  const serverFault = classifyDatabaseError(error)
  if (serverFault) ctx.status = problemsByCode[serverFault].status
  const errorDescription = escapeHtml(out.error_description ?? out.error)
  const explanation = serverFault
    ? languageWords[serverFaultKeys[serverFault]]
    : `<span lang="en"><strong>${escapeHtml(out.error)}</strong>: ${errorDescription}</span>`
  const bodyHtml = `<h1>${languageWords.failed}</h1>
<p class="error">${explanation}</p>
<p>${fillPlaceholders(languageWords.failedHint, { url: escapeHtml(issuer) })}</p>
<p><a class="button" href="/monitor">${languageWords.startAgain}</a></p>`
  sendPage(ctx, renderPage({ language: pageLanguage, title: languageWords.failed, body: bodyHtml }))
}

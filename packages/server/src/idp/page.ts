import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { problems } from '@clearway/contract/kit/problem.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { databaseProblem } from '../kit/database.ts'
import { escapeHtml } from '../kit/html.ts'

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

/** A whole page of the identity provider, with the header that forbids everything that it doesn't bring along. */
export function page(options: { title: string; body: string; script?: string; formTargets?: string[] }): {
  html: string
  policy: string
} {
  const nonce = randomBytes(16).toString('base64')
  const script = options.script ? `<script nonce="${nonce}">${options.script}</script>` : ''
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(options.title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body><main>${options.body}</main>${script}</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    'img-src data:',
    `form-action ${["'self'", ...(options.formTargets ?? [])].join(' ')}`,
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

export type SignInState =
  | { kind: 'first' }
  | { kind: 'wrong'; username: string }
  | { kind: 'missing'; username: string }
  | { kind: 'too-many'; username: string; minutes: number }

const messages: { [K in SignInState['kind']]: (state: Extract<SignInState, { kind: K }>) => string } = {
  first: () => '',
  wrong: () => 'That name and password do not belong together. Check both and try again.',
  missing: () => 'Enter your user name and your password.',
  'too-many': ({ minutes }) =>
    `Too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
}

/** The sign-in form. It says what is wrong in text, keeps the name, and works without scripts. */
export function signInPage(options: { product: string; action: string; state: SignInState }) {
  const { state } = options
  const message = (messages[state.kind] as (state: SignInState) => string)(state)
  const username = 'username' in state ? state.username : ''
  const invalid = message ? ' aria-invalid="true" aria-describedby="error"' : ''
  // After an error the password is what one types next, unless the name is missing.
  const focus = message && username ? 'password' : 'username'
  const field = (name: string, label: string, attributes: string) =>
    `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required${invalid}${focus === name ? ' autofocus' : ''} ${attributes}>`
  const title = `${message ? 'Error: ' : ''}Sign in – ${options.product}`
  const body = `
<p class="product">${escapeHtml(options.product)}</p>
<h1>Sign in</h1>
${message ? `<p class="error" id="error" role="alert"><strong>Error:</strong> ${escapeHtml(message)}</p>` : ''}
<form method="post" action="${escapeHtml(options.action)}">
${field('username', 'User name', `value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"`)}
${field('password', 'Password', 'type="password" autocomplete="current-password" maxlength="500"')}
<button>Sign in</button>
</form>`
  return { title, body }
}

/** Signing out asks nothing: the form sends itself; without scripts there is a button. */
export function signOutPage(ctx: KoaContextWithOIDC, form: string): void {
  const body = `<h1>Sign out</h1>${form}
<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>`
  const script = `const form = document.getElementById('op.logoutForm')
const yes = document.createElement('input')
yes.type = 'hidden'; yes.name = 'logout'; yes.value = 'yes'
form.append(yes); form.submit()`
  answer(ctx, page({ title: 'Sign out', body, script }))
}

export function signedOutPage(ctx: KoaContextWithOIDC, product: string): void {
  const body = `<h1>You are signed out</h1><p><a class="button" href="/monitor">Back to ${escapeHtml(product)}</a></p>`
  answer(ctx, page({ title: `Signed out – ${product}`, body }))
}

type OpenIdError = { error: string; error_description?: string | undefined }

/** Faults of the server, whose reasons the provider keeps to itself. */
const serverFaults = {
  'database-unavailable': 'The database does not answer. Try again in a minute.',
  'disk-full': "The server's disk is full. An administrator has to free space.",
}

/**
 * What goes wrong on the way, for a person: what happened, and the way back.
 * `error` is what was thrown; `out` what the protocol says about it.
 */
export function errorPage(ctx: KoaContextWithOIDC, out: OpenIdError, error: unknown, issuer: string): void {
  const fault = databaseProblem(error)
  if (fault) ctx.status = problems[fault].status
  const said = escapeHtml(out.error_description ?? out.error)
  const what = fault ? serverFaults[fault] : `<strong>${escapeHtml(out.error)}</strong>: ${said}`
  const body = `<h1>Signing in did not work</h1>
<p class="error">${what}</p>
<p>Start again. If that fails too, tell your administrator this message and the address ${escapeHtml(issuer)}.</p>
<p><a class="button" href="/monitor">Start again</a></p>`
  answer(ctx, page({ title: 'Signing in did not work', body }))
}

import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../kit/html.ts'
import type { Words } from './word/en.ts'
import { filled } from '../kit/text.ts'
import { wordsIn } from './word/word.ts'

/** What every form of the identity provider knows of where it is. */
export type FormFacts = { language: Language; product: string; action: string }
type Shown = { title: string; body: string; script?: string }

export type SignInState =
  | { kind: 'first' }
  | { kind: 'wrong'; username: string }
  | { kind: 'missing'; username: string }
  | { kind: 'too-many'; username: string; minutes: number }
  | { kind: 'passkey' }

/**
 * A way in by a passkey, where the browser has them; without scripts there is none. The browser asks the person; what it answers
 * is sent as a form.
 */
function passkeyPart({ language, action }: FormFacts): { part: string; script: string } {
  const words = wordsIn(language)
  const part = `<form id="passkey" method="post" action="${escapeHtml(action)}" hidden>
<input type="hidden" name="passkey">
<button class="quiet">${words.usePasskey}</button>
<p class="fault" role="alert" data-failed="${escapeHtml(words.passkeyFailed)}"></p>
</form>`
  const script = `const form = document.getElementById('passkey')
const note = form.querySelector('[role=alert]')
form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  note.textContent = ''
  try {
    const asked = await fetch(form.getAttribute('action') + '/passkey')
    if (!asked.ok) return location.reload()
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await asked.json())
    form.passkey.value = JSON.stringify(await navigator.credentials.get({ publicKey }))
    form.submit()
  } catch {
    note.textContent = note.dataset.failed
  }
})`
  return { part, script }
}

const signInMessage = (words: Words, state: SignInState): string => {
  if (state.kind === 'too-many')
    return state.minutes === 1 ? words.tooManyOne : filled(words.tooMany, { minutes: String(state.minutes) })
  return { first: '', wrong: words.wrong, missing: words.missing, passkey: words.wrongPasskey }[state.kind]
}

export type Field = {
  name: string
  label: string
  value?: string
  hint?: string
  error?: string | undefined
  focus?: boolean
  /** Attributes of the control, beyond what each has. */
  more: string
}

/** A label, its hint, the control and what is wrong with it, tied together. */
function fieldOf({ name, label, value = '', hint, error, focus, more }: Field): string {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return `<label for="${name}">${label}</label>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}
<input id="${name}" name="${name}" required value="${escapeHtml(value)}"${error ? ' aria-invalid="true"' : ''}${
    described ? ` aria-describedby="${described}"` : ''
  }${focus ? ' autofocus' : ''} ${more}>
${error ? `<p class="fault" id="${name}-error">${error}</p>` : ''}`
}

const errorNote = (words: Words, message: string): string =>
  message
    ? `<p class="error" id="error" role="alert"><strong>${words.error}:</strong> ${escapeHtml(message)}</p>`
    : ''

const titleOf = (words: Words, title: string, product: string, isFaulty: boolean): string =>
  `${isFaulty ? `${words.error}: ` : ''}${title} – ${product}`

const headOf = (product: string, title: string): string =>
  `<p class="product">${escapeHtml(product)}</p>\n<h1>${escapeHtml(title)}</h1>`

/** The sign-in form. It says what is wrong in text, keeps the name, and works without scripts. */
export function signInPage(
  facts: FormFacts & { state: SignInState; forgotUrl: string; withPasskeys: boolean; isSetUp: boolean },
): Shown {
  const { state, product } = facts
  const words = wordsIn(facts.language)
  const message = signInMessage(words, state)
  const username = 'username' in state ? state.username : ''
  const invalid = message && state.kind !== 'passkey' ? ' aria-invalid="true" aria-describedby="error"' : ''
  const passkey = facts.withPasskeys ? passkeyPart(facts) : null
  // After an error the password is what one types next, unless the name is missing.
  const focus = message && username ? 'password' : 'username'
  const field = (name: string, label: string, value: string, attributes: string) =>
    fieldOf({ name, label, value, focus: focus === name, more: `${attributes}${invalid}` })
  const body = `
${headOf(product, words.signIn)}
${facts.isSetUp ? '' : `<p>${words.notSetUp}</p>`}
${errorNote(words, message)}
<form method="post" action="${escapeHtml(facts.action)}">
${field('username', words.username, username, 'autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"')}
${field('password', words.password, '', 'type="password" autocomplete="current-password" maxlength="500"')}
<button>${words.signIn}</button>
</form>
${passkey?.part ?? ''}
<p class="more"><a href="${escapeHtml(facts.forgotUrl)}">${words.forgot}</a></p>`
  return {
    title: titleOf(words, words.signIn, product, message !== ''),
    body,
    ...(passkey && { script: passkey.script }),
  }
}

export type PasswordPage = {
  kind: 'setup' | 'invite' | 'reset'
  token: string
  /** Whose account it is; empty where there is none yet. */
  name: string
  values: { firstName: string; lastName: string; email: string }
  errors: Readonly<Partial<Record<'firstName' | 'lastName' | 'email' | 'password', string>>>
}

const passwordTitles = {
  setup: ['setupTitle', 'setupIntro', 'createAccount'],
  invite: ['inviteTitle', 'inviteIntro', 'createAccount'],
  reset: ['resetTitle', 'resetIntro', 'savePassword'],
} as const

/** Where somebody takes an account, or sets another password. */
export function passwordPage(facts: FormFacts & PasswordPage & { minLength: number }): Shown {
  const { kind, product, values, errors } = facts
  const words = wordsIn(facts.language)
  const [title, intro, submit] = passwordTitles[kind].map((key) => words[key])
  const heading = filled(title!, { product })
  const order = ['firstName', 'lastName', 'email', 'password'] as const
  const wanted = order.filter(
    (name) => kind === 'setup' || name === 'password' || (kind === 'invite' && name !== 'email'),
  )
  const first = wanted.find((name) => errors[name]) ?? wanted[0]
  const more = {
    firstName: 'autocomplete="given-name" maxlength="255"',
    lastName: 'autocomplete="family-name" maxlength="255"',
    email: 'type="email" autocomplete="username" maxlength="254"',
    password: `type="password" autocomplete="new-password" maxlength="500"`,
  }
  const labels = { ...words, password: words.newPassword }
  const fields = wanted.map((name) =>
    fieldOf({
      name,
      label: labels[name],
      value: name === 'password' ? '' : values[name],
      ...(name === 'password' && { hint: filled(words.passwordHint, { min: String(facts.minLength) }) }),
      error: errors[name],
      focus: name === first,
      more: more[name],
    }),
  )
  const isFaulty = Object.keys(errors).length > 0
  // Password managers learn by it whose password this is.
  const owner = facts.name
    ? `<input type="text" name="username" autocomplete="username" value="${escapeHtml(facts.name)}" readonly hidden>`
    : ''
  const body = `
${headOf(product, heading)}
<p>${filled(intro!, { product: escapeHtml(product), name: `<strong>${escapeHtml(facts.name)}</strong>` })}</p>
<form method="post" action="${escapeHtml(facts.action)}" novalidate>
<input type="hidden" name="token" value="${escapeHtml(facts.token)}">
${owner}
${fields.join('\n')}
<button>${submit}</button>
</form>`
  return { title: titleOf(words, heading, product, isFaulty), body }
}

/** One sentence, what it means, and a way on. */
export function notePage(
  facts: Omit<FormFacts, 'action'> & { title: string; text: string; link: string; href: string },
): Shown {
  const body = `${headOf(facts.product, facts.title)}
${facts.text ? `<p>${escapeHtml(facts.text)}</p>` : ''}
<p><a class="button" href="${escapeHtml(facts.href)}">${escapeHtml(facts.link)}</a></p>`
  return { title: `${facts.title} – ${facts.product}`, body }
}

/** Where people confirm that an address is theirs. The link alone changes nothing: mail programs follow links, too. */
export function emailPage(facts: FormFacts & { token: string; name: string; email: string }): Shown {
  const { language, product, action, token } = facts
  const words = wordsIn(language)
  const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`
  const values = { product: escapeHtml(product), name: strong(facts.name), email: strong(facts.email) }
  const body = `${headOf(product, words.emailTitle)}
<p>${filled(words.emailIntro, values)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button>${words.confirm}</button>
</form>`
  return { title: titleOf(words, words.emailTitle, product, false), body }
}

/** Where people who forgot their password ask for a link. */
export function forgotPage(facts: FormFacts & { error: string; back: string }): Shown {
  const words = wordsIn(facts.language)
  const field = fieldOf({
    name: 'username',
    label: words.username,
    error: facts.error || undefined,
    focus: true,
    more: 'autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"',
  })
  const body = `${headOf(facts.product, words.forgotTitle)}
<p>${words.forgotIntro}</p>
<form method="post" action="${escapeHtml(facts.action)}" novalidate>
${field}
<button>${words.sendLink}</button>
</form>
<p class="more"><a href="${escapeHtml(facts.back)}">${words.backToSignIn}</a></p>`
  return { title: titleOf(words, words.forgotTitle, facts.product, facts.error !== ''), body }
}

const codeField = (words: Words, error: string): string =>
  fieldOf({
    name: 'code',
    label: words.code,
    error: error || undefined,
    focus: true,
    more: 'autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="100"',
  })

type Step = FormFacts & { token: string; error: string }

/** Where people show their second factor. */
export function secondPage(facts: Step & { withApp: boolean; withPasskeys: boolean }): Shown {
  const { language, product, action, token, error } = facts
  const words = wordsIn(language)
  const passkey = facts.withPasskeys ? passkeyPart(facts) : null
  const intro = facts.withApp
    ? words.secondIntro
    : facts.withPasskeys
      ? words.secondByPasskey
      : words.secondByCode
  const body = `${headOf(product, words.secondTitle)}
<p>${intro}</p>
<form method="post" action="${escapeHtml(action)}" novalidate>
<input type="hidden" name="second" value="${escapeHtml(token)}">
${codeField(words, error)}
<button>${words.confirm}</button>
</form>
${passkey?.part ?? ''}`
  return {
    title: titleOf(words, words.secondTitle, product, error !== ''),
    body,
    ...(passkey && { script: passkey.script }),
  }
}

/** Where somebody who needs a second factor sets it up. */
export function enrolPage(facts: Step & { secret: string; picture: string }): Shown {
  const { language, product, secret, error } = facts
  const words = wordsIn(language)
  const picture = `data:image/svg+xml,${encodeURIComponent(facts.picture)}`
  const body = `${headOf(product, words.enrolTitle)}
<p>${words.enrolIntro}</p>
<img class="code" alt="${words.enrolPicture}" src="${escapeHtml(picture)}">
<p>${words.enrolKey}: <code translate="no">${escapeHtml(secret.replaceAll(/(.{4})(?=.)/g, '$1 '))}</code></p>
<form method="post" action="${escapeHtml(facts.action)}" novalidate>
<input type="hidden" name="enrol" value="${escapeHtml(facts.token)}">
<input type="hidden" name="secret" value="${escapeHtml(secret)}">
${codeField(words, error)}
<button>${words.confirm}</button>
</form>`
  return { title: titleOf(words, words.enrolTitle, product, error !== ''), body }
}

/** The recovery codes, this once. */
export function codesPage(facts: FormFacts & { token: string; codes: readonly string[] }): Shown {
  const words = wordsIn(facts.language)
  const codes = facts.codes.map((code) => `<li><code translate="no">${code}</code></li>`).join('\n')
  const body = `${headOf(facts.product, words.recoveryTitle)}
<p>${words.recoveryIntro}</p>
<ul class="codes">
${codes}
</ul>
<form method="post" action="${escapeHtml(facts.action)}">
<input type="hidden" name="proved" value="${escapeHtml(facts.token)}">
<button>${words.continue}</button>
</form>`
  return { title: titleOf(words, words.recoveryTitle, facts.product, false), body }
}

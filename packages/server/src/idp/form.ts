import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../kit/html.ts'
import type { Words } from './word/en.ts'
import { fillPlaceholders } from '../kit/text.ts'
import { renderLanguageLinks } from './language-choice.ts'
import { getWords } from './word/word.ts'

export type FormContext = { language: Language; product: string; action: string }
type RenderedForm = { title: string; body: string; script?: string }

export type SignInState =
  | { kind: 'first' }
  | { kind: 'wrong'; username: string }
  | { kind: 'missing'; username: string }
  | { kind: 'too-many'; username: string; minutes: number }
  | { kind: 'passkey' }

/** Sign-in by a passkey, shown only if the browser supports it; needs scripts. The browser's response is submitted as a form. */
function renderPasskeyForm({ language, action }: FormContext): { part: string; script: string } {
  const languageWords = getWords(language)
  const formHtml = `<form id="passkey" method="post" action="${escapeHtml(action)}" hidden>
<input type="hidden" name="passkey">
<button class="quiet">${languageWords.usePasskey}</button>
<p class="fault" role="alert" data-failed="${escapeHtml(languageWords.passkeyFailed)}"></p>
</form>`
  const formScript = `const form = document.getElementById('passkey')
const note = form.querySelector('[role=alert]')
form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  note.textContent = ''
  try {
    const optionsReply = await fetch(form.getAttribute('action') + '/passkey')
    if (!optionsReply.ok) return location.reload()
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await optionsReply.json())
    form.passkey.value = JSON.stringify(await navigator.credentials.get({ publicKey }))
    form.submit()
  } catch {
    note.textContent = note.dataset.failed
  }
})`
  return { part: formHtml, script: formScript }
}

const getSignInMessage = (words: Words, state: SignInState): string => {
  if (state.kind === 'too-many')
    return state.minutes === 1 ? words.tooManyOne : fillPlaceholders(words.tooMany, { minutes: String(state.minutes) })
  return { first: '', wrong: words.wrong, missing: words.missing, passkey: words.wrongPasskey }[state.kind]
}

export type FormField = {
  name: string
  label: string
  value?: string
  hint?: string
  error?: string | undefined
  focus?: boolean
  attributes: string
  /** HTML at the end of the input. */
  inside?: string
}

/** A label with its hint, control and error, linked for assistive technology. */
function renderField({ name, label, value = '', hint, error, focus, attributes: more, inside = '' }: FormField): string {
  const describedByIds = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return `<label for="${name}">${label}</label>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}
<div class="control"><input id="${name}" name="${name}" required value="${escapeHtml(value)}"${error ? ' aria-invalid="true"' : ''}${
    describedByIds ? ` aria-describedby="${describedByIds}"` : ''
  }${focus ? ' autofocus' : ''} ${more}>${inside}</div>
${error ? `<p class="fault" id="${name}-error">${error}</p>` : ''}`
}

const renderErrorNote = (words: Words, message: string): string =>
  message ? `<p class="error" id="error" role="alert"><strong>${words.error}:</strong> ${escapeHtml(message)}</p>` : ''

const buildPageTitle = (words: Words, title: string, product: string, isFaulty: boolean): string =>
  `${isFaulty ? `${words.error}: ` : ''}${title} – ${product}`

/** The mark of the product, as in the application's header. */
const productMark = `<svg class="mark" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="7"/>
<path d="M6.5 20.5 10.7 5.5M19.5 20.5 15.3 5.5" stroke-width="2.4"/><path d="M13 19.5v-2.6M13 13.6v-2.3M13 8.3V6.5" stroke-width="2"/></svg>`

const renderHeading = (product: string, title: string, host = ''): string =>
  `<p class="product">${productMark}<span>${escapeHtml(product)}${host && `<br><small class="hint">${escapeHtml(host)}</small>`}</span></p>
<h1>${escapeHtml(title)}</h1>`

/** A checkbox in the field of a password that makes it readable; needs scripts. */
const renderPasswordSwitch = ({ showPassword }: Words): string =>
  `<label class="switch" title="${showPassword}" hidden><input type="checkbox" id="show"><span>${showPassword}</span>
<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.3 8S3.7 3.5 8 3.5 14.7 8 14.7 8 12.3 12.5 8 12.5 1.3 8 1.3 8z"/><circle cx="8" cy="8" r="2"/><path class="slash" d="m2.5 13.5 11-11"/></svg></label>`

const passwordSwitchScript = `const show = document.getElementById('show')
show.parentElement.hidden = false
show.checked = false
show.addEventListener('change', () => {
  document.getElementById('password').type = show.checked ? 'text' : 'password'
})`

/** The sign-in form. It states errors as text, keeps the username, and works without scripts. */
export function renderSignInPage(
  pageContext: FormContext & {
    state: SignInState
    /** Tells people whose server this is. */
    host: string
    /** Null if the server sends no mail. */
    forgotUrl: string | null
    withPasskeys: boolean
    isSetUp: boolean
  },
): RenderedForm {
  const { state, product } = pageContext
  const languageWords = getWords(pageContext.language)
  const errorMessage = getSignInMessage(languageWords, state)
  const username = 'username' in state ? state.username : ''
  const invalidAttributes = errorMessage && state.kind !== 'passkey' ? ' aria-invalid="true" aria-describedby="error"' : ''
  const passkeyForm = pageContext.withPasskeys ? renderPasskeyForm(pageContext) : null
  // After an error the password is entered next, unless the username is missing.
  const focusedField = errorMessage && username ? 'password' : 'username'
  const renderInput = (name: string, label: string, value: string, attributes: string) =>
    renderField({
      name,
      label,
      value,
      focus: focusedField === name,
      attributes: `${attributes}${invalidAttributes}`,
      ...(name === 'password' && { inside: renderPasswordSwitch(languageWords) }),
    })
  const forgotHtml =
    pageContext.forgotUrl === null
      ? `<strong>${languageWords.forgot}</strong> ${languageWords.forgotAsk}`
      : `<a href="${escapeHtml(pageContext.forgotUrl)}">${languageWords.forgot}</a>`
  const formHtml = `<form method="post" action="${escapeHtml(pageContext.action)}">
${renderInput('username', languageWords.username, username, 'autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"')}
${renderInput('password', languageWords.password, '', 'type="password" autocomplete="current-password" maxlength="500"')}
<button>${languageWords.signIn}</button>
</form>
${passkeyForm?.part ?? ''}
<p class="more${pageContext.forgotUrl === null ? ' hint' : ''}">${forgotHtml}</p>`
  const languageLinks = renderLanguageLinks(escapeHtml(pageContext.action), pageContext.language)
  // Other users may exist without an administrator.
  const bodyHtml = `
${renderHeading(product, languageWords.signIn, pageContext.host)}
<p class="lead">${fillPlaceholders(languageWords.purpose, { product: escapeHtml(product) })}</p>
${renderErrorNote(languageWords, errorMessage)}
${
  pageContext.isSetUp
    ? formHtml
    : `<p class="note">${languageWords.notSetUp}</p>
<details${errorMessage ? ' open' : ''}><summary>${languageWords.haveAccount}</summary>${formHtml}</details>`
}
${languageLinks}`
  return {
    title: buildPageTitle(languageWords, languageWords.signIn, product, errorMessage !== ''),
    body: bodyHtml,
    script: [passwordSwitchScript, passkeyForm?.script].filter(Boolean).join('\n'),
  }
}

export type PasswordPageContent = {
  kind: 'setup' | 'invite' | 'reset'
  token: string
  /** Name of the account's owner; empty if there is no account yet. */
  name: string
  values: { firstName: string; lastName: string; email: string }
  errors: Readonly<Partial<Record<'firstName' | 'lastName' | 'email' | 'password', string>>>
}

const passwordPageTexts = {
  setup: ['setupTitle', 'setupIntro', 'createAccount'],
  invite: ['inviteTitle', 'inviteIntro', 'createAccount'],
  reset: ['resetTitle', 'resetIntro', 'savePassword'],
} as const

/** Fields next to each other if there is room. */
const renderPair = (fields: readonly string[]): string =>
  fields.length === 0 ? '' : `<div class="pair">${fields.map((field) => `<div>${field}</div>`).join('')}</div>`

export function renderPasswordPage(pageContext: FormContext & PasswordPageContent & { minLength: number }): RenderedForm {
  const { kind, product, values, errors } = pageContext
  const languageWords = getWords(pageContext.language)
  const [titleText, introText, submitLabel] = passwordPageTexts[kind].map((key) => languageWords[key])
  const headingText = fillPlaceholders(titleText!, { product })
  const fieldOrder = ['firstName', 'lastName', 'email', 'password'] as const
  const visibleFields = fieldOrder.filter(
    (name) => kind === 'setup' || name === 'password' || (kind === 'invite' && name !== 'email'),
  )
  const focusedField = visibleFields.find((name) => errors[name]) ?? visibleFields[0]
  const fieldAttributes = {
    firstName: 'autocomplete="given-name" maxlength="255"',
    lastName: 'autocomplete="family-name" maxlength="255"',
    email: 'type="email" autocomplete="username" maxlength="254"',
    password: `type="password" autocomplete="new-password" maxlength="500"`,
  }
  const fieldLabels = { ...languageWords, password: languageWords.newPassword }
  const renderedFields = visibleFields.map((name) =>
    renderField({
      name,
      label: fieldLabels[name],
      value: name === 'password' ? '' : values[name],
      ...(name === 'password' && {
        hint: fillPlaceholders(languageWords.passwordHint, { min: String(pageContext.minLength) }),
        inside: renderPasswordSwitch(languageWords),
      }),
      ...(name === 'email' && { hint: languageWords.emailHint }),
      error: errors[name],
      focus: name === focusedField,
      attributes: fieldAttributes[name],
    }),
  )
  const nameCount = visibleFields.indexOf('lastName') + 1
  const hasErrors = Object.keys(errors).length > 0
  // Tells password managers which account the password belongs to.
  const usernameInput = pageContext.name
    ? `<input type="text" name="username" autocomplete="username" value="${escapeHtml(pageContext.name)}" readonly hidden>`
    : ''
  const bodyHtml = `
${renderHeading(product, headingText)}
<p class="lead">${kind === 'setup' ? `${fillPlaceholders(languageWords.purpose, { product: escapeHtml(product) })} ` : ''}${fillPlaceholders(introText!, { product: escapeHtml(product), name: `<strong>${escapeHtml(pageContext.name)}</strong>` })}</p>
<form method="post" action="${escapeHtml(pageContext.action)}" novalidate>
<input type="hidden" name="token" value="${escapeHtml(pageContext.token)}">
${usernameInput}
${renderPair(renderedFields.slice(0, nameCount))}
${renderedFields.slice(nameCount).join('\n')}
<button>${submitLabel}</button>
</form>
${renderLanguageLinks(`${escapeHtml(pageContext.action)}?token=${encodeURIComponent(pageContext.token)}`, pageContext.language)}`
  return {
    title: buildPageTitle(languageWords, headingText, product, hasErrors),
    body: bodyHtml,
    script: passwordSwitchScript,
  }
}

export function renderNotePage(
  pageContext: Omit<FormContext, 'action'> & { title: string; text: string; link: string; href: string },
): RenderedForm {
  const bodyHtml = `${renderHeading(pageContext.product, pageContext.title)}
${pageContext.text ? `<p>${escapeHtml(pageContext.text)}</p>` : ''}
<p><a class="button" href="${escapeHtml(pageContext.href)}">${escapeHtml(pageContext.link)}</a></p>`
  return { title: `${pageContext.title} – ${pageContext.product}`, body: bodyHtml }
}

/** The page to confirm an address. The link alone changes nothing, because mail programs follow links, too. */
export function renderEmailPage(pageContext: FormContext & { token: string; name: string; email: string }): RenderedForm {
  const { language, product, action, token } = pageContext
  const languageWords = getWords(language)
  const renderStrong = (text: string) => `<strong>${escapeHtml(text)}</strong>`
  const textValues = {
    product: escapeHtml(product),
    name: renderStrong(pageContext.name),
    email: renderStrong(pageContext.email),
  }
  const bodyHtml = `${renderHeading(product, languageWords.emailTitle)}
<p>${fillPlaceholders(languageWords.emailIntro, textValues)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button>${languageWords.confirm}</button>
</form>`
  return { title: buildPageTitle(languageWords, languageWords.emailTitle, product, false), body: bodyHtml }
}

export function renderForgotPage(pageContext: FormContext & { error: string; back: string }): RenderedForm {
  const languageWords = getWords(pageContext.language)
  const usernameField = renderField({
    name: 'username',
    label: languageWords.username,
    error: pageContext.error || undefined,
    focus: true,
    attributes: 'autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255"',
  })
  const bodyHtml = `${renderHeading(pageContext.product, languageWords.forgotTitle)}
<p>${languageWords.forgotIntro}</p>
<form method="post" action="${escapeHtml(pageContext.action)}" novalidate>
${usernameField}
<button>${languageWords.sendLink}</button>
</form>
<p class="more"><a href="${escapeHtml(pageContext.back)}">${languageWords.backToSignIn}</a></p>`
  return {
    title: buildPageTitle(languageWords, languageWords.forgotTitle, pageContext.product, pageContext.error !== ''),
    body: bodyHtml,
  }
}

const renderCodeField = (words: Words, error: string): string =>
  renderField({
    name: 'code',
    label: words.code,
    error: error || undefined,
    focus: true,
    attributes: 'autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="100"',
  })

type SecondFactorStep = FormContext & { token: string; error: string }

export function renderSecondFactorPage(
  pageContext: SecondFactorStep & { withApp: boolean; withPasskeys: boolean },
): RenderedForm {
  const { language, product, action, token, error } = pageContext
  const languageWords = getWords(language)
  const passkeyForm = pageContext.withPasskeys ? renderPasskeyForm(pageContext) : null
  const introText = pageContext.withApp
    ? languageWords.secondIntro
    : pageContext.withPasskeys
      ? languageWords.secondByPasskey
      : languageWords.secondByCode
  const bodyHtml = `${renderHeading(product, languageWords.secondTitle)}
<p>${introText}</p>
<form method="post" action="${escapeHtml(action)}" novalidate>
<input type="hidden" name="second" value="${escapeHtml(token)}">
${renderCodeField(languageWords, error)}
<button>${languageWords.confirm}</button>
</form>
${passkeyForm?.part ?? ''}`
  return {
    title: buildPageTitle(languageWords, languageWords.secondTitle, product, error !== ''),
    body: bodyHtml,
    ...(passkeyForm && { script: passkeyForm.script }),
  }
}

export function renderEnrollPage(pageContext: SecondFactorStep & { secret: string; picture: string }): RenderedForm {
  const { language, product, secret, error } = pageContext
  const languageWords = getWords(language)
  const qrCodeUrl = `data:image/svg+xml,${encodeURIComponent(pageContext.picture)}`
  const bodyHtml = `${renderHeading(product, languageWords.enrolTitle)}
<p>${languageWords.enrolIntro}</p>
<img class="code" alt="${languageWords.enrolPicture}" src="${escapeHtml(qrCodeUrl)}">
<p>${languageWords.enrolKey}: <code translate="no">${escapeHtml(secret.replaceAll(/(.{4})(?=.)/g, '$1 '))}</code></p>
<form method="post" action="${escapeHtml(pageContext.action)}" novalidate>
<input type="hidden" name="enrol" value="${escapeHtml(pageContext.token)}">
<input type="hidden" name="secret" value="${escapeHtml(secret)}">
${renderCodeField(languageWords, error)}
<button>${languageWords.confirm}</button>
</form>`
  return { title: buildPageTitle(languageWords, languageWords.enrolTitle, product, error !== ''), body: bodyHtml }
}

/** The page that shows the recovery codes, only once. */
export function renderRecoveryCodesPage(pageContext: FormContext & { token: string; codes: readonly string[] }): RenderedForm {
  const languageWords = getWords(pageContext.language)
  const codeItems = pageContext.codes.map((code) => `<li><code translate="no">${code}</code></li>`).join('\n')
  const bodyHtml = `${renderHeading(pageContext.product, languageWords.recoveryTitle)}
<p>${languageWords.recoveryIntro}</p>
<ul class="codes">
${codeItems}
</ul>
<form method="post" action="${escapeHtml(pageContext.action)}">
<input type="hidden" name="proved" value="${escapeHtml(pageContext.token)}">
<button>${languageWords.continue}</button>
</form>`
  return { title: buildPageTitle(languageWords, languageWords.recoveryTitle, pageContext.product, false), body: bodyHtml }
}

/** A part of a sign-in form that was recognized. `open`: a control that leads to the form, where none or a doubtful one is shown. */
export type FormPart = 'user' | 'password' | 'code' | 'stay' | 'submit' | 'open'

/**
 * Description of what was recognized on a page, and of its fields for messages. `requiredLabels`: controls of the form that a person
 * has to choose. `isBlank`: it has neither a field nor more than a few words, because a script is still building it.
 */
export type FormView = { parts: FormPart[]; fields: string[]; requiredLabels: string[]; isBlank: boolean }

/**
 * Recognizes the sign-in form of the document that it runs in, and marks its parts with the attribute `data-clearway-part`. Sent
 * as its own source text, so it references nothing outside of it.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function markFormInPage(): FormView {
  const userWords =
    /user|e-?mail|login|log-?in|account|identifier|member|benutzer|anmelde|kennung|nutzer|konto|identifiant|utilisateur|courriel|usuario|correo|cuenta|utente|posta|\bid\b|\bname\b|ユーザ|メール|アカウント|ログイン/i
  const codeWords = /one-?time|\botp\b|totp|2fa|mfa|verification|authenticat|einmalcode|code|código|codice|認証|コード/i
  const otherCodeWords =
    /post|zip|\bplz\b|promo|coupon|voucher|discount|gutschein|rabatt|country|area|vorwahl|product|bar-?code|\bqr|remise|réduction|descuento|sconto|郵便|クーポン/i
  const searchWords = /search|query|such|recherch|busca|cerca|検索|newsletter/i
  const stayWords =
    /stay signed in|keep me signed in|angemeldet bleiben|rester connecté|mantener la sesión|resta connesso|サインインの状態を維持/i
  const submitWords =
    /sign ?in|log ?in|next|continue|submit|anmelden|einloggen|weiter|connexion|connecter|suivant|iniciar|acceder|siguiente|entrar|accedi|avanti|ログイン|サインイン|次へ/i
  // Alone, or with an account of the site: other accounts lead away from it.
  const openWords =
    /^(?:sign ?in|log ?in|log ?on|anmelden|anmeldung|einloggen|se connecter|connexion|iniciar sesi[oó]n|acceder|accedi|accesso|entra|ログイン|サインイン)(?: (?:with|mit|avec|con) (?:an? |your |ihrem? |votre |su |il |la |tu )?(?:e-?mail|password|passwort|mot de passe|contraseña|correo|user ?name|account|konto|compte|cuenta))?$/i
  const partAttribute = 'data-clearway-part'
  const maxRoots = 300
  const roots: (Document | ShadowRoot)[] = [document]
  const inputs: HTMLInputElement[] = []
  // A form has its fields under their names instead of the properties of these names, and a document its pictures.
  const queryAll = <E extends Element = HTMLElement>(root: Document | ShadowRoot, selector: string) => [
    ...((root === document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(
      root,
      selector,
    ) as NodeListOf<E>),
  ]
  const findById = (id: string) => Document.prototype.getElementById.call(document, id)
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  /** Fields for password managers are out of sight until their step. */
  const isInSight = (element: Element) => {
    const { right, bottom, width } = element.getBoundingClientRect()
    return width > 1 && right + scrollX > 0 && bottom + scrollY > 0 && !element.closest('[aria-hidden="true"], [inert]')
  }
  for (const root of roots) {
    for (const element of queryAll(root, '*')) {
      Element.prototype.removeAttribute.call(element, partAttribute)
      const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', element) as ShadowRoot | null
      if (shadowRoot && roots.length < maxRoots) roots.push(shadowRoot)
      if (element instanceof HTMLInputElement && !element.disabled && isShown(element) && isInSight(element)) inputs.push(element)
    }
  }
  const getLabelTexts = (control: HTMLInputElement | HTMLSelectElement) =>
    Array.from(control.labels ?? [], (label) => label.textContent?.trim() ?? '')
  const getTexts = (input: HTMLInputElement): string =>
    [
      input.name,
      input.id,
      input.placeholder,
      input.getAttribute('aria-label') ?? '',
      ...getLabelTexts(input),
      ...(input.getAttribute('aria-labelledby') ?? '')
        .split(/\s+/)
        .filter(Boolean)
        .map((id) => findById(id)?.textContent ?? ''),
    ].join(' ')
  const isTextField = (input: HTMLInputElement) => ['text', 'email', 'tel', 'number'].includes(input.type) && !input.readOnly
  const isCodeField = (input: HTMLInputElement) =>
    codeWords.test(getTexts(input)) && !/pass|kenn|contra|パス/i.test(getTexts(input))
  /** A registration and a change of the password ask for it more than once. */
  const isRepeated = (input: HTMLInputElement) =>
    input.form !== null &&
    input.autocomplete !== 'current-password' &&
    inputs.filter(
      (other) => other.type === 'password' && other.form === input.form && other.maxLength !== 1 && !isCodeField(other),
    ).length > 1
  const passwords = inputs.filter(
    (input) => input.type === 'password' && input.autocomplete !== 'new-password' && !isRepeated(input),
  )
  const codes = inputs.filter(
    (input) =>
      input.autocomplete === 'one-time-code' ||
      (isTextField(input) &&
        codeWords.test(getTexts(input)) &&
        !searchWords.test(getTexts(input)) &&
        !otherCodeWords.test(getTexts(input))),
  )
  const wordFields = passwords.filter((input) => input.maxLength !== 1)
  const password = wordFields.find((input) => input.autocomplete === 'current-password') ?? wordFields[0]
  const isCode = password !== undefined && isCodeField(password)
  const texts = inputs.filter(
    (input) => isTextField(input) && input.maxLength !== 1 && !searchWords.test(getTexts(input)) && !codes.includes(input),
  )
  const isBefore = (input: HTMLInputElement) => !password || inputs.indexOf(input) < inputs.indexOf(password)
  const sameForm = texts.filter((input) => !password || input.form === password.form)
  const candidates = (sameForm.length > 0 ? sameForm : texts).filter(isBefore)
  const user =
    candidates.find((input) => /username|email/.test(input.autocomplete)) ??
    candidates.find((input) => input.type === 'email' || userWords.test(getTexts(input))) ??
    (password ? candidates.at(-1) : undefined)
  // A field for each digit.
  const digits = inputs.filter((input) => input.maxLength === 1 && (isTextField(input) || input.type === 'password'))
  const codeFields = digits.length >= 4 ? digits : [isCode ? password : codes[0]]
  const parts: FormPart[] = []
  const mark = (part: FormPart, element: Element | undefined) => {
    if (!element) return
    element.setAttribute(partAttribute, part)
    if (!parts.includes(part)) parts.push(part)
  }
  const lastField = password && !isCode ? password : (user ?? codeFields[0])
  const loginForm = lastField?.form
  // A form has its controls under their names instead of the properties of these names.
  const controls = loginForm
    ? [...(Reflect.get(HTMLFormElement.prototype, 'elements', loginForm) as HTMLFormControlsCollection)]
    : []
  const submitButton = controls.find(
    (control) =>
      (control instanceof HTMLButtonElement && control.type === 'submit') ||
      control.matches('input:is([type="submit" i], [type="image" i])'),
  )
  const readButton = (button: Element) =>
    (button.textContent || (button as HTMLInputElement).value || '').replaceAll(/\s+/g, ' ').trim()
  /** Links of the site, or of a host below or above it: the password is for no other. */
  const isOfSite = (control: Element): boolean => {
    if (!(control instanceof HTMLAnchorElement)) return true
    const [ownHost, host] = [location.hostname, control.hostname].map((name) => name.replace(/^www\./, '')) as [string, string]
    return host === ownHost || host.endsWith(`.${ownHost}`) || ownHost.endsWith(`.${host}`)
  }
  const openControl = roots
    .flatMap((root) => queryAll(root, 'a[href], button, [role="button"], summary'))
    .filter(isOfSite)
    .find((control) => control !== submitButton && openWords.test(readButton(control)) && isShown(control) && isInSight(control))
  if (password && !isCode) mark('password', password)
  if (user) mark('user', user)
  if (!user || (password && !isCode)) for (const field of codeFields) mark('code', field)
  // A field for an email address may be one of a newsletter: the way to the form comes first then.
  const isDoubtful = lastField === user && submitButton !== undefined && !submitWords.test(readButton(submitButton))
  if (parts.length > 0 && isDoubtful) mark('open', openControl)
  const requiredLabels = controls
    .filter((control) => control instanceof HTMLInputElement || control instanceof HTMLSelectElement)
    .filter((control) => control !== user && control !== password && !codeFields.some((field) => field === control))
    .filter((control) => !loginForm?.noValidate && control.willValidate && control.validity.valueMissing)
    .map((control) => getLabelTexts(control).join(' ').slice(0, 100) || control.name)
  // Without a button that submits, the Enter key does nothing: fields are sent by a button next to them.
  if (lastField && !submitButton) {
    const fieldRoot = lastField.getRootNode() as Document | ShadowRoot
    const nextButtons = queryAll(fieldRoot, 'button, input[type="button"], [role="button"]').filter(
      (button) =>
        button.checkVisibility() && (lastField.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    )
    mark('submit', nextButtons.find((button) => submitWords.test(button.textContent ?? '')) ?? nextButtons[0])
  }
  const body = Reflect.get(Document.prototype, 'body', document) as HTMLElement | null
  if (parts.length === 0 && stayWords.test(body?.innerText.slice(0, 5000) ?? '')) {
    const buttons = queryAll(document, 'button, input[type="submit"], input[type="button"], [role="button"]')
    const noButton = buttons.find((button) =>
      /^(?:no|not now|nein|nicht jetzt|non|pas maintenant|ahora no|non ora|いいえ|skip)$/i.test(
        (button.textContent || (button as HTMLInputElement).value).trim(),
      ),
    )
    mark('stay', noButton ?? buttons.find((button) => button.checkVisibility()))
  }
  if (parts.length === 0) mark('open', openControl)
  const isBlank = inputs.length === 0 && (body?.innerText.trim().length ?? 0) < 100
  return {
    parts,
    isBlank,
    requiredLabels,
    fields: inputs.slice(0, 10).map((input) => `${input.type} ${getTexts(input).trim().slice(0, 60)}`.trim()),
  }
}

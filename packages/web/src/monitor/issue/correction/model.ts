import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { contrastingColor } from './color.ts'
import { type AttributeEdits, type StartTag, startTagOf } from './start-tag.ts'

/** A start tag or a CSS declaration without the fault. */
export type Correction = { language: 'html' | 'css'; code: string }

type Faulty = {
  tag: StartTag
  /** What axe-core said of it. */
  messages: readonly string[]
}

/** The attributes of the element that a message names. */
const namedAttributes = ({ tag, messages }: Faulty): readonly string[] => {
  const words = new Set(messages.flatMap((message) => message.split(/[^\w-]+/)))
  return tag.names.filter((name) => name.startsWith('aria-') && words.has(name))
}
/** Without them; in lower case where only that is missing. */
function withoutNamed(faulty: Faulty): AttributeEdits {
  const isValue = faulty.messages.some((message) => message.includes('must be lowercase'))
  return new Map(
    namedAttributes(faulty).map((name) => [
      name,
      isValue ? (faulty.tag.get(name)?.toLowerCase() ?? null) : null,
    ]),
  )
}

const nothing: AttributeEdits = new Map()
const set = (name: string, value: string | null): AttributeEdits => new Map([[name, value]])

/** Without what keeps people from zooming. */
function zoomable({ tag }: Faulty): AttributeEdits {
  const kept = (tag.get('content') ?? '')
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(user-scalable|maximum-scale)\b/i.test(part))
  return set('content', kept.join(', '))
}

/** A language written with an underscore or spaces around it, as the standard writes it. */
function language({ tag }: Faulty): AttributeEdits {
  const lang = tag.get('lang') ?? ''
  const known = lang.trim().replaceAll('_', '-')
  return /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(known) ? set('lang', known) : nothing
}

const scopes = new Map(
  Object.entries({ column: 'col', columns: 'col', cols: 'col', rows: 'row', columngroup: 'colgroup' }),
)

/** What people write for the names of the standard. @source HTML, autofill field names */
const autofill = new Map(
  Object.entries({
    address: 'street-address',
    birthday: 'bday',
    city: 'address-level2',
    'e-mail': 'email',
    'first-name': 'given-name',
    firstname: 'given-name',
    fname: 'given-name',
    fullname: 'name',
    'last-name': 'family-name',
    lastname: 'family-name',
    lname: 'family-name',
    mail: 'email',
    mobile: 'tel',
    phone: 'tel',
    postalcode: 'postal-code',
    postcode: 'postal-code',
    state: 'address-level1',
    surname: 'family-name',
    telephone: 'tel',
    user: 'username',
    zip: 'postal-code',
    zipcode: 'postal-code',
  }),
)
const autocomplete = ({ tag }: Faulty): AttributeEdits => {
  const known = autofill.get((tag.get('autocomplete') ?? '').trim().toLowerCase())
  return known === undefined ? nothing : set('autocomplete', known)
}

/** By rule of axe-core: the attributes with which the element has the fault no more, where its HTML says which these are. */
const attributes = new Map<string, (faulty: Faulty) => AttributeEdits>(
  Object.entries({
    accesskeys: () => set('accesskey', null),
    'aria-allowed-attr': withoutNamed,
    'aria-allowed-role': () => set('role', null),
    'aria-conditional-attr': withoutNamed,
    'aria-hidden-body': () => set('aria-hidden', null),
    'aria-prohibited-attr': withoutNamed,
    'aria-valid-attr': withoutNamed,
    'autocomplete-valid': autocomplete,
    'avoid-inline-spacing': ({ tag }) =>
      set('style', (tag.get('style') ?? '').replaceAll(/\s?!important/gi, '')),
    'html-has-lang': ({ tag }) => {
      const lang = tag.get('xml:lang')
      return lang === null ? nothing : set('lang', lang)
    },
    'html-lang-valid': language,
    'html-xml-lang-mismatch': ({ tag }) => set('xml:lang', tag.get('lang')),
    'image-redundant-alt': () => set('alt', ''),
    'meta-viewport': zoomable,
    'meta-viewport-large': zoomable,
    'no-autoplay-audio': () =>
      new Map([
        ['autoplay', null],
        ['controls', ''],
      ]),
    'scope-attr-valid': ({ tag }) => set('scope', scopes.get((tag.get('scope') ?? '').toLowerCase()) ?? null),
    'scrollable-region-focusable': () => set('tabindex', '0'),
    tabindex: () => set('tabindex', '0'),
    'valid-lang': language,
  }),
)

// From the start: uploaded results contain what somebody wrote, and a text that begins a hundred thousand times is looked through once.
const contrastMessage =
  /^Element has insufficient color contrast of [0-9.]+ \(foreground color: (#[0-9a-f]{6}), background color: (#[0-9a-f]{6}),.*Expected contrast ratio of ([0-9.]+):1/

function contrasting(messages: readonly string[]): string | null {
  const [, text, background, ratio] =
    messages.map((message) => contrastMessage.exec(message)).find(Boolean) ?? []
  const color = text && background && ratio ? contrastingColor(text, background, Number(ratio)) : null
  return color && `color: ${color};`
}

const targetMessage = /should be at least ([0-9.]+)px by/

function largeEnough(messages: readonly string[]): string | null {
  const least = messages.map((message) => targetMessage.exec(message)?.[1]).find(Boolean)
  return least === undefined ? null : `min-width: ${least}px; min-height: ${least}px;`
}

/** By rule of axe-core: declarations of CSS with which the element has the fault no more. */
const declarations = new Map<string, (messages: readonly string[]) => string | null>(
  Object.entries({
    'color-contrast': contrasting,
    'color-contrast-enhanced': contrasting,
    'link-in-text-block': () => 'text-decoration: underline;',
    'target-size': largeEnough,
  }),
)

/** The rules for which there may be one. */
export const correctedRules: readonly string[] = [...attributes.keys(), ...declarations.keys()]

/** The line without the fault, where it follows from what is known of the element; null where a person must decide. */
export function correctionOf(issue: { rule: string; html: string; fix: Fix }): Correction | null {
  const messages = [...issue.fix.any, ...issue.fix.all, ...issue.fix.none]
  const css = declarations.get(issue.rule)?.(messages)
  if (css) return { language: 'css', code: css }
  const edits = attributes.get(issue.rule)
  const tag = edits ? startTagOf(issue.html) : null
  const html = tag && edits ? tag.edited(edits({ tag, messages })) : null
  return html === null ? null : { language: 'html', code: html }
}

import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { findContrastingColor } from './color.ts'
import { type AttributeEdits, type StartTag, parseStartTag } from './start-tag.ts'

/** A corrected start tag or CSS declaration. */
export type Correction = { language: 'html' | 'css'; code: string }

type FaultyElement = {
  tag: StartTag
  /** Messages of axe-core about the element. */
  messages: readonly string[]
}

const getNamedAttributes = ({ tag, messages }: FaultyElement): readonly string[] => {
  const messageWords = new Set(messages.flatMap((message) => message.split(/[^\w-]+/)))
  return tag.attributeNames.filter((name) => name.startsWith('aria-') && messageWords.has(name))
}
/** Removes the named attributes. Lowercases their values instead if that is the only problem. */
function removeNamedAttributes(faultyElement: FaultyElement): AttributeEdits {
  const isCaseProblem = faultyElement.messages.some((message) => message.includes('must be lowercase'))
  return new Map(
    getNamedAttributes(faultyElement).map((name) => [
      name,
      isCaseProblem ? (faultyElement.tag.getAttribute(name)?.toLowerCase() ?? null) : null,
    ]),
  )
}

const noEdits: AttributeEdits = new Map()
const setAttribute = (name: string, value: string | null): AttributeEdits => new Map([[name, value]])

function allowZoom({ tag }: FaultyElement): AttributeEdits {
  const allowedSettings = (tag.getAttribute('content') ?? '')
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(user-scalable|maximum-scale)\b/i.test(part))
  return setAttribute('content', allowedSettings.join(', '))
}

/** Normalizes a language tag with underscores or surrounding spaces. */
function correctLanguage({ tag }: FaultyElement): AttributeEdits {
  const languageValue = tag.getAttribute('lang') ?? ''
  const normalizedLanguage = languageValue.trim().replaceAll('_', '-')
  return /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(normalizedLanguage) ? setAttribute('lang', normalizedLanguage) : noEdits
}

const scopeCorrections = new Map(
  Object.entries({ column: 'col', columns: 'col', cols: 'col', rows: 'row', columngroup: 'colgroup' }),
)

/** Common non-standard names of autofill fields. @source HTML, autofill field names */
const autofillCorrections = new Map(
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
const correctAutocomplete = ({ tag }: FaultyElement): AttributeEdits => {
  const correctedToken = autofillCorrections.get((tag.getAttribute('autocomplete') ?? '').trim().toLowerCase())
  return correctedToken === undefined ? noEdits : setAttribute('autocomplete', correctedToken)
}

/** Attribute edits by axe-core rule that resolve the violation, where the HTML determines them. */
const attributeCorrections = new Map<string, (faultyElement: FaultyElement) => AttributeEdits>(
  Object.entries({
    accesskeys: () => setAttribute('accesskey', null),
    'aria-allowed-attr': removeNamedAttributes,
    'aria-allowed-role': () => setAttribute('role', null),
    'aria-conditional-attr': removeNamedAttributes,
    'aria-hidden-body': () => setAttribute('aria-hidden', null),
    'aria-prohibited-attr': removeNamedAttributes,
    'aria-valid-attr': removeNamedAttributes,
    'autocomplete-valid': correctAutocomplete,
    'avoid-inline-spacing': ({ tag }) =>
      setAttribute('style', (tag.getAttribute('style') ?? '').replaceAll(/\s?!important/gi, '')),
    'html-has-lang': ({ tag }) => {
      const xmlLanguage = tag.getAttribute('xml:lang')
      return xmlLanguage === null ? noEdits : setAttribute('lang', xmlLanguage)
    },
    'html-lang-valid': correctLanguage,
    'html-xml-lang-mismatch': ({ tag }) => setAttribute('xml:lang', tag.getAttribute('lang')),
    'image-redundant-alt': () => setAttribute('alt', ''),
    'meta-viewport': allowZoom,
    'meta-viewport-large': allowZoom,
    'no-autoplay-audio': () =>
      new Map([
        ['autoplay', null],
        ['controls', ''],
      ]),
    'scope-attr-valid': ({ tag }) =>
      setAttribute('scope', scopeCorrections.get((tag.getAttribute('scope') ?? '').toLowerCase()) ?? null),
    'scrollable-region-focusable': () => setAttribute('tabindex', '0'),
    tabindex: () => setAttribute('tabindex', '0'),
    'valid-lang': correctLanguage,
  }),
)

// Anchored at the start: uploaded results contain user text, and a repeated prefix must not cause quadratic time.
const contrastPattern =
  /^Element has insufficient color contrast of [0-9.]+ \(foreground color: (#[0-9a-f]{6}), background color: (#[0-9a-f]{6}),.*Expected contrast ratio of ([0-9.]+):1/

function correctContrast(messages: readonly string[]): string | null {
  const [, textColor, backgroundColor, requiredRatio] =
    messages.map((message) => contrastPattern.exec(message)).find(Boolean) ?? []
  const correctedColor =
    textColor && backgroundColor && requiredRatio ? findContrastingColor(textColor, backgroundColor, Number(requiredRatio)) : null
  return correctedColor && `color: ${correctedColor};`
}

const targetSizePattern = /should be at least ([0-9.]+)px by/

function correctTargetSize(messages: readonly string[]): string | null {
  const minSizePx = messages.map((message) => targetSizePattern.exec(message)?.[1]).find(Boolean)
  return minSizePx === undefined ? null : `min-width: ${minSizePx}px; min-height: ${minSizePx}px;`
}

/** CSS declarations by axe-core rule that resolve the violation. */
const cssCorrections = new Map<string, (messages: readonly string[]) => string | null>(
  Object.entries({
    'color-contrast': correctContrast,
    'color-contrast-enhanced': correctContrast,
    'link-in-text-block': () => 'text-decoration: underline;',
    'target-size': correctTargetSize,
  }),
)

/** Rules that may have a correction. */
export const correctedRules: readonly string[] = [...attributeCorrections.keys(), ...cssCorrections.keys()]

/** Returns the correction if the element's data determines it; null if a person must decide. */
export function findCorrection(issue: { rule: string; html: string; fix: Fix }): Correction | null {
  const messages = [...issue.fix.any, ...issue.fix.all, ...issue.fix.none]
  const cssDeclaration = cssCorrections.get(issue.rule)?.(messages)
  if (cssDeclaration) return { language: 'css', code: cssDeclaration }
  const getEdits = attributeCorrections.get(issue.rule)
  const startTag = getEdits ? parseStartTag(issue.html) : null
  const correctedHtml = startTag && getEdits ? startTag.applyEdits(getEdits({ tag: startTag, messages })) : null
  return correctedHtml === null ? null : { language: 'html', code: correctedHtml }
}

import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { CommonComponents } from '@clearway/contract/monitor/component/schema.ts'
import { type AdvancedSettings, settingsOf } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AttributeAction, isTraversal, parse as parseCss, type Selector, SelectorType } from 'css-what'
import xpath from 'xpath'

declare module 'xpath' {
  /** Its types leave this one out. Throws for what is no XPath. */
  export function parse(expression: string): unknown
}

const pathMark = 'xpath='

/** What the reader of selectors knows and no browser does: words of jQuery, of other readers, and of the future. */
const pseudoClasses = new Set(
  `active any-link autofill checked default defined dir disabled empty enabled first-child first-of-type
  focus focus-visible focus-within fullscreen future has host host-context hover in-range indeterminate invalid is lang
  last-child last-of-type link modal muted not nth-child nth-last-child nth-last-of-type nth-of-type
  only-child only-of-type open optional out-of-range past paused picture-in-picture placeholder-shown playing
  popover-open read-only read-write required root scope target user-invalid user-valid valid visited where
  -webkit-any-link -webkit-autofill -webkit-full-screen state`.split(/\s+/),
)
const takesNumber = /^nth-/
/** `2n + 1`, `even`, `3 of .x`. */
const numberForm = /^\s*(even|odd|[+-]?\d+|[+-]?\d*n(\s*[+-]\s*\d+)?)\s*(of\s+\S.*)?$/i

const start = '(?:--|-?[a-z_\\u0080-\\uffff])'
const name = `${start}[\\w\\u0080-\\uffff-]*`
const attribute = new RegExp(
  `^\\[\\s*(?:\\*?\\|)?${name}\\s*(?:[~|^$*]?=\\s*(?:${name}|"")\\s*(?:[is]\\s*)?)?\\]$`,
  'i',
)
const badName = new RegExp(`[#.](?!${start})|[;@$%/{}=!&?]`, 'i')

/** Whether names and attributes are written as CSS asks; the reader takes more. */
function isWellWritten(text: string): boolean {
  const plain = text.replaceAll(/\\[^]/g, 'x').replaceAll(/"[^"]*"|'[^']*'/g, '""')
  const attributes = plain.match(/\[[^\]]*\]/g) ?? []
  return attributes.every((one) => attribute.test(one)) && !badName.test(plain.replaceAll(/\[[^\]]*\]/g, ''))
}

/** Of these a browser overlooks what it does not know inside. */
const forgiving = new Set(['is', 'where'])

function isKnown(token: Selector): boolean {
  if ('namespace' in token && token.namespace !== null && !['*', ''].includes(token.namespace)) return false
  if (token.type === SelectorType.Attribute) return token.action !== AttributeAction.Not
  if (token.type === SelectorType.Parent || token.type === SelectorType.ColumnCombinator) return false
  if (token.type !== SelectorType.Pseudo) return true
  if (!pseudoClasses.has(token.name)) return false
  if (takesNumber.test(token.name)) return typeof token.data === 'string' && numberForm.test(token.data)
  return (
    forgiving.has(token.name) ||
    !Array.isArray(token.data) ||
    token.data.every((selector) => selector.every(isKnown))
  )
}

/** Whether a browser could read it: XPath 1.0 with the mark `xpath=` or from `//` on, else CSS. Never runs anything. */
export function isSelector(text: string): boolean {
  const path = text.startsWith(pathMark) ? text.slice(pathMark.length) : /^\(*\/\//.test(text) ? text : null
  try {
    if (path === null) {
      const selectors = parseCss(text)
      return (
        isWellWritten(text) &&
        selectors.length > 0 &&
        selectors.every(([first, ...rest]) => {
          if (first === undefined || isTraversal(first)) return false
          const last = rest.at(-1) ?? first
          return !isTraversal(last) && [first, ...rest].every(isKnown)
        })
      )
    }
    xpath.parse(path)
    return true
  } catch {
    return false
  }
}

const wrong = (path: string, selectors: readonly string[]): FieldError[] =>
  selectors.flatMap((value, index): FieldError[] =>
    isSelector(value) ? [] : [{ path: `${path}.${index}`, code: 'wrong-format', params: { value } }],
  )

/** The selectors in settings that no browser could read. `prefix` is the path of the settings, with its dot. */
export const selectorErrors = (
  prefix: string,
  {
    commonComponents,
    advanced,
  }: { commonComponents: CommonComponents | null; advanced: AdvancedSettings | null },
): FieldError[] =>
  [
    ...(commonComponents?.components ?? []).flatMap(({ selectors }, index) =>
      wrong(`${prefix}commonComponents.components.${index}.selectors`, selectors),
    ),
    ...settingsOf('selectors').flatMap((name) => wrong(`${prefix}advanced.${name}`, advanced?.[name] ?? [])),
  ].slice(0, 100)

import { parseXPath } from '@clearway/contract/monitor/scan/model.ts'
import { AttributeAction, isTraversal, parse as parseCss, type Selector, SelectorType } from 'css-what'
import xpath from 'xpath'

declare module 'xpath' {
  /** Missing in its types. Throws for invalid XPath. */
  export function parse(expression: string): unknown
}

/** Pseudo-classes of browsers; the parser also accepts those of jQuery, other tools and future standards. */
const pseudoClasses = new Set(
  `active any-link autofill checked default defined dir disabled empty enabled first-child first-of-type
  focus focus-visible focus-within fullscreen future has host host-context hover in-range indeterminate invalid is lang
  last-child last-of-type link modal muted not nth-child nth-last-child nth-last-of-type nth-of-type
  only-child only-of-type open optional out-of-range past paused picture-in-picture placeholder-shown playing
  popover-open read-only read-write required root scope target user-invalid user-valid valid visited where
  -webkit-any-link -webkit-autofill -webkit-full-screen state`.split(/\s+/),
)
const takesNumberPattern = /^nth-/
/** `2n + 1`, `even`, `3 of .x`. */
const nthPattern = /^\s*(even|odd|[+-]?\d+|[+-]?\d*n(\s*[+-]\s*\d+)?)\s*(of\s+\S.*)?$/i

const nameStartPattern = '(?:--|-?[a-z_\\u0080-\\uffff])'
const namePattern = `${nameStartPattern}[\\w\\u0080-\\uffff-]*`
const attributePattern = new RegExp(
  `^\\[\\s*(?:\\*?\\|)?${namePattern}\\s*(?:[~|^$*]?=\\s*(?:${namePattern}|"")\\s*(?:[is]\\s*)?)?\\]$`,
  'i',
)
const invalidNamePattern = new RegExp(`[#.](?!${nameStartPattern})|[;@$%/{}=!&?]`, 'i')

/** Checks the syntax of names and attributes as in CSS; the parser is more lenient. */
function isWellWritten(selectorText: string): boolean {
  const plainText = selectorText.replaceAll(/\\[^]/g, 'x').replaceAll(/"[^"]*"|'[^']*'/g, '""')
  const attributeTexts = plainText.match(/\[[^\]]*\]/g) ?? []
  return (
    attributeTexts.every((one) => attributePattern.test(one)) && !invalidNamePattern.test(plainText.replaceAll(/\[[^\]]*\]/g, ''))
  )
}

/** Pseudo-classes inside which browsers ignore unknown selectors. */
const forgivingPseudoClasses = new Set(['is', 'where'])

function isSupportedToken(token: Selector): boolean {
  if ('namespace' in token && token.namespace !== null && !['*', ''].includes(token.namespace)) return false
  if (token.type === SelectorType.Attribute) return token.action !== AttributeAction.Not
  if (token.type === SelectorType.Parent || token.type === SelectorType.ColumnCombinator) return false
  if (token.type !== SelectorType.Pseudo) return true
  if (!pseudoClasses.has(token.name)) return false
  if (takesNumberPattern.test(token.name)) return typeof token.data === 'string' && nthPattern.test(token.data)
  return (
    forgivingPseudoClasses.has(token.name) ||
    !Array.isArray(token.data) ||
    token.data.every((selector) => selector.every(isSupportedToken))
  )
}

/** Checks that a browser can parse a selector: XPath 1.0 with the prefix `xpath=` or starting with `//`, else CSS. Executes nothing. */
export function isSelector(selectorText: string): boolean {
  const xpathText = parseXPath(selectorText)
  try {
    if (xpathText === null) {
      const parsedSelectors = parseCss(selectorText)
      return (
        isWellWritten(selectorText) &&
        parsedSelectors.length > 0 &&
        parsedSelectors.every(([firstToken, ...otherTokens]) => {
          if (firstToken === undefined || isTraversal(firstToken)) return false
          const lastToken = otherTokens.at(-1) ?? firstToken
          return !isTraversal(lastToken) && [firstToken, ...otherTokens].every(isSupportedToken)
        })
      )
    }
    xpath.parse(xpathText)
    return true
  } catch {
    return false
  }
}

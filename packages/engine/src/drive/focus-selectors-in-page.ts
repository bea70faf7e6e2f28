// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit } from './kit-in-page.ts'

/**
 * Selectors of the readable sheets that the focus can match, apart from those of the focused element alone, without
 * pseudo-elements, and which relatives of the focused element they can reach. Scripts may change any element: those are seen by their mutations.
 */
export type FocusSelectors = {
  selectors: string[]
  hasAncestors: boolean
  hasSiblings: boolean
  /** Selectors of elements with parts that change with the focus and whose styles no script can read, such as thumbs. */
  ofParts: string[]
  /** A sheet could not be read. */
  isPartial: boolean
}

/** Creates the function that reads the focus selectors of a document, once. */
export function makeFocusSelectors(kit: Pick<DriveKit, 'splitList'>): () => FocusSelectors {
  let focusSelectors: FocusSelectors | null = null
  /** Pseudo-elements whose styles scripts can read. */
  const readable = 'before|after|marker|placeholder|selection|first-line|first-letter'
  const part = new RegExp(`::(?!(?:${readable}|-webkit-input-placeholder)\\b)[\\w-]+`)
  // Browsers write `:before` as `::before`. A single colon begins a pseudo-class, such as `:placeholder-shown`.
  const removePseudo = (selector: string): string =>
    selector
      .replaceAll(/::[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/g, '')
      // Elements without anything else in their selector.
      .replaceAll(/([\s>+~,(]|^) ?(?=[,)]|$)/g, '$1*')
  /** Selectors of nothing but the focused element, which is read in any case. */
  const isOfFocusedOnly = (selector: string): boolean => /:focus(?:-visible)?(?![\w-])[^\s>+~()]*$/.test(selector)
  return () => {
    if (focusSelectors) return focusSelectors
    const ofParts = new Set<string>()
    const selectors = new Set<string>()
    let ruleCount = 0
    let isWhole = true
    const addRules = (rules: CSSRuleList, outer: string) => {
      for (const rule of rules) {
        if (++ruleCount > 30_000 || selectors.size > 400) {
          isWhole = false
          return
        }
        // Imported sheets are not read.
        if (rule instanceof CSSImportRule) isWhole = false
        const ownText = rule instanceof CSSStyleRule ? rule.selectorText : ''
        const selectorText =
          outer && ownText
            ? ownText.includes('&')
              ? ownText.replaceAll('&', `:is(${outer})`)
              : `:is(${outer}) ${ownText}`
            : ownText
        if (selectorText.includes(':focus') && selectorText.length >= 2000) isWhole = false
        if (selectorText.includes(':focus') && selectorText.length < 2000) {
          for (const one of kit.splitList(selectorText)) {
            if (!one.includes(':focus')) continue
            const selector = removePseudo(one.trim())
            if (part.test(one)) ofParts.add(selector)
            if (!isOfFocusedOnly(selector)) selectors.add(selector)
          }
        }
        if ('cssRules' in rule) addRules(rule.cssRules as CSSRuleList, selectorText || outer)
      }
    }
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
      try {
        addRules(sheet.cssRules, '')
      } catch {
        // A sheet of another origin cannot be read.
        isWhole = false
      }
    const reaches = (pattern: RegExp) => !isWhole || [...selectors].some((selector) => pattern.test(selector))
    focusSelectors = {
      ofParts: [...ofParts],
      isPartial: !isWhole,
      selectors: [...selectors],
      hasAncestors: reaches(/:focus-within|:has\(/),
      hasSiblings: reaches(/[+~]|:focus-within|:has\(/),
    }
    return focusSelectors
  }
}

// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Selectors of the readable sheets that the focus can match, without pseudo-elements, and which relatives of the focused
 * element they can reach. Scripts may change any element: those are seen by their mutations.
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
export function makeFocusSelectors(): () => FocusSelectors {
  let focusSelectors: FocusSelectors | null = null
  /** Pseudo-elements whose styles scripts can read. */
  const readable = 'before|after|marker|placeholder|selection|first-line|first-letter'
  const readablePseudo = new RegExp(`::?(?:${readable})\\b`, 'g')
  const removePseudo = (selector: string): string =>
    selector.replaceAll(readablePseudo, '').replaceAll(/::[\w-]+(?:\([^)]*\))?/g, '')
  const part = new RegExp(`::(?!(?:${readable}|-webkit-input-placeholder)\\b)[\\w-]+`)
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
          selectors.add(removePseudo(selectorText))
          for (const one of selectorText.split(',')) if (one.includes(':focus') && part.test(one)) ofParts.add(removePseudo(one))
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
      selectors: [...selectors].filter((selector) => !/(?:^|[\s,>+~])[,>+~]|^\s*$/.test(selector)),
      hasAncestors: reaches(/:focus-within|:has\(/),
      hasSiblings: reaches(/[+~]|:focus-within|:has\(/),
    }
    return focusSelectors
  }
}

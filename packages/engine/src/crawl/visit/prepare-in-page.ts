// Functions that run inside scanned pages, in an isolated world. Each is sent as its own source text, so it must not
// reference anything outside of it.

/** Finds the first element for a selector: CSS through open shadow roots, or XPath (`xpath=…`, `//…`). */
export function findInPage(selector: string): Element | null {
  const xpathText = selector.startsWith('xpath=') ? selector.slice(6) : /^\(*\/\//.test(selector) ? selector : null
  const queryDeep = (searchRoot: Document | ShadowRoot, cssSelector: string): Element | null => {
    const rootPrototype = searchRoot instanceof Document ? Document.prototype : DocumentFragment.prototype
    const foundElement = rootPrototype.querySelector.call(searchRoot, cssSelector)
    if (foundElement) return foundElement
    for (const hostElement of rootPrototype.querySelectorAll.call(searchRoot, '*')) {
      const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', hostElement) as ShadowRoot | null
      const nestedElement = shadowRoot && queryDeep(shadowRoot, cssSelector)
      if (nestedElement) return nestedElement
    }
    return null
  }
  try {
    if (xpathText === null) return queryDeep(document, selector)
    const xpathNode = Document.prototype.evaluate.call(document, xpathText, document, null, 9, null).singleNodeValue
    return xpathNode instanceof Element ? xpathNode : null
  } catch {
    return null
  }
}

/** Scrolls to the end in steps like a user, and back; stops after 40 screens or `maxScrollMs`. */
export async function scrollInPage(maxScrollMs: number): Promise<void> {
  const deadlineAt = performance.now() + maxScrollMs
  const waitForScroll = () => new Promise((resolve) => setTimeout(resolve, 60))
  const scrollRoot = document.scrollingElement ?? document.documentElement
  for (let screenIndex = 0; screenIndex < 40 && performance.now() < deadlineAt; screenIndex++) {
    const previousTop = scrollRoot.scrollTop
    window.scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })
    await waitForScroll()
    if (scrollRoot.scrollTop === previousTop) break
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  await waitForScroll()
}

/** Returns the title and the visible text in lower case. */
export function textInPage(maxCharacters: number): string {
  const bodyElement = Object.getOwnPropertyDescriptor(Document.prototype, 'body')?.get?.call(document) as HTMLElement | null
  const visibleText = bodyElement
    ? (Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText')?.get?.call(bodyElement) as string | undefined)
    : ''
  const documentTitle = Object.getOwnPropertyDescriptor(Document.prototype, 'title')?.get?.call(document) as string
  return `${documentTitle}\n${visibleText ?? bodyElement?.textContent ?? ''}`.slice(0, maxCharacters).toLowerCase()
}

// Functions that run inside scanned pages, in a world of our own. Each is sent as its own source text: nothing outside of
// it exists there.

/** Finds the first element that a selector names: CSS through open shadow roots, or XPath (`xpath=…`, `//…`). */
export function findInPage(selector: string): Element | null {
  const path = selector.startsWith('xpath=') ? selector.slice(6) : /^\(*\/\//.test(selector) ? selector : null
  const query = (root: Document | ShadowRoot, text: string): Element | null => {
    const prototype = root instanceof Document ? Document.prototype : DocumentFragment.prototype
    const found = prototype.querySelector.call(root, text)
    if (found) return found
    for (const element of prototype.querySelectorAll.call(root, '*')) {
      const inner = element.shadowRoot && query(element.shadowRoot, text)
      if (inner) return inner
    }
    return null
  }
  try {
    if (path === null) return query(document, selector)
    const node = Document.prototype.evaluate.call(document, path, document, null, 9, null).singleNodeValue
    return node?.nodeType === 1 ? (node as Element) : null
  } catch {
    return null
  }
}

/** Clicks the first of the buttons that is there and can be seen; whether there was one. */
export function closeInPage(
  find: (selector: string) => Element | null,
  selectors: readonly string[],
): boolean {
  for (const selector of selectors) {
    const element = find(selector)
    if (!element) continue
    const { width, height } = Element.prototype.getBoundingClientRect.call(element)
    if (width === 0 || height === 0) continue
    HTMLElement.prototype.click.call(element)
    return true
  }
  return false
}

/** Scrolls to the end step by step, as a reader would, and back; stops after 40 screens or `ms`. */
export async function scrollInPage(ms: number): Promise<void> {
  const end = performance.now() + ms
  const rest = () => new Promise((resolve) => setTimeout(resolve, 60))
  const root = document.scrollingElement ?? document.documentElement
  for (let step = 0; step < 40 && performance.now() < end; step++) {
    const before = root.scrollTop
    window.scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })
    await rest()
    if (root.scrollTop === before) break
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  await rest()
}

/** The text that a reader sees, lower case, with the title. */
export function textInPage(most: number): string {
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body')?.get?.call(
    document,
  ) as HTMLElement | null
  const text = body
    ? (Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText')?.get?.call(body) as
        string | undefined)
    : ''
  const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title')?.get?.call(document) as string
  return `${title}\n${text ?? body?.textContent ?? ''}`.slice(0, most).toLowerCase()
}

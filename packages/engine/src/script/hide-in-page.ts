// Functions that run inside scanned pages, in a world of our own. Each is sent as its own source text: nothing outside of it
// exists there.

/** Hides what is in fields, in frames, and wherever a page says one of the values again, until `showAgain`. */
export function hideSecrets(values: string[]): void {
  const own = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  const hidden = (own.clearwayHidden ??= [])
  const hide = (element: Element) => {
    if (!(element instanceof HTMLElement)) return
    hidden.push([element, element.getAttribute('style')])
    element.style.setProperty('visibility', 'hidden', 'important')
    element.style.setProperty('transition', 'none', 'important')
  }
  // Shorter ones occur in any text by chance.
  const known = values.filter((value) => value.length >= 4)
  const says = (text: string | null) => text !== null && known.some((value) => text.includes(value))
  const walk = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot)
      const field = element.matches(
        'input, textarea, select, iframe, frame, object, embed, [contenteditable]',
      )
      const text = [...element.childNodes].some((node) => node.nodeType === 3 && says(node.nodeValue))
      if (field || text) hide(element)
    }
  }
  walk(document)
}

export function showAgain(): void {
  const own = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  for (const [element, style] of (own.clearwayHidden ?? []).toReversed())
    if (style === null) element.removeAttribute('style')
    else element.setAttribute('style', style)
  own.clearwayHidden = []
}

// Functions that run inside scanned pages, in an isolated world. Each is sent as its own source text, so it must not
// reference anything outside of it.

/** Hides fields, frames, and elements whose text contains one of the values, until `restoreHidden`. */
export function hideSecrets(values: string[]): void {
  const pageGlobal = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  const hiddenElements = (pageGlobal.clearwayHidden ??= [])
  const hideElement = (element: Element) => {
    if (!(element instanceof HTMLElement)) return
    hiddenElements.push([element, element.getAttribute('style')])
    element.style.setProperty('visibility', 'hidden', 'important')
    element.style.setProperty('transition', 'none', 'important')
  }
  // Shorter values occur in any text by chance.
  const longValues = values.filter((value) => value.length >= 4)
  const containsSecret = (nodeText: string | null) => nodeText !== null && longValues.some((value) => nodeText.includes(value))
  const hideInTree = (treeRoot: Document | ShadowRoot) => {
    for (const element of treeRoot.querySelectorAll('*')) {
      if (element.shadowRoot) hideInTree(element.shadowRoot)
      const isField = element.matches('input, textarea, select, iframe, frame, object, embed, [contenteditable]')
      const hasSecretText = [...element.childNodes].some((node) => node.nodeType === 3 && containsSecret(node.nodeValue))
      if (isField || hasSecretText) hideElement(element)
    }
  }
  hideInTree(document)
}

export function restoreHidden(): void {
  const pageGlobal = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  for (const [element, originalStyle] of (pageGlobal.clearwayHidden ?? []).toReversed())
    if (originalStyle === null) element.removeAttribute('style')
    else element.setAttribute('style', originalStyle)
  pageGlobal.clearwayHidden = []
}

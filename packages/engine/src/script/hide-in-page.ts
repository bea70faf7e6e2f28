// Functions that run inside scanned pages, in an isolated world. Each is sent as its own source text, so it must not
// reference anything outside of it.

/** Hides fields, frames, and elements whose text contains one of the values, until `restoreHidden`. */
export function hideSecrets(values: string[]): void {
  const pageGlobal = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  const hiddenElements = (pageGlobal.clearwayHidden ??= [])
  const hideElement = (element: Element) => {
    if (!(element instanceof HTMLElement)) return
    hiddenElements.push([element, Element.prototype.getAttribute.call(element, 'style')])
    const style = Reflect.get(HTMLElement.prototype, 'style', element) as CSSStyleDeclaration
    style.setProperty('visibility', 'hidden', 'important')
    style.setProperty('transition', 'none', 'important')
  }
  // Shorter values occur in any text by chance.
  const longValues = values.filter((value) => value.length >= 4)
  const containsSecret = (nodeText: string | null) => nodeText !== null && longValues.some((value) => nodeText.includes(value))
  const hideInTree = (treeRoot: Document | ShadowRoot) => {
    for (const element of treeRoot.querySelectorAll('*')) {
      // A form has its fields under their names instead of the properties of these names.
      const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', element) as ShadowRoot | null
      if (shadowRoot) hideInTree(shadowRoot)
      const isField = Element.prototype.matches.call(
        element,
        'input, textarea, select, iframe, frame, object, embed, [contenteditable]',
      )
      const childNodes = Reflect.get(Node.prototype, 'childNodes', element) as NodeListOf<ChildNode>
      const hasSecretText = [...childNodes].some((node) => node instanceof Text && containsSecret(node.data))
      if (isField || hasSecretText) hideElement(element)
    }
  }
  hideInTree(document)
}

export function restoreHidden(): void {
  const pageGlobal = globalThis as { clearwayHidden?: [HTMLElement, string | null][] }
  for (const [element, originalStyle] of (pageGlobal.clearwayHidden ?? []).toReversed())
    if (originalStyle === null) Element.prototype.removeAttribute.call(element, 'style')
    else Element.prototype.setAttribute.call(element, 'style', originalStyle)
  pageGlobal.clearwayHidden = []
}

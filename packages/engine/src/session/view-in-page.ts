/** Facts about a page that tell a sign-in page from others. */
export type PageFacts = { url: string; title: string; text: string; hasPassword: boolean }

/** Reads the facts of the document that it runs in. Sent as its own source text, so it references nothing outside of it. */
export function readFactsInPage(maxCharacters: number): PageFacts {
  // A page can name an element like a property, which would shadow it. Documents of frames have classes of their own.
  const getNodeType = (node: Node) => Reflect.get(Node.prototype, 'nodeType', node)
  const getShadowRoot = (element: Element) => Reflect.get(Element.prototype, 'shadowRoot', element) as ShadowRoot | null
  const getFrameDocument = (element: Element): Document | null => {
    if (Reflect.get(Element.prototype, 'localName', element) !== 'iframe' || !isShown(element)) return null
    return Reflect.get(HTMLIFrameElement.prototype, 'contentDocument', element) as Document | null
  }
  const isShown = (element: Element): boolean => Element.prototype.checkVisibility.call(element, { visibilityProperty: true })
  const maxRoots = 200
  const searchRoots: (Document | ShadowRoot)[] = [document]
  let hasPassword = false
  for (const root of searchRoots) {
    const prototype = getNodeType(root) === 9 ? Document.prototype : DocumentFragment.prototype
    for (const field of prototype.querySelectorAll.call(
      root,
      'input[type="password" i], input[autocomplete*="current-password" i]',
    ))
      hasPassword ||= isShown(field)
    if (hasPassword) break
    for (const element of prototype.querySelectorAll.call(root, '*')) {
      const innerRoot = getShadowRoot(element) ?? getFrameDocument(element)
      if (innerRoot && searchRoots.length < maxRoots) searchRoots.push(innerRoot)
    }
  }
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body')?.get?.call(document) as HTMLElement | null
  const text = body ? (Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText')?.get?.call(body) as string) : ''
  const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title')?.get?.call(document) as string
  return { url: location.href, title: title.slice(0, 500), text: (text ?? '').slice(0, maxCharacters), hasPassword }
}

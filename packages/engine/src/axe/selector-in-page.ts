// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Selector of an element in its document; one selector per root, from the outermost host, if the element is in a shadow root. */
export type RootedSelector = string | string[]

/** Finds elements of a document, and selectors that match exactly one element. */
export type SelectorTools = {
  /** Local name of an element. */
  getName(element: Element): string
  /** First element that a selector matches. */
  find(selector: RootedSelector): Element | null
  /** The only element with an ancestry, as axe writes it: every ancestor with its position. */
  findByAncestry(ancestry: RootedSelector): Element | null
  /**
   * Returns `preferred` if it matches the element and nothing else, or if the page removed the element, otherwise a
   * path of positions that does.
   */
  toExact(element: Element, preferred: RootedSelector): RootedSelector
}

/** Creates the selector tools of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeSelectorTools(): SelectorTools {
  type Root = Document | ShadowRoot
  // A page can name an element `shadowRoot` or `children`, so properties are read from the prototypes.
  const readProperty = <T>(prototype: object, name: string, receiver: object): T =>
    Object.getOwnPropertyDescriptor(prototype, name)!.get!.call(receiver) as T
  const getPrototype = (root: Root) => (root === document ? Document.prototype : DocumentFragment.prototype)
  const getChildren = (parent: Root | Element) =>
    readProperty<HTMLCollection>(parent instanceof Element ? Element.prototype : getPrototype(parent), 'children', parent)
  const getParent = (element: Element) => readProperty<ParentNode | null>(Node.prototype, 'parentNode', element)
  const getName = (element: Element) => readProperty<string>(Element.prototype, 'localName', element)
  const getShadowRoot = (host: Element) => readProperty<ShadowRoot | null>(Element.prototype, 'shadowRoot', host)
  const toSteps = (selector: RootedSelector) => (typeof selector === 'string' ? [selector] : selector)

  const queryAll = (root: Root, selector: string): ArrayLike<Element> => {
    try {
      return getPrototype(root).querySelectorAll.call(root, selector)
    } catch {
      return []
    }
  }
  /** Follows one step per root; null if a step leads nowhere. */
  const followSteps = (selector: RootedSelector, findStep: (root: Root, step: string) => Element | null): Element | null => {
    let element: Element | null = null
    for (const step of toSteps(selector)) {
      const root: Root | null = element ? getShadowRoot(element) : document
      element = root && findStep(root, step)
      if (!element) return null
    }
    return element
  }

  /** Descends by position: a selector of the same text could match elements at other depths of a shadow root. */
  const descend = (root: Root, ancestryText: string): Element | null => {
    let parent: Root | Element = root
    for (const step of ancestryText.split(' > ')) {
      const position: string | undefined = /:nth-child\((\d+)\)$/.exec(step)?.[1]
      const children = getChildren(parent)
      // axe gives no position to `head`, `body` and only children.
      const namesakes =
        position === undefined && children.length > 1 ? [...children].filter((one) => getName(one) === step) : children
      const child: Element | undefined = namesakes[Number(position ?? 1) - 1]
      if (!child || (position === undefined && namesakes.length > 1)) return null
      parent = child
    }
    return parent instanceof Element ? parent : null
  }
  const findOnly = (root: Root, selector: string): Element | null => {
    const elements = queryAll(root, selector)
    return elements.length === 1 ? elements[0]! : null
  }

  /** Document or shadow root of an element; null for an element that the page has removed. */
  const getRoot = (element: Element): Root | null => {
    const root = Node.prototype.getRootNode.call(element)
    return root === document || root instanceof ShadowRoot ? (root as Root) : null
  }
  /** Path of positions below the nearest element with an id of its own, or below the root. */
  const buildPath = (element: Element, root: Root): string => {
    const pathSteps: string[] = []
    for (let ancestor: Element = element; ;) {
      const id = Element.prototype.getAttribute.call(ancestor, 'id')
      const idSelector = id ? `#${CSS.escape(id)}` : ''
      if (id && findOnly(root, idSelector) === ancestor) return [idSelector, ...pathSteps].join(' > ')
      const parent = getParent(ancestor)
      const name = getName(ancestor)
      const siblings = parent ? [...getChildren(parent as Root | Element)] : []
      const position = siblings.length > 1 ? `:nth-child(${siblings.indexOf(ancestor) + 1})` : ''
      // A name with a prefix or in another alphabet needs no escapes if any name matches.
      pathSteps.unshift((/^[a-z][\w-]*$/.test(name) ? name : '*') + position)
      if (!(parent instanceof Element)) return [...(root === document ? [] : [':host']), ...pathSteps].join(' > ')
      ancestor = parent
    }
  }
  const isExact = (element: Element, selector: RootedSelector) => followSteps(selector, findOnly) === element
  /** Path of an element in each root, from the outermost host; null for a removed element, which has none. */
  const buildPaths = (element: Element): string[] | null => {
    const root = getRoot(element)
    if (!root) return null
    const hostPaths = root === document ? [] : buildPaths((root as ShadowRoot).host)
    return hostPaths && [...hostPaths, buildPath(element, root)]
  }

  return {
    getName,
    find: (selector) => followSteps(selector, (root, step) => queryAll(root, step)[0] ?? null),
    findByAncestry: (ancestry) => followSteps(ancestry, descend),
    toExact(element, preferred) {
      // A selector of the whole document, which axe returns when it finds none, names no element.
      if (isExact(element, preferred) && String(preferred) !== ':root') return preferred
      const exactPaths = buildPaths(element)
      if (!exactPaths) return preferred
      return exactPaths.length === 1 ? exactPaths[0]! : exactPaths
    },
  }
}

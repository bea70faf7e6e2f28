// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** A visible button of a document. */
export type ButtonSighting = {
  /** Selectors that find this button first in its document, as a scan looks for its own: the most lasting one first. */
  selectors: string[]
  text: string
  /** Part of the window that it covers, as shares of its width and height. */
  box: { left: number; top: number; width: number; height: number }
  /** It lies in a dialog, or in a layer that stays in place. */
  isLayered: boolean
}

/** Lists the buttons and links that a person could click without scrolling, those of layers first. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function listButtonsInPage(maxButtons: number, searchRoots: readonly Node[]): ButtonSighting[] {
  const maxCandidates = 3000
  const maxSteps = 100
  const maxSelectors = 10
  const maxSelectorLength = 500
  const queryAll = (root: Node, selector: string): Element[] => {
    const prototype = root === document ? Document.prototype : DocumentFragment.prototype
    return [...(prototype.querySelectorAll.call(root, selector) as NodeListOf<Element>)]
  }
  // A page can name an element like a property, which would shadow it.
  const getParent = (node: Node): Node | null => {
    const parent = Reflect.get(Node.prototype, 'parentNode', node) as Node | null
    return parent instanceof ShadowRoot ? (Reflect.get(ShadowRoot.prototype, 'host', parent) as Element) : parent
  }
  const readAttribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name) ?? ''
  const getTag = (element: Element) => Reflect.get(Element.prototype, 'localName', element) as string
  const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector)
  const getBox = (element: Element) => Element.prototype.getBoundingClientRect.call(element)
  const isShown = (element: Element): boolean => {
    const { width, height } = getBox(element)
    const visibility = { opacityProperty: true, visibilityProperty: true }
    return width > 0 && height > 0 && Element.prototype.checkVisibility.call(element, visibility)
  }
  /** True if a click at the middle of an element reaches it. */
  const isOnTop = (element: Element): boolean => {
    const rect = getBox(element)
    const root = Node.prototype.getRootNode.call(element)
    const prototype = root === document ? Document.prototype : ShadowRoot.prototype
    const hit = prototype.elementFromPoint.call(root, rect.left + rect.width / 2, rect.top + rect.height / 2)
    return hit !== null && (hit === element || Node.prototype.contains.call(element, hit))
  }
  /** The dialog, or layer that stays in place, that an element lies in. */
  const findLayer = (element: Element): Element | null => {
    let node: Node | null = element
    for (let step = 0; node && step < maxSteps; step++, node = getParent(node))
      if (
        node instanceof Element &&
        (matches(node, 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]') ||
          /fixed|sticky/.test(getComputedStyle(node).position))
      )
        return node
    return null
  }
  const getText = (element: Element): string => {
    const candidates = [
      Reflect.get(HTMLElement.prototype, 'innerText', element),
      readAttribute(element, 'aria-label'),
      readAttribute(element, 'value'),
    ]
    const imageTexts = queryAll(document, 'img[alt]').filter((image) => Node.prototype.contains.call(element, image))
    candidates.push(readAttribute(element, 'title'), ...imageTexts.map((image) => readAttribute(image, 'alt')))
    return (candidates.find((text) => typeof text === 'string' && text.trim() !== '') ?? '').replaceAll(/\s+/g, ' ').trim()
  }

  /** Generated names change with the next build. */
  const isLasting = (name: string) => name !== '' && name.length <= 60 && !/\d{2}|[\da-f]{8}|^:|__/i.test(name)
  const describeTag = (element: Element): string => {
    const classNames = readAttribute(element, 'class').split(/\s+/).filter(isLasting).slice(0, 2)
    return [getTag(element), ...classNames].map((name) => CSS.escape(name)).join('.')
  }
  const describePosition = (element: Element): string => {
    const parent = Reflect.get(Node.prototype, 'parentNode', element) as ParentNode | null
    const siblings = [...(parent ? (Reflect.get(Node.prototype, 'childNodes', parent) as NodeListOf<ChildNode>) : [])].filter(
      (node) => node instanceof Element && getTag(node) === getTag(element),
    )
    return `${CSS.escape(getTag(element))}:nth-of-type(${siblings.indexOf(element) + 1})`
  }
  const findsFirst = (selector: string, element: Element): boolean => {
    if (selector.startsWith('//'))
      return Document.prototype.evaluate.call(document, selector, document, null, 9, null).singleNodeValue === element
    for (const root of searchRoots) {
      const match = queryAll(root, selector).find(isShown)
      if (match) return match === element
    }
    return false
  }
  const nameAttributes = ['id', 'data-testid', 'data-test', 'data-cy', 'data-qa', 'name', 'part']
  function* listNames(element: Element): Generator<string> {
    for (const name of nameAttributes) {
      const value = readAttribute(element, name)
      if (isLasting(value)) yield name === 'id' ? `#${CSS.escape(value)}` : `[${name}="${CSS.escape(value)}"]`
    }
  }
  function* listLayerNames(layer: Element): Generator<string> {
    yield* listNames(layer)
    if (matches(layer, 'dialog')) yield 'dialog'
    const role = readAttribute(layer, 'role')
    if (role.endsWith('dialog')) yield `[role="${role}"]`
    const tagName = describeTag(layer)
    if (tagName.includes('.')) yield tagName
  }
  /** Only the text tells a button without a name, outside of a named layer, from those of other pages. */
  const buildTextPath = (element: Element): string[] => {
    const text = String(Reflect.get(Node.prototype, 'textContent', element))
      .replaceAll(/\s+/g, ' ')
      .trim()
    return text === '' || /["\\]/.test(text) ? [] : [`//${getTag(element)}[normalize-space()="${text}"]`]
  }
  /** A selector that other pages may match, too, would click their buttons. */
  function* listSelectors(element: Element): Generator<string> {
    yield* listNames(element)
    const layer = findLayer(element)
    for (const layerName of layer && layer !== element ? listLayerNames(layer) : [])
      for (const describe of [describeTag, describePosition]) {
        let path = describe(element)
        yield `${layerName} ${path}`
        let node = Reflect.get(Node.prototype, 'parentNode', element) as Node | null
        for (let step = 0; node instanceof Element && node !== layer && step < maxSteps; step++) {
          path = `${describe(node)} > ${path}`
          yield `${layerName} ${path}`
          node = Reflect.get(Node.prototype, 'parentNode', node) as Node | null
        }
      }
    yield* buildTextPath(element)
  }
  const listOwnSelectors = (element: Element): string[] =>
    [...listSelectors(element)]
      .filter((selector) => selector.length <= maxSelectorLength && findsFirst(selector, element))
      .filter((_, index, all) => index < maxSelectors || index === all.length - 1)

  const buttonSelector =
    'button, summary, a, [role="button"], [role="link"], [onclick], input:is([type="button"], [type="submit"], [type="image"])'
  const isReachable = (element: Element): boolean => {
    const rect = getBox(element)
    return (
      rect.right > 0 &&
      rect.bottom > 0 &&
      rect.left < innerWidth &&
      rect.top < innerHeight &&
      isShown(element) &&
      isOnTop(element)
    )
  }
  const reachable = searchRoots
    .flatMap((root) => queryAll(root, buttonSelector))
    .slice(0, maxCandidates)
    .filter((element) => element instanceof HTMLElement && isReachable(element))
    .map((element) => ({ element, isLayered: findLayer(element) !== null }))
  const layersFirst = [...reachable.filter((one) => one.isLayered), ...reachable.filter((one) => !one.isLayered)]
  return layersFirst.slice(0, maxButtons).flatMap(({ element, ...layer }) => {
    const selectors = listOwnSelectors(element)
    if (selectors.length === 0) return []
    const rect = getBox(element)
    const box = {
      left: rect.left / innerWidth,
      top: rect.top / innerHeight,
      width: rect.width / innerWidth,
      height: rect.height / innerHeight,
    }
    return [{ selectors, text: getText(element).slice(0, 80), box, ...layer }]
  })
}

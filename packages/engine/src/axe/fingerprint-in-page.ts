// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Fingerprint of a document as 32 hexadecimal digits, or the reason why there is none, in English. */
export type DocumentPrint = { print: string } | { cannot: string }

/**
 * Hashes everything that axe can see of a document: elements with attributes, internals, boxes, states and styles, texts, shadow
 * roots, the rules of all style sheets, fonts, media and animations. Excludes data that axe ignores and sites regenerate for each
 * visit: script texts, comments, values of hidden inputs, nonces and the content of most `meta` elements.
 * @param maxNodes maximum number of elements, and half of the maximum number of nodes
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function fingerprintDocument(maxNodes: number): DocumentPrint {
  // A page can name an element `attributes` or `styleSheets`, so properties are read from the prototypes.
  const bindGetter = <T>(prototype: object, name: string) => {
    const propertyDescriptor = Object.getOwnPropertyDescriptor(prototype, name)
    return (receiver: object): T => propertyDescriptor?.get?.call(receiver) as T
  }
  const getFirstChild = bindGetter<Node | null>(Node.prototype, 'firstChild')
  const getNextSibling = bindGetter<Node | null>(Node.prototype, 'nextSibling')
  const getParentNode = bindGetter<Node | null>(Node.prototype, 'parentNode')
  const getNodeType = bindGetter<number>(Node.prototype, 'nodeType')
  const getLocalName = bindGetter<string>(Element.prototype, 'localName')
  const getNamespace = bindGetter<string | null>(Element.prototype, 'namespaceURI')
  const getShadowRoot = bindGetter<ShadowRoot | null>(Element.prototype, 'shadowRoot')
  const getScrollWidth = bindGetter<number>(Element.prototype, 'scrollWidth')
  const getScrollHeight = bindGetter<number>(Element.prototype, 'scrollHeight')
  const getScrollLeft = bindGetter<number>(Element.prototype, 'scrollLeft')
  const getScrollTop = bindGetter<number>(Element.prototype, 'scrollTop')
  const readDocument = (name: string): unknown => bindGetter(Document.prototype, name)(document)

  /**
   * Four lanes of 32 bits each make collisions unlikely. The start values are arbitrary.
   * @source MurmurHash3_x86_128: the multipliers of its four lanes, c1 to c4
   */
  let [laneA, laneB, laneC, laneD] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef]
  const addNumber = (value: number) => {
    laneA = Math.imul(laneA ^ value, 0x239b961b)
    laneB = Math.imul(laneB ^ value ^ (laneA >>> 15), 0xab0e9789)
    laneC = Math.imul(laneC ^ value ^ (laneB >>> 13), 0x38b34ae5)
    laneD = Math.imul(laneD ^ value ^ (laneC >>> 16), 0xa1e38b93)
  }
  const addValue = (value: unknown) => {
    const valueText = String(value)
    addNumber(valueText.length)
    for (let charIndex = 0; charIndex < valueText.length; charIndex++) addNumber(valueText.charCodeAt(charIndex))
  }
  /** Rounded to 1/64 pixel, the browser's layout precision. */
  const addLength = (value: number) => addNumber(Math.round(value * 64) | 0)
  const addRect = (rect: DOMRect) => {
    addLength(rect.x + scrollX)
    addLength(rect.y + scrollY)
    addLength(rect.width)
    addLength(rect.height)
  }

  // States by which style sheet rules may apply without a change of attributes.
  const stateSelectors = [
    ':checked',
    ':indeterminate',
    ':disabled',
    ':focus',
    ':focus-visible',
    ':hover',
    ':active',
    ':invalid',
    ':user-invalid',
    ':placeholder-shown',
    ':autofill',
    ':not(:defined)',
    ':modal',
    ':popover-open',
    ':open',
    ':fullscreen',
    ':playing',
    ':muted',
  ].filter((stateSelector) => CSS.supports(`selector(${stateSelector})`))
  let failureReason: string | null = null
  let nodeCount = 0
  const elementNumbers = new Map<Element, number>()

  // Element references that a script sets instead of ids in markup: the attribute is empty in any case.
  const relationGetters = new Map(
    [
      'ActiveDescendantElement',
      'ActionsElements',
      'ControlsElements',
      'DescribedByElements',
      'DetailsElements',
      'ErrorMessageElements',
      'FlowToElements',
      'LabelledByElements',
      'OwnsElements',
    ].map((name) => [
      `aria-${name.replace(/Elements?$/, '').toLowerCase()}`,
      bindGetter<Element | Element[] | null>(Element.prototype, `aria${name}`),
    ]),
  )
  const relatedElements: (Element | Element[] | null)[] = []
  /** Names of custom properties: registrations by scripts are visible in their values. */
  const customProperties = new Set<string>()
  const addProperties = (cssText: string) => {
    for (const [propertyName] of cssText.matchAll(/--[\w\u0080-\uffff-]+/g)) customProperties.add(propertyName)
  }

  const isHiddenInput = (element: Element, name: string): boolean =>
    name === 'input' && Element.prototype.getAttribute.call(element, 'type')?.toLowerCase() === 'hidden'
  const addAttributes = (element: Element, name: string) => {
    const isHidden = isHiddenInput(element, name)
    const metaName = name === 'meta' ? Element.prototype.getAttribute.call(element, 'name') : null
    const isOpaque = metaName !== null && !/^(viewport|color-scheme|theme-color|referrer)$/i.test(metaName)
    for (const attributeName of Element.prototype.getAttributeNames.call(element)) {
      if (attributeName === 'nonce' || (isHidden && attributeName === 'value') || (isOpaque && attributeName === 'content'))
        continue
      const attributeValue = Element.prototype.getAttribute.call(element, attributeName) ?? ''
      addValue(attributeName)
      addValue(attributeValue)
      const getRelation = attributeValue === '' && relationGetters.get(attributeName)
      if (getRelation) relatedElements.push(getRelation(element))
      if (attributeName === 'style') addProperties(attributeValue)
    }
  }
  const addMedia = (mediaElement: HTMLMediaElement) => {
    const { currentSrc, duration, muted, paused, loop, autoplay, readyState, error } = mediaElement
    for (const value of [currentSrc, duration, muted, paused, loop, autoplay, error?.code]) addValue(value)
    for (const { kind, label, language, mode } of mediaElement.textTracks) addValue([kind, label, language, mode].join(' '))
    // Metadata are still loading: axe waits for them with an uncertain result.
    if (readyState === 0 && !error && mediaElement.networkState === 2) failureReason = 'a medium is still loading'
  }
  const addForm = (element: Element, name: string) => {
    if (name === 'input') {
      const inputElement = element as HTMLInputElement
      if (!isHiddenInput(element, name)) addValue(inputElement.value)
      addValue(`${inputElement.checked} ${inputElement.indeterminate} ${inputElement.type}`)
    } else if (name === 'textarea') addValue((element as HTMLTextAreaElement).value)
    else if (name === 'option') addValue((element as HTMLOptionElement).selected)
    else if (name === 'select') addValue((element as HTMLSelectElement).selectedIndex)
    else if (name === 'img') {
      const imageElement = element as HTMLImageElement
      addValue(`${imageElement.complete} ${imageElement.naturalWidth} ${imageElement.naturalHeight} ${imageElement.currentSrc}`)
    } else if (name === 'canvas') addValue(`${(element as HTMLCanvasElement).width}`)
  }
  // The name is defined by axe: internals of custom elements, as revealed to our world.
  const { _elementInternals: elementInternals } = globalThis as unknown as {
    _elementInternals: WeakMap<Element, Record<string, string | Element | Element[]>>
  }
  const addInternals = (internalValues: Record<string, string | Element | Element[]>) => {
    for (const [internalName, internalValue] of Object.entries(internalValues)) {
      addValue(internalName)
      if (typeof internalValue === 'string') addValue(internalValue)
      else relatedElements.push(internalValue)
    }
  }
  const addElement = (element: Element) => {
    const localName = getLocalName(element)
    elementNumbers.set(element, nodeCount)
    addValue(localName)
    addValue(getNamespace(element))
    addAttributes(element, localName)
    const elementRect = Element.prototype.getBoundingClientRect.call(element)
    addRect(elementRect)
    const [scrollWidth, scrollHeight] = [getScrollWidth(element), getScrollHeight(element)]
    addLength(scrollWidth)
    addLength(scrollHeight)
    if (scrollWidth > elementRect.width || scrollHeight > elementRect.height) {
      addLength(getScrollLeft(element))
      addLength(getScrollTop(element))
    }
    addForm(element, localName)
    const internalValues = elementInternals.get(element)
    if (internalValues) addInternals(internalValues)
    if (element instanceof HTMLMediaElement) addMedia(element)
  }

  const addText = (text: Node, parentElement: Element | null) => {
    const parentName = parentElement && getLocalName(parentElement)
    if (parentName !== 'script' && parentName !== 'template') addValue((text as Text).data)
  }

  const addSheets = (sheetList: Iterable<CSSStyleSheet>) => {
    for (const styleSheet of sheetList) {
      addValue(`${styleSheet.disabled} ${styleSheet.media.mediaText}`)
      addRules(styleSheet)
    }
  }
  const addRules = (styleSheet: CSSStyleSheet) => {
    let sheetRules: CSSRuleList
    try {
      sheetRules = styleSheet.cssRules
    } catch {
      failureReason = 'a style sheet of another origin cannot be read'
      return
    }
    for (const cssRule of sheetRules) {
      const ruleText = cssRule.cssText
      addValue(ruleText)
      addProperties(ruleText)
      if (ruleText.includes(':state(')) failureReason = 'its style sheets ask for states that only its own scripts know'
      if (cssRule instanceof CSSImportRule && cssRule.styleSheet) addRules(cssRule.styleSheet)
    }
  }

  const addStates = (treeRoot: Document | ShadowRoot) => {
    const queryPrototype = treeRoot === document ? Document.prototype : DocumentFragment.prototype
    for (const stateSelector of stateSelectors) {
      addValue(stateSelector)
      for (const element of queryPrototype.querySelectorAll.call(treeRoot, stateSelector))
        // In a new tab, the mouse is considered to be in the corner until it moves to another page.
        if (stateSelector !== ':hover' || !/^(html|body)$/.test(getLocalName(element)))
          addNumber(elementNumbers.get(element) ?? 0)
    }
  }

  const { ELEMENT_NODE, TEXT_NODE, CDATA_SECTION_NODE, DOCUMENT_TYPE_NODE } = Node
  /** Steps through the tree: the same nodes in another tree are another document. */
  const treeSteps = { toChild: 1, toParent: 2, toSibling: 3 }
  const shadowRoots: ShadowRoot[] = []
  const addTree = (treeRoot: Node) => {
    let currentNode = treeRoot
    let parentElement: Element | null = null
    for (;;) {
      if (++nodeCount > 2 * maxNodes) {
        failureReason = `it has more than ${2 * maxNodes} nodes`
        return
      }
      const nodeType = getNodeType(currentNode)
      if (nodeType === ELEMENT_NODE) {
        addElement(currentNode as Element)
        const shadowRoot = getShadowRoot(currentNode as Element)
        if (shadowRoot) shadowRoots.push(shadowRoot)
      } else if (nodeType === TEXT_NODE || nodeType === CDATA_SECTION_NODE) addText(currentNode, parentElement)
      else if (nodeType === DOCUMENT_TYPE_NODE) {
        const { name, publicId, systemId } = currentNode as DocumentType
        addValue(`${name} ${publicId} ${systemId}`)
      }
      let nextNode = getFirstChild(currentNode)
      if (nextNode) {
        addNumber(treeSteps.toChild)
        parentElement = nodeType === ELEMENT_NODE ? (currentNode as Element) : null
        currentNode = nextNode
        continue
      }
      while (currentNode !== treeRoot && !(nextNode = getNextSibling(currentNode))) {
        addNumber(treeSteps.toParent)
        currentNode = getParentNode(currentNode)!
      }
      if (!nextNode || currentNode === treeRoot) return
      addNumber(treeSteps.toSibling)
      const parentNode = getParentNode(nextNode)
      parentElement = parentNode && getNodeType(parentNode) === ELEMENT_NODE ? (parentNode as Element) : null
      currentNode = nextNode
    }
  }

  const addRelated = () => {
    for (const elements of relatedElements) {
      addValue('related')
      for (const element of elements instanceof Element ? [elements] : (elements ?? []))
        addNumber(elementNumbers.get(element) ?? 0)
    }
  }
  /** The document's own list excludes animations in shadow roots. */
  const addAnimations = (animations: Animation[]) => {
    for (const animation of animations) {
      const { effect, playState } = animation
      const keyframeEffect = effect instanceof KeyframeEffect ? effect : null
      addValue(
        `${playState} ${keyframeEffect?.target ? elementNumbers.get(keyframeEffect.target) : ''} ${keyframeEffect?.pseudoElement}`,
      )
      addValue(JSON.stringify([effect?.getTiming(), keyframeEffect?.getKeyframes()]))
      // The time at which it was paused determines its rendering.
      if (playState === 'paused') addValue(animation.currentTime)
    }
  }

  if (Document.prototype.getElementsByTagName.call(document, '*').length > maxNodes)
    return { cannot: `it has more than ${maxNodes} elements` }
  for (const name of ['contentType', 'compatMode', 'designMode', 'title']) addValue(readDocument(name))
  for (const value of [location.href, innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY]) addValue(value)
  addValue(navigator.language)
  addTree(document)
  addStates(document)
  for (let shadowRoot = shadowRoots.shift(); shadowRoot; shadowRoot = shadowRoots.shift()) {
    addValue(`shadow ${elementNumbers.get(shadowRoot.host)} ${shadowRoot.delegatesFocus} ${shadowRoot.slotAssignment}`)
    addTree(shadowRoot)
    addStates(shadowRoot)
    addSheets(shadowRoot.styleSheets)
    addSheets(shadowRoot.adoptedStyleSheets)
    addAnimations(ShadowRoot.prototype.getAnimations.call(shadowRoot))
  }
  addSheets(readDocument('styleSheets') as StyleSheetList)
  addSheets(readDocument('adoptedStyleSheets') as CSSStyleSheet[])
  for (const { family, style, weight, stretch, unicodeRange, status } of readDocument('fonts') as FontFaceSet)
    addValue([family, style, weight, stretch, unicodeRange, status].join(' '))
  addRelated()
  addAnimations(Document.prototype.getAnimations.call(document))
  const rootElement = readDocument('documentElement') as Element | null
  const computedRoot = rootElement && getComputedStyle(rootElement)
  for (const name of customProperties) addValue(computedRoot?.getPropertyValue(name))
  if (failureReason !== null) return { cannot: failureReason }
  const toHex = (hashLane: number) => ((hashLane ^ (hashLane >>> 15)) >>> 0).toString(16).padStart(8, '0')
  return { print: [laneA, laneB, laneC, laneD].map(toHex).join('') }
}

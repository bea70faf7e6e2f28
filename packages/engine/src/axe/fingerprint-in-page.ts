// Runs inside scanned pages, in a world of our own; sent as its own source text: nothing outside of it exists there.

/** What a document comes to, in 32 hexadecimal digits; or why it cannot be told from another, in English. */
export type DocumentPrint = { print: string } | { cannot: string }

/**
 * Sums up all of a document that axe can see: elements with attributes, internals, boxes, states and styles, texts, shadow roots, the
 * rules of all style sheets, fonts, media and animations. What it cannot see and sites write anew for each visit is left out:
 * text of scripts, comments, hidden inputs' values, nonces and the words of most `meta`.
 * @param mostNodes elements, and half of the nodes, above which a document is not summed up
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function fingerprintDocument(mostNodes: number): DocumentPrint {
  // A page can name an element `attributes` or `styleSheets`: what the browser knows is read past what hides it.
  const getter = <T>(prototype: object, name: string) => {
    const property = Object.getOwnPropertyDescriptor(prototype, name)
    return (of: object): T => property?.get?.call(of) as T
  }
  const firstChildOf = getter<Node | null>(Node.prototype, 'firstChild')
  const nextSiblingOf = getter<Node | null>(Node.prototype, 'nextSibling')
  const parentOf = getter<Node | null>(Node.prototype, 'parentNode')
  const nodeTypeOf = getter<number>(Node.prototype, 'nodeType')
  const localNameOf = getter<string>(Element.prototype, 'localName')
  const namespaceOf = getter<string | null>(Element.prototype, 'namespaceURI')
  const shadowOf = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot')
  const scrollWidthOf = getter<number>(Element.prototype, 'scrollWidth')
  const scrollHeightOf = getter<number>(Element.prototype, 'scrollHeight')
  const scrollLeftOf = getter<number>(Element.prototype, 'scrollLeft')
  const scrollTopOf = getter<number>(Element.prototype, 'scrollTop')
  const ofDocument = (name: string): unknown => getter(Document.prototype, name)(document)

  /**
   * Four lanes of 32 bits each, so that two documents do not meet by chance. Where they start does not matter.
   * @source MurmurHash3_x86_128: the multipliers of its four lanes, c1 to c4
   */
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef]
  const addNumber = (value: number) => {
    a = Math.imul(a ^ value, 0x239b961b)
    b = Math.imul(b ^ value ^ (a >>> 15), 0xab0e9789)
    c = Math.imul(c ^ value ^ (b >>> 13), 0x38b34ae5)
    d = Math.imul(d ^ value ^ (c >>> 16), 0xa1e38b93)
  }
  const add = (value: unknown) => {
    const text = String(value)
    addNumber(text.length)
    for (let at = 0; at < text.length; at++) addNumber(text.charCodeAt(at))
  }
  /** To a 64th of a pixel, as the browser lays out. */
  const addLength = (value: number) => addNumber(Math.round(value * 64) | 0)
  const addRect = (rect: DOMRect) => {
    addLength(rect.x + scrollX)
    addLength(rect.y + scrollY)
    addLength(rect.width)
    addLength(rect.height)
  }

  // By these a rule of a style sheet may take an element that looks as before in its attributes.
  const states = [
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
  ].filter((state) => CSS.supports(`selector(${state})`))
  let cannot: string | null = null
  let nodes = 0
  const numbers = new Map<Element, number>()

  // By these a script names elements where markup names ids: the attribute is empty, whichever they are.
  const relations = new Map(
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
      getter<Element | Element[] | null>(Element.prototype, `aria${name}`),
    ]),
  )
  const related: (Element | Element[] | null)[] = []
  /** Names of custom properties: what a script has registered of them shows in their values. */
  const properties = new Set<string>()
  const addProperties = (css: string) => {
    for (const [name] of css.matchAll(/--[\w\u0080-\uffff-]+/g)) properties.add(name)
  }

  const isHiddenInput = (element: Element, name: string): boolean =>
    name === 'input' && Element.prototype.getAttribute.call(element, 'type')?.toLowerCase() === 'hidden'
  const addAttributes = (element: Element, name: string) => {
    const hidden = isHiddenInput(element, name)
    const meta = name === 'meta' ? Element.prototype.getAttribute.call(element, 'name') : null
    const opaque = meta !== null && !/^(viewport|color-scheme|theme-color|referrer)$/i.test(meta)
    for (const key of Element.prototype.getAttributeNames.call(element)) {
      if (key === 'nonce' || (hidden && key === 'value') || (opaque && key === 'content')) continue
      const value = Element.prototype.getAttribute.call(element, key) ?? ''
      add(key)
      add(value)
      const relation = value === '' && relations.get(key)
      if (relation) related.push(relation(element))
      if (key === 'style') addProperties(value)
    }
  }
  const addMedia = (media: HTMLMediaElement) => {
    const { currentSrc, duration, muted, paused, loop, autoplay, readyState, error } = media
    for (const value of [currentSrc, duration, muted, paused, loop, autoplay, error?.code]) add(value)
    for (const { kind, label, language, mode } of media.textTracks)
      add([kind, label, language, mode].join(' '))
    // Its metadata are on the way: axe waits for them, and may or may not get them.
    if (readyState === 0 && !error && media.networkState === 2) cannot = 'a medium is still loading'
  }
  const addForm = (element: Element, name: string) => {
    if (name === 'input') {
      const input = element as HTMLInputElement
      if (!isHiddenInput(element, name)) add(input.value)
      add(`${input.checked} ${input.indeterminate} ${input.type}`)
    } else if (name === 'textarea') add((element as HTMLTextAreaElement).value)
    else if (name === 'option') add((element as HTMLOptionElement).selected)
    else if (name === 'select') add((element as HTMLSelectElement).selectedIndex)
    else if (name === 'img') {
      const image = element as HTMLImageElement
      add(`${image.complete} ${image.naturalWidth} ${image.naturalHeight} ${image.currentSrc}`)
    } else if (name === 'canvas') add(`${(element as HTMLCanvasElement).width}`)
  }
  // The name is axe's: what custom elements say by their internals, as it was revealed to us.
  const { _elementInternals: internals } = globalThis as unknown as {
    _elementInternals: WeakMap<Element, Record<string, string | Element | Element[]>>
  }
  const addInternals = (said: Record<string, string | Element | Element[]>) => {
    for (const [name, value] of Object.entries(said)) {
      add(name)
      if (typeof value === 'string') add(value)
      else related.push(value)
    }
  }
  const addElement = (element: Element) => {
    const name = localNameOf(element)
    numbers.set(element, nodes)
    add(name)
    add(namespaceOf(element))
    addAttributes(element, name)
    const rect = Element.prototype.getBoundingClientRect.call(element)
    addRect(rect)
    const [width, height] = [scrollWidthOf(element), scrollHeightOf(element)]
    addLength(width)
    addLength(height)
    if (width > rect.width || height > rect.height) {
      addLength(scrollLeftOf(element))
      addLength(scrollTopOf(element))
    }
    addForm(element, name)
    const said = internals.get(element)
    if (said) addInternals(said)
    if (element instanceof HTMLMediaElement) addMedia(element)
  }

  const addText = (text: Node, parent: Element | null) => {
    const name = parent && localNameOf(parent)
    if (name !== 'script' && name !== 'template') add((text as Text).data)
  }

  const sheets = (list: Iterable<CSSStyleSheet>) => {
    for (const sheet of list) {
      add(`${sheet.disabled} ${sheet.media.mediaText}`)
      addRules(sheet)
    }
  }
  const addRules = (sheet: CSSStyleSheet) => {
    let rules: CSSRuleList
    try {
      rules = sheet.cssRules
    } catch {
      cannot = 'a style sheet of another origin cannot be read'
      return
    }
    for (const rule of rules) {
      const text = rule.cssText
      add(text)
      addProperties(text)
      if (text.includes(':state(')) cannot = 'its style sheets ask for states that only its own scripts know'
      if (rule instanceof CSSImportRule && rule.styleSheet) addRules(rule.styleSheet)
    }
  }

  const addStates = (root: Document | ShadowRoot) => {
    const find = root === document ? Document.prototype : DocumentFragment.prototype
    for (const state of states) {
      add(state)
      for (const element of find.querySelectorAll.call(root, state))
        // In a new tab the mouse is taken to be in its corner, until it goes to another page.
        if (state !== ':hover' || !/^(html|body)$/.test(localNameOf(element)))
          addNumber(numbers.get(element) ?? 0)
    }
  }

  const { ELEMENT_NODE, TEXT_NODE, CDATA_SECTION_NODE, DOCUMENT_TYPE_NODE } = Node
  /** Steps through the tree: the same nodes in another tree are another document. */
  const step = { toChild: 1, toParent: 2, toSibling: 3 }
  const shadows: ShadowRoot[] = []
  const addTree = (root: Node) => {
    let node = root
    let parent: Element | null = null
    for (;;) {
      if (++nodes > 2 * mostNodes) {
        cannot = `it has more than ${2 * mostNodes} nodes`
        return
      }
      const type = nodeTypeOf(node)
      if (type === ELEMENT_NODE) {
        addElement(node as Element)
        const shadow = shadowOf(node as Element)
        if (shadow) shadows.push(shadow)
      } else if (type === TEXT_NODE || type === CDATA_SECTION_NODE) addText(node, parent)
      else if (type === DOCUMENT_TYPE_NODE) {
        const { name, publicId, systemId } = node as DocumentType
        add(`${name} ${publicId} ${systemId}`)
      }
      let next = firstChildOf(node)
      if (next) {
        addNumber(step.toChild)
        parent = type === ELEMENT_NODE ? (node as Element) : null
        node = next
        continue
      }
      while (node !== root && !(next = nextSiblingOf(node))) {
        addNumber(step.toParent)
        node = parentOf(node)!
      }
      if (!next || node === root) return
      addNumber(step.toSibling)
      const above = parentOf(next)
      parent = above && nodeTypeOf(above) === ELEMENT_NODE ? (above as Element) : null
      node = next
    }
  }

  const addRelated = () => {
    for (const elements of related) {
      add('related')
      for (const element of elements instanceof Element ? [elements] : (elements ?? []))
        addNumber(numbers.get(element) ?? 0)
    }
  }
  /** The document's own list has none of its shadow roots' animations. */
  const addAnimations = (animations: Animation[]) => {
    for (const animation of animations) {
      const { effect, playState } = animation
      const target = effect instanceof KeyframeEffect ? effect : null
      add(`${playState} ${target?.target ? numbers.get(target.target) : ''} ${target?.pseudoElement}`)
      add(JSON.stringify([effect?.getTiming(), target?.getKeyframes()]))
      // Where it was stopped decides what it shows.
      if (playState === 'paused') add(animation.currentTime)
    }
  }

  if (Document.prototype.getElementsByTagName.call(document, '*').length > mostNodes)
    return { cannot: `it has more than ${mostNodes} elements` }
  for (const name of ['contentType', 'compatMode', 'designMode', 'title']) add(ofDocument(name))
  for (const value of [location.href, innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY]) add(value)
  add(navigator.language)
  addTree(document)
  addStates(document)
  for (let shadow = shadows.shift(); shadow; shadow = shadows.shift()) {
    add(`shadow ${numbers.get(shadow.host)} ${shadow.delegatesFocus} ${shadow.slotAssignment}`)
    addTree(shadow)
    addStates(shadow)
    sheets(shadow.styleSheets)
    sheets(shadow.adoptedStyleSheets)
    addAnimations(ShadowRoot.prototype.getAnimations.call(shadow))
  }
  sheets(ofDocument('styleSheets') as StyleSheetList)
  sheets(ofDocument('adoptedStyleSheets') as CSSStyleSheet[])
  for (const { family, style, weight, stretch, unicodeRange, status } of ofDocument('fonts') as FontFaceSet)
    add([family, style, weight, stretch, unicodeRange, status].join(' '))
  addRelated()
  addAnimations(Document.prototype.getAnimations.call(document))
  const root = ofDocument('documentElement') as Element | null
  const computed = root && getComputedStyle(root)
  for (const name of properties) add(computed?.getPropertyValue(name))
  if (cannot !== null) return { cannot }
  const hex = (lane: number) => ((lane ^ (lane >>> 15)) >>> 0).toString(16).padStart(8, '0')
  return { print: [a, b, c, d].map(hex).join('') }
}

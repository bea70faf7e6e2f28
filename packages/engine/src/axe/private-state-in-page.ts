// Functions that run inside scanned pages. Each is sent as its own source text, so it must not reference anything outside of it.

/** Limits per document: closed roots, elements with internals, ranges, and characters read from internals. */
export const privateLimits = { nodes: 2000, ranges: 100_000, characters: 500_000 } as const

/**
 * Runs in the page's own world, before its scripts: tracks closed shadow roots and the internals of custom elements
 * (`attachInternals()`: role, ARIA, labels), which are otherwise private. While a request event is dispatched,
 * registers highlights, one for each property of internals. Their ranges lead from an element to the property's value:
 * a root, another element, a text, or the document for an empty list. Events and event ranges hide nodes in closed
 * roots, highlights do not. Cancels the event if there are any.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function trackPrivateState(token: string, limits: typeof privateLimits): void {
  const { apply } = Reflect
  const { create } = Object
  // A page may replace built-ins: its own calls must keep working, and it must not detect this code.
  const bindMethod = (owner: object, methodName: string) => {
    const originalMethod = Reflect.get(owner, methodName) as () => unknown
    return (receiver: object, ...methodArgs: unknown[]): unknown => apply(originalMethod, receiver, methodArgs)
  }
  const bindGetter = <T = unknown>(prototype: object, propertyName: string) => {
    const originalGetter = Reflect.get(Object.getOwnPropertyDescriptor(prototype, propertyName)!, 'get') as () => unknown
    return (receiver: object): T => apply(originalGetter, receiver, []) as T
  }
  const [WeakReference, HighlightClass, RangeClass, TextClass] = [WeakRef, Highlight, StaticRange, Text]
  const deref = bindMethod(WeakRef.prototype, 'deref')
  const addRange = bindMethod(Highlight.prototype, 'add')
  const setHighlight = bindMethod(HighlightRegistry.prototype, 'set')
  const deleteHighlight = bindMethod(HighlightRegistry.prototype, 'delete')
  const preventDefault = bindMethod(Event.prototype, 'preventDefault')
  const isConnected = bindGetter<boolean>(Node.prototype, 'isConnected')
  const getMode = bindGetter<string>(ShadowRoot.prototype, 'mode')
  const getHost = bindGetter<Element>(ShadowRoot.prototype, 'host')
  const getInternalsRoot = bindGetter<ShadowRoot | null>(ElementInternals.prototype, 'shadowRoot')
  const internalProperties = Object.getOwnPropertyNames(ElementInternals.prototype)
    .filter((name) => /^(?:role|aria[A-Z]\w*)$/.test(name))
    .map((name) => ({ name, isList: name.endsWith('s'), of: bindGetter(ElementInternals.prototype, name) }))
    // Short values come first because long ones may exceed the limit.
    .sort((first, second) => Number(first.isList) - Number(second.isList))
  /** If a page removed a required built-in, its private state stays hidden, and the page gets no error. */
  const ignoringErrors = (runWork: () => void) => {
    try {
      runWork()
    } catch {
      // Nothing can be recovered.
    }
  }

  const createNodeList = <T extends Node>() => {
    let references: WeakRef<T>[] = []
    let addedSincePrune = 0
    /** Nodes that are currently connected. */
    const listConnected = (): T[] => {
      const connectedNodes: T[] = []
      for (let index = 0; index < references.length; index++) {
        const node = deref(references[index]!) as T | undefined
        if (node && isConnected(node)) connectedNodes[connectedNodes.length] = node
      }
      return connectedNodes
    }
    /** Returns false if the list is full. */
    const addNode = (node: T): boolean => {
      addedSincePrune += 1
      // A full list is pruned once per many nodes, so that the cost per node stays constant.
      if (references.length >= limits.nodes && addedSincePrune > limits.nodes / 2) {
        const connectedNodeList = listConnected()
        references = []
        for (let index = 0; index < connectedNodeList.length; index++)
          references[index] = new WeakReference(connectedNodeList[index]!)
        addedSincePrune = 0
      }
      if (references.length >= limits.nodes) return false
      references[references.length] = new WeakReference(node)
      return true
    }
    return { present: listConnected, add: addNode }
  }
  const closedRoots = createNodeList<ShadowRoot>()
  const internalsElements = createNodeList<Element>()
  // The browser keeps the state of internals as long as their element lives, but not the object that reads it.
  const internalsByElement = new WeakMap<object, ElementInternals>()
  const getInternals = bindMethod(internalsByElement, 'get')
  const setInternals = bindMethod(internalsByElement, 'set')
  // Read with the first entry: most pages have none, and a registry has a cost.
  let highlightRegistry: HighlightRegistry | null = null

  const interceptMethod = (owner: object, name: string, onCreated: (created: never, thisElement: Element) => void) => {
    const interceptedMethod = new Proxy(Reflect.get(owner, name) as () => unknown, {
      apply(target, thisElement: Element, callArgs) {
        const created = apply(target, thisElement, callArgs)
        ignoringErrors(() => onCreated(created as never, thisElement))
        return created
      },
    })
    Reflect.set(owner, name, interceptedMethod)
  }
  const trackRoot = (root: ShadowRoot | null) => {
    if (root && getMode(root) === 'closed' && closedRoots.add(root)) highlightRegistry ??= CSS.highlights
  }
  interceptMethod(Element.prototype, 'attachShadow', trackRoot)
  interceptMethod(HTMLElement.prototype, 'attachInternals', (internals: ElementInternals, self) => {
    // A root that the parser created is unknown until its element requests it.
    trackRoot(getInternalsRoot(internals))
    if (!internalsElements.add(self)) return
    setInternals(internalsByElement, self, internals)
    highlightRegistry ??= CSS.highlights
  })

  let highlightsByName = create(null) as Record<string, Highlight>
  const clearHighlights = () => {
    for (const name in highlightsByName) deleteHighlight(highlightRegistry!, token + name)
    highlightsByName = create(null) as Record<string, Highlight>
  }
  const publishHighlights = (event: Event) => {
    // An interrupted axe run may have left some.
    clearHighlights()
    let rangeCount = 0
    let characterCount = 0
    const addHighlight = (name: string, startNode: Node, endNode: Node) => {
      const staticRange = new RangeClass({ startContainer: startNode, startOffset: 0, endContainer: endNode, endOffset: 0 })
      addRange((highlightsByName[name] ??= new HighlightClass()), staticRange)
      rangeCount += 1
    }
    const addInternalValue = ({ name, isList, of }: (typeof internalProperties)[number], element: Element) => {
      const internalValue = of(getInternals(internalsByElement, element) as ElementInternals)
      if (internalValue === null) return
      if (typeof internalValue === 'string') {
        characterCount += internalValue.length
        if (characterCount <= limits.characters) addHighlight(name, element, new TextClass(internalValue))
      } else if (isList) {
        const elementList = internalValue as Element[]
        if (elementList.length === 0) addHighlight(name, element, document)
        for (let index = 0; index < elementList.length && rangeCount < limits.ranges; index++)
          addHighlight(name, element, elementList[index]!)
      } else addHighlight(name, element, internalValue as Element)
    }
    const connectedRoots = closedRoots.present()
    for (let index = 0; index < connectedRoots.length; index++)
      addHighlight('shadowRoot', getHost(connectedRoots[index]!), connectedRoots[index]!)
    const connectedElements = internalsElements.present()
    // Labels are resolved from the other direction: reading `labels` searches the whole tree for each element.
    for (let elementIndex = 0; elementIndex < connectedElements.length; elementIndex++)
      addHighlight('labels', connectedElements[elementIndex]!, document)
    for (let propertyIndex = 0; propertyIndex < internalProperties.length; propertyIndex++)
      for (let at = 0; at < connectedElements.length && rangeCount < limits.ranges; at++)
        addInternalValue(internalProperties[propertyIndex]!, connectedElements[at]!)
    if (rangeCount > 0) preventDefault(event)
    for (const name in highlightsByName) setHighlight(highlightRegistry!, token + name, highlightsByName[name])
  }
  document.addEventListener(`${token}private?`, (event) => ignoringErrors(() => publishHighlights(event)))
  document.addEventListener(`${token}private!`, () => ignoringErrors(clearHighlights))
}

/**
 * Runs in our world: makes closed shadow roots accessible there to axe and other scripts, and gives axe the current
 * values of internals.
 */
export function revealPrivateState(token: string, limits: typeof privateLimits): void {
  type InternalValues = Record<string, string | Node | Node[]> & { labels: Element[] }
  type RevealGlobal = { clearwayRoots: WeakMap<Element, ShadowRoot>; _elementInternals: WeakMap<Node, InternalValues> }
  const installRootGetter = () => {
    const rootsByHost: RevealGlobal['clearwayRoots'] = new WeakMap()
    const originalDescriptor = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    Object.defineProperty(Element.prototype, 'shadowRoot', {
      ...originalDescriptor,
      get(this: Element) {
        return (originalDescriptor.get!.call(this) as ShadowRoot | null) ?? rootsByHost.get(this) ?? null
      },
    })
    return rootsByHost
  }
  const revealGlobal = globalThis as unknown as RevealGlobal
  // An element of the page with such an id would be found instead of a property that is not our own.
  const getRoots = () =>
    (revealGlobal.clearwayRoots = Object.hasOwn(revealGlobal, 'clearwayRoots') ? revealGlobal.clearwayRoots : installRootGetter())
  // The name is defined by axe, which reads it first.
  const valuesByElement: RevealGlobal['_elementInternals'] = (revealGlobal._elementInternals = new WeakMap())
  // A page can name an element `dispatchEvent`, so the prototype's method is used.
  const dispatchRequest = (eventSuffix: string) =>
    EventTarget.prototype.dispatchEvent.call(document, new Event(`${token}${eventSuffix}`, { cancelable: true }))
  if (dispatchRequest('private?')) return
  let rangeCount = 0
  const rootNodes = new Set<Node>()
  for (const propertyName of Object.getOwnPropertyNames(ElementInternals.prototype))
    for (const { startContainer: element, endContainer: value } of CSS.highlights.get(token + propertyName) ?? []) {
      if (++rangeCount > limits.ranges) break
      if (!(element instanceof Element)) continue
      if (value instanceof ShadowRoot) {
        getRoots().set(element, value)
        continue
      }
      const elementValues = valuesByElement.get(element) ?? ({ labels: [] } as unknown as InternalValues)
      valuesByElement.set(element, elementValues)
      rootNodes.add(element.getRootNode())
      if (value instanceof Text) elementValues[propertyName] = value.data
      else if (propertyName.endsWith('Element')) elementValues[propertyName] = value
      else if (value instanceof Element) ((elementValues[propertyName] ??= []) as Node[]).push(value)
      else elementValues[propertyName] ??= []
    }
  dispatchRequest('private!')
  for (const rootNode of rootNodes)
    for (const labelElement of (rootNode === document ? Document : DocumentFragment).prototype.querySelectorAll.call(
      rootNode,
      'label',
    ) as NodeListOf<HTMLLabelElement>)
      if (labelElement.control) valuesByElement.get(labelElement.control)?.labels.push(labelElement)
}

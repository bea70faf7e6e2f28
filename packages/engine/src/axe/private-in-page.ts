// Functions that run inside scanned pages. Each is sent as its own source text: nothing outside of it exists there.

/** Of one document: closed roots known, elements with internals known, and what is read of what they say. */
export const mostPrivate = { nodes: 2000, ranges: 100_000, characters: 500_000 } as const

/**
 * Runs in the page's own world, before its scripts: remembers closed shadow roots and the internals of custom elements
 * (`attachInternals()`: role, ARIA, labels), of which nobody else gets to know. While a request event is dispatched, highlights are
 * registered, one for each property of internals: its ranges go from an element to what the property says, which is a root,
 * another element, a text, or the document for an empty list. Events and their ranges hide nodes in closed roots, highlights
 * do not. That there are any, it says by cancelling the event.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function rememberPrivate(token: string, most: typeof mostPrivate): void {
  const { apply } = Reflect
  const { create } = Object
  // A page may replace what the browser brings: what it attaches must be attached all the same, and it must not see us at work.
  const method = (owner: object, name: string) => {
    const known = Reflect.get(owner, name) as () => unknown
    return (of: object, ...given: unknown[]): unknown => apply(known, of, given)
  }
  const getter = <T = unknown>(prototype: object, name: string) => {
    const get = Reflect.get(Object.getOwnPropertyDescriptor(prototype, name)!, 'get') as () => unknown
    return (of: object): T => apply(get, of, []) as T
  }
  const [Reference, Marked, Range, Words] = [WeakRef, Highlight, StaticRange, Text]
  const deref = method(WeakRef.prototype, 'deref')
  const addRange = method(Highlight.prototype, 'add')
  const register = method(HighlightRegistry.prototype, 'set')
  const withdraw = method(HighlightRegistry.prototype, 'delete')
  const cancel = method(Event.prototype, 'preventDefault')
  const isConnected = getter<boolean>(Node.prototype, 'isConnected')
  const modeOf = getter<string>(ShadowRoot.prototype, 'mode')
  const hostOf = getter<Element>(ShadowRoot.prototype, 'host')
  const rootOf = getter<ShadowRoot | null>(ElementInternals.prototype, 'shadowRoot')
  const said = Object.getOwnPropertyNames(ElementInternals.prototype)
    .filter((name) => /^(?:role|aria[A-Z]\w*)$/.test(name))
    .map((name) => ({ name, isList: name.endsWith('s'), of: getter(ElementInternals.prototype, name) }))
    // What is short comes first: of what is long, there may be too much.
    .sort((a, b) => Number(a.isList) - Number(b.isList))
  /** A page that took away what is needed hides its own from us, and gets no error for it. */
  const quietly = (work: () => void) => {
    try {
      work()
    } catch {
      // Nothing can be done for it.
    }
  }

  const listOf = <T extends Node>() => {
    let list: WeakRef<T>[] = []
    let sinceSorted = 0
    /** Those that the page shows now. */
    const present = (): T[] => {
      const found: T[] = []
      for (let at = 0; at < list.length; at++) {
        const node = deref(list[at]!) as T | undefined
        if (node && isConnected(node)) found[found.length] = node
      }
      return found
    }
    /** Whether there was room for it. */
    const add = (node: T): boolean => {
      sinceSorted += 1
      // A full list is sorted out once in many nodes, so that each of them costs the same.
      if (list.length >= most.nodes && sinceSorted > most.nodes / 2) {
        const left = present()
        list = []
        for (let at = 0; at < left.length; at++) list[at] = new Reference(left[at]!)
        sinceSorted = 0
      }
      if (list.length >= most.nodes) return false
      list[list.length] = new Reference(node)
      return true
    }
    return { present, add }
  }
  const roots = listOf<ShadowRoot>()
  const elements = listOf<Element>()
  // The browser keeps what internals say as long as their element lives, but not the object by which it is read.
  const objects = new WeakMap<object, ElementInternals>()
  const internalsOf = method(objects, 'get')
  const keepInternals = method(objects, 'set')
  // Taken with the first of them: most pages have none, and a registry costs something.
  let registry: HighlightRegistry | null = null

  const follow = (owner: object, name: string, remember: (made: never, self: Element) => void) => {
    const followed = new Proxy(Reflect.get(owner, name) as () => unknown, {
      apply(target, self: Element, given) {
        const made = apply(target, self, given)
        quietly(() => remember(made as never, self))
        return made
      },
    })
    Reflect.set(owner, name, followed)
  }
  const rememberRoot = (root: ShadowRoot | null) => {
    if (root && modeOf(root) === 'closed' && roots.add(root)) registry ??= CSS.highlights
  }
  follow(Element.prototype, 'attachShadow', rememberRoot)
  follow(HTMLElement.prototype, 'attachInternals', (internals: ElementInternals, self) => {
    // A root that the parser has made is known to nobody before its element asks for it.
    rememberRoot(rootOf(internals))
    if (!elements.add(self)) return
    keepInternals(objects, self, internals)
    registry ??= CSS.highlights
  })

  let marks = create(null) as Record<string, Highlight>
  const clear = () => {
    for (const name in marks) withdraw(registry!, token + name)
    marks = create(null) as Record<string, Highlight>
  }
  const mark = (event: Event) => {
    // A look that broke off half-way has left some.
    clear()
    let ranges = 0
    let characters = 0
    const put = (name: string, from: Node, to: Node) => {
      const range = new Range({ startContainer: from, startOffset: 0, endContainer: to, endOffset: 0 })
      addRange((marks[name] ??= new Marked()), range)
      ranges += 1
    }
    const putSaid = ({ name, isList, of }: (typeof said)[number], element: Element) => {
      const value = of(internalsOf(objects, element) as ElementInternals)
      if (value === null) return
      if (typeof value === 'string') {
        characters += value.length
        if (characters <= most.characters) put(name, element, new Words(value))
      } else if (isList) {
        const list = value as Element[]
        if (list.length === 0) put(name, element, document)
        for (let at = 0; at < list.length && ranges < most.ranges; at++) put(name, element, list[at]!)
      } else put(name, element, value as Element)
    }
    const shownRoots = roots.present()
    for (let at = 0; at < shownRoots.length; at++) put('shadowRoot', hostOf(shownRoots[at]!), shownRoots[at]!)
    const shown = elements.present()
    // Which labels they have is found from the other end: asked for its labels, each element would search all of its tree.
    for (let at = 0; at < shown.length; at++) put('labels', shown[at]!, document)
    for (let n = 0; n < said.length; n++)
      for (let at = 0; at < shown.length && ranges < most.ranges; at++) putSaid(said[n]!, shown[at]!)
    if (ranges > 0) cancel(event)
    for (const name in marks) register(registry!, token + name, marks[name])
  }
  document.addEventListener(`${token}private?`, (event) => quietly(() => mark(event)))
  document.addEventListener(`${token}private!`, () => quietly(clear))
}

/**
 * Runs in our own world: there, closed shadow roots are open from now on, to axe and to what else looks for them, and axe knows what
 * internals say, as of now.
 */
export function revealPrivate(token: string, most: typeof mostPrivate): void {
  type Said = Record<string, string | Node | Node[]> & { labels: Element[] }
  type Own = { clearwayRoots: WeakMap<Element, ShadowRoot>; _elementInternals: WeakMap<Node, Said> }
  const openRoots = () => {
    const roots: Own['clearwayRoots'] = new WeakMap()
    const known = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    Object.defineProperty(Element.prototype, 'shadowRoot', {
      ...known,
      get(this: Element) {
        return (known.get!.call(this) as ShadowRoot | null) ?? roots.get(this) ?? null
      },
    })
    return roots
  }
  const world = globalThis as unknown as Own
  // An element of the page with such an id would be found in place of a property that is not our own.
  const rootsNow = () =>
    (world.clearwayRoots = Object.hasOwn(world, 'clearwayRoots') ? world.clearwayRoots : openRoots())
  // The name is axe's: it looks there first.
  const internals: Own['_elementInternals'] = (world._elementInternals = new WeakMap())
  // A page can name an element `dispatchEvent`: what the browser knows is used past what hides it.
  const ask = (what: string) =>
    EventTarget.prototype.dispatchEvent.call(document, new Event(`${token}${what}`, { cancelable: true }))
  if (ask('private?')) return
  let ranges = 0
  const trees = new Set<Node>()
  for (const name of Object.getOwnPropertyNames(ElementInternals.prototype))
    for (const { startContainer: element, endContainer: value } of CSS.highlights.get(token + name) ?? []) {
      if (++ranges > most.ranges) break
      if (!(element instanceof Element)) continue
      if (value instanceof ShadowRoot) {
        rootsNow().set(element, value)
        continue
      }
      const said = internals.get(element) ?? ({ labels: [] } as unknown as Said)
      internals.set(element, said)
      trees.add(element.getRootNode())
      if (value instanceof Text) said[name] = value.data
      else if (name.endsWith('Element')) said[name] = value
      else if (value instanceof Element) ((said[name] ??= []) as Node[]).push(value)
      else said[name] ??= []
    }
  ask('private!')
  for (const tree of trees)
    for (const label of (tree === document ? Document : DocumentFragment).prototype.querySelectorAll.call(
      tree,
      'label',
    ) as NodeListOf<HTMLLabelElement>)
      if (label.control) internals.get(label.control)?.labels.push(label)
}

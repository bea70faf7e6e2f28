// Functions that run inside scanned pages. Each is sent as its own source text: nothing outside of it exists there.

/** Closed roots known of one document; the elements of a library may be many. */
export const mostClosedRoots = 2000

/**
 * Runs in the page's own world, before its scripts: remembers closed shadow roots, `most` at the most. While a request event is
 * dispatched, a highlight of empty ranges in them is registered: events and their ranges hide such nodes, highlights do not.
 * That there is one, it says by cancelling the event.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function rememberClosedRoots(token: string, most: number): void {
  const { apply } = Reflect
  // A page may replace what the browser brings: what it attaches must be attached all the same.
  const getter = <T>(prototype: object, name: string) => {
    const get = Reflect.get(Object.getOwnPropertyDescriptor(prototype, name)!, 'get') as () => unknown
    return (of: object): T => apply(get, of, []) as T
  }
  const Reference = WeakRef
  const deref = Reflect.get(WeakRef.prototype, 'deref') as () => unknown
  const isConnected = getter<boolean>(Node.prototype, 'isConnected')
  const modeOf = getter<string>(ShadowRoot.prototype, 'mode')
  const rootOf = getter<ShadowRoot | null>(ElementInternals.prototype, 'shadowRoot')
  /** A page that took away what highlights need hides its own roots from us, and gets no error for it. */
  const quietly = (work: () => void) => {
    try {
      work()
    } catch {
      // Nothing can be done for it.
    }
  }

  let roots: WeakRef<ShadowRoot>[] = []
  let sinceSorted = 0
  /** The roots that the page shows now. */
  const present = (): ShadowRoot[] => {
    const found: ShadowRoot[] = []
    for (let at = 0; at < roots.length; at++) {
      const root = apply(deref, roots[at], []) as ShadowRoot | undefined
      if (root && isConnected(root)) found[found.length] = root
    }
    return found
  }
  type Marking = { registry: HighlightRegistry; Marked: typeof Highlight; Range: typeof StaticRange }
  // Taken with the first closed root: most pages have none, and a registry costs something.
  let marking: Marking | null = null
  const remember = (root: ShadowRoot | null) => {
    if (!root || modeOf(root) !== 'closed') return
    sinceSorted += 1
    // A full list is sorted out once in many roots, so that each of them costs the same.
    if (roots.length >= most && sinceSorted > most / 2) {
      const left = present()
      roots = []
      for (let at = 0; at < left.length; at++) roots[at] = new Reference(left[at]!)
      sinceSorted = 0
    }
    if (roots.length >= most) return
    roots[roots.length] = new Reference(root)
    marking ??= { registry: CSS.highlights, Marked: Highlight, Range: StaticRange }
  }
  const follow = (owner: object, name: string, rootIn: (made: never) => ShadowRoot | null) => {
    const known = Reflect.get(owner, name) as () => unknown
    const followed = new Proxy(known, {
      apply(target, self, given) {
        const made: unknown = apply(target, self, given)
        quietly(() => remember(rootIn(made as never)))
        return made
      },
    })
    Reflect.set(owner, name, followed)
  }
  follow(Element.prototype, 'attachShadow', (made: ShadowRoot) => made)
  // A root that the parser has made is known to nobody before its element asks for it.
  follow(HTMLElement.prototype, 'attachInternals', rootOf)
  const mark = (event: Event) => {
    const shown = marking ? present() : []
    if (!marking || shown.length === 0) return
    const { registry, Marked, Range } = marking
    const marked = new Marked()
    for (let at = 0; at < shown.length; at++) {
      const root = shown[at]!
      marked.add(new Range({ startContainer: root, startOffset: 0, endContainer: root, endOffset: 0 }))
    }
    registry.set(token, marked)
    event.preventDefault()
  }
  document.addEventListener(`${token}roots?`, (event) => quietly(() => mark(event)))
  document.addEventListener(`${token}roots!`, () => quietly(() => marking?.registry.delete(token)))
}

/** Runs in our own world: there, closed shadow roots are open from now on, to axe and to what else looks for them. */
export function openClosedRoots(token: string, most: number): void {
  const none = document.dispatchEvent(new Event(`${token}roots?`, { cancelable: true }))
  const marked = none ? undefined : CSS.highlights.get(token)
  if (!marked) return
  const world = globalThis as unknown as { clearwayRoots?: WeakMap<Element, ShadowRoot> }
  const begin = () => {
    const roots = new WeakMap<Element, ShadowRoot>()
    const known = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    Object.defineProperty(Element.prototype, 'shadowRoot', {
      ...known,
      get(this: Element) {
        return (known.get!.call(this) as ShadowRoot | null) ?? roots.get(this) ?? null
      },
    })
    return roots
  }
  const roots = (world.clearwayRoots ??= begin())
  let count = 0
  for (const { startContainer } of marked) {
    if (++count > most) break
    if (startContainer instanceof ShadowRoot) roots.set(startContainer.host, startContainer)
  }
  document.dispatchEvent(new Event(`${token}roots!`))
}

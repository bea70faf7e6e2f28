// Functions that run inside scanned pages. Each is sent as its own source text: nothing outside of it exists there.

/**
 * Runs in the page's own world, before its scripts: remembers closed shadow roots, `most` at the most. While a request event is
 * dispatched, a highlight of empty ranges in them is registered: events and their ranges hide such nodes, highlights do not.
 */
export function rememberClosedRoots(token: string, most: number): void {
  const { apply } = Reflect
  const roots: WeakRef<ShadowRoot>[] = []
  const remember = (root: ShadowRoot | null) => {
    if (root?.mode === 'closed' && roots.length < most) roots.push(new WeakRef(root))
  }
  const follow = (owner: object, name: string, rootOf: (made: never) => ShadowRoot | null) => {
    const known = Reflect.get(owner, name) as () => unknown
    const followed = new Proxy(known, {
      apply(target, self, given) {
        const made: unknown = apply(target, self, given)
        remember(rootOf(made as never))
        return made
      },
    })
    Reflect.set(owner, name, followed)
  }
  follow(Element.prototype, 'attachShadow', (made: ShadowRoot) => made)
  // A root that the parser has made is known to nobody before its element asks for it.
  follow(HTMLElement.prototype, 'attachInternals', (made: ElementInternals) => made.shadowRoot)
  const { highlights } = CSS
  const [set, remove] = [highlights.set.bind(highlights), highlights.delete.bind(highlights)]
  const [Marked, Range] = [Highlight, StaticRange]
  document.addEventListener(`${token}roots?`, () => {
    const ranges = roots.flatMap((known) => {
      const root = known.deref()
      if (!root?.isConnected) return []
      return [new Range({ startContainer: root, startOffset: 0, endContainer: root, endOffset: 0 })]
    })
    if (ranges.length > 0) set(token, new Marked(...ranges))
  })
  document.addEventListener(`${token}roots!`, () => void remove(token))
}

/** Runs in our own world: there, closed shadow roots are open from now on, to axe and to what else looks for them. */
export function openClosedRoots(token: string): void {
  document.dispatchEvent(new Event(`${token}roots?`))
  const marked = CSS.highlights.get(token)
  if (!marked) return
  const roots = new WeakMap<Element, ShadowRoot>()
  for (const { startContainer } of marked)
    if (startContainer instanceof ShadowRoot) roots.set(startContainer.host, startContainer)
  document.dispatchEvent(new Event(`${token}roots!`))
  const known = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
  Object.defineProperty(Element.prototype, 'shadowRoot', {
    ...known,
    get(this: Element) {
      return (known.get!.call(this) as ShadowRoot | null) ?? roots.get(this) ?? null
    },
  })
}

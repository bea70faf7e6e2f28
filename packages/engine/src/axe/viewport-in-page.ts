// Functions that run inside scanned pages, in an isolated world. Each is sent as its own source text, so it must not
// reference anything outside of it.

export type Point = { x: number; y: number }

/** Scrolls to a position instantly. Returns the reached position and the viewport size. */
export function scrollPage(x: number, y: number): Point & { width: number; height: number } {
  scrollTo({ left: x, top: y, behavior: 'instant' })
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight }
}

/** Returns for each viewport point whether a fixed or sticky element covers it. */
export function findCoveredPoints(points: Point[]): boolean[] {
  const isFixed = (element: Element | null): boolean => {
    for (let node: Node | null = element; node;) {
      if (node instanceof Element && ['fixed', 'sticky'].includes(getComputedStyle(node).position)) return true
      // A form has its fields under their names instead of the properties of these names.
      node = node instanceof ShadowRoot ? node.host : (Reflect.get(Node.prototype, 'parentNode', node) as Node | null)
    }
    return false
  }
  return points.map(({ x, y }) => isFixed(document.elementFromPoint(x, y)))
}

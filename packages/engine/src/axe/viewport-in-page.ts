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
    for (
      let ancestor = element;
      ancestor;
      ancestor = ancestor.parentElement ?? (ancestor.getRootNode() as ShadowRoot).host ?? null
    )
      if (['fixed', 'sticky'].includes(getComputedStyle(ancestor).position)) return true
    return false
  }
  return points.map(({ x, y }) => isFixed(document.elementFromPoint(x, y)))
}

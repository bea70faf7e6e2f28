// Functions that run inside scanned pages, in a world of our own. Each is sent as its own source text: nothing outside of it
// exists there.

export type Point = { x: number; y: number }

/** Scrolls to a place of the document at once, and answers where that led and how large the window is. */
export function scrollPage(x: number, y: number): Point & { width: number; height: number } {
  scrollTo({ left: x, top: y, behavior: 'instant' })
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight }
}

/** For each point of the window, whether it shows something that stays put while the page scrolls. */
export function pointsCovered(points: Point[]): boolean[] {
  const staysPut = (element: Element | null): boolean => {
    for (let now = element; now; now = now.parentElement ?? (now.getRootNode() as ShadowRoot).host ?? null)
      if (['fixed', 'sticky'].includes(getComputedStyle(now).position)) return true
    return false
  }
  return points.map(({ x, y }) => staysPut(document.elementFromPoint(x, y)))
}

/**
 * Texts of a page that nobody can read whole: cut by what holds them, or past the edge of the window, with no way to scroll there.
 * Runs in the page, so it uses nothing from outside.
 */
export function cutTexts(): string[] {
  const found: string[] = []
  const isShown = (element: Element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest('svg')
  const scrolls = (element: Element | null): boolean => {
    for (let at = element; at && at !== document.documentElement; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true
    return false
  }
  /** Boxes of one pixel hold what only screen readers are told. */
  const isForReaders = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect()
      const { overflow, clipPath } = getComputedStyle(at)
      if ((width <= 1 || height <= 1 || clipPath !== 'none') && overflow !== 'visible') return true
    }
    return false
  }
  const report = (element: Element, how: string) => {
    const text = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    found.push(`${how}: <${element.localName} class="${element.getAttribute('class') ?? ''}"> “${text}”`)
  }
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth)
    found.push(`${root.scrollWidth - root.clientWidth} px wider than the window`)
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].filter(
      (node) => node.nodeType === 3 && node.textContent!.trim() !== '',
    )
    if (own.length === 0 || !isShown(element) || isForReaders(element)) continue
    const style = getComputedStyle(element)
    const isCut = element.scrollWidth > element.clientWidth + 1 && /hidden|clip/.test(style.overflowX)
    // What ends in dots says all of it when it is pointed at, or opened.
    if (isCut && style.display !== 'inline' && !element.closest('[title]')) report(element, 'cut')
    const range = document.createRange()
    const boxes = own.map((node) => {
      range.selectNode(node)
      return range.getBoundingClientRect()
    })
    const right = Math.max(...boxes.map((box) => box.right))
    const left = Math.min(...boxes.map((box) => box.left))
    const isOutside = right > root.clientWidth + 1 || left < -1
    if (isOutside && !isCut && !scrolls(element)) report(element, 'outside the window')
    const holder = element.closest('button, a, th, td, label, [role="tab"]')
    if (!holder || holder !== element || style.display === 'inline') continue
    const edge = holder.getBoundingClientRect()
    if (right > edge.right + 1 || left < edge.left - 1) report(element, 'wider than its control')
  }
  return found
}

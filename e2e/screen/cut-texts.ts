/**
 * Finds texts of a page that cannot be read completely: cut by their container, or beyond the window's edge, with no way to
 * scroll there. Runs in the page, so it uses nothing from outside.
 */
export function findCutTexts(): string[] {
  const cutTextReports: string[] = []
  const isVisible = (element: Element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest('svg')
  const canScroll = (element: Element | null): boolean => {
    for (let ancestor = element; ancestor && ancestor !== document.documentElement; ancestor = ancestor.parentElement)
      if (/auto|scroll/.test(getComputedStyle(ancestor).overflowX) && ancestor.scrollWidth > ancestor.clientWidth) return true
    return false
  }
  /** Boxes of one pixel hold text for screen readers only. */
  const isScreenReaderOnly = (element: Element) => {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      const { width, height } = ancestor.getBoundingClientRect()
      const { overflow, clipPath } = getComputedStyle(ancestor)
      if ((width <= 1 || height <= 1 || clipPath !== 'none') && overflow !== 'visible') return true
    }
    return false
  }
  const report = (element: Element, problem: string) => {
    const excerpt = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    cutTextReports.push(`${problem}: <${element.localName} class="${element.getAttribute('class') ?? ''}"> “${excerpt}”`)
  }
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) cutTextReports.push(`${root.scrollWidth - root.clientWidth} px wider than the window`)
  for (const element of document.body.querySelectorAll('*')) {
    const ownTextNodes = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent!.trim() !== '')
    if (ownTextNodes.length === 0 || !isVisible(element) || isScreenReaderOnly(element)) continue
    const style = getComputedStyle(element)
    const isCut = element.scrollWidth > element.clientWidth + 1 && /hidden|clip/.test(style.overflowX)
    // A text with an ellipsis is shown in full on hover, or when it is opened.
    if (isCut && style.display !== 'inline' && !element.closest('[title]')) report(element, 'cut')
    const range = document.createRange()
    const boxes = ownTextNodes.map((node) => {
      range.selectNode(node)
      return range.getBoundingClientRect()
    })
    const right = Math.max(...boxes.map((box) => box.right))
    const leftEdge = Math.min(...boxes.map((box) => box.left))
    const isOutside = right > root.clientWidth + 1 || leftEdge < -1
    if (isOutside && !isCut && !canScroll(element)) report(element, 'outside the window')
    const holder = element.closest('button, a, th, td, label, [role="tab"]')
    if (!holder || holder !== element || style.display === 'inline') continue
    const edge = holder.getBoundingClientRect()
    if (right > edge.right + 1 || leftEdge < edge.left - 1) report(element, 'wider than its control')
  }
  return cutTextReports
}

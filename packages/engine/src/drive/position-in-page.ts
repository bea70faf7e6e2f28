// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit, Edges } from './kit-in-page.ts'

/** Cover of an element: a fixed bar, something else, or nothing that hides all of it. */
export type Cover = 'none' | 'bar' | 'other'
export type StopPosition = { isZero: boolean; isOutside: boolean; isTransparent: boolean; isClipped: boolean; cover: Cover }

/** Tells where an element is, and whether people can see it there. */
export type PositionReader = {
  /** Edges of an element and what is in it. */
  getUnion: (element: Element) => Edges
  /** True for an element itself, too. */
  contains: (outer: Element, inner: Element) => boolean
  readCover: (element: Element, box: Edges) => Cover
  readPosition: (element: Element) => StopPosition
}

/** Creates the reader of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makePositionReader(kit: DriveKit): PositionReader {
  const getUnion = (element: Element): Edges => {
    const boxes = [element, ...[...kit.call(element, 'querySelectorAll', '*')].slice(0, 60)]
      .filter((one) => kit.call(one, 'checkVisibility', { visibilityProperty: true }))
      .map((one) => kit.getEdges(one))
      .filter(({ minX, minY, maxX, maxY }) => maxX - minX > 0.5 && maxY - minY > 0.5)
    if (boxes.length === 0) return kit.getEdges(element)
    return {
      minX: Math.min(...boxes.map(({ minX }) => minX)),
      minY: Math.min(...boxes.map(({ minY }) => minY)),
      maxX: Math.max(...boxes.map(({ maxX }) => maxX)),
      maxY: Math.max(...boxes.map(({ maxY }) => maxY)),
    }
  }
  const contains = (outer: Element, inner: Element): boolean => outer === inner || kit.listAncestors(inner).includes(outer)
  const isOpaque = (element: Element): boolean => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element)
    const alpha = kit.parseColor(backgroundColor)?.[3] ?? 1
    return (alpha >= 0.9 || backgroundImage !== 'none') && kit.computeOpacity(element) >= 0.9
  }
  /** The opaque fixed or sticky element that an element belongs to, outside of a stop's ancestors. */
  const findBar = (covering: Element, stop: Element): Element | null => {
    const chain = [covering, ...kit.listAncestors(covering)]
    const bar = chain.find((one) => /fixed|sticky/.test(getComputedStyle(one).position))
    if (!bar || contains(bar, stop)) return null
    const isDrawn =
      chain.slice(0, chain.indexOf(bar) + 1).some(isOpaque) ||
      /^(?:IMG|VIDEO|CANVAS|IFRAME|INPUT|BUTTON)$/i.test(kit.read(covering, 'localName'))
    return isDrawn ? bar : null
  }
  /** Hit tests on a grid of 25 points of the part that the window shows. */
  const readCover = (element: Element, box: Edges): Cover => {
    if (getComputedStyle(element).pointerEvents === 'none') return 'none'
    const visibleBox = {
      minX: Math.max(0, box.minX),
      minY: Math.max(0, box.minY),
      maxX: Math.min(innerWidth, box.maxX),
      maxY: Math.min(innerHeight, box.maxY),
    }
    let [barCount, otherCount, pointCount] = [0, 0, 0]
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 5; column++) {
        const x = visibleBox.minX + ((visibleBox.maxX - visibleBox.minX) * (column + 0.5)) / 5
        const y = visibleBox.minY + ((visibleBox.maxY - visibleBox.minY) * (row + 0.5)) / 5
        const topElement = kit.findAt(x, y)
        pointCount++
        if (!topElement || contains(element, topElement)) return 'none'
        if (findBar(topElement, element)) barCount++
        // An ancestor is hit between lines; a label stands for its field.
        else if (contains(topElement, element) || kit.call(topElement, 'closest', 'label')?.contains(element)) return 'none'
        else if (kit.listLabels(element).some((label) => contains(label, topElement))) return 'none'
        else if (isOpaque(topElement)) otherCount++
        else return 'none'
      }
    return barCount === pointCount ? 'bar' : otherCount + barCount === pointCount ? 'other' : 'none'
  }
  const isClipped = (element: Element, box: Edges): boolean => {
    let [minX, minY, maxX, maxY] = [box.minX, box.minY, box.maxX, box.maxY]
    for (const one of [element, ...kit.listAncestors(element)]) {
      const style = getComputedStyle(one)
      if (
        /^rect\((?:0|1)px, (?:0|1)px, (?:0|1)px, (?:0|1)px\)/.test(style.clip) ||
        /inset\((?:50|100)%|circle\(0/.test(style.clipPath)
      )
        return true
      if (one === element || one === document.body || one === document.documentElement || !/hidden|clip/.test(style.overflow))
        continue
      const clip = kit.getEdges(one)
      ;[minX, minY, maxX, maxY] = [
        Math.max(minX, clip.minX),
        Math.max(minY, clip.minY),
        Math.min(maxX, clip.maxX),
        Math.min(maxY, clip.maxY),
      ]
      if (style.position === 'fixed') break
    }
    return maxX - minX < 1 || maxY - minY < 1
  }
  const readPosition = (element: Element): StopPosition => {
    const box = getUnion(element)
    const isZero = box.maxX - box.minX <= 1.5 || box.maxY - box.minY <= 1.5
    const isOutside = box.maxX <= 0 || box.maxY <= 0 || box.minX >= innerWidth || box.minY >= innerHeight
    const isTransparent = kit.computeOpacity(element) < 0.02
    const clipped = !isZero && isClipped(element, box)
    const cover = isZero || isOutside || isTransparent || clipped ? 'none' : readCover(element, box)
    return { isZero, isOutside, isTransparent, isClipped: clipped, cover }
  }
  return { getUnion, contains, readCover, readPosition }
}

// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { NodeReader } from './node-reader-in-page.ts'

/** Text of one document, reachable or not, before it is combined with that of its frames. */
export type DocumentEvidence = {
  /** Normalized reachable text, up to a limit. */
  text: string
  textLength: number
  /** Hash of the text, or of the images of a page without text; null for neither. */
  textHash: string | null
  words: number[]
  outOfReachLength: number
  links: number
  landmarks: number
  controls: number
}

/**
 * Creates the function that reads the evidence of a document, without that of its frames: axe tests only frames within
 * reach, and their documents have evidence of their own.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeEvidenceReader({
  getShadowRoot,
  getFirstChild,
  getNextSibling,
  getParentElement,
  getLocalName,
  getNodeType,
  getDocumentElement,
}: NodeReader): () => DocumentEvidence {
  const maxTextLength = 200_000
  const maxWords = 48
  const maxDepth = 2000
  const maxClippedChecks = 3000
  const { prototype } = Element
  const readAttribute = (element: Element, name: string) => prototype.getAttribute.call(element, name)
  const structureSelector =
    'a[href], button, input:not([type="hidden"]), select, textarea, h1, h2, h3, h4, h5, h6, main, nav, [role="heading"], [role="main"], [role="link"], [role="button"]'
  const landmarkRoles = new Set(['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'search', 'region', 'form'])
  const landmarkTags = new Set(['main', 'nav', 'header', 'footer', 'aside', 'search'])
  const controlTags = new Set(['button', 'input', 'select', 'textarea'])
  const ignoredTags = new Set(['script', 'style', 'noscript', 'template', 'head', 'title'])

  const hashText = (text: string, seed: number): number => {
    let hash = 0x811c9dc5 ^ seed
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    return (hash ^ (hash >>> 15)) >>> 1
  }

  let clippedCheckCount = 0
  let clipRects = new Map<Element, DOMRect | null>()
  /** The visible area of an element that clips its content; null for one that does not, and for the root and body, which scroll. */
  const readClip = (element: Element): DOMRect | null => {
    const knownRect = clipRects.get(element)
    if (knownRect !== undefined) return knownRect
    const isRoot = element === getDocumentElement.call(document) || getLocalName.call(element) === 'body'
    const isClipping = !isRoot && getComputedStyle(element).overflowX !== 'visible'
    const clipRect = isClipping ? prototype.getBoundingClientRect.call(element) : null
    clipRects.set(element, clipRect)
    return clipRect
  }
  /** Returns true for an element outside of the visible area of an ancestor: a slide of a carousel that is not shown. */
  const isClipped = (element: Element): boolean => {
    clippedCheckCount += 1
    if (clippedCheckCount > maxClippedChecks) return false
    const rect = prototype.getBoundingClientRect.call(element)
    if (rect.right <= 0 || rect.bottom + scrollY <= 0) return true
    for (
      let ancestor = getParentElement.call(element) as Element | null;
      ancestor;
      ancestor = getParentElement.call(ancestor) as Element | null
    ) {
      const clip = readClip(ancestor)
      if (clip && (rect.right <= clip.left || rect.left >= clip.right || rect.bottom <= clip.top || rect.top >= clip.bottom))
        return true
    }
    return false
  }

  /**
   * Content that is hidden from assistive technology on purpose, such as icons or the lines of a code editor, has no
   * structure.
   */
  const hidesContent = (element: Element): boolean =>
    prototype.matches.call(element, structureSelector) || prototype.querySelector.call(element, structureSelector) !== null

  type Reach = { isOut: boolean; isDecoration: boolean; depth: number }
  const createTally = () => ({
    hasModal: Document.prototype.querySelector.call(document, 'dialog:modal') !== null,
    parts: [] as string[],
    textLength: 0,
    outOfReachLength: 0,
    links: 0,
    landmarks: 0,
    controls: 0,
    images: [] as string[],
  })
  let tally = createTally()

  const visitText = (node: Node, parent: Element, reach: Reach) => {
    const text = (node as Text).data.replace(/\s+/g, ' ').trim()
    if (text === '' || reach.isDecoration) return
    if (!prototype.checkVisibility.call(parent, { visibilityProperty: true, opacityProperty: reach.isOut })) return
    if (reach.isOut) {
      if (!isClipped(parent)) tally.outOfReachLength += text.length + 1
      return
    }
    if (tally.textLength < maxTextLength) tally.parts.push(text)
    tally.textLength += text.length + 1
  }
  const countElement = (element: Element, tag: string) => {
    const role = readAttribute(element, 'role')
    const isLink = (tag === 'a' && prototype.hasAttribute.call(element, 'href')) || role === 'link'
    const isLandmark = role === null ? landmarkTags.has(tag) : landmarkRoles.has(role)
    const isControl = controlTags.has(tag) && readAttribute(element, 'type') !== 'hidden'
    const isImage = tag === 'img' && tally.images.length < 50
    if (!isLink && !isLandmark && !isControl && !isImage) return
    if (!prototype.checkVisibility.call(element, { visibilityProperty: true })) return
    if (isLink) tally.links += 1
    if (isLandmark) tally.landmarks += 1
    if (isControl) tally.controls += 1
    if (isImage) tally.images.push(`${readAttribute(element, 'alt')} ${(readAttribute(element, 'src') ?? '').slice(0, 200)}`)
  }
  const visitChildren = (parent: Node, element: Element, reach: Reach) => {
    for (let child = getFirstChild.call(parent) as Node | null; child; child = getNextSibling.call(child) as Node | null)
      visitNode(child, element, reach)
  }
  const findReach = (element: Element, tag: string, { isOut, isDecoration, depth }: Reach): Reach => {
    const reach = { isOut, isDecoration, depth: depth + 1 }
    if (tally.hasModal && tag === 'dialog' && prototype.matches.call(element, ':modal')) reach.isOut = false
    if (prototype.hasAttribute.call(element, 'inert')) return { ...reach, isOut: true }
    if (reach.isOut || readAttribute(element, 'aria-hidden') !== 'true') return reach
    return hidesContent(element) ? { ...reach, isOut: true } : { ...reach, isDecoration: true }
  }
  const visitElement = (element: Element, parentReach: Reach) => {
    const tag = getLocalName.call(element) as string
    if (ignoredTags.has(tag) || parentReach.depth > maxDepth) return
    const reach = findReach(element, tag, parentReach)
    if (!reach.isOut && !reach.isDecoration) countElement(element, tag)
    const shadowRoot = getShadowRoot.call(element) as ShadowRoot | null
    if (shadowRoot) return visitChildren(shadowRoot, element, reach)
    const slottedNodes =
      tag === 'slot' && element instanceof HTMLSlotElement ? HTMLSlotElement.prototype.assignedNodes.call(element) : []
    if (slottedNodes.length === 0) return visitChildren(element, element, reach)
    for (const node of slottedNodes) visitNode(node, getParentElement.call(node) as Element, reach)
  }
  const visitNode = (node: Node, parent: Element, reach: Reach) => {
    const nodeType = getNodeType.call(node)
    if (nodeType === 3) visitText(node, parent, reach)
    else if (nodeType === 1) visitElement(node as Element, reach)
  }

  /** Text without what differs at each visit: tokens such as 8f3a2b7c9d1e4f60, and times. */
  const normalizeText = (text: string): string =>
    text
      .slice(0, maxTextLength)
      .toLowerCase()
      .replace(/[a-f\d-]{10,}/g, (token) => (/\d/.test(token) && /[a-f]/.test(token) ? '' : token))
      .replace(/\d{1,2}:\d{2}(:\d{2})?/g, '')
      .replace(/\s+/g, ' ')
      .trim()

  const contentSelector = 'canvas, video, audio, svg, picture, object, embed, iframe, frame, table'
  /** A wall says little. */
  const maxWallLength = 1500
  /**
   * Text by which pages of different addresses are compared. A wall, which is short, may name the address that was asked for. A short page that leads
   * nowhere may also number its visitors, or the seconds to wait: other pages of a series have links, pictures, a table, or their number
   * in the title.
   */
  const toComparedText = (text: string, isDeadEnd: boolean): string => {
    const path = decodeText(location.pathname).toLowerCase()
    const namelessText = path.length > 2 && text.length <= maxWallLength ? text.replaceAll(path, '/') : text
    return isDeadEnd ? [namelessText.replace(/\d+/g, ''), ...readTitleNumbers()].join(' ') : namelessText
  }
  const readTitleNumbers = (): readonly string[] => {
    const title = Reflect.get(Document.prototype, 'title', document) as string
    return title.replace(/\d{1,2}:\d{2}/g, '').match(/\d+/g) ?? []
  }
  const decodeText = (text: string): string => {
    try {
      return decodeURI(text)
    } catch {
      return text
    }
  }

  return () => {
    clippedCheckCount = 0
    clipRects = new Map()
    tally = createTally()
    const root = getDocumentElement.call(document) as Element | null
    if (root) visitElement(root, { isOut: tally.hasModal, isDecoration: false, depth: 0 })
    const { parts, images, textLength, outOfReachLength, links, landmarks, controls } = tally
    const text = normalizeText(parts.join(' '))
    // Pages of a gallery differ by their pictures alone; the picture of a challenge is another one at each visit.
    const hasImages = text.length < 20 || links > 3
    const isDeadEnd =
      links === 0 &&
      images.length === 0 &&
      text.length <= maxWallLength &&
      Document.prototype.querySelector.call(document, contentSelector) === null
    const comparedText = toComparedText(text, isDeadEnd)
    const hashedText = hasImages ? [comparedText, ...images].join(' ').trim() : comparedText
    const words = new Set<number>()
    for (const word of new Set(text.match(/[\p{L}\p{M}]{2,}/gu))) words.add(hashText(word, 7))
    return {
      text: text.slice(0, 2000),
      textLength,
      textHash: hashedText === '' ? null : `${hashText(hashedText, 1).toString(36)}${hashText(hashedText, 2).toString(36)}`,
      words: [...words].sort((first, second) => first - second).slice(0, maxWords),
      outOfReachLength,
      links,
      landmarks,
      controls,
    }
  }
}

// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { NodeReader } from './node-reader-in-page.ts'

/** Content and structure of a page, to tell it from others of its site. */
export type DocumentSignature = {
  /** Main text without navigation and without links whose text is an address. */
  text: string
  /** Controls with their states, and media: pages with the same text may differ in them. */
  parts: string
  /** Outline of the elements, without repetition. */
  template: string
  /** Language of the document; empty if it has none. */
  language: string
  /** The page asks search engines not to list it, or not to follow its links. */
  isUnlisted: boolean
  isUnfollowed: boolean
  /** Most of the main text is in links. */
  isListing: boolean
}

/** Creates the function that reads the signature of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeSignatureReader({
  getShadowRoot,
  getFirstChild,
  getNextSibling,
  getLocalName,
  getNodeType,
  getTextContent,
  getDocumentElement,
  getBody,
}: NodeReader): () => DocumentSignature {
  const maxTextLength = 50_000
  const maxPartsLength = 20_000
  const maxVisited = 30_000
  /** Scripts can nest elements deeper than a stack of calls. */
  const maxDepth = 1000
  const maxTemplateDepth = 4
  /** Kinds of children of one element; bounds the comparisons on pages with thousands of different ones. */
  const maxChildKinds = 40
  const readAttribute = (element: Element, name: string): string => Element.prototype.getAttribute.call(element, name) ?? ''
  const readTag = (element: Element) => getLocalName.call(element) as string
  const queryAll = (selector: string) =>
    Document.prototype.querySelectorAll.call(document, selector) as unknown as ArrayLike<Element> & Iterable<Element>

  const ignoredTags = new Set(['script', 'style', 'noscript', 'template', 'head', 'svg', 'nav'])
  const stateNames = [
    'aria-pressed',
    'aria-expanded',
    'aria-selected',
    'aria-checked',
    'aria-current',
    'disabled',
    'open',
    'checked',
  ]
  const landmarkRoles = new Set(['navigation', 'banner', 'contentinfo'])

  const texts: string[] = []
  const parts: string[] = []
  let [textLength, linkTextLength, partsLength, visitedCount] = [0, 0, 0, 0]
  /** Share of the text in links from which a page is a list of links. */
  const minLinkShare = 0.7
  const addPart = (part: string) => {
    if (partsLength > maxPartsLength) return
    parts.push(part)
    partsLength += part.length
  }
  /** Addresses as texts of links tell nothing about the page that has them. */
  const isAddress = (text: string, href: string): boolean =>
    /^(?:https?:)?\/|^www\./i.test(text) || (text !== '' && (href === text || href.endsWith(`/${text}`)))
  const readControl = (element: Element, tag: string): void => {
    const type = tag === 'input' ? readAttribute(element, 'type').toLowerCase() : ''
    if (type === 'hidden') return
    addPart(`${tag}:${type}:${readAttribute(element, 'name').replaceAll(/\d+/g, '0')}`)
    // The state that the browser shows, which is no attribute.
    if (tag === 'input' && (element as HTMLInputElement).checked) addPart('checked')
    if (tag === 'select') addPart(`selected ${(element as HTMLSelectElement).selectedIndex}`)
  }
  const readPart = (element: Element, tag: string): void => {
    if (tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'button') readControl(element, tag)
    if (tag === 'img' || tag === 'iframe' || tag === 'video' || tag === 'audio' || tag === 'source')
      addPart(`${tag}:${readAttribute(element, 'src').split(/[?#]/, 1)[0]!.slice(0, 200)}`)
    for (const name of stateNames)
      if (Element.prototype.hasAttribute.call(element, name)) addPart(`${name}=${readAttribute(element, name)}`)
  }
  const visitChildren = (parent: Node, hasMain: boolean, depth: number): void => {
    for (let child = getFirstChild.call(parent) as Node | null; child; child = getNextSibling.call(child) as Node | null)
      visitNode(child, hasMain, depth)
  }
  const visitNode = (node: Node, hasMain: boolean, depth: number): void => {
    if (++visitedCount > maxVisited || depth > maxDepth) return
    const nodeType = getNodeType.call(node)
    if (nodeType === 3) {
      const text = (node as Text).data.replaceAll(/\s+/g, ' ').trim()
      if (text === '' || textLength > maxTextLength) return
      texts.push(text)
      textLength += text.length
    }
    if (nodeType !== 1) return
    const element = node as Element
    const tag = readTag(element)
    const isNavigation = landmarkRoles.has(readAttribute(element, 'role')) || (!hasMain && (tag === 'header' || tag === 'footer'))
    if (ignoredTags.has(tag) || isNavigation) return
    if (tag === 'a' && isAddress(String(getTextContent.call(element)).trim(), readAttribute(element, 'href'))) return
    readPart(element, tag)
    const shadowRoot = getShadowRoot.call(element) as ShadowRoot | null
    const previousLength = textLength
    visitChildren(shadowRoot ?? element, hasMain, depth + 1)
    // Links are not nested: the parser ends the outer one.
    if (tag === 'a') linkTextLength += textLength - previousLength
  }
  /** Tags with their first classes; digits in classes are generated. */
  const outline = (element: Element, depth: number): string => {
    const children: string[] = []
    if (depth < maxTemplateDepth)
      for (let child = getFirstChild.call(element) as Node | null; child; child = getNextSibling.call(child) as Node | null) {
        if (children.length >= maxChildKinds || ++visitedCount > maxVisited) break
        if (getNodeType.call(child) !== 1) continue
        const tag = readTag(child as Element)
        if (tag === 'script' || tag === 'style' || tag === 'br') continue
        const childOutline = outline(child as Element, depth + 1)
        if (!children.includes(childOutline)) children.push(childOutline)
      }
    const className =
      readAttribute(element, 'class')
        .split(/\s+/)
        .filter((name) => name !== '' && !/\d/.test(name))[0] ?? ''
    return `${readTag(element)}${className && `.${className}`}${children.length > 0 ? `(${children.join(' ')})` : ''}`
  }
  const readRobots = (): string =>
    [...queryAll('meta[name="robots" i], meta[name="googlebot" i]')]
      .map((meta) => readAttribute(meta, 'content'))
      .join(',')
      .toLowerCase()

  return () => {
    texts.length = 0
    parts.length = 0
    textLength = linkTextLength = partsLength = visitedCount = 0
    const mains = [...queryAll('main, [role="main"]')]
    const body = getBody.call(document) as Element | null
    if (mains[0]) visitChildren(mains[0], true, 0)
    else if (body) visitChildren(body, false, 0)
    visitedCount = 0
    const robots = readRobots()
    const root = getDocumentElement.call(document) as Element | null
    const controls = new Set<string>()
    for (const element of queryAll('form, table, video, audio, canvas, iframe, select, textarea, input'))
      if (controls.size < 50 && readAttribute(element, 'type') !== 'hidden')
        controls.add(`${readTag(element)}:${readAttribute(element, 'type')}`)
    return {
      text: texts.join(' ').slice(0, maxTextLength),
      parts: parts.join('\n').slice(0, maxPartsLength),
      template: `${body ? outline(body, 0) : ''} ${[...controls].sort().join(' ')}`.slice(0, 20_000),
      language: root ? readAttribute(root, 'lang').toLowerCase().slice(0, 20) : '',
      isUnlisted: /\bnoindex\b|\bnone\b/.test(robots),
      isListing: linkTextLength > textLength * minLinkShare,
      isUnfollowed: /\bnofollow\b|\bnone\b/.test(robots),
    }
  }
}

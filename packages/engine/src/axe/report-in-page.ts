// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { FurtherLink } from './further-links-in-page.ts'
import type { ElementKey } from './element-key-in-page.ts'
import type { DocumentEvidence } from './evidence-in-page.ts'
import type { DocumentSignature } from './signature-in-page.ts'
import type { RootedSelector, SelectorTools } from './selector-in-page.ts'

/** One element of a rule's result, reduced to the stored fields. */
export type RawNode = {
  impact: string | null
  html: string
  target: RootedSelector[]
  /** Position of the element and its frames in the tree of each document; empty for a page without frames. */
  ancestry: RootedSelector[]
  any: string[]
  all: string[]
  none: string[]
}
export type RawRule = {
  id: string
  impact: string | null
  help: string
  description: string
  helpUrl: string
  tags: string[]
  nodes: RawNode[]
}
export type RawResults = { violations: RawRule[]; incomplete: RawRule[] }

/** Box of an element in CSS pixels from the document's upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }
/** Identity and box of a flagged element, and the number of its common component; null if it no longer exists. */
export type ElementReference = (ElementKey & { box: Box; component: number | null }) | null

/**
 * A link of a page. `acts`: its scripts send another method, or ask for a confirmation. `label`: its text, if it is short.
 * `place`: its nearest landmark, unless that is the main content. `relations`: its `rel`.
 */
export type PageLink = {
  url: string
  kind: 'anchor' | 'area' | 'frame' | 'meta-refresh' | 'next' | FurtherLink['kind']
  acts?: 'method' | 'confirm'
  label?: string
  place?: 'nav' | 'header' | 'footer' | 'aside' | 'head'
  relations?: string[]
  isUnfollowed?: boolean
}

/** Facts read from a document in addition to axe's results. */
export type DocumentFacts = {
  title: string
  contentType: string
  /** True if the text contains characters that no HTML document has. */
  binary: boolean
  links: PageLink[]
  /** True if the document links to more pages than `links` has. */
  hasMoreLinks: boolean
  /** Canonical URL that the page declares; null if none. */
  canonical: string | null
  /** Numbers of the common components on the page. */
  components: number[]
  content: string | null
  signature: DocumentSignature
}

/** Selectors of one element: axe's shortest one, which may match others too, and its position in the tree. */
export type ElementSelectors = { target: RootedSelector; ancestry: RootedSelector }

/** `x`, `y`: upper left corner of the frame's content. */
export type FrameReference = (ElementKey & { number: number; component: number | null; x: number; y: number }) | null

/** API of our world in addition to axe. Called by name from expressions, so the names must not change. */
export type PageApi = {
  /** Number of elements that axe processes in this document, including shadow roots; stops counting above `maxElements`. */
  count(maxElements: number): number
  /** Finds the elements of each common component: CSS, or XPath with the prefix `xpath=`. */
  components(selectors: readonly (readonly string[])[]): void
  /** Reduced results, and references to the elements in this frame, in result order. */
  reduce(results: unknown): { results: RawResults; elements: ElementReference[] }
  /** References to elements, and for each a selector that matches nothing else. */
  elements(selectors: ElementSelectors[]): { reference: ElementReference; target: RootedSelector }[]
  /** Reference to an element, and a selector that matches nothing else. */
  locate(selectors: ElementSelectors, element: Element): { reference: ElementReference; target: RootedSelector }
  /** The frame element with an ancestry. */
  frameElement(ancestry: RootedSelector): Element | null
  /** Identity and position of a frame element. Assigns a number by which it is found again. */
  frameReference(ancestry: RootedSelector): FrameReference
  /** The number of a frame element, and a selector that matches nothing else; null for an unknown frame. */
  frameStep(selectors: ElementSelectors): { number: number; target: RootedSelector } | null
  facts(contentCharacters: number): DocumentFacts
  evidence(): DocumentEvidence
}

/** Defines the page API; the parameters are the functions of those names. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function definePageApi(
  makeElementKey: () => (element: Element) => ElementKey,
  makeSelectorTools: () => SelectorTools,
  makeEvidenceReader: () => () => DocumentEvidence,
  makeSignatureReader: () => () => DocumentSignature,
  makeFurtherLinkReader: () => () => FurtherLink[],
): void {
  let computeKey = makeElementKey()
  const selectorTools = makeSelectorTools()
  /** Maximum number of distinct link targets of a document. */
  const maxLinkCount = 10_000
  const maxHtmlLength = 4000
  const queryAll = <E extends Element>(root: ParentNode, selector: string) =>
    (root === document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(root, selector) as NodeListOf<E>
  const readDocument = (name: string): unknown => Object.getOwnPropertyDescriptor(Document.prototype, name)?.get?.call(document)
  /** Current base URL: a page may change it until it is idle. */
  const getBaseUrl = () => Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI')!.get!.call(document) as string

  /** A page can name an element `shadowRoot`, which would shadow the property. */
  const getShadowRoot = (element: Element) =>
    Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!.get!.call(element) as ShadowRoot | null

  const countElements = (maxElements: number): number => {
    const searchRoots: ParentNode[] = [document]
    let elementCount = 0
    for (const tree of searchRoots) {
      const treeElements = queryAll(tree, '*')
      elementCount += treeElements.length
      if (elementCount > maxElements) break
      for (const element of treeElements) {
        const shadowRoot = getShadowRoot(element)
        if (shadowRoot) searchRoots.push(shadowRoot)
      }
    }
    return elementCount
  }

  const findElement = ({ target, ancestry }: ElementSelectors): Element | null =>
    selectorTools.findByAncestry(ancestry) ?? selectorTools.find(target)
  /** Root elements of common components with their numbers. */
  const componentRoots = new Map<Element, number>()
  const findComponent = (element: Element): number | null => {
    for (
      let ancestor: Node | null = element;
      ancestor;
      ancestor =
        (Reflect.get(Node.prototype, 'parentNode', ancestor) as Node | null) ?? (ancestor as Partial<ShadowRoot>).host ?? null
    ) {
      const componentNumber = componentRoots.get(ancestor as Element)
      if (componentNumber !== undefined) return componentNumber
    }
    return null
  }
  const findElements = (selector: string): Element[] => {
    const xpathText = selector.startsWith('xpath=') ? selector.slice(6) : /^\(*\/\//.test(selector) ? selector : null
    try {
      if (xpathText === null) return [...queryAll(document, selector)]
      const xpathResult = Document.prototype.evaluate.call(document, xpathText, document, null, 7, null)
      return Array.from({ length: Math.min(xpathResult.snapshotLength, 1000) }, (_, resultIndex) =>
        xpathResult.snapshotItem(resultIndex),
      ).filter((node) => node instanceof Element)
    } catch {
      return []
    }
  }

  const createReference = (targetElement: Element): Exclude<ElementReference, null> => {
    const elementRect = Element.prototype.getBoundingClientRect.call(targetElement)
    const elementBox = {
      x: elementRect.x + scrollX,
      y: elementRect.y + scrollY,
      width: elementRect.width,
      height: elementRect.height,
    }
    return { ...computeKey(targetElement), box: elementBox, component: findComponent(targetElement) }
  }

  type AxeCheck = { message: string }
  /** `element` is missing in results merged from several documents. */
  type AxeNode = Omit<RawNode, 'ancestry' | 'any' | 'all' | 'none'> & {
    ancestry?: RootedSelector[]
    element?: Element | null
    any: AxeCheck[]
    all: AxeCheck[]
    none: AxeCheck[]
  }
  type AxeRule = Omit<RawRule, 'nodes'> & { nodes: AxeNode[] }
  const getMessages = (checks: AxeCheck[]) => checks.map(({ message }) => message)
  const reduceRule = ({ id, impact, help, description, helpUrl, tags, nodes }: AxeRule): RawRule => ({
    id,
    impact: impact ?? null,
    help,
    description,
    helpUrl,
    tags,
    nodes: nodes.map((node) => ({
      impact: node.impact ?? null,
      html: node.html.slice(0, maxHtmlLength),
      target: node.target,
      ancestry: node.ancestry ?? [],
      any: getMessages(node.any),
      all: getMessages(node.all),
      none: getMessages(node.none),
    })),
  })

  const methodAttribute = /^(?:data-(?:turbo-|http-|request-)?method|ic-verb)$/
  const actingAttribute = /^(?:(?:data-)?hx-(?:post|delete)|hx-(?:put|patch)|up-method)$/
  const confirmAttribute = /^(?:data-(?:turbo-)?confirm|data-confirm(?:ation|-message)|hx-confirm|wire:confirm)$/
  const maxLabelLength = 30
  /** Signs that a link does something. */
  const readHints = (element: Element): Pick<PageLink, 'acts' | 'label'> => {
    const readText = (text: string | null | undefined) => text?.slice(0, 1000).trim()
    const readAttribute = (name: string) => readText(element.getAttribute(name)) ?? ''
    const readAlt = () => readText(element.querySelector('img[alt]')?.getAttribute('alt'))
    const names = [element.textContent, ...['aria-label', 'title'].map(readAttribute)].map(readText)
    const label = names.find(Boolean) || readAlt() || readAttribute('value')
    const attributeNames = element.getAttributeNames()
    const hasAttribute = (names: RegExp, values: RegExp) =>
      attributeNames.some((name) => names.test(name) && values.test(readAttribute(name)))
    const sendsMethod =
      hasAttribute(methodAttribute, /^(?:post|put|patch|delete)$/i) || hasAttribute(actingAttribute, /^(?!get$)/i)
    const asksFirst = hasAttribute(confirmAttribute, /^(?!(?:false|no|0)$)/i) || hasAttribute(/^onclick$/, /\bconfirm\w*\s*\(/i)
    return {
      ...(sendsMethod ? { acts: 'method' as const } : asksFirst ? { acts: 'confirm' as const } : {}),
      ...(label !== '' && label.length <= maxLabelLength ? { label } : {}),
    }
  }
  const placesByName: Readonly<Record<string, PageLink['place']>> = {
    nav: 'nav',
    navigation: 'nav',
    header: 'header',
    banner: 'header',
    footer: 'footer',
    contentinfo: 'footer',
    aside: 'aside',
    complementary: 'aside',
    link: 'head',
  }
  const placeSelector =
    'nav, header, footer, aside, main, link, [role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"], [role="main"]'
  const readPlacement = (element: Element): Pick<PageLink, 'place' | 'relations' | 'isUnfollowed'> => {
    const landmark = Element.prototype.closest.call(element, placeSelector)
    const role = landmark && Element.prototype.getAttribute.call(landmark, 'role')
    const place = landmark && (placesByName[role ?? ''] ?? placesByName[selectorTools.getName(landmark)])
    const relations = (element.getAttribute('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
    return {
      ...(place ? { place } : {}),
      ...(relations.length > 0 ? { relations } : {}),
      ...(relations.includes('nofollow') ? { isUnfollowed: true } : {}),
    }
  }
  let hasMoreLinks = false
  const collectLinks = (): DocumentFacts['links'] => {
    const pageLinks: DocumentFacts['links'] = []
    const linkedUrls = new Map<string, PageLink>()
    const linkedPages = new Set<string>()
    /** Further anchors of pages that are already linked; most scans treat them as the same page. */
    const anchorLinks: DocumentFacts['links'] = []
    const baseUrl = getBaseUrl()
    /** @param anchor the element, if it may do something else than open a page */
    const addLink = (value: string | null, kind: PageLink['kind'], element: Element, anchor: Element | null = null) => {
      const linkUrl = value === null ? null : URL.parse(value.trim(), baseUrl)
      if (!linkUrl || linkUrl.href.length > maxHtmlLength) return
      // A page may link to an address, and change what is there by another link with the same one.
      const knownLink = linkedUrls.get(linkUrl.href)
      if (knownLink?.acts && !(anchor && readHints(anchor).acts)) delete knownLink.acts
      if (knownLink) return
      const pageUrl = /^#[/!]/.test(linkUrl.hash)
        ? linkUrl.href
        : linkUrl.href.slice(0, linkUrl.href.length - linkUrl.hash.length)
      const targetLinks = linkedPages.has(pageUrl) ? anchorLinks : pageLinks
      if (targetLinks.length >= maxLinkCount) return void (hasMoreLinks ||= targetLinks === pageLinks)
      const pageLink: PageLink = { url: linkUrl.href, kind, ...(anchor && readHints(anchor)), ...readPlacement(element) }
      linkedUrls.set(linkUrl.href, pageLink)
      linkedPages.add(pageUrl)
      targetLinks.push(pageLink)
    }
    hasMoreLinks = false
    const visitRoot = (treeRoot: ParentNode) => {
      for (const element of queryAll(treeRoot, 'a, area, link[rel~="next" i], frameset frame[src]')) {
        const tagName = element.localName
        const linkTarget = element.getAttribute(tagName === 'frame' ? 'src' : 'href') ?? element.getAttribute('xlink:href')
        const linkKind = tagName === 'area' || tagName === 'frame' ? tagName : tagName === 'link' ? 'next' : 'anchor'
        addLink(linkTarget, linkKind, element, linkKind === 'anchor' ? element : null)
      }
      for (const element of queryAll(treeRoot, '*')) {
        const shadowRoot = getShadowRoot(element)
        if (shadowRoot) visitRoot(shadowRoot)
      }
    }
    visitRoot(document)
    for (const meta of queryAll(document, 'meta[http-equiv="refresh" i][content]')) {
      const refreshMatch = /^[^;,]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '')
      addLink(refreshMatch?.[1] ?? null, 'meta-refresh', meta)
    }
    for (const { address, kind, element } of makeFurtherLinkReader()())
      if (!linkedUrls.has(URL.parse(address, baseUrl)?.href ?? '')) addLink(address, kind, element, element)
    return [...pageLinks, ...anchorLinks].slice(0, maxLinkCount)
  }

  const serializeContent = (maxCharacters: number): string => {
    const rootElement = readDocument('documentElement') as Element | null
    const outerHtml = rootElement
      ? (Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML')!.get!.call(rootElement) as string)
      : ''
    return `${readDocument('doctype') === null ? '' : '<!DOCTYPE html>\n'}${outerHtml}`.slice(0, maxCharacters)
  }
  /** XHTML may be sent as any XML. */
  const readContentType = (): string => {
    const contentType = (readDocument('contentType') as string | undefined) ?? ''
    const rootElement = readDocument('documentElement') as Element | null
    const isXhtml = contentType.endsWith('xml') && rootElement?.namespaceURI === 'http://www.w3.org/1999/xhtml'
    // The browser shows other XML as a tree.
    const isTree = queryAll(document, '#webkit-xml-viewer-source-xml').length > 0
    return isXhtml && !isTree ? 'application/xhtml+xml' : contentType
  }
  const isBinary = (): boolean => {
    const bodyElement = readDocument('body') as Element | null
    const bodyText = (bodyElement?.textContent ?? '').slice(0, 2000)
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    const controlCharCount = bodyText.match(/[\0-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0
    return bodyText.length > 0 && controlCharCount > bodyText.length / 10
  }

  const findCanonical = (): string | null => {
    const canonicalHref = queryAll(document, 'link[rel~="canonical" i][href]')[0]?.getAttribute('href')
    return canonicalHref ? (URL.parse(canonicalHref.trim(), getBaseUrl())?.href ?? null) : null
  }

  const locateElement = (selectors: ElementSelectors, knownElement?: Element | null): ReturnType<PageApi['elements']>[number] => {
    const element = knownElement ?? findElement(selectors)
    if (!element) return { reference: null, target: selectors.target }
    return { reference: createReference(element), target: selectorTools.toExact(element, selectors.target) }
  }
  const readSignature = makeSignatureReader()
  const frameElements: Element[] = []
  const pageApi: PageApi = {
    count: countElements,
    components(selectors) {
      componentRoots.clear()
      selectors.forEach((componentSelectors, componentIndex) => {
        for (const element of componentSelectors.flatMap(findElements))
          if (!componentRoots.has(element)) componentRoots.set(element, componentIndex)
      })
    },
    reduce(axeResults) {
      const { violations, incomplete } = axeResults as { violations: AxeRule[]; incomplete: AxeRule[] }
      const reducedResults = { violations: violations.map(reduceRule), incomplete: incomplete.map(reduceRule) }
      const resultNodes = [...reducedResults.violations, ...reducedResults.incomplete].flatMap((rule) => rule.nodes)
      const axeNodes = [...violations, ...incomplete].flatMap((rule) => rule.nodes)
      const elements = resultNodes.map((node, nodeIndex) => {
        // Elements in frames are located in their own documents.
        if (node.target.length !== 1) return null
        const selectors = { target: node.target[0]!, ancestry: node.ancestry[0] ?? node.target[0]! }
        const { reference, target } = locateElement(selectors, axeNodes[nodeIndex]!.element)
        node.target = [target]
        node.ancestry = []
        return reference
      })
      return { results: reducedResults, elements }
    },
    elements: (selectors) => selectors.map((selector) => locateElement(selector)),
    locate(selectors, element) {
      // A driven page has changed since the last call.
      computeKey = makeElementKey()
      return locateElement(selectors, element)
    },
    frameElement: (ancestry) => selectorTools.findByAncestry(ancestry),
    frameReference(ancestry) {
      const frameElement = selectorTools.findByAncestry(ancestry)
      if (!frameElement) return null
      const { key, pattern, previousKey, box, component } = createReference(frameElement)
      const frameIndex = frameElements.push(frameElement) - 1
      return {
        key,
        pattern,
        previousKey,
        number: frameIndex,
        component,
        x: box.x + frameElement.clientLeft,
        y: box.y + frameElement.clientTop,
      }
    },
    frameStep(selectors) {
      const frameElement = findElement(selectors)
      const frameIndex = frameElement ? frameElements.indexOf(frameElement) : -1
      if (!frameElement || frameIndex < 0) return null
      return { number: frameIndex, target: selectorTools.toExact(frameElement, selectors.target) }
    },
    evidence: makeEvidenceReader(),
    facts: (contentCharacters) => ({
      title: (readDocument('title') as string | undefined) ?? '',
      contentType: readContentType(),
      binary: isBinary(),
      links: collectLinks(),
      hasMoreLinks,
      canonical: findCanonical(),
      components: [...new Set(componentRoots.values())].sort((first, second) => first - second),
      content: contentCharacters > 0 ? serializeContent(contentCharacters) : null,
      signature: readSignature(),
    }),
  }
  ;(globalThis as unknown as { clearwayPage: PageApi }).clearwayPage = pageApi
}

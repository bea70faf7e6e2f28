// Runs inside scanned pages, in a world of our own; sent as its own source text: nothing outside of it exists there.
import type { ElementKey } from './element-key-in-page.ts'

/** One element that a rule names, cut down to what is kept. */
export type RawNode = {
  impact: string | null
  html: string
  target: (string | string[])[]
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

/** Where an element is: CSS pixels from the document's upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }
/**
 * Who and where a flagged element is, and the number of the common component that it is part of; null when it is no
 * longer there.
 */
export type ElementReference = (ElementKey & { box: Box; component: number | null }) | null

/** What is read from a document besides axe's results. */
export type DocumentFacts = {
  title: string
  contentType: string
  /** Text that no HTML document contains. */
  binary: boolean
  links: { url: string; kind: 'anchor' | 'area' | 'frame' | 'meta-refresh' | 'next' }[]
  /** The URL that the page gives as its own; null when it gives none. */
  canonical: string | null
  /** Numbers of the common components on the page. */
  components: number[]
  content: string | null
}

/** `x`, `y`: upper left corner of the frame's content. */
export type FrameReference =
  (ElementKey & { number: number; component: number | null; x: number; y: number }) | null

/** What our world offers besides axe. */
export type PageApi = {
  /** Elements that axe goes through in this document, shadow roots and all; no more are counted once there are `most`. */
  count(most: number): number
  /** Finds the elements of each common component: CSS, or XPath with the mark `xpath=`. */
  components(selectors: readonly (readonly string[])[]): void
  /** Results cut down, and references to the elements in this frame, in the order of the results. */
  reduce(results: unknown): { results: RawResults; elements: ElementReference[] }
  elements(targets: (string | string[])[]): ElementReference[]
  /** Identity and place of a frame element; it gets a number by which other selectors that name it are found. */
  frameReference(selector: string | string[]): FrameReference
  frameNumber(selector: string | string[]): number | null
  facts(contentCharacters: number): DocumentFacts
}

/** Defines the page API; `makeElementKey` is the function of that name. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function definePageApi(makeElementKey: () => (element: Element) => ElementKey): void {
  const keyOf = makeElementKey()
  const maxLinks = 5000
  const maxHtml = 4000
  const query = <E extends Element>(root: ParentNode, selector: string) =>
    (root === document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(
      root,
      selector,
    ) as NodeListOf<E>
  const read = (name: string): unknown =>
    Object.getOwnPropertyDescriptor(Document.prototype, name)?.get?.call(document)
  /** As it is by now: a page may move or set it while it comes to rest. */
  const base = () => Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI')!.get!.call(document) as string

  const count = (most: number): number => {
    // A page can name an element so, which then hides it.
    const shadow = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
    const roots: ParentNode[] = [document]
    let elements = 0
    for (const tree of roots) {
      const all = query(tree, '*')
      elements += all.length
      if (elements > most) break
      for (const element of all) {
        const root = shadow.get!.call(element) as ShadowRoot | null
        if (root) roots.push(root)
      }
    }
    return elements
  }

  const find = (target: string | string[]): Element | null => {
    let root: ParentNode = document
    let found: Element | null = null
    for (const selector of typeof target === 'string' ? [target] : target) {
      if (found) {
        if (!found.shadowRoot) return null
        root = found.shadowRoot
      }
      try {
        found = query(root, selector)[0] ?? null
      } catch {
        return null
      }
      if (!found) return null
    }
    return found
  }
  /** Elements that are a common component, each with its number. */
  const componentRoots = new Map<Element, number>()
  const componentOf = (element: Element): number | null => {
    for (let at: Node | null = element; at; at = at.parentNode ?? (at as Partial<ShadowRoot>).host ?? null) {
      const number = componentRoots.get(at as Element)
      if (number !== undefined) return number
    }
    return null
  }
  const elementsOf = (selector: string): Element[] => {
    const path = selector.startsWith('xpath=')
      ? selector.slice(6)
      : /^\(*\/\//.test(selector)
        ? selector
        : null
    try {
      if (path === null) return [...query(document, selector)]
      const found = Document.prototype.evaluate.call(document, path, document, null, 7, null)
      return Array.from({ length: Math.min(found.snapshotLength, 1000) }, (_, n) =>
        found.snapshotItem(n),
      ).filter((node): node is Element => node?.nodeType === 1)
    } catch {
      return []
    }
  }

  const referenceTo = (target: string | string[]): ElementReference => {
    const element = find(target)
    if (!element) return null
    const rect = Element.prototype.getBoundingClientRect.call(element)
    const box = { x: rect.x + scrollX, y: rect.y + scrollY, width: rect.width, height: rect.height }
    return { ...keyOf(element), box, component: componentOf(element) }
  }

  type AxeCheck = { message: string }
  type AxeNode = Omit<RawNode, 'any' | 'all' | 'none'> & {
    any: AxeCheck[]
    all: AxeCheck[]
    none: AxeCheck[]
  }
  type AxeRule = Omit<RawRule, 'nodes'> & { nodes: AxeNode[] }
  const messages = (checks: AxeCheck[]) => checks.map(({ message }) => message)
  const cut = ({ id, impact, help, description, helpUrl, tags, nodes }: AxeRule): RawRule => ({
    id,
    impact: impact ?? null,
    help,
    description,
    helpUrl,
    tags,
    nodes: nodes.map((node) => ({
      impact: node.impact ?? null,
      html: node.html.slice(0, maxHtml),
      target: node.target,
      any: messages(node.any),
      all: messages(node.all),
      none: messages(node.none),
    })),
  })

  const links = (): DocumentFacts['links'] => {
    const found: DocumentFacts['links'] = []
    const from = base()
    const add = (value: string | null, kind: DocumentFacts['links'][number]['kind']) => {
      const url = value === null || found.length >= maxLinks ? null : URL.parse(value.trim(), from)
      if (url && url.href.length <= maxHtml) found.push({ url: url.href, kind })
    }
    const visit = (root: ParentNode) => {
      for (const element of query(root, 'a, area, link[rel~="next" i], frameset frame[src]')) {
        const tag = element.localName
        const href =
          element.getAttribute(tag === 'frame' ? 'src' : 'href') ?? element.getAttribute('xlink:href')
        add(href, tag === 'area' || tag === 'frame' ? tag : tag === 'link' ? 'next' : 'anchor')
      }
      for (const element of query(root, '*')) if (element.shadowRoot) visit(element.shadowRoot)
    }
    visit(document)
    for (const meta of query(document, 'meta[http-equiv="refresh" i][content]')) {
      const target = /^[^;,]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '')
      add(target?.[1] ?? null, 'meta-refresh')
    }
    return found
  }

  const content = (characters: number): string => {
    const root = read('documentElement') as Element | null
    const html = root
      ? (Object.getOwnPropertyDescriptor(Element.prototype, 'outerHTML')!.get!.call(root) as string)
      : ''
    return `${read('doctype') === null ? '' : '<!DOCTYPE html>\n'}${html}`.slice(0, characters)
  }
  const isBinary = (): boolean => {
    const body = read('body') as Element | null
    const text = (body?.textContent ?? '').slice(0, 2000)
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    const strange = text.match(/[\0-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0
    return text.length > 0 && strange > text.length / 10
  }

  const canonical = (): string | null => {
    const href = query(document, 'link[rel~="canonical" i][href]')[0]?.getAttribute('href')
    return href ? (URL.parse(href.trim(), base())?.href ?? null) : null
  }

  const frames: Element[] = []
  const api: PageApi = {
    count,
    components(selectors) {
      componentRoots.clear()
      selectors.forEach((list, number) => {
        for (const element of list.flatMap(elementsOf))
          if (!componentRoots.has(element)) componentRoots.set(element, number)
      })
    },
    reduce(given) {
      const { violations, incomplete } = given as { violations: AxeRule[]; incomplete: AxeRule[] }
      const results = { violations: violations.map(cut), incomplete: incomplete.map(cut) }
      const nodes = [...results.violations, ...results.incomplete].flatMap((rule) => rule.nodes)
      return {
        results,
        elements: nodes.map(({ target }) => (target.length === 1 ? referenceTo(target[0]!) : null)),
      }
    },
    elements: (targets) => targets.map(referenceTo),
    frameReference(selector) {
      const element = find(selector)
      const reference = element && referenceTo(selector)
      if (!element || !reference) return null
      const { key, pattern, box, component } = reference
      const number = frames.push(element) - 1
      return { key, pattern, number, component, x: box.x + element.clientLeft, y: box.y + element.clientTop }
    },
    frameNumber(selector) {
      const element = find(selector)
      const number = element ? frames.indexOf(element) : -1
      return number < 0 ? null : number
    },
    facts: (contentCharacters) => ({
      title: (read('title') as string | undefined) ?? '',
      contentType: (read('contentType') as string | undefined) ?? '',
      binary: isBinary(),
      links: links(),
      canonical: canonical(),
      components: [...new Set(componentRoots.values())].sort((a, b) => a - b),
      content: contentCharacters > 0 ? content(contentCharacters) : null,
    }),
  }
  ;(globalThis as unknown as { clearwayPage: PageApi }).clearwayPage = api
}

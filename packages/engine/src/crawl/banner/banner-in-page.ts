// Functions that run inside scanned pages, in an isolated world. Each is sent as its own source text, so it must not
// reference anything outside of it.
import type { ButtonEffect, ConsentManager } from './managers.ts'

/** Input of a search for banners in one document. */
export type BannerQuery = {
  /** The scan's own selectors. */
  named: readonly string[]
  managers: readonly ConsentManager[]
  /** Expressions for the text of buttons; null to use only selectors. */
  words: { buttons: Readonly<Record<ButtonEffect, string>>; consent: string } | null
  /** True for a document that may be a banner as a whole: a frame, the target of a redirect. */
  isWhole: boolean
  maxButtons: number
}

export type BannerButton = {
  effect: ButtonEffect | 'named'
  text: string
  /** Selector that found it; null for words. */
  selector: string | null
  manager: string | null
  /** Path of the banner in the document; null if it is not known. */
  container: string | null
  /** Texts of the choices in the banner. */
  identity: string
  /** True if no switch in the banner is on that can be turned off. */
  isNeutral: boolean
  /** True if the banner has a button that agrees or refuses. */
  hasChoice: boolean
}

/** Buttons of the banners in a document, and whether each of the scan's own selectors matches a visible element. */
export type BannerSighting = { buttons: BannerButton[]; hasNamed: boolean[] }

/** Global with the elements of the last search. */
type BannerGlobal = { clearwayBannerButtons?: HTMLElement[] }

/** Finds the visible buttons of banners, through shadow roots. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function findBannersInPage(query: BannerQuery, searchRoots: readonly Node[]): BannerSighting {
  type Entry = { element: HTMLElement; effect: ButtonEffect | 'named'; selector: string | null; manager: ConsentManager | null }
  /** Visible content of an element. `prose`: its text outside of links and buttons. */
  type Region = { prose: string; isSmall: boolean }
  const maxAncestors = 60
  /** A banner has at most this much; an application that fills the window has more. */
  const maxBannerCharacters = 3000
  const maxBannerLinks = 20
  const maxBannerNodes = 5000
  const shadowDescriptor = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
  const queryAll = (root: Node, selector: string): Element[] => {
    try {
      const prototype = root === document ? Document.prototype : DocumentFragment.prototype
      return [...(prototype.querySelectorAll.call(root, selector) as NodeListOf<Element>)]
    } catch {
      return []
    }
  }
  // A page can name an element like a property, which would shadow it.
  const getParentNode = (node: Node) => Reflect.get(Node.prototype, 'parentNode', node) as Node | null
  const getParentElement = (element: Element) => Reflect.get(Node.prototype, 'parentElement', element) as Element | null
  const getPosition = (element: Element): number => {
    const parent = getParentElement(element)
    return parent ? [...(Reflect.get(Element.prototype, 'children', parent) as HTMLCollection)].indexOf(element) + 1 : 0
  }
  const documentElement = Reflect.get(Document.prototype, 'documentElement', document) as Element
  const maxSteps = 1000
  const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector)
  const getAncestors = (element: Element): Element[] => {
    const ancestors: Element[] = []
    for (let node: Node | null = element; node && ancestors.length < maxAncestors;) {
      if (node instanceof Element) ancestors.push(node)
      node = getParentNode(node) ?? (node as Partial<ShadowRoot>).host ?? null
    }
    return ancestors
  }
  const isShown = (element: Element): boolean => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element)
    return (
      width > 0 &&
      height > 0 &&
      Element.prototype.checkVisibility.call(element, { opacityProperty: true, visibilityProperty: true }) &&
      !getAncestors(element).some((ancestor) => matches(ancestor, '[inert], :disabled'))
    )
  }
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character)
  /** Most links of long pages have one of a few texts. */
  const normalizedTexts = new Map<string, string>()
  /** Lower case, without spaces and signs around it. */
  const normalize = (text: string | null | undefined): string => {
    const rawText = (text ?? '').slice(0, 200)
    const knownText = normalizedTexts.get(rawText)
    if (knownText !== undefined) return knownText
    const characters = Array.from(rawText.normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase())
    const lastIndex = characters.findLastIndex(isLetter) + 1
    const normalizedText = characters.slice(Math.max(0, characters.findIndex(isLetter)), lastIndex).join('')
    normalizedTexts.set(rawText, normalizedText)
    return normalizedText
  }
  const readAttribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name) ?? ''
  const readText = (element: Element) => Reflect.get(Node.prototype, 'textContent', element) as string | null
  const getText = (element: Element): string =>
    normalize(readText(element)) ||
    normalize(readAttribute(element, 'value')) ||
    normalize(readAttribute(element, 'aria-label')) ||
    normalize(readAttribute(element, 'title'))
  const toWhole = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u')
  const effects: readonly ButtonEffect[] = ['refuse', 'dismiss', 'save', 'open', 'accept']
  const effectWords = query.words && effects.map((effect) => [effect, toWhole(query.words!.buttons[effect])] as const)
  const consentPattern = query.words && new RegExp(query.words.consent, 'iu')
  const anyWord = query.words && toWhole(Object.values(query.words.buttons).join('|'))
  const getEffect = (text: string): ButtonEffect | null =>
    anyWord?.test(text) ? (effectWords?.find(([, pattern]) => pattern.test(text))?.[0] ?? null) : null
  const isDialog = (element: Element) =>
    matches(element, 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]')
  const isOverlay = (element: Element): boolean => isDialog(element) || /fixed|sticky/.test(getComputedStyle(element).position)
  const isNamedForConsent = (element: Element): boolean => {
    const names = `${readAttribute(element, 'id')} ${readAttribute(element, 'class')}`
    return names.length < 500 && /cookie|consent|gdpr|\bcmp\b/i.test(names) && !matches(element, 'html, body')
  }
  /** Nodes that are shown below a node, through shadow roots, up to a limit. */
  const listShownNodes = (top: Node): Node[] => {
    const nodes: Node[] = []
    const tops: Node[] = [top]
    const acceptNode = (node: Node) =>
      node instanceof Element &&
      (matches(node, 'script, style, noscript, template') ||
        (Reflect.get(Node.prototype, 'isConnected', node) && getComputedStyle(node).display === 'none'))
        ? 2
        : 1
    for (const subtree of tops) {
      // Elements and texts; 2 leaves out all below a node.
      const walker = Document.prototype.createTreeWalker.call(document, subtree, 5, { acceptNode })
      for (let node = walker.nextNode(); node && nodes.length <= maxBannerNodes; node = walker.nextNode()) {
        nodes.push(node)
        const shadowRoot = node instanceof Element ? (shadowDescriptor.get!.call(node) as ShadowRoot | null) : null
        if (shadowRoot) tops.push(shadowRoot)
      }
    }
    return nodes
  }
  const toText = (node: Node) => (node.nodeValue ?? '').replaceAll(/\s+/g, ' ')
  const isProse = (node: Node, container: Element): boolean => {
    for (let step = getParentNode(node); step && step !== container; step = getParentNode(step))
      if (step instanceof Element && matches(step, 'a, button, footer, [role="link"], [role="button"], [role="contentinfo"]'))
        return false
    return true
  }
  const countCharacters = (nodes: readonly Node[]) =>
    nodes.reduce((length, node) => length + (node instanceof Text ? toText(node).trim().length : 0), 0)
  let pageTextLength: number | null = null
  const hasMostText = (textLength: number): boolean =>
    textLength * 2 > (pageTextLength ??= countCharacters(listShownNodes(documentElement)))
  const readRegion = (container: Element): Region => {
    const nodes = listShownNodes(container)
    const ownShadow = shadowDescriptor.get!.call(container) as ShadowRoot | null
    if (ownShadow) nodes.push(...listShownNodes(ownShadow))
    const texts = nodes.filter((node) => node instanceof Text)
    const elements = nodes.filter((node) => node instanceof Element)
    const textLength = countCharacters(texts)
    const isDocument = container === documentElement
    const isSmall =
      nodes.length <= maxBannerNodes &&
      textLength <= maxBannerCharacters &&
      elements.filter((element) => matches(element, 'a[href]')).length <= maxBannerLinks &&
      !elements.some((element) =>
        matches(element, `nav, table, [role="navigation"], [role="grid"]${isDocument ? '' : ', main, [role="main"]'}`),
      ) &&
      (isDocument || isDialog(container) || !hasMostText(textLength))
    const prose = isSmall ? texts.flatMap((node) => (isProse(node, container) ? [toText(node)] : [])).join(' ') : ''
    return { isSmall, prose: `${readAttribute(container, 'aria-label')} ${prose}` }
  }
  const regions = new Map<Element, Region>()
  const getRegion = (container: Element): Region => {
    const region = regions.get(container) ?? readRegion(container)
    regions.set(container, region)
    return region
  }
  /** Elements around a button that may be its banner, the nearest first. */
  const listCandidates = (element: Element): Element[] => {
    const overlays = getAncestors(element)
      .slice(1)
      .filter((ancestor) => isOverlay(ancestor) || isNamedForConsent(ancestor))
    return query.isWhole ? [...overlays, documentElement] : overlays
  }
  const findContainer = (element: Element, manager: ConsentManager | null): Element | null => {
    const managed = manager && getAncestors(element).findLast((ancestor) => matches(ancestor, manager.container))
    return managed ?? listCandidates(element)[0] ?? null
  }
  const isOnScreen = (container: Element): boolean => {
    const box = Element.prototype.getBoundingClientRect.call(container)
    if (box.width === 0 || box.height === 0 || !/fixed/.test(getComputedStyle(container).position)) return true
    return box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight
  }
  const pathOf = (element: Element): string => {
    const getRoot = (node: Node) => Node.prototype.getRootNode.call(node)
    let step: Element | null = element
    for (let root = getRoot(step); root instanceof ShadowRoot; root = getRoot(step)) step = root.host
    const steps: string[] = []
    for (; step && step !== documentElement && steps.length < maxSteps; step = getParentElement(step)) {
      const id = readAttribute(step, 'id')
      if (id && queryAll(document, `#${CSS.escape(id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(id)}`)
        return steps.join(' > ')
      }
      steps.unshift(`:nth-child(${getPosition(step)})`)
    }
    return ['html', ...steps].join(' > ')
  }

  const entries: Entry[] = []
  const seenElements = new Set<Element>()
  const addEntry = (entry: Entry) => {
    if (seenElements.has(entry.element) || entries.length >= query.maxButtons || !isShown(entry.element)) return
    seenElements.add(entry.element)
    entries.push(entry)
  }
  const findNamed = (selector: string): Element[] => {
    const xpathText = selector.startsWith('xpath=') ? selector.slice(6) : /^\(*\/\//.test(selector) ? selector : null
    if (xpathText === null) return searchRoots.flatMap((root) => queryAll(root, selector))
    try {
      const node = Document.prototype.evaluate.call(document, xpathText, document, null, 9, null).singleNodeValue
      return node instanceof Element ? [node] : []
    } catch {
      return []
    }
  }
  const hasNamed = query.named.map((selector) => {
    const element = findNamed(selector).find((candidate) => candidate instanceof HTMLElement && isShown(candidate))
    if (element) addEntry({ element: element as HTMLElement, effect: 'named', selector, manager: null })
    return element !== undefined
  })
  /** Ids are distinctive: a site may show a manager's button in a box of its own. */
  const listIds = (selector: string) => selector.split(', ').filter((part) => part.startsWith('#'))
  const getPresenceSelector = (manager: ConsentManager) =>
    [manager.container, ...effects.flatMap((effect) => listIds(manager[effect] ?? ''))].join(',')
  const isPresent = (selector: string) => searchRoots.some((root) => queryAll(root, selector).length > 0)
  const hasManager = query.managers.length > 0 && isPresent(query.managers.map(getPresenceSelector).join(','))
  const presentManagers = hasManager ? query.managers.filter((manager) => isPresent(getPresenceSelector(manager))) : []
  for (const manager of presentManagers)
    for (const effect of effects) {
      const selector = manager[effect]
      if (selector === undefined) continue
      for (const element of searchRoots.flatMap((root) => queryAll(root, selector))) {
        if (!(element instanceof HTMLElement)) continue
        const isById = listIds(selector).some((id) => matches(element, id))
        if (!isById && !getAncestors(element).some((ancestor) => matches(ancestor, manager.container))) continue
        // A site can give a button of a manager another meaning.
        const wordEffect = getEffect(getText(element))
        const isAgreeing = effect !== 'accept' && wordEffect === 'accept'
        const isOpening = effect === 'refuse' && wordEffect === 'open'
        addEntry({ element, effect: isAgreeing ? 'accept' : isOpening ? 'open' : effect, selector, manager })
      }
    }
  const buttonSelector =
    'button, [role="button"], input[type="button"], input[type="submit"], a:not([href]), a[href=""], a[href^="#"], a[href^="javascript:" i]'
  const wordButtons: { element: HTMLElement; effect: ButtonEffect; text: string; ancestors: Element[] }[] = []
  if (query.words)
    for (const element of searchRoots.flatMap((root) => queryAll(root, buttonSelector)).slice(0, 3000)) {
      if (!(element instanceof HTMLElement) || wordButtons.length >= query.maxButtons) continue
      const text = getText(element)
      const effect = getEffect(text)
      if (effect !== null && isShown(element)) wordButtons.push({ element, effect, text, ancestors: getAncestors(element) })
    }
  const cookiePattern = /cookie|クッキー|traceurs/iu
  /** Without a known manager, only a small box that asks for consent, and leaves a choice, is a banner. */
  const isBanner = (container: Element, { effect, text }: (typeof wordButtons)[number], hasPair: boolean): boolean => {
    const { isSmall, prose } = getRegion(container)
    if (!isSmall || !isOnScreen(container)) return false
    if (effect === 'dismiss') return isOverlay(container) || container === documentElement
    const choices = wordButtons.filter(({ ancestors }) => ancestors.includes(container))
    const choiceTexts = choices.filter((choice) => /accept|refuse/.test(choice.effect)).map((choice) => choice.text)
    const mentionsCookies = cookiePattern.test(`${prose} ${choiceTexts.join(' ')}`)
    if (!mentionsCookies && !consentPattern!.test(prose)) return false
    if (!hasPair) return effect === 'accept'
    // Applications have buttons named “Reject”, and speak of the privacy of others.
    const isPlainWord = effect !== 'accept' && !text.includes(' ')
    return (
      (mentionsCookies || !isPlainWord) &&
      choices.some((choice) => choice.effect === 'accept') &&
      choices.some((choice) => /refuse|open|save/.test(choice.effect))
    )
  }
  const wordContainers = new Map<Element, Element>()
  for (const button of wordButtons) {
    const { element, effect, ancestors } = button
    if (seenElements.has(element)) continue
    const manager = presentManagers.find(({ container }) => ancestors.some((ancestor) => matches(ancestor, container))) ?? null
    const candidates = manager ? [] : listCandidates(element)
    const container = manager
      ? findContainer(element, manager)
      : (candidates.find((candidate) => isBanner(candidate, button, true)) ??
        candidates.find((candidate) => isBanner(candidate, button, false)))
    if (!container || (manager && !isOnScreen(container))) continue
    wordContainers.set(element, container)
    addEntry({ element, effect, selector: null, manager })
  }

  const containers = entries.map(({ element, manager }) => wordContainers.get(element) ?? findContainer(element, manager))
  const switchSelector =
    'input:checked:not(:disabled), [role="switch"][aria-checked="true"]:not([aria-disabled="true"]), [role="checkbox"][aria-checked="true"]:not([aria-disabled="true"])'
  const activeSwitches = entries.some(({ effect }) => effect === 'save')
    ? searchRoots.flatMap((root) => queryAll(root, switchSelector))
    : []
  const switchContainers = activeSwitches.slice(0, 500).map((element) => getAncestors(element))
  ;(globalThis as BannerGlobal).clearwayBannerButtons = entries.map(({ element }) => element)
  return {
    hasNamed,
    buttons: entries.map(({ element, effect, selector, manager }, entryIndex) => {
      const container = containers[entryIndex] ?? null
      const siblings = entries.filter((_, index) => container !== null && containers[index] === container)
      return {
        effect,
        text: (readText(element)?.trim() || readAttribute(element, 'value') || readAttribute(element, 'aria-label'))
          .replaceAll(/\s+/g, ' ')
          .slice(0, 80),
        selector,
        manager: manager?.name ?? null,
        container: container && pathOf(container),
        identity: `${manager?.name ?? ''} ${siblings
          .map((sibling) => getText(sibling.element))
          .sort()
          .join(' | ')}`.trim(),
        isNeutral: container === null || !switchContainers.some((ancestors) => ancestors.includes(container)),
        hasChoice: siblings.some((sibling) => sibling.effect === 'accept' || sibling.effect === 'refuse'),
      }
    }),
  }
}

/** Clicks a button of the last search. */
export function clickBannerInPage(index: number): void {
  const element = (globalThis as BannerGlobal).clearwayBannerButtons?.[index]
  if (element) HTMLElement.prototype.click.call(element)
}

/** Returns true if a button of the last search is no longer shown. */
export function isBannerGoneInPage(index: number): boolean {
  const element = (globalThis as BannerGlobal).clearwayBannerButtons?.[index]
  if (!element) return true
  const { width, height } = Element.prototype.getBoundingClientRect.call(element)
  const visibility = { opacityProperty: true, visibilityProperty: true }
  return width === 0 || height === 0 || !Element.prototype.checkVisibility.call(element, visibility)
}

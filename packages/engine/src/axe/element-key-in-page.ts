import type { NamePatterns } from './name-patterns-in-page.ts'

// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Identity of an element: an exact key, and the pattern that a template repeats on many pages. The key is a location, and, after
 * a tab, the traits by which a person recognizes the element (`splitElementKey` of the contract).
 */
export type ElementKey = {
  key: string
  pattern: string
  /** Location by the method of versions that had no traits; issues of their runs are found by it. */
  previousKey: string
}

/**
 * Creates the function that computes element keys that survive harmless edits. The location is the nearest stable anchor, the
 * tag path below it, and the element itself, without class names, texts (except landmark labels), generated values and axe's
 * selectors. Traits are hashes of the name, text, target and picture of the element, and of the texts around it.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeElementKey(
  removeNumbers: (text: string) => string,
  { generatedPatterns, previousPatterns, stateWord, otherAttribute }: NamePatterns,
  hashText: (text: string) => string,
): (element: Element) => ElementKey {
  const testIdAttributes = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
  const landmarkNames =
    'main=main nav=navigation header=banner footer=contentinfo aside=complementary search=search form=form dialog=dialog'
  const landmarkRolesByTag = new Map(landmarkNames.split(' ').map((pair) => pair.split('=') as [string, string]))
  const landmarkRoles = new Set([...landmarkRolesByTag.values(), 'region', 'alertdialog'])

  // Form fields can shadow properties and methods of their form, so prototypes are used.
  const getAttribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name)
  const bindGetter = <T>(prototype: object, name: string) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!
    return (node: Node): T => descriptor.get!.call(node) as T
  }
  const getTagName = bindGetter<string>(Element.prototype, 'localName')
  const getParentElement = bindGetter<Element | null>(Node.prototype, 'parentElement')
  const getPreviousElement = bindGetter<Element | null>(Element.prototype, 'previousElementSibling')
  const getChildNodes = bindGetter<NodeListOf<ChildNode>>(Node.prototype, 'childNodes')
  const getData = bindGetter<string>(CharacterData.prototype, 'data')
  const siblingGetters = {
    previous: bindGetter<Node | null>(Node.prototype, 'previousSibling'),
    next: bindGetter<Node | null>(Node.prototype, 'nextSibling'),
  }
  /** The first elements in an element; it may contain a whole page. */
  const listDescendants = (element: Element, tagName: string, maxCount: number): Element[] => {
    const elements = Element.prototype.getElementsByTagName.call(element, tagName)
    const descendants: Element[] = []
    for (let index = 0; index < maxCount && elements[index]; index++) descendants.push(elements[index]!)
    return descendants
  }
  const getRootNode = (element: Element) => Node.prototype.getRootNode.call(element)

  const toStableValue = (value: string | null, patterns: readonly RegExp[]): string | null =>
    value !== null && value !== '' && value.length <= 100 && !patterns.some((pattern) => pattern.test(value)) ? value : null
  const getStableLabel = (element: Element): string => {
    const labelText = (getAttribute(element, 'aria-label') ?? '').trim()
    return /\d/.test(labelText) || labelText.length > 60 ? '' : labelText
  }

  /** A test id, id or name that a person gave. */
  const findOwnAnchor = (element: Element, patterns: readonly RegExp[]): string | null => {
    for (const name of testIdAttributes) {
      const stableValue = toStableValue(getAttribute(element, name), patterns)
      if (stableValue !== null) return `[${name}=${stableValue}]`
    }
    const stableId = toStableValue(getAttribute(element, 'id'), patterns)
    if (stableId !== null) return `#${stableId}`
    const stableName = toStableValue(getAttribute(element, 'name'), patterns)
    return stableName === null ? null : `${getTagName(element)}[name=${stableName}]`
  }
  const findAnchor = (element: Element, patterns: readonly RegExp[]): string | null => {
    const ownAnchor = findOwnAnchor(element, patterns)
    if (ownAnchor !== null) return ownAnchor
    const tagName = getTagName(element)
    const elementRole = getAttribute(element, 'role') ?? landmarkRolesByTag.get(tagName) ?? ''
    return landmarkRoles.has(elementRole) ? `${elementRole}(${getStableLabel(element)})` : null
  }

  const knownPositions = new WeakMap<Element, number>()
  /** Position among siblings with the same tag, starting at 1. Kept, because flagged elements share ancestors. */
  const computePosition = (element: Element, tag: string): number => {
    let position = knownPositions.get(element) ?? 0
    if (position > 0) return position
    for (let sibling: Element | null = element; sibling; sibling = getPreviousElement(sibling))
      if (getTagName(sibling) === tag) position += 1
    knownPositions.set(element, position)
    return position
  }

  const getResourcePath = (element: Element): string => {
    const resourceValue = getAttribute(element, 'href') ?? getAttribute(element, 'src')
    if (resourceValue === null || resourceValue.length > 2000) return ''
    const resourceUrl = URL.parse(resourceValue, bindGetter<string>(Node.prototype, 'baseURI')(element))
    if (!resourceUrl || !/^https?:$/.test(resourceUrl.protocol))
      return resourceValue.startsWith('#') ? '#' : (resourceUrl?.protocol ?? '')
    const stablePath = resourceUrl.pathname.replace(/[._-]?(?=[0-9a-z]*\d)[0-9a-f]{8,}/gi, '*').slice(0, 300)
    return (resourceUrl.origin === location.origin ? '' : resourceUrl.host) + stablePath
  }

  const buildPaths = (element: Element, patterns: readonly RegExp[]): { exact: string[]; loose: string[] } => {
    const exactPath: string[] = []
    const loosePath: string[] = []
    for (let ancestor: Element | null = element; ancestor; ancestor = getParentElement(ancestor)) {
      const anchorKey = findAnchor(ancestor, patterns)
      const tagName = getTagName(ancestor)
      if (anchorKey !== null || tagName === 'body' || tagName === 'html') {
        exactPath.unshift(anchorKey ?? tagName)
        loosePath.unshift(anchorKey ?? tagName)
        break
      }
      exactPath.unshift(`${tagName}:${computePosition(ancestor, tagName)}`)
      loosePath.unshift(tagName)
    }
    return { exact: exactPath, loose: loosePath }
  }

  /** Texts that were read, since flagged elements share regions. Keys are computed at one moment. */
  const textsByLength = new Map<number, WeakMap<Node, string>>()
  /** Text of an element without white space at its ends; at most `maxLength` letters. */
  const readText = (root: Node, maxLength: number): string => {
    const cachedTexts = textsByLength.get(maxLength)?.get(root)
    if (cachedTexts !== undefined) return cachedTexts
    let text = ''
    let remainingNodes = 2000
    const addNode = (node: Node, depth: number) => {
      if (--remainingNodes < 0 || depth > 100) return
      if (node instanceof Text) text += getData(node)
      else if (node instanceof Element && !/^(script|style|template|noscript|option)$/.test(getTagName(node))) {
        for (const child of getChildNodes(node)) {
          if (text.length > 2 * maxLength) return
          addNode(child, depth + 1)
        }
        text += ' '
      }
    }
    addNode(root, 0)
    const shortText = text.replace(/\s+/g, ' ').trim().slice(0, maxLength)
    if (!textsByLength.has(maxLength)) textsByLength.set(maxLength, new WeakMap())
    textsByLength.get(maxLength)!.set(root, shortText)
    return shortText
  }

  /**
   * Adds the trait of a text under a small letter. If it has numbers, also adds it without them under the capital letter, since
   * counts, prices and dates change.
   */
  const addTrait = (traits: Set<string>, kind: string, value: string) => {
    const text = value.replace(/\s+/g, ' ').trim().slice(0, 400)
    if (text === '') return
    const plainText = removeNumbers(text)
    // A number alone is a count or an index.
    if (/\p{L}/u.test(plainText)) traits.add(kind + hashText(text))
    if (plainText !== text) traits.add(kind.toUpperCase() + hashText(plainText))
  }

  const maxRegionLength = 400
  /** Kinds of traits that tell of another order: the words of a text, sorted, when several elements hold it. */
  const wordKinds: Readonly<Record<string, string>> = { f: 'j', e: 'k', d: 'm', b: 'v' }
  const wordHashes = new WeakMap<Node, string>()
  /** Hash of the words of a text in any order; empty unless several elements hold several words. Kept, like texts. */
  const hashWords = (node: Node | null): string => {
    if (!(node instanceof Element)) return ''
    if (wordHashes.has(node)) return wordHashes.get(node)!
    const isList = listDescendants(node, '*', 2).length > 1
    const words = isList ? removeNumbers(readText(node, maxRegionLength)).split(/\s+/).sort() : []
    const wordHash = words.length > 1 ? hashText(words.join(' ')) : ''
    wordHashes.set(node, wordHash)
    return wordHash
  }
  /** Adds the trait of a text and, if several elements hold it, that of its words in any order: a list may be reversed. */
  const addTextTrait = (traits: Set<string>, kind: string, { text, node }: { text: string; node: Node | null }) => {
    addTrait(traits, kind, text)
    const wordHash = hashWords(node)
    if (wordHash !== '') traits.add(wordKinds[kind] + wordHash)
  }

  const findById = (element: Element, id: string): Element | null => {
    const rootNode = getRootNode(element)
    const selector = `#${CSS.escape(id)}`
    if (rootNode === document) return Document.prototype.querySelector.call(document, selector)
    return rootNode instanceof ShadowRoot ? DocumentFragment.prototype.querySelector.call(rootNode, selector) : null
  }
  /** Texts that name an element: by ARIA, labels, and its attributes. */
  const readNames = (element: Element): string[] => {
    const labelIds = (getAttribute(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean).slice(0, 5)
    const labelTexts = labelIds.map((id) => findById(element, id)).map((label) => (label ? readText(label, 100) : ''))
    const fieldClass = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement].find(
      (one) => element instanceof one,
    )
    if (fieldClass)
      for (const label of [...(bindGetter<NodeList | null>(fieldClass.prototype, 'labels')(element) ?? [])].slice(0, 3))
        labelTexts.push(readText(label, 100))
    const isButton = /^(button|submit|reset|image)$/.test(getAttribute(element, 'type') ?? '')
    const names = ['aria-label', 'alt', 'title', 'placeholder', 'label', 'heading', ...(isButton ? ['value'] : [])]
    return [...labelTexts, ...names.map((name) => getAttribute(element, name) ?? '')].filter((text) => text.trim() !== '')
  }

  const readClassWords = (element: Element): string =>
    (getAttribute(element, 'class') ?? '')
      .split(/\s+/)
      .filter((word) => !stateWord.test(word) && !/__|[A-Z].*[A-Z]/.test(word) && toStableValue(word, generatedPatterns) !== null)
      .sort()
      .join(' ')
  const graphicAttributes = ['d', 'points', 'href', 'xlink:href', 'src', 'srcset', 'alt', 'viewBox', 'icon', 'data-icon']
  /** Shapes, pictures and class words of an element and of the first elements in it. */
  const addAppearance = (traits: Set<string>, element: Element) => {
    const descendants = listDescendants(element, '*', 30)
    const innerWords = descendants.map(readClassWords)
    // Icon fonts draw the words of a class.
    const iconWords = innerWords.filter((_, index) => readText(descendants[index]!, 10) === '')
    const graphics = descendants.flatMap((one) =>
      graphicAttributes.flatMap((name) => {
        const value = getAttribute(one, name)
        return value === null
          ? []
          : [`${name}=${value.startsWith('#') ? (toStableValue(value, generatedPatterns) ?? '') : value.slice(0, 500)}`]
      }),
    )
    const picture = [...graphics, ...iconWords].filter((word) => word !== '').join(' ')
    if (picture !== '') traits.add(`p${hashText(picture)}`)
    const classWords = [readClassWords(element), ...innerWords].filter((words) => words !== '')
    if (classWords.length > 0) traits.add(`c${hashText(classWords.join(' > '))}`)
  }
  /** Names and values of attributes that a person wrote. */
  const listGivenAttributes = (element: Element): string[] =>
    (Element.prototype.getAttributeNames.call(element) as string[]).slice(0, 30).flatMap((name) => {
      const value = otherAttribute.test(name) ? null : getAttribute(element, name)
      return value === null || value === '' || toStableValue(value, generatedPatterns) === null ? [] : [`${name}=${value}`]
    })
  const addTarget = (traits: Set<string>, element: Element) => {
    const reference = getAttribute(element, 'href') ?? getAttribute(element, 'src') ?? ''
    if (reference === '' || reference === '#') return
    const fragment = reference.startsWith('#') ? toStableValue(reference, generatedPatterns) : null
    if (fragment !== null) traits.add(`h${hashText(fragment)}`)
    if (reference.startsWith('#')) return
    // A query may hold the number of a session: with it, the target is the same; without it, it may be.
    const hasQuery = reference.includes('?')
    traits.add((hasQuery ? 'H' : 'h') + hashText(getResourcePath(element) || reference.split('?', 1)[0]!))
    if (hasQuery || reference.startsWith('data:')) traits.add(`h${hashText(reference.slice(0, 2000))}`)
  }
  /** Own traits: anchor, names, text, target and appearance. */
  const addOwnTraits = (traits: Set<string>, element: Element, ownText: string) => {
    const ownAnchor = findOwnAnchor(element, generatedPatterns)
    if (ownAnchor !== null) traits.add(`i${hashText(ownAnchor)}`)
    for (const name of readNames(element)) addTrait(traits, 'n', name)
    const childCount = listDescendants(element, '*', 6).length
    // The text of a container is not its name: it changes with each element in it.
    addTrait(traits, childCount <= 5 && ownText.length <= 200 ? 't' : 'u', ownText.slice(0, 200))
    for (const attribute of listGivenAttributes(element).slice(0, 4)) traits.add(`a${hashText(attribute)}`)
    const options = listDescendants(element, 'option', 5).map((option) => option.textContent ?? '')
    addTrait(traits, 'a', options.join(' '))
    addTarget(traits, element)
    addAppearance(traits, element)
  }

  /** Kinds of the text around an element and of the first text there, from the innermost region to the outermost. */
  const regionKinds = ['rf', 'se', 'qd']
  const getHost = (element: Element): Element | null => {
    const rootNode = getRootNode(element)
    return rootNode instanceof ShadowRoot ? rootNode.host : null
  }
  /** Names that an element or a component gives to what is in it. */
  const readRegionNames = (region: Element): string => {
    const names = ['label', 'aria-label', 'heading', 'title'].map((name) => getAttribute(region, name) ?? '')
    return names.join(' ').trim()
  }
  /** A text, and the node that holds it. */
  type SurroundingText = { text: string; node: Node | null }
  const noText: SurroundingText = { text: '', node: null }
  /**
   * Nearest text among the siblings before an element; after it for a checkbox or radio button. Boxes around the element that
   * have no other text do not count.
   */
  const findAdjacent = (element: Element): SurroundingText => {
    const direction = /^(checkbox|radio)$/.test(getAttribute(element, 'type') ?? '') ? 'next' : 'previous'
    const ownText = readText(element, 120)
    let inside: Element | null = element
    for (let level = 0; inside && level < 4; level++) {
      let sibling = siblingGetters[direction](inside)
      for (let step = 0; sibling && step < 8; step++) {
        const text = readText(sibling, 120)
        if (text !== '') return { text, node: sibling }
        sibling = siblingGetters[direction](sibling)
      }
      inside = getParentElement(inside)
      if (inside && (readRegionNames(inside) !== '' || readText(inside, 120) !== ownText)) return noText
    }
    return noText
  }
  /** Nearest heading before an element, or before one of its ancestors. */
  const readHeading = (element: Element): string => {
    for (let ancestor: Element | null = element, level = 0; ancestor && level < 8; ancestor = getParentElement(ancestor), level++)
      for (
        let sibling = siblingGetters.previous(ancestor), step = 0;
        sibling && step < 30;
        sibling = siblingGetters.previous(sibling), step++
      )
        if (sibling instanceof Element && /^(h[1-6]|legend|caption|summary|dt)$/.test(getTagName(sibling)))
          return readText(sibling, 120)
    return ''
  }
  /** First text in an element outside of another one: the title of a card, the first cell of a row. */
  const findFirstText = (region: Element, except: Element): SurroundingText => {
    for (const child of getChildNodes(region)) {
      if (child === except) continue
      const firstText =
        child instanceof Element && Node.prototype.contains.call(child, except)
          ? findFirstText(child, except)
          : { text: readText(child, 120), node: child }
      if (firstText.text !== '') return firstText
    }
    return noText
  }
  /** Adds the links, pictures and given attributes of the innermost region that has any; returns true if it has. */
  const addRegionLinks = (traits: Set<string>, region: Element, except: Element): boolean => {
    const resources = listDescendants(region, '*', 40)
      .filter((one) => /^(a|img|area|iframe|video)$/.test(getTagName(one)))
      .filter((one) => !Node.prototype.contains.call(except, one) && !Node.prototype.contains.call(one, except))
      .map(getResourcePath)
    const links = [...resources.filter((path) => path.length > 1).slice(0, 3), ...listGivenAttributes(region).slice(0, 3)]
    for (const link of links) traits.add(`l${hashText(link)}`)
    return links.length > 0
  }
  /** Exact markup of an element and what is around it, with all ids: whatever moves, changes it. */
  const addMarkup = (traits: Set<string>, element: Element) => {
    const parent = getParentElement(element)
    const regions = [element, parent, parent && getParentElement(parent)].filter((region) => region !== null)
    const listAttributes = (one: Element) =>
      (Element.prototype.getAttributeNames.call(one) as string[]).map(
        (name) => `${name}=${getAttribute(one, name)?.slice(0, 200)}`,
      )
    const attributes = [...regions, ...listDescendants(regions.at(-1)!, '*', 40)].map((one) => listAttributes(one).join(' '))
    traits.add(`x${hashText(attributes.join('\n'))}`)
  }
  /** Traits of what surrounds an element: the texts of its row, card and section, a nearby text, and the heading. */
  const addSurroundings = (traits: Set<string>, element: Element, ownText: string) => {
    let previousText = ''
    let regionNames = ''
    let regionCount = 0
    let hasLinks = false
    let inside = element
    for (let level = 0; level < 12; level++) {
      const kinds = regionKinds[regionCount]
      if (!kinds) break
      const region: Element | null = getParentElement(inside) ?? getHost(inside)
      if (!region) break
      const regionText = readText(region, maxRegionLength)
      if (regionText.length >= maxRegionLength) break
      regionNames = `${regionNames} ${readRegionNames(region)}`.trim()
      const otherText = `${regionNames} ${regionText.replace(ownText, ' ')}`.replace(/\s+/g, ' ').trim()
      if (otherText !== '' && otherText !== previousText) {
        addTrait(traits, kinds[0]!, otherText)
        addTextTrait(traits, kinds[1]!, regionNames ? { text: regionNames, node: null } : findFirstText(region, element))
        regionCount += 1
      }
      if (!hasLinks && level < 5) hasLinks = addRegionLinks(traits, region, element)
      previousText = otherText
      inside = region
    }
    addTextTrait(traits, 'b', findAdjacent(element))
    addTrait(traits, 'g', readHeading(element))
  }
  const computeTraits = (element: Element): string => {
    const traits = new Set<string>()
    const ownText = readText(element, maxRegionLength)
    addOwnTraits(traits, element, ownText)
    addSurroundings(traits, element, ownText)
    addMarkup(traits, element)
    return [...traits].sort().join('.')
  }

  const computeLocation = (element: Element, patterns: readonly RegExp[]): Pick<ElementKey, 'key' | 'pattern'> => {
    const hostElement = getHost(element)
    const hostLocation = hostElement && computeLocation(hostElement, patterns)
    const { exact: exactPath, loose: loosePath } = buildPaths(element, patterns)
    const ownDescription = [
      getAttribute(element, 'role') ?? '',
      getAttribute(element, 'type') ?? '',
      getResourcePath(element),
    ].join('|')
    const prefixKey = (key: string | undefined) => (key === undefined ? '' : `${key} >>> `)
    return {
      key: `${prefixKey(hostLocation?.key)}${exactPath.join('>')}|${ownDescription}`,
      pattern: `${prefixKey(hostLocation?.pattern)}${loosePath.join('>')}|${ownDescription}`,
    }
  }
  return (element) => {
    const { key, pattern } = computeLocation(element, generatedPatterns)
    return {
      key: `${key}\t${computeTraits(element)}`,
      pattern,
      previousKey: computeLocation(element, previousPatterns).key,
    }
  }
}

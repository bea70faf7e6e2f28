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
export function makeElementKey(): (element: Element) => ElementKey {
  // A number in an id may be a counter, which shifts with each component inserted before it, so no such id is an anchor.
  const generatedPatterns = [
    /\d/,
    /[0-9a-f]{8,}/i,
    // Ids of React's `useId`, whose counters may have no digit.
    /(^|[^a-z]):?r[a-z]*:/i,
    /«r[a-z]*»/i,
    /_r_[a-z]*_/i,
    /^(radix|headlessui|react-aria|mantine|ember|yui|downshift|floating-ui|css|sc|svelte|jss|mui|uid|tmp|gen)[-_:]/i,
    /__(?=[a-z]*[A-Z])[a-zA-Z]{5,}$/,
    // Random letters: words without vowels, or letters that change their case at random.
    /(^|[^a-z])[bcdfghjklmnpqrstvwxz]{6,}([^a-z]|$)/i,
    /[bcdfghjklmnpqrstvwxz]{7,}/i,
    /[a-z][A-Z]{1,2}[a-z]{1,2}[A-Z]{1,2}[a-z]{1,2}[A-Z]/,
  ]
  /** Those of the previous method. */
  const previousPatterns = [
    /\d{4,}/,
    /[0-9a-f]{8,}/i,
    /^:?r[0-9a-z]*:?$/,
    /:r[0-9a-z]+:/,
    /^radix-/,
    /^ember\d+/,
    /^(css|sc)-/,
    /__[0-9a-zA-Z]{5,}$/,
    /^(mui|headlessui|react-aria|ui-id|yui|gen|uid|auto|tmp)[-_:]?\d*/i,
  ]
  const testIdAttributes = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
  const landmarkRolesByTag: ReadonlyMap<string, string> = new Map(
    Object.entries({
      main: 'main',
      nav: 'navigation',
      header: 'banner',
      footer: 'contentinfo',
      aside: 'complementary',
      search: 'search',
      form: 'form',
      dialog: 'dialog',
    }),
  )
  const landmarkRoles = new Set([...landmarkRolesByTag.values(), 'region', 'alertdialog'])

  // Form fields can shadow properties and methods of their form, so prototypes are used.
  const getAttribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name)
  const readInherited = <T>(prototype: object, name: string, element: Node): T =>
    Object.getOwnPropertyDescriptor(prototype, name)!.get!.call(element) as T
  const getTagName = (element: Element) => readInherited<string>(Element.prototype, 'localName', element)
  const getParentElement = (element: Element) => readInherited<Element | null>(Node.prototype, 'parentElement', element)
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

  /** Position among siblings with the same tag, starting at 1. */
  const computePosition = (element: Element, tag: string): number => {
    let position = 1
    let previousSibling = readInherited<Element | null>(Element.prototype, 'previousElementSibling', element)
    while (previousSibling) {
      if (getTagName(previousSibling) === tag) position += 1
      previousSibling = readInherited<Element | null>(Element.prototype, 'previousElementSibling', previousSibling)
    }
    return position
  }

  const getResourcePath = (element: Element): string => {
    const resourceValue = getAttribute(element, 'href') ?? getAttribute(element, 'src')
    if (resourceValue === null || resourceValue.length > 2000) return ''
    const resourceUrl = URL.parse(resourceValue, readInherited<string>(Node.prototype, 'baseURI', element))
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

  /** @source FNV-1a, with the 32-bit offset basis and prime */
  const hashText = (text: string): string => {
    let hash = 0x811c9dc5
    for (let charIndex = 0; charIndex < text.length; charIndex++) hash = Math.imul(hash ^ text.charCodeAt(charIndex), 0x01000193)
    return (hash >>> 0).toString(36)
  }
  const getChildNodes = (node: Node) => readInherited<NodeListOf<ChildNode>>(Node.prototype, 'childNodes', node)
  /** Text of an element without white space at its ends; at most `maxLength` letters. */
  const readText = (root: Node, maxLength: number): string => {
    let text = ''
    const addNode = (node: Node) => {
      if (node.nodeType === 3) text += readInherited<string>(CharacterData.prototype, 'data', node)
      else if (node.nodeType === 1 && !/^(script|style|template|noscript|option)$/.test(getTagName(node as Element))) {
        for (const child of getChildNodes(node)) {
          if (text.length > 2 * maxLength) return
          addNode(child)
        }
        text += ' '
      }
    }
    addNode(root)
    return text.replace(/\s+/g, ' ').trim().slice(0, maxLength)
  }

  /**
   * Adds the trait of a text under a small letter. If it has numbers, also adds it without them under the capital letter, since
   * counts, prices and dates change.
   */
  const addTrait = (traits: Set<string>, kind: string, value: string) => {
    const text = value.replace(/\s+/g, ' ').trim().slice(0, 400)
    if (text === '') return
    const plainText = text.replace(/\d+([.,:/-]\d+)*/g, '0')
    traits.add(kind + hashText(text))
    if (plainText !== text) traits.add(kind.toUpperCase() + hashText(plainText))
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
      for (const label of [...(readInherited<NodeList | null>(fieldClass.prototype, 'labels', element) ?? [])].slice(0, 3))
        labelTexts.push(readText(label, 100))
    const isButton = /^(button|submit|reset|image)$/.test(getAttribute(element, 'type') ?? '')
    const names = ['aria-label', 'alt', 'title', 'placeholder', 'label', 'heading', ...(isButton ? ['value'] : [])]
    return [...labelTexts, ...names.map((name) => getAttribute(element, name) ?? '')].filter((text) => text.trim() !== '')
  }

  // Words of states move from element to element.
  const stateWord =
    /^(is|has|ng|js|v)-|^(active|current|selected|open|opened|closed|show|shown|hide|hidden|visible|disabled|enabled|focus|focused|hover|pressed|checked|expanded|collapsed|collapse|first|last|odd|even|in|on|off)$/i
  const readClassWords = (element: Element): string =>
    (getAttribute(element, 'class') ?? '')
      .split(/\s+/)
      .filter((word) => !stateWord.test(word) && !/__|[A-Z].*[A-Z]/.test(word) && toStableValue(word, generatedPatterns) !== null)
      .sort()
      .join(' ')
  const graphicAttributes = ['d', 'points', 'href', 'xlink:href', 'src', 'srcset', 'alt', 'viewBox', 'icon', 'data-icon']
  /** Shapes, pictures and class words of an element and of the first elements in it. */
  const addAppearance = (traits: Set<string>, element: Element) => {
    const descendants = [...(Element.prototype.getElementsByTagName.call(element, '*') as HTMLCollectionOf<Element>)].slice(0, 30)
    const graphics = descendants.flatMap((one) =>
      graphicAttributes.flatMap((name) => {
        const value = getAttribute(one, name)
        return value === null
          ? []
          : [`${name}=${value.startsWith('#') ? (toStableValue(value, generatedPatterns) ?? '') : value.slice(0, 500)}`]
      }),
    )
    if (graphics.length > 0) traits.add(`p${hashText(graphics.join(' '))}`)
    const classWords = [element, ...descendants].map(readClassWords).filter((words) => words !== '')
    if (classWords.length > 0) traits.add(`c${hashText(classWords.join(' > '))}`)
  }
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
    const childCount = Element.prototype.getElementsByTagName.call(element, '*').length
    // The text of a container is not its name: it changes with each element in it.
    addTrait(traits, childCount <= 5 && ownText.length <= 200 ? 't' : 'u', ownText.slice(0, 200))
    addTarget(traits, element)
    addAppearance(traits, element)
  }

  const maxRegions = 3
  const maxRegionLength = 400
  const getHost = (element: Element): Element | null => {
    const rootNode = getRootNode(element)
    return rootNode instanceof ShadowRoot ? rootNode.host : null
  }
  const getSibling = (node: Node, name: 'previousSibling' | 'nextSibling') =>
    readInherited<Node | null>(Node.prototype, name, node)
  /** Names that an element or a component gives to what is in it. */
  const readRegionNames = (region: Element): string =>
    ['label', 'aria-label', 'heading', 'title']
      .map((name) => getAttribute(region, name) ?? '')
      .join(' ')
      .trim()
  /**
   * Nearest text among the siblings before an element; after it for a checkbox or radio button. Boxes around the element that
   * have no other text do not count.
   */
  const readAdjacent = (element: Element): string => {
    const direction = /^(checkbox|radio)$/.test(getAttribute(element, 'type') ?? '') ? 'nextSibling' : 'previousSibling'
    const ownText = readText(element, 120)
    let inside: Element | null = element
    for (let level = 0; inside && level < 4; level++) {
      let sibling = getSibling(inside, direction)
      for (let step = 0; sibling && step < 8; step++) {
        const text = readText(sibling, 120)
        if (text !== '') return text
        sibling = getSibling(sibling, direction)
      }
      inside = getParentElement(inside)
      if (inside && (readRegionNames(inside) !== '' || readText(inside, 120) !== ownText)) return ''
    }
    return ''
  }
  /** Nearest heading before an element, or before one of its ancestors. */
  const readHeading = (element: Element): string => {
    for (let ancestor: Element | null = element, level = 0; ancestor && level < 8; ancestor = getParentElement(ancestor), level++)
      for (
        let sibling = getSibling(ancestor, 'previousSibling'), step = 0;
        sibling && step < 30;
        sibling = getSibling(sibling, 'previousSibling'), step++
      )
        if (sibling.nodeType === 1 && /^(h[1-6]|legend|caption|summary|dt)$/.test(getTagName(sibling as Element)))
          return readText(sibling, 120)
    return ''
  }
  /** First text in an element outside of another one: the title of a card, the first cell of a row. */
  const readFirstText = (region: Element, except: Element): string => {
    for (const child of getChildNodes(region)) {
      const isInside = child === except
      if (isInside) continue
      const text =
        child.nodeType === 1 && Node.prototype.contains.call(child, except)
          ? readFirstText(child as Element, except)
          : readText(child, 120)
      if (text !== '') return text
    }
    return ''
  }
  /** Traits of what surrounds an element: the texts of its row, card and section, a nearby text, and the heading. */
  const addSurroundings = (traits: Set<string>, element: Element, ownText: string) => {
    let previousText = ''
    let regionNames = ''
    let regionCount = 0
    let inside = element
    for (let level = 0; level < 12 && regionCount < maxRegions; level++) {
      const region: Element | null = getParentElement(inside) ?? getHost(inside)
      if (!region) break
      const regionText = readText(region, maxRegionLength)
      if (regionText.length >= maxRegionLength) break
      regionNames = `${regionNames} ${readRegionNames(region)}`.trim()
      const otherText = `${regionNames} ${regionText.replace(ownText, ' ')}`.replace(/\s+/g, ' ').trim()
      if (otherText !== '' && otherText !== previousText) {
        addTrait(traits, regionCount === 0 ? 'r' : 'q', otherText)
        if (regionCount === 0) addTrait(traits, 'f', regionNames || readFirstText(region, inside))
        regionCount += 1
      }
      previousText = otherText
      inside = region
    }
    addTrait(traits, 'b', readAdjacent(element))
    addTrait(traits, 'g', readHeading(element))
  }
  const computeTraits = (element: Element): string => {
    const traits = new Set<string>()
    const ownText = readText(element, maxRegionLength)
    addOwnTraits(traits, element, ownText)
    addSurroundings(traits, element, ownText)
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

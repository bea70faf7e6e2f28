// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Identity of an element: an exact key, and the pattern that a template repeats on many pages. */
export type ElementKey = { key: string; pattern: string }

/**
 * Creates the function that computes element keys that survive harmless edits: the nearest stable anchor, the tag path below it,
 * and the element itself. Class names, texts (except landmark labels), generated values and axe's selectors are not used.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeElementKey(): (element: Element) => ElementKey {
  const generatedPatterns = [
    /\d{4,}/,
    /[0-9a-f]{8,}/i,
    /[0-9a-f]{8}-[0-9a-f]{4}-/i,
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

  const toStableValue = (value: string | null): string | null =>
    value !== null && value !== '' && value.length <= 100 && !generatedPatterns.some((pattern) => pattern.test(value))
      ? value
      : null
  const getStableLabel = (element: Element): string => {
    const labelText = (getAttribute(element, 'aria-label') ?? '').trim()
    return /\d/.test(labelText) || labelText.length > 60 ? '' : labelText
  }

  const findAnchor = (element: Element): string | null => {
    for (const name of testIdAttributes) {
      const stableValue = toStableValue(getAttribute(element, name))
      if (stableValue !== null) return `[${name}=${stableValue}]`
    }
    const stableId = toStableValue(getAttribute(element, 'id'))
    if (stableId !== null) return `#${stableId}`
    const tagName = getTagName(element)
    const stableName = toStableValue(getAttribute(element, 'name'))
    if (stableName !== null) return `${tagName}[name=${stableName}]`
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

  const buildPaths = (element: Element): { exact: string[]; loose: string[] } => {
    const exactPath: string[] = []
    const loosePath: string[] = []
    for (let ancestor: Element | null = element; ancestor; ancestor = getParentElement(ancestor)) {
      const anchorKey = findAnchor(ancestor)
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

  const computeKey = (element: Element): ElementKey => {
    const rootNode = getRootNode(element)
    const hostKey = rootNode instanceof ShadowRoot ? computeKey(rootNode.host) : null
    const { exact: exactPath, loose: loosePath } = buildPaths(element)
    const ownDescription = [
      getAttribute(element, 'role') ?? '',
      getAttribute(element, 'type') ?? '',
      getResourcePath(element),
    ].join('|')
    const prefixKey = (key: string | undefined) => (key === undefined ? '' : `${key} >>> `)
    return {
      key: `${prefixKey(hostKey?.key)}${exactPath.join('>')}|${ownDescription}`,
      pattern: `${prefixKey(hostKey?.pattern)}${loosePath.join('>')}|${ownDescription}`,
    }
  }
  return computeKey
}

// Runs inside scanned pages, in a world of our own; sent as its own source text: nothing outside of it exists there.

/** The identity of an element: exact, and as the pattern that a template repeats on many pages. */
export type ElementKey = { key: string; pattern: string }

/**
 * Makes the function that names elements so that the name outlives harmless edits: the nearest stable anchor, the path of tags
 * below it, and what the element itself is. Class names, texts (but for the label of a landmark), generated values and axe's
 * selectors have no part.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeElementKey(): (element: Element) => ElementKey {
  const generated = [
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
  const testIds = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']
  const landmarks: Record<string, string> = {
    main: 'main',
    nav: 'navigation',
    header: 'banner',
    footer: 'contentinfo',
    aside: 'complementary',
    search: 'search',
    form: 'form',
    dialog: 'dialog',
  }
  const landmarkRoles = new Set([...Object.values(landmarks), 'region', 'alertdialog'])

  // Forms let their fields hide properties and methods: go by the prototype.
  const attribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name)
  const inherited = <T>(owner: object, name: string, element: Node): T =>
    Object.getOwnPropertyDescriptor(owner, name)!.get!.call(element) as T
  const tagOf = (element: Element) => inherited<string>(Element.prototype, 'localName', element)
  const parentOf = (element: Element) => inherited<Element | null>(Node.prototype, 'parentElement', element)
  const rootOf = (element: Element) => Node.prototype.getRootNode.call(element)

  const stable = (value: string | null): string | null =>
    value !== null && value !== '' && value.length <= 100 && !generated.some((pattern) => pattern.test(value))
      ? value
      : null
  const labelled = (element: Element): string => {
    const label = (attribute(element, 'aria-label') ?? '').trim()
    return /\d/.test(label) || label.length > 60 ? '' : label
  }

  const anchorOf = (element: Element): string | null => {
    for (const name of testIds) {
      const value = stable(attribute(element, name))
      if (value !== null) return `[${name}=${value}]`
    }
    const id = stable(attribute(element, 'id'))
    if (id !== null) return `#${id}`
    const tag = tagOf(element)
    const name = stable(attribute(element, 'name'))
    if (name !== null) return `${tag}[name=${name}]`
    const role = attribute(element, 'role') ?? landmarks[tag] ?? ''
    return landmarkRoles.has(role) ? `${role}(${labelled(element)})` : null
  }

  /** Position among siblings with the same tag, from 1. */
  const positionOf = (element: Element, tag: string): number => {
    let position = 1
    let before = inherited<Element | null>(Element.prototype, 'previousElementSibling', element)
    while (before) {
      if (tagOf(before) === tag) position += 1
      before = inherited<Element | null>(Element.prototype, 'previousElementSibling', before)
    }
    return position
  }

  const resource = (element: Element): string => {
    const value = attribute(element, 'href') ?? attribute(element, 'src')
    if (value === null || value.length > 2000) return ''
    const url = URL.parse(value, inherited<string>(Node.prototype, 'baseURI', element))
    if (!url || !/^https?:$/.test(url.protocol)) return value.startsWith('#') ? '#' : (url?.protocol ?? '')
    const path = url.pathname.replace(/[._-]?(?=[0-9a-z]*\d)[0-9a-f]{8,}/gi, '*').slice(0, 300)
    return (url.origin === location.origin ? '' : url.host) + path
  }

  const within = (element: Element): { exact: string[]; loose: string[] } => {
    const exact: string[] = []
    const loose: string[] = []
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const anchor = anchorOf(at)
      const tag = tagOf(at)
      if (anchor !== null || tag === 'body' || tag === 'html') {
        exact.unshift(anchor ?? tag)
        loose.unshift(anchor ?? tag)
        break
      }
      exact.unshift(`${tag}:${positionOf(at, tag)}`)
      loose.unshift(tag)
    }
    return { exact, loose }
  }

  const keyOf = (element: Element): ElementKey => {
    const root = rootOf(element)
    const outer = root instanceof ShadowRoot ? keyOf(root.host) : null
    const { exact, loose } = within(element)
    const self = [attribute(element, 'role') ?? '', attribute(element, 'type') ?? '', resource(element)].join(
      '|',
    )
    const before = (key: string | undefined) => (key === undefined ? '' : `${key} >>> `)
    return {
      key: `${before(outer?.key)}${exact.join('>')}|${self}`,
      pattern: `${before(outer?.pattern)}${loose.join('>')}|${self}`,
    }
  }
  return keyOf
}

// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit } from './kit-in-page.ts'

/** Layout and controls of a page, without its text. Pages that share them are of one template. */
export type PageTemplate = {
  /** Boxes that arrange the page: landmarks, columns, grids and bars. */
  layout: string[]
  /** Kinds of controls. */
  controls: string[]
}

export type TemplateReader = { read(): PageTemplate }

/** Creates the reader of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeTemplateReader(kit: DriveKit): TemplateReader {
  const maxVisited = 1500
  const maxControls = 2000
  const maxTokens = 200
  /** Siblings of one description repeat: rows, cards, sections. Columns of different widths have one, too. */
  const maxVisitedPerDescription = 4
  const maxNameLength = 30
  /** Smaller boxes, in pixels, are parts of a text or a bar. */
  const [minWidth, minHeight] = [100, 40]

  const landmarkTags = /^(?:header|nav|main|aside|footer|article|form|dialog)$/
  const landmarkRoles = /^(?:banner|navigation|main|complementary|contentinfo|search|form|region|dialog)$/
  /** Text and controls, whose inner boxes arrange no page. */
  const leafTags =
    /^(?:p|h[1-6]|pre|code|table|svg|math|figure|blockquote|dl|a|button|label|summary|select|textarea|script|style|noscript|template|iframe|object|video|audio|canvas|picture|img|input)$/
  const readTag = (element: Element): string => kit.read(element, 'localName').slice(0, maxNameLength)
  const readRole = (element: Element) => (kit.readAttribute(element, 'role') ?? '').trim().toLowerCase()
  /** Names that are generated or number something differ in pages of one template. */
  const describe = (element: Element): string =>
    [
      readTag(element),
      ...(kit.readAttribute(element, 'class') ?? '')
        .split(/\s+/)
        .filter((name) => name !== '' && !/\d/.test(name) && name.length < maxNameLength)
        .slice(0, 2),
    ].join('.')
  const isLarge = (element: Element): boolean => {
    const { minX, minY, maxX, maxY } = kit.getEdges(element)
    return maxX - minX >= minWidth && maxY - minY >= minHeight
  }
  /** How a box arranges the page; empty if it does not. */
  const readBox = (element: Element, { display, position, cssFloat }: CSSStyleDeclaration): string => {
    const isLandmark = landmarkTags.test(kit.read(element, 'localName')) || landmarkRoles.test(readRole(element))
    const kinds = [
      /fixed|sticky/.test(position) ? position : '',
      cssFloat === 'none' ? '' : 'float',
      /flex|grid|table-cell/.exec(display)?.[0] ?? '',
    ].filter(Boolean)
    if (isLandmark) return ['landmark', ...kinds].join(' ')
    return kinds.length > 0 && isLarge(element) ? kinds.join(' ') : ''
  }

  const readLayout = (): string[] => {
    const boxes = new Set<string>()
    let visitedCount = 0
    const visit = (element: Element, outerTag: string, depth: number) => {
      if (++visitedCount > maxVisited || boxes.size >= maxTokens || depth > 30) return
      const tag = readTag(element)
      if (leafTags.test(tag)) return
      const style = getComputedStyle(element)
      if (style.display === 'none') return
      const box = readBox(element, style)
      if (box !== '') boxes.add(`${outerTag} > ${describe(element)} ${box}`)
      const counts = new Map<string, number>()
      // Those of the element itself are in the slots of its shadow root.
      const children = [...(kit.getShadowRoot(element)?.children ?? []), ...kit.read(element, 'children')]
      for (const child of children) {
        const description = `${describe(child)}#${(kit.readAttribute(child, 'id') ?? '').slice(0, maxNameLength).replaceAll(/\d+/g, '')}`
        const count = (counts.get(description) ?? 0) + 1
        counts.set(description, count)
        if (count <= maxVisitedPerDescription) visit(child, box === '' ? outerTag : tag, depth + 1)
      }
    }
    for (const child of document.body?.children ?? []) visit(child, 'body', 0)
    return [...boxes]
  }

  const controlSelector =
    'button, input:not([type="hidden" i]), select, textarea, summary, video, audio, iframe, object, embed, area, dialog, [popover], [role], [tabindex="0"], [contenteditable], [onclick], [aria-expanded], [aria-haspopup], [aria-sort], [aria-modal], [data-toggle], [data-bs-toggle]'
  const controlRoles =
    /^(?:button|checkbox|radio|switch|textbox|searchbox|combobox|listbox|slider|spinbutton|scrollbar|menu|menubar|menuitem|tab|tree|treegrid|grid|dialog|alertdialog|application|link)$/
  const controlTags = /^(?:button|select|textarea|summary|video|audio|iframe|object|embed|area|dialog)$/
  const stateAttributes = [
    'popover',
    'contenteditable',
    'onclick',
    'aria-expanded',
    'aria-haspopup',
    'aria-sort',
    'aria-modal',
    'data-toggle',
    'data-bs-toggle',
  ]
  const listKinds = (element: Element): string[] => {
    const [tag, role] = [kit.read(element, 'localName'), readRole(element)]
    const kinds = stateAttributes.filter((name) => kit.readAttribute(element, name) !== null)
    if (tag === 'input') kinds.push(`input ${kit.read(element as HTMLInputElement, 'type')}`)
    else if (controlTags.test(tag)) kinds.push(tag)
    if (controlRoles.test(role)) kinds.push(role)
    else if (kinds.length === 0 && kit.readAttribute(element, 'tabindex') === '0') kinds.push('stop')
    return kinds
  }
  /** Part of the page in which a control is: a search in the header is not a form of the text. */
  const readPart = (element: Element): string =>
    kit.call(element, 'closest', 'th, [role="columnheader" i]')
      ? 'head of a table: '
      : kit.call(element, 'closest', 'header, nav, footer, aside, [role="search" i]')
        ? 'around: '
        : ''
  const readControls = (): string[] => {
    const controls = new Set<string>()
    for (const element of kit.listElements(controlSelector, maxControls)) {
      if (controls.size >= maxTokens) break
      for (const kind of listKinds(element)) controls.add(readPart(element) + kind)
    }
    return [...controls]
  }
  return { read: () => ({ layout: readLayout(), controls: readControls() }) }
}

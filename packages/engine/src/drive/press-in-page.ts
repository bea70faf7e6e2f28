// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit, Edges } from './kit-in-page.ts'

export type PressPoint = { x: number; y: number }
/** Something to press. `group`: others of the same kind do the same. */
export type PressTarget = { number: number; label: string; group: string }
/** Numbers of elements that a page offers to the parts of a drive that press. */
export type PressCounts = { openers: number; mouse: number; hover: number }

/** Finds what can be pressed or hovered, and tells what changes visibly. */
export type Presser = {
  /** Elements that open something when they are pressed. */
  listOpeners(): PressTarget[]
  /** Elements that look as if a mouse could press them, and that no key reaches. */
  listMouseTargets(): PressTarget[]
  /** Focusable elements that are no native controls. */
  listKeyTargets(): PressTarget[]
  /** Elements over which the pointer may show something. */
  listHoverTargets(): PressTarget[]
  countTargets(): PressCounts
  getTarget(number: number): Element | null
  focusTarget(number: number): boolean
  /** Scrolls a target into the window. Returns a point at which it is on top; null if there is none. */
  findPoint(number: number): PressPoint | null
  /** Hash of everything visible. */
  sign(): string
  /** Remembers what is visible. */
  remember(): void
  /** Outermost elements that are visible and were not. */
  findAppeared(): Element[]
  /** Elements that appeared, for axe. */
  appearedElements: Element[]
  countAppeared(): number
  /** Number of remembered appeared elements that are still visible. */
  countStillVisible(): number
  /** True if what appeared covers text that is not its own. */
  coversText(number: number): boolean
  findAppearedPoint(): PressPoint | null
}

/** Creates the presser of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makePresser(kit: DriveKit): Presser {
  const maxElements = 6000
  let targets: Element[] = []
  const focusableSelector =
    'a[href], area[href], button, input:not([type="hidden" i]), select, textarea, summary, iframe, audio[controls], video[controls], [tabindex]:not([tabindex="-1"]), [contenteditable]:not([contenteditable="false"])'
  const nativeSelector =
    'a[href], area[href], button, input, select, textarea, summary, option, label, iframe, video, audio, [contenteditable]:not([contenteditable="false"])'
  const fieldSelector = 'input:not([type="hidden" i], [tabindex="-1"], :disabled), select:not([tabindex="-1"], :disabled)'
  const compositeSelector =
    '[role="listbox"], [role="grid"], [role="treegrid"], [role="tree"], [role="menu"], [role="menubar"], [role="tablist"], [role="radiogroup"], [role="application"], [role="slider"], [aria-activedescendant]'

  const contains = (outer: Element, inner: Element) => kit.call(outer, 'contains', inner)
  const readLabel = (element: Element): string => {
    const ids = (kit.readAttribute(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    const labels = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const picture = kit.call(element, 'querySelector', 'img[alt], svg title')
    const texts = [
      labels,
      kit.readAttribute(element, 'aria-label'),
      kit.readText(element, 60),
      kit.readAttribute(element, 'title'),
      picture && (kit.readAttribute(picture, 'alt') ?? picture.textContent),
    ]
    return (
      texts.map((text) => text?.replace(/\s+/g, ' ').trim().slice(0, 40) ?? '').find(Boolean) ?? kit.read(element, 'localName')
    )
  }
  /** Place of an element without positions: a list of menus repeats it. */
  const readGroup = (element: Element): string =>
    [element, ...kit.listAncestors(element).slice(0, 3)]
      .map((one) => `${kit.read(one, 'localName')}.${(kit.readAttribute(one, 'class') ?? '').replace(/\d+/g, '#').slice(0, 60)}`)
      .join(' < ')
  const toTargets = (elements: readonly Element[]): PressTarget[] => {
    targets = [...elements]
    return targets.map((element, number) => ({ number, label: readLabel(element), group: readGroup(element) }))
  }
  const isSubmit = (element: Element): boolean => {
    const button = kit.call(element, 'closest', 'button, input')
    if (!(button instanceof HTMLButtonElement || button instanceof HTMLInputElement)) return false
    return button.form !== null && /^(?:submit|image)$/.test(button.type)
  }
  const isRealLink = (element: Element): boolean => {
    const link = kit.call(element, 'closest', 'a[href], area[href]')
    const address = link && kit.readAttribute(link, 'href')!.trim()
    return address !== null && !/^(?:#|javascript:)/i.test(address)
  }
  const isPressable = (element: Element) =>
    kit.isVisible(element) &&
    !kit.matches(element, ':disabled, [aria-disabled="true"]') &&
    !isSubmit(element) &&
    !isRealLink(element)
  const listOpeners = () =>
    toTargets(
      kit
        .listElements(
          '[aria-expanded="false"], [aria-haspopup]:not([aria-haspopup="false"]), [role="tab"][aria-selected="false"], details:not([open]) > summary, [data-bs-toggle], [data-toggle="dropdown"], [data-toggle="collapse"], [data-toggle="modal"], [data-toggle="tab"], [popovertarget], [commandfor]',
          200,
        )
        .filter(
          (element) => !(element instanceof HTMLInputElement) && !(element instanceof HTMLSelectElement) && isPressable(element),
        ),
    )

  const isBackdrop = (element: Element): boolean => {
    const { minX, minY, maxX, maxY } = kit.getEdges(element)
    return maxX - minX >= innerWidth * 0.9 && maxY - minY >= innerHeight * 0.9
  }
  /** A field directly before or after an element, which draws a part of it: a switch, the arrow of a list. */
  const hasFieldNextTo = (element: Element): boolean =>
    [kit.read(element, 'previousElementSibling'), kit.read(element, 'nextElementSibling')].some(
      (sibling) => sibling !== null && kit.matches(sibling, fieldSelector),
    )
  const hasFocusableRelative = (element: Element): boolean =>
    kit.call(element, 'querySelector', focusableSelector) !== null ||
    hasFieldNextTo(element) ||
    [element, ...kit.listAncestors(element)].some(
      (one) => kit.matches(one, focusableSelector) || kit.matches(one, 'label, summary'),
    )
  const isMouseTarget = (element: Element): boolean =>
    kit.isVisible(element) &&
    !kit.matches(element, nativeSelector) &&
    !hasFocusableRelative(element) &&
    ![element, ...kit.listAncestors(element)].some(
      (one) => kit.matches(one, compositeSelector) || kit.matches(one, '[aria-hidden="true"], [inert]'),
    ) &&
    !isBackdrop(element)
  const listMouseTargets = () => {
    const pointers = kit.listElements('body *', maxElements).filter((element) => {
      if (kit.readAttribute(element, 'onclick') !== null) return true
      if (getComputedStyle(element).cursor !== 'pointer') return false
      const parent = kit.getParent(element)
      return !parent || getComputedStyle(parent).cursor !== 'pointer' || kit.read(element, 'childElementCount') === 0
    })
    return toTargets(pointers.filter(isMouseTarget).slice(0, 60))
  }
  const listKeyTargets = () =>
    toTargets(
      kit
        .listElements('[tabindex]:not([tabindex="-1"])', 300)
        .filter(
          (element) =>
            kit.isVisible(element) &&
            !kit.matches(element, nativeSelector) &&
            !kit.call(element, 'querySelector', focusableSelector) &&
            !kit.listAncestors(element).some((one) => kit.matches(one, compositeSelector)) &&
            !kit.matches(element, compositeSelector),
        )
        .slice(0, 40),
    )

  /** The part of selectors up to the hovered element, for selectors whose hover changes something else. */
  const listHoverSelectors = (): string[] => {
    const selectors = new Set<string>()
    let ruleCount = 0
    const showing = /display|visibility|opacity|clip|transform|height|left|top|scale/
    const addRules = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (++ruleCount > 30_000 || selectors.size > 200) return
        if (
          rule instanceof CSSStyleRule &&
          rule.selectorText.includes(':hover') &&
          [...rule.style].some((property) => showing.test(property))
        )
          for (const part of kit.splitList(rule.selectorText)) {
            const [trigger = '', ...rest] = part.split(':hover')
            // Selectors of the hovered element itself show nothing else.
            if (/[\s>+~]|::(?:before|after)$/.test(rest.join(':hover').trimEnd())) selectors.add(trigger.trim() || '*')
          }
        if ('cssRules' in rule) addRules(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
      try {
        addRules(sheet.cssRules)
      } catch {
        // A sheet of another origin cannot be read.
      }
    return [...selectors]
  }
  const listHoverTargets = () => {
    const hoverAttributes =
      '[data-tooltip], [data-tippy-content], [data-bs-toggle="tooltip"], [data-toggle="tooltip"], [data-bs-toggle="popover"][data-bs-trigger*="hover"], [onmouseover], [onmouseenter], [aria-describedby], [aria-haspopup="true"], [data-hover]'
    const hovered = new Set<Element>()
    for (const selector of [...listHoverSelectors(), hoverAttributes])
      try {
        for (const element of [...document.querySelectorAll(selector)].slice(0, 20)) hovered.add(element)
      } catch {
        // A selector without what follows it may be invalid.
      }
    return toTargets(
      [...hovered].filter((element) => kit.isVisible(element) && !isBackdrop(element) && element !== document.body).slice(0, 60),
    )
  }

  const findPoint = (number: number): PressPoint | null => {
    const element = targets[number]
    if (!element || !kit.read(element, 'isConnected')) return null
    kit.call(element, 'scrollIntoView', { block: 'center', inline: 'nearest', behavior: 'instant' })
    const boxes = [...kit.call(element, 'getClientRects')].filter(({ width, height }) => width > 1 && height > 1)
    for (const { left: minX, top: minY, width, height } of boxes)
      for (const [shareX, shareY] of [
        [0.5, 0.5],
        [0.2, 0.5],
        [0.8, 0.5],
        [0.5, 0.2],
        [0.5, 0.8],
      ] as const) {
        const point = { x: minX + width * shareX, y: minY + height * shareY }
        const topElement = kit.findAt(point.x, point.y)
        if (topElement && (topElement === element || kit.listAncestors(topElement).includes(element))) return point
      }
    return null
  }
  const sign = (): string => {
    let hash = 5381
    const add = (text: string) => {
      for (let index = 0; index < text.length; index++) hash = Math.imul(hash, 33) ^ text.charCodeAt(index)
    }
    for (const element of kit.listElements('body *', maxElements)) {
      if (!kit.isVisible(element)) continue
      const { minX, minY, maxX, maxY } = kit.getEdges(element)
      const style = getComputedStyle(element)
      add(
        `${kit.read(element, 'localName')} ${Math.round(minX + scrollX)} ${Math.round(minY + scrollY)} ${Math.round(maxX - minX)} ${Math.round(maxY - minY)} ${style.backgroundColor} ${style.color} ${style.backgroundImage.slice(0, 80)}`,
      )
      for (const child of kit.read(element, 'childNodes')) if (child instanceof Text) add(child.data)
      if (element instanceof HTMLInputElement) add(`${element.value} ${element.checked}`)
      if (element instanceof HTMLImageElement) add(element.currentSrc.slice(-80))
    }
    return `${hash} ${kit.readAttribute(document.documentElement, 'class') ?? ''}`
  }
  let remembered = new Set<Element>()
  let appeared: Element[] = []
  const listVisible = () => {
    const readOpacity = kit.makeOpacityReader()
    return kit.listElements('body *', maxElements).filter((element) => kit.isVisible(element) && readOpacity(element) > 0.05)
  }
  const isInWindow = (element: Element) => {
    const { minX, minY, maxX, maxY } = kit.getEdges(element)
    return maxX > 0 && maxY > 0 && minX < innerWidth && minY < innerHeight
  }
  const findAppeared = () => {
    const fresh = new Set(listVisible().filter((element) => !remembered.has(element) && isInWindow(element)))
    appeared = [...fresh].filter((element) => !kit.listAncestors(element).some((ancestor) => fresh.has(ancestor)))
    presser.appearedElements = appeared
    return appeared
  }
  const stillVisible = () =>
    appeared.filter(
      (element) =>
        kit.read(element, 'isConnected') && kit.isVisible(element) && kit.computeOpacity(element) > 0.05 && isInWindow(element),
    )
  const overlaps = (first: Edges, second: Edges) =>
    Math.min(first.maxX, second.maxX) - Math.max(first.minX, second.minX) > 2 &&
    Math.min(first.maxY, second.maxY) - Math.max(first.minY, second.minY) > 4
  const coversText = (number: number): boolean => {
    const trigger = targets[number]
    const boxes = appeared.map((element) => kit.getEdges(element))
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    let count = 0
    for (let node = walker.nextNode(); node && count < 4000; node = walker.nextNode()) {
      const holder = node.parentElement
      if ((node as Text).data.trim() === '' || !holder || !remembered.has(holder) || (trigger && contains(trigger, holder)))
        continue
      if (appeared.some((element) => contains(element, holder))) continue
      count++
      range.selectNodeContents(node)
      for (const { left: minX, top: minY, right: maxX, bottom: maxY } of range.getClientRects())
        if (boxes.some((box) => overlaps(box, { minX, minY, maxX, maxY }))) return true
    }
    return false
  }
  const presser: Presser = {
    listOpeners,
    listMouseTargets,
    listKeyTargets,
    listHoverTargets,
    countTargets: () => ({
      openers: listOpeners().length,
      mouse: listMouseTargets().length + listKeyTargets().length,
      hover: listHoverTargets().length,
    }),
    getTarget: (number) => targets[number] ?? null,
    focusTarget(number) {
      const element = targets[number] as HTMLElement | undefined
      if (!element || !kit.read(element, 'isConnected')) return false
      kit.call(element, 'focus')
      return kit.findFocused() === element
    },
    findPoint,
    sign,
    remember: () => void (remembered = new Set(listVisible())),
    findAppeared,
    appearedElements: [],
    countAppeared: () => findAppeared().length,
    countStillVisible: () => stillVisible().length,
    coversText,
    findAppearedPoint() {
      for (const element of stillVisible()) {
        const { minX, minY, maxX, maxY } = kit.getEdges(element)
        const [x, y] = [
          (Math.max(0, minX) + Math.min(innerWidth, maxX)) / 2,
          (Math.max(0, minY) + Math.min(innerHeight, maxY)) / 2,
        ]
        const topElement = kit.findAt(x, y)
        if (topElement && contains(element, topElement)) return { x, y }
      }
      return null
    },
  }
  return presser
}

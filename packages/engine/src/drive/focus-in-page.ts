// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { Color, DriveKit } from './kit-in-page.ts'

/** Result of comparing the styles of a stop with and without the focus. */
export type FocusChange = 'visible' | 'faint' | 'none'

/** Styles of what the focus can change, read while an element has the focus. */
export type FocusLook = {
  /**
   * Compares with the current styles, when something else or nothing has the focus.
   * @param next returns what the focus changes where it is now, see `FocusReach`
   */
  compare(next: () => readonly Element[]): FocusChange
}

export type FocusReader = {
  /** Turns transitions off, so that styles arrive at once. Returns a function that turns them on. */
  stopTransitions(): () => void
  /** Notes which of these elements, none of which has the focus, have neither an outline nor a shadow. */
  noteRings(elements: readonly Element[]): void
  /**
   * Reads the look of a focused element that draws an outline or a shadow, and had neither without the focus: nothing else has to
   * change. Null for others.
   */
  lookAtRing(focused: Element): FocusLook | null
  /** Reads the looks of a focused element and of everything that its focus can change. */
  look(focused: Element, reached: readonly Element[]): FocusLook
}

/** Creates the reader of a document. Verdicts come from styles and geometry only, never from pictures. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeFocusReader(kit: DriveKit): FocusReader {
  const minContrast = 1.05
  const minClearContrast = 1.3
  const paintProperties = [
    'color',
    'backgroundColor',
    'backgroundImage',
    'backgroundSize',
    'backgroundPositionX',
    'backgroundPositionY',
    'borderTopLeftRadius',
    'borderBottomRightRadius',
    'borderTopColor',
    'borderRightColor',
    'borderBottomColor',
    'borderLeftColor',
    'borderTopStyle',
    'borderRightStyle',
    'borderBottomStyle',
    'borderLeftStyle',
    'borderTopWidth',
    'borderRightWidth',
    'borderBottomWidth',
    'borderLeftWidth',
    'outlineColor',
    'outlineStyle',
    'outlineWidth',
    'outlineOffset',
    'boxShadow',
    'textShadow',
    'textDecorationLine',
    'textDecorationColor',
    'textDecorationStyle',
    'textDecorationThickness',
    'textUnderlineOffset',
    'animationName',
    'fontWeight',
    'fontStyle',
    'fontSize',
    'opacity',
    'visibility',
    'display',
    'transform',
    'translate',
    'scale',
    'rotate',
    'filter',
    'backdropFilter',
    'clipPath',
    'clip',
    'content',
    'fill',
    'stroke',
    'strokeWidth',
    'maskImage',
  ] as const
  type PaintProperty = (typeof paintProperties)[number]
  type Paint = Record<PaintProperty, string>
  type OutlinePaint = Pick<Paint, 'outlineColor' | 'outlineStyle' | 'outlineWidth' | 'outlineOffset'>
  const pseudoElements = [null, '::before', '::after'] as const
  type Pseudo = (typeof pseudoElements)[number]
  type Look = { element: Element; pseudo: Pseudo; paint: Paint; box: string; isShown: boolean }

  const readPaint = (style: CSSStyleDeclaration): Paint => {
    const paint = {} as Paint
    for (const property of paintProperties) paint[property] = style[property as keyof CSSStyleDeclaration] as string
    return paint
  }
  /** Size and place within the containing box: scrolling does not change them. */
  const readBox = (element: Element): string => {
    if (element instanceof HTMLElement) {
      const names = ['offsetLeft', 'offsetTop', 'offsetWidth', 'offsetHeight'] as const
      return names.map((name) => kit.read(element, name)).join(' ')
    }
    const { minX, minY, maxX, maxY } = kit.getEdges(element)
    return [Math.round(maxX - minX), Math.round(maxY - minY)].join(' ')
  }
  const readLook = (element: Element): Look[] => {
    const looks: Look[] = []
    const isShown = kit.call(element, 'checkVisibility', { visibilityProperty: true })
    const box = readBox(element)
    for (const pseudo of pseudoElements) {
      const style = getComputedStyle(element, pseudo ?? undefined)
      if (pseudo !== null && (style.content === 'none' || style.content === 'normal')) {
        looks.push({ element, pseudo, paint: { ...emptyPaint }, box: '', isShown: false })
        continue
      }
      looks.push({ element, pseudo, paint: readPaint(style), box: pseudo === null ? box : '', isShown })
    }
    return looks
  }
  const emptyPaint = Object.fromEntries(paintProperties.map((property) => [property, ''])) as Paint

  /** Contrast of a color with what is behind it; the maximum if that is unknown. */
  const contrastWith = (text: string, behind: Color | null): number => {
    const color = kit.parseColor(text)
    if (!color || !behind) return 21
    return color[3] === 0 ? 1 : kit.computeContrast(kit.blend(color, behind), behind)
  }
  const getBehind = (element: Element) => {
    const parent = kit.getParent(element)
    return parent ? kit.findBackground(parent) : kit.findBackground(element)
  }
  const isClipping = (element: Element) => /hidden|clip|auto|scroll/.test(getComputedStyle(element).overflow)
  /** True if no ancestor cuts what an element draws outside of its box. */
  const hasRoomOutside = (element: Element, distance: number): boolean => {
    const box = kit.getEdges(element)
    for (const ancestor of kit.listAncestors(element)) {
      if (ancestor === document.body || ancestor === document.documentElement || !isClipping(ancestor)) continue
      const clip = kit.getEdges(ancestor)
      const visibleSides = [
        box.minX - distance >= clip.minX - 0.5,
        box.maxX + distance <= clip.maxX + 0.5,
        box.minY - distance >= clip.minY - 0.5,
        box.maxY + distance <= clip.maxY + 0.5,
      ]
      if (visibleSides.filter(Boolean).length < 1) return false
    }
    return true
  }
  const hasBorder = (paint: Paint) =>
    (['Top', 'Right', 'Bottom', 'Left'] as const).some(
      (side) => paint[`border${side}Style`] !== 'none' && Number.parseFloat(paint[`border${side}Width`]) > 0,
    )
  const hasOutline = ({ outlineStyle, outlineWidth }: OutlinePaint) =>
    outlineStyle !== 'none' && outlineStyle !== '' && Number.parseFloat(outlineWidth) > 0
  const judgeOutline = (element: Element, paint: OutlinePaint): number => {
    if (!hasOutline(paint)) return 1
    const offset = Number.parseFloat(paint.outlineOffset) || 0
    const width = Number.parseFloat(paint.outlineWidth)
    const isInside = offset + width <= 0
    if (!isInside && !hasRoomOutside(element, offset + Math.min(width, 1))) return 1
    if (paint.outlineStyle === 'auto') return 21
    return contrastWith(paint.outlineColor, isInside ? kit.findBackground(element) : getBehind(element))
  }
  const judgeShadow = (element: Element, shadow: string): number => {
    if (shadow === 'none' || shadow === '') return 1
    const parts = kit.splitList(shadow)
    return Math.max(
      ...parts.map((part) => {
        const color = /(?:rgba?|color|oklch|oklab|lab|lch|hsla?)\([^)]*\)|transparent/.exec(part)?.[0] ?? 'rgb(0, 0, 0)'
        const lengths = part
          .replace(color, '')
          .split(/\s/)
          .filter((word) => word.endsWith('px'))
          .map(Number.parseFloat)
        const isInset = part.includes('inset')
        const [x = 0, y = 0, blur = 0, spread = 0] = lengths
        const reach = Math.max(Math.abs(x), Math.abs(y)) + blur + spread
        if (reach <= 0 || (!isInset && !hasRoomOutside(element, Math.min(reach, 1)))) return 1
        return contrastWith(color, isInset ? kit.findBackground(element) : getBehind(element))
      }),
    )
  }
  const isColor = (property: string) => /color$/i.test(property) || property === 'fill' || property === 'stroke'
  /** Contrast between two values of a color property over what is behind the element. */
  const judgeColors = (element: Element, before: string, after: string, minDistance = 90): number => {
    const [first, second, behind] = [kit.parseColor(before), kit.parseColor(after), getBehind(element)]
    if (!first || !second || !behind) return 21
    const [firstShown, secondShown] = [kit.blend(first, behind), kit.blend(second, behind)]
    const distance = Math.hypot(...([0, 1, 2] as const).map((index) => firstShown[index] - secondShown[index]))
    // Colors of the same lightness differ by hue.
    return Math.max(
      kit.computeContrast(firstShown, secondShown),
      distance > minDistance ? 1.5 : distance > minDistance / 4 ? 1.1 : 1,
    )
  }
  /** How clearly one property changed: 1 for not at all, above `minClearContrast` for clearly. */
  const judgeProperty = (look: Look, property: PaintProperty, before: Paint, after: Paint): number => {
    const { element } = look
    if (property.startsWith('outline')) {
      if (
        property !== 'outlineStyle' &&
        property !== 'outlineWidth' &&
        property !== 'outlineColor' &&
        property !== 'outlineOffset'
      )
        return 1
      // An outline may also be taken away or replaced by the focus.
      const [beforeContrast, afterContrast] = [judgeOutline(element, before), judgeOutline(element, after)]
      const isChanged =
        hasOutline(before) !== hasOutline(after) ||
        before.outlineStyle !== after.outlineStyle ||
        before.outlineWidth !== after.outlineWidth ||
        before.outlineOffset !== after.outlineOffset
      return isChanged
        ? Math.max(beforeContrast, afterContrast)
        : hasOutline(after) && property === 'outlineColor'
          ? judgeColors(element, before.outlineColor, after.outlineColor)
          : 1
    }
    if (property === 'boxShadow') return Math.max(judgeShadow(element, before.boxShadow), judgeShadow(element, after.boxShadow))
    if (/^border.*(?:Color|Style)$/.test(property)) {
      const side = property.replace(/(?:Color|Style)$/, '') as 'borderTop'
      const isDrawn = (paint: Paint) => paint[`${side}Style`] !== 'none' && Number.parseFloat(paint[`${side}Width`]) > 0
      if (!isDrawn(before) && !isDrawn(after)) return 1
      return property.endsWith('Style')
        ? isDrawn(before) === isDrawn(after)
          ? 1.4
          : contrastWith((isDrawn(after) ? after : before)[`${side}Color`], getBehind(element))
        : judgeColors(element, before[property], after[property])
    }
    if (/^background(?:Size|Position)/.test(property))
      return before.backgroundImage === after.backgroundImage && after.backgroundImage === 'none' ? 1 : 21
    if (property.endsWith('Radius'))
      return Math.max(contrastWith(after.backgroundColor, getBehind(element)), hasBorder(after) ? 21 : 1)
    if (/^textDecoration(?:Color|Style|Thickness)$|^textUnderlineOffset$/.test(property)) {
      if (before.textDecorationLine === 'none' && after.textDecorationLine === 'none') return 1
      return property === 'textDecorationColor' ? judgeColors(element, before[property], after[property]) : 21
    }
    if (property === 'textDecorationLine')
      return look.pseudo === null && kit.readText(element, 5) === ''
        ? 1
        : contrastWith(
            after.textDecorationLine === 'none' ? before.textDecorationColor : after.textDecorationColor,
            kit.findBackground(element),
          )
    if (property === 'color')
      return look.pseudo === null && kit.readText(element, 5) === '' ? 1 : judgeColors(element, before.color, after.color)
    if ((property === 'fill' || property === 'stroke') && !(element instanceof SVGElement)) return 1
    // A whole area that changes is seen where a line of the same color is not.
    if (property === 'backgroundColor') return judgeColors(element, before[property], after[property], 28)
    if (isColor(property)) return judgeColors(element, before[property], after[property])
    if (property === 'opacity') return Math.abs(Number(before.opacity) - Number(after.opacity)) > 0.1 ? 21 : 1.1
    return 21
  }
  const hasArea = (element: Element): boolean => {
    const { minX, minY, maxX, maxY } = kit.getEdges(element)
    return maxX - minX > 2 && maxY - minY > 2
  }
  /** The outline of an inline element also surrounds its floats and blocks, in which case it may have no area of its own. */
  const hasFlow = (element: Element): boolean =>
    getComputedStyle(element).display === 'inline' &&
    [...kit.read(element, 'children')]
      .slice(0, 5)
      .some((child) => !/absolute|fixed/.test(getComputedStyle(child).position) && (hasArea(child) || hasFlow(child)))
  const isPainted = (element: Element): boolean =>
    (hasArea(element) || hasFlow(element)) && kit.computeOpacity(element) > 0.02 && !isClippedAway(element)
  /** A pseudo-element may have an area that its element has not: a box that is drawn next to an empty label. */
  const isPseudoPainted = (element: Element, pseudo: Pseudo): boolean => {
    const { width, height, display } = getComputedStyle(element, pseudo)
    const isBox = pseudo !== null && display !== 'inline' && Number.parseFloat(width) > 2 && Number.parseFloat(height) > 2
    return isBox && kit.computeOpacity(element) > 0.02 && !isClippedAway(element)
  }
  const isClippedAway = (element: Element): boolean => {
    const style = getComputedStyle(element)
    return (
      style.clip === 'rect(0px, 0px, 0px, 0px)' ||
      style.clip === 'rect(1px, 1px, 1px, 1px)' ||
      /inset\((?:50|100)%/.test(style.clipPath)
    )
  }
  const judgeLook = (before: Look, after: Look): number => {
    const isNowShown = after.isShown || (after.pseudo !== null && after.paint.content !== '')
    const wasShown = before.isShown || (before.pseudo !== null && before.paint.content !== '')
    if (!isNowShown && !wasShown) return 1
    // Shown by the focus, or hidden by it.
    if (isNowShown !== wasShown) return isPainted(after.element) || after.pseudo !== null || !isNowShown ? 21 : 1
    let clearest = before.box !== after.box ? 21 : 1
    for (const property of paintProperties)
      if (before.paint[property] !== after.paint[property])
        clearest = Math.max(clearest, judgeProperty(after, property, before.paint, after.paint))
    return clearest
  }
  const hasRing = (style: CSSStyleDeclaration) => hasOutline(style) || style.boxShadow !== 'none'
  const withoutRing = new WeakSet<Element>()
  const noteRings = (elements: readonly Element[]) => {
    for (const element of elements) if (!hasRing(getComputedStyle(element))) withoutRing.add(element)
  }
  const lookAtRing = (focused: Element): FocusLook | null => {
    const style = getComputedStyle(focused)
    if (!withoutRing.has(focused) || !hasRing(style) || !isPainted(focused)) return null
    const clarity = Math.max(judgeOutline(focused, style), judgeShadow(focused, style.boxShadow))
    return clarity > minClearContrast ? { compare: () => (hasRing(getComputedStyle(focused)) ? 'faint' : 'visible') } : null
  }
  const look = (focused: Element, reached: readonly Element[]): FocusLook => {
    const focusedLooks = reached.flatMap((element) =>
      readLook(element).map((one) => ({
        ...one,
        wasPainted: isPainted(element) || isPseudoPainted(element, one.pseudo),
      })),
    )
    const removedBefore = new Set(focusedLooks.map(({ element }) => element))
    return {
      compare(next) {
        let clearest = 1
        // Changes by the next element say nothing about this one.
        const ownElements = new Set([focused, ...kit.call(focused, 'querySelectorAll', '*'), ...kit.listAncestors(focused)])
        const changedByNext = new Set(next().filter((element) => !ownElements.has(element)))
        const current = new Map<Element, Look[]>()
        for (const focusedLook of focusedLooks) {
          const { element, pseudo, wasPainted } = focusedLook
          if (changedByNext.has(element)) continue
          if (!kit.read(element, 'isConnected')) {
            // Came with the focus and went with it.
            if (wasPainted && removedBefore.has(element)) return 'visible'
            continue
          }
          let looks = current.get(element)
          if (!looks) current.set(element, (looks = readLook(element)))
          const change = judgeLook(
            looks.find((one) => one.pseudo === pseudo)!,
            focusedLook,
          )
          if (change <= 1) continue
          // Invisible elements do not show the focus, unless the focus makes them visible.
          if (!wasPainted && !isPainted(element) && !isPseudoPainted(element, pseudo)) continue
          clearest = Math.max(clearest, change)
          if (clearest > minClearContrast) return 'visible'
        }
        return clearest > minContrast ? 'faint' : 'none'
      },
    }
  }
  return {
    stopTransitions: () =>
      kit.addStyles(
        '*, *::before, *::after { transition: none !important; animation-duration: 0s !important; animation-delay: 0s !important; scroll-behavior: auto !important }',
      ),
    noteRings,
    lookAtRing,
    look,
  }
}

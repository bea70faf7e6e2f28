// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { FocusChange, FocusLook, FocusReader } from './focus-in-page.ts'
import type { FocusReach } from './focus-reach-in-page.ts'
import type { DriveKit, Edges } from './kit-in-page.ts'
import type { PositionReader, StopPosition } from './position-in-page.ts'
import type { RawHit } from './text-in-page.ts'

/** Where the focus is after a key. `stop`: number of the stop, null for the document itself. */
export type WalkStep = {
  stop: number | null
  isNew: boolean
  /** The element has stops of its own inside: a player, a frame, a date. */
  hasInnerStops: boolean
  isFrame: boolean
  /** Found hidden by this step: covered, clipped, transparent or outside of the window. */
  isHidden: boolean
}

type Area = { x: number; y: number; width: number; height: number }
/** A stop as people know it. */
export type WalkStopFacts = { text: string; kind: string; box: Area | null }

/** Follows the focus through a page: see `rule/walk`. */
export type Walker = {
  start(): void
  /** Reads where the focus is after a key, and compares the previous stop without the focus. */
  step(): Promise<WalkStep>
  /** Number of focusable elements that were not stops yet. */
  countRemaining(): number
  /** Focuses the next element that was no stop yet. Returns false if there is none. */
  skip(): boolean
  /** Ends the walk, and returns the hits of the rules on focus. */
  finish(): Promise<RawHit[]>
  /** True if the page explains a key that leaves an element. */
  namesKeys(): boolean
  isInDialog(stop: number): boolean
  isStopGone(stop: number): boolean
  getStop(stop: number): Element | null
  /** Scrolls to a stop, and returns its center; null for a stop around others, which a click may be for. */
  findPressPoint(stop: number): { x: number; y: number } | null
  /** Where a stop and what is in it are now. */
  getStopEdges(stop: number): Edges | null
  focusStop(stop: number): boolean
  /** Takes the focus away from a stop. Returns false if it keeps it, or if the page removes the element. */
  blurStop(stop: number): boolean
  /** Numbers of the stops at which the page began to navigate. */
  listNavigating(): number[]
  /** Numbers of the stops that have no role. */
  listUnnamedRoles(): number[]
  hasFixedBars(): boolean
  /** The stops in the order of the key. Boxes are those at the time of the focus, in pixels of the whole page. */
  listStops(): WalkStopFacts[]
  /** Remembers a stop that a fixed bar covers, going backwards. */
  stepBack(): WalkStep
  /** Leaves the page as the walk found it, apart from focus and scrolling. */
  end(): void
}

/** Creates the walker of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeWalker(
  kit: DriveKit,
  { focus, reach, position }: { focus: FocusReader; reach: FocusReach; position: PositionReader },
): Walker {
  type Stop = {
    element: Element
    look: FocusLook | null
    change: FocusChange
    place: StopPosition
    isObscured: boolean
    hasHiddenParts: boolean
    facts: WalkStopFacts
  }
  const stops: Stop[] = []
  const numbers = new Map<Element, number>()
  let current: Stop | null = null
  let restoreTransitions = () => {}
  const focusableSelector =
    'a[href], area[href], button, input:not([type="hidden" i]), select, textarea, summary, iframe, audio[controls], video[controls], [tabindex], [contenteditable]:not([contenteditable="false"])'

  const { getUnion, contains, readCover, readPosition } = position
  const isConnected = (element: Element) => kit.read(element, 'isConnected')
  const maxTextLength = 80
  const readLabel = (element: Element): string => {
    const labels = kit.listLabels(element).map((label) => kit.readText(label, maxTextLength))
    const attributes = ['aria-label', 'alt', 'title', 'placeholder'].map((name) => kit.readAttribute(element, name) ?? '')
    const picture = kit.call(element, 'querySelector', 'img[alt], [aria-label]')
    const pictureText = picture ? (kit.readAttribute(picture, 'alt') ?? kit.readAttribute(picture, 'aria-label') ?? '') : ''
    const candidates = [attributes[0]!, ...labels, kit.readText(element, maxTextLength), ...attributes.slice(1), pictureText]
    // The cut may be within a letter of two units.
    return (candidates.find((text) => text.trim() !== '') ?? '').trim().slice(0, maxTextLength).toWellFormed()
  }
  const readFacts = (element: Element, { isZero }: StopPosition): WalkStopFacts => {
    const { minX, minY, maxX, maxY } = getUnion(element)
    const isFixed = [element, ...kit.listAncestors(element)].some((one) => getComputedStyle(one).position === 'fixed')
    const [offsetX, offsetY] = isFixed ? [0, 0] : [scrollX, scrollY]
    const [x, y] = [Math.round(minX + offsetX), Math.round(minY + offsetY)]
    const [width, height] = [Math.round(maxX - minX), Math.round(maxY - minY)]
    const kind = `${kit.read(element, 'localName')} ${kit.readAttribute(element, 'role') ?? ''}`.trim().slice(0, maxTextLength)
    return { text: readLabel(element), kind, box: isZero ? null : { x, y, width, height } }
  }

  const isMedia = (element: Element) => /^(?:video|audio|object|embed)$/.test(kit.read(element, 'localName'))
  const isFrame = (element: Element) => /^(?:iframe|frame|fencedframe|portal)$/.test(kit.read(element, 'localName'))
  const isDateField = (element: Element) =>
    element instanceof HTMLInputElement && /^(?:date|time|datetime-local|month|week)$/.test(element.type)
  const isClosedHost = (element: Element) => kit.read(element, 'localName').includes('-') && !kit.getShadowRoot(element)
  const hasCaret = (element: Element): boolean => {
    const isField =
      (element instanceof HTMLInputElement && /^(?:text|search|url|tel|email|password|number)$/.test(element.type)) ||
      element instanceof HTMLTextAreaElement
    const isEditable = element instanceof HTMLElement && kit.read(element, 'isContentEditable')
    if (!isField && !isEditable) return false
    const caret = kit.parseColor(getComputedStyle(element).caretColor)
    return (caret?.[3] ?? 1) > 0 || (isField && (element as HTMLInputElement).value !== '')
  }
  /** A box that scrolls now, or in another window. */
  const mayScroll = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflow)
  const isScroller = (element: Element): boolean =>
    mayScroll(element) &&
    (kit.read(element, 'scrollWidth') > kit.read(element, 'clientWidth') + 1 ||
      kit.read(element, 'scrollHeight') > kit.read(element, 'clientHeight') + 1)
  const hasName = (element: Element) =>
    ['aria-label', 'aria-labelledby', 'title'].some((name) => (kit.readAttribute(element, name) ?? '').trim() !== '')

  const isHiddenAt = (place: StopPosition) =>
    place.isZero || place.isOutside || place.isTransparent || place.isClipped || place.cover !== 'none'
  const isHiddenStop = ({ place, isObscured }: Stop) =>
    isObscured || place.isOutside || place.isTransparent || place.isClipped || place.cover === 'other'
  const toStep = (stop: Stop | null, isNew: boolean): WalkStep => ({
    stop: stop && stops.indexOf(stop),
    isNew,
    hasInnerStops:
      stop !== null &&
      (isMedia(stop.element) || isFrame(stop.element) || isDateField(stop.element) || isClosedHost(stop.element)),
    isFrame: stop !== null && isFrame(stop.element),
    isHidden: isNew && stop !== null && isHiddenStop(stop),
  })
  const comparePrevious = (focused: Element | null, listReached: () => readonly Element[]) => {
    if (!current?.look || current.element === focused) return
    current.change = current.look.compare(listReached)
    if (current.change === 'visible') current.look = null
  }
  /** Time that scripts take to hide what showed the focus, such as a scroll bar. */
  const lateBlurMs = 1200
  /** Compares all stops that have shown no focus yet. */
  const compareAgain = () => {
    for (const stop of stops) {
      const change = stop.change === 'visible' ? 'none' : (stop.look?.compare(() => []) ?? 'none')
      if (change !== 'none') stop.change = change
    }
  }
  let scrolled = ''
  /** Waits until scripts have run that the focus or the scrolling of the page has called. */
  const waitForScripts = async (): Promise<void> => {
    const scrolledBefore = scrolled
    await new Promise((resolve) => setTimeout(resolve, 0))
    scrolled = `${scrollX} ${scrollY}`
    const focused = kit.findFocused()
    // A ring of styles is there at once, and needs no scripts.
    const isDrawn = focused !== null && scrolled === scrolledBefore && focus.lookAtRing(focused) !== null
    if (!isDrawn || isHiddenAt(position.readPosition(focused))) await kit.waitForFrame(50)
  }
  const step = async (): Promise<WalkStep> => {
    await waitForScripts()
    const focused = kit.findFocused()
    let reached: Element[] | null = null
    const listReached = () => (reached ??= focused ? reach.listReached(focused) : [])
    // Without the next elements, changes by scripts belong to the focus that caused them.
    const isMoved = focused !== null && current?.element !== focused
    const ringLook = isMoved ? focus.lookAtRing(focused) : null
    if (isMoved && !ringLook) listReached()
    comparePrevious(focused, listReached)
    if (isMoved && !reached) reach.forgetMutations()
    if (!focused) {
      current = null
      return toStep(null, false)
    }
    const knownNumber = numbers.get(focused)
    if (knownNumber !== undefined) {
      current = stops[knownNumber]!
      return toStep(current, false)
    }
    const place = readPosition(focused)
    const stop: Stop = {
      element: focused,
      look: ringLook ?? focus.look(focused, listReached()),
      change: 'none',
      place,
      isObscured: place.cover === 'bar',
      hasHiddenParts: !ringLook && reach.hasHiddenParts(focused),
      facts: readFacts(focused, place),
    }
    numbers.set(focused, stops.length)
    stops.push(stop)
    current = stop
    return toStep(stop, true)
  }
  const stepBack = (): WalkStep => {
    const focused = kit.findFocused()
    const stop = focused && stops[numbers.get(focused) ?? -1]
    if (!focused || !stop) return toStep(null, false)
    const box = getUnion(focused)
    const isInWindow = box.maxX > 0 && box.maxY > 0 && box.minX < innerWidth && box.minY < innerHeight
    const isObscured = isInWindow && readCover(focused, box) === 'bar'
    const isHidden = isObscured && !stop.isObscured
    stop.isObscured ||= isObscured
    return { ...toStep(stop, false), isHidden }
  }

  const navigating = new Set<Element>()
  navigation.addEventListener('navigate', ({ destination }) => {
    const focused = destination.sameDocument ? null : kit.findFocused()
    if (focused) navigating.add(focused)
  })

  const isFocusable = (element: Element): boolean => {
    const tabIndex = kit.read(element as HTMLElement, 'tabIndex')
    if (tabIndex < 0 || kit.matches(element, ':disabled') || kit.call(element, 'closest', '[inert]')) return false
    if (element instanceof HTMLInputElement && element.type === 'radio') return false
    const isShown = kit.call(element, 'checkVisibility', { visibilityProperty: true })
    const modal = document.querySelector(':modal')
    return isShown && (!modal || contains(modal, element))
  }
  const listRemaining = () =>
    kit.listElements(focusableSelector, 3000).filter((element) => !numbers.has(element) && isFocusable(element))
  const skip = (): boolean => {
    const focused = current?.element
    const remaining = listRemaining().filter((element) => !isFrame(element))
    const isBehind = (element: Element) =>
      !focused || (kit.call(focused, 'compareDocumentPosition', element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    const next = remaining.find(isBehind)
    if (!next) return false
    kit.call(next as HTMLElement, 'focus', { focusVisible: true } as FocusOptions)
    return true
  }

  const describePosition = ({ isZero, isOutside, isTransparent, isClipped: clipped }: StopPosition): string =>
    isZero
      ? 'it has no size'
      : isOutside
        ? 'it is outside of the window'
        : isTransparent
          ? 'it is transparent'
          : clipped
            ? 'it is clipped'
            : 'it is covered'
  const judgeStop = (stop: Stop): RawHit | null => {
    const { element, change, place, isObscured } = stop
    const hit = (rule: string, verdict: RawHit['verdict'], proof: string): RawHit => ({ rule, verdict, element, proof })
    if (!isConnected(element)) return null
    if (isObscured) return hit('drive-focus-obscured', 'fail', 'A fixed bar covers the whole element while it has the focus')
    if (change === 'visible' || isMedia(element) || isFrame(element) || isDateField(element)) return null
    const isHidden = isHiddenStop(stop)
    const control = kit.listLabels(element).find((label) => kit.isVisible(label))
    if (place.isZero && !control)
      return hit('drive-invisible-stop', 'review', `The focus is on the element, and ${describePosition(place)}`)
    if (isHidden && !control) {
      const isUncertain = place.isTransparent ? isPageTransparent(element) : kit.hasIconOnly(element) && !place.isOutside
      const verdict = isUncertain ? 'review' : 'fail'
      return hit('drive-invisible-stop', verdict, `The focus is on the element, and ${describePosition(place)}`)
    }
    if (hasCaret(element) && !isHidden) return null
    if (isScroller(element) && !kit.readAttribute(element, 'tabindex') && !hasName(element))
      return hit('drive-focus-visible', 'review', 'A box that only scrolls shows no focus')
    if (kit.isBlank(element))
      return hit('drive-focus-visible', 'review', 'The element draws nothing, with the focus or without it')
    if (stop.hasHiddenParts)
      return hit('drive-focus-visible', 'review', 'A part of the element may show the focus: its styles cannot be read')
    if (change === 'faint') return hit('drive-focus-visible', 'review', 'The element hardly changes when it gets the focus')
    return hit('drive-focus-visible', 'fail', 'No style of the element or around it changes visibly when it gets the focus')
  }

  /** The whole page is transparent with the element: it may still load, or start with a script that failed. */
  const isPageTransparent = (element: Element): boolean =>
    [document.body, document.documentElement, ...kit.listAncestors(element)].some(
      (one) => kit.computeOpacity(one) < 0.02 && readLength(one) > readLength(document.body) / 2,
    )
  const readLength = (element: Element) => (kit.read(element, 'textContent') ?? '').length
  const genericTags = /^(?:div|span|p|i|b|u|s|em|strong|small|big|font|center|label|section|a|bdi|bdo|dd|dt|q|sub|sup|pre|code)$/
  const hasNoRole = (element: Element): boolean => {
    const role = (kit.readAttribute(element, 'role') ?? '').trim()
    if (role !== '' && !/^(?:none|presentation|generic)$/.test(role)) return false
    const tagName = kit.read(element, 'localName')
    if (!genericTags.test(tagName) || (tagName === 'a' && kit.readAttribute(element, 'href') !== null)) return false
    if (tagName === 'section' && hasName(element)) return false
    if (kit.readAttribute(element, 'tabindex') === null || mayScroll(element)) return false
    return !kit.read(element as HTMLElement, 'isContentEditable')
  }
  const keyPattern =
    /\b(?:ctrl|control|strg|alt|option|cmd|command|shift|umschalt|maj|esc|escape|échap|f\d{1,2})\b\s*(?:[+\-–]|key|taste|\)|\]|to |um |pour |para |per )|[⌘⌥⌃⎋]|(?:esc|escape|echap)\b|キーを押/iu
  return {
    start() {
      kit.blurFocused()
      restoreTransitions = focus.stopTransitions()
      scrollTo({ left: 0, top: 0, behavior: 'instant' })
      focus.noteRings(listRemaining())
    },
    step,
    stepBack,
    end: () => restoreTransitions(),
    countRemaining: () => listRemaining().length,
    skip,
    async finish() {
      kit.blurFocused()
      comparePrevious(kit.findFocused(), () => [])
      // Neighbors may share what shows the focus: compare with a page without any.
      compareAgain()
      if (stops.some((stop) => judgeStop(stop)?.rule === 'drive-focus-visible')) {
        await new Promise((resolve) => setTimeout(resolve, lateBlurMs))
        compareAgain()
      }
      return stops.flatMap((stop, number) => {
        const hit = judgeStop(stop)
        return hit ? [{ ...hit, stop: number }] : []
      })
    },
    namesKeys() {
      const hints = kit
        .listElements('[title], [aria-label], [aria-description], [placeholder]', 300)
        .flatMap((element) =>
          ['title', 'aria-label', 'aria-description', 'placeholder'].map((name) => kit.readAttribute(element, name) ?? ''),
        )
      return keyPattern.test(`${kit.readText(document.body, 100_000)} ${hints.join(' ')}`)
    },
    isInDialog(number) {
      const element = stops[number]?.element
      return (
        element !== undefined &&
        [element, ...kit.listAncestors(element)].some((one) =>
          kit.matches(one, 'dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]'),
        )
      )
    },
    isStopGone(number) {
      const element = stops[number]?.element
      return !element || !isConnected(element) || !kit.call(element, 'checkVisibility', { visibilityProperty: true })
    },
    getStop: (number) => stops[number]?.element ?? null,
    findPressPoint(number) {
      const element = stops[number]?.element
      if (!element || kit.call(element, 'querySelector', focusableSelector)) return null
      kit.call(element, 'scrollIntoView', { block: 'center', behavior: 'instant' })
      const { minX, minY, maxX, maxY } = kit.getEdges(element)
      return { x: (minX + maxX) / 2, y: (minY + maxY) / 2 }
    },
    getStopEdges: (number) => (stops[number] ? getUnion(stops[number].element) : null),
    focusStop(number) {
      const element = stops[number]?.element as HTMLElement | undefined
      if (!element || !isConnected(element)) return false
      if (kit.findFocused() === element) kit.call(element, 'blur')
      kit.call(element, 'focus')
      return kit.findFocused() === element
    },
    blurStop(number) {
      const element = stops[number]?.element as HTMLElement | undefined
      if (!element || !isConnected(element)) return false
      kit.call(element, 'blur')
      return kit.findFocused() !== element && isConnected(element)
    },
    listNavigating: () => [...navigating].flatMap((element) => numbers.get(element) ?? []),
    listUnnamedRoles: () => stops.flatMap(({ element }, number) => (isConnected(element) && hasNoRole(element) ? [number] : [])),
    listStops: () => stops.map(({ facts }) => facts),
    hasFixedBars: () =>
      kit
        .listElements('*', 5000)
        .some((element) => /fixed|sticky/.test(getComputedStyle(element).position) && kit.isVisible(element)),
  }
}

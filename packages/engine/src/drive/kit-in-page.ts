// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { PageApi } from '../axe/report-in-page.ts'

/** Red, green, blue from 0 to 255, and alpha from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** An edge-based rectangle in CSS pixels of the window. */
export type Edges = { minX: number; minY: number; maxX: number; maxY: number }

type Method<N, K extends keyof N> = N[K] extends (...methodArguments: infer A) => infer R ? { parameters: A; result: R } : never
/** Helpers of all driven rules. */
export type DriveKit = {
  /** Reads a property of a node: a form has its fields under their names instead of the properties of these names. */
  read<N extends Node, K extends keyof N>(node: N, name: K): N[K]
  /** Calls a method of a node in the same way. */
  call<N extends Node, K extends keyof N>(
    node: N,
    name: K,
    ...methodArguments: Method<N, K>['parameters']
  ): Method<N, K>['result']
  /** Parent in the flat tree: the slot or the host of a shadow root counts. */
  getParent(element: Element): Element | null
  listAncestors(element: Element): Element[]
  getShadowRoot(element: Element): ShadowRoot | null
  readAttribute(element: Element, name: string): string | null
  /** Elements of the document and its open shadow roots in order, at most `maxCount`. */
  listElements(selector: string, maxCount: number): Element[]
  /** The focused element, within shadow roots too; null if it is the document itself. */
  findFocused(): Element | null
  blurFocused(): void
  /** Topmost element at a point of the window, within shadow roots too. */
  findAt(x: number, y: number): Element | null
  isVisible(element: Element): boolean
  getEdges(element: Element): Edges
  /** Product of the opacities of an element and its ancestors. */
  computeOpacity(element: Element): number
  /** Creates a function that computes opacities, and reads the style of each element once. */
  makeOpacityReader(): (element: Element) => number
  parseColor(text: string): Color | null
  /** Opaque color behind an element's content; null if a picture or an unknown color is there. */
  findBackground(element: Element): Color | null
  computeContrast(first: Color, second: Color): number
  blend(upper: Color, lower: Color): Color
  /** Beginning of an element's visible text, on one line. */
  readText(element: Element, maxLength: number): string
  /** True if neither text nor a picture is in an element: an icon font may draw it. */
  hasIconOnly(element: Element): boolean
  /** True if nothing is drawn: an icon whose font or style sheet did not arrive. */
  isBlank(element: Element): boolean
  /** Labels of a field; none for other elements. */
  listLabels(element: Element): Element[]
  matches(element: Element, selector: string): boolean
  /** Splits a list at its commas, not at those in brackets. */
  splitList(text: string): string[]
  /** Reference to an element, a selector that matches nothing else, and the beginning of its code. */
  locate(pageApi: Pick<PageApi, 'locate'>, element: Element): ReturnType<PageApi['locate']> & { html: string }
  /** Adds styles to the document and its open shadow roots. Returns a function that removes them. */
  addStyles(text: string): () => void
  /** Ends transitions and animations that have an end, and those that follow: colors are those of the state, not of the way to it. */
  finishAnimations(): Promise<void>
  /** Waits until the page has drawn, at most `maxMs`. */
  waitForFrame(maxMs: number): Promise<void>
}

/** Creates the helpers of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeDriveKit(): DriveKit {
  const read: DriveKit['read'] = (node, name) => Reflect.get(Object.getPrototypeOf(node) as typeof node, name, node)
  const call: DriveKit['call'] = (node, name, ...methodArguments) =>
    Reflect.apply(read(node, name) as () => never, node, methodArguments)
  const shadowRootProperty = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
  const getShadowRoot = (element: Element) => shadowRootProperty.get!.call(element) as ShadowRoot | null
  const getParent = (element: Element): Element | null => {
    const slot = read(element, 'assignedSlot')
    if (slot) return slot
    const parent = read(element, 'parentNode')
    if (parent instanceof ShadowRoot) return parent.host
    return parent instanceof Element ? parent : null
  }
  const maxAncestors = 256
  const listAncestors = (element: Element): Element[] => {
    const ancestors: Element[] = []
    for (let ancestor = getParent(element); ancestor && ancestors.length < maxAncestors; ancestor = getParent(ancestor))
      ancestors.push(ancestor)
    return ancestors
  }
  const readAttribute = (element: Element, name: string): string | null => call(element, 'getAttribute', name)
  const matches = (element: Element, selector: string): boolean => {
    try {
      return call(element, 'matches', selector)
    } catch {
      return false
    }
  }

  const queryAll = (root: Document | ShadowRoot, selector: string): Element[] => {
    try {
      return [...call(root, 'querySelectorAll', selector)]
    } catch {
      return []
    }
  }
  const listElements = (selector: string, maxCount: number): Element[] => {
    const elements: Element[] = []
    const visitRoot = (root: Document | ShadowRoot) => {
      const rootElements = queryAll(root, '*')
      const matching = selector === '*' ? rootElements : queryAll(root, selector)
      const hosts = rootElements.filter((element) => getShadowRoot(element) !== null)
      if (hosts.length === 0) {
        elements.push(...matching.slice(0, maxCount - elements.length))
        return
      }
      const [matchingSet, hostSet] = [new Set(matching), new Set(hosts)]
      for (const element of rootElements) {
        if (elements.length >= maxCount) return
        if (matchingSet.has(element)) elements.push(element)
        if (hostSet.has(element)) visitRoot(getShadowRoot(element)!)
      }
    }
    visitRoot(document)
    return elements
  }
  const findFocused = (): Element | null => {
    let focused = document.activeElement
    if (!focused || focused === document.body || focused === document.documentElement) return null
    for (let root = getShadowRoot(focused); root?.activeElement; root = getShadowRoot(focused)) focused = root.activeElement
    return focused
  }
  const blurFocused = (): void => {
    const focused = findFocused()
    if (focused instanceof HTMLElement || focused instanceof SVGElement) call(focused, 'blur')
  }
  const findAt = (x: number, y: number): Element | null => {
    let topElement = document.elementFromPoint(x, y)
    for (let root = topElement && getShadowRoot(topElement); root; root = topElement && getShadowRoot(topElement)) {
      const inner = root.elementFromPoint(x, y)
      if (!inner || inner === topElement) break
      topElement = inner
    }
    return topElement
  }
  const getEdges = (element: Element): Edges => {
    const rect = call(element, 'getBoundingClientRect')
    return { minX: rect.left, minY: rect.top, maxX: rect.right, maxY: rect.bottom }
  }
  const isVisible = (element: Element): boolean => {
    if (!call(element, 'checkVisibility', { opacityProperty: true, visibilityProperty: true })) return false
    const { minX, minY, maxX, maxY } = getEdges(element)
    return maxX - minX > 1 && maxY - minY > 1
  }
  const makeOpacityReader = () => {
    const opacities = new Map<Element, number>()
    return (element: Element): number => {
      const unread: Element[] = []
      let ancestor: Element | null = element
      for (; ancestor && !opacities.has(ancestor) && unread.length <= maxAncestors; ancestor = getParent(ancestor))
        unread.push(ancestor)
      let opacity = (ancestor && opacities.get(ancestor)) ?? 1
      for (const one of unread.toReversed()) {
        opacity *= Number(getComputedStyle(one).opacity)
        opacities.set(one, opacity)
      }
      return opacity
    }
  }
  const computeOpacity = (element: Element): number => makeOpacityReader()(element)

  const colors = new Map<string, Color | null>()
  const parseColor = (text: string): Color | null => {
    const knownColor = colors.get(text)
    if (knownColor !== undefined) return knownColor
    const numbers = (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number)
    let color: Color | null = null
    if (text === 'transparent') color = [0, 0, 0, 0]
    else if (text.startsWith('rgb') && numbers.length >= 3) color = [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3] ?? 1]
    else if (text.startsWith('color(srgb ') && numbers.length >= 3)
      color = [numbers[0]! * 255, numbers[1]! * 255, numbers[2]! * 255, numbers[3] ?? 1]
    else if (/^[a-z-]+\(/.test(text)) {
      // A canvas knows the remaining color spaces.
      const drawing = new OffscreenCanvas(1, 1).getContext('2d')
      if (drawing) {
        drawing.fillStyle = text
        drawing.fillRect(0, 0, 1, 1)
        const { data } = drawing.getImageData(0, 0, 1, 1)
        color = [data[0]!, data[1]!, data[2]!, data[3]! / 255]
      }
    }
    colors.set(text, color)
    return color
  }
  const blend = (upper: Color, lower: Color): Color => {
    const alpha = upper[3]
    const mix = (index: 0 | 1 | 2) => upper[index] * alpha + lower[index] * (1 - alpha)
    return [mix(0), mix(1), mix(2), 1]
  }
  const findBackground = (element: Element): Color | null => {
    const layers: Color[] = []
    for (const one of [element, ...listAncestors(element)]) {
      const style = getComputedStyle(one)
      if (style.backgroundImage !== 'none') return null
      const color = parseColor(style.backgroundColor)
      if (!color) return null
      if (color[3] > 0) layers.push(color)
      if (color[3] === 1) break
    }
    // The canvas below all of them is white, or nearly black in a dark scheme.
    const isDark =
      getComputedStyle(document.documentElement).colorScheme.includes('dark') &&
      matchMedia('(prefers-color-scheme: dark)').matches
    return layers.reduceRight<Color>((lower, layer) => blend(layer, lower), isDark ? [18, 18, 18, 1] : [255, 255, 255, 1])
  }
  const computeLuminance = ([red, green, blue]: Color): number => {
    const [linearRed, linearGreen, linearBlue] = [red, green, blue].map((channel) => {
      const share = channel / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * linearRed! + 0.7152 * linearGreen! + 0.0722 * linearBlue!
  }
  const computeContrast = (first: Color, second: Color): number => {
    const [firstLight, secondLight] = [computeLuminance(first), computeLuminance(second)]
    return (Math.max(firstLight, secondLight) + 0.05) / (Math.min(firstLight, secondLight) + 0.05)
  }
  const readText = (element: Element, maxLength: number): string => {
    const text = element instanceof HTMLElement ? read(element, 'innerText') : (read(element, 'textContent') ?? '')
    return text.slice(0, 2000).replace(/\s+/g, ' ').trim().slice(0, maxLength)
  }
  const hasIconOnly = (element: Element): boolean =>
    readText(element, 3) === '' && !call(element, 'querySelector', 'img, svg, canvas, picture')
  const paintsNothing = (style: CSSStyleDeclaration): boolean =>
    parseColor(style.backgroundColor)?.[3] === 0 &&
    style.backgroundImage === 'none' &&
    style.boxShadow === 'none' &&
    (['Top', 'Right', 'Bottom', 'Left'] as const).every(
      (side) => Number.parseFloat(style[`border${side}Width`]) === 0 || parseColor(style[`border${side}Color`])?.[3] === 0,
    )
  const drawnByBrowser =
    'input, select, textarea, button, summary, img, svg *, area, video, audio, iframe, object, embed, meter, progress, hr'
  const drawsNothing = (element: Element): boolean =>
    !getShadowRoot(element) &&
    !matches(element, drawnByBrowser) &&
    paintsNothing(getComputedStyle(element)) &&
    ['::before', '::after'].every((pseudo) => {
      const style = getComputedStyle(element, pseudo)
      return /^(?:none|normal)$/.test(style.content) || (style.content === '""' && paintsNothing(style))
    })
  const isBlank = (element: Element): boolean => {
    if (!hasIconOnly(element)) return false
    const innerElements = [...call(element, 'querySelectorAll', '*')]
    return innerElements.length <= 20 && [element, ...innerElements].every(drawsNothing)
  }
  const splitList = (text: string): string[] => {
    const parts = ['']
    let depth = 0
    for (const letter of text) {
      if (letter === '(') depth += 1
      if (letter === ')') depth -= 1
      if (letter === ',' && depth === 0) parts.push('')
      else parts[parts.length - 1] += letter
    }
    return parts
  }
  const locate = (pageApi: Pick<PageApi, 'locate'>, element: Element) => {
    const id = readAttribute(element, 'id')
    const selector = element === document.documentElement ? 'html' : id ? `#${CSS.escape(id)}` : ':not(*)'
    const html = read(element, 'outerHTML').slice(0, 300)
    return { ...pageApi.locate({ target: selector, ancestry: selector }, element), html }
  }
  const addStyles = (text: string) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    const roots: (Document | ShadowRoot)[] = [document]
    for (const element of listElements('*', 20_000)) {
      const shadowRoot = getShadowRoot(element)
      if (shadowRoot) roots.push(shadowRoot)
    }
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    return () => {
      for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }
  const fieldClasses = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement, HTMLOutputElement]
  const listLabels = (element: Element): Element[] => {
    const isField = fieldClasses.some((one) => element instanceof one)
    return isField ? [...(read(element as HTMLInputElement, 'labels') ?? [])] : []
  }
  const waitForFrame = (maxMs: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, maxMs)
      requestAnimationFrame(() => setTimeout(resolve, 0))
    })
  const finishAnimations = async () => {
    for (let round = 0; round < 3; round++) {
      const finite = document
        .getAnimations()
        .filter(
          ({ effect, playState, playbackRate }) =>
            playState === 'running' && playbackRate !== 0 && Number.isFinite(effect?.getComputedTiming().endTime),
        )
      if (finite.length === 0) return
      for (const animation of finite.slice(0, 500)) animation.finish()
      await waitForFrame(50)
    }
  }
  return {
    read,
    call,
    getParent,
    listAncestors,
    getShadowRoot,
    readAttribute,
    listElements,
    findFocused,
    blurFocused,
    findAt,
    isVisible,
    getEdges,
    computeOpacity,
    makeOpacityReader,
    parseColor,
    findBackground,
    computeContrast,
    blend,
    readText,
    hasIconOnly,
    isBlank,
    listLabels,
    matches,
    splitList,
    locate,
    addStyles,
    finishAnimations,
    waitForFrame,
  }
}

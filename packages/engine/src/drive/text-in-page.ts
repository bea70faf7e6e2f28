// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit, Edges } from './kit-in-page.ts'

/** A hit of a rule in a page. `proof`: what was seen, in English. */
export type RawHit = { rule: string; verdict: 'fail' | 'review'; element: Element; proof: string; stop?: number }

/** Measures the text of a page at different widths, and compares them. */
export type TextMeter = {
  /** Remembers the lines of text of the current layout under a name. */
  measure(name: string): void
  /** Remembers by which angles boxes are turned in the current layout. */
  measureAngles(name: string): void
  /** Lines that fitted in the layout `before`, and cross the edge of the window or are cut in the layout `after`, the current one. */
  findReflowHits(before: string, after: string): RawHit[]
  /** Text that was whole in the layout `before`, and is cut in the layout `after`. */
  findCutHits(rule: string, before: string, after: string): RawHit[]
  /** Text that does not reach twice its size in any of the zoomed layouts. */
  findUnscaledHits(before: string, zoomed: readonly { name: string; factor: number }[]): RawHit[]
  /** Boxes with most of the text that are turned by a right angle in one layout only. */
  findTurnedHits(first: string, second: string): RawHit[]
  /** Widens the spacing of text as WCAG 1.4.12 does. Returns a function that restores it. */
  widenSpacing(): () => void
}

/** Creates the meter of a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeTextMeter(kit: DriveKit): TextMeter {
  const maxTexts = 6000
  type Line = Edges & { state: 'whole' | 'cut' | 'gone'; isEllipsized: boolean }
  type Measure = { lines: Line[]; fontSize: number; isShown: boolean }
  type Layout = {
    measures: Map<Text, Measure>
    width: number
    /** Width that people can reach by scrolling sideways. */
    reach: number
  }
  const layouts = new Map<string, Layout>()
  const anglesByLayout = new Map<string, Map<Element, number>>()

  const exemptSelector =
    'table, pre, code, samp, kbd, textarea, select, svg, math, canvas, video, audio, object, embed, iframe, map, marquee, noscript, script, style, template, [role="toolbar"], [role="grid"], [role="treegrid"], [role="table"], [role="application"], [role="math"], [aria-hidden="true"][class*="icon" i], [contenteditable="true"], .leaflet-container, .maplibregl-map, .mapboxgl-map, .ol-viewport, .gm-style'
  const iconClasses =
    /(?:^|[\s_-])(?:icons?|fa|fas|far|fab|glyphicon|material-icons|material-symbols\S*|mdi|bi|ti|octicon)(?:$|[\s_-])/i
  const isIconText = (text: string, element: Element): boolean =>
    // oxlint-disable-next-line no-misleading-character-class -- the private use area, in which icon fonts are
    /^[\s\u{e000}-\u{f8ff}\u{f0000}-\u{10fffd}]*$/u.test(text) ||
    (!/\s/.test(text.trim()) && iconClasses.test(kit.readAttribute(element, 'class') ?? ''))

  const collectTexts = (): Text[] => {
    const texts: Text[] = []
    const visit = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
      for (let node = walker.nextNode(); node && texts.length < maxTexts; node = walker.nextNode()) {
        if (node instanceof Element) {
          const shadowRoot = kit.getShadowRoot(node)
          if (shadowRoot) visit(shadowRoot)
        } else if (/\p{L}|\p{N}/u.test((node as Text).data)) texts.push(node as Text)
      }
    }
    if (document.body) visit(document.body)
    return texts
  }
  const getHolder = (text: Text): Element | null => {
    const parent = text.parentNode
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
  }
  const textRange = document.createRange()
  const readLines = (text: Text): Edges[] => {
    textRange.selectNodeContents(text)
    const lines: Edges[] = []
    for (const { left: minX, top: minY, right: maxX, bottom: maxY, width, height } of textRange.getClientRects()) {
      if (width < 1 || height < 1) continue
      const line = lines.at(-1)
      if (line && Math.abs(line.minY - minY) < height / 2) {
        line.minX = Math.min(line.minX, minX)
        line.maxX = Math.max(line.maxX, maxX)
      } else lines.push({ minX, minY, maxX, maxY })
    }
    return lines
  }

  type Clip = Edges & { isHidden: boolean; isEllipsized: boolean; scrollsX: boolean; scrollsY: boolean }
  const noClip: Clip = {
    minX: -Infinity,
    minY: -Infinity,
    maxX: Infinity,
    maxY: Infinity,
    isHidden: false,
    isEllipsized: false,
    scrollsX: false,
    scrollsY: false,
  }
  let clips = new Map<Element, Clip>()
  const isRoot = (element: Element) => element === document.documentElement || element === document.body
  /** Visible part of an element's content, as it and its ancestors cut it. */
  const computeClip = (element: Element): Clip => {
    const knownClip = clips.get(element)
    if (knownClip) return knownClip
    const parent = kit.getParent(element)
    const style = getComputedStyle(element)
    // Boxes that are positioned by the window escape the boxes around them.
    const outer = parent && style.position !== 'fixed' ? computeClip(parent) : noClip
    const clip: Clip = { ...outer }
    const isInline = style.display === 'inline' || style.display === 'contents'
    if (!isRoot(element) && !isInline) {
      const { minX, minY, maxX, maxY } = kit.getEdges(element)
      const [innerX, innerY] = [minX + kit.read(element, 'clientLeft'), minY + kit.read(element, 'clientTop')]
      const [width, height] = [kit.read(element, 'clientWidth'), kit.read(element, 'clientHeight')]
      const box = { minX: innerX, minY: innerY, maxX: innerX + width, maxY: innerY + height }
      const scrolls = (value: string) => value === 'auto' || value === 'scroll'
      const cuts = (value: string) => value === 'hidden' || value === 'clip'
      // A scroller ends the clips inside of it: what is cut can be scrolled to.
      if (scrolls(style.overflowX) && kit.read(element, 'scrollWidth') > width + 1) clip.scrollsX = true
      if (scrolls(style.overflowY) && kit.read(element, 'scrollHeight') > height + 1) clip.scrollsY = true
      if (cuts(style.overflowX)) [clip.minX, clip.maxX] = [Math.max(clip.minX, box.minX), Math.min(clip.maxX, box.maxX)]
      if (cuts(style.overflowY)) [clip.minY, clip.maxY] = [Math.max(clip.minY, box.minY), Math.min(clip.maxY, box.maxY)]
      const isClamped = style.webkitLineClamp !== 'none' && style.webkitLineClamp !== ''
      if ((cuts(style.overflowX) && style.textOverflow === 'ellipsis') || isClamped) clip.isEllipsized = true
      const isClippedAway =
        (style.clip !== 'auto' && /rect\((?:0|1)px,? (?:0|1)px,? (?:0|1)px,? (?:0|1)px\)/.test(style.clip)) ||
        /inset\((?:50|100)%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)*\)/.test(style.clipPath)
      if (isClippedAway || maxX <= 0 || maxY + scrollY <= 0) clip.isHidden = true
      if (clip.maxX - clip.minX <= 2 || clip.maxY - clip.minY <= 2) clip.isHidden = true
    }
    clips.set(element, clip)
    return clip
  }
  const computeAngle = (element: Element): number => {
    const { transform, rotate } = getComputedStyle(element)
    const [a = 1, b = 0] = (/^matrix(?:3d)?\(([^)]+)\)/.exec(transform)?.[1] ?? '').split(',').map(Number)
    const byTransform = transform === 'none' ? 0 : (Math.atan2(b, a) * 180) / Math.PI
    const byRotate = rotate === 'none' ? 0 : Number.parseFloat(rotate.split(' ').at(-1)!)
    return byTransform + (rotate.endsWith('rad') ? (byRotate * 180) / Math.PI : byRotate)
  }
  const measureText = (text: Text): Measure | null => {
    const holder = getHolder(text)
    if (!holder || isIconText(text.data, holder)) return null
    const isRendered = kit.call(holder, 'checkVisibility', { opacityProperty: true, visibilityProperty: true })
    const style = getComputedStyle(holder)
    const clip = isRendered ? computeClip(holder) : noClip
    const fontSize = Number.parseFloat(style.fontSize)
    const edges = isRendered && !clip.isHidden ? readLines(text) : []
    const lines = edges.map((line): Line => {
      // Line boxes may be lower than the glyphs' area, and letters may lean out a little.
      const [slackX, slackY] = [fontSize * 0.2, (line.maxY - line.minY) * 0.35]
      const isGone =
        line.minX >= clip.maxX || line.maxX <= clip.minX || line.minY + slackY >= clip.maxY || line.maxY - slackY <= clip.minY
      const isCutX = !clip.scrollsX && (line.maxX - slackX > clip.maxX || line.minX + slackX < clip.minX)
      const isCutY = !clip.scrollsY && (line.maxY - slackY > clip.maxY || line.minY + slackY < clip.minY)
      const state = isGone ? (clip.scrollsX || clip.scrollsY ? 'whole' : 'gone') : isCutX || isCutY ? 'cut' : 'whole'
      return { ...line, state, isEllipsized: clip.isEllipsized }
    })
    return { lines, fontSize, isShown: lines.some((line) => line.maxX > 0 && line.maxY + scrollY > 0) }
  }
  const listTurnable = (): Element[] => [
    document.documentElement,
    ...kit.listElements('body, body *', 400).filter((element) => !isRoot(element) || element === document.body),
  ]

  const measure = (name: string): void => {
    scrollTo({ left: 0, top: 0, behavior: 'instant' })
    clips = new Map()
    const root = document.documentElement
    const isHiddenX = [root, document.body].some((one) => one && ['hidden', 'clip'].includes(getComputedStyle(one).overflowX))
    const measures = new Map<Text, Measure>()
    for (const text of collectTexts()) {
      const textMeasure = measureText(text)
      if (textMeasure) measures.set(text, textMeasure)
    }
    const width = root.clientWidth
    const scrollable = (document.scrollingElement ?? root).scrollWidth
    layouts.set(name, { measures, width, reach: isHiddenX ? width : scrollable })
  }

  const measureAngles = (name: string) =>
    void anglesByLayout.set(name, new Map(listTurnable().map((element) => [element, computeAngle(element)])))

  /** Nearest box around a text: what people see as one block. */
  const findBlock = (text: Text): Element => {
    let block = getHolder(text)!
    for (let parent: Element | null = block; parent; parent = kit.getParent(parent)) {
      block = parent
      if (!/^(?:inline|contents)$/.test(getComputedStyle(parent).display)) break
    }
    return block
  }
  const isExempt = (text: Text): boolean => {
    for (let element: Element | null = getHolder(text); element; element = kit.getParent(element))
      if (kit.matches(element, exemptSelector)) return true
    return false
  }
  const quote = (text: Text): string => text.data.replace(/\s+/g, ' ').trim().slice(0, 80)
  /** One hit for each block; a failure counts more than a suspicion. */
  const openHits = (rule: string) => {
    const hits = new Map<Element, RawHit>()
    return {
      add(text: Text, verdict: RawHit['verdict'], proof: string) {
        const element = findBlock(text)
        if (hits.get(element)?.verdict === 'fail' || (hits.has(element) && verdict === 'review')) return
        hits.set(element, { rule, verdict, element, proof })
      },
      list: () => [...hits.values()],
    }
  }
  const isWhole = (textMeasure: Measure | undefined, width: number): textMeasure is Measure =>
    textMeasure !== undefined &&
    textMeasure.isShown &&
    textMeasure.lines.every(({ state, minX, maxX }) => state === 'whole' && minX >= -2 && maxX <= width + 2)

  const judgeLine = (line: Line, layout: Layout, fontSize: number): RawHit['verdict'] | null => {
    if (line.state === 'gone' || line.maxX <= 0) return null
    const edge = layout.width
    // Letters on this side of the edge: fewer than two are no beginning of a line.
    const visibleWidth = edge - line.minX
    const crosses = line.maxX > edge + 4
    if (line.state === 'cut') return line.isEllipsized ? 'review' : visibleWidth < fontSize * 1.5 ? null : 'fail'
    if (!crosses) return null
    if (visibleWidth >= fontSize * 1.5) return 'fail'
    return layout.reach > edge + 1 && line.minX < layout.reach ? 'review' : null
  }
  const findReflowHits = (before: string, after: string): RawHit[] => {
    const [wide, narrow] = [layouts.get(before), layouts.get(after)!]
    const hits = openHits('drive-reflow')
    for (const [text, textMeasure] of narrow.measures) {
      if (!textMeasure.isShown || !isWhole(wide?.measures.get(text), wide?.width ?? 0)) continue
      const holder = getHolder(text)
      const clip = holder && computeClip(holder)
      if (!clip || clip.scrollsX || isExempt(text)) continue
      const verdicts = textMeasure.lines.map((line) => judgeLine(line, narrow, textMeasure.fontSize))
      const verdict = verdicts.includes('fail') ? 'fail' : verdicts.includes('review') ? 'review' : null
      if (!verdict) continue
      const rightmost = Math.round(Math.max(...textMeasure.lines.map(({ maxX }) => maxX)))
      hits.add(text, verdict, `“${quote(text)}” reaches to ${rightmost} px in a window of ${narrow.width} px`)
    }
    return hits.list()
  }
  const findCutHits = (rule: string, before: string, after: string): RawHit[] => {
    const [first, second] = [layouts.get(before), layouts.get(after)]
    const hits = openHits(rule)
    for (const [text, textMeasure] of second?.measures ?? []) {
      if (!isWhole(first?.measures.get(text), first?.width ?? 0) || isExempt(text)) continue
      const lost = textMeasure.lines.filter(({ state }) => state !== 'whole')
      // Text that is gone as a whole was hidden on purpose by the narrower layout.
      const isMoved =
        rule === 'drive-zoom-text' && lost.length === textMeasure.lines.length && lost.every(({ state }) => state === 'gone')
      if (lost.length === 0 || isMoved) continue
      const verdict = lost.every(({ isEllipsized }) => isEllipsized) ? 'review' : 'fail'
      hits.add(text, verdict, `“${quote(text)}” is cut: ${lost.length} of ${textMeasure.lines.length} lines`)
    }
    return hits.list()
  }
  const findUnscaledHits = (before: string, zoomed: readonly { name: string; factor: number }[]): RawHit[] => {
    const hits = openHits('drive-zoom-scale')
    const first = layouts.get(before)
    for (const [text, { fontSize, isShown }] of first?.measures ?? []) {
      if (!isShown || quote(text).length < 3 || isExempt(text)) continue
      const sizes = zoomed.map(({ name, factor }) => {
        const zoomedMeasure = layouts.get(name)?.measures.get(text)
        // Text that a layout hides has no size there.
        return zoomedMeasure?.isShown ? zoomedMeasure.fontSize * factor : null
      })
      if (sizes.some((size) => size === null)) continue
      const largest = Math.max(...sizes.map((size) => size ?? 0))
      if (largest >= fontSize * 1.9) continue
      hits.add(text, 'fail', `${Math.round(fontSize * 10) / 10} px become ${Math.round(largest * 10) / 10} px at most`)
    }
    return hits.list()
  }
  const findTurnedHits = (first: string, second: string): RawHit[] => {
    const [firstAngles, secondAngles] = [anglesByLayout.get(first), anglesByLayout.get(second)]
    const totalLength = (document.body?.textContent ?? '').trim().length
    const hits: RawHit[] = []
    for (const [element, angle] of secondAngles ?? []) {
      const difference = Math.abs(angle - (firstAngles?.get(element) ?? angle)) % 360
      const isTurned = Math.abs(difference - 90) <= 10 || Math.abs(difference - 270) <= 10
      if (!isTurned || (kit.read(element, 'textContent') ?? '').trim().length < totalLength / 2) continue
      if (hits.some((hit) => kit.call(hit.element, 'contains', element))) continue
      const proof = `Turned by ${Math.round(difference)} degrees in one orientation`
      hits.push({ rule: 'drive-orientation', verdict: 'fail', element, proof })
    }
    return hits
  }
  const widenSpacing = () =>
    kit.addStyles(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
  return { measure, measureAngles, findReflowHits, findCutHits, findUnscaledHits, findTurnedHits, widenSpacing }
}

import type { PdfFile } from '../object/document.ts'
import { isStream, pdfLimits, type PdfDict, type PdfStream } from '../object/value.ts'
import { computeContrastRatio } from '@clearway/contract/kit/contrast.ts'
import type { Color } from '../model/color.ts'
import { runAppearance, runPageContent } from '../model/content.ts'
import type { PaintedItem, ContentMark, ContentVisitor, ContentWalk } from '../model/drawing.ts'
import { readFont, type Font, type Glyph } from '../model/font.ts'
import { buildGlyphs } from '../model/glyph.ts'
import { unionRects } from '../model/matrix.ts'
import { readPages, type PdfPage, type Rect } from '../model/page.ts'
import { readStructure, type StructureElement } from '../model/structure.ts'
import { isRooted, findLanguage } from '../model/structure-query.ts'
import { decodeText } from '../model/text-string.ts'
import { readXmp } from '../model/xmp.ts'
import { isLanguageTag } from './document.ts'
import type { PdfFacts, FontUse, Hit, TextRun } from './hit.ts'

type PaintedArea = { rect: Rect; color: Color }

type GatherState = {
  fonts: Map<PdfDict, { font: Font | null; use: FontUse | null; glyphCache: Map<string, readonly Glyph[]> }>
  byFont: Map<Font, Map<string, readonly Glyph[]>>
  bounds: Map<StructureElement, { page: number; rect: Rect | null }>
  texts: Map<StructureElement, string>
  runs: TextRun[]
  hits: Hit[]
  /** Reported page and test pairs: one hit per page and test. */
  reportedKeys: Set<string>
  forms: Map<PdfDict, { count: number; page: number }>
  painted: PaintedArea[]
  pictureArea: number
  hasText: boolean
}

const maxTextRuns = 200_000
const maxHits = 5000

const findElement = (marks: readonly ContentMark[]): StructureElement | null =>
  marks.findLast((mark) => mark.element)?.element ?? null
const isArtifact = (marks: readonly ContentMark[]): boolean => marks.some((mark) => mark.tag === 'Artifact')

function findMarkLanguage(marks: readonly ContentMark[]): string | null {
  return marks.findLast((mark) => mark.lang !== null)?.lang ?? findLanguage(findElement(marks))
}

function reportHit(gathering: GatherState, hit: Hit): void {
  const hitKey = `${hit.test} ${hit.page}`
  if (gathering.reportedKeys.has(hitKey) || gathering.hits.length >= maxHits) return
  gathering.reportedKeys.add(hitKey)
  gathering.hits.push(hit)
}

type KnownFacts = Pick<PdfFacts, 'file' | 'hasCatalogLanguage' | 'structure'>

const isTagged = ({ file, structure }: KnownFacts, element: StructureElement | null): boolean =>
  element !== null && structure !== null && isRooted(file, structure, element)

function handleMark(
  knownFacts: KnownFacts,
  gathering: GatherState,
  mark: ContentMark,
  outer: readonly ContentMark[],
  page: PdfPage,
): void {
  const hitLocation = { page: page.index, element: mark.element ?? findElement(outer) }
  // A mark may be both by itself: an artifact with a number that an element of the tree claims.
  if (mark.tag === 'Artifact' && hitLocation.element) reportHit(gathering, { test: '7.1-1', ...hitLocation })
  if (mark.element && isArtifact([...outer, mark])) reportHit(gathering, { test: '7.1-2', ...hitLocation })
  if (mark.lang !== null && !isLanguageTag(mark.lang)) reportHit(gathering, { test: '7.2-29', ...hitLocation, text: mark.lang })
  if (mark.tag !== 'Span' || knownFacts.hasCatalogLanguage || mark.lang !== null || findMarkLanguage([...outer, mark]) !== null)
    return
  if (mark.actualText !== null) reportHit(gathering, { test: '7.2-30', ...hitLocation, text: mark.actualText })
  if (mark.alt !== null) reportHit(gathering, { test: '7.2-31', ...hitLocation, text: mark.alt })
  if (mark.expansion !== null) reportHit(gathering, { test: '7.2-32', ...hitLocation, text: mark.expansion })
}

const joinGlyphText = (glyphs: readonly Glyph[]): string => glyphs.map(({ text }) => text ?? '\ufffd').join('')

function recordGlyphs(item: PaintedItem, use: FontUse): void {
  const { glyphs, mode } = item.text!
  const isVisible = mode !== 3
  if (isVisible && !use.isVisible) {
    use.isVisible = true
    use.page = item.page.index
    use.rect = item.rect
  }
  for (const glyph of glyphs) {
    const glyphKey = String(glyph.code)
    const knownGlyph = use.glyphs.get(glyphKey)
    if (knownGlyph && (knownGlyph.isVisible || !isVisible)) continue
    use.glyphs.set(glyphKey, { glyph, isVisible, page: item.page.index, rect: item.rect, element: findElement(item.marks) })
  }
}

const isInside = (outerRect: Rect, innerRect: Rect): boolean =>
  outerRect[0] <= innerRect[0] + 1 &&
  outerRect[1] <= innerRect[1] + 1 &&
  outerRect[2] >= innerRect[2] - 1 &&
  outerRect[3] >= innerRect[3] - 1

/** Returns the contrast of text to the area painted below it; null for an image, a pattern or an unknown color. */
function computeContrast(gathering: GatherState, item: PaintedItem): number | null {
  if (!item.fill || !item.rect) return null
  const paintedBelow = gathering.painted.findLast(
    ({ rect }) => rect[0] < item.rect![2] && rect[2] > item.rect![0] && rect[1] < item.rect![3] && rect[3] > item.rect![1],
  )
  if (!paintedBelow) return computeContrastRatio(item.fill, [1, 1, 1])
  if (!paintedBelow.color || !isInside(paintedBelow.rect, item.rect)) return null
  return computeContrastRatio(item.fill, paintedBelow.color)
}

function recordText(knownFacts: KnownFacts, gathering: GatherState, item: PaintedItem): void {
  const { font, glyphs, mode, size } = item.text!
  const fontEntry = font ? gathering.fonts.get(font.dict) : undefined
  if (font && fontEntry) {
    fontEntry.use ??= { font, glyphs: new Map(), isVisible: false, page: item.page.index, rect: item.rect }
    recordGlyphs(item, fontEntry.use)
  }
  const textElement = findElement(item.marks)
  const shownText = joinGlyphText(glyphs)
  if (mode !== 3 && shownText.trim() !== '') gathering.hasText = true
  if (!knownFacts.hasCatalogLanguage && findMarkLanguage(item.marks) === null)
    reportHit(gathering, { test: '7.2-34', page: item.page.index, rect: item.rect, element: textElement, text: shownText })
  if (textElement) {
    const collectedText = gathering.texts.get(textElement) ?? ''
    if (collectedText.length < 120) gathering.texts.set(textElement, (collectedText + shownText).slice(0, 120))
  }
  if (item.rect && shownText.trim() !== '' && !isArtifact(item.marks) && gathering.runs.length < maxTextRuns)
    gathering.runs.push({
      page: item.page.index,
      rect: item.rect,
      element: textElement,
      text: shownText,
      size,
      contrast: mode === 3 ? null : computeContrast(gathering, item),
    })
}

function handleItem(knownFacts: KnownFacts, gathering: GatherState, item: PaintedItem): void {
  const itemElement = findElement(item.marks)
  const { index } = item.page
  if (!isTagged(knownFacts, itemElement) && !isArtifact(item.marks))
    reportHit(gathering, {
      test: '7.1-3',
      page: index,
      rect: item.rect,
      text: item.text ? joinGlyphText(item.text.glyphs) : item.kind,
    })
  if (itemElement && item.rect) {
    const elementBounds = gathering.bounds.get(itemElement)
    if (!elementBounds) gathering.bounds.set(itemElement, { page: index, rect: item.rect })
    else if (elementBounds.page === index) elementBounds.rect = unionRects(elementBounds.rect, item.rect)
  }
  if (item.kind === 'image' && item.rect) gathering.pictureArea += (item.rect[2] - item.rect[0]) * (item.rect[3] - item.rect[1])
  if (item.kind === 'text') recordText(knownFacts, gathering, item)
  else if (item.rect && gathering.painted.length < 20_000 && (item.kind === 'image' || (item.kind === 'path' && item.fill)))
    gathering.painted.push({ rect: item.rect, color: item.kind === 'path' && item.isRectangle ? item.fill : null })
}

function createVisitor(knownFacts: KnownFacts, gathering: GatherState): ContentVisitor {
  return {
    mark: (mark, outer, page) => handleMark(knownFacts, gathering, mark, outer, page),
    item: (item) => handleItem(knownFacts, gathering, item),
    form: (dict, page, hasContent) => {
      if (!hasContent) return
      const formUse = gathering.forms.get(dict)
      if (formUse) formUse.count += 1
      else gathering.forms.set(dict, { count: 1, page: page.index })
      if (formUse?.count === 2) reportHit(gathering, { test: '7.20-2', page: page.index })
    },
  }
}

/** Returns the normal appearances of an annotation in all its states. */
function listAppearances(file: PdfFile, annotation: PdfDict): PdfStream[] {
  const normalAppearance = file.resolve(file.dict(annotation.entries.get('AP'))?.entries.get('N'))
  if (isStream(normalAppearance)) return [normalAppearance]
  const appearanceStates = [...(file.dict(normalAppearance)?.entries.values() ?? [])].slice(0, 100)
  return appearanceStates.map((appearanceState) => file.stream(appearanceState)).filter((stream) => stream !== null)
}

function runAnnotations(walk: ContentWalk, knownFacts: KnownFacts, gathering: GatherState, page: PdfPage): void {
  // Fonts are checked here, too. Tags are not, because the annotation itself is tagged.
  const fontVisitor: ContentVisitor = {
    mark: () => {},
    form: () => {},
    item: (item) => {
      if (!item.text?.font) return
      const fontEntry = gathering.fonts.get(item.text.font.dict)
      if (!fontEntry) return
      fontEntry.use ??= { font: item.text.font, glyphs: new Map(), isVisible: false, page: page.index, rect: null }
      recordGlyphs({ ...item, rect: null }, fontEntry.use)
    },
  }
  const annotationsValue = page.dict.entries.get('Annots')
  if (annotationsValue === undefined) return
  for (const annotationValue of knownFacts.file.array(annotationsValue).slice(0, 20_000)) {
    const annotationDict = knownFacts.file.dict(annotationValue)
    for (const appearanceForm of annotationDict ? listAppearances(knownFacts.file, annotationDict) : [])
      runAppearance({ ...walk, visitor: fontVisitor }, page, appearanceForm)
  }
}

function createGatherState(): GatherState {
  return {
    fonts: new Map(),
    byFont: new Map(),
    bounds: new Map(),
    texts: new Map(),
    runs: [],
    hits: [],
    reportedKeys: new Set(),
    forms: new Map(),
    painted: [],
    pictureArea: 0,
    hasText: false,
  }
}

function createFontReader(file: PdfFile, { fonts, byFont }: GatherState) {
  const fontOf = (dict: PdfDict): Font | null => {
    let fontEntry = fonts.get(dict)
    if (!fontEntry) {
      fontEntry = { font: readFont(file, dict), use: null, glyphCache: new Map() }
      fonts.set(dict, fontEntry)
      if (fontEntry.font) byFont.set(fontEntry.font, fontEntry.glyphCache)
    }
    return fontEntry.font
  }
  const decodeGlyphs = (font: Font, raw: string): readonly Glyph[] => {
    const glyphCache = byFont.get(font)
    const cachedGlyphs = glyphCache?.get(raw)
    if (cachedGlyphs) return cachedGlyphs
    const decodedGlyphs = buildGlyphs(font, raw)
    if (glyphCache && glyphCache.size < 50_000 && raw.length < 8) glyphCache.set(raw, decodedGlyphs)
    return decodedGlyphs
  }
  return { fontOf, glyphsOf: decodeGlyphs }
}

/** Reads all facts for the tests, and collects the hits found while reading the content. @throws PdfError */
export function gatherFacts(file: PdfFile): { facts: PdfFacts; hits: Hit[] } {
  const structureTree = readStructure(file)
  const pageList = readPages(file)
  const metadataStream = file.stream(file.catalog.entries.get('Metadata'))
  const metadataBytes = metadataStream && file.unpack(metadataStream)
  const catalogLanguage = file.string(file.catalog.entries.get('Lang'))
  const knownFacts = { file, structure: structureTree, hasCatalogLanguage: catalogLanguage !== null }
  const gatherState = createGatherState()
  const contentWalk: ContentWalk = {
    file,
    structure: structureTree,
    visitor: createVisitor(knownFacts, gatherState),
    ...createFontReader(file, gatherState),
    budget: { remaining: pdfLimits.operators },
  }
  const pageContents: { hasText: boolean; pictureShare: number }[] = []
  for (const page of pageList.pages) {
    gatherState.painted = []
    gatherState.pictureArea = 0
    gatherState.hasText = false
    runPageContent(contentWalk, page)
    runAnnotations(contentWalk, knownFacts, gatherState, page)
    const pageArea = (page.box[2] - page.box[0]) * (page.box[3] - page.box[1])
    pageContents.push({ hasText: gatherState.hasText, pictureShare: pageArea > 0 ? gatherState.pictureArea / pageArea : 0 })
  }
  const gatheredFacts: PdfFacts = {
    file,
    pages: pageList,
    structure: structureTree,
    xmp: metadataBytes ? readXmp(metadataBytes) : null,
    hasCatalogLanguage: knownFacts.hasCatalogLanguage,
    catalogLanguage: catalogLanguage === null ? null : decodeText(catalogLanguage),
    fonts: [...gatherState.fonts.values()].flatMap(({ use }) => (use ? [use] : [])),
    bounds: gatherState.bounds,
    texts: gatherState.texts,
    runs: gatherState.runs,
    pageContents,
  }
  return { facts: gatheredFacts, hits: gatherState.hits }
}

import type { PdfFile } from '../object/document.ts'
import { isStream, pdfLimits, type PdfDict, type PdfStream } from '../object/value.ts'
import { contrast } from '@clearway/contract/kit/contrast.ts'
import type { Color } from '../model/color.ts'
import { walkAppearance, walkPage } from '../model/content.ts'
import type { Item, Mark, Visitor, Walk } from '../model/drawing.ts'
import { readFont, type Font, type Glyph } from '../model/font.ts'
import { glyphsOf } from '../model/glyph.ts'
import { union } from '../model/matrix.ts'
import { readPages, type PdfPage, type Rect } from '../model/page.ts'
import { isRooted, languageOf, readStructure, type Element } from '../model/structure.ts'
import { decodeText } from '../model/text-string.ts'
import { readXmp } from '../model/xmp.ts'
import { isLanguageTag } from './document.ts'
import type { Facts, FontUse, Hit, TextRun } from './hit.ts'

type Painted = { rect: Rect; color: Color }

type Gathering = {
  fonts: Map<PdfDict, { font: Font | null; use: FontUse | null; memo: Map<string, readonly Glyph[]> }>
  byFont: Map<Font, Map<string, readonly Glyph[]>>
  bounds: Map<Element, { page: number; rect: Rect | null }>
  texts: Map<Element, string>
  runs: TextRun[]
  hits: Hit[]
  /** What a page was said to lack already: one hit a page and test. */ said: Set<string>
  forms: Map<PdfDict, { count: number; page: number }>
  painted: Painted[]
  pictureArea: number
  hasText: boolean
}

const mostRuns = 200_000
const mostHits = 5000

const elementOf = (marks: readonly Mark[]): Element | null =>
  marks.findLast((mark) => mark.element)?.element ?? null
const isArtifact = (marks: readonly Mark[]): boolean => marks.some((mark) => mark.tag === 'Artifact')

function languageOfMarks(marks: readonly Mark[]): string | null {
  return marks.findLast((mark) => mark.lang !== null)?.lang ?? languageOf(elementOf(marks))
}

function say(gathering: Gathering, hit: Hit): void {
  const key = `${hit.test} ${hit.page}`
  if (gathering.said.has(key) || gathering.hits.length >= mostHits) return
  gathering.said.add(key)
  gathering.hits.push(hit)
}

type Known = Pick<Facts, 'file' | 'hasCatalogLanguage' | 'structure'>

const isTagged = ({ file, structure }: Known, element: Element | null): boolean =>
  element !== null && structure !== null && isRooted(file, structure, element)

function onMark(known: Known, gathering: Gathering, mark: Mark, outer: readonly Mark[], page: PdfPage): void {
  const at = { page: page.index, element: mark.element ?? elementOf(outer) }
  // A mark may be both by itself: an artifact with a number that an element of the tree claims.
  if (mark.tag === 'Artifact' && at.element) say(gathering, { test: '7.1-1', ...at })
  if (mark.element && isArtifact([...outer, mark])) say(gathering, { test: '7.1-2', ...at })
  if (mark.lang !== null && !isLanguageTag(mark.lang))
    say(gathering, { test: '7.2-29', ...at, text: mark.lang })
  if (
    mark.tag !== 'Span' ||
    known.hasCatalogLanguage ||
    mark.lang !== null ||
    languageOfMarks([...outer, mark]) !== null
  )
    return
  if (mark.actualText !== null) say(gathering, { test: '7.2-30', ...at, text: mark.actualText })
  if (mark.alt !== null) say(gathering, { test: '7.2-31', ...at, text: mark.alt })
  if (mark.expansion !== null) say(gathering, { test: '7.2-32', ...at, text: mark.expansion })
}

const textOf = (glyphs: readonly Glyph[]): string => glyphs.map(({ text }) => text ?? '\ufffd').join('')

function noteGlyphs(item: Item, use: FontUse): void {
  const { glyphs, mode } = item.text!
  const isVisible = mode !== 3
  if (isVisible && !use.isVisible) {
    use.isVisible = true
    use.page = item.page.index
    use.rect = item.rect
  }
  for (const glyph of glyphs) {
    const key = String(glyph.code)
    const known = use.glyphs.get(key)
    if (known && (known.isVisible || !isVisible)) continue
    use.glyphs.set(key, {
      glyph,
      isVisible,
      page: item.page.index,
      rect: item.rect,
      element: elementOf(item.marks),
    })
  }
}

const contains = (outer: Rect, inner: Rect): boolean =>
  outer[0] <= inner[0] + 1 && outer[1] <= inner[1] + 1 && outer[2] >= inner[2] - 1 && outer[3] >= inner[3] - 1

/** The contrast of some text to what was painted below it; null when that is a picture, a pattern or unknown. */
function contrastOf(gathering: Gathering, item: Item): number | null {
  if (!item.fill || !item.rect) return null
  const below = gathering.painted.findLast(
    ({ rect }) =>
      rect[0] < item.rect![2] &&
      rect[2] > item.rect![0] &&
      rect[1] < item.rect![3] &&
      rect[3] > item.rect![1],
  )
  if (!below) return contrast(item.fill, [1, 1, 1])
  if (!below.color || !contains(below.rect, item.rect)) return null
  return contrast(item.fill, below.color)
}

function noteText(known: Known, gathering: Gathering, item: Item): void {
  const { font, glyphs, mode, size } = item.text!
  const entry = font ? gathering.fonts.get(font.dict) : undefined
  if (font && entry) {
    entry.use ??= { font, glyphs: new Map(), isVisible: false, page: item.page.index, rect: item.rect }
    noteGlyphs(item, entry.use)
  }
  const element = elementOf(item.marks)
  const text = textOf(glyphs)
  if (mode !== 3 && text.trim() !== '') gathering.hasText = true
  if (!known.hasCatalogLanguage && languageOfMarks(item.marks) === null)
    say(gathering, { test: '7.2-34', page: item.page.index, rect: item.rect, element, text })
  if (element) {
    const own = gathering.texts.get(element) ?? ''
    if (own.length < 120) gathering.texts.set(element, (own + text).slice(0, 120))
  }
  if (item.rect && text.trim() !== '' && !isArtifact(item.marks) && gathering.runs.length < mostRuns)
    gathering.runs.push({
      page: item.page.index,
      rect: item.rect,
      element,
      text,
      size,
      contrast: mode === 3 ? null : contrastOf(gathering, item),
    })
}

function onItem(known: Known, gathering: Gathering, item: Item): void {
  const element = elementOf(item.marks)
  const { index } = item.page
  if (!isTagged(known, element) && !isArtifact(item.marks))
    say(gathering, {
      test: '7.1-3',
      page: index,
      rect: item.rect,
      text: item.text ? textOf(item.text.glyphs) : item.kind,
    })
  if (element && item.rect) {
    const known = gathering.bounds.get(element)
    if (!known) gathering.bounds.set(element, { page: index, rect: item.rect })
    else if (known.page === index) known.rect = union(known.rect, item.rect)
  }
  if (item.kind === 'image' && item.rect)
    gathering.pictureArea += (item.rect[2] - item.rect[0]) * (item.rect[3] - item.rect[1])
  if (item.kind === 'text') noteText(known, gathering, item)
  else if (
    item.rect &&
    gathering.painted.length < 20_000 &&
    (item.kind === 'image' || (item.kind === 'path' && item.fill))
  )
    gathering.painted.push({
      rect: item.rect,
      color: item.kind === 'path' && item.isRectangle ? item.fill : null,
    })
}

function visitorOf(known: Known, gathering: Gathering): Visitor {
  return {
    mark: (mark, outer, page) => onMark(known, gathering, mark, outer, page),
    item: (item) => onItem(known, gathering, item),
    form: (dict, page, hasContent) => {
      if (!hasContent) return
      const known = gathering.forms.get(dict)
      if (known) known.count += 1
      else gathering.forms.set(dict, { count: 1, page: page.index })
      if (known?.count === 2) say(gathering, { test: '7.20-2', page: page.index })
    },
  }
}

/** The normal appearances of an annotation, in all its states. */
function appearances(file: PdfFile, annotation: PdfDict): PdfStream[] {
  const normal = file.resolve(file.dict(annotation.entries.get('AP'))?.entries.get('N'))
  if (isStream(normal)) return [normal]
  const states = [...(file.dict(normal)?.entries.values() ?? [])].slice(0, 100)
  return states.map((state) => file.stream(state)).filter((stream) => stream !== null)
}

function walkAnnotations(walk: Walk, known: Known, gathering: Gathering, page: PdfPage): void {
  // Fonts matter there as well; tags do not, since the annotation itself is what is tagged.
  const visitor: Visitor = {
    mark: () => {},
    form: () => {},
    item: (item) => {
      if (!item.text?.font) return
      const entry = gathering.fonts.get(item.text.font.dict)
      if (!entry) return
      entry.use ??= {
        font: item.text.font,
        glyphs: new Map(),
        isVisible: false,
        page: page.index,
        rect: null,
      }
      noteGlyphs({ ...item, rect: null }, entry.use)
    },
  }
  const annotations = page.dict.entries.get('Annots')
  if (annotations === undefined) return
  for (const value of known.file.array(annotations).slice(0, 20_000)) {
    const dict = known.file.dict(value)
    for (const form of dict ? appearances(known.file, dict) : [])
      walkAppearance({ ...walk, visitor }, page, form)
  }
}

function openGathering(): Gathering {
  return {
    fonts: new Map(),
    byFont: new Map(),
    bounds: new Map(),
    texts: new Map(),
    runs: [],
    hits: [],
    said: new Set(),
    forms: new Map(),
    painted: [],
    pictureArea: 0,
    hasText: false,
  }
}

function fontReader(file: PdfFile, { fonts, byFont }: Gathering) {
  const fontOf = (dict: PdfDict): Font | null => {
    let entry = fonts.get(dict)
    if (!entry) {
      entry = { font: readFont(file, dict), use: null, memo: new Map() }
      fonts.set(dict, entry)
      if (entry.font) byFont.set(entry.font, entry.memo)
    }
    return entry.font
  }
  const glyphs = (font: Font, raw: string): readonly Glyph[] => {
    const memo = byFont.get(font)
    const known = memo?.get(raw)
    if (known) return known
    const found = glyphsOf(font, raw)
    if (memo && memo.size < 50_000 && raw.length < 8) memo.set(raw, found)
    return found
  }
  return { fontOf, glyphsOf: glyphs }
}

/** Reads all that the tests look at, and what they find while the content goes by. Throws `PdfError`. */
export function gather(file: PdfFile): { facts: Facts; hits: Hit[] } {
  const structure = readStructure(file)
  const pages = readPages(file)
  const metadata = file.stream(file.catalog.entries.get('Metadata'))
  const bytes = metadata && file.unpack(metadata)
  const lang = file.string(file.catalog.entries.get('Lang'))
  const known = { file, structure, hasCatalogLanguage: lang !== null }
  const gathering = openGathering()
  const walk: Walk = {
    file,
    structure,
    visitor: visitorOf(known, gathering),
    ...fontReader(file, gathering),
    budget: { left: pdfLimits.operators },
  }
  const pageContents: { hasText: boolean; pictureShare: number }[] = []
  for (const page of pages.pages) {
    gathering.painted = []
    gathering.pictureArea = 0
    gathering.hasText = false
    walkPage(walk, page)
    walkAnnotations(walk, known, gathering, page)
    const area = (page.box[2] - page.box[0]) * (page.box[3] - page.box[1])
    pageContents.push({
      hasText: gathering.hasText,
      pictureShare: area > 0 ? gathering.pictureArea / area : 0,
    })
  }
  const facts: Facts = {
    file,
    pages,
    structure,
    xmp: bytes ? readXmp(bytes) : null,
    hasCatalogLanguage: known.hasCatalogLanguage,
    catalogLanguage: lang === null ? null : decodeText(lang),
    fonts: [...gathering.fonts.values()].flatMap(({ use }) => (use ? [use] : [])),
    bounds: gathering.bounds,
    texts: gathering.texts,
    runs: gathering.runs,
    pageContents,
  }
  return { facts, hits: gathering.hits }
}

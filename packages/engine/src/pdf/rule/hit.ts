import type { PdfFile } from '../object/document.ts'
import type { Font, Glyph } from '../model/font.ts'
import type { PageList, Rect } from '../model/page.ts'
import type { StructureElement, Structure } from '../model/structure.ts'
import type { XmpMetadata } from '../model/xmp.ts'

/** A hit of a test. `test` is a clause and number of the PDF/UA-1 profile, or the name of one of our own tests. */
export type Hit = {
  test: string
  element?: StructureElement | null
  /** From 0. */
  page?: number | null
  rect?: Rect | null
  /** Concerns a link annotation, for which one fault may fail two tests. */
  isLink?: boolean
  /** The affected text, name or value; at most 120 characters are kept. */
  text?: string | null
}

/** Usage of a font: its shown glyphs, and whether any are visible. */
export type FontUse = {
  font: Font
  /** Keyed by the glyph's bytes, which identify it in its font. */
  glyphs: Map<string, { glyph: Glyph; isVisible: boolean; page: number; rect: Rect | null; element: StructureElement | null }>
  isVisible: boolean
  page: number
  rect: Rect | null
}

/** A run of text with its data for contrast, language and reading order. */
export type TextRun = {
  page: number
  rect: Rect
  element: StructureElement | null
  text: string
  size: number
  contrast: number | null
}

/** Facts about a file for all tests. */
export type PdfFacts = {
  file: PdfFile
  pages: PageList
  structure: Structure | null
  xmp: XmpMetadata | null
  hasCatalogLanguage: boolean
  catalogLanguage: string | null
  fonts: readonly FontUse[]
  /** Page and rectangle of each element’s content. */
  bounds: ReadonlyMap<StructureElement, { page: number; rect: Rect | null }>
  /** Direct text of each element, truncated. */
  texts: ReadonlyMap<StructureElement, string>
  runs: readonly TextRun[]
  pageContents: readonly { hasText: boolean; pictureShare: number }[]
}

/** Returns the bounds of an element, or those of the first element inside it with content. */
export function findBounds(
  facts: Pick<PdfFacts, 'bounds'>,
  element: StructureElement,
): { page: number; rect: Rect | null } | null {
  const pendingElements = [element]
  for (let i = 0; pendingElements.length > 0 && i < 10_000; i++) {
    const currentElement = pendingElements.pop()!
    const elementBounds = facts.bounds.get(currentElement)
    if (elementBounds) return elementBounds
    for (let kidIndex = currentElement.kids.length - 1; kidIndex >= 0; kidIndex--)
      pendingElements.push(currentElement.kids[kidIndex]!)
  }
  return null
}

/** Returns the text inside an element, truncated to 120 characters. */
export function collectText(facts: Pick<PdfFacts, 'texts'>, element: StructureElement): string {
  let collectedText = ''
  const pendingElements = [element]
  for (let i = 0; pendingElements.length > 0 && collectedText.length < 120 && i < 10_000; i++) {
    const currentElement = pendingElements.pop()!
    const ownText = facts.texts.get(currentElement)
    if (ownText) collectedText += collectedText ? ` ${ownText}` : ownText
    for (let kidIndex = currentElement.kids.length - 1; kidIndex >= 0; kidIndex--)
      pendingElements.push(currentElement.kids[kidIndex]!)
  }
  return collectedText.slice(0, 120)
}

import type { PdfFile } from '../object/document.ts'
import type { Font, Glyph } from '../model/font.ts'
import type { Pages, Rect } from '../model/page.ts'
import type { Element, Structure } from '../model/structure.ts'
import type { Xmp } from '../model/xmp.ts'

/** Something that a test found. `test` is a clause and number of the PDF/UA-1 profile, or the name of a test of ours. */
export type Hit = {
  test: string
  element?: Element | null
  /** From 0. */ page?: number | null
  rect?: Rect | null
  /** It is about a link's annotation, which one fault may meet by two tests. */ isLink?: boolean
  /** The piece of text, name or value meant: at most 120 characters are kept. */ text?: string | null
}

/** How a font is used: each glyph that is shown, and whether any of it can be seen. */
export type FontUse = {
  font: Font
  /** By what identifies a glyph in its font: its bytes. */
  glyphs: Map<
    string,
    { glyph: Glyph; isVisible: boolean; page: number; rect: Rect | null; element: Element | null }
  >
  isVisible: boolean
  page: number
  rect: Rect | null
}

/** A run of text, as far as contrast, language and reading order look at it. */
export type TextRun = {
  page: number
  rect: Rect
  element: Element | null
  text: string
  size: number
  contrast: number | null
}

/** Everything that the tests look at. */
export type Facts = {
  file: PdfFile
  pages: Pages
  structure: Structure | null
  xmp: Xmp | null
  hasCatalogLanguage: boolean
  catalogLanguage: string | null
  fonts: readonly FontUse[]
  /** The page and rectangle of the content of each element. */ bounds: ReadonlyMap<
    Element,
    { page: number; rect: Rect | null }
  >
  /** Text of each element that contains some directly, cut. */ texts: ReadonlyMap<Element, string>
  runs: readonly TextRun[]
  pageContents: readonly { hasText: boolean; pictureShare: number }[]
}

/** The bounds of an element, or those of the first thing inside it. */
export function boundsOf(
  facts: Pick<Facts, 'bounds'>,
  element: Element,
): { page: number; rect: Rect | null } | null {
  const stack = [element]
  for (let i = 0; stack.length > 0 && i < 10_000; i++) {
    const at = stack.pop()!
    const bounds = facts.bounds.get(at)
    if (bounds) return bounds
    for (let k = at.kids.length - 1; k >= 0; k--) stack.push(at.kids[k]!)
  }
  return null
}

/** The text inside an element, cut at 120 characters. */
export function textIn(facts: Pick<Facts, 'texts'>, element: Element): string {
  let text = ''
  const stack = [element]
  for (let i = 0; stack.length > 0 && text.length < 120 && i < 10_000; i++) {
    const at = stack.pop()!
    const own = facts.texts.get(at)
    if (own) text += text ? ` ${own}` : own
    for (let k = at.kids.length - 1; k >= 0; k--) stack.push(at.kids[k]!)
  }
  return text.slice(0, 120)
}

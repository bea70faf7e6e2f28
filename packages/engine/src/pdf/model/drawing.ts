import type { PdfFile } from '../object/document.ts'
import type { PdfDict } from '../object/value.ts'
import type { Color, ColorSpace } from './color.ts'
import type { Font, Glyph } from './font.ts'
import { identity, type Matrix } from './matrix.ts'
import type { PdfPage, Rect } from './page.ts'
import type { Element, Structure } from './structure.ts'

/** An open marked-content sequence. */
export type Mark = {
  tag: string
  mcid: number | null
  element: Element | null
  lang: string | null
  actualText: string | null
  alt: string | null
  expansion: string | null
}

/** Something that is painted. */
export type Item = {
  kind: 'text' | 'path' | 'image' | 'shading'
  page: PdfPage
  /** From the outermost. */ marks: readonly Mark[]
  rect: Rect | null
  /** Whether it is text, all of it. */
  text: ShownText | null
  /** Of a filled path that is one rectangle, and of text. */ fill: Color
  isRectangle: boolean
}

export type ShownText = {
  font: Font | null
  glyphs: readonly Glyph[]
  raw: string
  mode: number
  size: number
}

/** What a walk reports as it meets it. */
export type Visitor = {
  mark(mark: Mark, outer: readonly Mark[], page: PdfPage): void
  item(item: Item): void
  /** A form XObject is drawn. @param hasContent it contains marked content of the structure */
  form(dict: PdfDict, page: PdfPage, hasContent: boolean): void
}

export type Walk = {
  file: PdfFile
  structure: Structure | null
  visitor: Visitor
  fontOf(dict: PdfDict): Font | null
  glyphsOf(font: Font, raw: string): readonly Glyph[]
  /** Operators left of the file's budget. */ budget: { left: number }
}

export type State = {
  ctm: Matrix
  fillSpace: ColorSpace
  fill: Color
  font: Font | null
  size: number
  mode: number
  charSpace: number
  wordSpace: number
  scale: number
  leading: number
  rise: number
}

/** A content stream that is being walked, with what it has set. */
export type Stream = {
  walk: Walk
  page: PdfPage
  resources: PdfDict | null
  structParents: number | null
  marks: Mark[]
  state: State
  saved: State[]
  textMatrix: Matrix
  lineMatrix: Matrix
  path: { rect: Rect | null; segments: number; rectangles: number }
  depth: number
  active: Set<PdfDict>
  hasContent: boolean
}

export const start: State = {
  ctm: identity,
  fillSpace: 'gray',
  fill: [0, 0, 0],
  font: null,
  size: 0,
  mode: 0,
  charSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
}

export const file = (stream: Stream): PdfFile => stream.walk.file

/** Reports something painted. */
export function emit(stream: Stream, item: Omit<Item, 'page' | 'marks'>): void {
  stream.walk.visitor.item({ ...item, page: stream.page, marks: stream.marks })
}

/** An object that the structure contains as a whole is marked by that. */
export const ownMark = (element: Element): Mark => ({
  tag: element.type,
  mcid: -1,
  element,
  lang: null,
  actualText: null,
  alt: null,
  expansion: null,
})

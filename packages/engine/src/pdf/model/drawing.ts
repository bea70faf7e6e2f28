import type { PdfFile } from '../object/document.ts'
import type { PdfDict } from '../object/value.ts'
import type { Color, ColorSpace } from './color.ts'
import type { Font, Glyph } from './font.ts'
import { identityMatrix, type Matrix } from './matrix.ts'
import type { PdfPage, Rect } from './page.ts'
import type { StructureElement, Structure } from './structure.ts'

/** An open marked-content sequence. */
export type ContentMark = {
  tag: string
  mcid: number | null
  element: StructureElement | null
  lang: string | null
  actualText: string | null
  alt: string | null
  expansion: string | null
}

export type PaintedItem = {
  kind: 'text' | 'path' | 'image' | 'shading'
  page: PdfPage
  /** Starts with the outermost mark. */
  marks: readonly ContentMark[]
  rect: Rect | null
  /** Complete shown text; null for other items. */
  text: ShownText | null
  /** Fill color of text, and of a filled path that is a single rectangle. */
  fill: Color
  isRectangle: boolean
}

export type ShownText = { font: Font | null; glyphs: readonly Glyph[]; raw: string; mode: number; size: number }

/** Receives the contents of a walk in order. */
export type ContentVisitor = {
  mark(mark: ContentMark, outer: readonly ContentMark[], page: PdfPage): void
  item(item: PaintedItem): void
  /** A form XObject is drawn. @param hasContent it contains marked content of the structure */
  form(dict: PdfDict, page: PdfPage, hasContent: boolean): void
}

export type ContentWalk = {
  file: PdfFile
  structure: Structure | null
  visitor: ContentVisitor
  fontOf(dict: PdfDict): Font | null
  glyphsOf(font: Font, raw: string): readonly Glyph[]
  /** Remaining operators of the file’s budget. */
  budget: { remaining: number }
}

export type GraphicsState = {
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

/** A content stream in progress with its state. */
export type ContentStream = {
  walk: ContentWalk
  page: PdfPage
  resources: PdfDict | null
  structParents: number | null
  marks: ContentMark[]
  state: GraphicsState
  saved: GraphicsState[]
  textMatrix: Matrix
  lineMatrix: Matrix
  path: { rect: Rect | null; segments: number; rectangles: number }
  depth: number
  active: Set<PdfDict>
  hasContent: boolean
}

export const initialState: GraphicsState = {
  ctm: identityMatrix,
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

export const getFile = (stream: ContentStream): PdfFile => stream.walk.file

/** Reports a painted item. */
export function emitItem(stream: ContentStream, item: Omit<PaintedItem, 'page' | 'marks'>): void {
  stream.walk.visitor.item({ ...item, page: stream.page, marks: stream.marks })
}

/** Creates the mark of an object that the structure contains as a whole. */
export const createElementMark = (element: StructureElement): ContentMark => ({
  tag: element.type,
  mcid: -1,
  element,
  lang: null,
  actualText: null,
  alt: null,
  expansion: null,
})

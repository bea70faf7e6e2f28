import { isSpace, openLexer, type Lexer } from '../object/lexer.ts'
import type { PdfFile } from '../object/document.ts'
import {
  isArray,
  isDict,
  isName,
  isString,
  PdfError,
  pdfLimits,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from '../object/value.ts'
import { colourOf, readColourSpace, type Colour, type ColourSpace } from './colour.ts'
import type { Font, Glyph } from './font.ts'
import { identity, multiply, transformRect, type Matrix } from './matrix.ts'
import type { PdfPage, Rect } from './page.ts'
import { elementOfContent, elementOfObject, type Element, type Structure } from './structure.ts'
import { decodeText } from './text-string.ts'

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
  /** Of a filled path that is one rectangle, and of text. */ fill: Colour
  isRectangle: boolean
}

export type ShownText = {
  font: Font | null
  glyphs: readonly Glyph[]
  raw: string
  mode: number
  size: number
}

/** What a walk tells as it meets it. */
export type Visitor = {
  mark(mark: Mark, outer: readonly Mark[], page: PdfPage): void
  item(item: Item): void
  /** A form XObject is drawn. @param hasContent it holds marked content of the structure */
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

type State = {
  ctm: Matrix
  fillSpace: ColourSpace
  fill: Colour
  font: Font | null
  size: number
  mode: number
  charSpace: number
  wordSpace: number
  scale: number
  leading: number
  rise: number
}

type Stream = {
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

const start: State = {
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

type Operands = readonly PdfValue[]
type Operator = (stream: Stream, operands: Operands) => void

const num = (value: PdfValue | undefined): number => (typeof value === 'number' ? value : 0)
const numbers = (operands: Operands): number[] => operands.filter((o) => typeof o === 'number')

function emit(stream: Stream, item: Omit<Item, 'page' | 'marks'>): void {
  stream.walk.visitor.item({ ...item, page: stream.page, marks: stream.marks })
}

function paint(fills: boolean): Operator {
  return (stream) => {
    const { path, state } = stream
    if (path.segments > 0)
      emit(stream, {
        kind: 'path',
        rect: path.rect && transformRect(path.rect, state.ctm),
        text: null,
        fill: fills ? state.fill : null,
        isRectangle: fills && path.rectangles === path.segments,
      })
    stream.path = { rect: null, segments: 0, rectangles: 0 }
  }
}

function extend(stream: Stream, x: number, y: number): void {
  const { path } = stream
  const [x0, y0, x1, y1] = path.rect ?? [x, y, x, y]
  path.rect = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)]
}

const curve =
  (pairs: readonly number[]): Operator =>
  (stream, operands) => {
    for (const i of pairs) extend(stream, num(operands[i]), num(operands[i + 1]))
    stream.path.segments += 1
  }

function show(stream: Stream, raw: string): void {
  const { state, walk } = stream
  const glyphs = state.font ? walk.glyphsOf(state.font, raw) : []
  let advance = 0
  for (const glyph of glyphs) {
    advance += ((glyph.width ?? 500) / 1000) * state.size + state.charSpace
    if (glyph.code === 32 && state.font?.kind === 'simple') advance += state.wordSpace
  }
  advance *= state.scale
  const at = multiply(stream.textMatrix, state.ctm)
  const rect = transformRect([0, state.rise - 0.2 * state.size, advance, state.rise + 0.8 * state.size], at)
  stream.textMatrix = multiply([1, 0, 0, 1, advance, 0], stream.textMatrix)
  if (raw === '') return
  const size = Math.abs(state.size) * Math.hypot(at[2], at[3])
  emit(stream, {
    kind: 'text',
    rect,
    text: { font: state.font, glyphs, raw, mode: state.mode, size },
    fill: state.fill,
    isRectangle: false,
  })
}

function moveLine(stream: Stream, x: number, y: number): void {
  stream.lineMatrix = multiply([1, 0, 0, 1, x, y], stream.lineMatrix)
  stream.textMatrix = stream.lineMatrix
}

function beginMark(stream: Stream, operands: Operands): void {
  const { walk } = stream
  const { file, structure } = walk
  const tag = isName(operands[0]) ? operands[0].name : ''
  let properties: PdfDict | null = isDict(operands[1]) ? operands[1] : null
  if (isName(operands[1]))
    properties = file.dict(
      file.dict(stream.resources?.entries.get('Properties'))?.entries.get(operands[1].name),
    )
  const text = (key: string): string | null => {
    const raw = file.string(properties?.entries.get(key))
    return raw === null ? null : decodeText(raw)
  }
  const mcid = file.number(properties?.entries.get('MCID'))
  const element =
    mcid !== null && structure ? elementOfContent(file, structure, stream.structParents, mcid) : null
  if (mcid !== null) stream.hasContent = true
  const mark: Mark = {
    tag,
    mcid,
    element,
    lang: text('Lang'),
    actualText: text('ActualText'),
    alt: text('Alt'),
    expansion: text('E'),
  }
  walk.visitor.mark(mark, stream.marks, stream.page)
  stream.marks = [...stream.marks, mark]
}

function drawObject(stream: Stream, operands: Operands): void {
  const { walk, state } = stream
  const name = isName(operands[0]) ? operands[0].name : ''
  const value = file(stream).stream(
    file(stream).dict(stream.resources?.entries.get('XObject'))?.entries.get(name),
  )
  if (!value) return
  const subtype = file(stream).name(value.dict.entries.get('Subtype'))
  if (subtype === 'Form') {
    drawForm(stream, value)
    return
  }
  const owner = walk.structure ? elementOfObject(walk.file, walk.structure, value.dict) : null
  const marks = owner ? [...stream.marks, ownMark(owner)] : stream.marks
  walk.visitor.item({
    kind: 'image',
    page: stream.page,
    marks,
    rect: transformRect([0, 0, 1, 1], state.ctm),
    text: null,
    fill: null,
    isRectangle: false,
  })
}

const file = (stream: Stream): PdfFile => stream.walk.file

/** An object that the structure holds as a whole is marked by that. */
const ownMark = (element: Element): Mark => ({
  tag: element.type,
  mcid: -1,
  element,
  lang: null,
  actualText: null,
  alt: null,
  expansion: null,
})

function readMatrix(pdf: PdfFile, value: PdfValue | undefined): Matrix {
  const items = pdf.array(value).map((item) => pdf.number(item) ?? 0)
  return items.length === 6 ? (items as unknown as Matrix) : identity
}

function drawForm(outer: Stream, form: PdfStream): void {
  const { walk } = outer
  if (outer.active.has(form.dict) || outer.depth > 30) return
  const bytes = walk.file.unpack(form)
  const owner = walk.structure ? elementOfObject(walk.file, walk.structure, form.dict) : null
  const parents = walk.file.number(form.dict.entries.get('StructParents'))
  const inner: Stream = {
    ...outer,
    resources: walk.file.dict(form.dict.entries.get('Resources')) ?? outer.resources,
    structParents: parents ?? outer.structParents,
    marks: owner ? [...outer.marks, ownMark(owner)] : outer.marks,
    state: {
      ...outer.state,
      ctm: multiply(readMatrix(walk.file, form.dict.entries.get('Matrix')), outer.state.ctm),
    },
    saved: [],
    path: { rect: null, segments: 0, rectangles: 0 },
    depth: outer.depth + 1,
    active: new Set(outer.active).add(form.dict),
    hasContent: false,
  }
  if (bytes) run(inner, openLexer(bytes))
  walk.visitor.form(form.dict, outer.page, inner.hasContent)
}

const setFill =
  (space: ColourSpace): Operator =>
  ({ state }, operands) => {
    state.fillSpace = space
    state.fill = colourOf(space, numbers(operands))
  }

const operators: Record<string, Operator> = {
  q: (stream) => {
    if (stream.saved.length < 1000) stream.saved.push({ ...stream.state })
  },
  Q: (stream) => void (stream.state = stream.saved.pop() ?? stream.state),
  cm: (stream, o) =>
    void (stream.state.ctm = multiply(
      [num(o[0]), num(o[1]), num(o[2]), num(o[3]), num(o[4]), num(o[5])],
      stream.state.ctm,
    )),
  m: (stream, o) => extend(stream, num(o[0]), num(o[1])),
  l: curve([0]),
  c: curve([0, 2, 4]),
  v: curve([0, 2]),
  y: curve([0, 2]),
  h: () => {},
  re: (stream, o) => {
    extend(stream, num(o[0]), num(o[1]))
    extend(stream, num(o[0]) + num(o[2]), num(o[1]) + num(o[3]))
    stream.path.segments += 1
    stream.path.rectangles += 1
  },
  n: (stream) => void (stream.path = { rect: null, segments: 0, rectangles: 0 }),
  S: paint(false),
  s: paint(false),
  f: paint(true),
  F: paint(true),
  'f*': paint(true),
  B: paint(true),
  'B*': paint(true),
  b: paint(true),
  'b*': paint(true),
  sh: (stream) => emit(stream, { kind: 'shading', rect: null, text: null, fill: null, isRectangle: false }),
  g: setFill('gray'),
  rg: setFill('rgb'),
  k: setFill('cmyk'),
  cs: (stream, o) => {
    stream.state.fillSpace = isName(o[0])
      ? readColourSpace(file(stream), stream.resources, o[0].name)
      : 'unknown'
    stream.state.fill = stream.state.fillSpace === 'unknown' ? null : [0, 0, 0]
  },
  sc: ({ state }, o) => void (state.fill = colourOf(state.fillSpace, numbers(o))),
  scn: ({ state }, o) => void (state.fill = isName(o.at(-1)) ? null : colourOf(state.fillSpace, numbers(o))),
  BT: (stream) => {
    stream.textMatrix = identity
    stream.lineMatrix = identity
  },
  Tf: (stream, o) => {
    const name = isName(o[0]) ? o[0].name : ''
    const dict = file(stream).dict(
      file(stream).dict(stream.resources?.entries.get('Font'))?.entries.get(name),
    )
    stream.state.font = dict ? stream.walk.fontOf(dict) : null
    stream.state.size = num(o[1])
  },
  Tc: ({ state }, o) => void (state.charSpace = num(o[0])),
  Tw: ({ state }, o) => void (state.wordSpace = num(o[0])),
  Tz: ({ state }, o) => void (state.scale = num(o[0]) / 100),
  TL: ({ state }, o) => void (state.leading = num(o[0])),
  Ts: ({ state }, o) => void (state.rise = num(o[0])),
  Tr: ({ state }, o) => void (state.mode = num(o[0])),
  Td: (stream, o) => moveLine(stream, num(o[0]), num(o[1])),
  TD: (stream, o) => {
    stream.state.leading = -num(o[1])
    moveLine(stream, num(o[0]), num(o[1]))
  },
  Tm: (stream, o) => {
    stream.lineMatrix = [num(o[0]), num(o[1]), num(o[2]), num(o[3]), num(o[4]), num(o[5])]
    stream.textMatrix = stream.lineMatrix
  },
  'T*': (stream) => moveLine(stream, 0, -stream.state.leading),
  Tj: (stream, o) => show(stream, isString(o[0]) ? o[0].raw : ''),
  "'": (stream, o) => {
    moveLine(stream, 0, -stream.state.leading)
    show(stream, isString(o[0]) ? o[0].raw : '')
  },
  '"': (stream, o) => {
    stream.state.wordSpace = num(o[0])
    stream.state.charSpace = num(o[1])
    moveLine(stream, 0, -stream.state.leading)
    show(stream, isString(o[2]) ? o[2].raw : '')
  },
  TJ: (stream, o) => {
    for (const item of isArray(o[0]) ? o[0].items : []) {
      if (isString(item)) show(stream, item.raw)
      else if (typeof item === 'number')
        stream.textMatrix = multiply(
          [1, 0, 0, 1, (-item / 1000) * stream.state.size * stream.state.scale, 0],
          stream.textMatrix,
        )
    }
  },
  BMC: (stream, o) => beginMark(stream, o.slice(0, 1)),
  BDC: beginMark,
  EMC: (stream) => void (stream.marks = stream.marks.slice(0, -1)),
  Do: drawObject,
  gs: (stream, o) => {
    const name = isName(o[0]) ? o[0].name : ''
    const dict = file(stream).dict(
      file(stream).dict(stream.resources?.entries.get('ExtGState'))?.entries.get(name),
    )
    const [font, size] = file(stream).array(dict?.entries.get('Font'))
    const fontDict = file(stream).dict(font)
    if (fontDict) {
      stream.state.font = stream.walk.fontOf(fontDict)
      stream.state.size = file(stream).number(size) ?? stream.state.size
    }
  },
}

/** Passes over an inline picture: from behind `BI` to behind `EI`. */
function skipInlineImage(stream: Stream, lexer: Lexer): void {
  for (;;) {
    const value = lexer.next()
    if (value === undefined) return
    if (typeof value === 'object' && value?.kind === 'word' && value.word === 'ID') break
  }
  const { bytes } = lexer
  for (let at = lexer.at + 1; at + 1 < lexer.end; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49 || !isSpace(bytes[at - 1])) continue
    const after = bytes.subarray(at + 2, Math.min(at + 12, lexer.end))
    // Picture bytes may say EI by chance; what follows an operator is printable.
    if (after.length === 0 || (isSpace(after[0]) && after.every((b) => (b >= 32 && b < 127) || isSpace(b)))) {
      lexer.at = at + 2
      emit(stream, {
        kind: 'image',
        rect: transformRect([0, 0, 1, 1], stream.state.ctm),
        text: null,
        fill: null,
        isRectangle: false,
      })
      return
    }
  }
  lexer.at = lexer.end
}

function run(stream: Stream, lexer: Lexer): void {
  let operands: PdfValue[] = []
  for (;;) {
    const value = lexer.next()
    if (value === undefined) return
    if (typeof value !== 'object' || value === null || value.kind !== 'word') {
      if (operands.length < 1000) operands.push(value)
      continue
    }
    if (--stream.walk.budget.left < 0)
      throw new PdfError('limit', `More than ${pdfLimits.operators} drawing operators`)
    if (value.word === 'BI') skipInlineImage(stream, lexer)
    else operators[value.word]?.(stream, operands)
    operands = []
  }
}

function contentBytes(pdf: PdfFile, value: PdfValue | undefined): Uint8Array {
  const resolved = pdf.resolve(value)
  const parts = isArray(resolved) ? resolved.items : [resolved]
  const chunks: Uint8Array[] = []
  for (const part of parts) {
    const stream = pdf.stream(part)
    const bytes = stream && pdf.unpack(stream)
    // A token never goes over the seam of two streams.
    if (bytes) chunks.push(bytes, Uint8Array.of(10))
  }
  return chunks.length === 2 ? chunks[0]! : Buffer.concat(chunks)
}

const openStream = (
  walk: Walk,
  page: PdfPage,
  resources: PdfDict | null,
  parents: number | null,
): Stream => ({
  walk,
  page,
  resources,
  structParents: parents,
  marks: [],
  state: { ...start },
  saved: [],
  textMatrix: identity,
  lineMatrix: identity,
  path: { rect: null, segments: 0, rectangles: 0 },
  depth: 0,
  active: new Set(),
  hasContent: false,
})

/** Walks a page's content and the forms that it draws. Throws `PdfError` limit. */
export function walkPage(walk: Walk, page: PdfPage): void {
  const bytes = contentBytes(walk.file, page.dict.entries.get('Contents'))
  run(openStream(walk, page, page.resources, page.structParents), openLexer(bytes))
}

/** Walks the appearance of an annotation, as a form of its own. */
export function walkAppearance(walk: Walk, page: PdfPage, form: PdfStream): void {
  const stream = openStream(walk, page, page.resources, null)
  drawForm(stream, form)
}

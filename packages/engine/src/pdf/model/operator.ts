import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from '../object/value.ts'
import { colorOf, readColorSpace, type ColorSpace } from './color.ts'
import { emit, file, type Mark, type Stream } from './drawing.ts'
import { identity, multiply, transformRect } from './matrix.ts'
import { elementOfContent } from './structure.ts'
import { decodeText } from './text-string.ts'

export type Operands = readonly PdfValue[]
export type Operator = (stream: Stream, operands: Operands) => void

const num = (value: PdfValue | undefined): number => (typeof value === 'number' ? value : 0)
const numbers = (operands: Operands): number[] => operands.filter((o) => typeof o === 'number')

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

const setFill =
  (space: ColorSpace): Operator =>
  ({ state }, operands) => {
    state.fillSpace = space
    state.fill = colorOf(space, numbers(operands))
  }

/** What each operator of a content stream does, but for those that lead into other streams. */
export const operators: Record<string, Operator> = {
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
      ? readColorSpace(file(stream), stream.resources, o[0].name)
      : 'unknown'
    stream.state.fill = stream.state.fillSpace === 'unknown' ? null : [0, 0, 0]
  },
  sc: ({ state }, o) => void (state.fill = colorOf(state.fillSpace, numbers(o))),
  scn: ({ state }, o) => void (state.fill = isName(o.at(-1)) ? null : colorOf(state.fillSpace, numbers(o))),
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

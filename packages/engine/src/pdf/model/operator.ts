import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from '../object/value.ts'
import { toColor, readColorSpace, type ColorSpace } from './color.ts'
import { emitItem, getFile, type ContentMark, type ContentStream } from './drawing.ts'
import { identityMatrix, multiplyMatrices, transformRect } from './matrix.ts'
import { findContentElement } from './structure-query.ts'
import { decodeText } from './text-string.ts'

export type Operands = readonly PdfValue[]
export type Operator = (stream: ContentStream, operands: Operands) => void

const toNumber = (value: PdfValue | undefined): number => (typeof value === 'number' ? value : 0)
const filterNumbers = (operands: Operands): number[] => operands.filter((operand) => typeof operand === 'number')

function createPaint(isFilled: boolean): Operator {
  return (stream) => {
    const { path, state } = stream
    if (path.segments > 0)
      emitItem(stream, {
        kind: 'path',
        rect: path.rect && transformRect(path.rect, state.ctm),
        text: null,
        fill: isFilled ? state.fill : null,
        isRectangle: isFilled && path.rectangles === path.segments,
      })
    stream.path = { rect: null, segments: 0, rectangles: 0 }
  }
}

function extendPath(stream: ContentStream, x: number, y: number): void {
  const { path } = stream
  const [x0, y0, x1, y1] = path.rect ?? [x, y, x, y]
  path.rect = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)]
}

const createCurve =
  (operandIndexes: readonly number[]): Operator =>
  (stream, operands) => {
    for (const operandIndex of operandIndexes)
      extendPath(stream, toNumber(operands[operandIndex]), toNumber(operands[operandIndex + 1]))
    stream.path.segments += 1
  }

function showText(stream: ContentStream, raw: string): void {
  const { state, walk } = stream
  const shownGlyphs = state.font ? walk.glyphsOf(state.font, raw) : []
  let textAdvance = 0
  for (const glyph of shownGlyphs) {
    textAdvance += ((glyph.width ?? 500) / 1000) * state.size + state.charSpace
    if (glyph.code === 32 && state.font?.kind === 'simple') textAdvance += state.wordSpace
  }
  textAdvance *= state.scale
  const textToPage = multiplyMatrices(stream.textMatrix, state.ctm)
  const textRect = transformRect([0, state.rise - 0.2 * state.size, textAdvance, state.rise + 0.8 * state.size], textToPage)
  stream.textMatrix = multiplyMatrices([1, 0, 0, 1, textAdvance, 0], stream.textMatrix)
  if (raw === '') return
  const fontSize = Math.abs(state.size) * Math.hypot(textToPage[2], textToPage[3])
  emitItem(stream, {
    kind: 'text',
    rect: textRect,
    text: { font: state.font, glyphs: shownGlyphs, raw, mode: state.mode, size: fontSize },
    fill: state.fill,
    isRectangle: false,
  })
}

function moveLine(stream: ContentStream, x: number, y: number): void {
  stream.lineMatrix = multiplyMatrices([1, 0, 0, 1, x, y], stream.lineMatrix)
  stream.textMatrix = stream.lineMatrix
}

function beginMarkedContent(stream: ContentStream, operands: Operands): void {
  const { walk } = stream
  const { file, structure } = walk
  const markTag = isName(operands[0]) ? operands[0].name : ''
  let markProperties: PdfDict | null = isDict(operands[1]) ? operands[1] : null
  if (isName(operands[1]))
    markProperties = file.dict(file.dict(stream.resources?.entries.get('Properties'))?.entries.get(operands[1].name))
  const getPropertyText = (key: string): string | null => {
    const rawText = file.string(markProperties?.entries.get(key))
    return rawText === null ? null : decodeText(rawText)
  }
  const contentId = file.number(markProperties?.entries.get('MCID'))
  const contentElement =
    contentId !== null && structure ? findContentElement(file, structure, stream.structParents, contentId) : null
  if (contentId !== null) stream.hasContent = true
  const contentMark: ContentMark = {
    tag: markTag,
    mcid: contentId,
    element: contentElement,
    lang: getPropertyText('Lang'),
    actualText: getPropertyText('ActualText'),
    alt: getPropertyText('Alt'),
    expansion: getPropertyText('E'),
  }
  walk.visitor.mark(contentMark, stream.marks, stream.page)
  stream.marks = [...stream.marks, contentMark]
}

const createFillSetter =
  (space: ColorSpace): Operator =>
  ({ state }, operands) => {
    state.fillSpace = space
    state.fill = toColor(space, filterNumbers(operands))
  }

/** Implementation of each content stream operator, except those that open other streams. */
export const contentOperators: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    q: (stream) => {
      if (stream.saved.length < 1000) stream.saved.push({ ...stream.state })
    },
    Q: (stream) => void (stream.state = stream.saved.pop() ?? stream.state),
    cm: (stream, operands) =>
      void (stream.state.ctm = multiplyMatrices(
        [
          toNumber(operands[0]),
          toNumber(operands[1]),
          toNumber(operands[2]),
          toNumber(operands[3]),
          toNumber(operands[4]),
          toNumber(operands[5]),
        ],
        stream.state.ctm,
      )),
    m: (stream, operands) => extendPath(stream, toNumber(operands[0]), toNumber(operands[1])),
    l: createCurve([0]),
    c: createCurve([0, 2, 4]),
    v: createCurve([0, 2]),
    y: createCurve([0, 2]),
    h: () => {},
    re: (stream, operands) => {
      extendPath(stream, toNumber(operands[0]), toNumber(operands[1]))
      extendPath(stream, toNumber(operands[0]) + toNumber(operands[2]), toNumber(operands[1]) + toNumber(operands[3]))
      stream.path.segments += 1
      stream.path.rectangles += 1
    },
    n: (stream) => void (stream.path = { rect: null, segments: 0, rectangles: 0 }),
    S: createPaint(false),
    s: createPaint(false),
    f: createPaint(true),
    F: createPaint(true),
    'f*': createPaint(true),
    B: createPaint(true),
    'B*': createPaint(true),
    b: createPaint(true),
    'b*': createPaint(true),
    sh: (stream) => emitItem(stream, { kind: 'shading', rect: null, text: null, fill: null, isRectangle: false }),
    g: createFillSetter('gray'),
    rg: createFillSetter('rgb'),
    k: createFillSetter('cmyk'),
    cs: (stream, operands) => {
      stream.state.fillSpace = isName(operands[0])
        ? readColorSpace(getFile(stream), stream.resources, operands[0].name)
        : 'unknown'
      stream.state.fill = stream.state.fillSpace === 'unknown' ? null : [0, 0, 0]
    },
    sc: ({ state }, operands) => void (state.fill = toColor(state.fillSpace, filterNumbers(operands))),
    scn: ({ state }, operands) =>
      void (state.fill = isName(operands.at(-1)) ? null : toColor(state.fillSpace, filterNumbers(operands))),
    BT: (stream) => {
      stream.textMatrix = identityMatrix
      stream.lineMatrix = identityMatrix
    },
    Tf: (stream, operands) => {
      const fontName = isName(operands[0]) ? operands[0].name : ''
      const fontDict = getFile(stream).dict(getFile(stream).dict(stream.resources?.entries.get('Font'))?.entries.get(fontName))
      stream.state.font = fontDict ? stream.walk.fontOf(fontDict) : null
      stream.state.size = toNumber(operands[1])
    },
    Tc: ({ state }, operands) => void (state.charSpace = toNumber(operands[0])),
    Tw: ({ state }, operands) => void (state.wordSpace = toNumber(operands[0])),
    Tz: ({ state }, operands) => void (state.scale = toNumber(operands[0]) / 100),
    TL: ({ state }, operands) => void (state.leading = toNumber(operands[0])),
    Ts: ({ state }, operands) => void (state.rise = toNumber(operands[0])),
    Tr: ({ state }, operands) => void (state.mode = toNumber(operands[0])),
    Td: (stream, operands) => moveLine(stream, toNumber(operands[0]), toNumber(operands[1])),
    TD: (stream, operands) => {
      stream.state.leading = -toNumber(operands[1])
      moveLine(stream, toNumber(operands[0]), toNumber(operands[1]))
    },
    Tm: (stream, operands) => {
      stream.lineMatrix = [
        toNumber(operands[0]),
        toNumber(operands[1]),
        toNumber(operands[2]),
        toNumber(operands[3]),
        toNumber(operands[4]),
        toNumber(operands[5]),
      ]
      stream.textMatrix = stream.lineMatrix
    },
    'T*': (stream) => moveLine(stream, 0, -stream.state.leading),
    Tj: (stream, operands) => showText(stream, isString(operands[0]) ? operands[0].raw : ''),
    "'": (stream, operands) => {
      moveLine(stream, 0, -stream.state.leading)
      showText(stream, isString(operands[0]) ? operands[0].raw : '')
    },
    '"': (stream, operands) => {
      stream.state.wordSpace = toNumber(operands[0])
      stream.state.charSpace = toNumber(operands[1])
      moveLine(stream, 0, -stream.state.leading)
      showText(stream, isString(operands[2]) ? operands[2].raw : '')
    },
    TJ: (stream, operands) => {
      for (const item of isArray(operands[0]) ? operands[0].items : []) {
        if (isString(item)) showText(stream, item.raw)
        else if (typeof item === 'number')
          stream.textMatrix = multiplyMatrices(
            [1, 0, 0, 1, (-item / 1000) * stream.state.size * stream.state.scale, 0],
            stream.textMatrix,
          )
      }
    },
    BMC: (stream, operands) => beginMarkedContent(stream, operands.slice(0, 1)),
    BDC: beginMarkedContent,
    EMC: (stream) => void (stream.marks = stream.marks.slice(0, -1)),
    gs: (stream, operands) => {
      const stateName = isName(operands[0]) ? operands[0].name : ''
      const stateDict = getFile(stream).dict(
        getFile(stream).dict(stream.resources?.entries.get('ExtGState'))?.entries.get(stateName),
      )
      const [fontValue, sizeValue] = getFile(stream).array(stateDict?.entries.get('Font'))
      const fontDict = getFile(stream).dict(fontValue)
      if (fontDict) {
        stream.state.font = stream.walk.fontOf(fontDict)
        stream.state.size = getFile(stream).number(sizeValue) ?? stream.state.size
      }
    },
  }),
)

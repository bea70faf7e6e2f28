import { isSpace, openLexer, type Lexer } from '../object/lexer.ts'
import type { PdfFile } from '../object/document.ts'
import {
  isArray,
  isName,
  PdfError,
  pdfLimits,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from '../object/value.ts'
import { emit, file, ownMark, start, type Stream, type Walk } from './drawing.ts'
import { identity, multiply, transformRect, type Matrix } from './matrix.ts'
import { operators, type Operands } from './operator.ts'
import type { PdfPage } from './page.ts'
import { elementOfObject } from './structure.ts'

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
    else if (value.word === 'Do') drawObject(stream, operands)
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

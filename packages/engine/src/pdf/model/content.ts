import { isSpace, openLexer, type Lexer } from '../object/lexer.ts'
import type { PdfFile } from '../object/document.ts'
import { isArray, isName, PdfError, pdfLimits, type PdfDict, type PdfStream, type PdfValue } from '../object/value.ts'
import { emitItem, getFile, createElementMark, initialState, type ContentStream, type ContentWalk } from './drawing.ts'
import { identityMatrix, multiplyMatrices, transformRect, type Matrix } from './matrix.ts'
import { contentOperators, type Operands } from './operator.ts'
import type { PdfPage } from './page.ts'
import { findObjectElement } from './structure-query.ts'

function drawObject(stream: ContentStream, operands: Operands): void {
  const { walk, state } = stream
  const objectName = isName(operands[0]) ? operands[0].name : ''
  const xObject = getFile(stream).stream(getFile(stream).dict(stream.resources?.entries.get('XObject'))?.entries.get(objectName))
  if (!xObject) return
  const objectSubtype = getFile(stream).name(xObject.dict.entries.get('Subtype'))
  if (objectSubtype === 'Form') {
    drawFormObject(stream, xObject)
    return
  }
  const owningElement = walk.structure ? findObjectElement(walk.file, walk.structure, xObject.dict) : null
  const itemMarks = owningElement ? [...stream.marks, createElementMark(owningElement)] : stream.marks
  walk.visitor.item({
    kind: 'image',
    page: stream.page,
    marks: itemMarks,
    rect: transformRect([0, 0, 1, 1], state.ctm),
    text: null,
    fill: null,
    isRectangle: false,
  })
}

function readMatrix(pdf: PdfFile, value: PdfValue | undefined): Matrix {
  const matrixItems = pdf.array(value).map((item) => pdf.number(item) ?? 0)
  return matrixItems.length === 6 ? (matrixItems as unknown as Matrix) : identityMatrix
}

function drawFormObject(outerStream: ContentStream, form: PdfStream): void {
  const { walk } = outerStream
  if (outerStream.active.has(form.dict) || outerStream.depth > 30) return
  const formBytes = walk.file.unpack(form)
  const owningElement = walk.structure ? findObjectElement(walk.file, walk.structure, form.dict) : null
  const formParents = walk.file.number(form.dict.entries.get('StructParents'))
  const innerStream: ContentStream = {
    ...outerStream,
    resources: walk.file.dict(form.dict.entries.get('Resources')) ?? outerStream.resources,
    structParents: formParents ?? outerStream.structParents,
    marks: owningElement ? [...outerStream.marks, createElementMark(owningElement)] : outerStream.marks,
    state: {
      ...outerStream.state,
      ctm: multiplyMatrices(readMatrix(walk.file, form.dict.entries.get('Matrix')), outerStream.state.ctm),
    },
    saved: [],
    path: { rect: null, segments: 0, rectangles: 0 },
    depth: outerStream.depth + 1,
    active: new Set(outerStream.active).add(form.dict),
    hasContent: false,
  }
  if (formBytes) runOperators(innerStream, openLexer(formBytes))
  walk.visitor.form(form.dict, outerStream.page, innerStream.hasContent)
}

/** Skips an inline image: from after `BI` to after `EI`. */
function skipInlineImage(stream: ContentStream, lexer: Lexer): void {
  for (;;) {
    const skippedValue = lexer.next()
    if (skippedValue === undefined) return
    if (typeof skippedValue === 'object' && skippedValue?.kind === 'word' && skippedValue.word === 'ID') break
  }
  const { bytes } = lexer
  for (let searchOffset = lexer.position + 1; searchOffset + 1 < lexer.endOffset; searchOffset++) {
    if (bytes[searchOffset] !== 0x45 || bytes[searchOffset + 1] !== 0x49 || !isSpace(bytes[searchOffset - 1])) continue
    const followingBytes = bytes.subarray(searchOffset + 2, Math.min(searchOffset + 12, lexer.endOffset))
    // Image bytes may contain EI by chance; bytes after the operator are printable.
    if (
      followingBytes.length === 0 ||
      (isSpace(followingBytes[0]) &&
        followingBytes.every((followingByte) => (followingByte >= 32 && followingByte < 127) || isSpace(followingByte)))
    ) {
      lexer.position = searchOffset + 2
      emitItem(stream, {
        kind: 'image',
        rect: transformRect([0, 0, 1, 1], stream.state.ctm),
        text: null,
        fill: null,
        isRectangle: false,
      })
      return
    }
  }
  lexer.position = lexer.endOffset
}

function runOperators(stream: ContentStream, lexer: Lexer): void {
  let operandList: PdfValue[] = []
  for (;;) {
    const nextValue = lexer.next()
    if (nextValue === undefined) return
    if (typeof nextValue !== 'object' || nextValue === null || nextValue.kind !== 'word') {
      if (operandList.length < 1000) operandList.push(nextValue)
      continue
    }
    if (--stream.walk.budget.remaining < 0) throw new PdfError('limit', `More than ${pdfLimits.operators} drawing operators`)
    if (nextValue.word === 'BI') skipInlineImage(stream, lexer)
    else if (nextValue.word === 'Do') drawObject(stream, operandList)
    else contentOperators.get(nextValue.word)?.(stream, operandList)
    operandList = []
  }
}

function readContentBytes(pdf: PdfFile, value: PdfValue | undefined): Uint8Array {
  const resolvedValue = pdf.resolve(value)
  const contentParts = isArray(resolvedValue) ? resolvedValue.items : [resolvedValue]
  const contentChunks: Uint8Array[] = []
  for (const contentPart of contentParts) {
    const partStream = pdf.stream(contentPart)
    const partBytes = partStream && pdf.unpack(partStream)
    // A token never spans two streams.
    if (partBytes) contentChunks.push(partBytes, Uint8Array.of(10))
  }
  return contentChunks.length === 2 ? contentChunks[0]! : Buffer.concat(contentChunks)
}

const createStream = (walk: ContentWalk, page: PdfPage, resources: PdfDict | null, parents: number | null): ContentStream => ({
  walk,
  page,
  resources,
  structParents: parents,
  marks: [],
  state: { ...initialState },
  saved: [],
  textMatrix: identityMatrix,
  lineMatrix: identityMatrix,
  path: { rect: null, segments: 0, rectangles: 0 },
  depth: 0,
  active: new Set(),
  hasContent: false,
})

/**
 * Runs a page's content and the forms that it draws.
 * @throws PdfError with trouble `limit`
 */
export function runPageContent(walk: ContentWalk, page: PdfPage): void {
  const pageBytes = readContentBytes(walk.file, page.dict.entries.get('Contents'))
  runOperators(createStream(walk, page, page.resources, page.structParents), openLexer(pageBytes))
}

/** Runs the appearance of an annotation as a separate form. */
export function runAppearance(walk: ContentWalk, page: PdfPage, form: PdfStream): void {
  const appearanceStream = createStream(walk, page, page.resources, null)
  drawFormObject(appearanceStream, form)
}

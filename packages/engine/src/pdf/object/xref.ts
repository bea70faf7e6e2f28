import { isSpace, openLexer, readAll, readObject, type Lexer } from './lexer.ts'
import { isArray, isDict, isRef, isStream, PdfError, pdfLimits, type PdfDict, type PdfStream, type PdfValue } from './value.ts'

/** Position of an object: an offset, or an index in an object stream. */
export type ObjectPosition = { at: number; gen: number } | { inStream: number; index: number }
export type CrossReferences = { positions: Map<number, ObjectPosition>; trailer: PdfDict; isRebuilt: boolean }

/** An indirect object in the file: `num gen obj value`. Undefined if none starts at the offset. */
export type IndirectObject = { num: number; gen: number; value: PdfValue; end: number }
/** Unpacks a cross-reference stream, which is never encrypted. */
export type UnpackPlain = (stream: PdfStream) => Uint8Array

const isWord = (value: PdfValue | undefined, word: string): boolean =>
  typeof value === 'object' && value !== null && value.kind === 'word' && value.word === word

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Returns the encoded bytes of a stream after its dictionary. `Length` is trusted only if `endstream` follows. */
function readStreamBytes(lexer: Lexer, dict: PdfDict, lengthOf: (value: PdfValue | undefined) => number | null): Uint8Array {
  const { bytes } = lexer
  let startOffset = lexer.position
  if (bytes[startOffset] === 13) startOffset += 1
  if (bytes[startOffset] === 10) startOffset += 1
  const declaredLength = lengthOf(dict.entries.get('Length'))
  if (declaredLength !== null && startOffset + declaredLength <= lexer.endOffset) {
    let afterOffset = startOffset + declaredLength
    while (afterOffset < lexer.endOffset && isSpace(bytes[afterOffset])) afterOffset += 1
    if (toBuffer(bytes).toString('latin1', afterOffset, Math.min(afterOffset + 9, lexer.endOffset)) === 'endstream') {
      lexer.position = afterOffset + 9
      return bytes.subarray(startOffset, startOffset + declaredLength)
    }
  }
  const endstreamIndex = toBuffer(bytes).indexOf('endstream', startOffset, 'latin1')
  const endIndex = endstreamIndex < 0 ? lexer.endOffset : endstreamIndex
  lexer.position = Math.min(lexer.endOffset, endIndex + 9)
  let endOffset = endIndex
  if (bytes[endOffset - 1] === 10) endOffset -= 1
  if (bytes[endOffset - 1] === 13) endOffset -= 1
  return bytes.subarray(startOffset, Math.max(startOffset, endOffset))
}

/** Reads the indirect object at an offset. @param lengthOf resolves a stream's `Length` */
export function readIndirect(
  bytes: Uint8Array,
  objectOffset: number,
  resolveLength: (value: PdfValue | undefined) => number | null,
): IndirectObject | undefined {
  if (objectOffset < 0 || objectOffset >= bytes.length) return undefined
  const objectLexer = openLexer(bytes, objectOffset)
  const objectNumber = objectLexer.next()
  const generation = objectLexer.next()
  if (typeof objectNumber !== 'number' || typeof generation !== 'number' || !isWord(objectLexer.next(), 'obj')) return undefined
  const objectValue = readObject(objectLexer)
  if (objectValue === undefined || isWord(objectValue, 'endobj'))
    return { num: objectNumber, gen: generation, value: null, end: objectLexer.position }
  if (isDict(objectValue)) {
    const savedOffset = objectLexer.position
    if (isWord(objectLexer.next(), 'stream')) {
      const encodedBytes = readStreamBytes(objectLexer, objectValue, resolveLength)
      return {
        num: objectNumber,
        gen: generation,
        value: {
          kind: 'stream',
          dict: objectValue,
          encoded: encodedBytes,
          owner: { kind: 'ref', num: objectNumber, gen: generation },
        },
        end: objectLexer.position,
      }
    }
    objectLexer.position = savedOffset
  }
  return { num: objectNumber, gen: generation, value: objectValue, end: objectLexer.position }
}

function readTable(lexer: Lexer, positions: Map<number, ObjectPosition>): PdfDict | undefined {
  for (;;) {
    const firstToken = lexer.next()
    if (isWord(firstToken, 'trailer')) {
      const trailerValue = lexer.next()
      return isDict(trailerValue) ? trailerValue : undefined
    }
    const entryCount = lexer.next()
    if (typeof firstToken !== 'number' || typeof entryCount !== 'number') return undefined
    for (let i = 0; i < entryCount && i < pdfLimits.objects; i++) {
      const objectOffset = lexer.next()
      const objectGeneration = lexer.next()
      const entryKind = lexer.next()
      if (typeof objectOffset !== 'number' || typeof objectGeneration !== 'number') return undefined
      if (isWord(entryKind, 'n') && !positions.has(firstToken + i))
        positions.set(firstToken + i, { at: objectOffset, gen: objectGeneration })
    }
  }
}

const readNumbers = (value: PdfValue | undefined): number[] =>
  isArray(value) ? value.items.filter((item) => typeof item === 'number') : []

function readStreamTable(stream: PdfStream, unpack: UnpackPlain, positions: Map<number, ObjectPosition>): void {
  const fieldWidths = readNumbers(stream.dict.entries.get('W'))
  const sizeValue = stream.dict.entries.get('Size')
  const indexNumbers = readNumbers(stream.dict.entries.get('Index'))
  const objectRanges = indexNumbers.length > 1 ? indexNumbers : [0, typeof sizeValue === 'number' ? sizeValue : 0]
  const tableData = unpack(stream)
  const rowBytes = fieldWidths.reduce((sum, width) => sum + width, 0)
  if (fieldWidths.length < 3 || rowBytes < 1 || fieldWidths.some((width) => width < 0 || width > 8)) return
  let readOffset = 0
  const readField = (fieldWidth: number, defaultValue: number): number => {
    if (fieldWidth === 0) return defaultValue
    let fieldValue = 0
    for (let i = 0; i < fieldWidth; i++) fieldValue = fieldValue * 256 + (tableData[readOffset + i] ?? 0)
    readOffset += fieldWidth
    return fieldValue
  }
  for (let rangeIndex = 0; rangeIndex + 1 < objectRanges.length; rangeIndex += 2)
    for (let i = 0; i < objectRanges[rangeIndex + 1]! && readOffset + rowBytes <= tableData.length; i++) {
      const entryType = readField(fieldWidths[0]!, 1)
      const secondField = readField(fieldWidths[1]!, 0)
      const thirdField = readField(fieldWidths[2]!, 0)
      const objectNumber = objectRanges[rangeIndex]! + i
      if (positions.has(objectNumber)) continue
      if (entryType === 1) positions.set(objectNumber, { at: secondField, gen: thirdField })
      if (entryType === 2) positions.set(objectNumber, { inStream: secondField, index: thirdField })
    }
}

const getDirectLength = (value: PdfValue | undefined): number | null => (typeof value === 'number' ? value : null)

/** Follows the chain of tables from `startxref`; null if a link is broken. */
function followTables(bytes: Uint8Array, startPosition: number, unpack: UnpackPlain): CrossReferences | null {
  const objectPositions = new Map<number, ObjectPosition>()
  const visitedOffsets = new Set<number>()
  const pendingOffsets = [startPosition]
  let firstTrailer: PdfDict | null = null
  while (pendingOffsets.length > 0) {
    const tableOffset = pendingOffsets.shift()!
    if (visitedOffsets.has(tableOffset) || visitedOffsets.size > 10_000) continue
    visitedOffsets.add(tableOffset)
    const tableLexer = openLexer(bytes, tableOffset)
    let tableDict: PdfDict | undefined
    if (isWord(tableLexer.next(), 'xref')) {
      tableDict = readTable(tableLexer, objectPositions)
    } else {
      const tableObject = readIndirect(bytes, tableOffset, getDirectLength)
      if (tableObject && isStream(tableObject.value)) {
        tableDict = tableObject.value.dict
        readStreamTable(tableObject.value, unpack, objectPositions)
      }
    }
    if (!tableDict) return null
    firstTrailer ??= tableDict
    // The stream of a hybrid file precedes the older table.
    for (const linkKey of ['XRefStm', 'Prev']) {
      const linkedOffset = tableDict.entries.get(linkKey)
      if (typeof linkedOffset === 'number' && linkedOffset > 0) pendingOffsets.push(linkedOffset)
    }
  }
  return firstTrailer && { positions: objectPositions, trailer: firstTrailer, isRebuilt: false }
}

/** Finds every `n g obj` by scanning the file; the last occurrence of a number counts. */
function rebuildReferences(bytes: Uint8Array, unpack: UnpackPlain): CrossReferences {
  const objectPositions = new Map<number, ObjectPosition>()
  const fileText = toBuffer(bytes).toString('latin1')
  const trailerEntries = new Map<string, PdfValue>()
  const streamOffsets: number[] = []
  let objectCount = 0
  for (const objectMatch of fileText.matchAll(/(?<![0-9])(\d{1,10})[ \t\r\n\0\f]+(\d{1,5})[ \t\r\n\0\f]+obj(?![a-z])/g)) {
    if (++objectCount > pdfLimits.objects) throw new PdfError('limit', 'The file has too many objects')
    objectPositions.set(Number(objectMatch[1]), { at: objectMatch.index, gen: Number(objectMatch[2]) })
    const objectHead = fileText.slice(objectMatch.index, objectMatch.index + 400)
    if (/\/Type\s*\/(ObjStm|XRef)\b/.test(objectHead)) streamOffsets.push(objectMatch.index)
  }
  for (const trailerMatch of fileText.matchAll(/trailer/g)) {
    const trailerDict = openLexer(bytes, trailerMatch.index + 7).next()
    if (isDict(trailerDict)) for (const [entryKey, value] of trailerDict.entries) trailerEntries.set(entryKey, value)
  }
  for (const streamOffset of streamOffsets) {
    const streamObject = readIndirect(bytes, streamOffset, getDirectLength)
    if (!streamObject || !isStream(streamObject.value)) continue
    const { dict: streamDict } = streamObject.value
    const streamType = streamDict.entries.get('Type')
    if (typeof streamType === 'object' && streamType?.kind === 'name' && streamType.name === 'XRef') {
      for (const key of ['Root', 'Encrypt', 'ID', 'Info'])
        if (streamDict.entries.has(key)) trailerEntries.set(key, streamDict.entries.get(key)!)
    } else if (!trailerEntries.has('Encrypt')) indexObjectStream(streamObject.num, streamObject.value, unpack, objectPositions)
  }
  if (!trailerEntries.has('Root')) {
    const catalogMatch = /(?<!\d)(\d{1,10})\s{1,20}(\d{1,10})\s{1,20}obj[^]{0,400}?\/Type\s{0,20}\/Catalog\b/.exec(fileText)
    if (catalogMatch) trailerEntries.set('Root', { kind: 'ref', num: Number(catalogMatch[1]), gen: Number(catalogMatch[2]) })
  }
  return { positions: objectPositions, trailer: { kind: 'dict', entries: trailerEntries }, isRebuilt: true }
}

function indexObjectStream(num: number, stream: PdfStream, unpack: UnpackPlain, positions: Map<number, ObjectPosition>): void {
  const objectCount = stream.dict.entries.get('N')
  if (typeof objectCount !== 'number') return
  const streamIndex = readAll(unpack(stream), Math.min(2 * objectCount, pdfLimits.objects))
  for (let i = 0; i < objectCount; i++) {
    const innerNumber = streamIndex[2 * i]
    if (typeof innerNumber === 'number' && !positions.has(innerNumber)) positions.set(innerNumber, { inStream: num, index: i })
  }
}

/** Reads the positions of all objects. Rebuilds a broken table from the objects themselves. */
export function readCrossReferences(bytes: Uint8Array, headerAt: number, unpack: UnpackPlain): CrossReferences {
  const fileTail = toBuffer(bytes).toString('latin1', Math.max(0, bytes.length - 2048))
  const startMatch = /^startxref\s+(\d+)/.exec(fileTail.slice(Math.max(0, fileTail.lastIndexOf('startxref'))))
  if (startMatch) {
    const startOffset = Number(startMatch[1])
    for (const candidateOffset of headerAt > 0 ? [startOffset, startOffset + headerAt] : [startOffset]) {
      const followedReferences = followTables(bytes, candidateOffset, unpack)
      const rootValue = followedReferences?.trailer.entries.get('Root')
      if (followedReferences && (isRef(rootValue) ? hasRoot(bytes, followedReferences, rootValue.num) : isDict(rootValue)))
        return followedReferences
    }
  }
  return rebuildReferences(bytes, unpack)
}

function hasRoot(bytes: Uint8Array, { positions }: CrossReferences, num: number): boolean {
  const rootPosition = positions.get(num)
  if (!rootPosition) return false
  if ('inStream' in rootPosition) return positions.has(rootPosition.inStream)
  return readIndirect(bytes, rootPosition.at, getDirectLength)?.num === num
}

import { PdfError, pdfLimits, type PdfDict, type PdfValue } from './value.ts'

/** Reads values sequentially: objects, object streams, content streams and CMaps. */
export type Lexer = {
  /** Next value, a word for an operator, undefined at the end. Always advances. @throws PdfError if nested too deep */
  next(): PdfValue | undefined
  /** Current index into the bytes. */
  position: number
  readonly bytes: Uint8Array
  readonly endOffset: number
}

const toCharCode = (char: string): number => char.charCodeAt(0)
const spaceTable = new Uint8Array(256)
for (const tableEntry of [0, 9, 10, 12, 13, 32]) spaceTable[tableEntry] = 1
const delimiterTable = new Uint8Array(256)
for (const c of '()<>[]{}/%') delimiterTable[toCharCode(c)] = 1

/** Returns true for PDF white space. */
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && spaceTable[byte] === 1

const parseHexDigit = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lowerCase = byte | 32
  return lowerCase >= 97 && lowerCase <= 102 ? lowerCase - 87 : -1
}

function skipWhitespace(lexer: Lexer): void {
  const { bytes, endOffset } = lexer
  while (lexer.position < endOffset) {
    const currentByte = bytes[lexer.position]!
    if (currentByte === 37) {
      while (lexer.position < endOffset && bytes[lexer.position] !== 10 && bytes[lexer.position] !== 13) lexer.position += 1
    } else if (spaceTable[currentByte] === 1) lexer.position += 1
    else return
  }
}

function readName(lexer: Lexer): PdfValue {
  const { bytes, endOffset } = lexer
  lexer.position += 1
  let decodedName = ''
  while (lexer.position < endOffset) {
    const nameByte = bytes[lexer.position]!
    if (spaceTable[nameByte] === 1 || delimiterTable[nameByte] === 1) break
    const highDigit = nameByte === 35 ? parseHexDigit(bytes[lexer.position + 1] ?? 0) : -1
    const lowDigit = nameByte === 35 ? parseHexDigit(bytes[lexer.position + 2] ?? 0) : -1
    if (highDigit >= 0 && lowDigit >= 0) {
      decodedName += String.fromCharCode(highDigit * 16 + lowDigit)
      lexer.position += 3
    } else {
      decodedName += String.fromCharCode(nameByte)
      lexer.position += 1
    }
  }
  return { kind: 'name', name: decodedName }
}

const escapeCharacters: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }))

/** Reads the character after a backslash; the lexer is positioned behind the backslash. */
function readEscape(lexer: Lexer): string {
  const { bytes } = lexer
  const escapedByte = bytes[lexer.position] ?? 0
  lexer.position += 1
  if (escapedByte === 13) {
    if (bytes[lexer.position] === 10) lexer.position += 1
    return ''
  }
  if (escapedByte === 10) return ''
  if (escapedByte < 48 || escapedByte > 55)
    return escapeCharacters.get(String.fromCharCode(escapedByte)) ?? String.fromCharCode(escapedByte)
  let octalValue = escapedByte - 48
  for (let i = 0; i < 2; i++) {
    const nextByte = bytes[lexer.position] ?? 0
    if (nextByte < 48 || nextByte > 55) break
    octalValue = octalValue * 8 + nextByte - 48
    lexer.position += 1
  }
  return String.fromCharCode(octalValue & 255)
}

function readLiteralString(lexer: Lexer): PdfValue {
  const { bytes, endOffset } = lexer
  lexer.position += 1
  const stringParts: string[] = []
  let openParentheses = 1
  while (lexer.position < endOffset) {
    const stringByte = bytes[lexer.position]!
    lexer.position += 1
    if (stringByte === 92) {
      stringParts.push(readEscape(lexer))
      continue
    }
    if (stringByte === 40) openParentheses += 1
    if (stringByte === 41 && --openParentheses === 0) break
    if (stringByte === 13) {
      if (bytes[lexer.position] === 10) lexer.position += 1
      stringParts.push('\n')
    } else stringParts.push(String.fromCharCode(stringByte))
  }
  return { kind: 'string', raw: stringParts.join('') }
}

function readHexString(lexer: Lexer): PdfValue {
  const { bytes, endOffset } = lexer
  lexer.position += 1
  const stringParts: string[] = []
  let highDigit = -1
  while (lexer.position < endOffset) {
    const hexByte = bytes[lexer.position]!
    lexer.position += 1
    if (hexByte === 62) break
    const hexDigitValue = parseHexDigit(hexByte)
    if (hexDigitValue < 0) continue
    if (highDigit < 0) highDigit = hexDigitValue
    else {
      stringParts.push(String.fromCharCode(highDigit * 16 + hexDigitValue))
      highDigit = -1
    }
  }
  if (highDigit >= 0) stringParts.push(String.fromCharCode(highDigit * 16))
  return { kind: 'string', raw: stringParts.join('') }
}

function readWord(lexer: Lexer): string {
  const { bytes, endOffset } = lexer
  const wordStart = lexer.position
  while (lexer.position < endOffset) {
    const wordByte = bytes[lexer.position]!
    if (spaceTable[wordByte] === 1 || delimiterTable[wordByte] === 1) break
    lexer.position += 1
  }
  // Consumes a stray delimiter, so that every call advances.
  if (lexer.position === wordStart) lexer.position += 1
  let wordText = ''
  for (let i = wordStart; i < lexer.position && i < wordStart + 200; i++) wordText += String.fromCharCode(bytes[i]!)
  return wordText
}

const lenientNumberPattern = /^[+-]*(\d+(\.\d*)?|\.\d*)?(-\d*)?$/

function toValue(word: string): PdfValue {
  const firstCode = word.charCodeAt(0)
  if ((firstCode >= 48 && firstCode <= 57) || firstCode === 43 || firstCode === 45 || firstCode === 46) {
    const numberValue = Number(word)
    if (!Number.isNaN(numberValue) && /^[+-]?[\d.]+$/.test(word)) return numberValue
    // Malformed numbers of real writers: "--5", "1.2-3".
    if (lenientNumberPattern.test(word)) return Number.parseFloat(word.replace(/^[+-]*-/, '-')) || 0
  }
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  return { kind: 'word', word }
}

const isEndWord = (value: PdfValue | undefined, word: string): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && value.kind === 'word' && value.word === word)

const isNonNegativeInteger = (value: PdfValue | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Folds `num gen R` at the end of a list into a reference. */
function foldReference(items: PdfValue[], value: PdfValue): boolean {
  if (!isEndWord(value, 'R')) return false
  const generation = items.at(-1)
  const objectNumber = items.at(-2)
  if (!isNonNegativeInteger(generation) || !isNonNegativeInteger(objectNumber)) return false
  items.length -= 2
  items.push({ kind: 'ref', num: objectNumber, gen: generation })
  return true
}

/** Reads values up to a closing word, with references folded. */
function readUntil(lexer: Lexer, closing: string, depth: number): PdfValue[] {
  const listItems: PdfValue[] = []
  for (;;) {
    const nextValue = readValue(lexer, depth)
    if (nextValue === undefined || isEndWord(nextValue, closing)) return listItems
    // An unclosed container must not consume the rest of the file.
    if (isEndWord(nextValue, 'endobj') || isEndWord(nextValue, 'stream')) {
      lexer.position -= (nextValue as { word: string }).word.length
      return listItems
    }
    if (!foldReference(listItems, nextValue)) listItems.push(nextValue)
  }
}

function toDict(items: readonly PdfValue[]): PdfDict {
  const dictEntries = new Map<string, PdfValue>()
  let i = 0
  while (i < items.length) {
    const entryKey = items[i]
    if (typeof entryKey === 'object' && entryKey !== null && entryKey.kind === 'name') {
      if (i + 1 < items.length) dictEntries.set(entryKey.name, items[i + 1]!)
      i += 2
    } else i += 1
  }
  return { kind: 'dict', entries: dictEntries }
}

function readValue(lexer: Lexer, depth: number): PdfValue | undefined {
  if (depth > pdfLimits.depth) throw new PdfError('limit', `Values are nested deeper than ${pdfLimits.depth}`)
  skipWhitespace(lexer)
  if (lexer.position >= lexer.endOffset) return undefined
  const { bytes } = lexer
  const firstByte = bytes[lexer.position]!
  if (firstByte === 47) return readName(lexer)
  if (firstByte === 40) return readLiteralString(lexer)
  if (firstByte === 91) {
    lexer.position += 1
    return { kind: 'array', items: readUntil(lexer, ']', depth + 1) }
  }
  if (firstByte === 60) {
    if (bytes[lexer.position + 1] !== 60) return readHexString(lexer)
    lexer.position += 2
    return toDict(readUntil(lexer, '>>', depth + 1))
  }
  if (firstByte === 62 && bytes[lexer.position + 1] === 62) {
    lexer.position += 2
    return { kind: 'word', word: '>>' }
  }
  return toValue(readWord(lexer))
}

/** Creates a lexer for a range of bytes. */
export function openLexer(bytes: Uint8Array, startOffset = 0, endOffset = bytes.length): Lexer {
  const newLexer: Lexer = {
    bytes,
    position: startOffset,
    endOffset: Math.min(endOffset, bytes.length),
    next: () => readValue(newLexer, 0),
  }
  return newLexer
}

/** Reads all values with references folded: for object stream indexes and other short lists. */
export function readAll(bytes: Uint8Array, maxItems: number): PdfValue[] {
  const valueLexer = openLexer(bytes)
  const allItems: PdfValue[] = []
  while (allItems.length < maxItems) {
    const nextValue = valueLexer.next()
    if (nextValue === undefined) break
    if (!foldReference(allItems, nextValue)) allItems.push(nextValue)
  }
  return allItems
}

/** Reads the value at the lexer's position, including references. */
export function readObject(lexer: Lexer): PdfValue | undefined {
  const firstValue = lexer.next()
  if (!isNonNegativeInteger(firstValue)) return firstValue
  const savedOffset = lexer.position
  const secondValue = lexer.next()
  if (isNonNegativeInteger(secondValue) && isEndWord(lexer.next(), 'R')) return { kind: 'ref', num: firstValue, gen: secondValue }
  lexer.position = savedOffset
  return firstValue
}

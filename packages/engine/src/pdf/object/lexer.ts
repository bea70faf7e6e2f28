import { PdfError, pdfLimits, type PdfDict, type PdfValue } from './value.ts'

/** Reads values one after another; one lexer for objects, object streams, content streams and CMaps. */
export type Lexer = {
  /** The next value, a word for an operator, undefined at the end. Never loops; throws `PdfError` when nested too deep. */
  next(): PdfValue | undefined
  /** Where it is, as an index into the bytes. */
  at: number
  readonly bytes: Uint8Array
  readonly end: number
}

const code = (char: string): number => char.charCodeAt(0)
const space = new Uint8Array(256)
for (const c of [0, 9, 10, 12, 13, 32]) space[c] = 1
const delimiter = new Uint8Array(256)
for (const c of '()<>[]{}/%') delimiter[code(c)] = 1

/** White space as PDF counts it. */
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && space[byte] === 1

const hexDigit = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

function skipSpace(lexer: Lexer): void {
  const { bytes, end } = lexer
  while (lexer.at < end) {
    const byte = bytes[lexer.at]!
    if (byte === 37) {
      while (lexer.at < end && bytes[lexer.at] !== 10 && bytes[lexer.at] !== 13) lexer.at += 1
    } else if (space[byte] === 1) lexer.at += 1
    else return
  }
}

function readName(lexer: Lexer): PdfValue {
  const { bytes, end } = lexer
  lexer.at += 1
  let name = ''
  while (lexer.at < end) {
    const byte = bytes[lexer.at]!
    if (space[byte] === 1 || delimiter[byte] === 1) break
    const high = byte === 35 ? hexDigit(bytes[lexer.at + 1] ?? 0) : -1
    const low = byte === 35 ? hexDigit(bytes[lexer.at + 2] ?? 0) : -1
    if (high >= 0 && low >= 0) {
      name += String.fromCharCode(high * 16 + low)
      lexer.at += 3
    } else {
      name += String.fromCharCode(byte)
      lexer.at += 1
    }
  }
  return { kind: 'name', name }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The character after a backslash; the lexer is behind the backslash. */
function readEscape(lexer: Lexer): string {
  const { bytes } = lexer
  const byte = bytes[lexer.at] ?? 0
  lexer.at += 1
  if (byte === 13) {
    if (bytes[lexer.at] === 10) lexer.at += 1
    return ''
  }
  if (byte === 10) return ''
  if (byte < 48 || byte > 55) return escapes[String.fromCharCode(byte)] ?? String.fromCharCode(byte)
  let octal = byte - 48
  for (let i = 0; i < 2; i++) {
    const next = bytes[lexer.at] ?? 0
    if (next < 48 || next > 55) break
    octal = octal * 8 + next - 48
    lexer.at += 1
  }
  return String.fromCharCode(octal & 255)
}

function readLiteralString(lexer: Lexer): PdfValue {
  const { bytes, end } = lexer
  lexer.at += 1
  const parts: string[] = []
  let open = 1
  while (lexer.at < end) {
    const byte = bytes[lexer.at]!
    lexer.at += 1
    if (byte === 92) {
      parts.push(readEscape(lexer))
      continue
    }
    if (byte === 40) open += 1
    if (byte === 41 && --open === 0) break
    if (byte === 13) {
      if (bytes[lexer.at] === 10) lexer.at += 1
      parts.push('\n')
    } else parts.push(String.fromCharCode(byte))
  }
  return { kind: 'string', raw: parts.join('') }
}

function readHexString(lexer: Lexer): PdfValue {
  const { bytes, end } = lexer
  lexer.at += 1
  const parts: string[] = []
  let high = -1
  while (lexer.at < end) {
    const byte = bytes[lexer.at]!
    lexer.at += 1
    if (byte === 62) break
    const digit = hexDigit(byte)
    if (digit < 0) continue
    if (high < 0) high = digit
    else {
      parts.push(String.fromCharCode(high * 16 + digit))
      high = -1
    }
  }
  if (high >= 0) parts.push(String.fromCharCode(high * 16))
  return { kind: 'string', raw: parts.join('') }
}

function readWord(lexer: Lexer): string {
  const { bytes, end } = lexer
  const from = lexer.at
  while (lexer.at < end) {
    const byte = bytes[lexer.at]!
    if (space[byte] === 1 || delimiter[byte] === 1) break
    lexer.at += 1
  }
  // A stray delimiter is eaten, so that every call moves on.
  if (lexer.at === from) lexer.at += 1
  let word = ''
  for (let i = from; i < lexer.at && i < from + 200; i++) word += String.fromCharCode(bytes[i]!)
  return word
}

const numeric = /^[+-]*(\d+(\.\d*)?|\.\d*)?(-\d*)?$/

function asValue(word: string): PdfValue {
  const first = word.charCodeAt(0)
  if ((first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46) {
    const number = Number(word)
    if (!Number.isNaN(number) && /^[+-]?[\d.]+$/.test(word)) return number
    // Writers in the wild: "--5", "1.2-3".
    if (numeric.test(word)) return Number.parseFloat(word.replace(/^[+-]*-/, '-')) || 0
  }
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  return { kind: 'word', word }
}

const isEnd = (value: PdfValue | undefined, word: string): boolean =>
  value === undefined ||
  (typeof value === 'object' && value !== null && value.kind === 'word' && value.word === word)

const isInteger = (value: PdfValue | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Folds `num gen R` at the end of a list into a reference. */
function foldReference(items: PdfValue[], value: PdfValue): boolean {
  if (!isEnd(value, 'R')) return false
  const gen = items.at(-1)
  const num = items.at(-2)
  if (!isInteger(gen) || !isInteger(num)) return false
  items.length -= 2
  items.push({ kind: 'ref', num, gen })
  return true
}

/** Values up to a closing word, references folded. */
function readUntil(lexer: Lexer, closing: string, depth: number): PdfValue[] {
  const items: PdfValue[] = []
  for (;;) {
    const value = readValue(lexer, depth)
    if (value === undefined || isEnd(value, closing)) return items
    // A container that was never closed must not swallow the rest of the file.
    if (isEnd(value, 'endobj') || isEnd(value, 'stream')) {
      lexer.at -= (value as { word: string }).word.length
      return items
    }
    if (!foldReference(items, value)) items.push(value)
  }
}

function toDict(items: readonly PdfValue[]): PdfDict {
  const entries = new Map<string, PdfValue>()
  let i = 0
  while (i < items.length) {
    const key = items[i]
    if (typeof key === 'object' && key !== null && key.kind === 'name') {
      if (i + 1 < items.length) entries.set(key.name, items[i + 1]!)
      i += 2
    } else i += 1
  }
  return { kind: 'dict', entries }
}

function readValue(lexer: Lexer, depth: number): PdfValue | undefined {
  if (depth > pdfLimits.depth) throw new PdfError('limit', `Values are nested deeper than ${pdfLimits.depth}`)
  skipSpace(lexer)
  if (lexer.at >= lexer.end) return undefined
  const { bytes } = lexer
  const byte = bytes[lexer.at]!
  if (byte === 47) return readName(lexer)
  if (byte === 40) return readLiteralString(lexer)
  if (byte === 91) {
    lexer.at += 1
    return { kind: 'array', items: readUntil(lexer, ']', depth + 1) }
  }
  if (byte === 60) {
    if (bytes[lexer.at + 1] !== 60) return readHexString(lexer)
    lexer.at += 2
    return toDict(readUntil(lexer, '>>', depth + 1))
  }
  if (byte === 62 && bytes[lexer.at + 1] === 62) {
    lexer.at += 2
    return { kind: 'word', word: '>>' }
  }
  return asValue(readWord(lexer))
}

/** A lexer over a part of some bytes. */
export function openLexer(bytes: Uint8Array, at = 0, end = bytes.length): Lexer {
  const lexer: Lexer = { bytes, at, end: Math.min(end, bytes.length), next: () => readValue(lexer, 0) }
  return lexer
}

/** Every value of some bytes, references folded: for object streams' indices and other short lists. */
export function readAll(bytes: Uint8Array, most: number): PdfValue[] {
  const lexer = openLexer(bytes)
  const items: PdfValue[] = []
  while (items.length < most) {
    const value = lexer.next()
    if (value === undefined) break
    if (!foldReference(items, value)) items.push(value)
  }
  return items
}

/** The value that starts where the lexer is, a reference included. */
export function readObject(lexer: Lexer): PdfValue | undefined {
  const first = lexer.next()
  if (!isInteger(first)) return first
  const back = lexer.at
  const second = lexer.next()
  if (isInteger(second) && isEnd(lexer.next(), 'R')) return { kind: 'ref', num: first, gen: second }
  lexer.at = back
  return first
}
